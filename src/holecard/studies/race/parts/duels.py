"""Duel the hold'em players evolved here and the shipped champions, against rule players and against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from holecard.estimate import finite
from holecard.holdem.arena.duel import Duel, duel
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, PartId, Result, name_of

SETTINGS: Final = ("pokernet", "paper")
"""Settings that a champion is shipped for, in the order of the duels."""
STYLE: Final = ("vpip", "pfr", "af", "wsd", "wsdw")
"""What the result keeps of how a player plays."""
_SECONDS_A_HAND: Final = 3e-4


class _Meeting(NamedTuple):
    setting: str
    player: NamedPlayer
    opponent: NamedPlayer


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    weight = _SECONDS_A_HAND * config.duel_hands
    return [Part(id=PartId.DUELS, title="duel hold'em players", weight=weight, run=_run)]


def _run(context: RaceContext) -> Result:
    config = context.config
    meetings = [meeting for setting in SETTINGS for meeting in _meetings(context, setting)]
    duels = []
    for done, (setting, player, opponent) in enumerate(meetings, 1):
        rules = NeuroevolutionConfig.preset(setting, hands=config.hands).rules
        result = duel(player, opponent, rules, hands=config.duel_hands, seed=config.seed, threads=context.threads)
        duels.append({"setting": setting, **_duel_json(result)})
        context.tell(done / len(meetings), f"{player.name} against {opponent.name}")
    return {"rows": [], "duels": duels}


def _meetings(context: RaceContext, setting: str) -> list[_Meeting]:
    """Everybody evolved for a setting against its rule players; those of this race against the shipped champion too."""
    shipped = player_named(f"champion:{setting}")
    evolved = []
    if setting in context.config.settings:
        winner = player_named(str(context.path / name_of(PartId.HOLDEM, setting)))
        evolved.append(NamedPlayer(name=f"evolved here, {setting}", record=winner.record, preset=winner.preset))
    opponents = [player_named(name) for name in NeuroevolutionConfig.preset(setting).opponents]
    meetings = [_Meeting(setting, player, opponent) for player in (*evolved, shipped) for opponent in opponents]
    return meetings + [_Meeting(setting, player, shipped) for player in evolved]


def _duel_json(result: Duel) -> Result:
    style = result.statistics(0)
    return {
        "player": result.names[0],
        "opponent": result.names[1],
        "hands": result.hands,
        "mbb_per_hand": result.mbb_per_hand.interval_as_json(),
        "of_best": None if result.of_best is None else result.of_best.interval_as_json(),
        "style": {name: finite(getattr(style, name)) for name in STYLE},
    }
