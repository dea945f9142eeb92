"""Matches: what two players did to each other on duplicate decks, in thousandths of a big blind per hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.estimate import Estimate
from holecard.executor import in_order
from holecard.holdem.arena.deck_sets import DeckSet
from holecard.holdem.arena.sessions import Policies, SessionPairs, play_pairs
from holecard.holdem.equities.equity import Ties
from holecard.holdem.exploit.known import share_of_best
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import Statistics, add_tallies
from holecard.holdem.players.named import NamedPlayer
from holecard.holdem.players.record import two_players
from holecard.seeds import checked_seed

_MOST_TO_A_JOB: Final = 32
"""Deck sets that a thread plays in one go, at most."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Match:
    """What two players did to each other over sessions with duplicated decks."""

    rules: HoldemRules
    """What they played by."""
    names: tuple[str, str]
    """The first player, whose chips are counted, and the other."""
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
        return self.by_deck.mbb_per_hand

    @property
    def of_best(self) -> Estimate | None:
        """The first player's result as a share of the most that can be won from the other; None where unknown."""
        return share_of_best(self.mbb_per_hand, self.names[1], self.rules)

    @property
    def by_deck(self) -> DeckResults:
        """What the first player won on each deck."""
        return deck_results(self.rules, self.net, self.played)

    def statistics(self, player: int) -> Statistics:
        """VPIP, PFR, AF, WSD, WSDW and action shares of player 0 or 1."""
        return Statistics.of(self.tallies[player])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeckResults:
    """What a player won on each deck: on the same cards with the seats swapped, so that the luck of the deal cancels.

    A deck is that of a pair of hands where stacks are reset, of a pair of sessions where they are carried.
    """

    won: NDArray[np.float64]
    """Thousandths of a big blind, (decks)."""
    hands: NDArray[np.int64]
    """Hands played, (decks)."""

    @property
    def mean(self) -> float:
        """What was won per hand: a ratio of sums, so that sessions that end early weigh less."""
        return float(self.won.sum() / self.hands.sum())

    @property
    def deviations(self) -> NDArray[np.float64]:
        """By how much each deck moved the mean, (decks); they sum to 0."""
        return np.asarray((self.won - self.mean * self.hands) / self.hands.sum())

    @property
    def mbb_per_hand(self) -> Estimate:
        """The mean with its standard error."""
        return Estimate(mean=self.mean, stderr=stderr_of(self.deviations), n=len(self.won))


def deck_results(
    rules: HoldemRules, net: NDArray[np.int64] | NDArray[np.float64], played: NDArray[np.int64]
) -> DeckResults:
    """Chips won, (sessions, hands), by deck; rows 2d and 2d + 1 saw the same cards. `played`: hands of each session."""
    milli = 1000 / rules.big_blind
    if rules.carried:
        won = np.asarray(net[0::2].sum(1) + net[1::2].sum(1), np.float64)
        return DeckResults(won=won * milli, hands=played[0::2] + played[1::2])
    dealt = np.arange(net.shape[1]) < played[0::2, None]
    won = np.asarray((net[0::2] + net[1::2])[dealt], np.float64)
    return DeckResults(won=won * milli, hands=np.full(len(won), 2))


def stderr_of(deviations: NDArray[np.float64]) -> float:
    """The standard error of a mean that independent decks moved by so much each; infinite with one of them.

    >>> stderr_of(np.array([-1.0, 1.0]) / 2)  # of the mean of two numbers, 2 apart
    1.0
    """
    n = len(deviations)
    return float(np.sqrt((deviations * deviations).sum() * n / (n - 1))) if n > 1 else np.inf


def policies_of(first: NamedPlayer, other: NamedPlayer, rules: HoldemRules) -> Policies:
    """What two players play by, where they play by a policy; it is computed now if nobody has."""
    mine, theirs = (None if player.policy is None else player.policy(rules) for player in (first, other))
    return mine, theirs


def play_sessions(
    first: NamedPlayer,
    other: NamedPlayer,
    rules: HoldemRules,
    *,
    deck_sets: int,
    seed: int = 0,
    threads: int = 1,
    ties: Ties = "half",
) -> Match:
    """Two sessions, seats swapped, on each of the first deck sets of a seed; `ties` is what a split counts in p.

    A session that ends early is not made up for; `duel` plays until a number of hands is reached.
    """
    if deck_sets < 1 or threads < 1:
        raise SettingError(f"deck_sets and threads must be 1 or more; got {deck_sets} and {threads}")
    checked_seed(seed)
    policies = policies_of(first, other, rules)
    size = deck_sets if threads == 1 else max(1, min(_MOST_TO_A_JOB, deck_sets // (4 * threads)))

    def play(start: int) -> SessionPairs:
        players = two_players(first.record, other.record)
        count = min(size, deck_sets - start)
        deck_set = DeckSet.of(seed, start)
        return play_pairs(players, rules, deck_set, deck_sets=count, ties=ties, policies=policies)

    parts = list(in_order(play, range(0, deck_sets, size), threads=threads))
    return Match(
        rules=rules,
        names=(first.name, other.name),
        net=np.concatenate([part.net for part in parts]),
        played=np.concatenate([part.played for part in parts]),
        tallies=add_tallies([part.tallies for part in parts]),
    )
