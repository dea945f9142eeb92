"""The 13 × 13 grid of starting hands as text: aces first, suited hands above the diagonal, offsuit ones below."""

from __future__ import annotations

from collections.abc import Callable

from holecard.cards import RANKS


def grid_names() -> list[list[str]]:
    """The names of the 169 starting hands, row by row.

    >>> [row[:3] for row in grid_names()[:2]]
    [['AA', 'AKs', 'AQs'], ['AKo', 'KK', 'KQs']]
    """
    ranks = RANKS[::-1]
    return [
        [
            first + other if row == column else first + other + "s" if row < column else other + first + "o"
            for column, other in enumerate(ranks)
        ]
        for row, first in enumerate(ranks)
    ]


def grid_text(cell: Callable[[str], str], width: int = 5) -> str:
    """The grid with what `cell` says of each hand."""
    return "\n".join("".join(f"{cell(name):<{width}}" for name in row).rstrip() for row in grid_names())


def frequency_cell(name: str, frequency: float) -> str:
    """A hand that is always played, one that is mixed (`~`), or a dot for one that is not.

    >>> frequency_cell("AA", 1.0), frequency_cell("43s", 0.4), frequency_cell("72o", 0.0)
    ('AA', '43s~', '·')
    """
    if frequency < 0.0005:
        return "·"
    return name if frequency > 0.9995 else f"{name}~"


def top_of(spans: list[tuple[float, float]], high: float) -> str:
    """The highest stack of a hand: `12.5`, `20+` at the end of the sweep, `*` after it where there are gaps.

    >>> top_of([(1.0, 12.5)], 20), top_of([(1.0, 2.3), (5.1, 20.0)], 20), top_of([], 20)
    ('12.5', '20+*', '·')
    """
    if not spans:
        return "·"
    top = spans[-1][1]
    return f"{top:g}" + ("+" if top >= high else "") + ("*" if len(spans) > 1 else "")
