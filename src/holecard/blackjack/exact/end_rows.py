"""The dealer's final hands in rows, and sums over them for many hands of the player's at once.

The probability of a final hand is a product of falling factorials, one for each value, and one over that of all cards.
Hands of the player's that differ only in their cards of one value, a *family*, leave all but two of these factors as
they are: that of the value, and the last. So the products of the other values are made once for a family. They are
those of a *node*, a final hand without its cards of the value; a node adds one card to its parent. Products are added
up in *rows*: final hands that have their upcard, total, size and cards of the value in common. A row is then multiplied
by the two factors of each member of the family. Families are the lanes of the inner loops.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.blackjack.exact.dealer import highest_end
from holecard.blackjack.exact.hands import EMPTY, N_VALUES, Hands
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.game.rules import TableRules

LANES: Final = 128
"""Families in one block of the inner loops: long enough to pay for a step, short enough for the cache."""
VECTOR: Final = 16
"""Lanes of a vector of the processor; a loop over part of one would run lane by lane."""
NO_UPCARD: Final = -1
"""Where final hands are whole and hold their upcard."""


class EndRows(NamedTuple):
    """Final hands as nodes and rows, both in groups: those of an upcard, say."""

    first_node: NDArray[np.int64]
    """(groups + 1,): where the nodes of a group begin; the first holds no card."""
    parent: NDArray[np.int64]
    """(m,): the node that a node adds a card to, counted from the first of its group."""
    factor: NDArray[np.int64]
    """(m,): which factor its last card brings: `value * (limit + 1) + copies held`."""
    first_row: NDArray[np.int64]
    """(row groups + 1,): where the rows of a group begin."""
    row_size: NDArray[np.int64]
    """(r,): the cards of a row's final hands."""
    row_held: NDArray[np.int64]
    """(r,): the cards of the family's value among them."""
    row_bin: NDArray[np.int64]
    """(r,): their total − target."""
    first_entry: NDArray[np.int64]
    """(r + 1,): where a row's final hands begin in the next two."""
    entry_node: NDArray[np.int64]
    """(k,): a final hand without its cards of the value, counted as `parent` is."""
    entry_sequences: NDArray[np.float64]
    """(k,): the sequences in which it comes."""


class FinalHands(NamedTuple):
    """Final hands of the dealer's, k of them, to be put in rows."""

    group: NDArray[np.int64]
    """(k,): the group of the node."""
    row_group: NDArray[np.int64]
    """(k,): the group of the row."""
    head: NDArray[np.int64]
    """(k,): the hand without its cards of the family's value."""
    kind: NDArray[np.int64]
    """(3, k): what a row has in common: the cards in all, those of the value, the total − target."""
    sequences: NDArray[np.float64]
    """(k,): the sequences in which it comes."""


def put_in_rows(finals: FinalHands, hands: Hands, limit: int, groups: int, row_groups: int) -> EndRows:
    """Final hands, whose cards are among `hands`, in rows of so many groups; no hand has more than `limit` pips."""
    group, node = _nodes(finals, hands, groups)
    first_node = np.searchsorted(group, np.arange(groups + 1))
    number = np.zeros((groups, len(hands.size)), np.int64)
    number[group, node] = np.arange(len(node)) - first_node[group]
    highest = hands.highest[node]
    entry_node = number[finals.group, finals.head]
    order = np.lexsort((entry_node, *finals.kind[::-1], finals.row_group))
    kind = np.vstack([finals.row_group, finals.kind])[:, order]
    begins = np.flatnonzero(np.append(True, np.any(kind[:, 1:] != kind[:, :-1], axis=0)))
    return EndRows(
        first_node=first_node,
        parent=number[group, hands.parent[node]],
        factor=highest * (limit + 1) + hands.cards[node, highest],
        first_row=np.searchsorted(kind[0, begins], np.arange(row_groups + 1)),
        row_size=kind[1, begins].copy(),
        row_held=kind[2, begins].copy(),
        row_bin=kind[3, begins].copy(),
        first_entry=np.append(begins, len(order)),
        entry_node=entry_node[order],
        entry_sequences=finals.sequences[order],
    )


def _nodes(finals: FinalHands, hands: Hands, groups: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The groups and hands of all nodes: the heads of final hands and what they grow from, card by card."""
    marked = np.zeros((groups, len(hands.size)), np.bool_)
    marked[:, EMPTY] = True
    group, head = finals.group, finals.head
    while len(head):
        marked[group, head] = True
        head = hands.parent[head]
        new = ~marked[group, head]
        group, head = group[new], head[new]
    found_group, found = np.nonzero(marked)
    return found_group, found


class Lanes(NamedTuple):
    """The lanes of a block that are worked on: `first` to `last`."""

    first: int
    last: int
    vector: int
    """They are worked on in whole vectors of so many."""


class LaneSpace(NamedTuple):
    """Working space for a block of families, one a lane."""

    head: NDArray[np.int64]
    """(`LANES`,): the hand of each family that holds none of the value."""
    factors: NDArray[np.float64]
    """(10 * (limit + 1), `LANES`): row `value * (limit + 1) + i` is the cards left for the i-th of a value."""
    products: NDArray[np.float64]
    """(nodes, `LANES`): the product of the factors of a node's cards."""
    rows: NDArray[np.float64]
    """(…, `LANES`): the sums of a group's rows."""
    sums: NDArray[np.float64]
    """(`LANES`,): for a weighed sum of rows."""


def lane_space(rows: EndRows, rules: TableRules) -> LaneSpace:
    """Working space for blocks of families."""
    return LaneSpace(
        np.zeros(LANES, np.int64),
        np.zeros((N_VALUES * (highest_end(rules) + 1), LANES)),
        np.ones((int(np.diff(rows.first_node).max()), LANES)),
        np.zeros((int(np.diff(rows.first_row).max()), LANES)),
        np.zeros(LANES),
    )


@rule
def whole_vectors(lanes: Lanes, last: int) -> int:
    """Where the last vector ends that has a lane below `last`."""
    return lanes.first + (last - lanes.first + lanes.vector - 1) // lanes.vector * lanes.vector


@rule
def cards_left(cards: NDArray[np.int64], supply: Supply, hand: int, value: int, upcard: int) -> float:
    """Cards of a value that a hand leaves beside an upcard; below 0 where it cannot be held.

    `cards` (…, 10) are those of all hands.
    """
    return supply.counts[value] - supply.depletion * (value == upcard) - supply.depletion * cards[hand, value]


@rule
def set_products(
    cards: NDArray[np.int64],
    rows: EndRows,
    supply: Supply,
    group: int,
    upcard: int,
    lanes: Lanes,
    space: LaneSpace,
) -> None:
    """Set the products of a group's nodes with the cards that the families of some lanes leave beside an upcard.

    `cards` (…, 10) are those that `space.head` counts.
    """
    factors, products, width = space.factors, space.products, len(space.factors) // N_VALUES
    first, last, left = rows.first_node[group], whole_vectors(lanes, lanes.last), space.sums
    for value in range(N_VALUES):
        for lane in range(lanes.first, lanes.last):
            left[lane] = cards_left(cards, supply, space.head[lane], value, upcard)
        for copy in range((width - 1) // (value + 1)):
            for lane in range(lanes.first, last):
                factors[value * width + copy + 1, lane] = max(left[lane] - supply.depletion * copy, 0.0)
    for node in range(1, rows.first_node[group + 1] - first):
        parent, factor = rows.parent[first + node], rows.factor[first + node]
        for lane in range(lanes.first, last):
            products[node, lane] = products[parent, lane] * factors[factor, lane]


@rule
def sum_rows(rows: EndRows, group: int, lanes: Lanes, space: LaneSpace) -> None:
    """Sum the rows of a group."""
    first, last = rows.first_row[group], whole_vectors(lanes, lanes.last)
    for at in range(first, rows.first_row[group + 1]):
        row, begin = at - first, rows.first_entry[at]
        node, sequences = rows.entry_node[begin], rows.entry_sequences[begin]
        for lane in range(lanes.first, last):
            space.rows[row, lane] = sequences * space.products[node, lane]
        for entry in range(begin + 1, rows.first_entry[at + 1]):
            node, sequences = rows.entry_node[entry], rows.entry_sequences[entry]
            for lane in range(lanes.first, last):
                space.rows[row, lane] += sequences * space.products[node, lane]
