"""The best play of split hands for a player who remembers pair cards: CDP1 (`pair-aware`) and CDP (`pair-count`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import BUST, N_VALUES, Hands
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split import HandSums, SplitPlay, may_double_split, may_hit_split, split_live
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.rules import TableRules


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
            _choose(hands, slots, supply, rules, stands, upcard, slot, removed, best, play)
        for pair in range(N_VALUES):
            _sum_second_cards(slots, supply, rules, upcard, pair, removed, best, sums)


@rule
def _choose(
    hands: Hands,
    slots: Slots,
    supply: Supply,
    rules: TableRules,
    stands: NDArray[np.float64],
    upcard: int,
    slot: int,
    removed: int,
    best: NDArray[np.float64],
    play: SplitPlay,
) -> None:
    """Fill `best` and `play` for one slot from the slots it can grow into."""
    hand, pair = slots.hand[slot], slots.pair[slot]
    unseen = supply.size - supply.step * (hands.size[hand] + 2 + removed)
    hit = stood = 0.0
    for value in range(N_VALUES):
        grown = slots.grown[slot, value]
        gone = hands.cards[hand, value] + (value == upcard) + (1 + removed) * (value == pair)
        left = supply.counts[value] - supply.step * gone
        if grown != BUST and left > 0.5:
            hit += left / unseen * best[grown]
            stood += left / unseen * stands[upcard, grown, removed]
    total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
    best[slot] = stands[upcard, slot, removed]
    play.hit[upcard, slot] = play.double[upcard, slot] = 0.0
    if may_hit_split(pair, total, size, rules) and hit > best[slot]:
        best[slot] = hit
        play.hit[upcard, slot] = 1.0
    if may_double_split(pair, total, soft, size, rules):
        second = hands.highest[hand] if hands.cards[hand, pair] == 2 else hands.highest[hand] + hands.highest[hands.parent[hand]] - pair
        double = 2.0 * stood - split_live(supply, pair, upcard, removed, second, rules)
        if double > best[slot]:
            best[slot] = double
            play.hit[upcard, slot] = 0.0
            play.double[upcard, slot] = 1.0


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
