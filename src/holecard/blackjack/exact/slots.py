"""What standing brings on a split hand, with further pair cards gone, for every slot and upcard.

A *slot* names a split hand: the pair card it was split from and the multiset it now is. Lanes that stand on the same
total against the same upcard share a walk over those dealer's hands alone that do not lose to it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.dealer import LANES, DealerEnds, dealer_ends, fill_factors, inverse_draws
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.supply import Supply, live_chance, natural_chance
from holecard.blackjack.rules import TableRules

MAX_REMOVED: Final = 5
"""Numbers of further pair cards that can matter: 0 … 2 × (4 hands − 2)."""


class Slots(NamedTuple):
    """Split hands of two or more cards: slot s is hand `hand[s]` grown from one card of value `pair[s]`; m of them."""

    hand: NDArray[np.int64]
    """(m,)."""
    pair: NDArray[np.int64]
    """(m,)."""
    first: NDArray[np.int64]
    """(11,): where the slots of each pair card begin."""
    grown: NDArray[np.int64]
    """(m, 10): the slot after one more card, or `BUST`."""
    opened: NDArray[np.int64]
    """(10, 10): the slot of a pair card and a second card."""


class Walks(NamedTuple):
    """The dealer's cards after an upcard, as walks: one for each upcard and total that the player may stand on."""

    first: NDArray[np.int64]
    """(10 * levels + 1,): where each walk begins."""
    size: NDArray[np.int64]
    """Depth of a node: cards drawn."""
    row: NDArray[np.int64]
    """The factor its last card brings, see `dealer.Walk`."""
    loss: NDArray[np.float64]
    """Orders × 2 if this ends above the player's total, × 1 if on it, 0 if it does not end here."""


@lru_cache(maxsize=8)
def all_slots(limit: int, ace_bonus: int) -> Slots:
    """Every split hand that is no bust."""
    hands = all_hands(limit, ace_bonus)
    pair, hand = np.nonzero((hands.cards > 0).T & (hands.size >= 2))
    first = np.searchsorted(pair, np.arange(N_VALUES + 1))
    slot_of = np.full((N_VALUES, len(hands.size) + 1), BUST, np.int64)
    slot_of[pair, hand] = np.arange(len(pair))
    grown = slot_of[pair[:, None], hands.grown[hand]]  # a bust (−1) reads the last column, which is BUST
    opened = slot_of[np.arange(N_VALUES)[:, None], hands.grown[1 : 1 + N_VALUES]]
    return Slots(hand, pair, first, grown, opened)


@lru_cache(maxsize=16)
def dealer_walks(rules: TableRules) -> Walks:
    """The walks of a table's dealer; level 0 is every total below the target, level i the total target + i − 1."""
    hands = all_hands(rules.limit, rules.ace_bonus)
    levels = rules.limit - rules.target + 2
    ends = dealer_ends(rules)
    room = N_VALUES * levels * len(hands.size)
    first = np.zeros(N_VALUES * levels + 1, np.int64)
    size, row = np.zeros((2, room), np.int64)
    loss = np.zeros(room)
    used = _fill_walks(hands, ends, rules, first, size, row, loss)
    return Walks(first, size[:used].copy(), row[:used].copy(), loss[:used].copy())


@kernel
def _fill_walks(
    hands: Hands,
    ends: DealerEnds,
    rules: TableRules,
    first: NDArray[np.int64],
    size: NDArray[np.int64],
    row: NDArray[np.int64],
    loss: NDArray[np.float64],
) -> int:
    """Fill `Walks`; returns the number of nodes."""
    n, used = len(hands.size), 0
    levels = rules.limit - rules.target + 2
    weight = np.zeros(n)
    wanted = np.zeros(n, np.bool_)
    for upcard in range(N_VALUES):
        for level in range(levels):
            total = rules.target + level - 1
            weight[:] = 0.0
            wanted[:] = False
            for drawn in range(n):
                whole = hands.grown[drawn, upcard]
                if whole != BUST and hands.total[whole] >= total:
                    weight[drawn] = ends.orders[upcard, whole] * (1.0 if hands.total[whole] == total else 2.0)
            for drawn in range(n - 1, 0, -1):
                if weight[drawn] > 0.0:
                    wanted[drawn] = True
                if wanted[drawn]:
                    wanted[hands.parent[drawn]] = True
            for at in range(1, n):
                drawn = hands.preorder[at]
                if wanted[drawn]:
                    highest = hands.highest[drawn]
                    size[used] = hands.size[drawn]
                    row[used] = highest * (rules.limit + 1) + hands.cards[drawn, highest]
                    loss[used] = weight[drawn]
                    used += 1
            first[upcard * levels + level + 1] = used
    return used


def split_stands(
    slots: Slots, supply: Supply, rules: TableRules, wanted: NDArray[np.bool_], removed: int
) -> NDArray[np.float64]:
    """What standing returns on split hands, shape (10, m, `removed`), where `wanted` (10, m) says so; 0 elsewhere.

    The last index is the number of pair cards that are gone beyond the two that were split. Returns as in `player`.
    """
    hands = all_hands(rules.limit, rules.ace_bonus)
    stands = np.zeros((N_VALUES, len(slots.hand), removed))
    level = np.maximum(hands.total[slots.hand] - rules.target + 1, 0)
    by_level = np.argsort(level, kind="stable")
    first_of_level = np.searchsorted(level[by_level], np.arange(rules.limit - rules.target + 3))
    _fill_stands(hands, slots, dealer_walks(rules), supply, rules, wanted, by_level, first_of_level, stands)
    return stands


@kernel
def _fill_stands(
    hands: Hands,
    slots: Slots,
    walks: Walks,
    supply: Supply,
    rules: TableRules,
    wanted: NDArray[np.bool_],
    by_level: NDArray[np.int64],
    first_of_level: NDArray[np.int64],
    stands: NDArray[np.float64],
) -> None:
    """Fill `split_stands`, in blocks of lanes that share upcard and level."""
    limit, levels = rules.limit, rules.limit - rules.target + 2
    lanes = np.zeros(LANES, np.int64)
    factors = np.zeros((N_VALUES * (limit + 1), LANES))
    products = np.ones((limit + 2, LANES))
    sums = np.zeros((limit + 2, LANES))
    for upcard in range(N_VALUES):
        for level in range(levels):
            walk = upcard * levels + level
            filled = 0
            last = first_of_level[level + 1] - 1
            for at in range(first_of_level[level], first_of_level[level + 1]):
                slot = by_level[at]
                if wanted[upcard, slot]:
                    lanes[filled] = slot
                    filled += 1
                if filled == LANES or (filled and at == last):
                    block = lanes[:filled]
                    _fill_block(hands, slots, walks, supply, rules, upcard, walk, block, factors, products, sums, stands)
                    filled = 0


@rule
def _fill_block(
    hands: Hands,
    slots: Slots,
    walks: Walks,
    supply: Supply,
    rules: TableRules,
    upcard: int,
    walk: int,
    lanes: NDArray[np.int64],
    factors: NDArray[np.float64],
    products: NDArray[np.float64],
    sums: NDArray[np.float64],
    stands: NDArray[np.float64],
) -> None:
    """Fill `split_stands` for one block of slots, for every number of removed pair cards."""
    limit, step = rules.limit, supply.step
    for removed in range(stands.shape[2]):
        for lane in range(len(lanes)):
            hand, pair = slots.hand[lanes[lane]], slots.pair[lanes[lane]]
            for value in range(N_VALUES):
                if removed == 0 or value == pair:
                    gone = hands.cards[hand, value] + (value == upcard) + (1 + removed) * (value == pair)
                    left = supply.counts[value] - step * gone
                    fill_factors(factors, lane, value, left, limit // (value + 1), limit, step)
        deepest = _sum_losses(walks, walk, len(lanes), factors, products, sums)
        for lane in range(len(lanes)):
            slot = lanes[lane]
            hand = slots.hand[slot]
            unseen = supply.size - step * (hands.size[hand] + 2 + removed)
            lost, inverse = 0.0, 1.0
            for size in range(1, deepest + 1):
                left = unseen - step * (size - 1)
                inverse = inverse / left if left > 0.5 else 0.0
                lost += sums[size, lane] * inverse
            aces = factors[ACE * (limit + 1) + 1, lane]
            tens = factors[TEN * (limit + 1) + 1, lane]
            if unseen < 0.5:
                continue
            if hands.size[hand] >= rules.charlie:
                stands[upcard, slot, removed] = 2.0 * live_chance(upcard, aces, tens, unseen, rules)
            elif rules.dealer_naturals:
                stands[upcard, slot, removed] = 2.0 * (1.0 - natural_chance(upcard, aces, tens, unseen)) - lost
            else:
                stands[upcard, slot, removed] = 2.0 - lost


@rule
def _sum_losses(
    walks: Walks,
    walk: int,
    lanes: int,
    factors: NDArray[np.float64],
    products: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> int:
    """Sum what the dealer's hands of a walk take, by cards drawn, before the division by draws; returns the most cards."""
    deepest = 0
    for node in range(walks.first[walk], walks.first[walk + 1]):
        if walks.size[node] > deepest:
            deepest = walks.size[node]
    sums[: deepest + 1] = 0.0
    for node in range(walks.first[walk], walks.first[walk + 1]):
        size, loss = walks.size[node], walks.loss[node]
        above, product, factor = products[size - 1], products[size], factors[walks.row[node]]
        if loss > 0.0:
            total = sums[size]
            for lane in range(lanes):
                product[lane] = above[lane] * factor[lane]
                total[lane] += loss * product[lane]
        else:
            for lane in range(lanes):
                product[lane] = above[lane] * factor[lane]
    return deepest
