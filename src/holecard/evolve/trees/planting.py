"""Random trees: full, grown, and ramped half-and-half (Koza 1992), in compiled code with counted random numbers."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.evolve.trees.prefix import END, Tree, Trees
from holecard.seeds import below, key_of

Dice = NDArray[np.uint64]
"""A key and how many numbers of it are used: shape (2,)."""
_ONE: Final = np.uint64(1)
_TWO_TO_32: Final = np.uint64(1 << 32)


@rule
def roll(dice: Dice, sides: int) -> int:
    """A number from 0 to `sides` − 1."""
    dice[1] += _ONE
    return int(np.int64(below(dice[0], dice[1], np.uint64(sides))))


@rule
def happens(dice: Dice, chance: float) -> np.bool_:
    """True with that chance."""
    dice[1] += _ONE
    return np.float64(below(dice[0], dice[1], _TWO_TO_32)) < chance * 4294967296.0


@rule
def plant(
    tree: Tree,
    arities: NDArray[np.int16],
    leaves: int,
    depths: tuple[int, int],
    full: bool,
    pending: NDArray[np.int64],
    dice: Dice,
) -> int:
    """Write a random tree no deeper than `depths[1]` into `tree`; returns its size, 0 if it does not fit.

    No branch ends above `depths[0]`; below it, a *full* tree goes on to the greatest depth and a grown one chooses any
    primitive.
    """
    functions = arities.shape[0] - leaves
    size = 0
    waiting = 1
    pending[0] = 0
    while waiting > 0:
        waiting -= 1
        depth = pending[waiting]
        if depth >= depths[1]:
            code = roll(dice, leaves)
        elif full or depth < depths[0]:
            code = leaves + roll(dice, functions)
        else:
            code = roll(dice, leaves + functions)
        if size + 1 + waiting + arities[code] > tree.shape[0]:
            return 0
        tree[size] = code
        size += 1
        for _ in range(arities[code]):
            pending[waiting] = depth + 1
            waiting += 1
    return size


@rule
def plant_fitting(
    tree: Tree,
    arities: NDArray[np.int16],
    leaves: int,
    depths: tuple[int, int],
    full: bool,
    pending: NDArray[np.int64],
    dice: Dice,
) -> int:
    """`plant`, one level shallower each time a tree does not fit; returns its size, 1 or more."""
    shallowest, greatest = depths
    size = 0
    while size == 0:
        size = plant(tree, arities, leaves, (min(shallowest, greatest), greatest), full, pending, dice)
        greatest -= 1
    return size


@kernel
def plant_half_and_half(
    trees: Trees,
    arities: NDArray[np.int16],
    leaves: int,
    depths: tuple[int, int],
    key: np.uint64,
    pending: NDArray[np.int64],
    dice: Dice,
) -> None:
    """Fill `trees` with depths ramped from `depths[0]` to `depths[1]`, half of each full and half grown."""
    steps = depths[1] - depths[0] + 1
    for row in range(trees.shape[0]):
        dice[0] = key_of(key, np.uint64(row))
        dice[1] = np.uint64(0)
        greatest = depths[0] + row % steps
        full = (row // steps) % 2 == 0
        size = plant_fitting(trees[row], arities, leaves, (depths[0], greatest), full, pending, dice)
        trees[row, size:] = END
