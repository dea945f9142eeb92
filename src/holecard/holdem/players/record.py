"""A player as kernels know it, a `PLAYER` record: a rule player, or a network with its memory; and how it decides."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.players.decision_rules import move_by
from holecard.holdem.players.lstm import MEMORY, NETWORK, forget_session, think
from holecard.holdem.players.rule_players import RulePlayer, rule_move

PLAYER = np.dtype(
    [
        ("is_network", np.bool_),
        ("rule_player", np.int64),  # a rule player's number; unused by a network
        ("network", NETWORK),
        ("memory", MEMORY),
    ],
    align=True,
)


@rule
def decide(view: Any, player: int, players: Any) -> int:
    """The move of player 0 or 1 of `players` (2) PLAYER."""
    record = players[np.uint64(player)]
    if not record["is_network"]:
        return rule_move(view, record["rule_player"])
    network = record["network"]
    return move_by(network["decision_rule"], view, think(network, record["memory"], view))


@rule
def forget_all(players: Any) -> None:
    """A new session: nobody remembers the other."""
    for player in range(2):
        forget_session(players[player]["network"], players[player]["memory"])


@kernel
def move_of(players: Any, views: Any) -> int:
    """The move of players[0] at views[0]: the rules of sessions, one decision at a time."""
    return decide(views[0], 0, players)


@kernel
def start_session(players: Any) -> None:
    """Clear the memories of both players (2)."""
    forget_all(players)


def rule_record(player: RulePlayer) -> NDArray[Any]:
    """A rule player as a `PLAYER`, shape ()."""
    record = np.zeros((), PLAYER)
    record["rule_player"] = int(player)
    return record


def rule_player_of(record: Any) -> RulePlayer | None:
    """The rule player of a `PLAYER` record; None for a network."""
    return None if record["is_network"] else RulePlayer(int(record["rule_player"]))  # type: ignore[call-arg]


def network_record(network: Any) -> NDArray[Any]:
    """A `NETWORK` record as a `PLAYER`, shape ()."""
    record = np.zeros((), PLAYER)
    record["is_network"] = True
    record["network"] = network
    return record
