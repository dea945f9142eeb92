"""A strategy chart as a picture."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.charts import chart_rows
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.ui.figures.canvas import new_figure, save
from holecard.ui.palette import INK, LETTER_COLOURS, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def chart_figure(strategy: Strategy, title: str) -> Figure:
    """The chart of a strategy: hard, soft and pair side by side, upcards across, a legend below."""
    sections = chart_rows(strategy)
    tallest = max(len(rows) for rows in sections.values())
    figure = new_figure(width=13, height=0.36 * tallest + 2.2)
    axes = figure.subplots(1, len(sections), sharey=False)
    for axis, (name, rows) in zip(axes, sections.items(), strict=True):
        _draw_section(axis, name, rows, tallest)
    figure.suptitle("\n".join(wrap(title, 110)), fontsize=14, fontweight="bold")
    _draw_legend(figure, {letter for rows in sections.values() for row in rows.values() for letter in row})
    return figure


def save_chart(strategy: Strategy, title: str, path: Path) -> None:
    """Draw the chart into a file; the ending decides the format."""
    save(chart_figure(strategy, title), path)


def _draw_section(axis: Axes, name: str, rows: dict[str, str], tallest: int) -> None:
    from matplotlib.patches import Rectangle

    for height, (label, letters) in enumerate(rows.items()):
        axis.text(-0.25, height + 0.5, label, ha="right", va="center", fontsize=10, fontweight="bold")
        for column, letter in enumerate(letters):
            axis.add_patch(Rectangle((column, height), 1, 1, facecolor=LETTER_COLOURS[letter], edgecolor=PAPER))
            axis.text(column + 0.5, height + 0.5, letter, ha="center", va="center", fontsize=10, color=INK)
    for column, value in enumerate(VALUES):
        axis.text(column + 0.5, len(rows) + 0.35, value, ha="center", va="center", fontsize=10, fontweight="bold")
    axis.text(5, len(rows) + 1.2, f"{name}: dealer shows", ha="center", va="center", fontsize=11)
    axis.set_xlim(-1.4, 10)
    axis.set_ylim(len(rows) - tallest, len(rows) + 1.7)
    axis.axis("off")


def _draw_legend(figure: Figure, letters: set[str]) -> None:
    from matplotlib.patches import Patch

    handles = [
        Patch(facecolor=colour, label=f"{letter}  {Letter.parse(letter).word}")
        for letter, colour in LETTER_COLOURS.items()
        if letter in letters
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=10)
