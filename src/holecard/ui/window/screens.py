"""What a screen is, and where one can lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

import pygame

from holecard.ui.session.settings import Settings
from holecard.ui.window.theme import GOLD, MUTED, RAIL, Theme
from holecard.ui.window.widgets import Button

if TYPE_CHECKING:
    from holecard.blackjack.arena.watched import WatchedSession


@dataclass(frozen=True, slots=True)
class ToMenu:
    """Back to the menu, perhaps with a word on why."""

    message: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """Play a session."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Show:
    """Show a finished session from its first card."""

    session: WatchedSession


@dataclass(frozen=True, slots=True)
class Finish:
    """Show what became of a session."""

    session: WatchedSession


@dataclass(frozen=True, slots=True)
class Again:
    """Play on the same terms once more."""


@dataclass(frozen=True, slots=True)
class Back:
    """From the results to the table."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Close the window."""


Transition = ToMenu | Start | Show | Finish | Again | Back | Quit


class Screen(Protocol):
    """A state of the program. It draws itself, takes events, and says where to go next."""

    hints: HintBar
    """The hints at the bottom."""

    @property
    def stale(self) -> bool:
        """True if the next frame differs from the last one by itself."""

    def layout(self, theme: Theme) -> None:
        """Take the measures of a window."""

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """Take a key or the mouse."""

    def update(self, seconds: float) -> Transition | None:
        """Let time pass."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything."""


ENTER: Final = (pygame.K_RETURN, pygame.K_KP_ENTER)
LEAVE: Final = (pygame.K_q, pygame.K_ESCAPE)
HINT_BAR: Final = 38
"""Height of the hint bar at the bottom, in units."""
_HOVERED: Final = (30, 66, 57)
"""The ground of a hint below the mouse."""


def hint_bar_rect(theme: Theme) -> pygame.Rect:
    """Where the hints stand."""
    width, height = theme.size
    return pygame.Rect(0, height - theme.px(HINT_BAR), width, theme.px(HINT_BAR))


class Hint(Button):
    """A key and what it does, at the bottom of the window; a click does it too."""

    def __init__(self, key: str, title: str, code: int) -> None:
        super().__init__(title, lambda: None)
        self.keycap, self.code = key, code

    def draw(self, surface: pygame.Surface, theme: Theme, focused: bool) -> None:
        """The key in gold, the meaning beside it."""
        if self.rect.collidepoint(theme.pointer):
            theme.panel(surface, self.rect, _HOVERED, edge=None, radius=6)
        key = theme.write(
            surface,
            self.keycap,
            (self.rect.left + theme.px(7), self.rect.centery),
            13,
            GOLD,
            bold=True,
            anchor="midleft",
        )
        theme.write(surface, self.title, (key.right + theme.px(6), self.rect.centery), 13, MUTED, anchor="midleft")


class HintBar:
    """The row of hints; those that do not fit are left out from the end, the last one (help) never."""

    def __init__(self, hints: list[Hint]) -> None:
        self.hints = hints
        self._shown: list[Hint] = []

    def layout(self, theme: Theme) -> None:
        """Put the hints side by side."""
        bar, at = hint_bar_rect(theme), theme.px(8)
        widths = [
            theme.font(13, True).size(hint.keycap)[0] + theme.font(13).size(hint.title)[0] + theme.px(20)
            for hint in self.hints
        ]
        self._shown, room = [], bar.width - theme.px(16) - widths[-1]
        for hint, width in zip(self.hints, widths, strict=True):
            is_last = hint is self.hints[-1]
            if not is_last and width > room:
                continue
            hint.rect = pygame.Rect(at, bar.top + theme.px(5), width, bar.height - theme.px(10))
            at += width
            room -= 0 if is_last else width
            self._shown.append(hint)

    def key_at(self, at: tuple[int, int]) -> int | None:
        """The key that a click stands for."""
        return next((hint.code for hint in self._shown if hint.rect.collidepoint(at)), None)

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """Draw the bar."""
        pygame.draw.rect(surface, RAIL, hint_bar_rect(theme))
        for hint in self._shown:
            hint.draw(surface, theme, False)


def as_key(event: pygame.event.Event, bar: HintBar) -> pygame.event.Event:
    """A click on a hint as the key press it stands for; other events as they are."""
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
        code = bar.key_at(event.pos)
        if code is not None:
            return pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode="", scancode=0)
    return event
