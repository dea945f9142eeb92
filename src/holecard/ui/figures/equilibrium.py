"""Figures of solved games: how a solver comes to the equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holecard.holdem.equilibrium.regret import Step
from holecard.ui.figures.canvas import new_figure
from holecard.ui.palette import EMPHASIS, INK, LETTER_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def convergence_figure(steps: Sequence[Step], known: float, title: str) -> Figure:
    """By iteration: exploitability and the error of the value, both on logarithmic scales; the value beside them."""
    figure = new_figure(width=11, height=4.4)
    errors, values = figure.subplots(1, 2)
    iterations = [step.iterations for step in steps]
    errors.loglog(
        iterations, [step.exploitability for step in steps], "o-", ms=3, color=EMPHASIS, label="exploitability"
    )
    off = [max(abs(step.value - known), 1e-16) for step in steps]
    errors.loglog(iterations, off, "o-", ms=3, color=LETTER_COLOURS["S"], label="error of the value")
    errors.legend(frameon=False)
    errors.set_ylabel("antes")
    values.semilogx(iterations, [step.value for step in steps], "o-", ms=3, color=LETTER_COLOURS["S"])
    values.axhline(known, color=INK, linewidth=1, linestyle="--", label=f"known: {known:+.6f}")
    values.legend(frameon=False)
    values.set_ylabel("value for the first player")
    for axis in (errors, values):
        axis.set_xlabel("iterations")
        axis.grid(alpha=0.3)
    figure.suptitle(title, fontweight="bold")
    return figure
