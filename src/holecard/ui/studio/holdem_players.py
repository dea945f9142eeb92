"""Who can be watched and played at the hold'em tables: by name, or from a run below the studio's folder."""

from __future__ import annotations

from typing import Any, Final

from holecard.errors import FileProblem, unknown_name
from holecard.holdem.equilibrium.blueprint_file import BLUEPRINT
from holecard.holdem.exploit.best_player import PREFIX
from holecard.holdem.exploit.value import has_stored_policy
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.champion import CHAMPION
from holecard.holdem.players.equilibrium import EQUILIBRIUM
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.holdem.players.protocol import Player
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.holdem.players.seated import seated
from holecard.ui.studio.body import BadRequest
from holecard.ui.studio.page import Call, Studio
from holecard.ui.studio.runs import folders_below

RUN: Final = "run:"
"""Before the name of a run: its champion, or its blueprint."""
PLAYERS: Final = (
    *(f"champion:{name}" for name in PRESETS),
    EQUILIBRIUM,
    *RULE_PLAYERS,
    *(f"{PREFIX}{name}" for name, player in RULE_PLAYERS.items() if has_stored_policy(player)),
)
"""Players that come with the package."""
_LONGEST: Final = 200
_DEPTH: Final = 2
_MOST_RUNS: Final = 100
_MARKS: Final = (CHAMPION, BLUEPRINT)


def players_known(studio: Studio) -> list[str]:
    """Every player that can be chosen: those of the package, then those of runs."""
    root = studio.runs.resolve()
    found = [f"{RUN}{folder.relative_to(root).as_posix()}" for folder in folders_below(root, _DEPTH, _MARKS)]
    return [*PLAYERS, *found[:_MOST_RUNS]]


def read_player(call: Call, field: str) -> str:
    """The name of a player that a request asks for; one that nobody offers is refused."""
    name = call.body.text(field, longest=_LONGEST)
    if name.startswith(RUN):
        folder = call.studio.run_folder(name.removeprefix(RUN))
        if not any((folder / mark).is_file() for mark in _MARKS):
            raise FileProblem(f"{name} has no {CHAMPION}: the run is not finished, or none of hold'em")
    elif name not in PLAYERS:
        raise BadRequest(f"{field}: {unknown_name('player', name, PLAYERS, also='run:NAME')}")
    return name


def take_seat(call: Call, name: str, *, seed: int, buy_in: int) -> Player:
    """A player in a seat, for one session."""
    return seated(_full_name(call, name), seed=seed, buy_in=buy_in)


def make_ready(call: Call, name: str, rules: HoldemRules) -> None:
    """Load what a player plays by, or work it out: a best response takes a minute, once per stakes."""
    policy = player_named(_full_name(call, name)).policy
    if policy is not None:
        small_blind, big_blind, ante = rules.stakes
        policy(HoldemRules(small_blind=small_blind, big_blind=big_blind, ante=ante, stack=rules.stack))


def _full_name(call: Call, name: str) -> str:
    return str(call.studio.run_folder(name.removeprefix(RUN))) if name.startswith(RUN) else name


def choices(call: Call) -> dict[str, Any]:
    """Who can be chosen, and the tables."""
    return {
        "players": players_known(call.studio),
        "presets": [{"name": name, "words": preset_named(name).rules.in_words} for name in PRESETS],
    }
