"""Let Monte Carlo tree search play the common cards, a part for every budget."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.measured import decisions_json, measured_row
from holecard.studies.race.part import Part, PartId, Result
from holecard.studies.race.rows import Origin, Way, as_json

_AGENT: Final = "mcts"
_SECONDS_A_ROUND: Final = 1e-4
_SECONDS_A_SIMULATION: Final = 3e-7
"""Of every round, for one more simulation to a decision."""


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part for every budget."""
    return [
        Part(
            id=PartId.SEARCH,
            variant=str(budget),
            title=f"search with {budget:,} simulations",
            weight=config.rounds * (_SECONDS_A_ROUND + _SECONDS_A_SIMULATION * budget),
            run=partial(_run, budget=budget),
        )
        for budget in config.budgets
    ]


def _run(context: RaceContext, budget: int) -> Result:
    judgement = context.judge(_AGENT, context.config.searches[budget])
    origin = Origin(
        name=f"mcts, {budget:,} simulations",
        way=Way.SEARCHED,
        used=budget,
        unit="simulations a decision",
        seconds=judgement.thought,
    )
    return {
        "rows": as_json([measured_row(context, judgement, origin)]),
        "simulations": budget,
        **decisions_json(judgement),
    }
