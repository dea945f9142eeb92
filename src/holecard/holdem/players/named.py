"""Players as people name them: `smart`, `best:smart`, `champion:paper`, `equilibrium`, a file, a run directory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from holecard.errors import FileProblem, SettingError, unknown_name
from holecard.holdem.equilibrium.blueprint_file import BLUEPRINT, StoredBlueprint
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.equilibrium import EQUILIBRIUM, policy_of_blueprint, shipped_policy
from holecard.holdem.players.lstm import pack
from holecard.holdem.players.policy import Policy, seat_of_policy
from holecard.holdem.players.presets import Preset, preset_named
from holecard.holdem.players.record import network_record, rule_record
from holecard.holdem.players.rule_players import RULE_PLAYERS, RulePlayer
from holecard.holdem.players.thinking import Thinker

_SHIPPED: Final = "champion:"
_FAMILIES: Final = {"best:": "holecard.holdem.exploit.best_player:best_player"}
"""Players that a floor above this one makes: the prefix of their names, and module and function that take a name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NamedPlayer:
    """A player by name, as duels and sessions play it; `seated` gives it a seat beside people."""

    name: str
    """What people call it."""
    record: NDArray[Any]
    """A `PLAYER` record, shape (); copied for every session."""
    preset: Preset | None
    """The preset a champion was made for; None for rule players, who play in any."""
    policy: Callable[[HoldemRules], Policy | Thinker] | None = None
    """What it plays by given rules, if it plays by a policy or thinks; its record is empty then."""

    @classmethod
    def of_rule_player(cls, player: RulePlayer) -> NamedPlayer:
        """A rule player."""
        return cls(name=player.title, record=rule_record(player), preset=None)

    @classmethod
    def of_champion(cls, champion: Champion, name: str) -> NamedPlayer:
        """An evolved player."""
        network = pack(champion.genome[None], champion.layout)[0]
        return cls(name=name, record=network_record(network), preset=preset_named(champion.layout.preset))

    @classmethod
    def of_blueprint(cls, stored: StoredBlueprint, name: str) -> NamedPlayer:
        """A player that was trained towards an equilibrium; tables are built when it is first played."""
        policy = cache(lambda: policy_of_blueprint(stored))
        return cls(name=name, record=seat_of_policy(), preset=None, policy=lambda _: policy())


def player_named(name: str) -> NamedPlayer:
    """The player of that name, champion file or run directory.

    >>> player_named("smart").preset is None
    True
    """
    if name in RULE_PLAYERS:
        return NamedPlayer.of_rule_player(RULE_PLAYERS[name])
    if name.startswith(_SHIPPED):
        return NamedPlayer.of_champion(Champion.shipped(name.removeprefix(_SHIPPED)), name)
    if name == EQUILIBRIUM:
        return NamedPlayer(name=name, record=seat_of_policy(), preset=None, policy=shipped_policy)
    for prefix, maker in _FAMILIES.items():
        if name.startswith(prefix):
            module, _, function = maker.partition(":")
            made: NamedPlayer = getattr(import_module(module), function)(name)
            return made
    path = Path(name)
    if path.is_dir():
        if (path / BLUEPRINT).exists():
            return NamedPlayer.of_blueprint(StoredBlueprint.load(path / BLUEPRINT), name)
        if not (path / CHAMPION).exists():
            raise FileProblem(f"{path} has no {CHAMPION}: the run is not finished, or none")
        return NamedPlayer.of_champion(Champion.load(path / CHAMPION), name)
    if path.suffix == ".npz":
        return NamedPlayer.of_blueprint(StoredBlueprint.load(path), name)
    if path.exists() or path.suffix == ".safetensors":
        return NamedPlayer.of_champion(Champion.load(path), name)
    raise SettingError(unknown_name("opponent", name, [*RULE_PLAYERS, EQUILIBRIUM]))
