"""Evolve charts of hit and stand whose fitness is sampled hands: the 260-bit algorithm, tuned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.evolving import evolve
from holecard.studies.race.part import Part, PartId, Result

_SECONDS: Final = 2
"""Start, verdict and score."""
_SECONDS_A_HAND: Final = 1e-7


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    weight = _SECONDS + _SECONDS_A_HAND * config.population * config.bits_generations * config.bits_hands
    return [Part(id=PartId.BITS, title="evolve bits on sampled hands", weight=weight, run=_run)]


def _run(context: RaceContext) -> Result:
    study = context.config.bits
    hands = study.population * study.generations * study.hands
    return evolve(context, PartId.BITS, study, row="evolved bits", used=hands, unit="hands")
