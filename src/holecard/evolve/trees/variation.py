"""New trees from old: subtree crossover; subtree, point, hoist and insert mutation. Compiled, with counted numbers.

Every rule writes its result into `child` and returns its size. A change that would break the limits of size (the row's
width) or depth is tried again at other nodes a few times and then left out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.evolve.trees.planting import Dice, happens, plant, plant_fitting, roll
from holecard.evolve.trees.prefix import END, Tree, Trees, deepest, size_of, subtree_end
from holecard.seeds import key_of

ATTEMPTS: Final = 8
FUNCTION_BIAS: Final = 0.9
"""How often crossover and mutation choose an inner node rather than a leaf (Koza's figure)."""


class Odds(NamedTuple):
    """The settings of variation, as kernels take them."""

    leaves: int
    max_depth: int
    new_depth: int
    crossover: float
    subtree: float
    point: float
    hoist: float
    insert: float


class Scratch(NamedTuple):
    """The arrays that `breed` works in."""

    spare: Trees
    """(2, width): the tree before a mutation, and a subtree that is new."""
    pending: NDArray[np.int64]
    """(width + 1,): the depths of the nodes still to come."""
    dice: Dice
    """(2,): set anew for every child."""


@rule
def pick(tree: Tree, size: int, arities: NDArray[np.int16], dice: Dice) -> int:
    """A random node: mostly a function, sometimes a leaf."""
    functions = 0
    for node in range(size):
        if arities[tree[node]] > 0:
            functions += 1
    inner = functions > 0 and happens(dice, FUNCTION_BIAS)
    left = roll(dice, functions if inner else size - functions)
    for node in range(size):
        if (arities[tree[node]] > 0) == inner:
            if left == 0:
                return node
            left -= 1
    return 0


@rule
def copy_tree(child: Tree, tree: Tree, size: int) -> int:
    """Copy the first `size` codes."""
    for node in range(size):
        child[node] = tree[node]
    return size


@rule
def splice(child: Tree, tree: Tree, size: int, start: int, stop: int, graft: Tree) -> int:
    """`tree` with the nodes from `start` to `stop` replaced by `graft`; returns the size, 0 if it does not fit."""
    grown: int = size - (stop - start) + graft.shape[0]
    if grown > child.shape[0]:
        return 0
    for node in range(start):
        child[node] = tree[node]
    for node in range(graft.shape[0]):
        child[start + node] = graft[node]
    for node in range(size - stop):
        child[start + graft.shape[0] + node] = tree[stop + node]
    return grown


@rule
def cross(
    child: Tree,
    tree: Tree,
    donor: Tree,
    arities: NDArray[np.int16],
    max_depth: int,
    pending: NDArray[np.int64],
    dice: Dice,
) -> int:
    """`tree` with a random subtree replaced by one of `donor`."""
    size, donor_size = size_of(tree), size_of(donor)
    for _ in range(ATTEMPTS):
        start = pick(tree, size, arities, dice)
        stop = subtree_end(tree, start, arities)
        cut = pick(donor, donor_size, arities, dice)
        graft = donor[cut : subtree_end(donor, cut, arities)]
        grown = splice(child, tree, size, start, stop, graft)
        if grown > 0 and deepest(child, grown, arities, pending) <= max_depth:
            return grown
    return copy_tree(child, tree, size)


@rule
def mutate_subtree(
    child: Tree,
    tree: Tree,
    fresh: Tree,
    arities: NDArray[np.int16],
    odds: Odds,
    pending: NDArray[np.int64],
    dice: Dice,
) -> int:
    """`tree` with a random subtree replaced by a newly grown one of a random depth."""
    size = size_of(tree)
    for _ in range(ATTEMPTS):
        start = pick(tree, size, arities, dice)
        stop = subtree_end(tree, start, arities)
        depth = roll(dice, odds.new_depth + 1)
        grown = plant_fitting(fresh, arities, odds.leaves, (0, depth), False, pending, dice)
        spliced = splice(child, tree, size, start, stop, fresh[:grown])
        if spliced > 0 and deepest(child, spliced, arities, pending) <= odds.max_depth:
            return spliced
    return copy_tree(child, tree, size)


@rule
def mutate_point(child: Tree, tree: Tree, arities: NDArray[np.int16], dice: Dice) -> int:
    """`tree` with one node exchanged for another primitive of the same arity, if there is one."""
    size = copy_tree(child, tree, size_of(tree))
    node = roll(dice, size)
    alike = 0
    for code in range(arities.shape[0]):
        if arities[code] == arities[tree[node]] and code != tree[node]:
            alike += 1
    if alike > 0:
        left = roll(dice, alike)
        for code in range(arities.shape[0]):
            if arities[code] == arities[tree[node]] and code != tree[node]:
                if left == 0:
                    child[node] = code
                left -= 1
    return size


@rule
def mutate_hoist(child: Tree, tree: Tree, arities: NDArray[np.int16], dice: Dice) -> int:
    """`tree` with a random subtree replaced by a smaller one from inside it: never larger, never deeper."""
    size = size_of(tree)
    start = pick(tree, size, arities, dice)
    stop = subtree_end(tree, start, arities)
    inner = start + roll(dice, stop - start)
    return splice(child, tree, size, start, stop, tree[inner : subtree_end(tree, inner, arities)])


@rule
def wrap(
    fresh: Tree, subtree: Tree, arities: NDArray[np.int16], odds: Odds, pending: NDArray[np.int64], dice: Dice
) -> int:
    """Write a random function with `subtree` among its arguments and grown ones beside it; 0 if it does not fit."""
    code = odds.leaves + roll(dice, arities.shape[0] - odds.leaves)
    kept = roll(dice, arities[code])
    fresh[0] = code
    size = 1
    for argument in range(arities[code]):
        if argument != kept:
            depth = roll(dice, odds.new_depth + 1)
            grown = plant(fresh[size:], arities, odds.leaves, (0, depth), False, pending, dice)
        elif size + subtree.shape[0] <= fresh.shape[0]:
            grown = copy_tree(fresh[size:], subtree, subtree.shape[0])
        else:
            grown = 0
        if grown == 0:
            return 0
        size += grown
    return size


@rule
def mutate_insert(
    child: Tree,
    tree: Tree,
    fresh: Tree,
    arities: NDArray[np.int16],
    odds: Odds,
    pending: NDArray[np.int64],
    dice: Dice,
) -> int:
    """`tree` with a new function put above a random node, which becomes one of its arguments."""
    size = size_of(tree)
    for _ in range(ATTEMPTS):
        start = pick(tree, size, arities, dice)
        stop = subtree_end(tree, start, arities)
        grown = wrap(fresh, tree[start:stop], arities, odds, pending, dice)
        spliced = splice(child, tree, size, start, stop, fresh[:grown]) if grown > 0 else 0
        if spliced > 0 and deepest(child, spliced, arities, pending) <= odds.max_depth:
            return spliced
    return copy_tree(child, tree, size)


@kernel
def breed(
    children: Trees,
    population: Trees,
    parents: NDArray[np.int64],
    arities: NDArray[np.int16],
    odds: Odds,
    key: np.uint64,
    scratch: Scratch,
) -> None:
    """Fill `children`, shape (n, width), from the pairs in `parents`, shape (n, 2)."""
    spare, pending, dice = scratch
    for row in range(children.shape[0]):
        dice[0] = key_of(key, np.uint64(row))
        dice[1] = np.uint64(0)
        child, other, fresh = children[row], spare[0], spare[1]
        tree = population[parents[row, 0]]
        if happens(dice, odds.crossover):
            size = cross(child, tree, population[parents[row, 1]], arities, odds.max_depth, pending, dice)
        else:
            size = copy_tree(child, tree, size_of(tree))
        child[size:] = END
        if happens(dice, odds.subtree):
            other[:] = child
            size = mutate_subtree(child, other, fresh, arities, odds, pending, dice)
            child[size:] = END
        if happens(dice, odds.point):
            other[:] = child
            size = mutate_point(child, other, arities, dice)
        if happens(dice, odds.hoist):
            other[:] = child
            size = mutate_hoist(child, other, arities, dice)
            child[size:] = END
        if happens(dice, odds.insert):
            other[:] = child
            size = mutate_insert(child, other, fresh, arities, odds, pending, dice)
            child[size:] = END
