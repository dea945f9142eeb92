"""Build the tables of `strength`: put all 7,462 classes in order, then fold the sums of rank keys into one array."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.game.stored import stored
from holecard.holdem.game.strength import (
    CLASSES,
    RANK_KEYS,
    RANKING,
    REGION,
    ROW_BITS,
    SCATTER,
    SLOTS,
    SUM_BITS,
    Category,
)

VERSION = 1
"""Raised whenever the layout or the meaning of the table changes, so that an old file is rebuilt."""

HandClass = tuple[int, ...]
"""The category, then the ranks that decide between hands of it, most important first."""


def ranking_tables() -> NDArray[Any]:
    """The ranking tables: one read-only `RANKING` record in an array of shape (1), built at first use, then mapped."""
    return _load()


@cache
def _load() -> NDArray[Any]:
    return stored("ranking", VERSION, RANKING, build_ranking)


def build_ranking(tables: Any) -> None:
    """Fill the `RANKING` record of the array `tables` (1); about a second of plain Python."""
    ranking = tables[0]
    strength_by_class = {hand_class: 1 + place for place, hand_class in enumerate(sorted(set(_five_card_classes())))}
    assert len(strength_by_class) == CLASSES
    sums = (1 << SUM_BITS) - 1
    keys = [key * SCATTER & sums for key in RANK_KEYS]
    for card in range(52):
        ranking["card_key"][card] = keys[card >> 2] + (1 << (32 + 4 * (card & 3)))
    for ranks_held in range(1 << 13):
        ranks = [rank for rank in range(12, -1, -1) if ranks_held >> rank & 1]
        if len(ranks) >= 5:
            ranking["flush"][ranks_held] = strength_by_class[class_of_flush(ranks)]
    strengths: dict[int, int] = {}
    for n in (7, 6, 5):
        for ranks_of_hand in _rank_multisets(n):
            total = ((7 - n) * REGION + sum(keys[rank] for rank in ranks_of_hand)) & sums
            assert total not in strengths, "two rank multisets share a sum"
            strengths[total] = strength_by_class[class_of_ranks(ranks_of_hand)]
    _fold(strengths, ranking["offset"], ranking["strength"])


def class_of_ranks(ranks: tuple[int, ...]) -> HandClass:
    """The class of five to seven ranks of which no five share a suit.

    >>> class_of_ranks((12, 12, 3, 3, 3, 1, 0)) == (Category.FULL_HOUSE, 3, 12)
    True
    """
    by_count = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    distinct = sorted((rank for rank, _ in by_count), reverse=True)
    (first, most), (second, next_most) = by_count[0], by_count[1]
    straight = _straight_high(distinct)
    if most == 4:
        return (Category.FOUR_OF_A_KIND, first, max(rank for rank in distinct if rank != first))
    if most == 3 and next_most >= 2:
        return (Category.FULL_HOUSE, first, second)
    if straight >= 0:
        return (Category.STRAIGHT, straight)
    if most == 3:
        return (Category.THREE_OF_A_KIND, first, *[rank for rank in distinct if rank != first][:2])
    if most == 2 and next_most == 2:
        return (Category.TWO_PAIR, first, second, max(rank for rank in distinct if rank not in (first, second)))
    if most == 2:
        return (Category.PAIR, first, *[rank for rank in distinct if rank != first][:3])
    return (Category.HIGH_CARD, *distinct[:5])


def class_of_flush(ranks: list[int]) -> HandClass:
    """The class of five or more ranks of one suit, given from the highest down."""
    straight = _straight_high(ranks)
    return (Category.STRAIGHT_FLUSH, straight) if straight >= 0 else (Category.FLUSH, *ranks[:5])


def _straight_high(distinct: list[int]) -> int:
    """The top rank of the best straight in ranks given from the highest down; −1 without one. An ace also plays low."""
    held = set(distinct)
    for high in distinct:
        if held.issuperset(range(high - 3, high)) and ((high - 4) in held or (high == 3 and 12 in held)):
            return high
    return -1


def _rank_multisets(n: int) -> Iterator[tuple[int, ...]]:
    for ranks in combinations_with_replacement(range(12, -1, -1), n):
        if all(ranks[at] != ranks[at + 4] for at in range(n - 4)):
            yield ranks


def _five_card_classes() -> Iterator[HandClass]:
    yield from (class_of_ranks(ranks) for ranks in _rank_multisets(5))
    yield from (class_of_flush(list(ranks)) for ranks in combinations(range(12, -1, -1), 5))


def _fold(strengths: dict[int, int], offset: NDArray[np.int32], slots: NDArray[np.uint16]) -> None:
    """Lay the rows of sums over each other without collisions, fullest row first, each at the first place that fits."""
    row_size = 1 << ROW_BITS
    rows: dict[int, list[int]] = {}
    for total in strengths:
        rows.setdefault(total >> ROW_BITS, []).append(total)
    free = np.ones(SLOTS + row_size, np.bool_)
    for row, totals in sorted(rows.items(), key=lambda item: (-len(item[1]), item[0])):
        columns = np.array(totals) - (row << ROW_BITS)
        columns_first = int(columns.min())
        columns -= columns_first
        fits = free[columns[0] : columns[0] + SLOTS].copy()
        for column in columns[1:]:
            fits &= free[column : column + SLOTS]
        start = int(np.argmax(fits))
        assert fits[start], "the rows do not fit; raise SLOTS"
        places = start + columns
        free[places] = False
        assert int(places.max()) < SLOTS, "the rows do not fit; raise SLOTS"
        offset[row] = start - columns_first - (row << ROW_BITS)
        slots[places] = [strengths[total] for total in totals]
