"""What the parts that evolve a strategy have in common: the run, its winner's row, and the verdict on it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from holecard.blackjack.exact import score
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import PartId, Result
from holecard.studies.race.rows import Origin, Way, as_json, row_of_chart


def evolve(
    context: RaceContext, part: PartId, study: Any, run_study: Callable[..., Any], *, row: str, used: int, unit: str
) -> Result:
    """Run a study in the part's folder and score its winner.

    `run_study` is the study's own: of `GeneticStudy` or of `ProgramStudy`; both answer with a winner, a verdict and the
    number of generations. The winner's row is called `row`; finding it used so many of a unit.
    """
    run = context.run_directory(part, study.options())
    start = time.process_time()
    outcome = run_study(
        study,
        run,
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
