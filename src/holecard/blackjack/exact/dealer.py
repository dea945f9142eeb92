"""How the dealer ends, exactly, for every hand the player may hold and every upcard.

The dealer's final hands and the number of orders in which each can come are fixed by the rules. The probability of
one is orders × falling factorials of the shoe's counts, so nothing recurses: the product over a *whole* final hand,
upcard included, serves all its upcards (divide by the upcard's count). Final hands are walked as a tree in which each
node adds one card to its parent; the player's hands are the lanes of the inner loops.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import fused_kernel, kernel, rule
from holecard.blackjack.exact.hands import ACE, EMPTY, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.supply import Draws, Supply, draws_of
from holecard.blackjack.game.hand import dealer_must_hit
from holecard.blackjack.game.rules import TableRules

LANES: Final = 64
"""Player's hands in one block of the inner loops: long enough to vectorise, short enough for the cache."""


class Walk(NamedTuple):
    """A tree of hands in preorder: node i adds one card to the last node before it that is one card smaller."""

    hands: NDArray[np.int64]
    """(m,): the hand at each node."""
    sizes: NDArray[np.int64]
    """(m,): its number of cards, which is its depth."""
    rows: NDArray[np.int64]
    """(m,): which factor its last card brings: `value * (limit + 1) + copies held`."""


class DealerEnds(NamedTuple):
    """The dealer's final hands that are no bust, and no natural where that is more than a 21."""

    orders: NDArray[np.float64]
    """(10, n): orders in which a hand of `Hands` comes as a final hand of an upcard; 0 where it is none."""
    walk: Walk
    """All final hands of all upcards."""
    first_end: NDArray[np.int64]
    """(m + 1,): where each node's entries begin in the next two."""
    end_bin: NDArray[np.int64]
    """(k,): `upcard * bins + total − target` of an entry."""
    end_orders: NDArray[np.float64]
    """(k,): its orders."""


def bins_of(rules: TableRules) -> int:
    """Totals on which a dealer can stand: target … limit."""
    return rules.limit - rules.target + 1


@lru_cache(maxsize=16)
def dealer_ends(rules: TableRules) -> DealerEnds:
    """The final hands of a table's dealer.

    A dealer always holds two cards, even where his upcard alone would reach the target.
    """
    hands = all_hands(rules.limit, rules.ace_bonus)
    orders = np.zeros((N_VALUES, len(hands.size)))
    _count_orders(hands, rules, orders)
    if rules.dealer_naturals:
        orders[:, hands.find((ACE, TEN))] = 0.0
    walk = walk_of(hands, np.any(orders, axis=0), rules.limit)
    node, upcard = np.nonzero(orders[:, walk.hands].T)
    first_end = np.searchsorted(node, np.arange(len(walk.hands) + 1))
    end_bin = upcard * bins_of(rules) + hands.total[walk.hands[node]] - rules.target
    return DealerEnds(orders, walk, first_end, end_bin, orders[upcard, walk.hands[node]])


def walk_of(hands: Hands, wanted: NDArray[np.bool_], limit: int) -> Walk:
    """The smallest tree that holds all wanted hands; `wanted` is bool of shape (n,)."""
    on_the_way = wanted.copy()
    _mark_parents(hands.parent, on_the_way)
    order = hands.preorder[on_the_way[hands.preorder]]
    order = order[order != EMPTY]
    highest = hands.highest[order]
    return Walk(order, hands.size[order], highest * (limit + 1) + hands.cards[order, highest])


def dealer_table(hands: Hands, supply: Supply, rules: TableRules) -> NDArray[np.float64]:
    """P(the dealer stands on target … limit | the player's hand, the upcard), before any peek; shape (n, 10, bins).

    A natural that is more than a 21 and a bust are in no bin. Impossible situations hold zeros.
    """
    ends = dealer_ends(rules)
    table = np.zeros((len(hands.size), N_VALUES, bins_of(rules)))
    possible = np.flatnonzero(np.all(supply.step * hands.cards <= supply.counts, axis=1))
    fill_table(hands, ends, supply, draws_of(supply, rules.limit), rules, possible, table)
    return table


@kernel
def _count_orders(hands: Hands, rules: TableRules, orders: NDArray[np.float64]) -> None:
    """Fill `orders` of `DealerEnds`, naturals included."""
    for upcard in range(N_VALUES):
        ways = np.zeros(len(hands.size))
        ways[1 + upcard] = 1.0
        for hand in range(1, len(ways)):
            if ways[hand] == 0.0:
                continue
            if hands.size[hand] == 1 or dealer_must_hit(hands.total[hand], hands.soft[hand], rules):
                for value in range(N_VALUES):
                    if hands.grown[hand, value] >= 0:
                        ways[hands.grown[hand, value]] += ways[hand]
            else:
                orders[upcard, hand] = ways[hand]


@kernel
def _mark_parents(parent: NDArray[np.int64], wanted: NDArray[np.bool_]) -> None:
    """Add to the wanted hands everything they grew from."""
    for hand in range(len(parent) - 1, 0, -1):
        if wanted[hand]:
            wanted[parent[hand]] = True


@fused_kernel
def fill_table(
    hands: Hands,
    ends: DealerEnds,
    supply: Supply,
    draws: Draws,
    rules: TableRules,
    possible: NDArray[np.int64],
    table: NDArray[np.float64],
) -> None:
    """Fill `dealer_table` for the `possible` hands, one block of them at a time."""
    n, limit, bins = len(possible), rules.limit, table.shape[2]
    factors = np.zeros((N_VALUES * (limit + 1), LANES))
    inverses = np.zeros((limit + 2, LANES))
    products = np.ones((limit + 2, LANES))
    sums = np.zeros((N_VALUES * bins, LANES))
    for start in range(0, n, LANES):
        lanes = min(LANES, n - start)
        for lane in range(lanes):
            hand = possible[start + lane]
            for value in range(N_VALUES):
                left = supply.counts[value] - supply.step * hands.cards[hand, value]
                for copy in range(1, limit // (value + 1) + 1):
                    factors[value * (limit + 1) + copy, lane] = max(left - (copy - 1) * supply.step, 0.0)
            for size in range(1, limit + 1):
                inverses[size, lane] = draws.inverse[hands.size[hand] + 1, size - 1]
        sums[:] = 0.0
        _sum_ends(ends, factors, inverses, products, sums)
        for lane in range(lanes):
            hand = possible[start + lane]
            for upcard in range(N_VALUES):
                left = supply.counts[upcard] - supply.step * hands.cards[hand, upcard]
                if left > 0.5:
                    for at in range(bins):
                        table[hand, upcard, at] = sums[upcard * bins + at, lane] / left


@rule
def _sum_ends(
    ends: DealerEnds,
    factors: NDArray[np.float64],
    inverses: NDArray[np.float64],
    products: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add every final hand's probability (times the upcard's count) to its bins, for a block of lanes."""
    for node in range(len(ends.walk.hands)):
        size, factor, scaled = ends.walk.sizes[node], ends.walk.rows[node], len(products) - 1
        for lane in range(LANES):
            products[size, lane] = products[size - 1, lane] * factors[factor, lane]
        if ends.first_end[node] < ends.first_end[node + 1]:
            for lane in range(LANES):
                products[scaled, lane] = products[size, lane] * inverses[size, lane]
            for end in range(ends.first_end[node], ends.first_end[node + 1]):
                orders, total = ends.end_orders[end], ends.end_bin[end]
                for lane in range(LANES):
                    sums[total, lane] += orders * products[scaled, lane]


def natural_table(hands: Hands, supply: Supply) -> NDArray[np.float64]:
    """P(the hole card makes ace-ten | the player's hand, the upcard), shape (n, 10)."""
    unseen = np.maximum(supply.size - supply.step * (hands.size + 1.0), 1.0)
    chance = np.zeros((len(hands.size), N_VALUES))
    for upcard, other in ((ACE, TEN), (TEN, ACE)):
        chance[:, upcard] = np.maximum(supply.counts[other] - supply.step * hands.cards[:, other], 0.0) / unseen
    return chance
