"""Where cards lie and how they get there: places for any number of hands, and paths between two moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from holecard.blackjack.arena.scene import HandScene, Scene
from holecard.blackjack.game.round import DEALER
from holecard.ui.window.cards import RATIO
from holecard.ui.window.widgets import ease

FLIGHT: Final = 0.34
"""Seconds a card is in the air."""
_CORNER: Final = 0.26
"""The part of a card's width that shows its rank."""
_LEAPS: Final = (3, 5, 8, 12)
"""Lengths of a hand at which cards get smaller."""
_LARGEST_CARD, _SMALLEST_CARD = 128, 16
"""Widths of a card: at most so many units, at least so many pixels."""
_SIDE_BY_SIDE, _OVERLAPPING, _FANNED = 1.06, 0.62, 0.56
"""From one card of a hand to the next, in widths of a card: with room, of three and more, of several hands."""
_EDGE_ON: Final = 0.06
"""How wide a card looks while it turns, in widths."""
_TURNED_FIRST: Final = 0.8
"""The part of a flight after which new cards leave the shoe where another is turned first."""
APART: Final = 0.2
"""Seconds between two cards of one step."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies."""

    x: float
    y: float
    width: int
    card: int | None
    """Its face; None: face down."""


@dataclass(frozen=True, slots=True)
class FeltLayout:
    """The measures of the felt for one window and number of hands, in pixels."""

    area: pygame.Rect
    card: int
    """Width of a card."""
    columns: tuple[pygame.Rect, ...]
    """One for each of the player's hands, left to right; cards stand at their top."""
    dealer: pygame.Rect
    shoe: tuple[int, int]

    @property
    def card_height(self) -> int:
        """Height of a card."""
        return round(self.card * RATIO)


def felt_layout(area: pygame.Rect, hands: int, scale: float, longest: int = 2) -> FeltLayout:
    """Room for the dealer above and for so many hands below, side by side.

    Cards get smaller where the longest hand would hide its corners; in leaps, so that not every card resizes all.
    """
    gap, label = round(14 * scale), round(66 * scale)
    row = (area.height - 3 * gap) // 2
    tallest = int((row - label) / RATIO)
    column = (area.width - 2 * gap) // hands
    spread = next((most for most in _LEAPS if longest <= most), longest)
    widest = int((column - 2 * gap) / (1 + _CORNER * (spread - 1)))
    card = max(min(tallest, widest, round(_LARGEST_CARD * scale)), _SMALLEST_CARD)
    height = round(card * RATIO)
    dealer = pygame.Rect(area.left + gap, area.top + gap, area.width - 2 * gap, row)
    top = area.bottom - gap - row + max((row - label - height) // 2, 0)
    columns = tuple(
        pygame.Rect(area.left + gap + at * column, top, column, area.bottom - top - gap) for at in range(hands)
    )
    shoe = (area.right - round(1.25 * card), area.top + gap)
    return FeltLayout(area, card, columns, dealer, shoe)


def row_of(felt: FeltLayout, hand: HandScene) -> list[tuple[float, float]]:
    """The left upper corners of a hand's cards: side by side if there is room, else overlapping."""
    box = felt.dealer if hand.index == DEALER else felt.columns[hand.index - 1]
    n, card = len(hand.cards), felt.card
    beside = 3 * card if hand.index == DEALER else round(0.16 * card)  # the shoe stands at the dealer's right
    width = box.width - beside
    wide = _SIDE_BY_SIDE * card if hand.index == DEALER or len(felt.columns) == 1 else _FANNED * card
    step = min(wide if n <= 2 else min(wide, _OVERLAPPING * card), (width - card) / max(n - 1, 1))
    left = box.centerx - (card + step * (n - 1)) / 2
    return [(left + at * step, float(box.top)) for at in range(n)]


def places(scene: Scene, felt: FeltLayout) -> dict[int, Place]:
    """Every card's place by its number."""
    found: dict[int, Place] = {}
    for hand in (scene.dealer, *scene.hands):
        for lying, (x, y) in zip(hand.cards, row_of(felt, hand), strict=True):
            found[lying.number] = Place(x, y, felt.card, lying.card)
    return found


class Motion:
    """Cards on their way from one moment to the next."""

    def __init__(self, before: dict[int, Place], after: dict[int, Place], felt: FeltLayout) -> None:
        self.after = after
        new = [number for number in sorted(after) if number not in before]
        shown = [number for number in after if number in before and before[number].card != after[number].card]
        first = FLIGHT * _TURNED_FIRST if shown else 0.0
        self._starts = {number: first + APART * at for at, number in enumerate(new)}
        self._before = {number: before.get(number) for number in after}
        self._shoe = felt.shoe
        moved = any(was is not None and was != after[number] for number, was in self._before.items())
        ends = [start + FLIGHT for start in self._starts.values()]
        self.seconds = max([*ends, FLIGHT if moved else 0.0])

    def at(self, time: float) -> list[tuple[int, Place, float]]:
        """At a time since the start: cards by number, place and how wide they look (a card that turns gets narrow)."""
        if time >= self.seconds:
            return [(number, place, 1.0) for number, place in sorted(self.after.items())]
        shown = []
        for number, place in sorted(self.after.items()):
            was = self._before[number]
            if was is None:
                since = time - self._starts[number]
                if since >= 0:
                    flown = ease(since / FLIGHT)
                    x = self._shoe[0] + flown * (place.x - self._shoe[0])
                    y = self._shoe[1] + flown * (place.y - self._shoe[1])
                    face = place.card if flown > 0.5 else None
                    width = 1.0 if place.card is None else abs(2 * flown - 1)
                    shown.append((number, Place(x, y, place.width, face), max(width, _EDGE_ON)))
                continue
            share = ease(time / FLIGHT)
            x, y = was.x + share * (place.x - was.x), was.y + share * (place.y - was.y)
            turns = was.card != place.card
            face = place.card if share > 0.5 else was.card
            shown.append((number, Place(x, y, place.width, face), max(abs(2 * share - 1), _EDGE_ON) if turns else 1.0))
        return shown
