"""Pictures of rules: what each single change is worth, and the house edges of well-known games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import copysign, sqrt
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from holecard.blackjack.game.wording import change_in_words, in_words
from holecard.ui.figures.canvas import new_figure, save
from holecard.ui.palette import EMPHASIS, INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from holecard.blackjack.exact import RulePrices, TableValue

_GAIN, _COST, _FAINT = "#0072B2", EMPHASIS, "#8A8A8A"
_NOTHING: Final = 5e-9
"""Differences below this one are printed as 0 and drawn in grey."""
_TICKS: Final = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
"""Gains in % that the axis names."""
_LABEL: Final = 0.015
"""Between a bar and its number, as a share of the axis."""


def prices_figure(prices: RulePrices) -> Figure:
    """One bar for each change, gains to the right and costs to the left, the greatest gain on top.

    Bars grow with the square root of the gain, or the rules that matter at every table would be slivers.
    """
    base, changes = prices.table.rules, prices.changes
    figure = new_figure(width=9.6, height=0.26 * len(changes) + 1.9)
    axis: Any = figure.subplots()
    words = [change_in_words(base, change.table.rules) for change in changes]
    lengths = [_length(change.difference) for change in changes]
    widest = max(map(abs, lengths), default=0.0) or 1.0
    for row, (change, said, length) in enumerate(zip(changes, words, lengths, strict=True)):
        colour = _GAIN if length > 0 else _COST if length < 0 else _FAINT
        side, gap = (-1.0 if length < 0 else 1.0), 2 * _LABEL * widest
        axis.barh(row, length, height=0.7, color=colour)
        number = {"ha": "left" if side > 0 else "right", "va": "center", "fontsize": 8.5, "color": colour}
        axis.text(length + side * gap, row, _shown(change.difference), **number)
        axis.text(-side * gap, row, said, ha="right" if side > 0 else "left", va="center", fontsize=8.5)
    axis.axvline(0.0, color=INK, linewidth=0.8)
    _set_range(axis, lengths, widest, words)
    _set_ticks(axis, lengths)
    axis.set_ylim(len(changes) - 0.4, -0.6)
    title = "\n".join(wrap(f"What each rule is worth: {in_words(base)}", 86))
    edge = f"house edge {_signed(-100 * prices.table.ev)} %; one rule changed at a time, play re-optimised"
    figure.suptitle(f"{title}\n{edge}", fontsize=11)
    return figure


def _length(difference: float) -> float:
    """How long a bar is: the square root of the gain in %, with its sign."""
    return 0.0 if abs(difference) < _NOTHING else copysign(sqrt(100.0 * abs(difference)), difference)


def _signed(percent: float) -> str:
    return f"{percent:.4f}".replace("-", "−")


def _shown(difference: float) -> str:
    return "0" if abs(difference) < _NOTHING else f"{100.0 * difference:+.3f}".replace("-", "−")


def _set_range(axis: Any, lengths: Sequence[float], widest: float, words: Sequence[str]) -> None:
    """Room for words on the side where a bar is not, and for numbers where it is."""
    letter = 0.023 * widest
    left = [-letter * len(said) if length >= 0 else length for said, length in zip(words, lengths, strict=True)]
    right = [letter * len(said) if length < 0 else length for said, length in zip(words, lengths, strict=True)]
    axis.set_xlim(min(left, default=0.0) - 0.17 * widest, max(right, default=0.0) + 0.17 * widest)


def _set_ticks(axis: Any, lengths: Sequence[float]) -> None:
    low, high = min([*lengths, 0.0]), max([*lengths, 0.0])
    ticks = [tick for tick in (*(-each for each in _TICKS), 0.0, *_TICKS) if low <= _length(tick / 100.0) <= high]
    axis.set_xticks([_length(tick / 100.0) for tick in ticks], [f"{tick:g}".replace("-", "−") for tick in ticks])
    axis.set_xlabel("gain for the player, % of the first bet (square-root scale)")
    axis.set_yticks([])
    for side in ("left", "right", "top"):
        axis.spines[side].set_visible(False)
    axis.grid(axis="x", color="#E4E4E4", linewidth=0.6)
    axis.set_axisbelow(True)


def presets_figure(tables: Mapping[str, TableValue]) -> Figure:
    """One bar for each game's house edge, the lowest on top, with its rules in words."""
    figure = new_figure(width=9.6, height=0.52 * len(tables) + 1.6)
    axis: Any = figure.subplots()
    edges = [-100.0 * table.ev for table in tables.values()]
    widest = max(edges)
    for row, ((name, table), edge) in enumerate(zip(tables.items(), edges, strict=True)):
        axis.barh(row + 0.16, edge, height=0.3, color=_COST if edge > 0 else _GAIN)
        axis.text(max(edge, 0.0) + _LABEL * widest, row + 0.16, f"{_signed(edge)} %", va="center", fontsize=9)
        axis.text(0.006 * widest, row - 0.2, in_words(table.rules), va="center", fontsize=8, color="#4A4A4A")
        axis.text(-_LABEL * widest, row + 0.16, name, ha="right", va="center", fontsize=10, fontweight="bold")
    axis.axvline(0.0, color=INK, linewidth=0.8)
    axis.set_ylim(len(tables) - 0.4, -0.6)
    axis.set_xlim(min(0.0, *edges), 1.15 * widest)
    axis.axis("off")
    figure.suptitle("House edge of well-known games, % of the first bet, best play", fontsize=12)
    return figure


def save_prices(prices: RulePrices, path: Path) -> None:
    """Draw what each rule is worth into a file; the ending decides the format."""
    save(prices_figure(prices), path)


def save_presets(tables: Mapping[str, TableValue], path: Path) -> None:
    """Draw the house edges of games into a file; the ending decides the format."""
    save(presets_figure(tables), path)
