"""How everything looks: colours, type, and drawing in units that grow with the window."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pygame

from holecard.blackjack.game.actions import Action
from holecard.ui.palette import LETTER_COLOURS

Colour = tuple[int, int, int]

REFERENCE: Final = (1280, 800)
"""The window for which sizes are written; others scale them."""
SMALLEST: Final = (1024, 640)
"""The smallest window that is laid out for."""

FELT: Final[Colour] = (16, 104, 70)
FELT_EDGE: Final[Colour] = (5, 46, 33)
RAIL: Final[Colour] = (9, 26, 22)
PANEL: Final[Colour] = (14, 36, 31)
RAISED: Final[Colour] = (24, 56, 48)
LINE: Final[Colour] = (58, 98, 84)
TEXT: Final[Colour] = (243, 247, 244)
MUTED: Final[Colour] = (170, 196, 184)
GOLD: Final[Colour] = (245, 200, 92)
WIN: Final[Colour] = (92, 224, 150)
LOSS: Final[Colour] = (255, 128, 118)
PUSH: Final[Colour] = (206, 216, 211)
INK: Final[Colour] = (18, 28, 26)
CARD: Final[Colour] = (252, 251, 246)
RED_SUIT: Final[Colour] = (198, 32, 44)
BLACK_SUIT: Final[Colour] = (24, 28, 34)

_CACHED_TEXTS: Final = 3000
"""Lines of text that are kept drawn."""
_LEAST_SHOWN: Final = 5e-4
"""Bets that three decimals show as more than 0."""
_SMALLEST_SCALE: Final = 0.4
"""Below it nothing shrinks any further."""
_SMALLEST_FONT: Final = 6
"""Pixels."""


def action_colour(action: Action) -> Colour:
    """The colour of an action in every chart of the house; insurance has none there and gets gold."""
    if not action.letter:
        return GOLD if action == Action.INSURE else PUSH
    return hex_colour(LETTER_COLOURS[action.letter])


def hex_colour(text: str) -> Colour:
    """A colour written `#RRGGBB`.

    >>> hex_colour("#FF8000")
    (255, 128, 0)
    """
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def outcome_colour(net: float) -> Colour:
    """Green for a profit, red for a loss, grey for neither."""
    return WIN if net > 0 else LOSS if net < 0 else PUSH


def cost_colour(bets: float) -> Colour:
    """Red for EV given away, green where three decimals show none."""
    return LOSS if bets > _LEAST_SHOWN else WIN


@cache
def _font_file(bold: bool) -> str | None:
    """DejaVu Sans, which comes with matplotlib; else (None) the bold face that comes with pygame."""
    found = find_spec("matplotlib")
    for folder in (found.submodule_search_locations or []) if found else []:
        path = Path(folder, "mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")
        if path.is_file():
            return str(path)
    return None


class Theme:
    """Type and measures for a window of one size."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.pointer = (-1, -1)
        """Where the mouse is, in pixels of the surface."""
        self.scale = max(min(size[0] / REFERENCE[0], size[1] / REFERENCE[1]), _SMALLEST_SCALE)
        self._fonts: dict[tuple[float, bool], pygame.font.Font] = {}
        self._texts: dict[tuple[str, float, Colour, bool], pygame.Surface] = {}
        self._sheets: dict[tuple[object, ...], pygame.Surface] = {}

    def px(self, units: float) -> int:
        """A length in pixels."""
        return round(units * self.scale)

    def font(self, size: float, bold: bool = False) -> pygame.font.Font:
        """The face at a size in units."""
        if (size, bold) not in self._fonts:
            self._fonts[size, bold] = pygame.font.Font(_font_file(bold), max(self.px(size), _SMALLEST_FONT))
        return self._fonts[size, bold]

    def words(self, text: str, size: float, colour: Colour = TEXT, *, bold: bool = False) -> pygame.Surface:
        """A line of text, drawn once and kept."""
        key = (text, size, colour, bold)
        if key not in self._texts:
            if len(self._texts) > _CACHED_TEXTS:
                self._texts.clear()
            self._texts[key] = self.font(size, bold).render(text, True, colour)
        return self._texts[key]

    def write(
        self,
        surface: pygame.Surface,
        text: str,
        at: tuple[float, float],
        size: float = 17,
        colour: Colour = TEXT,
        *,
        bold: bool = False,
        anchor: str = "topleft",
        width: int | None = None,
    ) -> pygame.Rect:
        """Draw a line with its `anchor` at a point, cut with an ellipsis where it is wider than `width` pixels."""
        if width is not None:
            text = self.cut(text, size, width, bold=bold)
        words = self.words(text, size, colour, bold=bold)
        rect = words.get_rect(**{anchor: (round(at[0]), round(at[1]))})
        surface.blit(words, rect)
        return rect

    def cut(self, text: str, size: float, width: int, *, bold: bool = False) -> str:
        """The text, shortened with an ellipsis to fit so many pixels."""
        font = self.font(size, bold)
        if font.size(text)[0] <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if font.size(text[:middle] + "…")[0] <= width else (low, middle - 1)
        return text[:low].rstrip() + "…"

    def wrapped(self, text: str, size: float, width: int, lines: int, *, bold: bool = False) -> list[str]:
        """The text in at most so many lines of so many pixels, the last one cut if need be."""
        font, rows, words = self.font(size, bold), [""], text.split()
        for at, word in enumerate(words):
            longer = f"{rows[-1]} {word}".strip()
            if font.size(longer)[0] <= width or not rows[-1]:
                rows[-1] = longer
            elif len(rows) < lines:
                rows.append(word)
            else:
                rows[-1] = self.cut(" ".join([rows[-1], *words[at:]]), size, width, bold=bold)
                break
        return [self.cut(row, size, width, bold=bold) for row in rows]

    def panel(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        colour: Colour = PANEL,
        *,
        edge: Colour | None = LINE,
        radius: float = 12,
        alpha: int = 255,
        thick: int = 1,
    ) -> None:
        """A rounded panel; a translucent one is drawn once and kept."""
        if alpha == 255:
            pygame.draw.rect(surface, colour, rect, border_radius=self.px(radius))
        else:
            key = (rect.size, colour, radius, alpha)
            if key not in self._sheets:
                sheet = pygame.Surface(rect.size, pygame.SRCALPHA)
                pygame.draw.rect(sheet, (*colour, alpha), sheet.get_rect(), border_radius=self.px(radius))
                self._sheets[key] = sheet
            surface.blit(self._sheets[key], rect)
        if edge is not None:
            pygame.draw.rect(surface, edge, rect, width=max(thick, 1), border_radius=self.px(radius))

    def felt(self, size: tuple[int, int]) -> pygame.Surface:
        """The felt: lit from above the middle, darker towards the rail; drawn once and kept."""
        key = ("felt", size)
        if key not in self._sheets:
            self._sheets[key] = _felt_picture(size)
        return self._sheets[key]


def _felt_picture(size: tuple[int, int]) -> pygame.Surface:
    """A radial light on felt with a faint weave."""
    import numpy as np

    small = (max(size[0] // 4, 2), max(size[1] // 4, 2))
    x, y = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]), indexing="ij")
    light = np.clip(1.0 - 0.75 * (x**2 + (y + 0.15) ** 2), 0.0, 1.0)[:, :, None]
    pixels = np.array(FELT_EDGE) + light * (np.array(FELT) - np.array(FELT_EDGE))
    felt = pygame.transform.smoothscale(pygame.surfarray.make_surface(pixels.astype(np.uint8)), size)
    threads = 2 * (np.add.outer(np.arange(128), 2 * np.arange(128)) % 4 < 2)
    patch = pygame.surfarray.make_surface(threads[:, :, None].repeat(3, axis=2).astype(np.uint8))
    for left in range(0, size[0], 128):
        for top in range(0, size[1], 128):
            felt.blit(patch, (left, top), special_flags=pygame.BLEND_RGB_ADD)
    return felt.convert(32)  # as windows are: other depths are converted anew at every blit
