"""Sessions of rule players in one fused kernel: stacks carried or reset, every deck dealt twice with the seats swapped.

Sessions 2d and 2d + 1 are dealt deck set d; the first player sits in seat 0 in the even one and in seat 1 in the odd.
Results are integers by session and hand, so they are the same on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.errors import RulesError
from holecard.estimate import Estimate
from holecard.executor import in_order
from holecard.holdem.arena.table import TABLE, begin_hand, hand_key, play_hand
from holecard.holdem.equities.equity import Ties
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.history import HandHistory, cards_seen
from holecard.holdem.game.rules import HoldemRules, Stakes
from holecard.holdem.game.statistics import Statistics, add_tallies
from holecard.holdem.players.rule_players import RulePlayer, rule_move


@rule
def _decide(view: Any, player: int, players: Any) -> int:
    return rule_move(view, players[np.uint64(player)])


@kernel
def _play_sessions(
    tables: Any,
    table: Any,
    players: Any,
    stakes: Stakes,
    carried: bool,
    seed: np.uint64,
    first: int,
    net: Any,
    played: Any,
) -> None:
    """Play sessions first, first + 1, …: one for each row of net (sessions, hands) int64, chips of player 0.

    tables (1) EQUITY; table (1) TABLE is this thread's own and keeps the tallies; players (2) int64; played (sessions)
    int64.
    """
    place, equity = table[0], tables[0]
    stack = place["buy_in"]
    for row in range(net.shape[0]):
        session = first + row
        swapped = session & 1
        place["player_in"][0] = swapped
        place["player_in"][1] = 1 - swapped
        stack_0, stack_1 = stack, stack
        for number in range(net.shape[1]):
            key = hand_key(seed, session >> 1, number)
            begin_hand(place, key, number, stack_0, stack_1, stakes)
            play_hand(place, equity, key, stakes, _decide, players)
            net[row, number] = place["hand"]["net"][swapped]
            played[row] += 1
            if carried:
                stack_0, stack_1 = place["hand"]["stack"][0], place["hand"]["stack"][1]
                if stack_0 == 0 or stack_1 == 0:
                    break


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Match:
    """What two players did to each other over sessions with duplicated decks."""

    rules: HoldemRules
    """The table they played at."""
    net: NDArray[np.int64]
    """Chips won by the first player, (sessions, hands), 0 for hands not played; rows 2d and 2d + 1 saw deck set d."""
    played: NDArray[np.int64]
    """Hands played, (sessions)."""
    tallies: NDArray[Any]
    """Counts by player, (2) `TALLY`."""

    @property
    def hands(self) -> int:
        """All hands played, both seats."""
        return int(self.played.sum())

    @property
    def mbb_per_hand(self) -> Estimate:
        """The first player's result in thousandths of a big blind per hand."""
        return duplicate_mbb_per_hand(self.rules, self.net, self.played)

    def statistics(self, player: int) -> Statistics:
        """VPIP, PFR, AF, WSD, WSDW and action shares of player 0 or 1."""
        return Statistics.of(self.tallies[player])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sessions(Match):
    """A match of two rule players."""

    players: tuple[RulePlayer, RulePlayer]
    """The first player, whose chips are counted, and the other."""


def duplicate_mbb_per_hand(
    rules: HoldemRules, net: NDArray[np.int64] | NDArray[np.float64], played: NDArray[np.int64]
) -> Estimate:
    """Chips won, (sessions, hands), in thousandths of a big blind per hand; rows 2d and 2d + 1 saw the same deck.

    The unit is a pair of hands (stacks reset) or of sessions (carried) on the same cards with seats swapped, so luck
    of the deal cancels within it. `played`: hands played, (sessions).
    """
    milli = 1000 / rules.big_blind
    if not rules.carried:
        dealt = np.arange(net.shape[1]) < played[0::2, None]
        pairs = (net[0::2] + net[1::2])[dealt] * (milli / 2)
        return Estimate.from_sums(float(pairs.sum()), float((pairs * pairs).sum()), len(pairs))
    won = (net[0::2].sum(1) + net[1::2].sum(1)) * milli
    hands = played[0::2] + played[1::2]
    mean, n = float(won.sum() / hands.sum()), len(won)
    spread = won - mean * hands  # a ratio of sums: sessions that end early weigh less
    stderr = float(np.sqrt((spread * spread).sum() * n / max(n - 1, 1))) / float(hands.sum()) if n > 1 else np.inf
    return Estimate(mean=mean, stderr=stderr, n=n)


def play_sessions(
    first: RulePlayer,
    other: RulePlayer,
    rules: HoldemRules,
    *,
    decks: int,
    seed: int = 0,
    threads: int = 1,
    ties: Ties = "half",
) -> Sessions:
    """Two sessions, seats swapped, for each of `decks` deck sets; `ties` is what a split counts in the players' p."""
    if decks < 1 or threads < 1:
        raise RulesError(f"decks and threads must be 1 or more; got {decks} and {threads}")
    sessions = 2 * decks
    net = np.zeros((sessions, rules.hands), np.int64)
    played = np.zeros(sessions, np.int64)
    players = np.array([first, other], np.int64)
    tables = equity_tables()
    chunk = max(1, min(64, sessions // (4 * threads)))

    def play(start: int) -> NDArray[Any]:
        rows = slice(start, min(start + chunk, sessions))
        table = _table(first, other, rules, ties)
        _play_sessions(
            tables, table, players, rules.stakes, rules.carried, np.uint64(seed), start, net[rows], played[rows]
        )
        return table["tally"]

    tallies = add_tallies(list(in_order(play, range(0, sessions, chunk), threads=threads)))
    return Sessions(rules=rules, players=(first, other), net=net, played=played, tallies=tallies)


def session_histories(
    first: RulePlayer, other: RulePlayer, rules: HoldemRules, *, session: int, seed: int = 0, ties: Ties = "half"
) -> Iterator[HandHistory]:
    """The hands of one session of `play_sessions` as histories, by the same rules without a compiler (some ms each)."""
    table = _table(first, other, rules, ties)[0]
    tables = equity_tables()[0]
    swapped = session & 1
    seated = (first, other) if swapped == 0 else (other, first)
    table["player_in"] = swapped, 1 - swapped
    stacks = (rules.stack, rules.stack)
    for number in range(rules.hands):
        moves: list[int] = []

        def decide(view: Any, player: int, players: Any, moves: list[int] = moves) -> int:
            moves.append(int(rule_move(view, players[player])))
            return moves[-1]

        with np.errstate(over="ignore"):
            key = hand_key(np.uint64(seed), session >> 1, number)
            begin_hand(table, key, number, *stacks, rules.stakes)
            play_hand(table, tables, key, rules.stakes, decide, (first, other))
        hand = table["hand"]
        yield HandHistory(
            stakes=rules.stakes,
            button=number & 1,
            stacks=stacks,
            cards=cards_seen(hand),
            moves=tuple(moves),
            players=(seated[0].title, seated[1].title),
        )
        if rules.carried:
            stacks = (int(hand["stack"][0]), int(hand["stack"][1]))
            if 0 in stacks:
                return


def _table(first: RulePlayer, other: RulePlayer, rules: HoldemRules, ties: Ties) -> NDArray[Any]:
    table = np.zeros(1, TABLE)
    table["buy_in"] = rules.stack
    table["wants_equity"] = first.wants_equity, other.wants_equity
    table["ties_win"] = ties == "win"
    return table
