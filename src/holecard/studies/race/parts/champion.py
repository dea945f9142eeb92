"""Record what a shipped hold'em champion does, decision by decision, so that a report can show how it adapts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from holecard.holdem.arena.adaptation import Trace, traces
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.named import player_named
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, PartId, Result

SETTING: Final = "paper"
"""The setting whose champion is recorded: it was evolved for longest."""
HANDS: Final = 200
"""Hands against each opponent."""
_SECONDS: Final = 3


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    return [Part(id=PartId.CHAMPION, title=f"record champion:{SETTING}", weight=_SECONDS, run=_run)]


def _run(context: RaceContext) -> Result:
    config, player = NeuroevolutionConfig.preset(SETTING), player_named(f"champion:{SETTING}")
    recorded = []
    for done, opponent in enumerate(config.opponents, 1):
        recorded += traces(player, (opponent,), config.rules, hands=HANDS)
        context.tell(done / len(config.opponents), f"against {opponent}")
    return {
        "rows": [],
        "player": player.name,
        "command": str(Champion.shipped(SETTING).card["command"]),
        "traces": [trace_json(trace) for trace in recorded],
    }


def trace_json(trace: Trace) -> dict[str, Any]:
    """A trace as plain JSON; `trace_from_json` reads back the same numbers, to the last bit."""
    return {
        "opponent": trace.opponent,
        "hand": trace.hand.tolist(),
        "street": trace.street.tolist(),
        "equity": trace.equity.tolist(),
        "action": trace.action.tolist(),
        "state": [[float(str(number)) for number in row] for row in trace.state],  # nine digits hold a float32
    }


def trace_from_json(plain: dict[str, Any]) -> Trace:
    """The trace that `trace_json` wrote."""
    return Trace(
        opponent=plain["opponent"],
        hand=np.array(plain["hand"], np.int64),
        street=np.array(plain["street"], np.int64),
        equity=np.array(plain["equity"], np.float64),
        action=np.array(plain["action"], np.int64),
        state=np.array(plain["state"], np.float32),
    )
