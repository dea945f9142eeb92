"""Clusters of hole cards: hands that the blueprint plays alike, by exact equities.

Before the flop the 169 starting hands. On later streets a grid of two numbers: the chance to beat a random hand in
slices, the best hands in the thinnest ones, and in each slice a second number. On flop and turn that is how far the
chance will move until the river (`potential`), on the river the chance to beat a good starting hand.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, kernel, rule
from holecard.executor import in_order
from holecard.holdem.equilibrium.public_tree import Deals
from holecard.holdem.equities.lookup import RIVER_TOTAL, RIVER_WORK, RiverWork, river_counts
from holecard.holdem.equities.potential import flop_spread, potential_tables, turn_spread
from holecard.holdem.equities.starting_hands import STARTING_HANDS, all_holes, number_of
from holecard.holdem.equities.tables import EquityTables, equity_tables, starting_hand
from holecard.holdem.game.betting import BOARD, HAND, deal, seat_strength
from holecard.holdem.game.strength import Cards, card_bit, strength_of_sum
from holecard.seeds import key_of

_GOOD_HANDS: Final = 270
"""Good hands: at least so many pairs of hole cards, the best against a random hand."""
_THINNER: Final = 1.7
"""Slices grow thinner towards strong hands: the best of n holds n^−1.7 of all hands."""
_SAMPLE: Final = 600
"""Hands for every cluster that the edges are found from, and how many at least and at most."""
_LEAST_SAMPLE: Final = 12_000
_MOST_SAMPLE: Final = 300_000
_CHUNK: Final = 4096


class Clusters(NamedTuple):
    """Where slices begin; enters kernels as it is."""

    chance: NDArray[np.float64]
    """(3, slices − 1) by street from the flop on, ascending: the edges of the chance to win."""
    second: NDArray[np.float64]
    """(3, slices, parts − 1): within each slice the edges of the second number."""
    good: NDArray[np.uint8]
    """(n, 2) good hole cards."""


class Scratch(NamedTuple):
    """Records of one thread; enters kernels as it is.

    In a kernel a record does not keep alive the array that it lies in, so a kernel does not make such an array itself:
    its memory would be given to somebody else while the record is in use.
    """

    hand: NDArray[Any]
    """(1) `HAND`"""
    work: NDArray[Any]
    """(1) `RIVER_WORK`"""


def _new_scratch() -> Scratch:
    return Scratch(np.zeros(1, HAND), np.zeros(1, RIVER_WORK))


class CardTables(NamedTuple):
    """The exact tables that clusters are found with; enters kernels as it is."""

    equity: NDArray[Any]
    """(1) `EQUITY`"""
    potential: NDArray[Any]
    """(1) `POTENTIAL`"""


def card_tables() -> CardTables:
    """The tables, built at first use."""
    return CardTables(equity_tables(), potential_tables())


@cache
def good_hands() -> NDArray[np.uint8]:
    """Pairs of hole cards of the best starting hands, (n, 2)."""
    counts = equity_tables()[0]["preflop"].astype(np.int64)
    half_wins = 2 * counts[:, 0] + counts[:, 1]
    best = sorted(range(STARTING_HANDS), key=lambda hand: (-half_wins[hand], hand))
    chosen: list[tuple[int, int]] = []
    for hand in best:
        if len(chosen) >= _GOOD_HANDS:
            break
        chosen += [hole for hole in all_holes() if number_of(hole) == hand]
    return np.array(chosen, np.uint8)


@rule
def _beats_good(equity: EquityTables, good: Any, a: Int, b: Int, board: Cards) -> float:
    """The chance to beat a good hand on the river."""
    ranking = equity["ranking"]
    keys = ranking["card_key"]
    total, bits, seen = np.uint64(0), np.uint64(0), np.uint64(1) << np.uint64(a) | np.uint64(1) << np.uint64(b)
    for at in range(5):
        total += keys[board[at]]
        bits |= card_bit(board[at])
        seen |= np.uint64(1) << np.uint64(board[at])
    mine = strength_of_sum(ranking, total + keys[a] + keys[b], bits | card_bit(a) | card_bit(b))
    half_wins, hands = 0, 0
    for at in range(good.shape[0]):
        c, d = good[at, 0], good[at, 1]
        if (seen >> np.uint64(c) | seen >> np.uint64(d)) & np.uint64(1) == np.uint64(0):
            other = strength_of_sum(ranking, total + keys[c] + keys[d], bits | card_bit(c) | card_bit(d))
            hands += 1
            half_wins += 2 if mine > other else 1 if mine == other else 0
    return half_wins / (2 * hands)


@rule
def features_of(
    tables: CardTables, good: Any, street: int, a: Int, b: Int, board: Cards, chance: float
) -> tuple[float, float]:
    """The two numbers of a hand on a street from the flop on; `chance` is the first of them on the river."""
    equity, potential = tables.equity[0], tables.potential[0]
    if street == 1:
        return flop_spread(equity, potential, a, b, board)
    if street == 2:
        return turn_spread(equity, potential, a, b, board)
    return chance, _beats_good(equity, good, a, b, board)


@rule
def _river_chance(equity: EquityTables, a: Int, b: Int, board: Cards, work: RiverWork) -> float:
    win, tie = river_counts(equity, a, b, board, work)
    return (win + 0.5 * tie) / RIVER_TOTAL


@rule
def _slice_of(edges: Any, value: float) -> int:
    """How many edges lie at or below a value."""
    low, high = 0, edges.shape[0]
    while low < high:
        middle = (low + high) // 2
        if edges[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@rule
def cluster_of(tables: CardTables, clusters: Clusters, street: int, a: Int, b: Int, board: Cards, chance: float) -> int:
    """The cluster of a hand on a street; `chance` is its chance to beat a random hand, looked at on the river only."""
    if street == 0:
        return int(starting_hand(a, b))
    first, second = features_of(tables, clusters.good, street, a, b, board, chance)
    at = _slice_of(clusters.chance[street - 1], first)
    return at * (clusters.second.shape[2] + 1) + _slice_of(clusters.second[street - 1, at], second)


def cluster_counts(clusters: Clusters) -> tuple[int, int, int, int]:
    """How many clusters each street has."""
    _, slices, edges = clusters.second.shape
    return (STARTING_HANDS, *3 * (slices * (edges + 1),))


@kernel
def _sample_features(
    tables: CardTables, good: Any, street: int, seed: Any, first: int, scratch: Scratch, found: Any
) -> None:
    """Fill found (n, 2) with the numbers of the hands that deals first, first + 1, … give seat 0."""
    hand, work = scratch.hand[0], scratch.work[0]
    for row in range(found.shape[0]):
        deal(hand, key_of(seed, np.uint64(first + row)))
        card = hand["card"]
        chance = _river_chance(tables.equity[0], card[0], card[1], card[BOARD:], work) if street == 3 else 0.0
        found[row] = features_of(tables, good, street, card[0], card[1], card[BOARD:], chance)


def find_clusters(slices: int, parts: int, *, seed: int = 0, threads: int | None = None) -> Clusters:
    """Edges that give all parts of a slice about as many hands, from a sample; the same on any number of threads."""
    tables, good = card_tables(), good_hands()
    edges = 1 - (1 - np.arange(1, slices) / slices) ** _THINNER
    chance, second = np.zeros((3, slices - 1)), np.zeros((3, slices, parts - 1))
    inner = np.arange(1, parts) / parts
    hands = min(max(_SAMPLE * slices * parts, _LEAST_SAMPLE), _MOST_SAMPLE)
    for street in (1, 2, 3):

        def sample(first: int, street: int = street) -> NDArray[np.float64]:
            found = np.zeros((min(_CHUNK, hands - first), 2))
            _sample_features(tables, good, street, np.uint64(seed + street), first, _new_scratch(), found)
            return found

        found = np.concatenate(list(in_order(sample, range(0, hands, _CHUNK), threads=threads)))
        chance[street - 1] = np.quantile(found[:, 0], edges)
        at = np.searchsorted(chance[street - 1], found[:, 0], side="right")
        for number in range(slices):
            inside = found[at == number, 1]
            second[street - 1, number] = np.quantile(inside, inner) if len(inside) else 0.5
    return Clusters(chance, second, good)


@rule
def deal_one(
    tables: CardTables, clusters: Clusters, key: np.uint64, hand: Any, work: RiverWork, deals: Deals, row: Int
) -> None:
    """Fill in the deal of a key at a row of deals; player 0 has the button. `hand` and `work` are to work in."""
    deal(hand, key)
    card = hand["card"]
    for player in range(2):
        a, b = card[2 * player], card[2 * player + 1]
        chance = _river_chance(tables.equity[0], a, b, card[BOARD:], work)
        for street in range(4):
            deals.cluster[row, player, street] = cluster_of(tables, clusters, street, a, b, card[BOARD:], chance)
    ranking = tables.equity[0]["ranking"]
    mine, other = seat_strength(hand, ranking, 0), seat_strength(hand, ranking, 1)
    deals.sign[row] = 1 if mine > other else -1 if mine < other else 0


@kernel
def _deal(tables: CardTables, clusters: Clusters, seed: Any, first: int, scratch: Scratch, deals: Deals) -> None:
    """Fill deals with those of number first, first + 1, …"""
    for row in range(deals.sign.shape[0]):
        key = key_of(seed, np.uint64(first + row))
        deal_one(tables, clusters, key, scratch.hand[0], scratch.work[0], deals, row)


def deal_clusters(tables: CardTables, clusters: Clusters, seed: int, first: int, count: int) -> Deals:
    """So many deals of hold'em as clusters."""
    deals = Deals(np.zeros((count, 2, 4), np.int32), np.zeros(count, np.int8))
    _deal(tables, clusters, np.uint64(seed), first, _new_scratch(), deals)
    return deals
