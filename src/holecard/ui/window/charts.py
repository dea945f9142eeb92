"""The bankroll over the rounds, as a line."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from holecard.ui.session.wording import money
from holecard.ui.window.theme import GOLD, LINE, MUTED, Theme, outcome_colour


def nice_step(span: float, most: int) -> float:
    """A round number by which at most `most` lines divide a span.

    >>> nice_step(730, 4), nice_step(3, 4)
    (200.0, 1.0)
    """
    rough = max(span, 1e-9) / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= rough * (1 - 1e-9))


def draw_chart(
    surface: pygame.Surface,
    theme: Theme,
    rect: pygame.Rect,
    values: Sequence[float],
    *,
    total: int,
    labels: bool = True,
    shown: float = 1.0,
) -> None:
    """The line of `values` (the first before any round) in `rect`, wide enough for `total` rounds.

    `shown` is the part of the line to draw, for a line that grows.
    """
    finite = [value for value in values if math.isfinite(value)]
    if not finite:  # a bankroll without limit has no line
        return
    low, high = min(finite), max(finite)
    margin = max((high - low) * 0.12, abs(high) * 0.02, 1e-9)
    low, high = low - margin, high + margin
    step = nice_step(high - low, max(rect.height // max(theme.px(44), 1), 1))
    left = rect.left
    if labels:
        marks = [mark * step for mark in range(math.ceil(low / step), math.floor(high / step) + 1)]
        left += max((theme.font(12).size(money(mark))[0] for mark in marks), default=0) + theme.px(8)
        for mark in marks:
            y = _y(rect, mark, low, high)
            pygame.draw.line(surface, LINE, (left, y), (rect.right, y))
            theme.write(surface, money(mark), (left - theme.px(6), y), 12, MUTED, anchor="midright")
    base = _y(rect, finite[0], low, high)
    _dashed(surface, GOLD, left, rect.right, base, theme.px(6))
    wide = (rect.right - left) / max(total, 1)
    points = [(left + wide * at, _y(rect, value, low, high)) for at, value in enumerate(finite)]
    points = points[: max(round(len(points) * shown), 1)]
    colour = outcome_colour(finite[len(points) - 1] - finite[0])
    if len(points) > 1:
        pygame.draw.aalines(surface, colour, False, points)
        pygame.draw.lines(surface, colour, False, points, max(theme.px(2), 1))
    pygame.draw.circle(surface, colour, points[-1], max(theme.px(4), 2))


def _y(rect: pygame.Rect, value: float, low: float, high: float) -> float:
    return rect.bottom - rect.height * (value - low) / (high - low)


def _dashed(
    surface: pygame.Surface, colour: tuple[int, int, int], left: float, right: float, y: float, dash: int
) -> None:
    x = left
    while x < right:
        pygame.draw.line(surface, colour, (x, y), (min(x + dash, right), y))
        x += 2 * max(dash, 1)
