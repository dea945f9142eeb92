"""What a run's champion does, decision by decision: played once, kept in the run's folder, drawn from there."""

from __future__ import annotations

import json
from typing import Final

from holecard.errors import FileProblem
from holecard.evolve.history import NUMBER, misfit
from holecard.evolve.run_directory import RunDirectory
from holecard.files import read_json
from holecard.holdem.arena.adaptation import Trace, traces
from holecard.holdem.players.named import player_named
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

TRACES: Final = "traces.json"
_HANDS: Final = 200
"""Hands against each opponent, at most."""
_SHAPE: Final = {
    "opponent": str,
    "hand": [int],
    "street": [int],
    "action": [int],
    "equity": [NUMBER],
    "state": [[NUMBER]],
}


def recorded_traces(run: RunDirectory) -> list[Trace]:
    """The traces of the champion of a finished run: those in its folder, else they are played and written there."""
    path = run.path / TRACES
    if not path.exists():
        played = _played(run)
        run.write(TRACES, json.dumps([trace.as_dict() for trace in played], allow_nan=False) + "\n")
        return played
    found = read_json(path)
    problem = misfit(found, [_SHAPE], "the file")
    if problem:
        raise FileProblem(f"{path} is damaged: {problem}; remove it and it is made again")
    return [Trace.from_dict(each) for each in found]


def _played(run: RunDirectory) -> list[Trace]:
    config = NeuroevolutionConfig.from_options(run.options)
    champion = player_named(str(run.path))
    return traces(champion, config.opponents, config.rules, hands=min(_HANDS, config.hands))
