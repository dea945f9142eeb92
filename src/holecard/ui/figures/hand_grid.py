"""The 13 × 13 grid of starting hands as a picture: a colour and a line of text for every hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from holecard.ui.hand_grid import grid_names
from holecard.ui.palette import INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ABSENT: Final = "#B0B0B0"
"""The colour of hands of which there is nothing to say."""
Part = tuple[float, float, str]
"""A part of a cell's width, from 0 … 1 to 0 … 1, and its colour."""
Cell = Callable[[str], tuple[list[Part], str]]
"""From a hand's name to the coloured parts of its cell, and a few words below the name."""


def draw_grid(axes: Axes, cell: Cell, title: str) -> None:
    """Draw the grid of hands with what `cell` says of each."""
    from matplotlib.patches import Rectangle

    for row, names in enumerate(grid_names()):
        for column, name in enumerate(names):
            parts, words = cell(name)
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor="#F2F2F2", edgecolor=PAPER, linewidth=1.2))
            for left, right, colour in parts:
                axes.add_patch(Rectangle((column + left, row), right - left, 1, facecolor=colour, edgecolor="none"))
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=PAPER, linewidth=1.2))
            axes.text(
                column + 0.5, row + 0.36, name, ha="center", va="center", fontsize=8, color=INK if parts else _ABSENT
            )
            axes.text(column + 0.5, row + 0.73, words, ha="center", va="center", fontsize=5.8, color=INK)
    axes.set_xlim(0, 13)
    axes.set_ylim(13, 0)
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, fontsize=11)
