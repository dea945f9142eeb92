"""What the parts that evolve a strategy have in common: the run, its winner's row, and the verdict on it."""

from __future__ import annotations

import time

from holecard.blackjack.exact import score
from holecard.studies.dispatch import run
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.programs_config import ProgramConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import PartId, Result
from holecard.studies.race.rows import Origin, Way, as_json, row_of_chart


def evolve(
    context: RaceContext, part: PartId, config: GeneticConfig | ProgramConfig, *, row: str, used: int, unit: str
) -> Result:
    """Run a study in the part's folder and score its winner.

    The winner's row is called `row`; finding it used so many of a unit.
    """
    start = time.process_time()
    outcome = run(
        config,
        context.path / part,
        resume=context.has_begun(part),
        threads=context.threads,
        executor=context.executor,
        observer=context.observer,
    )
    origin = Origin(name=row, way=Way.EVOLVED, used=used, unit=unit, seconds=time.process_time() - start)
    winner = row_of_chart(origin, outcome.winner, score(outcome.winner, context.config.rules))
    return {
        "rows": as_json([winner]),
        "run": str(part),
        "verdict": outcome.verdict.as_dict(),
        "generations": outcome.generations,
    }
