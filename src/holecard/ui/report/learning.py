"""Pictures of evolutions: all of them in one, and the fitness of one of them by generation."""

from __future__ import annotations

from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.figures import race
from holecard.ui.figures.evolution import CURVES, fitness_figure
from holecard.ui.report.commands import Commands
from holecard.ui.report.part_report import Curve
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def learning_picture(results: RaceResults, commands: Commands, curves: dict[PartId, Curve]) -> Picture:
    """The exact value of the best of every generation, a line for every evolution."""
    lines = [(curve.label, curve.colour, results.history(part)) for part, curve in curves.items()]
    return Picture(
        name="learning",
        section=Section.LEARNING,
        title="Three evolutions",
        caption="The best of every generation as it was observed, at its exact value. Bits can only hit and stand and "
        "programs cannot split, so neither reaches the optimum; letters can.",
        command=commands.race,
        figure=race.learning_figure(lines, results.of(PartId.SOLVE)["ev"]),
        header=("run", "generation", "exact"),
        rows=[[part, each["generation"], each["exact"]] for part in curves for each in results.history(part)],
    )


def fitness_picture(results: RaceResults, part: PartId, title: str, command: str) -> Picture:
    """Fitness by generation, as observed and exact."""
    verdict, records = results.of(part)["verdict"], results.history(part)
    names = [name for name, *_ in CURVES]
    return Picture(
        name=f"learning-{part}",
        section=Section.LEARNING,
        title=title,
        caption=f"Fitness by generation, observed and exact. The winner was observed at {verdict['observed']:+.5f} "
        f"and is worth {verdict['exact']:+.5f}: a winner's curse of {verdict['gap']:.5f}.",
        command=command,
        figure=fitness_figure(records, verdict["optimum"], verdict["measure"], title),
        header=("generation", *names),
        rows=[[each["generation"], *(each[name] for name in names)] for each in records],
    )
