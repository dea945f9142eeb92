"""The action bar: what is legal, what was chosen and why, and what each action is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pygame

from holecard.blackjack.arena.watched import MISTAKE, Decision
from holecard.blackjack.game.actions import Action
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
    ev_text,
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


@dataclass(frozen=True, slots=True)
class Bar:
    """What the action bar shows."""

    title: str
    """The spot in words."""
    actions: tuple[Action, ...] = ()
    evs: Mapping[Action, float] | None = None
    """Exact EVs, where they may be seen."""
    chosen: Action | None = None
    best: Action | None = None
    reason: str = ""
    verdict: str = ""
    """What the decision cost."""
    good: bool = True
    """The verdict is praise."""
    asks: bool = False
    """You are asked: actions can be clicked."""
    dim: bool = False
    """It is past."""
    fresh: bool = False
    """The EVs are a full shoe's."""


def bar_of(decision: Decision, *, dim: bool = False) -> Bar:
    """The bar of a decision that was taken."""
    return Bar(
        title=decision.spot,
        actions=tuple(action for action, _ in decision.evs),
        evs=dict(decision.evs),
        chosen=decision.action,
        best=decision.best,
        reason=decision.reason,
        verdict=verdict_on(decision),
        good=decision.cost <= MISTAKE,
        dim=dim,
        fresh=decision.fresh,
    )


def verdict_on(decision: Decision) -> str:
    """What a decision cost, in a line."""
    name = decision.action.label.lower()
    if decision.cost <= MISTAKE:
        return f"{name}: the best action"
    cost = f"{decision.cost:.3f}" if decision.cost >= 0.0005 else f"{decision.cost:.1e}"
    return f"{name} gives away {cost} of a bet; best is {decision.best.label.lower()}"


def chip_rects(theme: Theme, area: pygame.Rect, n: int) -> list[pygame.Rect]:
    """Where the actions stand."""
    px = theme.px
    width = min(px(164), (area.width - px(32)) // max(n, 1) - px(10))
    return [
        pygame.Rect(area.left + px(16) + at * (width + px(10)), area.top + px(38), width, px(66)) for at in range(n)
    ]


def draw_bar(surface: pygame.Surface, theme: Theme, area: pygame.Rect, bar: Bar) -> None:
    """Draw the bar."""
    px = theme.px
    theme.panel(surface, area, PANEL, radius=0, edge=None)
    pygame.draw.line(surface, LINE, area.topleft, area.topright)
    title = theme.write(
        surface, bar.title, (area.left + px(16), area.top + px(10)), 16, MUTED if bar.dim else GOLD, bold=True
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
        colour = MUTED if bar.dim else WIN if bar.good else LOSS
        verdict = theme.write(surface, bar.verdict, (area.left + px(16), y), 15, colour, bold=True, width=room)
        if theme.font(14).size(bar.reason)[0] <= area.right - verdict.right - px(40):
            at = (area.right - px(16), y)
            theme.write(surface, bar.reason, at, 14, TEXT if not bar.dim else MUTED, anchor="topright")
            return
        y += px(22)
    lines = 1 if bar.verdict else 2
    for line in theme.wrapped(bar.reason, 14, room, lines):
        theme.write(surface, line, (area.left + px(16), y), 14, TEXT if not bar.dim else MUTED)
        y += px(20)


def _draw_chip(surface: pygame.Surface, theme: Theme, rect: pygame.Rect, bar: Bar, action: Action) -> None:
    px, colour = theme.px, action_colour(action)
    chosen = action == bar.chosen
    hovered = bar.asks and rect.collidepoint(theme.pointer)
    fill = colour if chosen and not bar.dim else RAISED
    theme.panel(surface, rect, fill, edge=colour, thick=px(3) if chosen or hovered else 1, radius=10)
    ink = INK if chosen and not bar.dim else MUTED if bar.dim else TEXT
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
    shade = ink if chosen and not bar.dim else MUTED if bar.dim else WIN if best else TEXT
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
