"""Luck has mean 0 exactly: a river of three hands, every deal and every mixed action, by the loop that duels use.

Kuhn poker inside hold'em, as in `exploit/test_kuhn`: both have paid, each holds one of three hands that share no card,
and a little is left to bet. All lines of play are walked with their probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.holdem.arena import imagined as imagined_module
from holecard.holdem.arena import luck as module
from holecard.holdem.arena.hand_loop import SESSION
from holecard.holdem.arena.imagined import Imagined, imagined
from holecard.holdem.arena.luck import CONTROLS, Known, _play_hand, throws_of_players
from holecard.holdem.arena.match import policies_of
from holecard.holdem.arena.sessions import counting_ties, policy_players, wanting_equity
from holecard.holdem.equilibrium.blueprint_file import PARTS
from holecard.holdem.equities.runout import SURE
from holecard.holdem.equities.starting_hands import all_holes
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.exploit.opponent import street_start
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.blueprint import blueprint_move
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.policy import Policy
from holecard.holdem.players.record import rule_player_of, two_players
from holecard.holdem.players.rule_players import rule_move

BOARD = parse_cards("Ks9s7h3d2c")
HANDS = parse_cards("QhJh"), parse_cards("9d8d"), parse_cards("KdQc")
"""Weakest first."""
KEY = np.uint64(12345)


class _Unfinished(Exception):  # noqa: N818
    """A line of play has come to a decision that it says nothing about."""


def _with(view: Any, chance: np.uint64) -> Any:
    view["chance"] = chance
    return view


class _River:
    """The game between two players, with every line of it."""

    def __init__(self, first: NamedPlayer, other: NamedPlayer, rules: HoldemRules) -> None:
        self.rules = rules
        self.records = two_players(first.record, other.record)
        self.policies = policies_of(first, other, rules)
        self.players = policy_players(self.records, self.policies)
        self.throws = throws_of_players(self.records, self.policies)
        self.known = Known(self.throws, *(self._imagined(at) for at in range(2)), np.empty(4, np.int64))
        self.script: tuple[int, ...] = ()
        self.at = 0
        self.offered: dict[int, float] = {}

    def _imagined(self, at: int) -> Imagined:
        policy = self.policies[at]
        return imagined(self.records[at], policy if isinstance(policy, Policy) else None, self.rules)

    def decide(self, view: Any, player: int, players: Any) -> int:
        """The move of the line; where it ends, what may be done is noted."""
        if self.at < len(self.script):
            self.at += 1
            return self.script[self.at - 1]
        self.offered = self._moves(view, player)
        raise _Unfinished

    def _moves(self, view: Any, player: int) -> dict[int, float]:
        """Every move that the player may draw, with its probability."""
        drawn, policy = np.uint64(view["chance"]), self.policies[player]
        if isinstance(policy, Policy):
            chances = [np.uint64(part) << np.uint64(58) | drawn & np.uint64(0xFFFFFFFF) for part in range(PARTS)]
            moves = [blueprint_move(policy.blueprint, _with(view, chance)) for chance in chances]
        else:
            rule_player = rule_player_of(self.records[player])
            moves = [rule_move(_with(view, chance), rule_player) for chance in list(self.throws[player]) or [drawn]]
        view["chance"] = drawn
        return {int(move): moves.count(move) / len(moves) for move in moves}

    def lines(self, hands: tuple[list[int], list[int]], swapped: int) -> Iterator[tuple[float, Any]]:
        """Every line of a deal: its probability, its luck (7)."""
        ahead: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
        while ahead:
            odds, self.script = ahead.pop()
            self.at, luck = 0, np.zeros(CONTROLS)
            session = np.zeros(1, SESSION)
            session["wants_equity"] = wanting_equity(self.records, self.policies)
            session["ties_win"] = counting_ties(self.records, self.policies)
            record = session[0]
            record["hand"] = street_start(self.rules, 3, 100, hero_on_button=False)
            record["hand"]["card"] = [*hands[0], *hands[1], *BOARD]
            record["player_in"], record["equity_street"] = (swapped, 1 - swapped), -1
            record["view"]["buy_in"] = self.rules.stack
            try:
                _play_hand(record, equity_tables()[0], KEY, self.rules.session_terms, self.players, self.known, luck)
            except _Unfinished:
                ahead += [(odds * share, (*self.script, move)) for move, share in self.offered.items()]
                continue
            yield odds, luck


def _three_hands_only(tables: Any, player: Imagined, hand: Any, seat: int) -> None:
    """What `_imagine` leaves of the three hands."""
    _IMAGINE(tables, player, hand, seat)
    numbers = [all_holes().index(tuple(sorted(each, reverse=True))) for each in HANDS]
    player.held.belief[np.isin(np.arange(len(player.held.belief)), numbers, invert=True)] = 0.0


_IMAGINE = imagined_module._imagine


def _nothing_to_come(ranking: Any, cards: Any, key: Any, chances: Any) -> None:
    """The board lies there: nothing is left for it to bring."""
    strength = [HANDS.index([int(card) for card in cards[at : at + 2]]) for at in (0, 2)]
    chances[:] = SURE if strength[0] > strength[1] else 0


@pytest.mark.parametrize(
    ("first", "other", "big_blind"),
    [
        ("smart", "loose-aggressive", 100),
        ("mixed-random", "candid-statistician", 100),
        ("equilibrium", "smart", 20),
        ("equilibrium", "equilibrium", 20),
    ],
)
def test_over_all_deals_and_mixed_actions(
    first: str, other: str, big_blind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = HoldemRules(small_blind=big_blind // 2, big_blind=big_blind, stack=200)
    river = _River(player_named(first), player_named(other), rules)
    monkeypatch.setattr(module, "decide_by_policy", river.decide)
    monkeypatch.setattr(module, "known_chances", _nothing_to_come)
    monkeypatch.setattr(imagined_module, "_imagine", _three_hands_only)
    total, mean, moved, lines = 0.0, np.zeros(CONTROLS), np.zeros(CONTROLS), 0
    with np.errstate(over="ignore"):
        for hands in permutations(HANDS, 2):
            for swapped in range(2):
                for odds, luck in river.lines(hands, swapped):
                    total += odds / 12
                    mean += odds / 12 * luck
                    moved += odds / 12 * np.abs(luck)
                    lines += 1
    assert total == pytest.approx(1, abs=1e-12)
    assert lines > 12
    assert np.abs(mean / 100).max() < 1e-12  # in what each has paid
    assert (moved[1:] > 1).any()


def test_a_hand_that_is_forgotten_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who does not learn from moves misjudges what is shown: the enumeration notices."""
    monkeypatch.setattr(imagined_module, "_keep", lambda player, move: None)
    with pytest.raises(AssertionError):
        test_over_all_deals_and_mixed_actions("smart", "loose-aggressive", 100, monkeypatch)
