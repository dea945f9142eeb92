"""The carousel of the menu: who sits down, one at a time, with neighbours at the sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from holecard.cards import parse_cards
from holecard.ui.session.agents import YOU, AgentChoice
from holecard.ui.window.cards import RATIO, card_picture, draw_shadow
from holecard.ui.window.theme import GOLD, LINE, MUTED, PANEL, RAISED, TEXT, Theme
from holecard.ui.window.widgets import arrow, ease

_EMBLEMS = {
    "random": "2c 7d 9h 4s",
    "heuristic": "Kh Qs",
    "aggressive": "Jd 9c 2h",
    "mcts": "As 8s 8h 8d",
    "dnn": "Td 6c 5h",
    "exact": "Ah Ks",
    "counter": "5h 6s Kd",
    YOU: "Ad Ac",
}
"""The cards each one holds in the picture."""
_TURN = 0.22
"""Seconds a turn takes."""


class Carousel:
    """Players to choose from; it goes round at the ends."""

    def __init__(self, choices: Sequence[AgentChoice], at: int = 0, changed: Callable[[], None] | None = None) -> None:
        self.choices, self.at, self.enabled = list(choices), at, True
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.changed = changed or (lambda: None)
        self.less_motion = False
        """Turns are not animated."""
        self._came_from, self._since, self._at_rest = 0, _TURN, False

    @property
    def choice(self) -> AgentChoice:
        """Who is chosen."""
        return self.choices[self.at]

    def turn(self, by: int) -> None:
        """Go to a neighbour."""
        self.at = (self.at + by) % len(self.choices)
        self._came_from, self._since, self._at_rest = by, 0.0, False
        self.changed()

    def key(self, event: pygame.event.Event) -> bool:
        """Left and right turn it, Home and End go to the ends."""
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        ends = {pygame.K_HOME: -self.at, pygame.K_END: len(self.choices) - 1 - self.at}
        if by is None and event.key not in ends:
            return False
        self.turn(by if by is not None else ends[event.key])
        return True

    def click(self, at: tuple[int, int]) -> bool:
        """The left third goes back, the right third on."""
        third = self.rect.width / 3
        if at[0] < self.rect.left + third:
            self.turn(-1)
        elif at[0] > self.rect.right - third:
            self.turn(1)
        return True

    def update(self, seconds: float) -> None:
        """Let a turn go on."""
        self._since += seconds

    @property
    def stale(self) -> bool:
        """True until it was drawn at rest."""
        return not self._at_rest

    def draw(self, surface: pygame.Surface, theme: Theme, focused: bool) -> None:
        """The chosen one between two arrows, with a row of dots below."""
        self._at_rest = self.less_motion or self._since >= _TURN
        theme.panel(
            surface, self.rect, PANEL, edge=GOLD if focused else LINE, alpha=235, thick=theme.px(2) if focused else 1
        )
        side = pygame.Rect(0, 0, theme.px(56), theme.px(56))
        side.midleft = (self.rect.left + theme.px(8), self.rect.centery)
        arrow(surface, side, -1, GOLD)
        side.midright = (self.rect.right - theme.px(8), self.rect.centery)
        arrow(surface, side, 1, GOLD)
        before = surface.get_clip()
        inner = self.rect.inflate(-2 * theme.px(66), -theme.px(8))
        surface.set_clip(inner.clip(before))
        slide = 0.0 if self.less_motion else (1.0 - ease(self._since / _TURN)) * self._came_from
        self._draw_choice(surface, theme, inner.move(round(slide * inner.width * 0.5), 0))
        surface.set_clip(before)
        self._draw_dots(surface, theme)

    def _draw_choice(self, surface: pygame.Surface, theme: Theme, box: pygame.Rect) -> None:
        """A fan of cards, the name and a line about it, in the middle of the box."""
        px = theme.px
        width = max(min(round((box.height - px(170)) / RATIO), px(150)), 16)
        cards = parse_cards(_EMBLEMS.get(self.choice.name, "Qd Th 3s"))
        step = round(width * 0.62)
        left = box.centerx - (step * (len(cards) - 1) + width) // 2
        top = box.top + (box.height - round(width * RATIO) - px(130)) // 2
        for number, card in enumerate(cards):
            at = (left + number * step, top)
            draw_shadow(surface, width, at)
            surface.blit(card_picture(card, width), at)
        y = top + round(width * RATIO) + px(20)
        theme.write(surface, self.choice.title, (box.centerx, y), 27, TEXT, bold=True, anchor="midtop", width=box.width)
        y += px(42)
        for line in theme.wrapped(self.choice.about, 16, box.width, 2):
            theme.write(surface, line, (box.centerx, y), 16, MUTED, anchor="midtop")
            y += px(22)

    def _draw_dots(self, surface: pygame.Surface, theme: Theme) -> None:
        gap = min(theme.px(18), (self.rect.width - theme.px(40)) // len(self.choices))
        left = self.rect.centerx - gap * (len(self.choices) - 1) // 2
        for at in range(len(self.choices)):
            centre = (left + at * gap, self.rect.bottom - theme.px(16))
            pygame.draw.circle(surface, GOLD if at == self.at else RAISED, centre, theme.px(5))
