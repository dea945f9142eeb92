"""How many cards of each rank are left in a shoe, in two words: what a shoe that is dealt down draws from.

A word has six lanes of ten bits. Lane j of both together counts the cards whose rank is at most j, for the ranks 0 (a
two) to 11 (a king); all cards together are counted apart. The card at a place of the shoe, the cards in the order of
their ranks, then has the rank that is the number of lanes not above that place, which takes no loop and no branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, rule
from holecard.cards import ACE_RANK

RankCounts: TypeAlias = Any
"""uint64 (2,): cards up to each rank but the highest."""
WORDS: Final = 2
_LANES: Final = 6
_BITS: Final = 10
_LAST_RANK: Final = WORDS * _LANES
assert _LAST_RANK == ACE_RANK
_LANE_MASK: Final = (1 << _BITS) - 1
_ONES = np.uint64(sum(1 << _BITS * lane for lane in range(_LANES)))
"""A one in every lane."""
_TOP = np.uint64(_BITS - 1)
_TOPS = _ONES << _TOP
"""The top bit of every lane, which no count reaches: a shoe holds fewer than 512 cards."""
_ONE = np.uint64(1)
_LAST_LANE = np.uint64(_BITS * (_LANES - 1))


def packed(counts: Sequence[int]) -> NDArray[np.uint64]:
    """The two words of a shoe with so many cards of each of the 13 ranks.

    >>> [int(cards_up_to(packed([4] * 13), 52, rank)) for rank in (-1, 0, 1, 11, 12)]
    [0, 4, 8, 48, 52]
    """
    words = [0] * WORDS
    for rank in range(_LAST_RANK):
        words[rank // _LANES] |= sum(counts[: rank + 1]) << _BITS * (rank % _LANES)
    return np.array(words, np.uint64)


@rule
def cards_up_to(counts: RankCounts, cards: Int, rank: Int) -> Int:
    """Cards of `cards` whose rank is at most this one, −1 (none) to 12 (an ace: all)."""
    if rank < 0:
        return 0
    if rank == _LAST_RANK:
        return cards
    return np.int64(counts[rank // _LANES] >> np.uint64(_BITS * (rank % _LANES))) & _LANE_MASK


@rule
def cards_of(counts: RankCounts, cards: Int, rank: Int) -> Int:
    """Cards of `cards` that have this rank."""
    return cards_up_to(counts, cards, rank) - cards_up_to(counts, cards, rank - 1)


@rule
def take_card(counts: RankCounts, place: np.uint64) -> Int:
    """The rank of the card at a place, cards in the order of their ranks; it is taken out of the counts."""
    reach = (place + _ONE) * _ONES
    low = (((counts[0] | _TOPS) - reach) & _TOPS) >> _TOP  # a one in every lane above the place
    high = (((counts[1] | _TOPS) - reach) & _TOPS) >> _TOP
    counts[0] -= low
    counts[1] -= high
    above = np.int64((low + high) * _ONES >> _LAST_LANE) & _LANE_MASK  # the product's last lane is the sum of all
    return _LAST_RANK - above


@rule
def sum_by_rank(counts: tuple[np.uint64, np.uint64], cards: Int, worth: NDArray[np.int64]) -> Int:
    """What so many cards are worth together, `worth` int64 (13,) by rank; without branches, for every round."""
    low, high = counts
    total, below = np.int64(0), np.int64(0)
    for lane in range(_LANES):
        up_to = np.int64(low >> np.uint64(_BITS * lane)) & _LANE_MASK
        total += (up_to - below) * worth[lane]
        below = up_to
    for lane in range(_LANES):
        up_to = np.int64(high >> np.uint64(_BITS * lane)) & _LANE_MASK
        total += (up_to - below) * worth[_LANES + lane]
        below = up_to
    return total + (cards - below) * worth[_LAST_RANK]
