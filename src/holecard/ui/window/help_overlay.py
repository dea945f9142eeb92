"""The help overlay: every key, on F1 or ?."""

from __future__ import annotations

from typing import Final

import pygame

from holecard.ui.window.theme import GOLD, MUTED, PANEL, TEXT, Theme

WATCHING: Final = (
    ("Space", "steps by themselves, or one by one"),
    ("→  ←", "next step, step before"),
    ("+  −", "faster, slower"),
    ("Enter", "to the end: the results"),
    ("C", "the running and the true count"),
    ("M", "less motion: cards appear where they lie"),
    ("F11", "full screen"),
    ("R", "back to the menu"),
    ("Q, Esc", "quit, once more if a session goes on"),
)
PLAYING: Final = (
    ("H  S", "hit, stand"),
    ("D  P", "double, split"),
    ("U", "surrender"),
    ("I  N", "insurance, no insurance"),
    ("E", "see the EVs before you decide"),
    ("click", "every action and hint is a button too"),
)
READING: Final = (
    "The number under an action is its exact EV per initial bet for the shoe as seen so far, "
    "playing on as well as possible; once the dealer has looked, given that he has no natural. "
    "The best is marked; a decision gives away best EV − chosen EV."
)


def draw_help(surface: pygame.Surface, theme: Theme) -> None:
    """Lay the help over whatever is there."""
    px, (width, height) = theme.px, theme.size
    veil = pygame.Surface(theme.size, pygame.SRCALPHA)
    veil.fill((0, 0, 0, 165))
    surface.blit(veil, (0, 0))
    box = pygame.Rect(0, 0, min(px(940), width - px(40)), px(500))
    box.center = (width // 2, height // 2)
    theme.panel(surface, box, PANEL, edge=GOLD)
    theme.write(surface, "Help", (box.left + px(32), box.top + px(24)), 28, TEXT, bold=True)
    theme.write(surface, "any key closes it", (box.right - px(32), box.top + px(34)), 14, MUTED, anchor="topright")
    half = (box.width - px(64)) // 2
    for at, (title, rows) in enumerate((("WATCHING", WATCHING), ("YOU PLAY", PLAYING))):
        left, y = box.left + px(32) + at * half, box.top + px(84)
        theme.write(surface, title, (left, y), 14, GOLD, bold=True)
        for key, meaning in rows:
            y += px(34)
            theme.write(surface, key, (left, y), 16, GOLD, bold=True)
            theme.write(surface, meaning, (left + px(90), y), 15, TEXT, width=half - px(104))
    y = box.bottom - px(72)
    for line in theme.wrapped(READING, 14, box.width - px(64), 3):
        theme.write(surface, line, (box.left + px(32), y), 14, MUTED)
        y += px(20)
