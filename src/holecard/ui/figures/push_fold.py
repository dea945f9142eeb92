"""Push or fold as pictures: the two charts at a stack, and the stacks up to which every hand is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holecard.holdem.equilibrium.push_fold import PushFoldSolution
from holecard.holdem.equilibrium.push_fold_sweep import PushFoldSweep
from holecard.holdem.equities.starting_hands import STARTING_HAND_NAMES, combinations
from holecard.ui.figures.canvas import new_figure
from holecard.ui.figures.hand_grid import Part, draw_grid
from holecard.ui.hand_grid import top_of
from holecard.ui.palette import LETTER_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PUSH, _CALL = LETTER_COLOURS["H"], LETTER_COLOURS["S"]


def push_fold_figure(solution: PushFoldSolution) -> Figure:
    """Both charts: colour is how often a hand is played, the number what it wins more than a fold, in big blinds."""
    figure = new_figure(width=14, height=7.8)
    sides = (
        ("the small blind pushes", solution.push, solution.push_ev - solution.fold_ev, _PUSH),
        ("the big blind calls a push with", solution.call, solution.call_ev - solution.fold_to_push_ev, _CALL),
    )
    for axes, (title, frequencies, gains, colour) in zip(figure.subplots(1, 2), sides, strict=True):
        cells = {
            name: ([(0.0, float(frequency), colour)], f"{gain:+.2f}")
            for name, frequency, gain in zip(STARTING_HAND_NAMES, frequencies, gains, strict=True)
        }
        share = combinations() @ frequencies / 1326
        draw_grid(axes, lambda name, cells=cells: cells[name], f"{title} {share:.1%} of hands")  # type: ignore[misc]
    figure.suptitle(
        f"Push or fold, {solution.game.in_words}: the small blind wins {solution.value:+.4f} a hand\n"
        "numbers: what pushing or calling wins more than folding, in big blinds",
        fontsize=12,
        fontweight="bold",
    )
    return figure


def sweep_figure(swept: PushFoldSweep) -> Figure:
    """For every hand the stacks up to which it is a push and a call; `*` where there are gaps below."""
    figure = new_figure(width=14, height=7.8)
    low, high = float(swept.stacks[0]), float(swept.stacks[-1])
    sides = (("a push up to", swept.push_spans(), _PUSH), ("a call up to", swept.call_spans(), _CALL))
    for axes, (title, spans, colour) in zip(figure.subplots(1, 2), sides, strict=True):
        cells = {name: _cell(found, low, high, colour) for name, found in spans.items()}
        draw_grid(axes, lambda name, cells=cells: cells[name], title)  # type: ignore[misc]
    figure.suptitle(
        f"Push or fold from {low:g} to {high:g} big blinds: stacks at which a hand is played, and the highest",
        fontsize=12,
        fontweight="bold",
    )
    return figure


def _cell(spans: list[tuple[float, float]], low: float, high: float, colour: str) -> tuple[list[Part], str]:
    width = max(high - low, 1e-9)
    parts = [((first - low) / width, (last - low) / width, colour) for first, last in spans]
    return parts, top_of(spans, high)
