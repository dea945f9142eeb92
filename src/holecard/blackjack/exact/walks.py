"""The dealer's hands after an upcard as walks over a tree, and blocks of lanes that take such a walk together.

A *lane* is what the player has drawn to hands split from a pair card. With q(v) cards of a value drawn by the dealer, s
in all, P(he draws them) is a product of falling factorials as in `dealer`. Only two of its factors depend on how many
pair cards are gone: that of the pair card, through q(pair), and the inverse of all sequences, through s. The walk
leaves these two out and sums what it has by (total, s, q(pair)), a *row* each; `sum_rows` multiplies a row by the two
factors. So one walk serves every number of pair cards gone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.dealer import bins_of, dealer_ends, dealer_hands, highest_end
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands
from holecard.blackjack.exact.supply import FallingFactorials, Split, Supply
from holecard.blackjack.game.rules import TableRules

LANES: Final = 128
"""Lanes of a block: enough to pay for what a step of the walk costs, few enough for the cache."""
VECTOR: Final = 16
"""Lanes are worked on in whole vectors; a loop over part of one would run lane by lane."""


class Walks(NamedTuple):
    """The cards that a dealer draws after each upcard, as walks in preorder; ends are those of `dealer.dealer_ends`."""

    first: NDArray[np.int64]
    """(11,): where the walk of each upcard begins."""
    size: NDArray[np.int64]
    """Cards drawn so far at a node, which is its depth."""
    last_card: NDArray[np.int64]
    """The value of its last card, the highest."""
    copies: NDArray[np.int8]
    """(…, 10): cards of each value drawn."""
    most_copies: NDArray[np.int64]
    """(10, 10): the most cards of each value that an upcard's walk draws."""
    sequences: NDArray[np.float64]
    """Sequences of these cards after which the dealer ends here; 0 if he does not."""
    bin: NDArray[np.int64]
    """The dealer's total − target where he ends."""
    top_bin: NDArray[np.int64]
    """The highest `bin` of a node and all that follow from it."""
    is_leaf: NDArray[np.bool_]
    """Nothing follows from it."""


@lru_cache(maxsize=16)
def dealer_walks(rules: TableRules) -> Walks:
    """The walks of a table's dealer."""
    hands, ends = dealer_hands(rules), dealer_ends(rules)
    room = N_VALUES * len(hands.size)
    first = np.zeros(N_VALUES + 1, np.int64)
    drawn, top_bin = np.zeros((2, room), np.int64)
    is_leaf = np.zeros(room, np.bool_)
    used = _fill_walks(hands, ends, rules.target, first, drawn, top_bin, is_leaf)
    drawn = drawn[:used]
    most_copies = np.array([hands.cards[drawn[start:end]].max(axis=0, initial=0) for start, end in pairwise(first)])
    upcard = np.repeat(np.arange(N_VALUES), np.diff(first))
    whole = hands.grown[drawn, upcard]
    return Walks(
        first=first,
        size=hands.size[drawn],
        last_card=hands.highest[drawn],
        copies=hands.cards[drawn].astype(np.int8),
        most_copies=most_copies,
        sequences=ends[upcard, whole],
        bin=hands.total[whole] - rules.target,
        top_bin=top_bin[:used].copy(),
        is_leaf=is_leaf[:used].copy(),
    )


@kernel
def _fill_walks(
    hands: Hands,
    ends: NDArray[np.float64],
    target: int,
    first: NDArray[np.int64],
    nodes: NDArray[np.int64],
    top_bin: NDArray[np.int64],
    is_leaf: NDArray[np.bool_],
) -> int:
    """List the nodes of `Walks` and what follows from them; returns their number.

    A pass down over all hands finds the highest end that each leads to, a pass in preorder lists those that have one.
    """
    n, used = len(hands.size), 0
    for upcard in range(N_VALUES):
        top, has_more = np.full(n, -1), np.zeros(n, np.bool_)
        for drawn in range(n - 1, 0, -1):
            whole = hands.grown[drawn, upcard]
            if whole != BUST and ends[upcard, whole] > 0.0:
                top[drawn] = max(top[drawn], hands.total[whole] - target)
            if top[drawn] >= 0:
                parent = hands.parent[drawn]
                top[parent] = max(top[parent], top[drawn])
                has_more[parent] = True
        for at in range(1, n):
            drawn = hands.preorder[at]
            if top[drawn] >= 0:
                nodes[used], top_bin[used], is_leaf[used] = drawn, top[drawn], not has_more[drawn]
                used += 1
        first[upcard + 1] = used
    return used


class Dealt(NamedTuple):
    """What a dealer may draw, and how likely draws are."""

    walks: Walks
    """The cards that he draws."""
    factorials: FallingFactorials
    """The probabilities of draws from the shoe."""


class Block(NamedTuple):
    """Working space for a block of lanes that share upcard and pair card."""

    cards: NDArray[np.int64]
    """(10, `LANES`): the cards of each value drawn to the pair card."""
    size: NDArray[np.int64]
    """(`LANES`,): how many they are."""
    end_weight: NDArray[np.float64]
    """(bins, `LANES`): how much a dealer's end counts, by total."""
    lanes_up_to: NDArray[np.int64]
    """(bins,): the lanes that a dealer's total, or a lower one, can matter to: so many of the first."""
    factors: NDArray[np.float64]
    """(10 * (limit + 1), `LANES`): row `value * (limit + 1) + i` is the i-th card of a value that may still be drawn;
    row 0 is all ones and stands for a pair card."""
    products: NDArray[np.float64]
    """(limit + 1, `LANES`): the product of factors along the walk, by depth."""
    factor_row: NDArray[np.int64]
    """(nodes,): the row of `factors` that a node brings."""
    sum_row: NDArray[np.int64]
    """(nodes,): the row of `sums` that a node adds to, or −1."""
    row_kind: NDArray[np.int64]
    """(3, …): what a row of `sums` holds: the dealer's bin, the cards he draws, the pair cards among them."""
    row_of: NDArray[np.int64]
    """(…,): the row of `sums` of a kind, or −1."""
    sums: NDArray[np.float64]
    """(…, `LANES`)."""
    of_pair: NDArray[np.float64]
    """(limit + 1, `LANES`): the falling factorial of the pair cards left, by how many of them the dealer draws."""
    inverse: NDArray[np.float64]
    """(limit + 1, `LANES`): one over all sequences of so many cards."""


def new_block(rules: TableRules, nodes: int) -> Block:
    """Working space for walks of so many nodes in all. Made outside of kernels, which compile sooner for it."""
    width, bins = highest_end(rules) + 1, bins_of(rules)
    return Block(
        np.zeros((N_VALUES, LANES), np.int64),
        np.zeros(LANES, np.int64),
        np.ones((bins, LANES)),
        np.full(bins, LANES, np.int64),
        np.ones((N_VALUES * width, LANES)),
        np.ones((width, LANES)),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros((3, bins * width * width), np.int64),
        np.full(bins * width * width, -1, np.int64),
        np.empty((bins * width * width, LANES)),
        np.ones((width, LANES)),
        np.ones((width, LANES)),
    )


@rule
def whole_vectors(lanes: int) -> int:
    """So many lanes, rounded up to whole vectors."""
    return (lanes + VECTOR - 1) // VECTOR * VECTOR


@rule
def number_rows(walks: Walks, upcard: int, pair: int, by_total: bool, block: Block) -> int:
    """Give every node of a walk its factor and its row of `sums`, `by_total` one a total; returns the rows."""
    width, rows = len(block.products), 0
    for kind in range(len(block.row_of)):
        block.row_of[kind] = -1
    for node in range(walks.first[upcard], walks.first[upcard + 1]):
        last, drawn, pairs = walks.last_card[node], walks.size[node], walks.copies[node, pair]
        block.factor_row[node] = 0 if last == pair else last * width + walks.copies[node, last]
        block.sum_row[node] = -1
        if walks.sequences[node] > 0.0:
            bin = walks.bin[node] if by_total else 0
            kind = (bin * width + drawn) * width + pairs
            if block.row_of[kind] < 0:
                block.row_of[kind] = rows
                block.row_kind[0, rows], block.row_kind[1, rows], block.row_kind[2, rows] = bin, drawn, pairs
                rows += 1
            block.sum_row[node] = block.row_of[kind]
    return rows


@rule
def set_factors(supply: Supply, most_copies: NDArray[np.int64], upcard: int, filled: int, block: Block) -> None:
    """Set the factors of the cards that the dealer may still draw, at most so many of each value."""
    width, depletion, lanes = len(block.products), supply.depletion, whole_vectors(filled)
    for value in range(N_VALUES):
        left = supply.counts[value] - depletion * (value == upcard)
        for copy in range(most_copies[value]):
            row = value * width + copy + 1
            for lane in range(lanes):
                block.factors[row, lane] = max(left - depletion * (block.cards[value, lane] + copy), 0.0)


@rule
def walk_block(walks: Walks, upcard: int, rows: int, block: Block) -> None:
    """Sum the dealer's ends by row, without the two factors that depend on the pair cards gone.

    Products are kept by depth: in preorder, a node's parent is the last node that was one card shallower. Nodes in
    between add nothing, leaves need no product of their own, ends that go on need both.
    """
    for row in range(rows):
        for lane in range(LANES):
            block.sums[row, lane] = 0.0
    for node in range(walks.first[upcard], walks.first[upcard + 1]):
        depth, lanes = walks.size[node], block.lanes_up_to[walks.top_bin[node]]
        factor, row, sequences, bin = (
            block.factor_row[node],
            block.sum_row[node],
            walks.sequences[node],
            walks.bin[node],
        )
        if row < 0:
            for lane in range(lanes):
                block.products[depth, lane] = block.products[depth - 1, lane] * block.factors[factor, lane]
        elif walks.is_leaf[node]:
            for lane in range(lanes):
                product = block.products[depth - 1, lane] * block.factors[factor, lane]
                block.sums[row, lane] += sequences * block.end_weight[bin, lane] * product
        else:
            for lane in range(lanes):
                product = block.products[depth - 1, lane] * block.factors[factor, lane]
                block.products[depth, lane] = product
                block.sums[row, lane] += sequences * block.end_weight[bin, lane] * product


@rule
def sum_rows(
    factorials: FallingFactorials, split: Split, filled: int, rows: int, block: Block, ends: NDArray[np.float64]
) -> None:
    """P(the dealer's total | a lane's cards and a split), into `ends` (bins, `LANES`).

    If the rows are not numbered by total, all totals are in the first bin.
    """
    most_drawn = most_pairs = 0
    for row in range(rows):
        most_drawn, most_pairs = max(most_drawn, block.row_kind[1, row]), max(most_pairs, block.row_kind[2, row])
    for lane in range(filled):
        pairs_gone = 2 + split.removed + block.cards[split.pair, lane] + (split.upcard == split.pair)
        for count in range(1, most_pairs + 1):
            block.of_pair[count, lane] = factorials.of_value[split.pair, pairs_gone, count]
        for count in range(1, most_drawn + 1):
            block.inverse[count, lane] = factorials.inverse[3 + split.removed + block.size[lane], count]
    for end in range(len(ends)):
        for lane in range(LANES):
            ends[end, lane] = 0.0
    for row in range(rows):
        end, drawn, pairs = block.row_kind[0, row], block.row_kind[1, row], block.row_kind[2, row]
        for lane in range(whole_vectors(filled)):
            ends[end, lane] += block.sums[row, lane] * block.of_pair[pairs, lane] * block.inverse[drawn, lane]


@rule
def set_naturals(
    factorials: FallingFactorials, split: Split, filled: int, block: Block, naturals: NDArray[np.float64]
) -> None:
    """P(the hole card makes ace-ten | a lane's cards and a split), into `naturals` (`LANES`,)."""
    other = TEN if split.upcard == ACE else ACE
    makes_one = 1.0 if split.upcard in (ACE, TEN) else 0.0
    for lane in range(filled):
        gone = block.cards[other, lane] + (2 + split.removed) * (split.pair == other)
        dealt = 3 + split.removed + block.size[lane]
        naturals[lane] = makes_one * factorials.of_value[other, gone, 1] * factorials.inverse[dealt, 1]
