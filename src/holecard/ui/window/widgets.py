"""What people click and type into: buttons, fields, choices. Each handles its own events and says when it changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import pygame

from holecard.ui.window.theme import GOLD, INK, LINE, LOSS, MUTED, PANEL, RAISED, TEXT, WIN, Colour, Theme

LONGEST_TEXT = 400


class Widget(Protocol):
    """Something with a place on the screen that can have the keyboard."""

    rect: pygame.Rect
    enabled: bool

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key press; True if it meant something here."""

    def click(self, at: tuple[int, int]) -> bool:
        """Take a click inside `rect`; True if it meant something here."""

    def draw(self, surface: pygame.Surface, theme: Theme, focused: bool) -> None:
        """Draw it."""


def arrow(surface: pygame.Surface, rect: pygame.Rect, way: int, colour: Colour) -> None:
    """A triangle that points left (−1) or right (1)."""
    x, y, r = rect.centerx, rect.centery, min(rect.size) * 0.26
    points = [(x + way * r, y), (x - way * r * 0.7, y - r), (x - way * r * 0.7, y + r)]
    pygame.draw.polygon(surface, colour, points)
    pygame.draw.aalines(surface, colour, True, points)


class Button:
    """A button with a word on it."""

    def __init__(self, title: str, act: Callable[[], None], *, main: bool = False) -> None:
        self.title, self.act, self.main = title, act, main
        self.rect, self.enabled = pygame.Rect(0, 0, 0, 0), True

    def key(self, event: pygame.event.Event) -> bool:
        """Enter and space press it."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            return self.click(self.rect.center)
        return False

    def click(self, at: tuple[int, int]) -> bool:
        """Press it."""
        if self.enabled:
            self.act()
        return self.enabled

    def draw(self, surface: pygame.Surface, theme: Theme, focused: bool) -> None:
        """Gold if it is the main thing to do here."""
        hovered = self.enabled and self.rect.collidepoint(theme.pointer)
        fill = (GOLD if self.main else RAISED) if self.enabled else PANEL
        if hovered:
            fill = tuple(min(part + 16, 255) for part in fill)  # type: ignore[assignment]
        theme.panel(surface, self.rect, fill, edge=TEXT if focused else LINE, thick=theme.px(2) if focused else 1)
        colour = (INK if self.main else TEXT) if self.enabled else LINE
        room = self.rect.width - theme.px(12)
        theme.write(surface, self.title, self.rect.center, 18, colour, bold=True, anchor="center", width=room)


class Choice:
    """One of several values, by arrow keys or by clicking its left and right half; it goes round at the ends."""

    def __init__(
        self, label: str, values: Sequence[str], at: int = 0, changed: Callable[[], None] | None = None
    ) -> None:
        self.label, self.values, self.at = label, list(values), at
        self.changed = changed or (lambda: None)
        self.rect, self.enabled = pygame.Rect(0, 0, 0, 0), True

    @property
    def value(self) -> str:
        """What is chosen."""
        return self.values[self.at]

    def turn(self, by: int) -> None:
        """Go to a neighbour."""
        self.at = (self.at + by) % len(self.values)
        self.changed()

    def key(self, event: pygame.event.Event) -> bool:
        """Left, right and space turn it."""
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1, pygame.K_SPACE: 1}.get(event.key)
        if by is None or not self.enabled:
            return False
        self.turn(by)
        return True

    def click(self, at: tuple[int, int]) -> bool:
        """The right half goes on, the left half back."""
        if self.enabled:
            self.turn(1 if at[0] >= self.rect.centerx else -1)
        return self.enabled

    def draw(self, surface: pygame.Surface, theme: Theme, focused: bool) -> None:
        """The label above, the value between two arrows."""
        box = labelled_box(surface, theme, self.rect, self.label, focused, self.enabled)
        colour = TEXT if self.enabled else LINE
        side = pygame.Rect(box.left, box.top, box.height, box.height)
        arrow(surface, side, -1, GOLD if self.enabled else LINE)
        arrow(surface, side.move(box.width - box.height, 0), 1, GOLD if self.enabled else LINE)
        room = box.width - 2 * box.height
        theme.write(surface, self.value, box.center, 16, colour, bold=True, anchor="center", width=room)


def labelled_box(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, label: str, focused: bool, enabled: bool = True
) -> pygame.Rect:
    """A label and the box below it; the box."""
    theme.write(surface, label, rect.topleft, 13, MUTED if enabled else LINE, width=rect.width)
    top = rect.top + theme.px(19)
    box = pygame.Rect(rect.left, top, rect.width, max(min(theme.px(36), rect.bottom - top), 10))
    theme.panel(
        surface,
        box,
        RAISED if enabled else PANEL,
        edge=GOLD if focused else LINE,
        radius=8,
        thick=theme.px(2) if focused else 1,
    )
    return box


class Field:
    """A text to type; `read` turns it into a value or says what is wrong with it, at every stroke."""

    def __init__(
        self,
        label: str,
        text: str,
        read: Callable[[str], object],
        *,
        note: Callable[[str], str] | None = None,
        step: float = 0,
    ) -> None:
        self.label, self.text, self.note, self.step = label, text, note, step
        self.rect, self.enabled = pygame.Rect(0, 0, 0, 0), True
        self._read = read
        self._box = pygame.Rect(0, 0, 0, 0)
        self.selected = False
        """All of the text is selected: what is typed takes its place."""

    @property
    def problem(self) -> str:
        """What is wrong with the text; empty if nothing."""
        try:
            self._read(self.text)
        except ValueError as problem:
            return str(problem)
        return ""

    @property
    def value(self) -> object:
        """The text as a value; ValueError if it is none."""
        return self._read(self.text)

    def key(self, event: pygame.event.Event) -> bool:
        """Characters are added, backspace and delete take them away; with control, a selects all and v pastes.

        What is selected is replaced by what is typed.
        """
        if not self.enabled:
            return False
        control = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META)
        kept = "" if self.selected else self.text
        if self.step and event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            self.change(self.step if event.key == pygame.K_RIGHT else -self.step)
            return True
        if control and event.key == pygame.K_a:
            self.selected = True
            return True
        if event.key == pygame.K_BACKSPACE:
            self.text = "" if control else kept[:-1]
        elif event.key == pygame.K_DELETE:
            self.text = ""
        elif control and event.key == pygame.K_v:
            self.text = (kept + _pasted())[:LONGEST_TEXT]
        elif event.unicode and event.unicode.isprintable() and not control:
            self.text = (kept + event.unicode)[:LONGEST_TEXT]
        else:
            return False
        self.selected = False
        return True

    def change(self, by: float) -> None:
        """Step to the next multiple of the step, if that is a value."""
        try:
            now = float(self.text.replace(",", "") or 0)
        except ValueError:
            return
        wanted = (math.floor(now / self.step) + 1 if by > 0 else math.ceil(now / self.step) - 1) * self.step
        try:
            self._read(f"{wanted:.15g}")
        except ValueError:
            return
        self.text = f"{wanted:.15g}"

    def click(self, at: tuple[int, int]) -> bool:
        """It takes the keyboard; the ends of the box step."""
        if self.enabled and self.step and self._box.collidepoint(at):
            if at[0] >= self._box.right - self._box.height:
                self.change(self.step)
            elif at[0] >= self._box.right - 2 * self._box.height:
                self.change(-self.step)
        return self.enabled

    def draw(self, surface: pygame.Surface, theme: Theme, focused: bool) -> None:
        """The label above, what is wrong with the text below."""
        box = self._box = labelled_box(surface, theme, self.rect, self.label, focused, self.enabled)
        inset, bad = theme.px(10), self.enabled and self.problem
        if bad:
            pygame.draw.rect(surface, LOSS, box, width=theme.px(2), border_radius=theme.px(8))
        marked = focused and self.enabled and self.selected and bool(self.text)
        words = theme.words(self.text or " ", 16, INK if marked else TEXT if self.enabled else LINE, bold=True)
        room = pygame.Rect(box.left + inset, box.top, box.width - 2 * inset, box.height)
        if self.step:
            room.width -= 2 * box.height - inset
            side = pygame.Rect(box.right - box.height, box.top, box.height, box.height)
            arrow(surface, side, 1, GOLD if self.enabled else LINE)
            arrow(surface, side.move(-box.height, 0), -1, GOLD if self.enabled else LINE)
        left = min(room.left, room.right - words.get_width() - theme.px(3))
        before = surface.get_clip()
        surface.set_clip(room.clip(before))
        place = words.get_rect(midleft=(left, box.centery))
        if marked:
            pygame.draw.rect(surface, GOLD, place.inflate(theme.px(4), 0), border_radius=theme.px(3))
        surface.blit(words, place)
        if focused and self.enabled and not marked:
            x = place.left if not self.text else place.right
            pygame.draw.line(
                surface, GOLD, (x + 1, box.top + inset // 2), (x + 1, box.bottom - inset // 2), theme.px(2)
            )
        surface.set_clip(before)
        if bad:
            theme.write(surface, self.problem, (box.left, box.bottom + theme.px(2)), 12, LOSS, width=box.width)
        elif self.note and self.enabled:
            note = self.note(self.text)
            colour = WIN if note.startswith("found") else LOSS if note.startswith("no ") else MUTED
            theme.write(surface, note, (box.left, box.bottom + theme.px(2)), 12, colour, width=box.width)


def _pasted() -> str:
    try:
        text = pygame.scrap.get_text()
    except (pygame.error, AttributeError):
        return ""
    return "".join(character for character in text if character.isprintable())


class FocusRing:
    """Widgets that pass the keyboard on: Tab and the up and down keys, a click."""

    def __init__(self, widgets: Sequence[Widget]) -> None:
        self.widgets = list(widgets)
        self.at = 0

    @property
    def focused(self) -> Widget:
        """Who has the keyboard."""
        return self.widgets[self.at]

    def pass_on(self, by: int) -> None:
        """To the next widget that can take it."""
        for _ in self.widgets:
            self.at = (self.at + by) % len(self.widgets)
            if self.focused.enabled:
                self._select()
                return

    def _select(self) -> None:
        """A text that gets the keyboard is selected, so that typing replaces it."""
        if isinstance(self.focused, Field):
            self.focused.selected = True

    def handle(self, event: pygame.event.Event) -> bool:
        """Take an event; True if it meant something here."""
        if event.type == pygame.KEYDOWN:
            if event.key in (pygame.K_TAB, pygame.K_UP, pygame.K_DOWN):
                back = event.key == pygame.K_UP or event.mod & pygame.KMOD_SHIFT
                self.pass_on(-1 if back else 1)
                return True
            return self.focused.enabled and self.focused.key(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for at, widget in enumerate(self.widgets):
                if widget.enabled and widget.rect.collidepoint(event.pos):
                    is_new, self.at = at != self.at, at
                    if is_new:
                        self._select()
                    elif isinstance(widget, Field):
                        widget.selected = False  # a second click puts the cursor behind the text
                    return widget.click(event.pos)
        return False

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """Draw all of them."""
        for widget in self.widgets:
            widget.draw(surface, theme, widget is self.focused)


def ease(share: float) -> float:
    """A motion from 0 to 1 that starts at speed and comes to rest.

    >>> ease(0.0), ease(1.0)
    (0.0, 1.0)
    """
    return 1.0 - math.pow(1.0 - min(max(share, 0.0), 1.0), 3)
