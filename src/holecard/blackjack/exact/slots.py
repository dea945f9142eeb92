"""Split hands, and what standing brings on them with further pair cards gone, for every upcard.

A *slot* is the number of a split hand: the pair card it was split from and the multiset it now is. Slots that share a
pair card are the lanes of `walks`, sorted by total: a dealer's total matters to the lanes that do not beat it, which
are the first ones.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_fused_kernel, rule
from holecard.blackjack.exact.hands import BUST, N_VALUES, Hands, all_hands
from holecard.blackjack.exact.supply import FallingFactorials, Split, Supply
from holecard.blackjack.exact.walks import (
    LANES,
    Block,
    Dealt,
    dealer_walks,
    new_block,
    number_rows,
    set_factors,
    set_naturals,
    sum_rows,
    walk_block,
    whole_vectors,
)
from holecard.blackjack.game.hand import natural_takes_one_bet, showdown
from holecard.blackjack.game.rules import TableRules
from holecard.executor import in_order

N_REMOVED: Final = 5
"""Numbers of further pair cards that can be gone: 0 … 2 × (4 hands − 2)."""
_WORTH_THREADS: Final = 50_000
"""Split hands from which threads save more than their start costs."""


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
    rest: NDArray[np.int64]
    """(m,): the hand without its pair cards."""
    by_total: NDArray[np.int64]
    """(m,): the slots of each pair card, which begin where `first` says, by rising total."""


@lru_cache(maxsize=8)
def all_slots(limit: int, ace_bonus: int) -> Slots:
    """Every split hand that is no bust."""
    hands = all_hands(limit, ace_bonus)
    pair, hand = np.ascontiguousarray(np.nonzero((hands.cards > 0).T & (hands.size >= 2)))
    first = np.searchsorted(pair, np.arange(N_VALUES + 1))
    slot_of = np.full((N_VALUES, len(hands.size) + 1), BUST, np.int64)
    slot_of[pair, hand] = np.arange(len(pair))
    grown = slot_of[pair[:, None], hands.grown[hand]]  # a bust (−1) reads the last column, which is BUST
    opened = slot_of[np.arange(N_VALUES)[:, None], hands.grown[1 : 1 + N_VALUES]]
    rest = _without_pairs(hands, hand, pair)
    return Slots(hand, pair, first, grown, opened, rest, np.lexsort((hands.total[hand], pair)))


def _without_pairs(hands: Hands, hand: NDArray[np.int64], pair: NDArray[np.int64]) -> NDArray[np.int64]:
    """The hands that are left of some hands without their cards of a value."""
    places = np.int64(32) ** np.arange(N_VALUES)
    keys = hands.cards @ places
    by_key = np.argsort(keys)
    kept = keys[hand] - hands.cards[hand, pair] * places[pair]
    return by_key[np.searchsorted(keys[by_key], kept)]


def split_stands(
    slots: Slots, factorials: FallingFactorials, rules: TableRules, wanted: NDArray[np.bool_], n_removed: int
) -> NDArray[np.float64]:
    """What standing returns on split hands, shape (10, m, `n_removed`), where `wanted` (10, m) says so; 0 elsewhere.

    The last index is the number of pair cards that are gone beyond the two that were split. Returns as in `returns`.
    """
    hands, walks = all_hands(rules.limit, rules.ace_bonus), dealer_walks(rules)
    wanted = wanted & _possible(hands, slots, factorials.supply)
    stands = np.zeros((N_VALUES, len(slots.hand), n_removed))

    def fill(upcards: tuple[int, int]) -> None:
        space = _StandSpace(new_block(rules, len(walks.size)), np.zeros(LANES, np.int64), *np.zeros((2, 1, LANES)))
        _fill_stands(hands, slots, Dealt(walks, factorials), rules, upcards, wanted, space, stands)

    if int(wanted.sum()) > _WORTH_THREADS:
        list(in_order(fill, [(upcard, upcard + 1) for upcard in range(N_VALUES)]))
    else:
        fill((0, N_VALUES))
    return stands


def _possible(hands: Hands, slots: Slots, supply: Supply) -> NDArray[np.bool_]:
    """Split hands for which the shoe holds the cards, the other pair card and the upcard; bool of shape (10, m)."""
    left = supply.counts - supply.depletion * hands.cards
    enough = (left >= 1.0) & np.all(left >= 0.0, axis=1)[:, None]
    possible = np.take(np.ascontiguousarray(enough.T), slots.hand, axis=1)
    after_pair = left[slots.hand, slots.pair] - supply.depletion
    possible &= after_pair >= 0.0
    possible[slots.pair, np.arange(len(slots.pair))] &= after_pair >= 1.0
    return possible


class _StandSpace(NamedTuple):
    """Working space of `_fill_stands`."""

    block: Block
    """A block of lanes."""
    slot_of: NDArray[np.int64]
    """(`LANES`,): the slot of each lane."""
    lost: NDArray[np.float64]
    """(1, `LANES`): what the dealer's totals take of a lane's return."""
    naturals: NDArray[np.float64]
    """(1, `LANES`): P(the dealer has a natural)."""


@lean_fused_kernel
def _fill_stands(
    hands: Hands,
    slots: Slots,
    dealt: Dealt,
    rules: TableRules,
    upcards: tuple[int, int],
    wanted: NDArray[np.bool_],
    space: _StandSpace,
    stands: NDArray[np.float64],
) -> None:
    """Fill `split_stands` from one upcard up to another, in blocks of lanes that share upcard and pair card."""
    walks, factorials, block, slot_of = dealt.walks, dealt.factorials, space.block, space.slot_of
    lost, naturals = space.lost, space.naturals[0]
    for upcard in range(upcards[0], upcards[1]):
        for pair in range(N_VALUES):
            rows, filled = number_rows(walks, upcard, pair, False, block), 0
            for at in range(slots.first[pair], slots.first[pair + 1]):
                if wanted[upcard, slots.by_total[at]]:
                    slot_of[filled] = slots.by_total[at]
                    filled += 1
                if filled == LANES or (filled and at == slots.first[pair + 1] - 1):  # a block is full, or the last one
                    _open_block(hands, slots, rules, pair, slot_of, filled, block)
                    set_factors(factorials.supply, walks.most_copies[upcard], upcard, filled, block)
                    walk_block(walks, upcard, rows, block)
                    for removed in range(stands.shape[2]):
                        split = Split(upcard, pair, removed)
                        sum_rows(factorials, split, filled, rows, block, lost)
                        set_naturals(factorials, split, filled, block, naturals)
                        # Numbers only: numba counts references to every array of a named tuple at each such call.
                        for lane in range(filled):
                            kept = stand_return(1 + block.size[lane], 1.0, lost[0, lane], naturals[lane], rules)
                            stands[upcard, slot_of[lane], removed] = kept
                    filled = 0


@rule
def _open_block(
    hands: Hands, slots: Slots, rules: TableRules, pair: int, slot_of: NDArray[np.int64], filled: int, block: Block
) -> None:
    """Set the cards of a block's lanes, and what a dealer's total takes of their return: 2 if it wins, 1 for a push."""
    for bin in range(len(block.lanes_up_to)):
        block.lanes_up_to[bin] = 0
        for lane in range(LANES):
            block.end_weight[bin, lane] = 0.0
    for lane in range(filled):
        hand = slots.hand[slot_of[lane]]
        block.size[lane] = hands.size[hand] - 1
        for value in range(N_VALUES):
            block.cards[value, lane] = hands.cards[hand, value] - (value == pair)
        for bin in range(len(block.lanes_up_to)):
            lost = 1 - showdown(hands.total[hand], rules.target + bin, rules)
            if lost > 0:
                block.end_weight[bin, lane] = lost
                block.lanes_up_to[bin] = whole_vectors(lane + 1)


@rule
def stand_return(size: int, whole: float, lost: float, natural: float, rules: TableRules) -> float:
    """The return of standing on a split hand of so many cards, given what the dealer's totals take of it.

    `lost` and the probability of a dealer's natural are given as parts of `whole`, and so is the return.
    """
    if size >= rules.charlie:
        return 2.0 * (whole - natural) if natural_takes_one_bet(rules) else 2.0 * whole
    return 2.0 * (whole - natural) - lost if rules.dealer_naturals else 2.0 * whole - lost
