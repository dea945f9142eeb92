"""The window, or a picture in memory in its place; what is missing is said in a line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pygame

from holecard.errors import HolecardError
from holecard.ui.window.theme import SMALLEST

NO_DISPLAY: Final = (
    "no display found to open a window on; --record FOLDER/ or --record FILE.gif renders a session without one"
)
_UNSEEN: Final = ("dummy", "offscreen")
"""Drivers that draw where nobody looks."""
_TITLE: Final = "Holecard"
_KEY_REPEAT: Final = (350, 45)
"""Milliseconds until a key that is held repeats, and between two repetitions."""
_ASPECT: Final = (16, 10)
"""Width to height of the window as it opens."""


class Window:
    """The window; it can be resized."""

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        asked = os.environ.get("SDL_VIDEODRIVER", "")
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
        try:
            with _quietly():
                pygame.display.init()
        except pygame.error:
            raise HolecardError(NO_DISPLAY) from None
        if pygame.display.get_driver() in _UNSEEN and asked not in _UNSEEN:
            pygame.display.quit()
            raise HolecardError(NO_DISPLAY)
        pygame.font.init()
        pygame.key.set_repeat(*_KEY_REPEAT)
        try:
            self.sdl_window = pygame.Window(_TITLE, size or _first_size(), resizable=True, allow_high_dpi=True)
        except pygame.error:
            raise HolecardError(NO_DISPLAY) from None
        self.sdl_window.minimum_size = SMALLEST

    @property
    def surface(self) -> pygame.Surface:
        """What to draw on, in true pixels."""
        return self.sdl_window.get_surface()

    def show(self) -> None:
        """Bring what was drawn to the screen."""
        self.sdl_window.flip()

    def toggle_full_screen(self) -> None:
        """To the whole screen and back."""
        if self.sdl_window.size == pygame.display.get_desktop_sizes()[0]:
            self.sdl_window.set_windowed()
        else:
            self.sdl_window.set_fullscreen(desktop=True)

    def in_pixels(self, event: pygame.event.Event) -> pygame.event.Event:
        """A mouse event with its place in pixels of the surface; the window's own units may be coarser."""
        width, height = self.sdl_window.size
        fine, tall = self.surface.get_size()
        if (fine, tall) == (width, height) or not width or not height:
            return event
        at = (event.pos[0] * fine // width, event.pos[1] * tall // height)
        return pygame.event.Event(event.type, {**event.dict, "pos": at})

    def close(self) -> None:
        """Give the window back."""
        self.sdl_window.destroy()
        pygame.display.quit()


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep libraries below SDL from complaining on stderr of displays that are not there."""
    stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)


def _first_size() -> tuple[int, int]:
    """Three quarters of the screen, at least the smallest window that is laid out for."""
    (wide, tall), (across, down) = pygame.display.get_desktop_sizes()[0], _ASPECT
    height = max(min(tall * 3 // 4, wide * 3 // 4 * down // across), SMALLEST[1])
    return max(height * across // down, SMALLEST[0]), height


class OffscreenWindow(Window):
    """A picture in memory in place of a window: for recordings and pictures, with no screen at all."""

    def __init__(self, size: tuple[int, int]) -> None:
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        if pygame.display.get_init() and pygame.display.get_driver() not in _UNSEEN:
            pygame.display.quit()
        super().__init__(size)
