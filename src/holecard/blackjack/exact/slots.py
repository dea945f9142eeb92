"""What standing brings on a split hand, with further pair cards gone, for every slot and upcard.

A *slot* names a split hand: the pair card it was split from and the multiset it now is. Lanes that stand on the same
total against the same upcard share a walk over those dealer's hands alone that do not lose to it. The walk leaves the
pair card's own factors out and sorts its sums by how many pair cards the dealer draws; those factors come in at the
end, so that one walk serves every number of pair cards gone.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.dealer import LANES, DealerEnds, dealer_ends
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.supply import Draws, Supply, takes_one_bet
from holecard.blackjack.rules import TableRules
from holecard.executor import in_order

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
    """Cards drawn so far at a node, which is its depth."""
    last: NDArray[np.int64]
    """The value of its last card, the highest."""
    copies: NDArray[np.int8]
    """(…, 10): cards of each value drawn."""
    most: NDArray[np.int64]
    """(10 * levels, 10): the most cards of each value that a walk draws."""
    total: NDArray[np.int64]
    """The dealer's total where a node ends."""
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
    drawn, loss = np.zeros(room, np.int64), np.zeros(room)
    used = _fill_walks(hands, ends, rules, first, drawn, loss)
    most = np.array([hands.cards[drawn[a:b]].max(axis=0, initial=0) for a, b in pairwise(first)])
    drawn = drawn[:used]
    copies = hands.cards[drawn].astype(np.int8)
    upcard = np.repeat(np.arange(N_VALUES), np.diff(first[::levels]))
    total = hands.total[hands.grown[drawn, upcard]]
    return Walks(first, hands.size[drawn], hands.highest[drawn], copies, most, total, loss[:used].copy())


@kernel
def _fill_walks(
    hands: Hands,
    ends: DealerEnds,
    rules: TableRules,
    first: NDArray[np.int64],
    nodes: NDArray[np.int64],
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
                    nodes[used] = drawn
                    loss[used] = weight[drawn]
                    used += 1
            first[upcard * levels + level + 1] = used
    return used


_WORTH_THREADS: Final = 50_000
"""Split hands from which threads save more than their start costs."""


def split_stands(
    slots: Slots, supply: Supply, draws: Draws, rules: TableRules, wanted: NDArray[np.bool_], removed: int
) -> NDArray[np.float64]:
    """What standing returns on split hands, shape (10, m, `removed`), where `wanted` (10, m) says so; 0 elsewhere.

    The last index is the number of pair cards that are gone beyond the two that were split. Returns as in `player`.
    """
    hands = all_hands(rules.limit, rules.ace_bonus)
    wanted = wanted & _possible(hands, slots, supply)
    stands = np.zeros((N_VALUES, len(slots.hand), removed))
    levels = rules.limit - rules.target + 2
    group = np.maximum(hands.total[slots.hand] - rules.target + 1, 0) * N_VALUES + slots.pair
    by_group = np.argsort(group, kind="stable")
    first = np.searchsorted(group[by_group], np.arange(levels * N_VALUES + 1))
    walks = dealer_walks(rules)

    def fill(upcards: tuple[int, int]) -> None:
        _fill_stands(hands, slots, walks, supply, draws, rules, upcards, wanted, by_group, first, stands)

    if int(wanted.sum()) > _WORTH_THREADS:
        list(in_order(fill, [(upcard, upcard + 1) for upcard in range(N_VALUES)]))
    else:
        fill((0, N_VALUES))
    return stands


def _possible(hands: Hands, slots: Slots, supply: Supply) -> NDArray[np.bool_]:
    """Split hands for which the shoe holds the cards, the other pair card and the upcard; bool of shape (10, m)."""
    held = hands.cards[slots.hand] + np.eye(N_VALUES, dtype=np.int64)[slots.pair]
    enough = np.all(supply.step * held <= supply.counts, axis=1)
    return np.asarray(enough & (supply.counts[:, None] >= supply.step * held.T + 1.0))


class Lanes(NamedTuple):
    """Working space for one block of lanes that share upcard, pair card and walk."""

    slot: NDArray[np.int64]
    """(`LANES`,): the slots of the block."""
    factors: NDArray[np.float64]
    """(10 * (limit + 1), `LANES`): row `value * (limit + 1) + i` is the i-th card of a value that may still be drawn;
    row 0 is all ones and stands for a pair card."""
    products: NDArray[np.float64]
    """(limit + 1, `LANES`): the product of factors along the walk, by depth."""
    sums: NDArray[np.float64]
    """((limit + 1) ** 2, `LANES`): what the dealer's hands take; a row for cards drawn × pair cards among them."""
    row_of: NDArray[np.int64]
    """((limit + 1) ** 2,): the row of `sums` for `drawn * (limit + 1) + pairs`, or −1."""
    drawn: NDArray[np.int64]
    """((limit + 1) ** 2,): cards drawn, by row."""
    pairs: NDArray[np.int64]
    """((limit + 1) ** 2,): pair cards among them, by row."""


@kernel
def _fill_stands(
    hands: Hands,
    slots: Slots,
    walks: Walks,
    supply: Supply,
    draws: Draws,
    rules: TableRules,
    upcards: tuple[int, int],
    wanted: NDArray[np.bool_],
    by_group: NDArray[np.int64],
    first: NDArray[np.int64],
    stands: NDArray[np.float64],
) -> None:
    """Fill `split_stands` from one upcard up to another, in blocks of lanes that share upcard, level and pair card."""
    width, levels = rules.limit + 1, rules.limit - rules.target + 2
    lanes = Lanes(
        np.zeros(LANES, np.int64),
        np.ones((N_VALUES * width, LANES)),
        np.ones((width, LANES)),
        np.zeros((width * width, LANES)),
        np.zeros(width * width, np.int64),
        np.zeros(width * width, np.int64),
        np.zeros(width * width, np.int64),
    )
    for upcard in range(upcards[0], upcards[1]):
        for group in range(levels * N_VALUES):
            walk, pair = upcard * levels + group // N_VALUES, group % N_VALUES
            filled = 0
            for at in range(first[group], first[group + 1]):
                if wanted[upcard, by_group[at]]:
                    lanes.slot[filled] = by_group[at]
                    filled += 1
                if filled == LANES or (filled and at == first[group + 1] - 1):
                    _open_block(hands, slots, supply, walks.most[walk], upcard, pair, filled, width, lanes)
                    rows = _walk_block(walks, walk, pair, filled, width, lanes)
                    _close_block(hands, slots, supply, draws, rules, upcard, pair, filled, rows, lanes, stands)
                    filled = 0


@rule
def _open_block(
    hands: Hands,
    slots: Slots,
    supply: Supply,
    most: NDArray[np.int64],
    upcard: int,
    pair: int,
    filled: int,
    width: int,
    lanes: Lanes,
) -> None:
    """Set the factors of every value but the pair card's."""
    for value in range(N_VALUES):
        if value == pair or most[value] == 0:
            continue
        for lane in range(filled):
            gone = hands.cards[slots.hand[lanes.slot[lane]], value] + (value == upcard)
            lanes.factors[value * width + 1, lane] = max(supply.counts[value] - supply.step * gone, 0.0)
        for copy in range(2, most[value] + 1):
            before, factor = lanes.factors[value * width + copy - 1], lanes.factors[value * width + copy]
            for lane in range(filled):
                factor[lane] = max(before[lane] - supply.step, 0.0)


@rule
def _walk_block(walks: Walks, walk: int, pair: int, filled: int, width: int, lanes: Lanes) -> int:
    """Sum what the dealer's hands of a walk take, less the pair card's factors and the draws; returns the rows used."""
    rows = 0
    lanes.row_of[:] = -1
    for node in range(walks.first[walk], walks.first[walk + 1]):
        size, last, loss = walks.size[node], walks.last[node], walks.loss[node]
        above, product = lanes.products[size - 1], lanes.products[size]
        factor = lanes.factors[0 if last == pair else last * width + walks.copies[node, last]]
        if loss == 0.0:
            for lane in range(filled):
                product[lane] = above[lane] * factor[lane]
            continue
        at = size * width + walks.copies[node, pair]
        row = lanes.row_of[at]
        if row < 0:
            row = lanes.row_of[at] = rows
            lanes.drawn[row], lanes.pairs[row] = size, walks.copies[node, pair]
            lanes.sums[row, :filled] = 0.0
            rows += 1
        total = lanes.sums[row]
        for lane in range(filled):
            now = above[lane] * factor[lane]
            product[lane] = now
            total[lane] += loss * now
    return rows


@rule
def _close_block(
    hands: Hands,
    slots: Slots,
    supply: Supply,
    draws: Draws,
    rules: TableRules,
    upcard: int,
    pair: int,
    filled: int,
    rows: int,
    lanes: Lanes,
    stands: NDArray[np.float64],
) -> None:
    """Turn a block's sums into returns, for every number of pair cards gone."""
    for lane in range(filled):
        slot = lanes.slot[lane]
        hand = slots.hand[slot]
        for removed in range(stands.shape[2]):
            ways = draws.ways[pair, hands.cards[hand, pair] + 1 + removed + (upcard == pair)]
            inverse = draws.inverse[hands.size[hand] + 2 + removed]
            lost = 0.0
            for row in range(rows):
                lost += lanes.sums[row, lane] * ways[lanes.pairs[row]] * inverse[lanes.drawn[row]]
            stands[upcard, slot, removed] = _stand_return(hands, supply, rules, upcard, pair, hand, removed, lost)


@rule
def _stand_return(
    hands: Hands, supply: Supply, rules: TableRules, upcard: int, pair: int, hand: int, removed: int, lost: float
) -> float:
    """The return of standing on a split hand, given what the dealer's hands take of it."""
    natural = 0.0
    if upcard in (ACE, TEN):
        unseen = supply.size - supply.step * (hands.size[hand] + 2 + removed)
        other = TEN if upcard == ACE else ACE
        left = supply.counts[other] - supply.step * (hands.cards[hand, other] + (1 + removed) * (pair == other))
        natural = max(left, 0.0) / unseen if unseen > 0.5 else 0.0
    if hands.size[hand] >= rules.charlie:
        return 2.0 * (1.0 - natural) if takes_one_bet(rules) else 2.0
    return 2.0 * (1.0 - natural) - lost if rules.dealer_naturals else 2.0 - lost
