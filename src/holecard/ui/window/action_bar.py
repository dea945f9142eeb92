"""Draws the action bar, and says which keys and places of it stand for which action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pygame

from holecard.blackjack.game.actions import Action
from holecard.ui.session.action_bar import ActionBar
from holecard.ui.session.wording import ev_text
from holecard.ui.window.theme import (
    GOLD,
    INK,
    LINE,
    LOSS,
    MUTED,
    PANEL,
    RAISED,
    TEXT,
    WIN,
    Theme,
    action_colour,
)

KEYS: Final[Mapping[int, Action]] = {
    pygame.K_h: Action.HIT,
    pygame.K_s: Action.STAND,
    pygame.K_d: Action.DOUBLE,
    pygame.K_p: Action.SPLIT,
    pygame.K_u: Action.SURRENDER,
    pygame.K_i: Action.INSURE,
    pygame.K_n: Action.DECLINE,
}
"""What you press when you play."""
KEY_NAMES: Final = {action: pygame.key.name(key, use_compat=True).upper() for key, action in KEYS.items()}


def chip_rects(theme: Theme, area: pygame.Rect, n: int) -> list[pygame.Rect]:
    """Where the actions stand."""
    px = theme.px
    width = min(px(164), (area.width - px(32)) // max(n, 1) - px(10))
    return [
        pygame.Rect(area.left + px(16) + at * (width + px(10)), area.top + px(38), width, px(66)) for at in range(n)
    ]


def draw_action_bar(surface: pygame.Surface, theme: Theme, area: pygame.Rect, bar: ActionBar) -> None:
    """Draw the bar into an area."""
    px = theme.px
    theme.panel(surface, area, PANEL, radius=0, edge=None)
    pygame.draw.line(surface, LINE, area.topleft, area.topright)
    title = theme.write(
        surface, bar.title, (area.left + px(16), area.top + px(10)), 16, MUTED if bar.past else GOLD, bold=True
    )
    if bar.evs:
        what = "full shoe: too few cards are left" if bar.fresh else "shoe as seen so far"
        note = f"exact EV per bet · {what}"
        room = area.width - title.width - px(60)
        theme.write(surface, note, (area.right - px(16), area.top + px(12)), 13, MUTED, anchor="topright", width=room)
    for action, rect in zip(bar.actions, chip_rects(theme, area, len(bar.actions)), strict=True):
        _draw_chip(surface, theme, rect, bar, action)
    y, room = area.top + px(112), area.width - px(32)
    if bar.verdict:
        colour = MUTED if bar.past else WIN if bar.good else LOSS
        verdict = theme.write(surface, bar.verdict, (area.left + px(16), y), 15, colour, bold=True, width=room)
        if theme.font(14).size(bar.reason)[0] <= area.right - verdict.right - px(40):
            at = (area.right - px(16), y)
            theme.write(surface, bar.reason, at, 14, TEXT if not bar.past else MUTED, anchor="topright")
            return
        y += px(22)
    lines = 1 if bar.verdict else 2
    for line in theme.wrapped(bar.reason, 14, room, lines):
        theme.write(surface, line, (area.left + px(16), y), 14, TEXT if not bar.past else MUTED)
        y += px(20)


def _draw_chip(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, bar: ActionBar, action: Action) -> None:
    px, colour = theme.px, action_colour(action)
    chosen = action == bar.chosen
    hovered = bar.asks and rect.collidepoint(theme.pointer)
    fill = colour if chosen and not bar.past else RAISED
    theme.panel(surface, rect, fill, edge=colour, thick=px(3) if chosen or hovered else 1, radius=10)
    ink = INK if chosen and not bar.past else MUTED if bar.past else TEXT
    middle = rect.centerx
    name = f"{KEY_NAMES[action]}  {action.label}" if bar.asks else action.label
    if bar.evs is None:
        theme.write(surface, name, rect.center, 18, ink, bold=True, anchor="center", width=rect.width - px(12))
        return
    theme.write(
        surface, name, (middle, rect.top + px(9)), 16, ink, bold=True, anchor="midtop", width=rect.width - px(10)
    )
    best = action == bar.best
    text = ev_text(bar.evs[action]) + ("  best" if best else "")
    shade = ink if chosen and not bar.past else MUTED if bar.past else WIN if best else TEXT
    theme.write(
        surface,
        text,
        (middle, rect.bottom - px(9)),
        16,
        shade,
        bold=best,
        anchor="midbottom",
        width=rect.width - px(10),
    )
