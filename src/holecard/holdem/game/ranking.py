"""Hand ranks for people and programs: one hand, many at once, what a hand is called and which five cards make it.

`strength` has the rules behind it and says what a strength is: 1 (seven-high) … 7462 (royal flush).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel
from holecard.cards import cards_text
from holecard.errors import CardError
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.strength import CLASSES, CLASSES_OF, Category, strength_of


@kernel
def _rank_many(tables: Any, hands: Any, strengths: Any) -> None:
    """Strengths (n) uint16 of hands (n, 5 … 7) uint8."""
    ranking = tables[0]
    if hands.shape[1] == 7:
        for at in range(hands.shape[0]):
            strengths[at] = strength_of(ranking, hands[at], 7)
    else:
        for at in range(hands.shape[0]):
            strengths[at] = strength_of(ranking, hands[at], hands.shape[1])


def rank_many(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Strengths of many hands: (n, 5 … 7) cards in, (n) strengths out. Cards are not checked for duplicates."""
    if hands.ndim != 2 or not 5 <= hands.shape[1] <= 7:
        raise CardError(f"hands are rows of 5, 6 or 7 cards; got shape {hands.shape}")
    if hands.size and int(hands.max()) > 51:
        raise CardError(f"cards are 0 (2c) to 51 (As); got {int(hands.max())}")
    strengths = np.empty(len(hands), np.uint16)
    _rank_many(ranking_tables(), np.ascontiguousarray(hands, np.uint8), strengths)
    return strengths


def rank(cards: Sequence[int]) -> int:
    """The strength of five, six or seven cards, 1 … 7462; more is better.

    >>> from holecard.cards import parse_cards
    >>> rank(parse_cards("AhKhQhJhTh2c2d")), rank(parse_cards("7c5d4h3s2c"))
    (7462, 1)
    """
    if not 5 <= len(cards) <= 7 or len(set(cards)) != len(cards):
        raise CardError(f"a hand to rank is 5, 6 or 7 different cards; got {cards_text(cards)!r}")
    return int(rank_many(np.array([cards], np.uint8))[0])


def category_of(strength: int) -> Category:
    """The category of a strength.

    >>> str(category_of(7462)), str(category_of(7452))
    ('straight flush', 'four of a kind')
    """
    if not 1 <= strength <= CLASSES:
        raise CardError(f"a strength is 1 to {CLASSES}; got {strength}")
    for category in Category:
        strength -= CLASSES_OF[category]
        if strength <= 0:
            break
    return category


def best_five(cards: Sequence[int]) -> tuple[int, ...]:
    """The five cards that make the hand, pairs and higher ranks first.

    >>> from holecard.cards import parse_cards
    >>> cards_text(best_five(parse_cards("2c Ah 9d Kd 2d As 3c")))
    'AsAh2d2cKd'
    """
    five = max(combinations(sorted(cards, reverse=True), 5), key=rank)
    ranks = [card >> 2 for card in five]
    if set(ranks) == {12, 3, 2, 1, 0}:  # the wheel: its ace plays low
        return (*five[1:], five[0])
    return tuple(sorted(five, key=lambda card: (ranks.count(card >> 2), card), reverse=True))
