"""Pictures of counting: what each count brings and what is bet on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from holecard.ui.figures.canvas import legend_below, new_figure, save
from holecard.ui.palette import EMPHASIS, INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from holecard.blackjack.counting.race import RacedCounter
    from holecard.blackjack.counting.ramp import Ramp

_BARS = "#0072B2"
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999")
_RARE = 1e-4
"""Counts that come up less often are left out."""


def save_ramp(ramp: Ramp, title: str, path: Path) -> None:
    """EV by count with its error above, share of rounds and bets below, both over the same counts."""
    rows = [row for row in ramp.by_count() if row["share"] >= _RARE]
    counts = [row["count"] for row in rows]
    figure = new_figure(width=9.0, height=6.4)
    above, below = figure.subplots(2, 1, sharex=True)
    above.errorbar(
        counts,
        [100 * row["ev"] for row in rows],
        yerr=[200 * row["stderr"] for row in rows],
        fmt="o-",
        color=_BARS,
        markersize=4,
        capsize=2,
    )
    above.axhline(0.0, color=INK, linewidth=0.8)
    above.set_ylabel("EV of a unit, %")
    below.bar(counts, [100 * row["share"] for row in rows], color=_BARS, alpha=0.6)
    below.set_ylabel("share of rounds, %", color=_BARS)
    below.set_xlabel("count before the deal")
    below.set_xticks(counts[:: 1 if len(counts) <= 25 else 2])
    bets: Any = below.twinx()
    bets.step(counts, [row["bet"] for row in rows], where="mid", color=EMPHASIS, linewidth=2)
    bets.set_ylabel("bet, units", color=EMPHASIS)
    bets.set_ylim(bottom=0)
    words = (
        f"EV {ramp.ev.mean:+.4f} ± {ramp.ev.stderr:.4f} a round, SCORE {ramp.score.mean:.1f} ± {ramp.score.stderr:.1f}"
    )
    figure.suptitle("\n".join([*wrap(title, 84), words]), fontsize=11)
    save(figure, path)


def save_shoes(rows: list[dict[str, Any]], title: str, path: Path) -> None:
    """The exact EV of the best play of the cards left, round by round: how the edge spreads as shoes go down."""
    known = [row for row in rows if row["ev_best"] is not None]
    figure = new_figure(width=9.0, height=5.0)
    axes: Any = figure.subplots()
    for shoe in sorted({row["shoe"] for row in known}):
        points = [row for row in known if row["shoe"] == shoe]
        dealt = [points[0]["cards_left"] - row["cards_left"] for row in points]
        faint = 0.25 if len(known) > 1500 else 0.7
        axes.plot(dealt, [100 * row["ev_best"] for row in points], linewidth=1.0, alpha=faint, color=_BARS)
    axes.axhline(0.0, color=INK, linewidth=0.8)
    axes.set_xlabel("cards dealt")
    axes.set_ylabel("exact EV of the next round, %")
    figure.suptitle("\n".join(["The edge as shoes go down", *wrap(title, 84)]), fontsize=11)
    save(figure, path)


def save_race(counters: Sequence[RacedCounter], title: str, path: Path) -> None:
    """Draw `race_figure` into a file."""
    save(race_figure(counters, title), path)


def race_figure(counters: Sequence[RacedCounter], title: str) -> Figure:
    """A bar for each counter's SCORE with its error, the perfect one last."""
    figure = new_figure(width=9.0, height=0.42 * len(counters) + 1.6)
    axes: Any = figure.subplots()
    for at, counter in enumerate(counters):
        colour = EMPHASIS if counter.name == "perfect" else _BARS
        length = max(counter.score.mean, 0.0)
        axes.barh(at, length, xerr=2 * counter.score.stderr if length else None, color=colour, alpha=0.8, capsize=3)
        words = f"{100 * counter.share.mean:.0f} %" if length else "loses"
        axes.text(length + 2.4 * counter.score.stderr if length else 0.3, at, f" {words}", va="center", fontsize=9)
    axes.set_yticks(range(len(counters)), [counter.name for counter in counters])
    axes.invert_yaxis()
    axes.margins(x=0.1)
    axes.set_xlabel("SCORE (two standard errors), and the share of the perfect counter's")
    figure.suptitle("\n".join(wrap(title, 84)), fontsize=11)
    return figure


def edges_figure(counters: Sequence[RacedCounter], title: str) -> Figure:
    """The EV of a unit by count, a line with its errors for each counter."""
    figure = new_figure(width=9.0, height=5.4)
    axes: Any = figure.subplots()
    for colour, counter in zip(cycle(_COLOURS), counters, strict=False):
        rows = [row for row in counter.counts if row["share"] >= _RARE]
        axes.errorbar(
            [row["count"] for row in rows],
            [100 * row["ev"] for row in rows],
            yerr=[200 * row["stderr"] for row in rows],
            label=counter.name,
            color=colour,
            linewidth=1.2,
            capsize=2,
        )
    axes.axhline(0.0, color=INK, linewidth=0.8)
    axes.set_xlabel("count before the deal")
    axes.set_ylabel("EV of a unit, % (two standard errors)")
    legend_below(figure, axes)
    figure.suptitle("\n".join(wrap(title, 84)), fontsize=11)
    return figure


def bets_by_count_figure(counters: Sequence[RacedCounter], title: str) -> Figure:
    """The best bets by count, a line of steps for each counter."""
    figure = new_figure(width=9.0, height=5.0)
    axes: Any = figure.subplots()
    for colour, counter in zip(cycle(_COLOURS), counters, strict=False):
        rows = [row for row in counter.counts if row["share"] >= _RARE]
        counts = [row["count"] for row in rows]
        axes.step(counts, [row["bet"] for row in rows], where="mid", label=counter.name, color=colour, linewidth=1.4)
    axes.set_xlabel("count before the deal")
    axes.set_ylabel("bet, units")
    axes.set_ylim(bottom=0)
    legend_below(figure, axes)
    figure.suptitle("\n".join(wrap(title, 84)), fontsize=11)
    return figure
