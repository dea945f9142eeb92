"""A spot to solve: a turn or river board, two ranges, a pot and stacks, and the bets that are allowed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from holecard.cards import card_text, cards_text
from holecard.errors import CardError, SettingError
from holecard.holdem.equities.ranges import Hole, parse_range

ALL_IN: Final = math.inf
"""Among bet sizes: everything."""
_MOST_CHIPS: Final = 1e9
_MOST_SIZES: Final = 8
_MOST_RAISES: Final = 6

Weights = dict[Hole, float]
"""How likely each pair of hole cards is, relative to the others: above 0, at most 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Two ranges on a board with chips to play for. The first player is out of position, as the big blind is."""

    board: tuple[int, ...]
    """Four cards (turn) or five (river)."""
    first: Weights
    """What the player who acts first may hold."""
    other: Weights
    """What the player in position may hold."""
    pot: float
    """Chips in the middle."""
    stack: float
    """Chips each player has left."""
    bets: tuple[float, ...] = (0.5, 1.0, ALL_IN)
    """Bets and raises in pots, as the pot stands after a call; ALL_IN among them."""
    raises: int = 3
    """Bets and raises on a street, at most."""

    def __post_init__(self) -> None:
        if len(self.board) not in (4, 5):
            raise CardError(f"a spot is solved on the turn or river: 4 or 5 cards; got {len(self.board)}")
        twice = next((card for card in self.board if self.board.count(card) > 1), None)
        if twice is not None:
            raise CardError(f"{card_text(twice)} appears twice on the board {cards_text(self.board)}")
        for name, chips in (("pot", self.pot), ("stack", self.stack)):
            if not 0 < chips <= _MOST_CHIPS:
                raise SettingError(f"{name} must be above 0 and at most {_MOST_CHIPS:,.0f} chips; got {chips:g}")
        if not 0 <= self.raises <= _MOST_RAISES:
            raise SettingError(f"raises must be 0 to {_MOST_RAISES} on a street; got {self.raises}")
        if len(self.bets) > _MOST_SIZES or any(not size > 0 for size in self.bets):
            raise SettingError(f"bets must be at most {_MOST_SIZES} sizes above 0; got {bets_text(self.bets)}")
        self._verify_ranges()

    def _verify_ranges(self) -> None:
        first, other = ({hole for hole in held if not set(hole) & set(self.board)} for held in (self.first, self.other))
        for name, left in (("range", first), ("against", other)):
            if not left:
                raise CardError(f"no hand of --{name} is left on {cards_text(self.board)}")
        if not any(not set(mine) & set(theirs) for mine in first for theirs in other):
            raise CardError("the two ranges leave no deal: every pair of hands shares a card")

    def holes(self) -> list[Hole]:
        """Every pair of hole cards that either player may hold, in order."""
        return sorted(hole for hole in {**self.first, **self.other} if not set(hole) & set(self.board))


def parse_weights(text: str) -> Weights:
    """The hands of a range; a part may have a weight: `QQ+,AKs:0.5`. A hand named twice has its last weight.

    >>> weights = parse_weights("AA,KK:0.25")
    >>> len(weights), sum(weights.values())
    (12, 7.5)
    """
    weights: Weights = {}
    for part in [part for part in re.split(r"[,;\s]+", text.strip()) if part] or [""]:
        hands, colon, number = part.partition(":")
        weight = _weight_of(number, part) if colon else 1.0
        for hole in parse_range(hands).hands:
            weights[hole] = weight
    return {hole: weight for hole, weight in weights.items() if weight > 0}


def _weight_of(number: str, part: str) -> float:
    try:
        weight = float(number)
    except ValueError:
        weight = math.nan
    if not 0 <= weight <= 1:
        raise CardError(f"the weight of a part of a range is 0 to 1, such as AKs:0.5; got {part!r}")
    return weight


def parse_bets(text: str) -> tuple[float, ...]:
    """Bet sizes in pots: `1/3,0.75,all-in`; `none` for no bets.

    >>> parse_bets("1/2,1,all-in")
    (0.5, 1.0, inf)
    """
    words = [word for word in re.split(r"[,;\s]+", text.strip().lower()) if word]
    if words == ["none"]:
        return ()
    if not words:
        raise SettingError("--bets are sizes in pots, such as 1/3,0.75,all-in, or none")
    return tuple(sorted({ALL_IN if word in ("all-in", "allin", "a") else _size_of(word) for word in words}))


def _size_of(word: str) -> float:
    try:
        size = float(Fraction(word))
    except (ValueError, ZeroDivisionError, OverflowError):
        size = math.nan
    if not 0.01 <= size <= 1000:
        raise SettingError(f"a bet is 0.01 to 1000 pots, such as 1/3 or 0.75, or all-in; got {word!r}")
    return size


def bets_text(bets: Sequence[float]) -> str:
    """Bet sizes as they are typed.

    >>> bets_text((0.5, 1.0, ALL_IN))
    '0.5, 1, all-in'
    """
    return ", ".join("all-in" if size == ALL_IN else f"{size:g}" for size in bets) or "none"
