"""Luck in a duel as control variates (AIVAT, Burch and others 2018): sums of mean 0 that move with the result.

Seven of them, in chips of player 0, for every hand. *Boards*: every street dealt moved the chance to win the chips then
in the middle. *Dice*, twice: a player that mixes its actions, and whose probabilities are known, drew one of them; what
that is worth beyond the mean over all of them, if raises are called, and if they are folded to. *Hands*, twice for each
player whose strategy is known: what its moves and its cards brought beyond the mean over all hands that it might have
held (`imagined`). Each has mean 0 whatever the players do. How much of each to take off is fitted on one half of the
decks and used on the other half, so that the mean stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rare_rule, rule
from holecard.executor import in_order
from holecard.holdem.arena.deck_sets import DeckSet, hand_key
from holecard.holdem.arena.hand_loop import SESSION, Session, begin_hand, board_luck_of, next_stacks, see
from holecard.holdem.arena.imagined import Imagined, forget_hands, imagined, note_move, note_showdown, worth_of
from holecard.holdem.arena.match import DeckResults, Match, deck_results, policies_of
from holecard.holdem.arena.sessions import Policies, counting_ties, is_thinking, policy_players, wanting_equity
from holecard.holdem.equilibrium.betting_rows import row_of
from holecard.holdem.equilibrium.blueprint_file import PARTS
from holecard.holdem.equities.runout import SURE, known_chances
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.exploit.opponent import DICE, even_throws_of
from holecard.holdem.game.betting import FOLD, NOBODY, SHOWDOWN, apply, show_down
from holecard.holdem.game.rules import HoldemRules, SessionTerms
from holecard.holdem.game.view import View
from holecard.holdem.players.blueprint import Blueprint, cluster_in, drawn_move, point_of
from holecard.holdem.players.named import NamedPlayer
from holecard.holdem.players.policy import Policy, PolicyPlayers, decide_by_policy, is_mixed
from holecard.holdem.players.record import forget_all, rule_player_of, two_players
from holecard.holdem.players.rule_players import rule_move

CONTROLS: Final = 7
"""Boards, dice if raises are called, dice if they are folded to, the hands of the first player, of the other."""
_HANDS_OF: Final = (3, 5)
"""Where the luck of each player's hands begins."""
_LEAST_DECKS: Final = 40
"""Decks from which coefficients are fitted; with fewer only the boards are taken off, as they are."""


class Throws(NamedTuple):
    """The dice of two players; enters kernels as it is."""

    first: NDArray[np.uint64]
    """A `chance` for every throw of player 0's dice, all equally likely; none for who throws none."""
    other: NDArray[np.uint64]


class Known(NamedTuple):
    """What is known of two players; enters kernels as it is."""

    throws: Throws
    first: Imagined
    other: Imagined
    chances: NDArray[np.int64]
    """(4,): room for the chances of seat 0 on each street, made outside of the kernel, which allocates nothing."""


@rare_rule
def _mean_of_blueprint(blueprint: Blueprint, view: View, chance: float, folded_to: bool) -> float:
    """The mean worth of what a blueprint may draw, with a raise off the menu taken for what it was taken for."""
    row = row_of(blueprint.rows, blueprint.menu, view, point_of(view["chance"]))
    cluster = cluster_in(blueprint, view)
    total, before, before_worth = 0.0, -9, 0.0
    for part in range(PARTS):
        move = drawn_move(blueprint, view, row, cluster, part)
        if move < FOLD:
            return np.nan  # no strategy, so nothing was drawn
        if move != before:
            before, before_worth = move, worth_of(view, move, chance, folded_to)
        total += before_worth
    return total / PARTS


@rare_rule
def _mean_of_throws(view: View, rule_player: int, throws: Any, chance: float, folded_to: bool) -> float:
    """The mean worth of what a rule player's dice may say."""
    drawn, total = view["chance"], 0.0
    for throw in range(throws.shape[0]):
        view["chance"] = throws[throw]
        total += worth_of(view, rule_move(view, rule_player), chance, folded_to)
    view["chance"] = drawn
    return total / throws.shape[0]


@rare_rule
def _dice_luck(
    view: View, player: int, players: PolicyPlayers, throws: Throws, move: int, chance: float, folded_to: bool
) -> float:
    """What the drawn move is worth beyond the mean of all that could be drawn; 0 for who draws none."""
    mean = np.nan
    policy = players.first if player == 0 else players.other
    own = throws.first if player == 0 else throws.other
    if players.plays_policy[player]:
        if is_mixed(policy):
            mean = _mean_of_blueprint(policy.blueprint, view, chance, folded_to)
    elif own.shape[0] > 0:
        mean = _mean_of_throws(view, players.records[player]["rule_player"], own, chance, folded_to)
    return 0.0 if np.isnan(mean) else worth_of(view, move, chance, folded_to) - mean


@rule
def _play_hand(
    session: Session, equity: Any, key: Any, terms: SessionTerms, players: PolicyPlayers, known: Known, luck: Any
) -> None:
    """Play a hand that was dealt to its end; fill luck (7) with player 0's, in chips."""
    hand = session["hand"]
    forget_hands(known.first)
    forget_hands(known.other)
    chances = known.chances
    known_chances(equity["ranking"], hand["card"], key, chances)
    for at in range(CONTROLS):
        luck[at] = 0.0
    while hand["actor"] != NOBODY:
        seat = hand["actor"]
        player = see(session, equity, key, terms.stakes)
        view = session["view"][player]
        first = chances[hand["street"]] / SURE
        chance = first if seat == 0 else 1.0 - first
        move = decide_by_policy(view, player, players)
        sign = 1.0 if player == 0 else -1.0
        luck[1] += sign * _dice_luck(view, player, players, known.throws, move, chance, False)
        luck[2] += sign * _dice_luck(view, player, players, known.throws, move, chance, True)
        who = known.first if player == 0 else known.other
        note_move(equity, who, hand, seat, view, move, luck[_HANDS_OF[player] :])
        apply(hand, move, terms.stakes)
        session["decisions"] += 1
    if hand["street"] == SHOWDOWN:
        show_down(hand, equity["ranking"])
        for seat in range(2):
            player = session["player_in"][seat]
            note_showdown(known.first if player == 0 else known.other, hand, seat, luck[_HANDS_OF[player] :])
    for at in range(_HANDS_OF[1], CONTROLS):
        luck[at] *= -1.0
    boards = board_luck_of(session, chances) / SURE
    luck[0] = boards if session["player_in"][0] == 0 else -boards


@lean_kernel
def _play_pair(
    equity: Any, session: Any, players: PolicyPlayers, known: Known, deck_set: DeckSet, terms: SessionTerms, luck: Any
) -> None:
    """Play both sessions of a deck set; luck (2, hands, 7) in chips of player 0."""
    record = session[0]
    for swapped in range(2):
        forget_all(players.records)
        record["player_in"][0] = swapped
        record["player_in"][1] = 1 - swapped
        record["first_hand"] = 0
        stack_0, stack_1 = terms.buy_in, terms.buy_in
        for number in range(luck.shape[1]):
            key = hand_key(deck_set.seed, deck_set.number, number)
            begin_hand(record, key, number, stack_0, stack_1, terms)
            _play_hand(record, equity[0], key, terms, players, known, luck[swapped, number])
            stack_0, stack_1 = next_stacks(record, number, terms)
            if stack_0 == 0 or stack_1 == 0:
                break


COMPILED: Final = (_play_pair,)
"""The kernel that luck needs."""


def throws_of_players(players: NDArray[Any], policies: Policies) -> Throws:
    """The dice of two players: those of rule players that throw some."""
    found = []
    for record, policy in zip(players, policies, strict=True):
        rule_player = rule_player_of(record)
        throws = policy is None and rule_player is not None and rule_player in DICE
        found.append(even_throws_of(rule_player) if throws and rule_player is not None else np.zeros(0, np.uint64))
    return Throws(found[0], found[1])


class _Table(NamedTuple):
    """Who plays by which rules; travels as values."""

    players: NDArray[Any]
    policies: Policies
    rules: HoldemRules

    def luck(self, job: tuple[DeckSet, int]) -> NDArray[np.float64]:
        """Player 0's luck in both sessions of a deck set of so many hands at most, (2, hands, 7), in chips."""
        deck_set, hands = job
        players = self.players.copy()
        session = np.zeros(1, SESSION)
        session["wants_equity"] = wanting_equity(players, self.policies)
        session["ties_win"] = counting_ties(players, self.policies)
        found = np.zeros((2, hands, CONTROLS))
        both = policy_players(players, self.policies)
        first, other = (policy if isinstance(policy, Policy) else None for policy in self.policies)  # nobody thinks
        known = Known(
            throws_of_players(players, self.policies),
            imagined(players[0], first, self.rules),
            imagined(players[1], other, self.rules),
            np.empty(4, np.int64),
        )
        _play_pair(equity_tables(), session, both, known, deck_set, self.rules.session_terms, found)
        return found


def luck_of(
    match: Match,
    first: NamedPlayer,
    other: NamedPlayer,
    *,
    seed: int,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """Luck by deck, (decks, 7), in thousandths of a big blind: the hands of a match between these two, played again.

    `progress` is told how many hands are done. Where a player thinks, no luck is counted: to play its hands again would
    take as long as the match did.
    """
    table = _Table(two_players(first.record, other.record), policies_of(first, other, match.rules), match.rules)
    if is_thinking(table.policies):
        return np.zeros((len(match.by_deck.won), CONTROLS))
    longest = np.maximum(match.played[0::2], match.played[1::2])
    jobs = ((DeckSet.of(seed, number), int(hands)) for number, hands in enumerate(longest))
    luck, done = np.zeros((*match.net.shape, CONTROLS)), 0
    for number, found in enumerate(in_order(table.luck, jobs, threads=threads, executor=executor)):
        luck[2 * number : 2 * number + 2, : found.shape[1]] = found
        done += int(match.played[2 * number : 2 * number + 2].sum())
        if progress is not None:
            progress(done)
    return np.stack([deck_results(match.rules, luck[:, :, at], match.played).won for at in range(CONTROLS)], axis=1)


def luck_free(plain: DeckResults, luck: NDArray[np.float64]) -> DeckResults:
    """What was won on each deck with luck (decks, 7) taken out."""
    return DeckResults(won=without_luck(plain.won, luck), hands=plain.hands)


def without_luck(won: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """What was won on each deck (n) less what luck (n, controls) explains of it; the same mean.

    >>> random = np.random.default_rng(1)
    >>> luck = random.normal(size=(1000, 1))
    >>> won = 3 * luck[:, 0] + random.normal(size=1000)
    >>> round(float(without_luck(won, luck).std()), 1)
    1.0
    """
    decks = len(won)
    if decks < _LEAST_DECKS:
        return np.asarray(won - luck[:, 0])
    freed, half = won.copy(), np.arange(decks) % 2 == 0
    for here in (half, ~half):
        fitted = np.column_stack([np.ones((~here).sum()), luck[~here]])
        coefficients = np.linalg.lstsq(fitted, won[~here], rcond=None)[0][1:]
        freed[here] = won[here] - luck[here] @ coefficients
    return freed
