"""The span of a scale, for lines in the terminal and in figures: one value far outside must not flatten the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_FEWEST: Final = 5
"""Values of which quartiles mean something."""


def usual_span(values: Sequence[float]) -> tuple[float, float]:
    """The lowest and highest value within Tukey's fences, 1.5 quartile ranges around the quartiles.

    >>> usual_span([-1000, 0, 1, 2, 3, 4])
    (0, 4)
    >>> usual_span([0, 0, 0, 0, 0, 5])  # most of them are the same, so what differs is what matters
    (0, 5)
    """
    from statistics import quantiles

    if len(values) < _FEWEST:
        return min(values), max(values)
    first, _, third = quantiles(values, n=4, method="inclusive")
    fence = 1.5 * (third - first)
    inside = [value for value in values if first - fence <= value <= third + fence] if fence else values
    return min(inside), max(inside)
