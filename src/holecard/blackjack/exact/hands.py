"""Every hand that is no bust, as a multiset of values, with what one more card makes of it.

Hands are numbered by their number of cards, so a hand's number is below that of every hand it can grow into: a pass
downwards is a dynamic program, a pass upwards follows play. Hand 0 is empty, 1 to 10 are single cards A … 10, and the
two-card hands come next.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, lean_kernel

ACE: Final = 0
TEN: Final = 9
N_VALUES: Final = 10
EMPTY: Final = 0
BUST: Final = -1
FIRST_PAIRING: Final = 11
"""The lowest number of a two-card hand."""


class Hands(NamedTuple):
    """The hands of a game's limit and ace bonus; n of them."""

    cards: NDArray[np.int64]
    """(n, 10): cards held of each value A … 10."""
    size: NDArray[np.int64]
    """(n,): cards held."""
    pips: NDArray[np.int64]
    """(n,): the sum with every ace as 1."""
    total: NDArray[np.int64]
    """(n,): the best sum."""
    soft: NDArray[np.bool_]
    """(n,): an ace counts `1 + ace_bonus`."""
    grown: NDArray[np.int64]
    """(n, 10): the hand after one more card of a value; `BUST` past the limit."""
    parent: NDArray[np.int64]
    """(n,): the hand without its highest card; its own number for the empty hand."""
    highest: NDArray[np.int64]
    """(n,): the highest value held; 0 for the empty hand."""
    openings: int
    """Hands of at most two cards; arrays of first hands are this long. 66 where no two cards are a bust."""
    preorder: NDArray[np.int64]
    """(n,): all hands so that each follows its parent and the hands that share its low cards stand together."""

    def find(self, cards: tuple[int, ...]) -> int:
        """The number of the hand of these values (0 = ace … 9 = ten), or `BUST`."""
        hand = EMPTY
        for value in cards:
            hand = int(self.grown[hand, value])
            if hand == BUST:
                break
        return hand


@lru_cache(maxsize=8)
def all_hands(limit: int, ace_bonus: int, beyond: int = 0) -> Hands:
    """The hands of at most `limit` pips, or of so many `beyond`: a dealer's 22 can matter.

    >>> int((all_hands(21, 10).size >= 2).sum())
    3072
    """
    n = _count_hands(limit + beyond)
    cards, grown = np.zeros((n, N_VALUES), np.int64), np.full((n, N_VALUES), BUST, np.int64)
    size, pips, parent, highest, preorder = np.zeros((5, n), np.int64)
    _grow(limit + beyond, cards, size, pips, grown, parent, highest)
    _order(grown, highest, preorder)
    soft = (cards[:, ACE] > 0) & (pips + ace_bonus <= limit)
    total = pips + np.where(soft, ace_bonus, 0)
    openings = int((size <= 2).sum())
    return Hands(cards, size, pips, total, soft, grown, parent, highest, openings, preorder)


class Families(NamedTuple):
    """Hands that are alike but for their cards of one value; f families, by size and then by pips."""

    head: NDArray[np.int64]
    """(f,): the hand that has none of the value."""
    member: NDArray[np.int64]
    """(f, …): the hand with so many of them, or `BUST`."""


def families_of(hands: Hands, value: int) -> Families:
    """The families of hands that differ in their cards of a value."""
    heads = np.flatnonzero(hands.cards[:, value] == 0)
    member = heads[np.lexsort((hands.pips[heads], hands.size[heads]))]
    members = []
    while (member != BUST).any():
        members.append(member)
        member = np.where(member == BUST, BUST, hands.grown[member, value])
    return Families(members[0], np.ascontiguousarray(np.stack(members, axis=1)))


def heads_of(hands: Hands, value: int) -> NDArray[np.int64]:
    """Every hand without its cards of a value, shape (n,)."""
    members = families_of(hands, value).member
    family, held = np.nonzero(members != BUST)
    heads = np.zeros(len(hands.size), np.int64)
    heads[members[family, held]] = members[family, 0]
    return heads


def _count_hands(limit: int) -> int:
    """Multisets of the values 1 … 10 of at most `limit` pips: partitions, counted one value at a time."""
    partitions = np.zeros(limit + 1, np.int64)
    partitions[0] = 1
    for value in range(1, N_VALUES + 1):
        for pips in range(value, limit + 1):
            partitions[pips] += partitions[pips - value]
    return int(partitions.sum())


@lean_kernel
def _grow(
    limit: int,
    cards: NDArray[np.int64],
    size: NDArray[np.int64],
    pips: NDArray[np.int64],
    grown: NDArray[np.int64],
    parent: NDArray[np.int64],
    highest: NDArray[np.int64],
) -> None:
    """Fill the arrays of `Hands` up to so many pips, one number of cards at a time.

    A hand is made once, from the hand without its highest card. Growing by a lower value finds a hand made already:
    with h the highest card, (hand + value) = (hand − h + value) + h.
    """
    start, end = 0, 1  # the hands of so many cards; each pass makes those of one card more
    while start < end:
        made = end
        for hand in range(start, end):
            for value in range(highest[hand], N_VALUES):
                if pips[hand] + value + 1 <= limit:
                    for held in range(N_VALUES):  # slice assignment would cost two seconds of compilation
                        cards[made, held] = cards[hand, held]
                    cards[made, value] += 1
                    size[made] = size[hand] + 1
                    pips[made] = pips[hand] + value + 1
                    parent[made] = hand
                    highest[made] = value
                    grown[hand, value] = made
                    made += 1
        for hand in range(start, end):
            for value in range(highest[hand]):
                without = grown[parent[hand], value]  # fewer pips than hand, so it is no bust
                grown[hand, value] = grown[without, highest[hand]]
        start, end = end, made


@kernel
def _order(grown: NDArray[np.int64], highest: NDArray[np.int64], preorder: NDArray[np.int64]) -> None:
    """Fill `preorder`: depth first, low values before high ones."""
    stack = np.empty(len(grown), np.int64)
    stack[0] = EMPTY
    waiting, placed = 1, 0
    while waiting:
        waiting -= 1
        hand = stack[waiting]
        preorder[placed] = hand
        placed += 1
        for value in range(N_VALUES - 1, highest[hand] - 1, -1):
            if grown[hand, value] != BUST:
                stack[waiting] = grown[hand, value]
                waiting += 1
