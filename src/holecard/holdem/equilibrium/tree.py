"""A two-player zero-sum game of imperfect information as arrays, made by walking through all its positions.

Nodes lie in order of their depth, so a loop forwards meets a node after its parent and a loop backwards meets all
children before it. All nodes of an information set lie at the same depth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

CHANCE: Final = -1
TERMINAL: Final = -2


class Position(Protocol):
    """One position of a game, with everything that has happened."""

    @property
    def actor(self) -> int:
        """The player to act, 0 or 1; CHANCE, or TERMINAL at the end."""

    @property
    def information(self) -> str:
        """What the actor knows: positions that it cannot tell apart have the same text."""

    @property
    def payoff(self) -> float:
        """What the first player wins, at the end of the game."""

    def moves(self) -> list[tuple[str, float, Position]]:
        """Every move from here: its name, its probability (chance; 1 for players), where it leads."""


class TreeArrays(NamedTuple):
    """The game as kernels take it: n nodes, m actions of all information sets one after another."""

    parent: NDArray[np.int32]
    """(n) the node before; −1 for the root."""
    slot: NDArray[np.int32]
    """(n) the action of the parent's information set that leads here; −1 below chance."""
    probability: NDArray[np.float64]
    """(n) of the move that leads here, below chance; else 1."""
    actor: NDArray[np.int8]
    """(n)"""
    information_set: NDArray[np.int32]
    """(n) of the actor; −1 for chance and at the end."""
    payoff: NDArray[np.float64]
    """(n) what the first player wins, at the end; else 0."""
    first: NDArray[np.int32]
    """(sets + 1) where the actions of each information set begin."""
    owner: NDArray[np.int8]
    """(sets) whose information set it is."""
    depth: NDArray[np.int32]
    """(depths + 1) where the nodes of each depth begin."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GameTree:
    """A game as arrays, and what its information sets and actions are called."""

    arrays: TreeArrays
    """The game as kernels take it."""
    sets: tuple[str, ...]
    """The name of every information set."""
    actions: tuple[str, ...]
    """The name of every action, in the order of the flat arrays."""

    @property
    def size(self) -> int:
        """Actions of all information sets: the length of a strategy."""
        return len(self.actions)

    def as_names(self, strategy: NDArray[np.float64]) -> dict[str, dict[str, float]]:
        """A strategy (size) as information set → action → probability."""
        first = self.arrays.first
        return {
            name: {self.actions[at]: float(strategy[at]) for at in range(first[number], first[number + 1])}
            for number, name in enumerate(self.sets)
        }


def build_tree(root: Position) -> GameTree:
    """The whole game below a position."""
    rows: list[dict[str, Any]] = []
    known: dict[tuple[int, str], int] = {}
    first, owner, actions = [0], list[int](), list[str]()
    level: list[tuple[Position, int, int, float]] = [(root, -1, -1, 1.0)]
    depth = [0]
    while level:
        below: list[tuple[Position, int, int, float]] = []
        for position, parent, slot, probability in level:
            actor, number, moves = position.actor, -1, position.moves()
            if actor >= 0:
                key = (actor, position.information)
                if key not in known:
                    known[key] = len(known)
                    owner.append(actor)
                    actions += [name for name, _, _ in moves]
                    first.append(len(actions))
                number = known[key]
            payoff = position.payoff if actor == TERMINAL else 0.0
            rows.append(
                {"parent": parent, "slot": slot, "probability": probability, "actor": actor, "payoff": payoff}
                | {"information_set": number}
            )
            for at, (_, chance, after) in enumerate(moves):
                below.append((after, len(rows) - 1, first[number] + at if number >= 0 else -1, chance))
        depth.append(len(rows))
        level = below
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    kinds = {name: columns[name].astype(kind) for name, kind in _KINDS.items()}
    arrays = TreeArrays(
        first=np.array(first, np.int32), owner=np.array(owner, np.int8), depth=np.array(depth, np.int32), **kinds
    )
    return GameTree(arrays=arrays, sets=tuple(name for _, name in known), actions=tuple(actions))


_KINDS: Final[dict[str, Any]] = {
    "parent": np.int32,
    "slot": np.int32,
    "probability": np.float64,
    "actor": np.int8,
    "information_set": np.int32,
    "payoff": np.float64,
}
