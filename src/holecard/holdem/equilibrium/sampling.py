"""Monte-Carlo counterfactual regret minimisation by external sampling (Lanctot and others 2009), in compiled loops.

An iteration is a deal and two walks, one for each player. The walker tries each of its actions; of the other player's
one is drawn, and the strategy it is drawn from is added to that player's average. What a walk finds goes into lists,
which somebody adds up in the order of the deals: so the sums do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, lean_kernel, rule
from holecard.holdem.equilibrium.public_tree import END, NO_CHILD, Deals, PublicTree
from holecard.seeds import below, key_of

MOST_ACTIONS: Final = 8
_DEPTH: Final = 64
_GRAIN: Final = 1 << 30


class Strategies(NamedTuple):
    """What the two sides of a walk play by, one number for every action of every information set."""

    walker: NDArray[np.float64]
    """Regrets: the walker plays in proportion to the positive ones."""
    other: NDArray[np.float64]
    """The same for the other player; or its average, to which it then sticks."""


class Found(NamedTuple):
    """Lists of what walks found: where, and how much to add there."""

    regret_at: NDArray[np.int64]
    regret: NDArray[np.float64]
    average_at: NDArray[np.int64]
    average: NDArray[np.float64]
    used: NDArray[np.int64]
    """(3) places used of both lists, nodes met."""


class Walk(NamedTuple):
    """The stack of one thread: decisions of the walker that are not done yet."""

    node: NDArray[np.int64]
    """(depth)"""
    first: NDArray[np.int64]
    """(depth) where the numbers of its information set begin."""
    action: NDArray[np.int64]
    """(depth) the action being tried."""
    share: NDArray[np.float64]
    """(depth, actions) its strategy."""
    worth: NDArray[np.float64]
    """(depth, actions) what each action was worth."""


def new_found(places: int) -> Found:
    """Empty lists with so many places."""
    at, amount = np.zeros((2, places), np.int64), np.zeros((2, places))
    return Found(at[0], amount[0], at[1], amount[1], np.zeros(3, np.int64))


def new_walk() -> Walk:
    """The stack of one thread."""
    whole, shares = np.zeros((3, _DEPTH), np.int64), np.zeros((2, _DEPTH, MOST_ACTIONS))
    return Walk(whole[0], whole[1], whole[2], shares[0], shares[1])


@rule
def match_regrets(regret: Any, first: Int, child: Any, share: Any) -> None:
    """Fill share with a strategy in proportion to positive regrets, over the actions that are allowed."""
    width = child.shape[0]
    positive, allowed = 0.0, 0
    for at in range(width):
        share[at] = 0.0
        if child[at] != NO_CHILD:
            allowed += 1
            share[at] = max(regret[first + at], 0.0)
            positive += share[at]
    for at in range(width):
        if child[at] != NO_CHILD:
            share[at] = share[at] / positive if positive > 0 else 1.0 / allowed


@rule
def _drawn(share: Any, width: int, point: float) -> int:
    """The action at a point, 0 … 1, of a strategy."""
    last = 0
    for at in range(width):
        if share[at] > 0:
            last = at
            point -= share[at]
            if point < 0:
                return last
    return last


@rule
def _first_of(tree: PublicTree, deals: Deals, deal: Int, node: Int) -> Int:
    """Where the numbers of the information set at a node begin."""
    cluster = deals.cluster[deal, tree.actor[node], tree.street[node]]
    return tree.offset[tree.row[node]] + cluster * tree.child.shape[1]


@rule
def _note_average(found: Found, first: Int, share: Any, width: int) -> bool:
    """Add a strategy to the list; False if it has no room."""
    at = found.used[1]
    if at + width > found.average.shape[0]:
        return False
    for action in range(width):
        if share[action] > 0:
            found.average_at[at] = first + action
            found.average[at] = share[action]
            at += 1
    found.used[1] = at
    return True


@rule
def _note_regrets(found: Found, walk: Walk, level: Int, child: Any) -> bool:
    """Add the regrets of the decision at a level to the list; False if it has no room."""
    width = child.shape[0]
    at = found.used[0]
    if at + width > found.regret.shape[0]:
        return False
    mean = walk.worth[level, MOST_ACTIONS - 1]
    for action in range(width):
        if child[action] != NO_CHILD:
            found.regret_at[at] = walk.first[level] + action
            found.regret[at] = walk.worth[level, action] - mean
            at += 1
    found.used[0] = at
    return True


@rule
def _next_action(child: Any, action: Int) -> Int:
    """The first allowed action from this one on; the width if there is none."""
    while action < child.shape[0] and child[action] == NO_CHILD:
        action += 1
    return action


@rule
def _walk(
    tree: PublicTree, strategies: Strategies, deals: Deals, deal: Int, player: int, key: Any, walk: Walk, found: Found
) -> float:
    """Walk through one deal for a player and note what it finds; NaN if a list has no room."""
    width = tree.child.shape[1]
    other_share = walk.share[_DEPTH - 1]
    counter, node, level = np.uint64(0), 0, -1
    while True:
        found.used[2] += 1
        actor = tree.actor[node]
        if actor == 1 - player:
            first = _first_of(tree, deals, deal, node)
            match_regrets(strategies.other, first, tree.child[node], other_share)
            if not _note_average(found, first, other_share, width):
                return np.nan
            point = below(key, counter, np.uint64(_GRAIN)) / _GRAIN
            counter += np.uint64(1)
            node = tree.child[node, _drawn(other_share, width, point)]
            continue
        if actor == player:
            level += 1
            walk.node[level] = node
            walk.first[level] = _first_of(tree, deals, deal, node)
            match_regrets(strategies.walker, walk.first[level], tree.child[node], walk.share[level])
            walk.action[level] = _next_action(tree.child[node], 0)
            walk.worth[level, MOST_ACTIONS - 1] = 0.0
            node = tree.child[node, walk.action[level]]
            continue
        value = tree.fixed[node] + tree.swing[node] * deals.sign[deal]
        if player == 1:
            value = -value
        while level >= 0:
            here, action = walk.node[level], walk.action[level]
            walk.worth[level, action] = value
            walk.worth[level, MOST_ACTIONS - 1] += walk.share[level, action] * value
            walk.action[level] = _next_action(tree.child[here], action + 1)
            if walk.action[level] < width:
                node = tree.child[here, walk.action[level]]
                break
            if not _note_regrets(found, walk, level, tree.child[here]):
                return np.nan
            value = walk.worth[level, MOST_ACTIONS - 1]
            level -= 1
        if level < 0:
            return value


@lean_kernel
def walk_deals(
    tree: PublicTree, strategies: Strategies, deals: Deals, start: int, seed: Any, walk: Walk, found: Found, who: int
) -> int:
    """Walk through deals `start` and on, for both players or for `who` (0, 1), until the lists are full.

    Returns the first deal that is not done. Deal i draws from key i of the seed.
    """
    for deal in range(start, deals.sign.shape[0]):
        before = found.used[0], found.used[1]
        for player in range(2):
            if who >= 0 and who != player:
                continue
            key = key_of(seed, np.uint64(2 * deal + player))
            value = _walk(tree, strategies, deals, deal, player, key, walk, found)
            if np.isnan(value):
                found.used[0], found.used[1] = before
                return deal
    return deals.sign.shape[0]


@lean_kernel
def add_between(target: Any, where: Any, amount: Any, weight: float, low: int, high: int) -> None:
    """Add weight × amount to the places of target that are `low` or more and less than `high`, in order."""
    for at in range(where.shape[0]):
        if low <= where[at] < high:
            target[where[at]] += weight * amount[at]


@lean_kernel
def play_deals(
    tree: PublicTree, strategies: Strategies, deals: Deals, seed: Any, player: int, walk: Walk, won: Any
) -> None:
    """Fill won (deals) with what `player`, the walker, wins from the other, both playing as `walk_deals` has them."""
    width = tree.child.shape[1]
    share = walk.share[0]
    for deal in range(deals.sign.shape[0]):
        key, counter, node = key_of(seed, np.uint64(deal)), np.uint64(0), 0
        while tree.actor[node] != END:
            first = _first_of(tree, deals, deal, node)
            own = tree.actor[node] == player
            match_regrets(strategies.walker if own else strategies.other, first, tree.child[node], share)
            node = tree.child[node, _drawn(share, width, below(key, counter, np.uint64(_GRAIN)) / _GRAIN)]
            counter += np.uint64(1)
        value = tree.fixed[node] + tree.swing[node] * deals.sign[deal]
        won[deal] = value if player == 0 else -value
