"""Evolve ten programs that vote, one per upcard, whose fitness is exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holecard.blackjack.game.shoe import VALUES
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.evolving import evolve
from holecard.studies.race.part import Part, PartId, Result

_SECONDS: Final = 1
"""Start, verdict and score."""
_SECONDS_A_TREE: Final = 3e-4
"""For one tree of every upcard."""


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    weight = _SECONDS + _SECONDS_A_TREE * config.programs * config.programs_generations
    return [Part(id=PartId.TREES, title="evolve programs that vote", weight=weight, run=_run)]


def _run(context: RaceContext) -> Result:
    study = context.config.trees
    trees = len(VALUES) * study.population * study.generations
    return evolve(context, PartId.TREES, study, row="evolved trees", used=trees, unit="programs")
