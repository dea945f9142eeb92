"""How the dealer ends, exactly, for every hand the player may hold and every upcard.

The dealer's final hands and the number of sequences in which the cards of each can come are fixed by the rules. Let
n(v) cards of value v and N cards in all be left beside the player's hand. Given the upcard u, a final hand of c(v)
cards of each value, s in all, has the probability

    sequences × Π n(v) (n(v) − 1) … [c(v) factors] / n(u) / ((N − 1) (N − 2) … [s − 1 factors]),

so nothing recurses, and the product over the *whole* final hand serves all its upcards. Final hands are walked as a
tree in which each node adds one card to its parent; the player's hands are the lanes of the inner loops.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, lean_fused_kernel, lean_kernel, rule
from holecard.blackjack.exact.hands import ACE, EMPTY, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.supply import FallingFactorials, Supply
from holecard.blackjack.game.hand import dealer_must_hit, showdown
from holecard.blackjack.game.rules import TableRules

LANES: Final = 64
"""Player's hands in one block of the inner loops: long enough to vectorise, short enough for the cache."""


class HandTree(NamedTuple):
    """A tree of hands in preorder: node i adds one card to the last node before it that is one card smaller."""

    hands: NDArray[np.int64]
    """(m,): the hand at each node."""
    sizes: NDArray[np.int64]
    """(m,): its number of cards, which is its depth."""
    factor_rows: NDArray[np.int64]
    """(m,): which factor its last card brings: `value * (limit + 1) + copies held`."""


class DealerEnds(NamedTuple):
    """The dealer's final hands that are no bust (a 22 counts where it pushes), and no natural that beats a 21."""

    sequences: NDArray[np.float64]
    """(10, n): sequences of cards that make a hand of `dealer_hands` a final one of an upcard; 0 where it is none."""
    tree: HandTree
    """All final hands of all upcards."""
    first_end: NDArray[np.int64]
    """(m + 1,): where each node's entries begin in the next two."""
    end_bin: NDArray[np.int64]
    """(k,): `upcard * bins + total − target` of an entry."""
    end_sequences: NDArray[np.float64]
    """(k,): its sequences."""


@rule
def highest_end(rules: TableRules) -> int:
    """The highest total of the dealer's that is told from others: the limit, or a 22 that is more than a bust."""
    return rules.limit + 1 if rules.pushes_22 else rules.limit


@rule
def bins_of(rules: TableRules) -> int:
    """Totals of the dealer's that are told apart: target … `highest_end`."""
    return highest_end(rules) - rules.target + 1


def dealer_hands(rules: TableRules) -> Hands:
    """The hands a dealer may hold: the player's, and those of a 22 where it is more than a bust."""
    return all_hands(rules.limit, rules.ace_bonus, highest_end(rules) - rules.limit)


@lru_cache(maxsize=16)
def standings(rules: TableRules) -> NDArray[np.float64]:
    """Who wins, 1, 0 or −1, by the total a hand stands on and the dealer's bin; shape (limit + 1, bins)."""
    totals, bins = range(rules.limit + 1), range(bins_of(rules))
    return np.array([[float(showdown(total, rules.target + at, rules)) for at in bins] for total in totals])


@lru_cache(maxsize=16)
def dealer_ends(rules: TableRules) -> DealerEnds:
    """The final hands of a table's dealer.

    A dealer always holds two cards, even where his upcard alone would reach the target.
    """
    hands = dealer_hands(rules)
    sequences = np.zeros((N_VALUES, len(hands.size)))
    _count_sequences(hands, rules, sequences)
    if rules.dealer_naturals:
        sequences[:, hands.find((ACE, TEN))] = 0.0
    tree = tree_of(hands, np.any(sequences, axis=0), highest_end(rules))
    node, upcard = np.nonzero(sequences[:, tree.hands].T)
    first_end = np.searchsorted(node, np.arange(len(tree.hands) + 1))
    end_bin = upcard * bins_of(rules) + hands.total[tree.hands[node]] - rules.target
    return DealerEnds(sequences, tree, first_end, end_bin, sequences[upcard, tree.hands[node]])


def tree_of(hands: Hands, wanted: NDArray[np.bool_], limit: int) -> HandTree:
    """The smallest tree that holds all wanted hands; `wanted` is bool of shape (n,)."""
    on_the_way = wanted.copy()
    _mark_parents(hands.parent, on_the_way)
    order = hands.preorder[on_the_way[hands.preorder]]
    order = order[order != EMPTY]
    highest = hands.highest[order]
    return HandTree(order, hands.size[order], highest * (limit + 1) + hands.cards[order, highest])


def dealer_totals(
    hands: Hands, factorials: FallingFactorials, rules: TableRules, wanted: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """P(the dealer ends on each total of `bins_of` | the player's hand, the upcard), before any peek; (n, 10, bins).

    A natural that is more than a 21 and a bust are in no bin. Impossible situations hold zeros, and so do hands that
    are not `wanted`, bool of shape (n,).
    """
    ends, supply = dealer_ends(rules), factorials.supply
    totals = np.zeros((len(hands.size), N_VALUES, bins_of(rules)))
    possible = np.all(supply.depletion * hands.cards <= supply.counts, axis=1)
    possible = np.flatnonzero(possible if wanted is None else possible & wanted)
    fill_totals(hands, ends, factorials, highest_end(rules), possible, _lanes(rules), totals)
    return totals


@kernel
def _count_sequences(hands: Hands, rules: TableRules, sequences: NDArray[np.float64]) -> None:
    """Fill `sequences` of `DealerEnds`, naturals included, from the upcards up."""
    for upcard in range(N_VALUES):
        reached = np.zeros(len(hands.size))
        reached[1 + upcard] = 1.0
        for hand in range(1, len(reached)):
            if reached[hand] == 0.0:
                continue
            if hands.size[hand] == 1 or dealer_must_hit(hands.total[hand], hands.soft[hand], rules):
                for value in range(N_VALUES):
                    if hands.grown[hand, value] >= 0:
                        reached[hands.grown[hand, value]] += reached[hand]
            else:
                sequences[upcard, hand] = reached[hand]


@lean_kernel
def _mark_parents(parent: NDArray[np.int64], wanted: NDArray[np.bool_]) -> None:
    """Add to the wanted hands everything they grew from."""
    for hand in range(len(parent) - 1, 0, -1):
        if wanted[hand]:
            wanted[parent[hand]] = True


class _Lanes(NamedTuple):
    """Working space for a block of the player's hands, one a lane."""

    factors: NDArray[np.float64]
    """(10 * (limit + 1), `LANES`): row `value * (limit + 1) + i` is the cards left for the i-th of a value."""
    inverses: NDArray[np.float64]
    """(limit + 2, `LANES`): one over all sequences of s − 1 cards after the upcard, by the final hand's size s."""
    products: NDArray[np.float64]
    """(limit + 2, `LANES`): the product of factors along the tree, by depth; the last row is for a scaled product."""
    sums: NDArray[np.float64]
    """(10 * bins, `LANES`): P(the dealer's total) × cards left of the upcard."""


def _lanes(rules: TableRules) -> _Lanes:
    limit = highest_end(rules)
    return _Lanes(
        np.zeros((N_VALUES * (limit + 1), LANES)),
        np.zeros((limit + 2, LANES)),
        np.ones((limit + 2, LANES)),
        np.zeros((N_VALUES * bins_of(rules), LANES)),
    )


@lean_fused_kernel
def fill_totals(
    hands: Hands,
    ends: DealerEnds,
    factorials: FallingFactorials,
    limit: int,
    possible: NDArray[np.int64],
    lanes: _Lanes,
    totals: NDArray[np.float64],
) -> None:
    """Fill `dealer_totals` for the `possible` hands, one block of them at a time."""
    for start in range(0, len(possible), LANES):
        block = possible[start : start + LANES]
        _set_lanes(hands, factorials, limit, block, lanes)
        for row in range(len(lanes.sums)):
            for lane in range(LANES):
                lanes.sums[row, lane] = 0.0
        _sum_ends(ends, lanes)
        _store_sums(hands, factorials.supply, block, lanes.sums, totals)


@rule
def _set_lanes(
    hands: Hands, factorials: FallingFactorials, limit: int, block: NDArray[np.int64], lanes: _Lanes
) -> None:
    """Set the factors that each hand of a block leaves to the dealer."""
    supply = factorials.supply
    for lane in range(len(block)):
        hand = block[lane]
        for value in range(N_VALUES):
            left = supply.counts[value] - supply.depletion * hands.cards[hand, value]
            for copy in range(1, limit // (value + 1) + 1):
                lanes.factors[value * (limit + 1) + copy, lane] = max(left - (copy - 1) * supply.depletion, 0.0)
        for size in range(1, limit + 1):
            lanes.inverses[size, lane] = factorials.inverse[hands.size[hand] + 1, size - 1]


@rule
def _sum_ends(ends: DealerEnds, lanes: _Lanes) -> None:
    """Add every final hand's probability (times the upcard's count) to its bins, for a block of lanes."""
    factors, inverses, products, sums = lanes.factors, lanes.inverses, lanes.products, lanes.sums
    for node in range(len(ends.tree.hands)):
        size, factor, scaled = ends.tree.sizes[node], ends.tree.factor_rows[node], len(products) - 1
        for lane in range(LANES):
            products[size, lane] = products[size - 1, lane] * factors[factor, lane]
        if ends.first_end[node] < ends.first_end[node + 1]:
            for lane in range(LANES):
                products[scaled, lane] = products[size, lane] * inverses[size, lane]
            for end in range(ends.first_end[node], ends.first_end[node + 1]):
                sequences, bin = ends.end_sequences[end], ends.end_bin[end]
                for lane in range(LANES):
                    sums[bin, lane] += sequences * products[scaled, lane]


@rule
def _store_sums(
    hands: Hands, supply: Supply, block: NDArray[np.int64], sums: NDArray[np.float64], totals: NDArray[np.float64]
) -> None:
    """Divide the sums of a block by the upcard's count, into `dealer_totals`."""
    bins = totals.shape[2]
    for lane in range(len(block)):
        hand = block[lane]
        for upcard in range(N_VALUES):
            left = supply.counts[upcard] - supply.depletion * hands.cards[hand, upcard]
            if left > 0.5:
                for at in range(bins):
                    totals[hand, upcard, at] = sums[upcard * bins + at, lane] / left


def natural_probabilities(hands: Hands, supply: Supply) -> NDArray[np.float64]:
    """P(the hole card makes ace-ten | the player's hand, the upcard), shape (n, 10)."""
    unseen = np.maximum(supply.size - supply.depletion * (hands.size + 1.0), 1.0)
    probability = np.zeros((len(hands.size), N_VALUES))
    for upcard, other in ((ACE, TEN), (TEN, ACE)):
        probability[:, upcard] = (
            np.maximum(supply.counts[other] - supply.depletion * hands.cards[:, other], 0.0) / unseen
        )
    return probability
