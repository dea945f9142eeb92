"""Values and best responses of strategies of a game tree: exact, by one pass through all nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.equilibrium.tree import GameTree, TreeArrays

NOBODY: Final = -1


@rule
def _choose_best(tree: TreeArrays, node: int, gains: Any, response: Any) -> None:
    """Mark the best action of the information set of a node's parent; the first of several."""
    number = tree.information_set[tree.parent[node]]
    best = tree.first[number]
    for at in range(tree.first[number], tree.first[number + 1]):
        response[at] = 0.0
        if gains[at] > gains[best]:
            best = at
    response[best] = 1.0


@kernel
def respond(tree: TreeArrays, strategy: Any, responder: int, response: Any) -> float:
    """The first player's value where `responder` (0, 1; −1: nobody) plays its best response to `strategy` (m).

    Fills response (m) with 1 for the best action of each of its information sets, 0 for the others.
    """
    nodes = tree.parent.shape[0]
    reach, value = np.ones(nodes), tree.payoff.copy()
    for node in range(1, nodes):  # by chance and by whoever keeps to the strategy
        slot = tree.slot[node]
        kept = slot >= 0 and tree.actor[tree.parent[node]] != responder
        reach[node] = reach[tree.parent[node]] * (strategy[slot] if kept else tree.probability[node])
    gains = np.zeros(strategy.shape[0])
    sign = 1.0 if responder == 0 else -1.0
    for depth in range(tree.depth.shape[0] - 2, 0, -1):
        first, last = tree.depth[depth], tree.depth[depth + 1]
        for node in range(first, last):
            if tree.actor[tree.parent[node]] == responder and tree.slot[node] >= 0:
                gains[tree.slot[node]] += sign * reach[node] * value[node]
        for node in range(first, last):
            parent, slot = tree.parent[node], tree.slot[node]
            if slot < 0:
                share = tree.probability[node]
            elif tree.actor[parent] == responder:
                _choose_best(tree, node, gains, response)
                share = response[slot]
            else:
                share = strategy[slot]
            value[parent] += share * value[node]
    return value[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploitability:
    """How much could be won from a pair of strategies by whoever knows them."""

    value: float
    """What the first player wins with these strategies."""
    gains: tuple[float, float]
    """What each player would win more with its best response."""

    @property
    def exploitability(self) -> float:
        """The mean of both gains (OpenSpiel's word for it; its NashConv is their sum); 0 at an equilibrium."""
        return sum(self.gains) / 2


def exploitability_of(tree: GameTree, strategy: NDArray[np.float64]) -> Exploitability:
    """The value of a strategy (size) for both players, and what best responses gain."""
    response = np.zeros(tree.size)
    value = float(respond(tree.arrays, strategy, NOBODY, response))
    first, other = (float(respond(tree.arrays, strategy, player, response)) for player in (0, 1))
    return Exploitability(value=value, gains=(first - value, value - other))
