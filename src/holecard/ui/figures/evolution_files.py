"""The files that an evolution leaves beside its records: every figure as PNG and SVG, and the animation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.game.wording import in_words
from holecard.evolve.run_directory import RunDirectory
from holecard.studies.genetic import GeneticOutcome
from holecard.studies.programs import ProgramOutcome
from holecard.studies.records import GENETIC, PROGRAMS
from holecard.ui.figures.canvas import save
from holecard.ui.figures.chart import chart_figure
from holecard.ui.figures.evolution import animate_consensus, consensus_figure, fitness_figure
from holecard.ui.figures.programs import evolution_figure, grid_figure, tree_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_genetic(outcome: GeneticOutcome) -> None:
    """Draw fitness, consensus (plain, and with disagreement outlined), the winner's chart and the animation."""
    config, run, verdict = outcome.config, outcome.run, outcome.verdict
    records, encoding = run.history.records(GENETIC), config.encoding
    what = f"{config.actions}, {in_words(config.rules)}, seed {config.seed}"
    title = "Strategy consensus of the final population"
    best = encoding.genome(outcome.best)
    _save(
        fitness_figure(records, verdict.optimum, verdict.measure, f"Fitness over generations: {what}"), run, "fitness"
    )
    _save(consensus_figure(outcome.consensus, encoding, title), run, "consensus")
    _save(consensus_figure(outcome.consensus, encoding, title, against=best), run, "disagreement")
    winner = f"Winner: {verdict.measure} {verdict.exact:.6f} exactly ({verdict.observed:.4f} as observed)"
    _save(chart_figure(outcome.winner, winner), run, "winner")
    run.write("consensus.gif", animate_consensus(records, encoding, "Consensus of the population"))


def draw_programs(outcome: ProgramOutcome) -> None:
    """Draw fitness, the result grid and a tree for every upcard."""
    config, run, verdict = outcome.config, outcome.run, outcome.verdict
    what = f"{in_words(config.rules)}, seed {config.seed}"
    figure = evolution_figure(run.history.records(PROGRAMS), verdict.optimum, f"Ten voting programs: {what}")
    _save(figure, run, "fitness")
    _save(grid_figure(outcome.winner, f"Ten voting programs: EV {verdict.exact:+.6f} exactly"), run, "grid")
    for name, program in zip(VALUES, outcome.programs, strict=True):
        title = f"The program against {name}: {len(program)} nodes"
        save(tree_figure(program, title), run.path / f"tree-{name}.svg")


def _save(figure: Figure, run: RunDirectory, name: str) -> None:
    for ending in ("png", "svg"):
        save(figure, run.path / f"{name}.{ending}")
