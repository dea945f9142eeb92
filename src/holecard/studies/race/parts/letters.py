"""Evolve charts of all letters whose fitness is exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.evolving import evolve
from holecard.studies.race.part import Part, PartId, Result

_SECONDS: Final = 1
"""Start, verdict and score."""
_SECONDS_A_CHART: Final = 1.5e-3


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    weight = _SECONDS + _SECONDS_A_CHART * config.population * config.letters_generations
    return [Part(id=PartId.LETTERS, title="evolve letters on exact values", weight=weight, run=_run)]


def _run(context: RaceContext) -> Result:
    study = context.config.letters
    charts = study.population * study.generations
    return evolve(context, PartId.LETTERS, study, row="evolved letters", used=charts, unit="tables")
