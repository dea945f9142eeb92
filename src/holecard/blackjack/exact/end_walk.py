"""The dealer's final hands in the order of a walk: sums of rows by a thread that has little memory of its own.

`end_rows` keeps the product of every node, for many lanes at once: right for a processor, whose cache holds them. A
thread of a GPU has one lane and shares its cache with hundreds of others. It goes through the nodes depth first, keeps
the products of the hands that the present one grew from, one for each card, and adds a node's product to its row.

In the `LaneSpace` of a walk, `factors` (11, lanes) are the cards left of each value and a 1, `products` has room for
one product a card, and `rows` for those of one group.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.blackjack.exact.end_rows import EndRows, LaneSpace, cards_left
from holecard.blackjack.exact.hands import N_VALUES, Hands
from holecard.blackjack.exact.supply import Supply

_NO_CARD: Final = N_VALUES
"""The value of a step that adds no card: its factor is 1."""
STEP: Final = np.dtype(
    [
        ("parent", np.uint32),
        ("cards", np.uint32),
        ("value", np.uint32),
        ("row", np.uint32),
        ("copies", np.float64),
        ("sequences", np.float64),
    ],
    align=True,  # else a kernel would read it byte by byte
)
"""A step: the cards of the node before it and its own, the value of the last one, the row of a final hand, counted from
the first of its group; the copies of the value held before, the sequences in which the final hand comes, 0 for none."""


class EndWalk(NamedTuple):
    """The nodes of `EndRows` in groups, each depth first."""

    first_step: NDArray[np.int64]
    """(groups + 1,): where the steps of a group begin."""
    steps: NDArray[np.void]
    """(m,): see `STEP`. A node of several final hands has a step for each."""


def walk_of(rows: EndRows, limit: int) -> EndWalk:
    """A walk for every group of rows; groups of nodes have equally many of them. `limit` as in `put_in_rows`."""
    row_groups, node_groups = len(rows.first_row) - 1, len(rows.first_node) - 1
    first_step, steps = [0], []
    for group in range(row_groups):
        begin, end = rows.first_row[group], rows.first_row[group + 1]
        of_nodes = group * node_groups // row_groups
        nodes = slice(rows.first_node[of_nodes], rows.first_node[of_nodes + 1])
        finals = slice(rows.first_entry[begin], rows.first_entry[end])
        node = rows.entry_node[finals]
        order, cards = _depth_first(rows.parent[nodes].tolist(), node)
        row = np.repeat(np.arange(end - begin), np.diff(rows.first_entry[begin : end + 1]))
        steps.append(_steps(order, cards, rows.factor[nodes], limit, (node, row, rows.entry_sequences[finals])))
        first_step.append(first_step[-1] + len(steps[-1]))
    return EndWalk(np.array(first_step), np.concatenate(steps))


def _depth_first(parent: list[int], final: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes that final ones grow from, themselves included, depth first; and the cards of every node.

    A node follows its parent, and node 0 is its own.
    """
    within, cards = [0] * len(parent), [0] * len(parent)
    for node in final.tolist():
        within[node] = 1
    for node in range(len(parent) - 1, 0, -1):
        if within[node]:
            within[parent[node]] = 1
    for node in range(len(parent) - 1, 0, -1):  # now how many grow from each
        within[parent[node]] += within[node]
    place, free = [0] * len(parent), [1] * len(parent)
    for node in range(1, len(parent)):
        above = parent[node]
        cards[node], place[node] = cards[above] + 1, free[above]
        free[above] += within[node]
        free[node] = place[node] + 1
    kept = np.flatnonzero(np.array(within))
    return kept[np.argsort(np.array(place)[kept])], np.array(cards)


def _steps(
    order: NDArray[np.int64],
    cards: NDArray[np.int64],
    factor: NDArray[np.int64],
    limit: int,
    finals: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
) -> NDArray[np.void]:
    """The steps of a walk through nodes in some order; `finals` are the nodes, rows and sequences of final hands."""
    place = np.zeros(len(cards), np.int64)
    place[order] = np.arange(len(order))
    node, row, sequences = finals
    bare = np.setdiff1d(order, np.append(node, 0))
    at = np.concatenate([node, bare])
    steps = np.zeros(len(at), STEP)
    steps["cards"], steps["value"] = np.maximum(cards[at], 1), np.where(at == 0, _NO_CARD, factor[at] // (limit + 1))
    steps["parent"], steps["copies"] = steps["cards"] - 1, np.where(at == 0, 0, factor[at] % (limit + 1) - 1)
    steps["row"][: len(node)], steps["sequences"][: len(node)] = row, sequences
    return steps[np.argsort(place[at], kind="stable")]


@rule
def set_left(hands: Hands, supply: Supply, upcard: int, lane: int, space: LaneSpace) -> None:
    """Set the cards that the family of a lane leaves beside an upcard.

    Where they are too few, one factor of a product is 0, and what comes after does not matter.
    """
    for value in range(N_VALUES):
        space.factors[value, lane] = max(cards_left(hands.cards, supply, space.head[lane], value, upcard), 0.0)
    space.factors[_NO_CARD, lane] = 1.0


@rule
def walk_rows(walk: EndWalk, supply: Supply, group: int, n_rows: int, lane: int, space: LaneSpace) -> None:
    """Sum a group's rows, so many of them, in one lane whose cards left are set."""
    rows, products = space.rows, space.products
    for row in range(n_rows):
        rows[row, lane] = 0.0
    products[0, lane] = 1.0
    for at in range(walk.first_step[group], walk.first_step[group + 1]):
        step = walk.steps[at]
        factor = space.factors[step["value"], lane] - supply.depletion * step["copies"]
        product = products[step["parent"], lane] * factor
        products[step["cards"], lane] = product
        if step["sequences"] > 0.0:
            rows[step["row"], lane] += step["sequences"] * product
