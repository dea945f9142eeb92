"""A solved spot as a picture: the first decision of each player on the grid of starting hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from holecard.cards import cards_text
from holecard.holdem.equilibrium.spot_report import HandReport, hands_of_decision
from holecard.holdem.equilibrium.spot_solution import Decision, SolvedSpot
from holecard.ui.figures.canvas import new_figure
from holecard.ui.figures.hand_grid import Part, draw_grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PASSIVE: Final = {"check": "#BFD7EA", "call": "#66C2A5", "fold": "#D9D9D9"}
_BETS: Final = ("#F0E442", "#E69F00", "#D55E00", "#CC79A7", "#8C564B", "#6A51A3", "#3F007D", "#000000")
"""From small to large."""


def spot_figure(solved: SolvedSpot) -> Figure:
    """The first player's first decision, and the other's after a check (or its first, where there is no check)."""
    chosen = [solved.decisions[0]]
    chosen += [each for each in solved.decisions if each.path == ("check",)][:1]
    figure = new_figure(width=7.2 * len(chosen), height=8.2)
    axes = figure.subplots(1, len(chosen), squeeze=False)[0]
    for axis, decision in zip(axes, chosen, strict=True):
        colours = colours_of(decision.actions)
        reports = hands_of_decision(solved, decision)
        who = "first player" if decision.player == 0 else "in position"
        title = who + (f" after {', '.join(decision.path)}" if decision.path else "")
        draw_grid(axis, lambda name, r=reports, c=colours: _cell(r.get(name), c), title)  # type: ignore[misc]
        _legend(axis, decision, colours)
    percent = 100 * solved.exploitability / solved.spot.pot
    figure.suptitle(
        f"{cards_text(solved.spot.board)}, pot {solved.spot.pot:g}, stacks {solved.spot.stack:g}: "
        f"the first player wins {solved.value:.2f}; exploitability {percent:.3f} % of the pot\n"
        "numbers: equity in %, and EV in chips",
        fontsize=11,
        fontweight="bold",
    )
    return figure


def colours_of(actions: tuple[str, ...]) -> dict[str, str]:
    """A colour for every action: quiet ones for check, call and fold, warmer ones for larger bets."""
    bets = iter(_BETS)
    return {action: _PASSIVE.get(action) or next(bets) for action in actions}


def _cell(report: HandReport | None, colours: dict[str, str]) -> tuple[list[Part], str]:
    if report is None:
        return [], ""
    parts: list[Part] = []
    left = 0.0
    for share, colour in zip(report.shares, colours.values(), strict=True):
        parts.append((left, left + share, colour))
        left += share
    return parts, f"{100 * report.equity:.0f}  {report.ev:.1f}"


def _legend(axis: object, decision: Decision, colours: dict[str, str]) -> None:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

    assert isinstance(axis, Axes)
    labels = [
        f"{action} {frequency:.1%}" for action, frequency in zip(decision.actions, decision.frequencies, strict=True)
    ]
    handles = [Patch(color=colour, label=label) for label, colour in zip(labels, colours.values(), strict=True)]
    axis.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=3, frameon=False, fontsize=9)
