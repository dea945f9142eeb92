"""Figures of an evolution, drawn from its records: fitness over generations, the consensus, its animation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.cell import Kind, row_label
from holecard.blackjack.strategy.letters import LETTERS
from holecard.studies.consensus import Consensus
from holecard.studies.genome import FOLLOW, Encoding, Genomes
from holecard.ui.figures.canvas import count_along, legend_below, new_figure
from holecard.ui.palette import EMPHASIS, INK, LETTER_COLOURS, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

Records = Sequence[Mapping[str, Any]]
OUTLINE: Final = "#F0E442"
"""Yellow: stands out from red, purple and blue alike, for every kind of eye."""
FRAMES: Final = 60
"""The most frames of an animation."""
CURVES: Final = (
    ("best", "best, as observed", EMPHASIS, "-"),
    ("mean", "mean, as observed", "#0072B2", "-"),
    ("median", "median, as observed", "#56B4E9", ":"),
    ("worst", "worst, as observed", "#999999", "-"),
    ("exact", "the observed best, exactly", EMPHASIS, "--"),
    ("exact_consensus", "the consensus, exactly", "#009E73", "--"),
)
"""Field of a record, label, colour and line of every curve."""
_PANELS: Final = {Kind.HARD: "Hard hands", Kind.SOFT: "Soft hands", Kind.PAIR: "Pairs"}
_FOLLOW_COLOUR: Final = "#DDDDDD"


def fitness_figure(records: Records, optimum: float, measure: str, title: str) -> Figure:
    """Fitness by generation, observed (solid) and exact (dashed), with the best there is as a line."""
    figure = new_figure(width=9.5, height=5.8)
    axes: Axes = figure.subplots()
    generations = [record["generation"] for record in records]
    for name, label, colour, line in CURVES:
        axes.plot(generations, [record[name] for record in records], line, label=label, color=colour, linewidth=1.7)
    axes.axhline(optimum, color=INK, linewidth=1.2, label=f"the best chart, exactly ({optimum:.4f})")
    axes.set_title("\n".join(wrap(title, 88)))
    axes.set_xlabel("Generation")
    axes.set_ylabel(f"Fitness ({measure})")
    axes.set_xlim(0, max(len(records) - 1, 1))
    axes.grid(alpha=0.3)
    count_along(axes)
    legend_below(figure, axes)
    return figure


def consensus_figure(consensus: Consensus, encoding: Encoding, title: str, against: Genomes | None = None) -> Figure:
    """How many of a population play what, 20 in the top row; with `against`, loci that differ from it are outlined."""
    panels = _panels(encoding)
    figure = new_figure(width=1.2 + 5.6 * len(panels), height=7.5)
    all_axes = np.atleast_1d(figure.subplots(1, len(panels)))
    seeds_own = _is_hit_or_stand(encoding)
    for axes, (kind, rows) in zip(all_axes, panels.items(), strict=True):
        _prepare(axes, encoding, kind, rows)
        if seeds_own:
            _draw_hits(axes, consensus, rows)
        else:
            _draw_letters(axes, consensus, encoding, rows)
        if against is not None:
            _outline(axes, rows, consensus.letters != against)
    if seeds_own:
        bar = figure.colorbar(all_axes[-1].images[0], ax=list(all_axes), shrink=0.8, pad=0.02)
        bar.set_label("% of the population that hits (blue = stand, red = hit)")
    lines = [title]
    if not seeds_own:
        lines.append("the most common letter and the % of the population that has it; = plays as its total")
    if against is not None:
        lines.append(f"{_disagreements(consensus, against)} outlined: not what the best chart plays")
    figure.suptitle("\n".join(lines), fontsize=13)
    return figure


def animate_consensus(records: Records, encoding: Encoding, title: str) -> bytes:
    """A GIF of the consensus over the generations, at most `FRAMES` of them, the last one held for a while."""
    from PIL import Image

    chosen = sorted({round(at) for at in np.linspace(0, len(records) - 1, min(FRAMES, len(records)))})
    panels = _panels(encoding)
    figure = new_figure(width=0.8 + 3.4 * len(panels), height=5.0)
    figure.set_dpi(80)
    pictures = []
    for axes, (kind, rows) in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels.items(), strict=True):
        _prepare(axes, encoding, kind, rows)
        pictures.append((axes.imshow(np.zeros((len(rows), len(VALUES), 3)), origin="lower", aspect="auto"), rows))
    frames = []
    for at in chosen:
        colours = _colours(Consensus.from_dict(records[at]["consensus"]), encoding)
        for picture, rows in pictures:
            picture.set_data(colours[rows])
        figure.suptitle(
            f"{title}\ngeneration {records[at]['generation']}, truly worth {records[at]['exact_consensus']:.4f}"
        )
        canvas: Any = figure.canvas
        canvas.draw()
        frames.append(Image.fromarray(np.asarray(canvas.buffer_rgba())[:, :, :3].copy()))
    contents = BytesIO()
    times = [120] * (len(frames) - 1) + [2500]
    frames[0].save(contents, format="GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return contents.getvalue()


def _panels(encoding: Encoding) -> dict[Kind, list[int]]:
    """The rows of loci of each kind of hand, the lowest total first."""
    panels: dict[Kind, list[int]] = {}
    for number, (kind, _) in enumerate(encoding.rows):
        panels.setdefault(kind, []).append(number)
    return panels


def _is_hit_or_stand(encoding: Encoding) -> bool:
    return all(len(letters) == 2 for letters in encoding.alphabet)


def _blue_to_red() -> Colormap:
    """The 260-bit algorithm's colours: blue stands, red hits, purple between."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("stand to hit", [(0, 0, 1), (0.5, 0, 0.5), (1, 0, 0)])


def _colours(consensus: Consensus, encoding: Encoding) -> Any:
    """The colour of every locus, RGB from 0 to 1, shape (rows, 10, 3)."""
    from matplotlib.colors import to_rgb

    if _is_hit_or_stand(encoding):
        return _blue_to_red()(consensus.hits)[:, :3].reshape(-1, len(VALUES), 3)
    pure = np.array([to_rgb(LETTER_COLOURS[letter]) for letter in LETTERS] + [to_rgb(_FOLLOW_COLOUR)])
    shares = consensus.shares[:, None]
    return (shares * pure[consensus.letters] + (1 - shares)).reshape(-1, len(VALUES), 3)


def _prepare(axes: Axes, encoding: Encoding, kind: Kind, rows: list[int]) -> None:
    axes.set_title(_PANELS[kind])
    axes.set_xlabel("Dealer's upcard")
    axes.set_ylabel("Player's pair" if kind == Kind.PAIR else "Player's total")
    axes.set_xticks(range(len(VALUES)), VALUES)
    totals = [encoding.rows[row][1] for row in rows]
    labels = [row_label(kind, total) if kind == Kind.PAIR else str(total) for total in totals]
    axes.set_yticks(range(len(rows)), labels)


def _draw_hits(axes: Axes, consensus: Consensus, rows: list[int]) -> None:
    percent = 100 * consensus.hits.reshape(-1, len(VALUES))[rows]
    axes.imshow(percent, cmap=_blue_to_red(), vmin=0, vmax=100, origin="lower", aspect="auto")
    for (row, column), value in np.ndenumerate(percent):
        axes.text(column, row, f"{value:.0f}", ha="center", va="center", color=PAPER, fontsize=9)


def _draw_letters(axes: Axes, consensus: Consensus, encoding: Encoding, rows: list[int]) -> None:
    axes.imshow(_colours(consensus, encoding)[rows], origin="lower", aspect="auto")
    letters = consensus.letters.reshape(-1, len(VALUES))[rows]
    percent = 100 * consensus.shares.reshape(-1, len(VALUES))[rows]
    for (row, column), letter in np.ndenumerate(letters):
        name = "=" if letter == FOLLOW else LETTERS[letter]
        text = f"{name} {percent[row, column]:.0f}"
        axes.text(column, row, text, ha="center", va="center", color=INK, fontsize=8)


def _outline(axes: Axes, rows: list[int], differs: Any) -> None:
    from matplotlib.patches import Rectangle

    for row, column in np.argwhere(differs.reshape(-1, len(VALUES))[rows]):
        for colour, width in ((INK, 4.0), (OUTLINE, 2.2)):
            corner = (column - 0.44, row - 0.44)
            axes.add_patch(Rectangle(corner, 0.88, 0.88, fill=False, edgecolor=colour, linewidth=width))


def _disagreements(consensus: Consensus, against: Genomes) -> str:
    count = int((consensus.letters != against).sum())
    return f"{count} of {len(against)} cells"
