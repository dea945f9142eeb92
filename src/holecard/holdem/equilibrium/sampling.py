"""Monte-Carlo counterfactual regret minimisation by external sampling (Lanctot and others 2009), in whole numbers.

An iteration is a deal and two walks, one for each player. The walker tries each of its actions; of the other player's
one is drawn, and the strategy it is drawn from is added to that player's average. Strategies are fixed while a batch is
walked, and what is added up are whole numbers: so the sums do not depend on who adds first, on how many threads, nor
on whether a CPU or a GPU walks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, atomic_addition, lean_kernel, rule
from holecard.holdem.equilibrium.public_tree import END, NO_CHILD, Deals, PublicTree
from holecard.seeds import below, key_of

MOST_ACTIONS: Final = 8
DEPTH: Final = 48
"""Decisions of a walker that follow each other, at most."""
_BITS: Final = 20
ONE: Final = 1 << _BITS
"""The parts of a strategy sum to this."""

Add = Callable[[Any, Int, Int], Any]
"""Adds an amount to a place of an array while others may add to it too."""
_add_atomically: Final = atomic_addition()


class Batch(NamedTuple):
    """What all walks of a batch share; enters kernels as it is. Arrays have a place for every action."""

    walker: NDArray[np.int32]
    """The strategies of who tries its actions, in parts of ONE."""
    other: NDArray[np.int32]
    """Those of the other player."""
    regret: NDArray[np.int64]
    """To which regrets are added."""
    average: NDArray[np.int64]
    """To which the other's strategies are added; no places where nobody wants them."""
    weight: int
    """How often whatever is found counts."""
    seed: np.uint64
    """Of what is drawn beside the cards."""
    first: int
    """The number of the first deal: deal i draws from keys 2i and 2i + 1."""


class Walk(NamedTuple):
    """The stack of one thread: decisions of the walker that are not done yet."""

    node: Any
    """(depth) int32"""
    action: Any
    """(depth) int32, the action being tried."""
    first: Any
    """(depth) int64, where the numbers of its information set begin."""
    mean: Any
    """(depth) int64, what was found so far: worth × share, summed."""
    share: Any
    """(depth + 1, actions) int32, its strategy; the last row is the other player's."""
    worth: Any
    """(depth, actions) int32, what each action was worth."""


def new_walk() -> Walk:
    """The stack of one thread."""
    short, long = np.zeros((2, DEPTH), np.int32), np.zeros((2, DEPTH), np.int64)
    share, worth = np.zeros((DEPTH + 1, MOST_ACTIONS), np.int32), np.zeros((DEPTH, MOST_ACTIONS), np.int32)
    return Walk(short[0], short[1], long[0], long[1], share, worth)


@rule
def match_regrets(weight: Any, first: Int, allowed: Int, width: int, share: Any) -> None:
    """Fill share[first …] in proportion to the positive numbers of weight there, in parts that sum to ONE.

    `allowed` has a bit for every action; all of them alike where no number is positive.
    """
    positive, count = 0.0, 0
    for at in range(width):
        if allowed >> at & 1:
            count += 1
            positive += float(max(weight[first + at], 0))
    left, largest, most = ONE, 0, -1
    for at in range(width):
        part = 0
        if allowed >> at & 1:
            part = int(float(max(weight[first + at], 0)) / positive * ONE) if positive > 0 else ONE // count
            if part > most:
                largest, most = at, part
        share[first + at] = part
        left -= part
    share[first + largest] += left


@rule
def _look_up(share: Any, first: Int, child: Any, here: Any) -> None:
    """Fill here (actions) with the strategy of an information set over what a node of it offers."""
    width = child.shape[0]
    total, count = 0, 0
    for at in range(width):
        here[at] = 0
        if child[at] != NO_CHILD:
            count += 1
            here[at] = share[first + at]
            total += here[at]
    if total == ONE:
        return
    left, largest, most = ONE, 0, -1
    for at in range(width):
        if child[at] != NO_CHILD:
            here[at] = np.int64(here[at]) * ONE // total if total > 0 else ONE // count
            left -= here[at]
            if here[at] > most:
                largest, most = at, here[at]
    here[largest] += left


@rule
def _drawn(share: Any, width: int, point: Int) -> int:
    """The action at a point, 0 … ONE − 1, of a strategy."""
    left = np.int64(point)
    for at in range(width):
        left -= share[at]
        if left < 0:
            return at
    return width - 1


@rule
def _first_of(tree: PublicTree, deals: Deals, deal: Int, node: Int) -> Int:
    """Where the numbers of the information set at a node begin."""
    cluster = deals.cluster[deal, tree.actor[node], tree.street[node]]
    return tree.offset[tree.row[node]] + cluster * tree.child.shape[1]


@rule
def _next_action(child: Any, action: Int) -> Int:
    """The first allowed action from this one on; the width if there is none."""
    while action < child.shape[0] and child[action] == NO_CHILD:
        action += 1
    return action


@rule
def _end_value(tree: PublicTree, deals: Deals, deal: Int, node: Int, player: int) -> Int:
    """What a player wins at an end."""
    value = tree.fixed[node] + tree.swing[node] * deals.sign[deal]
    return value if player == 0 else -value


@rule
def _other_moves(tree: PublicTree, batch: Batch, first: Int, node: Int, point: Int, here: Any, add: Add) -> Int:
    """Draw the other player's action, note the strategy it came from, return where it leads."""
    width = tree.child.shape[1]
    _look_up(batch.other, first, tree.child[node], here)
    if batch.average.shape[0] > 0:
        for at in range(width):
            if here[at] > 0:
                add(batch.average, first + at, np.int64(here[at]) * batch.weight)
    return tree.child[node, _drawn(here, width, point)]


@rule
def _note_regrets(batch: Batch, walk: Walk, level: Int, child: Any, add: Add) -> Int:
    """Add the regrets of the decision at a level; return what it is worth."""
    mean = (walk.mean[level] + ONE // 2) >> _BITS
    for action in range(child.shape[0]):
        if child[action] != NO_CHILD:
            add(batch.regret, walk.first[level] + action, (walk.worth[level, action] - mean) * batch.weight)
    return mean


@rule
def walk_deal(tree: PublicTree, batch: Batch, deals: Deals, deal: Int, player: int, walk: Walk, add: Add) -> Int:
    """Walk through one deal for a player, add what it finds, return what the player wins."""
    width = tree.child.shape[1]
    key = key_of(batch.seed, np.uint64(2 * (batch.first + deal) + player))
    counter, node, level = np.uint64(0), np.int64(0), np.int64(-1)
    while True:
        actor = tree.actor[node]
        if actor == 1 - player:
            point = below(key, counter, np.uint64(ONE))
            counter += np.uint64(1)
            first = _first_of(tree, deals, deal, node)
            node = np.int64(_other_moves(tree, batch, first, node, point, walk.share[DEPTH], add))
            continue
        if actor == player:
            level += 1
            walk.node[level] = node
            walk.first[level] = _first_of(tree, deals, deal, node)
            walk.mean[level] = 0
            _look_up(batch.walker, walk.first[level], tree.child[node], walk.share[level])
            walk.action[level] = _next_action(tree.child[node], 0)
            node = np.int64(tree.child[node, walk.action[level]])
            continue
        value = np.int64(_end_value(tree, deals, deal, node, player))
        while level >= 0:
            here, action = walk.node[level], walk.action[level]
            walk.worth[level, action] = value
            walk.mean[level] += walk.share[level, action] * value
            walk.action[level] = _next_action(tree.child[here], action + 1)
            if walk.action[level] < width:
                node = np.int64(tree.child[here, walk.action[level]])
                break
            value = np.int64(_note_regrets(batch, walk, level, tree.child[here], add))
            level -= 1
        if level < 0:
            return value


@rule
def play_deal(tree: PublicTree, batch: Batch, deals: Deals, deal: Int, player: int, here: Any) -> Int:
    """What `player`, the walker, wins from the other in one deal, both drawing their actions."""
    key = key_of(batch.seed, np.uint64(2 * (batch.first + deal) + player))
    counter, node = np.uint64(0), np.int64(0)
    while tree.actor[node] != END:
        share = batch.walker if tree.actor[node] == player else batch.other
        _look_up(share, _first_of(tree, deals, deal, node), tree.child[node], here)
        point = below(key, counter, np.uint64(ONE))
        counter += np.uint64(1)
        node = np.int64(tree.child[node, _drawn(here, tree.child.shape[1], point)])
    return _end_value(tree, deals, deal, node, player)


@rule
def _add(array: Any, at: Int, amount: Int) -> None:
    _add_atomically(array, at, amount)


@lean_kernel
def walk_deals(tree: PublicTree, batch: Batch, deals: Deals, walk: Walk, who: int) -> None:
    """Walk through all deals, for both players or for `who` (0, 1)."""
    for deal in range(deals.sign.shape[0]):
        for player in range(2):
            if who < 0 or who == player:
                walk_deal(tree, batch, deals, deal, player, walk, _add)


@lean_kernel
def match_all(weight: Any, allowed: Any, width: int, share: Any, low: int, high: int) -> None:
    """Fill share for the information sets `low` and on, below `high`; `allowed` has the bits of each."""
    for at in range(low, high):
        match_regrets(weight, at * width, allowed[at], width, share)


@lean_kernel
def play_deals(tree: PublicTree, batch: Batch, deals: Deals, player: int, walk: Walk, won: Any) -> None:
    """Fill won (deals) with what `player` wins."""
    for deal in range(deals.sign.shape[0]):
        won[deal] = play_deal(tree, batch, deals, deal, player, walk.share[0])
