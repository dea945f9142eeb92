"""The dealer's final hands in the order of a walk: sums of rows by a thread that has little memory of its own.

`end_rows` keeps the product of every node, for many lanes at once: right for a processor, whose cache holds them. A
thread of a GPU has one lane and shares its cache with hundreds of others. It goes through the nodes depth first, keeps
the products of the hands that the present one grew from, one for each card, and adds a node's product to its rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.blackjack.exact.end_rows import EndRows, LaneSpace


class EndWalk(NamedTuple):
    """The nodes of `EndRows` in groups, each depth first: steps of a walk."""

    first_step: NDArray[np.int32]
    """(groups + 1,): where the steps of a group begin; the first is the node that holds no card."""
    cards: NDArray[np.int32]
    """(m,): the cards of a step's node."""
    factor: NDArray[np.int32]
    """(m,): which factor its last card brings, as `EndRows.factor`."""
    first_entry: NDArray[np.int32]
    """(m + 1,): where the final hands of a step's node begin in the next two."""
    entry_row: NDArray[np.int32]
    """(k,): the row of a final hand, counted from the first of its group."""
    entry_sequences: NDArray[np.float64]
    """(k,): the sequences in which it comes."""


def walk_of(rows: EndRows, groups: int) -> EndWalk:
    """The walks of so many groups; the groups of rows and of nodes are shared out among them in their order."""
    row_groups, node_groups = len(rows.first_row) - 1, len(rows.first_node) - 1
    first_step, steps, entries = [0], [], []
    for group in range(groups):
        begin, end = rows.first_row[np.array([group, group + 1]) * row_groups // groups]
        of_nodes = group * node_groups // groups
        nodes = slice(rows.first_node[of_nodes], rows.first_node[of_nodes + 1])
        mine = slice(rows.first_entry[begin], rows.first_entry[end])
        row = np.repeat(np.arange(end - begin), np.diff(rows.first_entry[begin : end + 1]))
        place, cards = _depth_first(rows.parent[nodes].tolist(), rows.entry_node[mine])
        order = np.argsort(place)[np.count_nonzero(place < 0) :]
        at = place[rows.entry_node[mine]]
        by_step = np.lexsort((row, at))
        steps.append(np.stack([cards[order], rows.factor[nodes][order], np.bincount(at, minlength=len(order))]))
        entries.append((row[by_step], rows.entry_sequences[mine][by_step]))
        first_step.append(first_step[-1] + len(order))
    cards, factor, finals = np.concatenate(steps, axis=1)
    return EndWalk(
        np.array(first_step, np.int32),
        cards.astype(np.int32),
        factor.astype(np.int32),
        np.append(0, np.cumsum(finals)).astype(np.int32),
        np.concatenate([row for row, _ in entries]).astype(np.int32),
        np.concatenate([sequences for _, sequences in entries]),
    )


def _depth_first(parent: list[int], final: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The place of each node in a walk to all final ones, −1 where none of those grows from it, and its cards.

    A node follows its parent, and node 0 is its own.
    """
    within, cards = [0] * len(parent), [0] * len(parent)  # nodes of the walk that grow from each, itself included
    for node in set(final.tolist()):
        within[node] = 1
    within[0] = 1
    for node in range(len(parent) - 1, 0, -1):
        if within[node]:
            within[parent[node]] = max(within[parent[node]], 1)
    for node in range(len(parent) - 1, 0, -1):
        if within[node]:
            within[parent[node]] += within[node]
    place, free = [-1] * len(parent), [1] * len(parent)
    place[0] = 0
    for node in range(1, len(parent)):
        if within[node]:
            above = parent[node]
            cards[node], place[node] = cards[above] + 1, free[above]
            free[above] += within[node]
            free[node] = place[node] + 1
    return np.array(place), np.array(cards)


@rule
def walk_rows(walk: EndWalk, group: int, n_rows: int, lane: int, space: LaneSpace) -> None:
    """Sum a group's rows in one lane whose factors are set; `space.products` has room for one product a card."""
    rows, products = space.rows, space.products
    for row in range(n_rows):
        rows[row, lane] = 0.0
    product = products[0, lane] = 1.0
    for step in range(walk.first_step[group], walk.first_step[group + 1]):
        cards = walk.cards[step]
        if cards > 0:
            product = products[cards - 1, lane] * space.factors[walk.factor[step], lane]
            products[cards, lane] = product
        for entry in range(walk.first_entry[step], walk.first_entry[step + 1]):
            rows[walk.entry_row[entry], lane] += walk.entry_sequences[entry] * product
