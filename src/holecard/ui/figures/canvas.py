"""How every figure starts and ends: a canvas without a window, a file written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from holecard.files import PICTURES, writing
from holecard.ui.palette import PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches, laid out so that nothing overlaps."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=PAPER, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def count_along(*axes: Axes) -> None:
    """Let x be counted: generations and epochs, so never 2.5 of them."""
    from matplotlib.ticker import MaxNLocator

    for each in axes:
        each.xaxis.set_major_locator(MaxNLocator(integer=True))


def count_along_decades(axes: Axes) -> None:
    """The same on a logarithmic scale: 1, 2, 5, 10, 20 … as they are."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else ""))
    axes.xaxis.set_minor_formatter(NullFormatter())


def legend_below(figure: Figure, axes: Axes, columns: int = 3) -> None:
    """The legend of `axes` under the picture, where it hides no line; row by row, as it is read."""
    handles, labels = axes.get_legend_handles_labels()
    columns = min(columns, len(labels))
    rows = -(-len(labels) // columns)
    order = [row * columns + column for column in range(columns) for row in range(rows)]
    order = [at for at in order if at < len(labels)]
    figure.legend(
        [handles[at] for at in order],
        [labels[at] for at in order],
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        fontsize=9,
    )


_HASHED: Final = re.compile(r"(?<=[\"#])([a-z])[0-9a-f]{10}(?=[\")])")
"""An id that matplotlib makes of a hash, some of them of an address in memory."""


def _numbered(svg: str) -> str:
    """The same picture with such ids numbered as they come.

    >>> _numbered('<path id="m0123456789"/><use href="#m0123456789"/>')
    '<path id="m-1"/><use href="#m-1"/>'
    """
    numbers: dict[str, str] = {}
    return _HASHED.sub(lambda found: numbers.setdefault(found[0], f"{found[1]}-{len(numbers) + 1}"), svg)


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the ending (.png, .svg, .pdf) decides the format. A problem leaves no half-written file.

    The same figure is the same SVG, byte by byte, and its words stay words.
    """
    PICTURES.verify(path)
    from matplotlib import rc_context

    form = path.suffix[1:].lower()
    with writing(path) as temporary:
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "holecard"}):
            figure.savefig(temporary, dpi=120, format=form, metadata={"Date": None} if form == "svg" else None)
        if form == "svg":
            temporary.write_text(_numbered(temporary.read_text(encoding="utf-8")), encoding="utf-8")
