"""A player as kernels know it, a `PLAYER` record: a rule player, or a network with its memory; and how it decides."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.game.view import View
from holecard.holdem.players.decision_rules import move_by
from holecard.holdem.players.lstm import MEMORY, NETWORK, Network, forget_session, think
from holecard.holdem.players.rule_players import RulePlayer, rule_move, rule_player_numbered

PLAYER = np.dtype(
    [
        ("is_network", np.bool_),
        ("rule_player", np.int64),  # a rule player's number; unused by a network
        ("network", NETWORK),
        ("memory", MEMORY),
    ],
    align=True,
)

PlayerRecord: TypeAlias = Any
"""A `PLAYER` record."""
Players: TypeAlias = Any
"""An array (2) of `PLAYER` records."""


@rule
def decide(view: View, player: int, players: Players) -> int:
    """The move of player 0 or 1 of two."""
    record = players[np.uint64(player)]
    if not record["is_network"]:
        return rule_move(view, record["rule_player"])
    network = record["network"]
    return move_by(network["decision_rule"], view, think(network, record["memory"], view))


@rule
def forget_all(players: Players) -> None:
    """A new session: nobody remembers the other."""
    for player in range(2):
        forget_session(players[player]["network"], players[player]["memory"])


@kernel
def move_of(players: Players, player: int, views: Any) -> int:
    """The move of player 0 or 1 at views[0]: the rules of sessions, one decision at a time."""
    return decide(views[0], player, players)


@kernel
def start_session(players: Players) -> None:
    """Clear the memories of both players (2)."""
    forget_all(players)


def fill_rule_player(record: PlayerRecord, player: RulePlayer) -> None:
    """Make an empty record a rule player's."""
    record["rule_player"] = int(player)


def fill_network(record: PlayerRecord, network: Network) -> None:
    """Make an empty record a network's."""
    record["is_network"] = True
    record["network"] = network


def rule_record(player: RulePlayer) -> NDArray[Any]:
    """A rule player as a `PLAYER`, shape ()."""
    record = np.zeros((), PLAYER)
    fill_rule_player(record, player)
    return record


def network_record(network: Network) -> NDArray[Any]:
    """A `NETWORK` record as a `PLAYER`, shape ()."""
    record = np.zeros((), PLAYER)
    fill_network(record, network)
    return record


def two_players(first: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Copies of two `PLAYER` records, shape () each, as kernels take them: (2)."""
    players = np.empty(2, PLAYER)
    rows = players.view(np.uint8).reshape(2, -1)  # numpy would copy the record field by field, seven times slower
    rows[0], rows[1] = np.frombuffer(first, np.uint8), np.frombuffer(other, np.uint8)
    return players


def rule_player_of(record: PlayerRecord) -> RulePlayer | None:
    """The rule player of a `PLAYER` record; None for a network."""
    return None if record["is_network"] else rule_player_numbered(int(record["rule_player"]))


def wants_equity(record: PlayerRecord) -> bool:
    """True if the player of a `PLAYER` record looks at its chance to win."""
    rule_player = rule_player_of(record)
    return rule_player is None or rule_player.wants_equity


def ties_win(record: PlayerRecord) -> bool:
    """True if a tie counts as a win in the chance to win that the player of a `PLAYER` record looks at."""
    rule_player = rule_player_of(record)
    return bool(record["network"]["ties_win"]) if rule_player is None else rule_player.ties_win
