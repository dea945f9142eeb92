"""Five pictures of a neuroevolution run: fitness, earnings, styles, what the champion does, and how it adapts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from holecard.holdem.arena.adaptation import ACTIONS, Trace, principal_plane
from holecard.ui.figures.canvas import new_figure, save
from holecard.ui.palette import EMPHASIS, LETTER_COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Record = Mapping[str, Any]
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
_ACTION_COLOURS: Final = tuple(LETTER_COLOURS[letter] for letter in "?SHDR")
STREETS: Final = ("preflop", "flop", "turn", "river")
EQUITY_BINS: Final = 10
"""Parts of the scale of equity in the picture of actions."""


def fitness_figure(records: Sequence[Record]) -> Figure:
    """Best, median and worst fitness by generation; below −1 the picture is cut off."""
    figure = new_figure(8, 4.5)
    axis = figure.subplots()
    generations = [record["generation"] + 1 for record in records]
    for name, colour in (("best", EMPHASIS), ("median", _COLOURS[0]), ("worst", "#999999")):
        axis.plot(generations, [record[name] for record in records], color=colour, label=name, linewidth=1.2)
    axis.set_ylim(-1.05, 1.05)
    axis.set_xlabel("generation")
    axis.set_ylabel("fitness as observed")
    axis.legend(frameon=False)
    return figure


def earnings_figure(records: Sequence[Record]) -> Figure:
    """Earnings of the best and of the average individual against each opponent, by generation."""
    names = list(records[-1]["opponents"])
    rows = (len(names) + 1) // 2
    figure = new_figure(9, 2.6 * rows + 0.4)
    axes = figure.subplots(rows, 2, squeeze=False, sharex=True).ravel()
    generations = [record["generation"] + 1 for record in records]
    for axis, name in zip(axes, names, strict=False):
        for key, label, colour in (("earnings", "the best", EMPHASIS), ("mean_earnings", "average", _COLOURS[0])):
            series = [_or_nan(record["opponents"][name][key]) for record in records]
            axis.plot(generations, series, color=colour, linewidth=1.0, label=label)
        axis.axhline(0, color="#999999", linewidth=0.8)
        axis.set_title(name)
        axis.set_ylabel("buy-ins")
    for axis in axes[len(names) :]:
        axis.axis("off")
    axes[0].legend(frameon=False)
    figure.supxlabel("generation")
    return figure


def style_figure(records: Sequence[Record]) -> Figure:
    """VPIP and aggression of every individual, coloured by generation."""
    figure = new_figure(7, 5)
    axis = figure.subplots()
    points = [
        (style[0], style[1], record["generation"] + 1)
        for record in records
        for style in record["styles"]
        if None not in style
    ]
    vpip, aggression, generation = np.array(points or [(0.0, 0.0, 0.0)]).T
    dots = axis.scatter(vpip, 1 + aggression, c=generation, s=5, cmap="viridis", alpha=0.6)
    axis.set_yscale("log")
    axis.set_xlim(-0.02, 1.02)
    axis.set_xlabel("VPIP")
    axis.set_ylabel("1 + aggression factor")
    figure.colorbar(dots, label="generation")
    return figure


def action_figure(traces: Sequence[Trace]) -> Figure:
    """What the champion does by equity, a row per opponent and a column per street."""
    figure = new_figure(12, 2.2 * len(traces) + 0.8)
    axes = figure.subplots(len(traces), 4, squeeze=False, sharex=True, sharey=True)
    for row, trace in zip(axes, traces, strict=True):
        for street, axis in enumerate(row):
            _draw_actions(axis, trace, street)
        row[0].set_ylabel(trace.opponent)
    for axis, street_name in zip(axes[0], STREETS, strict=True):
        axis.set_title(street_name)
    for axis in axes[-1]:
        axis.set_xlabel("equity")
    handles = axes[0][0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=len(ACTIONS), frameon=False)
    return figure


def action_shares(trace: Trace, street: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Shares of the five actions in ten bins of equity, (10, 5); NaN where there was no decision."""
    here = trace.street == street
    bins = np.minimum((trace.equity[here] * EQUITY_BINS).astype(int), EQUITY_BINS - 1)
    counts = np.zeros((EQUITY_BINS, len(ACTIONS)))
    np.add.at(counts, (bins, trace.action[here]), 1)
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0)


def _draw_actions(axis: Axes, trace: Trace, street: int) -> None:
    shares = np.nan_to_num(action_shares(trace, street))
    bottom = np.zeros(EQUITY_BINS)
    for at, name in enumerate(ACTIONS):
        axis.bar(
            (np.arange(EQUITY_BINS) + 0.5) / EQUITY_BINS,
            shares[:, at],
            width=1 / EQUITY_BINS,
            bottom=bottom,
            color=_ACTION_COLOURS[at],
            label=name,
        )
        bottom += shares[:, at]


def adaptation_figure(traces: Sequence[Trace]) -> Figure:
    """The opponent module's state against each opponent: where it goes, and how far apart sessions drift."""
    figure = new_figure(12, 5)
    plane, distance = figure.subplots(1, 2)
    for trace, path, colour in zip(traces, principal_plane([each.state for each in traces]), _COLOURS, strict=False):
        plane.plot(path[:, 0], path[:, 1], ".", markersize=3, alpha=0.35, color=colour)
        centre = path.mean(axis=0)
        plane.plot(*centre, "o", color=colour, markeredgecolor="black", label=trace.opponent)
        hands, apart = drift(trace, traces)
        distance.plot(hands, apart, color=colour, label=trace.opponent)
    plane.set_xlabel("first principal axis")
    plane.set_ylabel("second principal axis")
    plane.set_title("state after each decision")
    plane.legend(frameon=False)
    distance.set_xlabel("hand of the session")
    distance.set_ylabel("distance from the mean of the others")
    distance.set_title("the same cards, another opponent")
    return figure


def drift(trace: Trace, traces: Sequence[Trace]) -> tuple[list[int], list[float]]:
    """How far the state at the end of each hand lies from the mean of the other sessions' at the end of that hand."""
    ends = [{int(hand): state for hand, state in zip(each.hand, each.state, strict=True)} for each in traces]
    own = ends[list(traces).index(trace)]
    hands, apart = [], []
    for hand, state in own.items():
        others = [each[hand] for each in ends if each is not own and hand in each]
        if others:
            hands.append(hand + 1)
            apart.append(float(np.linalg.norm(state - np.mean(others, axis=0))))
    return hands, apart


def save_all(records: Sequence[Record], traces: Sequence[Trace], folder: Path) -> list[Path]:
    """Draw all five into a run's folder, as PNG and SVG; returns the PNG files."""
    pictures: dict[str, Callable[[], Figure]] = {
        "fitness": lambda: fitness_figure(records),
        "earnings": lambda: earnings_figure(records),
        "styles": lambda: style_figure(records),
        "actions": lambda: action_figure(traces),
        "adaptation": lambda: adaptation_figure(traces),
    }
    for name, draw in pictures.items():
        figure = draw()
        for ending in ("png", "svg"):
            save(figure, folder / f"{name}.{ending}")
    return [folder / f"{name}.png" for name in pictures]


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value
