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
from holecard.holdem.arena.sessions import SessionPairs, play_pairs
from holecard.holdem.equities.equity import Ties
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
        return duplicate_mbb_per_hand(self.rules, self.net, self.played)

    def statistics(self, player: int) -> Statistics:
        """VPIP, PFR, AF, WSD, WSDW and action shares of player 0 or 1."""
        return Statistics.of(self.tallies[player])


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
    size = deck_sets if threads == 1 else max(1, min(_MOST_TO_A_JOB, deck_sets // (4 * threads)))

    def play(start: int) -> SessionPairs:
        players = two_players(first.record, other.record)
        count = min(size, deck_sets - start)
        return play_pairs(players, rules, DeckSet.of(seed, start), deck_sets=count, ties=ties)

    parts = list(in_order(play, range(0, deck_sets, size), threads=threads))
    return Match(
        rules=rules,
        names=(first.name, other.name),
        net=np.concatenate([part.net for part in parts]),
        played=np.concatenate([part.played for part in parts]),
        tallies=add_tallies([part.tallies for part in parts]),
    )
