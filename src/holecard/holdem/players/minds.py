"""Who sits at a table of kernels: a rule player or an evolved network, each a `MIND` record; one rule for them all."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.players.decisions import give_up, paper_move, pokernet_move
from holecard.holdem.players.lstm import MEMORY, NETWORK, forget_session, think
from holecard.holdem.players.players import Player, rule_move

MIND = np.dtype(
    [
        ("is_network", np.bool_),
        ("rule", np.int64),  # a rule player's number; unused by a network
        ("network", NETWORK),
        ("memory", MEMORY),
    ],
    align=True,
)


@rule
def network_move(network: Any, view: Any, o: float) -> int:
    """The move of a network's output by its own algorithm; an output that is no number gives up."""
    if not isfinite(o):
        return give_up(view)
    return paper_move(view, o) if network["plays_paper"] else pokernet_move(view, o)


@rule
def decide(view: Any, player: int, minds: Any) -> int:
    """The move of player 0 or 1, whose minds are `minds` (2) MIND."""
    mind = minds[np.uint64(player)]
    if not mind["is_network"]:
        return rule_move(view, mind["rule"])
    return network_move(mind["network"], view, think(mind["network"], mind["memory"], view))


@rule
def forget_all(minds: Any) -> None:
    """A new session: nobody remembers the other."""
    for player in range(2):
        forget_session(minds[player]["network"], minds[player]["memory"])


@kernel
def move_of(minds: Any, views: Any) -> int:
    """The move of minds[0] at views[0]: the rules of sessions, one decision at a time."""
    return decide(views[0], 0, minds)


@kernel
def start_session(minds: Any) -> None:
    """Clear the memories of both minds (2)."""
    forget_all(minds)


def rule_mind(player: Player) -> NDArray[Any]:
    """A rule player as a `MIND`, shape ()."""
    mind = np.zeros((), MIND)
    mind["rule"] = int(player)
    return mind


def network_mind(network: Any) -> NDArray[Any]:
    """A `NETWORK` record as a `MIND`, shape ()."""
    mind = np.zeros((), MIND)
    mind["is_network"] = True
    mind["network"] = network
    return mind
