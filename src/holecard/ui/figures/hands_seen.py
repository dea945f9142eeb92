"""The picture of adaptation: shares of best by hands seen, a line an opponent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from holecard.holdem.arena.hands_seen import LearningCurve
from holecard.ui.figures.canvas import legend_below, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#000000")


def hands_seen_figure(curves: Sequence[LearningCurve], met: Collection[str]) -> Figure:
    """Shares of the most that can be won, with 95 % intervals; dashed where the player never met the opponent.

    Opponents from whom nobody knows how much can be won are left out.
    """
    figure = new_figure(8, 4.8)
    axis = figure.subplots()
    for number, curve in enumerate(curve for curve in curves if any(point.of_best for point in curve.points)):
        shares = [(at, point.of_best) for at, point in enumerate(curve.points) if point.of_best is not None]
        bars = [(share.interval()[1] - share.interval()[0]) / 2 for _, share in shares]
        axis.errorbar(
            [at for at, _ in shares],
            [share.mean for _, share in shares],
            yerr=bars,
            color=_COLOURS[number % len(_COLOURS)],
            linestyle="-" if curve.opponent in met else "--",
            marker="o",
            markersize=4,
            linewidth=1.3,
            capsize=2,
            label=curve.opponent if curve.opponent in met else f"{curve.opponent}, never met",
        )
    points = curves[0].points
    names = ["memory cleared" if point.hands_seen == 0 else f"{point.hands_seen:,} hands" for point in points]
    axis.set_xticks(range(len(points)), names)
    axis.axhline(0, color="#999999", linewidth=0.8)
    axis.axhline(1, color="#999999", linewidth=0.8, linestyle=":")
    axis.set_ylabel("share of the most that can be won")
    axis.set_xlabel("seen of the opponent before")
    if axis.get_legend_handles_labels()[0]:
        legend_below(figure, axis)
    return figure
