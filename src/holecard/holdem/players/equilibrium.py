"""The player `equilibrium` and blueprints of your own: a stored blueprint as a player."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from holecard.errors import FileProblem
from holecard.holdem.equilibrium.blueprint_file import StoredBlueprint
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.blueprint import blueprint_of
from holecard.holdem.players.policy import Policy, no_policy

EQUILIBRIUM: Final = "equilibrium"
"""The name of the player that ships."""
_FOLDER: Final = "blueprints"
_SHIPPED: Final = {"paper": 200, "pokernet": 100}
"""The blueprints that may ship, with the stacks in big blinds that they were trained for."""


def shipped_blueprints() -> dict[str, int]:
    """The blueprints that came with the package, with their stacks in big blinds."""
    folder = files("holecard.holdem.players") / _FOLDER
    return {name: deep for name, deep in _SHIPPED.items() if (folder / f"{name}.npz").is_file()}


def shipped_policy(rules: HoldemRules) -> Policy:
    """What `equilibrium` plays by given rules: the blueprint whose stacks are nearest."""
    shipped = shipped_blueprints()
    if not shipped:
        raise FileProblem("this package has no blueprint; train one with holecard holdem blueprint")
    deep = rules.stack / rules.big_blind
    return _shipped(min(shipped, key=lambda name: (abs(shipped[name] - deep), name)))


@cache
def _shipped(name: str) -> Policy:
    with as_file(files("holecard.holdem.players") / _FOLDER / f"{name}.npz") as path:
        return policy_of_file(path)


def policy_of_file(path: Path) -> Policy:
    """What a blueprint's file plays."""
    return policy_of_blueprint(StoredBlueprint.load(path))


def policy_of_blueprint(stored: StoredBlueprint) -> Policy:
    """What a stored blueprint plays."""
    return no_policy()._replace(blueprint=blueprint_of(stored))
