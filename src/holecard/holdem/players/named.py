"""Players as people name them: `smart`, `champion:paper`, a champion file, a run directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from holecard.errors import FileProblem
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.lstm import pack
from holecard.holdem.players.presets import Preset, preset_named
from holecard.holdem.players.record import network_record, rule_record
from holecard.holdem.players.rule_players import RULE_PLAYERS, RulePlayer, rule_player_named

_SHIPPED: Final = "champion:"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NamedPlayer:
    """A player by name, as duels and sessions play it; `seated` gives it a seat beside people."""

    name: str
    """What people call it."""
    record: NDArray[Any]
    """A `PLAYER` record, shape (); copied for every session."""
    preset: Preset | None
    """The preset a champion was made for; None for rule players, who play in any."""

    @classmethod
    def of_rule_player(cls, player: RulePlayer) -> NamedPlayer:
        """A rule player."""
        return cls(name=player.title, record=rule_record(player), preset=None)

    @classmethod
    def of_champion(cls, champion: Champion, name: str) -> NamedPlayer:
        """An evolved player."""
        network = pack(champion.genome[None], champion.layout)[0]
        return cls(name=name, record=network_record(network), preset=preset_named(champion.layout.preset))


def player_named(name: str) -> NamedPlayer:
    """The player of that name, champion file or run directory.

    >>> player_named("smart").preset is None
    True
    """
    if name in RULE_PLAYERS:
        return NamedPlayer.of_rule_player(RULE_PLAYERS[name])
    if name.startswith(_SHIPPED):
        return NamedPlayer.of_champion(Champion.shipped(name.removeprefix(_SHIPPED)), name)
    path = Path(name)
    if path.is_dir():
        if not (path / CHAMPION).exists():
            raise FileProblem(f"{path} has no {CHAMPION}: the run is not finished, or none")
        return NamedPlayer.of_champion(Champion.load(path / CHAMPION), name)
    if path.exists() or path.suffix == ".safetensors":
        return NamedPlayer.of_champion(Champion.load(path), name)
    return NamedPlayer.of_rule_player(rule_player_named(name))
