"""What a player may remember after a split, and what splits are then worth.

`zero-memory` (CDZ-): split hands are played by the table that is best before a split. `pair-aware` (CDP1): they have a
table of their own, the best with one more pair card gone. `pair-count` (CDP): one such table for each number of pair
cards gone.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, Hands
from holecard.blackjack.exact.nets import net_of_orders, orders_of, split_odds
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.player import TIE
from holecard.blackjack.exact.slots import MAX_REMOVED, Slots, split_stands
from holecard.blackjack.exact.split import (
    HandSums,
    SplitPlay,
    may_double_split,
    may_hit_split,
    removals,
    split_live,
    split_nets,
    zero_memory_play,
)
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.game.rules import TableRules

SplitMemory = Literal["zero-memory", "pair-aware", "pair-count"]
"""What a split hand knows of the other hands; docs/exact-solver.md compares them."""
SPLIT_PLAYS: Final[tuple[SplitMemory, ...]] = get_args(SplitMemory)
"""The values of `SplitMemory`, the least knowing first."""
ALWAYS: Final = np.ones((N_VALUES, N_VALUES))
"""Every pair is split again while that is allowed."""


def solve_splits(odds: Odds, memory: SplitMemory) -> tuple[SplitPlay, NDArray[np.float64]]:
    """How split hands are played, and the net of splitting, shape (10, 10) by upcard and pair card.

    With `pair-count` the play is that of a first split; further ones are valued with their own.
    """
    sums = HandSums(*np.zeros((2, N_VALUES, N_VALUES, MAX_REMOVED)))
    if odds.table.max_hands < 2:
        return _no_play(odds), np.zeros((N_VALUES, N_VALUES))
    if memory == "zero-memory":
        play = zero_memory_play(odds.slots, odds.hands, odds.table, odds.returns)
        return play, value_play(odds, play)
    counted = removals(odds.table) if memory == "pair-count" else 1
    stands = split_stands(odds.slots, odds.supply, odds.draws, odds.table, may_stand(odds), counted)
    play = _no_play(odds)
    for removed in range(counted - 1, -1, -1):
        best_play(odds.hands, odds.slots, odds.supply, odds.table, stands, removed, play, sums)
    if memory == "pair-aware":
        return play, value_play(odds, play)
    return play, split_nets(odds.chances, odds.table, ALWAYS, sums)


def value_play(odds: Odds, play: SplitPlay) -> NDArray[np.float64]:
    """The net of splitting under a fixed play, shape (10, 10); only the hands that it reaches are worked out."""
    orders = orders_of(odds, play)
    wanted = (orders.other > 0.0) | (orders.pair > 0.0)
    stands = split_stands(odds.slots, odds.supply, odds.draws, odds.table, wanted, removals(odds.table))
    return net_of_orders(odds, play, orders, split_odds(odds, stands, play.resplit))


def may_stand(odds: Odds) -> NDArray[np.bool_]:
    """Split hands on which standing can be best, bool of shape (10, m).

    Below the target a hand wins only if the dealer busts, so one that no card can bust is never worse for a card. Hands
    of three cards count all the same: a double stands on anything.
    """
    hands, table, hand = odds.hands, odds.table, odds.slots.hand
    draws_free = (hands.total[hand] < table.target) & (hands.pips[hand] + N_VALUES <= table.limit)
    stands = ~draws_free | (hands.size[hand] == 3)
    if not table.hit_split_aces:
        stands = np.where(odds.slots.pair == ACE, hands.size[hand] == 2, stands)
    return np.repeat(stands[None], N_VALUES, axis=0)


def _no_play(odds: Odds) -> SplitPlay:
    hit, double = np.zeros((2, N_VALUES, len(odds.slots.hand)))
    return SplitPlay(hit, double, ALWAYS)


@kernel
def best_play(
    hands: Hands,
    slots: Slots,
    supply: Supply,
    rules: TableRules,
    stands: NDArray[np.float64],
    removed: int,
    play: SplitPlay,
    sums: HandSums,
) -> None:
    """Fill `play` with the best play when `removed` more pair cards are gone, and that row of `sums` with its worth."""
    best = np.zeros(len(slots.hand))
    for upcard in range(N_VALUES):
        if supply.counts[upcard] < 0.5:
            continue
        for slot in range(len(slots.hand) - 1, -1, -1):
            hit = _after_a_card(hands, slots, supply, upcard, slot, removed, best)
            hand, stand = slots.hand[slot], stands[upcard, slot, removed]
            hits = may_hit_split(slots.pair[slot], hands.total[hand], hands.size[hand], rules) and hit > stand + TIE
            best[slot] = hit if hits else stand
            play.hit[upcard, slot] = 1.0 if hits else 0.0
        for pair in range(N_VALUES):
            _choose_doubles(hands, slots, supply, rules, upcard, pair, removed, stands[upcard, :, removed], best, play)
            _sum_second_cards(slots, supply, rules, upcard, pair, removed, best, sums)


@rule
def _after_a_card(
    hands: Hands, slots: Slots, supply: Supply, upcard: int, slot: int, removed: int, of: NDArray[np.float64]
) -> float:
    """The mean of `of` (m,) over the next card of a split hand; a bust counts 0."""
    hand, pair = slots.hand[slot], slots.pair[slot]
    total = 0.0
    for value in range(N_VALUES):
        grown = slots.grown[slot, value]
        gone = hands.cards[hand, value] + (value == upcard) + (1 + removed) * (value == pair)
        left = supply.counts[value] - supply.step * gone
        if grown != BUST and left > 0.5:
            total += left * of[grown]
    unseen = supply.size - supply.step * (hands.size[hand] + 2 + removed)
    return total / unseen if unseen > 0.5 else 0.0


@rule
def _choose_doubles(
    hands: Hands,
    slots: Slots,
    supply: Supply,
    rules: TableRules,
    upcard: int,
    pair: int,
    removed: int,
    stands: NDArray[np.float64],
    best: NDArray[np.float64],
    play: SplitPlay,
) -> None:
    """Double the split hands of two cards for which that is better than `best` (m,); `stands` (m,)."""
    for second in range(N_VALUES):
        slot = slots.opened[pair, second]
        if slot == BUST:
            continue
        hand = slots.hand[slot]
        stood = _after_a_card(hands, slots, supply, upcard, slot, removed, stands)
        double = 2.0 * stood - split_live(supply, pair, upcard, removed, second, rules)
        may = may_double_split(pair, hands.total[hand], hands.soft[hand], 2, rules)
        play.double[upcard, slot] = 0.0
        if may and double > best[slot] + TIE:
            best[slot] = double
            play.hit[upcard, slot], play.double[upcard, slot] = 0.0, 1.0


@rule
def _sum_second_cards(
    slots: Slots,
    supply: Supply,
    rules: TableRules,
    upcard: int,
    pair: int,
    removed: int,
    best: NDArray[np.float64],
    sums: HandSums,
) -> None:
    """The mean over the second card of what a hand brings, less its bet, into `sums`."""
    unseen = supply.size - supply.step * (3 + removed)
    net = -split_live(supply, pair, upcard, removed, -1, rules)
    for value in range(N_VALUES):
        slot = slots.opened[pair, value]
        left = supply.counts[value] - supply.step * ((value == upcard) + (2 + removed) * (value == pair))
        if slot != BUST and left > 0.5:
            net += left / unseen * best[slot]
            if value == pair:
                bet = split_live(supply, pair, upcard, removed, value, rules)
                sums.pair_card[upcard, pair, removed] = left / unseen * (best[slot] - bet)
    sums.any_card[upcard, pair, removed] = net
