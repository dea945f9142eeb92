"""Solve the game: the exact optimum, and the best chart by total."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from holecard.blackjack.exact import optimum, score, solve
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, PartId, Result
from holecard.studies.race.rows import Origin, Way, as_json, row_of_chart, row_of_optimum

BEST_CHART: Final = "best chart"
_SECONDS: Final = 2
_EXCEPTIONS: Final = 20
"""Hands listed that the optimum plays otherwise than the best chart."""


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    return [Part(id=PartId.SOLVE, title="solve the game exactly", weight=_SECONDS, run=_run)]


def _run(context: RaceContext) -> Result:
    rules = context.config.rules
    optimum(rules).strategy()  # once before the clock starts: kernels are loaded then, and others use it
    start = time.process_time()
    solution = solve(rules)
    solved = time.process_time() - start
    chart = solution.strategy()
    charted = time.process_time() - start
    origin = Origin(name=BEST_CHART, way=Way.SOLVED, seconds=charted)
    return {
        "rows": as_json([row_of_optimum(solution.ev, solved), row_of_chart(origin, chart, score(chart, rules))]),
        "ev": solution.ev,
        "stdev": solution.stdev,
        "exceptions": [str(departure) for departure in solution.exceptions()[:_EXCEPTIONS]],
    }
