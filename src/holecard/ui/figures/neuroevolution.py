"""Five pictures of a neuroevolution run: fitness, earnings, styles, what the champion does, and how it adapts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.arena.adaptation import ACTIONS, Trace, principal_plane
from holecard.ui.figures.canvas import count_along, legend_below, new_figure, save
from holecard.ui.outliers import usual_span
from holecard.ui.palette import EMPHASIS, LETTER_COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Record = Mapping[str, Any]
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
ACTION_COLOURS: Final = tuple(LETTER_COLOURS[letter] for letter in "?SHDR")
_LEAST_FITNESS: Final = -1.05
STREETS: Final = ("preflop", "flop", "turn", "river")
_AF_TICKS: Final = (0, 0.25, 0.5, 1, 2, 4, 10)
EQUITY_BINS: Final = 10
"""Parts of the scale of equity in the picture of actions."""


def fitness_figure(records: Sequence[Record]) -> Figure:
    """Best, median and worst fitness by generation; below −1 the picture is cut off."""
    figure = new_figure(8, 4.5)
    axis = figure.subplots()
    generations = [record["generation"] + 1 for record in records]
    for name, colour in (("best", EMPHASIS), ("median", _COLOURS[0]), ("worst", "#999999")):
        values = [record[name] for record in records]
        label = f"{name}, cut off below −1" if min(values) < _LEAST_FITNESS else name
        axis.plot(generations, values, color=colour, label=label, linewidth=1.2)
    axis.set_ylim(_LEAST_FITNESS, 1.05)
    axis.set_xlabel("generation")
    axis.set_ylabel("fitness as observed")
    count_along(axis)
    legend_below(figure, axis)
    return figure


def earnings_figure(records: Sequence[Record]) -> Figure:
    """Earnings of the best and of the average individual against each opponent, by generation.

    What lies far outside, as the first generation often does, is cut off.
    """
    names = list(records[-1]["opponents"])
    rows = (len(names) + 1) // 2
    figure = new_figure(9, 2.6 * rows + 0.4)
    axes = figure.subplots(rows, 2, squeeze=False, sharex=True).ravel()
    generations = [record["generation"] + 1 for record in records]
    for axis, name in zip(axes, names, strict=False):
        drawn: list[float] = []
        for key, label, colour in (("earnings", "the best", EMPHASIS), ("mean_earnings", "average", _COLOURS[0])):
            series = [_or_nan(record["opponents"][name][key]) for record in records]
            axis.plot(generations, series, color=colour, linewidth=1.0, label=label)
            drawn += [value for value in series if not np.isnan(value)]
        low, high = usual_span([0.0, *drawn])
        margin = 0.05 * (high - low) or 0.05
        axis.set_ylim(low - margin, high + margin)
        axis.axhline(0, color="#999999", linewidth=0.8)
        axis.set_title(name)
        axis.set_ylabel("buy-ins")
    for axis in axes[len(names) :]:
        axis.axis("off")
    count_along(*axes)
    for at, axis in enumerate(axes[: len(names)]):
        if at + 2 >= len(names):
            axis.set_xlabel("generation")
            axis.tick_params(labelbottom=True)
    legend_below(figure, axes[0])
    return figure


def style_figure(records: Sequence[Record]) -> Figure:
    """VPIP and aggression of every individual, coloured by generation.

    The height is the share of bets and raises among bets, raises and calls, so that whoever never calls has a place:
    the axis is marked with the aggression factor that a share stands for, ∞ at the top.
    """
    from matplotlib.ticker import MaxNLocator

    figure = new_figure(7, 5)
    axis = figure.subplots()
    vpip, share, generation = style_points(records).T
    dots = axis.scatter(vpip, share, c=generation, s=5, cmap="viridis", alpha=0.6)
    axis.set_xlim(-0.02, 1.02)
    axis.set_ylim(-0.03, 1.03)
    axis.set_yticks([af / (1 + af) for af in _AF_TICKS] + [1.0], [f"{af:g}" for af in _AF_TICKS] + ["∞"])
    axis.set_xlabel("VPIP")
    axis.set_ylabel("aggression factor")
    figure.colorbar(dots, label="generation", ticks=MaxNLocator(integer=True))
    return figure


def style_points(records: Sequence[Record]) -> NDArray[np.float64]:
    """VPIP, share of bets among bets and calls, and generation of everybody who has both, (individuals, 3)."""
    points = []
    for record in records:
        for vpip, af, *recorded in record["styles"]:
            share = recorded[0] if recorded else None if af is None else af / (1 + af)  # not recorded before 0.2
            if vpip is not None and share is not None:
                points.append((vpip, share, record["generation"] + 1))
    return np.array(points, np.float64).reshape(-1, 3)


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


def action_shares(trace: Trace, street: int) -> NDArray[np.float64]:
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
            color=ACTION_COLOURS[at],
            label=name,
        )
        bottom += shares[:, at]


def adaptation_figure(traces: Sequence[Trace]) -> Figure:
    """The opponent module's state against each opponent: where it goes, and how far apart sessions drift."""
    figure = new_figure(12, 5)
    plane, distance = figure.subplots(1, 2)
    for trace, path, colour in zip(traces, principal_plane([each.state for each in traces]), _COLOURS, strict=False):
        plane.plot(path[:, 0], path[:, 1], ".", markersize=3, alpha=0.35, color=colour)
        centre = path.mean(axis=0) if len(path) else (np.nan, np.nan)
        plane.plot(*centre, "o", color=colour, markeredgecolor="black", label=trace.opponent)
        hands, apart = drift(trace, traces)
        distance.plot(hands, apart, color=colour, label=trace.opponent)
    plane.set_xlabel("first principal axis")
    plane.set_ylabel("second principal axis")
    plane.set_title("state after each decision")
    distance.set_xlabel("hand of the session")
    distance.set_ylabel("distance from the mean of the others")
    distance.set_title("the same cards, another opponent")
    count_along(distance)
    legend_below(figure, plane, columns=len(traces))
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
