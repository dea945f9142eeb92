"""The 169 starting hands: names, numbers and how many of each there are, alone and beside each other.

Their numbers are those of `tables.starting_hand`: 13 · high + low for suited hands, 13 · low + high for the others.
Nothing here loads numba.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.cards import RANKS
from holecard.holdem.equities.ranges import Hole, starting_hand_name

STARTING_HANDS: Final = 169
BOARDS_OF_TWO_HANDS: Final = 1_712_304
"""Boards of five cards that two known hands leave: 48 choose 5."""
MATCHUPS_FILE: Final = "matchups.npz"


def all_holes() -> list[Hole]:
    """All 1,326 pairs of hole cards by their number (`boards.pair_number`), the higher card first."""
    return [(high, low) for high in range(52) for low in range(high)]


def number_of(hole: Hole) -> int:
    """The number of a pair of hole cards among the 169 starting hands.

    >>> number_of((51, 47)), number_of((44, 51)), STARTING_HAND_NAMES[number_of((0, 1))]
    (167, 155, '22')
    """
    low, high = sorted(card >> 2 for card in hole)
    return high * 13 + low if hole[0] & 3 == hole[1] & 3 else low * 13 + high


def _name_of(number: int) -> str:
    row, column = divmod(number, 13)
    kind = "" if row == column else "s" if row > column else "o"
    return RANKS[max(row, column)] + RANKS[min(row, column)] + kind


STARTING_HAND_NAMES: Final = tuple(_name_of(number) for number in range(STARTING_HANDS))
"""The name of every starting hand by its number."""
assert all(STARTING_HAND_NAMES[number_of(hole)] == starting_hand_name(hole) for hole in ((51, 47), (44, 51), (0, 1)))


@cache
def combinations() -> NDArray[np.int64]:
    """How many pairs of hole cards each starting hand is: 6, 4 or 12, (169)."""
    return np.bincount([number_of(hole) for hole in all_holes()], minlength=STARTING_HANDS)


@cache
def disjoint_combinations() -> NDArray[np.int64]:
    """How many deals give one player each starting hand and the other each other one, without a card twice: (169, 169).

    >>> table = disjoint_combinations()
    >>> int(table.sum()) == 1326 * 1225, int(table[168, 168]), int(table[168, 154])
    (True, 6, 36)
    """
    holding = np.zeros((STARTING_HANDS, 52), np.int64)
    for hole in all_holes():
        holding[number_of(hole), list(hole)] += 1
    own = combinations()
    both = holding @ holding.T - np.diag(own)  # with a card in common; the same two cards are counted twice
    return np.outer(own, own) - both


@cache
def matchup_wins() -> NDArray[np.int64]:
    """How often each starting hand beats each other one, over all deals of both and all boards: (169, 169).

    The file comes with the package; `scripts/matchups.py` counts it anew.
    """
    stored = (files("holecard.holdem.equities") / MATCHUPS_FILE).read_bytes()
    with np.load(BytesIO(stored), allow_pickle=False) as arrays:
        return arrays["wins"].astype(np.int64)


@cache
def matchup_equities() -> NDArray[np.float64]:
    """The equity of each starting hand (row) against each other one (column), exactly, ties ½: (169, 169).

    >>> round(float(matchup_equities()[168, 154]), 6)
    0.819461
    """
    wins = matchup_wins()
    return 0.5 + (wins - wins.T) / (2.0 * BOARDS_OF_TWO_HANDS * disjoint_combinations())
