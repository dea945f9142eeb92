"""Evolve hold'em players, a part for every setting."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Final

from holecard.studies import neuroevolution
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, PartId, Result, name_of

_SECONDS: Final = 2
"""Start, and the champion's scores."""
_SECONDS_A_PLAYER: Final = 5e-3
"""In one generation."""


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part for every setting."""
    weight = _SECONDS + _SECONDS_A_PLAYER * config.players * config.holdem_generations
    return [
        Part(
            id=PartId.HOLDEM,
            variant=setting,
            title=f"evolve hold'em players, {setting}",
            weight=weight,
            run=partial(_run, setting=setting),
        )
        for setting in config.settings
    ]


def _run(context: RaceContext, setting: str) -> Result:
    config, folder = context.config.neuroevolutions[setting], context.path / name_of(PartId.HOLDEM, setting)
    start = time.process_time()
    outcome = neuroevolution.run(
        config,
        folder,
        resume=context.has_begun(folder.name),
        threads=context.threads,
        executor=context.executor,
        observer=context.observer,
    )
    return {
        "rows": [],
        "run": folder.name,
        "setting": setting,
        "generations": outcome.generations,
        "best": outcome.best,
        "command": config.command,
        "scores": outcome.champion.card["scores"],
        "cpu_seconds": time.process_time() - start,
    }
