"""Figures of a race: regret against cost, each strategy as a chart shaded by its leaks, learning, search, duels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from holecard.blackjack.game.shoe import VALUES
from holecard.studies.race.rows import Way
from holecard.ui.figures.canvas import count_along_decades, legend_below, new_figure
from holecard.ui.palette import EMPHASIS, INK, LETTER_COLOURS, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

TableRow = Mapping[str, Any]
"""A row of the race's table."""
Line = tuple[str, str, Sequence[Mapping[str, Any]]]
"""An evolution in the picture of all of them: its label, its colour and its records."""
LEAST_SECONDS: Final = 0.01
"""Where the axis of seconds begins."""
_LABEL_WIDTH, _LABEL_HEIGHT = 1.6, 0.15
"""About how wide and how high a label is in the picture of costs, in decades of its axes."""
_POINTS_A_DECADE: Final = 68
"""About how many points a decade of regret takes there."""
_SHIFT: Final = 3.0
"""Points by which a label moves to make room."""
LEAST_COST, MOST_COST = 1e-6, 1e-2
"""Where the shading of leaks begins and ends, in bets per round."""
WAYS: Final = {
    Way.SOLVED: (INK, "*"),
    Way.PUBLISHED: ("#999999", "s"),
    Way.EVOLVED: ("#009E73", "o"),
    Way.TRAINED: ("#CC79A7", "D"),
    Way.SEARCHED: ("#0072B2", "^"),
}
"""Colour and mark of every way of finding a strategy."""


def cost_figure(table: Sequence[TableRow]) -> Figure:
    """Regret against CPU seconds, both logarithmic: the lower left corner is the place to be."""
    figure = new_figure(8.5, 5.6)
    axes: Axes = figure.subplots()
    shown = [row for row in table if row["regret"] > 0]
    for way, (colour, mark) in WAYS.items():
        mine = [row for row in shown if row["way"] == way]
        if mine:
            x = [max(row["seconds"], LEAST_SECONDS) for row in mine]
            y = [row["regret"] for row in mine]
            axes.errorbar(
                x,
                y,
                yerr=[min(row["stderr"], 0.9 * row["regret"]) for row in mine],
                fmt=mark,
                color=colour,
                markersize=7,
                label=way,
                capsize=3,
            )
    axes.set_xscale("log")
    axes.set_yscale("log")
    for row, height in _spread(shown):
        axes.annotate(
            row["name"],
            (max(row["seconds"], LEAST_SECONDS), row["regret"]),
            xytext=(9, height),
            textcoords="offset points",
            fontsize=9,
            va="center",
        )
    axes.set_xlabel(f"CPU seconds to find it ({LEAST_SECONDS:g} or less at the left)")
    axes.set_ylabel("regret: bets lost per round against the optimum")
    axes.grid(alpha=0.3, which="major")
    left, right = axes.get_xlim()
    axes.set_xlim(left, right * 12)
    legend_below(figure, axes, columns=len(WAYS))
    return figure


def _spread(rows: Sequence[TableRow]) -> list[tuple[TableRow, float]]:
    """Every row with how far its label moves up, in points, so that labels of neighbours do not meet."""
    import math

    def meet(x: float, y: float, shift: float, placed: tuple[float, float, float]) -> bool:
        other, height, moved = placed
        apart = abs(y + shift / _POINTS_A_DECADE - height - moved / _POINTS_A_DECADE)
        return abs(x - other) < _LABEL_WIDTH and apart < _LABEL_HEIGHT

    placed: list[tuple[float, float, float]] = []
    result = []
    for row in sorted(rows, key=lambda row: row["regret"]):
        x, y = math.log10(max(row["seconds"], LEAST_SECONDS)), math.log10(row["regret"])
        shift = 0.0
        while any(meet(x, y, shift, other) for other in placed):
            shift += _SHIFT
        placed.append((x, y, shift))
        result.append((row, shift))
    return result


def strategy_figure(name: str, cells: Mapping[str, Mapping[str, Sequence[Sequence[Any]]]], subtitle: str) -> Figure:
    """A strategy as its chart, hard above soft above pair; the redder a cell, the more it costs."""
    from matplotlib.cm import ScalarMappable

    heights = [len(rows) for rows in cells.values()]
    figure = new_figure(4.3, 0.235 * sum(heights) + 2.5)
    all_axes = figure.subplots(len(cells), 1, height_ratios=[height + 1.2 for height in heights], squeeze=False)
    norm = _norm()
    for axes, (section, rows) in zip(all_axes[:, 0], cells.items(), strict=True):
        _draw_section(axes, section, rows, norm)
    bar = figure.colorbar(
        ScalarMappable(norm, _reds()), ax=list(all_axes[:, 0]), orientation="horizontal", pad=0.01, aspect=35
    )
    bar.set_label("cost, bets per round", fontsize=8)
    bar.ax.tick_params(labelsize=8)
    figure.suptitle(f"{name}\n{subtitle}", fontsize=11)
    return figure


def _norm() -> LogNorm:
    from matplotlib.colors import LogNorm

    return LogNorm(LEAST_COST, MOST_COST, clip=True)


def _reds() -> Any:
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("leaks", ["#FDF0E6", "#F5B183", EMPHASIS, "#A83A00"])


def _draw_section(axes: Axes, section: str, rows: Mapping[str, Sequence[Sequence[Any]]], norm: LogNorm) -> None:
    import numpy as np
    from matplotlib.colors import to_rgba

    costs = np.array([[cost for _, cost in line] for line in rows.values()])
    leaks = costs > LEAST_COST
    faces = np.where(leaks[:, :, None], _reds()(norm(costs)), to_rgba(PAPER))
    axes.pcolormesh(np.arange(11), np.arange(len(rows) + 1), faces, edgecolors="#CCCCCC", linewidth=0.5)
    for height, (label, line) in enumerate(rows.items()):
        _write(axes, -0.6, height, label)
        for column, (letter, _) in enumerate(line):
            ink: Any = {"color": INK} if leaks[height, column] else {}
            _write(axes, column + 0.5, height, letter, **ink)
    for column, value in enumerate(VALUES):
        _write(axes, column + 0.5, len(rows), value, fontweight="bold")
    _write(axes, -0.6, len(rows), section, fontweight="bold")
    axes.set_xlim(-1.2, 10.05)
    axes.set_ylim(-0.05, len(rows) + 1)
    axes.axis("off")


def _write(axes: Axes, x: float, row: int, text: str, **look: Any) -> None:
    """A word in a chart, out of the layout's sight: it would measure every letter of every chart twice."""
    axes.text(x, row + 0.47, text, ha="center", va="center", fontsize=8, **look).set_in_layout(False)


def learning_figure(lines: Sequence[Line], optimum: float) -> Figure:
    """The exact EV of the observed best by generation, a line for every evolution, and one for the optimum."""
    figure = new_figure(8.5, 5)
    axes: Axes = figure.subplots()
    for label, colour, records in lines:
        if records:
            axes.plot(
                [record["generation"] + 1 for record in records],
                [record["exact"] for record in records],
                color=colour,
                linewidth=1.8,
                label=label,
            )
    axes.axhline(optimum, color=INK, linewidth=1.2, linestyle="--", label=f"the exact optimum ({optimum:+.5f})")
    count_along_decades(axes)
    axes.set_xlabel("generation")
    axes.set_ylabel("exact EV per bet of the observed best")
    axes.set_ylim(bottom=max(axes.get_ylim()[0], -0.5))
    axes.grid(alpha=0.3)
    legend_below(figure, axes, columns=2)
    return figure


def search_figure(searches: Sequence[Mapping[str, Any]], basic: float) -> Figure:
    """Regret by simulations a decision: measured on common cards, and the exact cost of decisions before a split."""
    figure = new_figure(7.5, 4.6)
    axes: Axes = figure.subplots()
    budgets = [each["simulations"] for each in searches]
    regrets = [each["regret"] for each in searches]
    errors = [2 * each["stderr"] for each in searches]
    axes.errorbar(
        budgets, regrets, yerr=errors, fmt="^-", color=EMPHASIS, capsize=4, label="regret on common cards, ± 2 s.e."
    )
    costs = [each["judged"]["value"] for each in searches]
    spread = [2 * each["judged"]["stderr"] for each in searches]
    axes.errorbar(
        budgets,
        costs,
        yerr=spread,
        fmt="o--",
        color="#0072B2",
        capsize=4,
        label="of which decisions before a split, each judged exactly",
    )
    axes.axhline(basic, color=INK, linewidth=1.2, linestyle="--", label=f"basic strategy ({basic:.6f})")
    axes.set_xscale("log")
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()
    axes.set_xlabel("simulations a decision")
    axes.set_ylabel("bets lost per round against the optimum")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    legend_below(figure, axes, columns=2)
    return figure


def duels_figure(duels: Sequence[Mapping[str, Any]]) -> Figure:
    """What every evolved player wins from whom, mBB per hand with 95 % intervals, a panel per setting."""
    settings = list(dict.fromkeys(each["setting"] for each in duels))
    counts = [sum(each["setting"] == setting for each in duels) for setting in settings]
    figure = new_figure(8.5, 0.34 * len(duels) + 1.9)
    panels = figure.subplots(len(settings), 1, height_ratios=counts, squeeze=False)[:, 0]
    colours = ("#0072B2", LETTER_COLOURS["H"])
    for axes, setting in zip(panels, settings, strict=True):
        mine = [each for each in duels if each["setting"] == setting][::-1]
        players = list(dict.fromkeys(each["player"] for each in mine))[::-1]
        for at, each in enumerate(mine):
            won = each["mbb_per_hand"]
            low, high = (won["value"] if end is None else end for end in (won["low"], won["high"]))
            colour = colours[players.index(each["player"]) % 2]
            axes.barh(at, won["value"], color=colour, height=0.7)
            axes.plot([low, high], [at, at], color=INK, linewidth=1.4)
        axes.set_yticks(range(len(mine)), [f"{each['player']} v {each['opponent']}" for each in mine], fontsize=9)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_title(setting, fontsize=11)
        axes.grid(alpha=0.3, axis="x")
    panels[-1].set_xlabel("mBB won per hand")
    return figure
