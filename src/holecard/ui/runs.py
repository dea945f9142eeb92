"""Where runs go when nobody says where, and what they were of."""

from __future__ import annotations

from pathlib import Path

from holecard.blackjack.game.rules import Rules
from holecard.errors import HolecardError
from holecard.files import read_json


def first_free(name: str, below: Path = Path("runs")) -> Path:
    """The first folder of that name that does not exist yet: runs/NAME, runs/NAME-2, …"""
    path, number = below / name, 1
    while path.exists():
        number += 1
        path = below / f"{name}-{number}"
    return path


def rules_of_run(folder: Path) -> Rules | None:
    """The rules that a run of blackjack evolved for; None for anything else."""
    try:
        options = read_json(folder / "config.json")["options"]
        return Rules.from_text(str(options["rules"]))
    except (HolecardError, KeyError, TypeError):
        return None
