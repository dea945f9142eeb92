"""What the blueprint sees of the betting, and what it may do: the same function in training and at the table.

A *row* is a street, a position, who raised last on the streets before, how often this street was raised, the size of
the last raise on the menu, and the effective stack in pots before that raise, in steps of a factor of 1.42. A raise
that is not on the menu is taken for one of its two neighbours at random (pseudo-harmonic mapping, Ganzfried and
Sandholm 2013); one below the smallest size for that or for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor, log
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, kernel, rule
from holecard.holdem.equilibrium.public_tree import END, NO_CHILD, PublicTree
from holecard.holdem.game.betting import CALL, FOLD, HAND, NOBODY, SHOWDOWN, apply, post
from holecard.holdem.game.rules import Stakes
from holecard.holdem.game.view import VIEW, View, look

FOLDS: Final = 0
CALLS: Final = 1
FIRST_SIZE: Final = 2
NOT_OFFERED: Final = -2
TAKEN_FOR_NONE: Final = -1
"""The row of a raise so small that it is taken for none: it is called."""
_STEP: Final = 0.35
_LOWEST: Final = -9
LEVELS: Final = 27
"""Effective stacks from 0.043 to 380 pots."""


class BetMenu(NamedTuple):
    """What may be bet; enters kernels as it is."""

    sizes: NDArray[np.float64]
    """(k) in pots as the pot stands after a call, ascending; all-in is always allowed beside them."""
    again: NDArray[np.bool_]
    """(k) whether a size is also a raise, or only a first bet."""
    most_raises: int
    """After so many raises of a street only all-in is left."""
    remembered: int
    """Of so many streets before it is known who raised last."""

    @property
    def places(self) -> tuple[int, int, int, int, int, int]:
        """The shape of an array of rows: streets, positions, pasts, raises, last raises, levels."""
        return 4, 2, 3**self.remembered, self.most_raises + 1, len(self.sizes) + 2, LEVELS


@rule
def menu_move(menu: BetMenu, view: View, action: int) -> int:
    """The move of an action of the menu, FOLD, CALL or the chips to raise to; NOT_OFFERED where it is none."""
    if action == FOLDS:
        return FOLD if view["to_call"] > 0 else NOT_OFFERED
    if action == CALLS:
        return CALL
    if view["min_raise_to"] == 0:
        return NOT_OFFERED
    count = menu.sizes.shape[0]
    if action == FIRST_SIZE + count:
        return int(view["max_raise_to"])
    raises = view["raises"] + view["other_raises"]
    size = action - FIRST_SIZE
    if raises >= menu.most_raises or (raises > 0 and not menu.again[size]):
        return NOT_OFFERED
    wanted = _sized(view, menu.sizes[size])
    if wanted >= min(view["max_raise_to"], view["other_bet"] + view["other_stack"]):
        return NOT_OFFERED
    if size > 0 and (raises == 0 or menu.again[size - 1]) and _sized(view, menu.sizes[size - 1]) == wanted:
        return NOT_OFFERED
    return wanted


@rule
def _sized(view: View, size: float) -> int:
    """The chips to raise to for a raise of so many pots, the smallest raise at least."""
    highest = max(view["bet"], view["other_bet"])
    return int(max(highest + floor(size * (view["pot"] + view["to_call"])), view["min_raise_to"]))


@rule
def _faced(menu: BetMenu, view: View, stack: float, point: float) -> int:
    """The last raise on the menu: 0 for none, a size from 1, all-in after the last.

    One between two sizes is the smaller if `point` (0 … 1) is below a share that makes a bluffer indifferent. A raise
    by nothing is a size too: a bet of little, if it could only be taken for the smallest size, would be folded to.
    """
    if view["raises"] + view["other_raises"] == 0:
        return 0
    count = menu.sizes.shape[0]
    if view["other_stack"] == 0 or view["to_call"] >= view["stack"]:
        return count + 1
    size = view["to_call"] / (view["pot"] - view["to_call"])
    at = 0
    while at < count and menu.sizes[at] < size:
        at += 1
    low = menu.sizes[at - 1] if at > 0 else 0.0
    high = min(menu.sizes[at], stack) if at < count else stack
    if size >= high:
        return at + 1
    share = (high - size) * (1.0 + low) / ((high - low) * (1.0 + size))
    if point < share:
        return at
    return at + 1 if at == count or menu.sizes[at] < stack else count + 1


@rule
def _past_of(menu: BetMenu, view: View) -> int:
    """Who raised last on each of the streets that are remembered, as one number; the street before counts least."""
    past, weight = 0, 1
    for back in range(1, menu.remembered + 1):
        if view["street"] >= back:
            past += weight * view["led"][view["street"] - back]
        weight *= 3
    return past


@rule
def place_of(menu: BetMenu, view: View, point: float) -> tuple[int, int, int, int, int]:
    """A row but for its street: position (1 on the button), past, raises, the last raise, the level of stacks."""
    before = view["pot"] - view["to_call"]
    stack = min(view["stack"], view["to_call"] + view["other_stack"]) / before
    level = floor(log(max(stack, 0.001)) / _STEP + 0.5) - _LOWEST
    raises = min(view["raises"] + view["other_raises"], menu.most_raises)
    position = 1 if view["on_button"] else 0
    return position, _past_of(menu, view), raises, _faced(menu, view, stack, point), min(max(level, 0), LEVELS - 1)


@rule
def row_of(rows: Any, menu: BetMenu, view: View, point: float) -> int:
    """The row of a view in rows, an array of `places`; TAKEN_FOR_NONE for a raise that is hardly one."""
    position, past, raises, faced, level = place_of(menu, view, point)
    if raises > 0 and faced == 0:
        return TAKEN_FOR_NONE
    return int(rows[view["street"], position, past, raises, faced, level])


class _Growing(NamedTuple):
    """The tree while it is built."""

    hands: NDArray[Any]
    """(n) `HAND`"""
    tree: PublicTree
    rows: NDArray[np.int32]
    slots: NDArray[np.int32]
    """Numbers of nodes by hash."""
    counts: NDArray[np.int64]
    """(6) nodes, then rows of each street."""


@rule
def _same(one: Any, other: Any) -> bool:
    return bool(
        one["street"] == other["street"]
        and one["actor"] == other["actor"]
        and one["paid"][0] == other["paid"][0]
        and one["paid"][1] == other["paid"][1]
        and one["bet"][0] == other["bet"][0]
        and one["bet"][1] == other["bet"][1]
        and one["raises"][0] == other["raises"][0]
        and one["raises"][1] == other["raises"][1]
        and one["to_speak"] == other["to_speak"]
        and one["last_raise"] == other["last_raise"]
        and one["folded"] == other["folded"]
        and one["led"][0] == other["led"][0]
        and one["led"][1] == other["led"][1]
        and one["led"][2] == other["led"][2]
    )


@rule
def _forget(menu: BetMenu, hand: Any) -> None:
    """Lines of play that nobody will tell apart lead to the same node."""
    for street in range(min(hand["street"] - menu.remembered, 3)):
        hand["led"][street] = NOBODY


@rule
def _numbered(growing: _Growing, hand: Any) -> Int:
    """The number of a state, a new one if it is new; −1 if there is no room."""
    size = growing.slots.shape[0]
    at = (
        hand["paid"][0] * 1_000_003
        + hand["paid"][1] * 10_007
        + hand["bet"][0] * 101
        + hand["bet"][1] * 7919
        + hand["street"] * 31
        + hand["actor"] * 17
        + hand["to_speak"] * 13
        + hand["folded"] * 5
        + hand["raises"][0]
        + hand["led"][0] * 1009
        + hand["led"][1] * 3001
        + hand["led"][2] * 5003
    ) % size
    while growing.slots[at] >= 0:
        if _same(growing.hands[growing.slots[at]], hand):
            return growing.slots[at]
        at = (at + 1) % size
    number = growing.counts[0]
    if number >= growing.hands.shape[0]:
        return -1
    growing.slots[at] = number
    growing.hands[number] = hand
    growing.counts[0] += 1
    return number


@rule
def _end(growing: _Growing, node: int, hand: Any) -> None:
    tree = growing.tree
    tree.actor[node] = END
    tree.row[node] = -1
    if hand["street"] == SHOWDOWN and hand["folded"] == NOBODY:
        tree.swing[node] = hand["paid"][0]
    else:
        tree.fixed[node] = hand["net"][0]


@kernel
def _grow(menu: BetMenu, stakes: Stakes, stack: int, growing: _Growing) -> bool:
    """Fill a tree from its root; False if there is no room. Seat 0 has the button."""
    tree, views, trial = growing.tree, np.zeros(1, VIEW), np.zeros(1, HAND)
    post(trial[0], 0, stack, stack, stakes)
    _numbered(growing, trial[0])
    node = 0
    while node < growing.counts[0]:
        hand, view = growing.hands[node], views[0]  # views stays in use: a record does not keep its array alive
        tree.street[node] = hand["street"]
        if hand["actor"] == NOBODY:
            _end(growing, node, hand)
            node += 1
            continue
        look(hand, hand["actor"], stakes, view)
        position, past, raises, faced, level = place_of(menu, view, 0.5)
        street = hand["street"]
        rows = growing.rows[street, position, past, raises, faced]
        if rows[level] < 0:
            rows[level] = growing.counts[1 + street]
            growing.counts[1 + street] += 1
        tree.actor[node] = hand["actor"]
        tree.row[node] = rows[level]
        for action in range(tree.child.shape[1]):
            move = menu_move(menu, view, action)
            if move != NOT_OFFERED:
                trial[0] = hand
                apply(trial[0], move, stakes)
                _forget(menu, trial[0])
                number = _numbered(growing, trial[0])
                if number < 0:
                    return False
                tree.child[node, action] = number
        node += 1
    return True


class Betting(NamedTuple):
    """The betting of hold'em with a menu: its tree, and where each row is found at the table."""

    tree: PublicTree
    rows: NDArray[np.int32]
    """(`BetMenu.places`) the row of every place; of the nearest one where training never comes."""


def build_betting(menu: BetMenu, stakes: Stakes, stack: int, clusters: tuple[int, int, int, int]) -> Betting:
    """The betting of a game, rows with so many clusters on each street."""
    width = FIRST_SIZE + len(menu.sizes) + 1
    nodes = 1 << 14
    while True:
        growing = _Growing(
            hands=np.zeros(nodes, HAND),
            tree=_empty_tree(nodes, width),
            rows=np.full(menu.places, -1, np.int32),
            slots=np.full(4 * nodes, -1, np.int32),
            counts=np.zeros(6, np.int64),
        )
        if _grow(menu, stakes, stack, growing):
            break
        nodes *= 4
    return _finished(growing, width, clusters, menu.remembered)


def _empty_tree(nodes: int, width: int) -> PublicTree:
    return PublicTree(
        actor=np.zeros(nodes, np.int8),
        street=np.zeros(nodes, np.int8),
        row=np.zeros(nodes, np.int32),
        child=np.full((nodes, width), NO_CHILD, np.int32),
        fixed=np.zeros(nodes, np.int64),
        swing=np.zeros(nodes, np.int64),
        offset=np.zeros(1, np.int64),
    )


def _finished(growing: _Growing, width: int, clusters: tuple[int, int, int, int], remembered: int) -> Betting:
    """Number rows through all streets and fill places that have none."""
    counts = growing.counts[1:5]
    before = np.concatenate([[0], np.cumsum(counts)])
    rows = np.where(growing.rows < 0, -1, growing.rows + before[:4, None, None, None, None, None]).astype(np.int32)
    used = int(growing.counts[0])
    tree = growing.tree
    street = tree.street[:used]
    row = np.where(tree.row[:used] < 0, -1, tree.row[:used] + before[np.minimum(street, 3)]).astype(np.int32)
    sizes = np.repeat([number * width for number in clusters], counts)
    offset = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cut = PublicTree(
        tree.actor[:used].copy(),
        street.copy(),
        row,
        tree.child[:used].copy(),
        tree.fixed[:used].copy(),
        tree.swing[:used].copy(),
        offset,
    )
    return Betting(cut, _filled(rows, remembered))


_FAR: Final = (10_000, (1000, 2000, 4000), 100, 10, 1)
"""What another position, another past (of three streets before, the last one most), one raise more, a last raise
one size larger and one level more count when the nearest place is looked for."""


def _filled(rows: NDArray[np.int32], remembered: int) -> NDArray[np.int32]:
    """The same rows, places without one given the row of a nearest place of their street."""
    position, pasts, *others = _FAR
    steps = (position, *pasts[len(pasts) - remembered :], *others)
    shape = (rows.shape[1], *remembered * (3,), *rows.shape[3:])
    return np.stack([_nearest(street.reshape(shape), steps).reshape(street.shape) for street in rows])


def _nearest(rows: NDArray[np.int32], steps: Sequence[int]) -> NDArray[np.int32]:
    """The nearest row from every place, −1 where it has none of its own, a step along each axis being so far.

    >>> _nearest(np.array([[-1, 7, -1, -1], [-1, -1, -1, 8]]), (1, 1)).tolist()
    [[7, 7, 7, 8], [7, 7, 8, 8]]
    """
    filled, far = rows.copy(), np.where(rows >= 0, 0, 1 << 30)
    for axis, step in enumerate(steps):
        row, away = np.moveaxis(filled, axis, 0), np.moveaxis(far, axis, 0)
        places = range(len(row))
        for order in (places, places[::-1]):
            for before, at in pairwise(order):
                nearer = away[before] + step < away[at]
                row[at] = np.where(nearer, row[before], row[at])
                away[at] = np.minimum(away[before] + step, away[at])
    return filled
