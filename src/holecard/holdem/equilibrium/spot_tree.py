"""The public tree of a spot as arrays: who acts, what he may do, what the ends are worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.holdem.equilibrium.spot import ALL_IN, Spot

DECISION: Final = 0
FOLDED: Final = 1
SHOWDOWN: Final = 2
DEAL: Final = 3
MOST_NUMBERS: Final = 200_000_000
"""Regrets of one player that fit into memory: 0.8 GB, and as much again for the average."""
_ALL_BUT: Final = 0.97
"""A bet of more than this share of what is left is all-in."""


class TreeOfSpot(NamedTuple):
    """The tree as kernels take it, n nodes; the children of a node lie one after another."""

    kind: NDArray[np.int8]
    """(n) DECISION, FOLDED, SHOWDOWN or DEAL."""
    actor: NDArray[np.int8]
    """(n) the player who acts, or who has folded."""
    first: NDArray[np.int64]
    """(n) the first child."""
    children: NDArray[np.int64]
    """(n) how many children."""
    amount: NDArray[np.float64]
    """(n) what the winner wins and the other loses, half the pot included, at an end."""
    river: NDArray[np.int64]
    """(n) which river lies on the board: an index of `SpotHands.order`; −1 before it is dealt."""
    offset: NDArray[np.int64]
    """(n) where the regrets of a decision begin, in hands: times the number of hands."""


@dataclass(slots=True)
class _Node:
    kind: int
    actor: int = 0
    amount: float = 0.0
    river: int = -1
    path: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    children: list[_Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpotTree:
    """The tree of a spot, and what its decisions are called."""

    arrays: TreeOfSpot
    """The tree as kernels take it."""
    paths: tuple[tuple[str, ...], ...]
    """What has happened before each node."""
    actions: tuple[tuple[str, ...], ...]
    """The actions of each node; empty unless it is a decision."""
    size: int
    """Actions of all decisions: regrets are this many times the hands."""
    depth: int
    """Nodes from the root to an end, at most."""


def chips_text(chips: float) -> str:
    """Chips as people write them.

    >>> chips_text(75.0), chips_text(33.333333)
    ('75', '33.33')
    """
    return f"{chips:.2f}".rstrip("0").rstrip(".")


class _Turn(NamedTuple):
    """Where the betting stands."""

    actor: int
    paid: tuple[float, float]
    """Chips each has put in since the spot began."""
    start: float
    """Chips each had put in before this street."""
    raises: int
    """Bets and raises on this street."""
    may_close: bool
    """A check ends the street."""
    river: int
    path: tuple[str, ...]


class _Builder:
    """Walks through the betting."""

    def __init__(self, spot: Spot, rivers: int) -> None:
        self.size = 0
        self._spot = spot
        self._rivers = rivers
        self._limit = MOST_NUMBERS // max(1, len(spot.holes()))

    def street(self, paid: float, river: int, path: tuple[str, ...]) -> _Node:
        """The betting on a street, both having put in `paid` since the spot began."""
        return self._decision(_Turn(0, (paid, paid), paid, 0, False, river, path))

    def _decision(self, turn: _Turn) -> _Node:
        mine, theirs = turn.paid[turn.actor], turn.paid[1 - turn.actor]
        options: dict[str, _Node] = {}
        if theirs > mine:
            options["fold"] = _Node(FOLDED, turn.actor, amount=self._spot.pot / 2 + mine, river=turn.river)
            options["call"] = self._closed(theirs, turn.river, (*turn.path, "call"))
        elif turn.may_close:
            options["check"] = self._closed(mine, turn.river, (*turn.path, "check"))
        else:
            options["check"] = self._after(turn, "check", mine, 0)
        for to in self._raises_to(turn):
            word = "all-in" if to >= self._spot.stack else ("raise to " if theirs > mine else "bet ")
            word += "" if to >= self._spot.stack else chips_text(to - turn.start)
            options[word] = self._after(turn, word, to, 1)
        self._count(len(options))
        return _Node(DECISION, turn.actor, 0.0, turn.river, turn.path, tuple(options), list(options.values()))

    def _after(self, turn: _Turn, word: str, to: float, raises: int) -> _Node:
        """The other player's decision once the actor has put in `to`."""
        theirs = turn.paid[1 - turn.actor]
        paid = (to, theirs) if turn.actor == 0 else (theirs, to)
        after = turn._replace(actor=1 - turn.actor, paid=paid, raises=turn.raises + raises, may_close=True)
        return self._decision(after._replace(path=(*turn.path, word)))

    def _raises_to(self, turn: _Turn) -> list[float]:
        """What the actor may raise to, in chips put in since the spot began."""
        spot, highest = self._spot, max(turn.paid)
        if turn.raises >= spot.raises or highest >= spot.stack:
            return []
        pot, least = spot.pot + 2 * highest, 2 * highest - min(turn.paid)
        found = set()
        for size in spot.bets:
            to = spot.stack if size == ALL_IN else max(highest + size * pot, least)
            found.add(spot.stack if to > highest + _ALL_BUT * (spot.stack - highest) else round(to, 6))
        return sorted(found)

    def _closed(self, paid: float, river: int, path: tuple[str, ...]) -> _Node:
        """The street is over: the next card, or the showdown."""
        amount = self._spot.pot / 2 + paid
        if river >= 0:
            return _Node(SHOWDOWN, amount=amount, river=river)
        deal = _Node(DEAL, path=path)
        for card in range(self._rivers):
            ended = paid >= self._spot.stack
            deal.children.append(_Node(SHOWDOWN, amount=amount, river=card) if ended else self.street(paid, card, path))
        return deal

    def _count(self, actions: int) -> None:
        self.size += actions
        if self.size > self._limit:
            raise SettingError(
                f"the tree of this spot has more than {self._limit:,} actions, which is too large; "
                "choose fewer --bets or --raises"
            )


def tree_of_spot(spot: Spot, rivers: int) -> SpotTree:
    """The tree of a spot with so many rivers to come (1: the board has its river)."""
    builder = _Builder(spot, rivers)
    return _flattened(builder.street(0.0, 0 if len(spot.board) == 5 else -1, ()), builder.size)


def showdown_tree(spot: Spot, rivers: int) -> SpotTree:
    """The tree without a decision: the hands are shown at once, for one chip each; values are win − lose."""
    if len(spot.board) == 5:
        return _flattened(_Node(SHOWDOWN, amount=1.0, river=0), 0)
    return _flattened(_Node(DEAL, children=[_Node(SHOWDOWN, amount=1.0, river=card) for card in range(rivers)]), 0)


def _flattened(root: _Node, size: int) -> SpotTree:
    """Nodes one depth after another, so that the children of each lie together."""
    nodes, firsts, at, depth = [root], list[int](), 0, 0
    ends = [1]
    while at < len(nodes):
        firsts.append(len(nodes))
        nodes += nodes[at].children
        at += 1
        if at == ends[-1]:
            ends.append(len(nodes))
            depth += 1
    offsets = np.concatenate([[0], np.cumsum([len(node.actions) for node in nodes])])[:-1]
    arrays = TreeOfSpot(
        kind=np.array([node.kind for node in nodes], np.int8),
        actor=np.array([node.actor for node in nodes], np.int8),
        first=np.array(firsts, np.int64),
        children=np.array([len(node.children) for node in nodes], np.int64),
        amount=np.array([node.amount for node in nodes], np.float64),
        river=np.array([node.river for node in nodes], np.int64),
        offset=offsets.astype(np.int64),
    )
    return SpotTree(
        arrays=arrays,
        paths=tuple(node.path for node in nodes),
        actions=tuple(node.actions for node in nodes),
        size=size,
        depth=depth + 1,
    )
