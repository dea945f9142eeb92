"""Hand ranks: the strength of five, six or seven cards, 1 (seven-high) … 7462 (royal flush); equal means a split pot.

Each card is a number and a hand is their sum. The low 25 bits add up the ranks: the keys are chosen so that no two
different rank multisets of seven cards (or six, or five) have the same sum. From bit 32 up, four bits count each suit.
A hand without a flush is `strength[sum + offset[sum >> ROW_BITS]]`, a table of 73,775 sums folded without collisions;
a flush is looked up by the thirteen bits of its ranks. `rank_tables` builds both tables.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import Int, rule

RANK_KEYS: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""Greedy: each is the smallest that keeps the sums of all seven-card rank multisets (at most four of a rank) apart."""
SCATTER: Final = 0x9E3779B1
"""Odd, so multiplying sums by it modulo 2**25 keeps them apart; spread evenly, they fold into 12 % more slots."""
SUM_BITS: Final = 25
REGION: Final = (SCATTER << 23) & ((1 << SUM_BITS) - 1)
"""Plain seven-card sums lie below 2**23; six-card sums are looked up one such region higher, five-card sums two."""
ROW_BITS: Final = 12
ROWS: Final = 1 << (SUM_BITS - ROW_BITS)
SLOTS: Final = 82_517
CLASSES: Final = 7462

RANKING = np.dtype(
    [
        ("card_key", np.uint64, (52,)),  # scattered rank key + (1 << (32 + 4 * suit))
        ("offset", np.int32, (ROWS,)),  # where each row of sums starts in `strength`, less the row's own first sum
        ("strength", np.uint16, (SLOTS,)),  # of hands without a flush
        ("flush", np.uint16, (1 << 13,)),  # by the bits of the suited ranks; 0 with fewer than five
    ],
    align=True,
)

RankingTables: TypeAlias = Any
"""A `RANKING` record."""
Cards: TypeAlias = Any
"""Cards 0 … 51 as an array, or as a field of a record."""

FLUSH_START: Final = np.uint64(0x3333 << 32)
"""Added to a sum, it lifts every suit with five or more cards to its nibble's top bit."""
FLUSH_BITS: Final = np.uint64(0x8888 << 32)
RANK_BITS: Final = np.uint64((1 << SUM_BITS) - 1)
_ROW_SHIFT: Final = np.uint64(ROW_BITS)
_REGION: Final = np.uint64(REGION)


@rule
def rank_strength(ranking: RankingTables, sum_of_keys: Int) -> Int:
    """The strength of seven cards by their ranks alone, given the sum of their keys."""
    ranks = sum_of_keys & RANK_BITS
    slot = np.int64(ranks) + ranking["offset"][ranks >> _ROW_SHIFT]
    return ranking["strength"][np.uint64(slot)]


@rule
def has_flush(sum_of_keys: Int) -> bool:
    """True if five or more of the cards share a suit."""
    return ((sum_of_keys + FLUSH_START) & FLUSH_BITS) != np.uint64(0)


@rule
def flush_suit(sum_of_keys: Int) -> int:
    """The suit with five or more cards; call only where `has_flush`."""
    return lifted_suit((sum_of_keys + FLUSH_START) & FLUSH_BITS)


@rule
def lifted_suit(lifted: Int) -> int:
    """The suit whose nibble's top bit is set; one must be."""
    suit = 0
    while lifted != np.uint64(8 << 32):
        lifted >>= np.uint64(4)
        suit += 1
    return suit


@rule
def card_bit(card: Int) -> Int:
    """One bit of 64 for the card: of every sixteen, thirteen are a suit's ranks."""
    return np.uint64(1) << ((np.uint64(card) & np.uint64(3)) * np.uint64(16) + (np.uint64(card) >> np.uint64(2)))


@rule
def strength_of_sum(ranking: RankingTables, total: Int, bits: Int) -> Int:
    """The strength of seven cards, given the sum of their keys and the union of their bits."""
    if has_flush(total):
        held = (bits >> np.uint64(16 * flush_suit(total))) & np.uint64(0x1FFF)
        return np.int64(ranking["flush"][held])
    return np.int64(rank_strength(ranking, total))


@rule
def strength_of(ranking: RankingTables, cards: Cards, n: int) -> Int:
    """The strength of the first n (5, 6 or 7) of `cards`."""
    total = np.uint64(0)
    for at in range(n):
        total += ranking["card_key"][cards[np.uint64(at)]]
    if has_flush(total):
        suit = flush_suit(total)
        held: Int = 0
        for at in range(n):
            card = cards[np.uint64(at)]
            if card & 3 == suit:
                held |= 1 << np.int64(card >> 2)
        return ranking["flush"][np.uint64(held)]
    return rank_strength(ranking, total + np.uint64(7 - n) * _REGION)


class Category(IntEnum):
    """What a hand is called, worst to best."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    def __str__(self) -> str:
        """The name as people say it: `full house`."""
        return self.name.lower().replace("_", " ")


CLASSES_OF: Final = (1277, 2860, 858, 858, 10, 1277, 156, 156, 10)
"""Distinct strengths in each category; they sum to 7,462."""
