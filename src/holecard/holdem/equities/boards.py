"""Flops and turns up to a change of suits: 1,755 flops and 16,432 turns stand for all 22,100 and 270,725.

A board is numbered by its sorted cards (the combinatorial number system), and a table gives its canonical board and the
swap of suits that leads there. The hole cards go through the same swap, so a row of 1,326 hands serves every board
like it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, kernel, rule
from holecard.holdem.game.strength import Cards

FLOPS: Final = 22_100
TURNS: Final = 270_725
CANONICAL_FLOPS: Final = 1_755
CANONICAL_TURNS: Final = 16_432
HANDS: Final = 1_326
SUIT_SWAPS: Final = tuple(
    (a, b, c, 6 - a - b - c) for a in range(4) for b in range(4) for c in range(4) if len({a, b, c}) == 3
)
"""The 24 ways to rename suits; swap 0 changes nothing."""
_SWAP_BITS: Final = 5
_SWAPS_ARRAY: Final = np.array(SUIT_SWAPS, np.uint8)

BOARDS = np.dtype(
    [
        ("flop", np.uint32, (FLOPS,)),  # canonical number << 5 | swap
        ("turn", np.uint32, (TURNS,)),
        ("canonical_flop", np.uint8, (CANONICAL_FLOPS, 3)),  # the cards of each canonical board, ascending
        ("canonical_turn", np.uint8, (CANONICAL_TURNS, 4)),
        ("swap", np.uint8, (24, 4)),  # SUIT_SWAPS
    ],
    align=True,
)

Boards: TypeAlias = Any
"""A `BOARDS` record."""
SuitSwap: TypeAlias = Any
"""A row of its field `swap`: the new suit of each suit, (4)."""


@rule
def pair_number(a: Int, b: Int) -> Int:
    """The number of the two-card hand, 0 … 1325, in either order of its cards."""
    low, high = np.uint32(min(a, b)), np.uint32(max(a, b))
    return np.uint32(((high * (high - np.uint32(1))) >> np.uint32(1)) + low)


@rule
def flop_number(a: Int, b: Int, c: Int) -> Int:
    """The number of the flop, 0 … 22,099, in any order of its cards."""
    low, high = min(a, b), max(a, b)
    low, middle = min(low, c), max(low, c)
    low, middle, high = np.uint32(low), np.uint32(min(middle, high)), np.uint32(max(middle, high))
    one = np.uint32(1)
    threes = high * (high - one) * (high - np.uint32(2)) // np.uint32(6)
    return np.uint32(low + ((middle * (middle - one)) >> one) + threes)


@rule
def turn_number(a: Int, b: Int, c: Int, d: Int) -> Int:
    """The number of the four-card board, 0 … 270,724, in any order of its cards."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c, d = np.uint32(min(b, c)), np.uint32(max(b, c)), np.uint32(d)
    one, two = np.uint32(1), np.uint32(2)
    threes = c * (c - one) * (c - two) // np.uint32(6)
    fours = d * (d - one) * (d - two) * (d - np.uint32(3)) // np.uint32(24)
    return np.uint32(np.uint32(a) + ((b * (b - one)) >> one) + threes + fours)


@rule
def canonical_of(packed: Int) -> Int:
    """The canonical board's number in an entry of `BOARDS`."""
    return np.uint32(packed) >> np.uint32(_SWAP_BITS)


@rule
def hand_on(boards: Boards, packed: Int, a: Int, b: Int) -> Int:
    """The number of the hand a, b once its suits are renamed as the board's were."""
    swap = boards["swap"][np.uint32(packed) & np.uint32((1 << _SWAP_BITS) - 1)]
    renamed_a = (np.uint32(a) & np.uint32(60)) | swap[np.uint32(a) & np.uint32(3)]
    renamed_b = (np.uint32(b) & np.uint32(60)) | swap[np.uint32(b) & np.uint32(3)]
    return pair_number(renamed_a, renamed_b)


@rule
def _renamed(card: Int, swap: SuitSwap) -> Int:
    return (card & 60) | swap[card & 3]


@kernel
def _number_flops(tables: NDArray[Any]) -> int:
    """Fill the flop fields of tables (1) BOARDS; returns the number of canonical flops."""
    boards = tables[0]
    found = 0
    for high in range(2, 52):
        for middle in range(1, high):
            for low in range(middle):
                number, least, by = flop_number(low, middle, high), np.uint32(FLOPS), 0
                for at in range(24):
                    swap = boards["swap"][at]
                    other = flop_number(_renamed(low, swap), _renamed(middle, swap), _renamed(high, swap))
                    if other < least:
                        least, by = other, at
                if least == number:
                    boards["canonical_flop"][found][0] = low
                    boards["canonical_flop"][found][1] = middle
                    boards["canonical_flop"][found][2] = high
                    boards["flop"][number] = found << _SWAP_BITS
                    found += 1
                else:
                    boards["flop"][number] = (boards["flop"][least] & ~np.uint32(31)) | by
    return found


@kernel
def _number_turns(tables: NDArray[Any]) -> int:
    """Fill the turn fields of tables (1) BOARDS; returns the number of canonical turns."""
    boards = tables[0]
    found = 0
    cards = np.empty(4, np.uint8)
    for number in range(TURNS):
        _nth_turn(number, cards)
        least, by = np.uint32(TURNS), 0
        for at in range(24):
            swap = boards["swap"][at]
            other = turn_number(
                _renamed(cards[0], swap), _renamed(cards[1], swap), _renamed(cards[2], swap), _renamed(cards[3], swap)
            )
            if other < least:
                least, by = other, at
        if least == number:
            for at in range(4):
                boards["canonical_turn"][found][at] = cards[at]
            boards["turn"][number] = found << _SWAP_BITS
            found += 1
        else:
            boards["turn"][number] = (boards["turn"][least] & ~np.uint32(31)) | by
    return found


@rule
def _nth_turn(number: int, cards: Cards) -> None:
    """The four cards of a board's number, ascending: its inverse, one card at a time from the highest."""
    left = number
    for size in range(4, 0, -1):
        card = 51
        while _choose(card, size) > left:
            card -= 1
        cards[size - 1] = card
        left -= _choose(card, size)


@rule
def _choose(n: int, k: int) -> int:
    ways = 1
    for at in range(k):
        ways = ways * (n - at) // (at + 1)
    return ways


def number_boards(tables: NDArray[Any]) -> None:
    """Fill the `BOARDS` record of the array `tables` (1)."""
    tables["swap"][0] = _SWAPS_ARRAY
    assert _number_flops(tables) == CANONICAL_FLOPS
    assert _number_turns(tables) == CANONICAL_TURNS
