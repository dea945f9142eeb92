"""Figures of evolved counters, drawn from their records: fitness, tags by generation, bets, a bankroll's path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.game.wording import in_words
from holecard.studies.counter import CounterOutcome
from holecard.studies.counter_genome import BAND_NAMES, Counter
from holecard.studies.records import COUNTER
from holecard.ui.figures.canvas import count_along, legend_below, new_figure, save
from holecard.ui.figures.chart import chart_figure
from holecard.ui.figures.evolution import animate_consensus, consensus_figure
from holecard.ui.palette import EMPHASIS, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Records = Sequence[Mapping[str, Any]]
_BLUE, _GREEN, _GREY = "#0072B2", "#009E73", "#999999"
_TAG_COLOURS: Final = "RdBu"
"""Red is −1, white 0, blue +1."""
COUNTER_CURVES: Final = (
    ("best", "best, as observed", EMPHASIS, "-"),
    ("mean", "mean, as observed", _BLUE, "-"),
    ("worst", "worst, as observed", _GREY, "-"),
    ("expected", "the observed best, expected", EMPHASIS, "--"),
    ("expected_consensus", "the consensus, expected", _GREEN, "--"),
)
"""Field of a record, label, colour and line of every curve."""


def draw_counter(outcome: CounterOutcome) -> None:
    """Draw fitness, consensus, tags, bets, bankrolls, the winner's chart and the animation into the run's folder."""
    config, run, verdict = outcome.config, outcome.run, outcome.verdict
    records, encoding = run.history.records(COUNTER), config.encoding
    what = f"{in_words(config.game)}, seed {config.seed}"
    shown = [{**record, "exact_consensus": record["expected_consensus"]} for record in records]
    figures = {
        "fitness": counter_fitness_figure(
            records, verdict.optimum, verdict.flat, f"294 bits: {what}", observed=not config.guidance
        ),
        "tags": tags_figure(records, _references(outcome), "Evolved tags beside Hi-Lo and the best count"),
        "bets": bets_figure(outcome.winner, outcome.best),
        "bankroll": bankroll_figure(outcome),
        "consensus": consensus_figure(outcome.consensus, encoding, "Play of the final population"),
        "disagreement": consensus_figure(
            outcome.consensus, encoding, "Play of the final population", against=encoding.genome(outcome.best.chart)
        ),
        "winner": chart_figure(outcome.winner.chart, f"Winner: EV of a bet {verdict.play_ev:+.6f} exactly"),
    }
    for name, figure in figures.items():
        for ending in ("png", "svg"):
            save(figure, run.path / f"{name}.{ending}")
    run.write("consensus.gif", animate_consensus(shown, encoding, "Play of the population; units expected at the end"))


def _references(outcome: CounterOutcome) -> dict[str, tuple[Sequence[float], float]]:
    """Columns beside the evolved tags: name, tags and betting correlation."""
    known = outcome.correlations
    return {
        "winner": (outcome.winner.tags, known["evolved"]),
        "Hi-Lo": ([float(tag) for tag in SYSTEMS["Hi-Lo"].tags], known["Hi-Lo"]),
        "best": (outcome.best_tags, known["best"]),
    }


def counter_fitness_figure(
    records: Records, optimum: float, flat: float, title: str, *, observed: bool = True
) -> Figure:
    """Units left by generation, observed (solid) and expected (dashed); the best counter and flat bets as lines.

    Where fitness has more in it than units it is not `observed`.
    """
    figure = new_figure(width=9.5, height=5.8)
    axes: Any = figure.subplots()
    generations = [record["generation"] for record in records]
    for name, label, colour, line in COUNTER_CURVES if observed else COUNTER_CURVES[3:]:
        axes.plot(generations, [record[name] for record in records], line, label=label, color=colour, linewidth=1.7)
    axes.axhline(optimum, color=INK, linewidth=1.2, label=f"the best counter, expected ({optimum:,.1f})")
    axes.axhline(flat, color=INK, linewidth=1.2, linestyle=":", label=f"the best chart, one unit always ({flat:,.1f})")
    axes.set_title("\n".join(wrap(title, 88)))
    axes.set_xlabel("Generation")
    axes.set_ylabel("Units after a session")
    axes.set_xlim(0, max(len(records) - 1, 1))
    axes.grid(alpha=0.3)
    count_along(axes)
    legend_below(figure, axes)
    return figure


def tags_figure(records: Records, references: Mapping[str, tuple[Sequence[float], float]], title: str) -> Figure:
    """Tags by generation, of the observed best and on average, beside the tags of `references` with correlations."""
    figure = new_figure(width=11.5, height=6.4)
    panels: Any = figure.subplot_mosaic([["best", "known"], ["mean", "known"]], width_ratios=[3.2, 1.0])
    above, below, beside = panels["best"], panels["mean"], panels["known"]
    _tag_picture(above, np.array([record["tags"] for record in records]).T, "Tags of the observed best")
    _tag_picture(below, np.array([record["mean_tags"] for record in records]).T, "Mean tags of the population")
    below.set_xlabel("Generation")
    count_along(above, below)
    columns = np.array([tags for tags, _ in references.values()], np.float64).T
    picture = _tag_picture(beside, columns, "Betting correlation")
    for (row, column), tag in np.ndenumerate(columns):
        beside.text(column, row, f"{tag:+g}" if tag else "0", ha="center", va="center", color=PAPER if tag else INK)
    labels = [f"{name}\n{correlation:.3f}" for name, (_, correlation) in references.items()]
    beside.set_xticks(range(len(labels)), labels)
    bar = figure.colorbar(picture, ax=beside, shrink=0.7, ticks=(-1, 0, 1))
    bar.set_label("what a seen card adds")
    figure.suptitle(title, fontsize=13)
    return figure


def _tag_picture(axes: Any, tags: Any, title: str) -> Any:
    picture = axes.imshow(tags, cmap=_TAG_COLOURS, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    axes.set_yticks(range(len(VALUES)), VALUES)
    axes.set_title(title, fontsize=10)
    return picture


def bets_figure(winner: Counter, best: Counter) -> Figure:
    """Units by band of the true count: the winner's and those of the best counter."""
    figure = new_figure(width=7.0, height=3.6)
    axes: Any = figure.subplots()
    places = np.arange(len(BAND_NAMES))
    for shift, counter, label, colour in ((-0.2, winner, "winner", EMPHASIS), (0.2, best, "best counter", _BLUE)):
        bars = axes.bar(places + shift, counter.bets, 0.38, label=label, color=colour)
        axes.bar_label(bars, fontsize=9)
    axes.set_xticks(places, BAND_NAMES)
    axes.set_xlabel("True count before the deal")
    axes.set_ylabel("Bet, units")
    axes.set_ylim(0, 9)
    axes.legend(frameon=False)
    figure.suptitle("Bets by the count", fontsize=12)
    return figure


def bankroll_figure(outcome: CounterOutcome) -> Figure:
    """The winner's bankroll, hand by hand, in fresh sessions, with what it may expect."""
    paths, config, verdict = outcome.paths, outcome.config, outcome.verdict
    figure = new_figure(width=9.5, height=4.8)
    axes: Any = figure.subplots()
    hands = np.arange(paths.shape[1])
    for at, path in enumerate(paths[1:]):
        label = f"{len(paths) - 1} more" if at == 0 else None
        axes.plot(hands, path, color=_GREY, linewidth=0.6, alpha=0.6, label=label)
    axes.plot(hands, paths[0], color=EMPHASIS, linewidth=1.6, label="a session")
    expected = config.bankroll, verdict.expected
    axes.plot((0, config.hands), expected, color=INK, linestyle="--", label=f"expected ({verdict.expected:,.1f})")
    axes.set_xlabel("Hand")
    axes.set_ylabel("Bankroll, units")
    axes.set_xlim(0, config.hands)
    axes.grid(alpha=0.3)
    legend_below(figure, axes)
    fresh = verdict.fresh
    figure.suptitle(
        f"The winner in fresh sessions: {fresh.mean:,.1f} ± {fresh.stderr:.1f} at the end, deviation "
        f"{verdict.deviation:,.0f} (n={fresh.n:,})",
        fontsize=11,
    )
    return figure
