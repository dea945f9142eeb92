"""A game of public actions and hidden cards as arrays: what everybody sees is a graph, what is dealt comes beside it.

A deal gives each player one *cluster* of cards a street and says who would win a showdown. A *row* is a place of the
graph as its actor knows it; an information set is a row with a cluster. Nodes may share a row, and lines of play that
come to the same stacks share a node.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.equilibrium.small_games import SMALL_GAMES, Leduc
from holecard.holdem.equilibrium.tree import CHANCE, TERMINAL, GameTree, Position

NO_CHILD: Final = -1
END: Final = -1
"""The actor of a node at which the hand is over."""


class PublicTree(NamedTuple):
    """The graph as kernels take it: n nodes, w actions at most, r rows."""

    actor: NDArray[np.int8]
    """(n) 0 or 1; END where the hand is over."""
    street: NDArray[np.int8]
    """(n)"""
    row: NDArray[np.int32]
    """(n) of the actor; −1 at an end."""
    child: NDArray[np.int32]
    """(n, w) where each action leads; NO_CHILD where it is not allowed."""
    fixed: NDArray[np.int64]
    """(n) what player 0 wins at an end whoever holds what, in chips."""
    swing: NDArray[np.int64]
    """(n) what the better hand wins beyond that."""
    offset: NDArray[np.int64]
    """(r + 1) where the numbers of each row begin: clusters × w of them."""


class Deals(NamedTuple):
    """Some deals of a game; enters kernels as it is."""

    cluster: NDArray[np.int32]
    """(deals, 2, streets) each player's cluster."""
    sign: NDArray[np.int8]
    """(deals) 1 if player 0 has the better hand, −1 if player 1, 0 if they tie."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmallPublicGame:
    """A small game in this form, with all its deals."""

    public: PublicTree
    """The betting."""
    deals: Deals
    """Every deal once."""
    odds: NDArray[np.float64]
    """(deals) how likely each is."""
    place: NDArray[np.int64]
    """(size of the tree) where each action of the game's tree stands among the numbers of rows and clusters."""


def small_public_game(name: str, tree: GameTree) -> SmallPublicGame:
    """Kuhn or Leduc poker, and how it agrees with its tree."""
    deals = _deals_of(SMALL_GAMES[name]())
    nodes = _Nodes(clusters=(3, 9) if name == "leduc" else (3,))
    nodes.add(deals[0][1], 0)
    public = nodes.arrays()
    place = np.zeros(tree.size, np.int64)
    known = {name: at for at, name in enumerate(tree.sets)}
    for _, start, clusters, _ in deals:
        _find_places(start, clusters, 0, public, known, tree, place)
    return SmallPublicGame(
        public=public,
        deals=Deals(
            np.array([clusters for _, _, clusters, _ in deals], np.int32),
            np.array([sign for *_, sign in deals], np.int8),
        ),
        odds=np.array([odds for odds, *_ in deals]),
        place=place,
    )


_Deal = tuple[float, Any, tuple[tuple[int, ...], tuple[int, ...]], int]


def _deals_of(start: Position) -> list[_Deal]:
    """Every deal: its probability, the first decision, the clusters of both by street, who has the better hand."""
    deals: list[_Deal] = []
    for _, odds, dealt in start.moves():
        cards = dealt.cards  # type: ignore[attr-defined]
        if isinstance(dealt, Leduc):
            for board in range(3):
                left = 2 - cards.count(board)
                if left and odds > 0 and cards.count(cards[0]) <= 2:
                    first, other = (3 if card == board else card for card in cards)
                    clusters = (cards[0], 3 * cards[0] + board), (cards[1], 3 * cards[1] + board)
                    deals.append((odds * left / 4, dealt, clusters, (first > other) - (first < other)))
        else:
            deals.append((odds, dealt, ((cards[0],), (cards[1],)), 1 if cards[0] > cards[1] else -1))
    return deals


class _Nodes:
    """Nodes as they are found, from a walk through one deal: betting is the same in all."""

    def __init__(self, clusters: tuple[int, ...]) -> None:
        self._clusters = clusters
        self._rows: list[tuple[int, int, list[int], int, int]] = []

    def add(self, position: Any, street: int) -> int:
        """The number of a position, all that follows added too."""
        if position.actor == CHANCE:
            return self.add(position.moves()[0][2], street + 1)
        at = len(self._rows)
        if position.actor == TERMINAL:
            folds = _is_fold(position)
            amount = _stake_of(position)
            fixed = round(position.payoff) if folds else 0
            self._rows.append((END, street, [], fixed, 0 if folds else amount))
            return at
        self._rows.append((position.actor, street, [], 0, 0))
        children = [self.add(after, street) for _, _, after in position.moves()]
        self._rows[at] = (position.actor, street, children, 0, 0)
        return at

    def arrays(self) -> PublicTree:
        """What was found, every decision a row of its own."""
        width = max(len(children) for _, _, children, _, _ in self._rows)
        count = len(self._rows)
        child = np.full((count, width), NO_CHILD, np.int32)
        row = np.full(count, -1, np.int32)
        offset = [0]
        for at, (actor, street, children, _, _) in enumerate(self._rows):
            child[at, : len(children)] = children
            if actor != END:
                row[at] = len(offset) - 1
                offset.append(offset[-1] + self._clusters[street] * width)
        actors, streets, _, fixed, swing = zip(*self._rows, strict=True)
        return PublicTree(
            np.array(actors, np.int8),
            np.array(streets, np.int8),
            row,
            child,
            np.array(fixed, np.int64),
            np.array(swing, np.int64),
            np.array(offset, np.int64),
        )


def _is_fold(position: Any) -> bool:
    if isinstance(position, Leduc):
        return position.rounds[-1].endswith("f")
    return bool(position.history in ("bp", "pbp"))


def _stake_of(position: Any) -> int:
    """What the better hand wins at a showdown."""
    if isinstance(position, Leduc):
        return int(min(position.paid))
    return 2 if position.history.endswith("bb") else 1


def _find_places(
    position: Any,
    clusters: tuple[tuple[int, ...], tuple[int, ...]],
    node: int,
    public: PublicTree,
    known: dict[str, int],
    tree: GameTree,
    place: NDArray[np.int64],
) -> None:
    """Note for every action of the tree below a position where its numbers stand."""
    if position.actor == TERMINAL:
        return
    if position.actor == CHANCE:
        board = clusters[0][1] % 3
        after = next(after for _, _, after in position.moves() if after.board == board)
        _find_places(after, clusters, node, public, known, tree, place)
        return
    number = known[position.information]
    width = public.child.shape[1]
    cluster = clusters[position.actor][public.street[node]]
    for at, (_, _, after) in enumerate(position.moves()):
        place[tree.arrays.first[number] + at] = public.offset[public.row[node]] + cluster * width + at
        _find_places(after, clusters, int(public.child[node, at]), public, known, tree, place)
