"""Record what a shipped hold'em champion does, decision by decision, so that a report can show how it adapts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holecard.holdem.arena.adaptation import traces
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
        "traces": [trace.as_dict() for trace in recorded],
    }
