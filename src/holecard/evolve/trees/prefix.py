"""Trees as rows of codes in prefix order, ended by `END`: no objects, so whole populations are one array.

`Or(HasAce,Not(Has16))` is the codes of Or, HasAce, Not, Has16. A subtree is a run of consecutive codes, and reading
from the last code to the first evaluates a tree with one stack.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule

END: Final = -1
"""What fills a row behind its tree."""
Tree = NDArray[np.int16]
"""One tree: codes in prefix order, with or without `END` behind."""
Trees = NDArray[np.int16]
"""A population: shape (trees, width)."""


def sizes_of(trees: Trees) -> NDArray[np.int64]:
    """How many nodes each tree has."""
    return np.asarray((trees != END).sum(axis=-1))


@rule
def size_of(tree: Tree) -> int:
    """How many nodes a tree has."""
    size = 0
    while size < tree.shape[0] and tree[size] != END:
        size += 1
    return size


@rule
def subtree_end(tree: Tree, start: int, arities: NDArray[np.int16]) -> int:
    """One past the last node of the subtree that begins at `start`."""
    wanted = 1
    node = start
    while wanted > 0:
        wanted += arities[tree[node]] - 1
        node += 1
    return node


@rule
def deepest(tree: Tree, size: int, arities: NDArray[np.int16], pending: NDArray[np.int64]) -> int:
    """The depth of a tree in edges; `pending` is scratch space at least as long as the tree."""
    pending[0] = 0
    waiting = 1
    most = 0
    for node in range(size):
        waiting -= 1
        depth = pending[waiting]
        most = max(most, depth)
        for _ in range(arities[tree[node]]):
            pending[waiting] = depth + 1
            waiting += 1
    return most


def depth_of(tree: Tree, arities: NDArray[np.int16]) -> int:
    """The depth of a tree in edges: 0 for a lone terminal."""
    return int(deepest(tree, size_of(tree), arities, np.zeros(len(tree) + 1, np.int64)))


def is_whole(tree: NDArray[Any], arities: NDArray[np.int16]) -> bool:
    """True if the codes are exactly one tree, with nothing missing and only `END` behind."""
    size = size_of(tree)
    if size == 0 or (tree[size:] != END).any() or (tree[:size] < 0).any() or (tree[:size] >= len(arities)).any():
        return False
    wanted = 1 + np.cumsum(arities[tree[:size]].astype(np.int64) - 1)
    return bool((wanted[:-1] > 0).all() and wanted[-1] == 0)
