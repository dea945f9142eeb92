"""The right panel: bankroll, bet, round, the line of the bankroll, and what was given away."""

from __future__ import annotations

import pygame

from holecard.ui.session.standing import Standing
from holecard.ui.session.wording import money
from holecard.ui.window.charts import draw_chart
from holecard.ui.window.theme import (
    GOLD,
    LINE,
    LOSS,
    MUTED,
    PANEL,
    PUSH,
    RAISED,
    TEXT,
    WIN,
    Colour,
    Theme,
    cost_colour,
    outcome_colour,
)


def draw_panel(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, standing: Standing) -> None:
    """Draw the panel."""
    px = theme.px
    pygame.draw.rect(surface, PANEL, rect)
    pygame.draw.line(surface, LINE, rect.topleft, rect.bottomleft)
    left, right, y = rect.left + px(20), rect.right - px(20), rect.top + px(16)
    theme.write(surface, "BANKROLL", (left, y), 13, GOLD, bold=True)
    net = standing.net
    theme.write(surface, money(standing.bankroll), (left, y + px(20)), 34, TEXT, bold=True, width=right - left)
    theme.write(surface, f"{money(net, signed=True)} since the start", (left, y + px(64)), 15, outcome_colour(net))
    y += px(98)
    half = (right - left) // 2
    for at, (label, value) in enumerate(
        (("BET", money(standing.bet)), ("ROUND", f"{standing.round} / {standing.rounds}"))
    ):
        theme.write(surface, label, (left + at * half, y), 13, GOLD, bold=True)
        theme.write(surface, value, (left + at * half, y + px(18)), 22, TEXT, bold=True, width=half - px(6))
    y += px(64)
    counts = (("WON", standing.wins, WIN), ("PUSH", standing.pushes, PUSH), ("LOST", standing.losses, LOSS))
    _draw_counts(surface, theme, pygame.Rect(left, y, right - left, px(50)), counts)
    y += px(68)
    bottom = rect.bottom - px(104)
    theme.write(surface, "BANKROLL BY ROUND", (left, y), 13, GOLD, bold=True)
    chart = pygame.Rect(left, y + px(32), right - left, max(bottom - y - px(42), px(30)))
    draw_chart(surface, theme, chart, standing.bankrolls, total=standing.rounds)
    theme.write(surface, "GIVEN AWAY SO FAR", (left, bottom + px(12)), 13, GOLD, bold=True)
    colour = cost_colour(standing.given_away)
    text = f"{standing.given_away:.3f} bets"
    theme.write(surface, text, (left, bottom + px(32)), 24, colour, bold=True)
    theme.write(surface, "best EV − chosen EV, summed", (left, bottom + px(66)), 13, MUTED, width=right - left)


def _draw_counts(
    surface: pygame.Surface, theme: Theme, rect: pygame.Rect, counts: tuple[tuple[str, int, Colour], ...]
) -> None:
    px, gap = theme.px, theme.px(8)
    width = (rect.width - 2 * gap) // 3
    for at, (label, count, colour) in enumerate(counts):
        box = pygame.Rect(rect.left + at * (width + gap), rect.top, width, rect.height)
        theme.panel(surface, box, RAISED, edge=None, radius=8)
        theme.write(surface, str(count), (box.centerx, box.top + px(5)), 19, colour, bold=True, anchor="midtop")
        theme.write(surface, label, (box.centerx, box.bottom - px(5)), 11, MUTED, bold=True, anchor="midbottom")
