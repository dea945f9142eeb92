"""What a player may remember after a split, and what splits are then worth.

`zero-memory` (CDZ-): split hands are played by the strategy that is best before a split. `pair-aware` (CDP1): they have
a strategy of their own, the best with one more pair card gone. `pair-count` (CDP): one such strategy for each number of
pair cards gone. `perfect`: every card is remembered and both hands of one split are played jointly; `perfect` the
module works that out.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.resplits import HandNets, count_removed, net_of_resplits, split_weights
from holecard.blackjack.exact.returns import TIE
from holecard.blackjack.exact.slots import N_REMOVED, Slots, split_stands
from holecard.blackjack.exact.split_net import bets_of_splits, less_bets
from holecard.blackjack.exact.split_play import (
    SplitPlay,
    final_sequences,
    may_double_split,
    may_hit_split,
    zero_memory_play,
)
from holecard.blackjack.exact.split_value import returns_of_splits
from holecard.blackjack.exact.supply import (
    NOTHING_DRAWN,
    Drawn,
    Split,
    Supply,
    left_after_split,
    split_live,
    unseen_after_split,
)
from holecard.blackjack.game.hand import may_hit
from holecard.blackjack.game.rules import TableRules

SplitMemory = Literal["zero-memory", "pair-aware", "pair-count", "perfect"]
"""What a split hand knows of the other hands; docs/exact-solver.md compares them."""
SPLIT_PLAYS: Final[tuple[SplitMemory, ...]] = get_args(SplitMemory)
"""The values of `SplitMemory`, the least knowing first."""
ALWAYS: Final = np.ones((N_VALUES, N_VALUES))
"""Every pair is split again while that is allowed."""


def solve_splits(odds: Odds, memory: SplitMemory) -> tuple[SplitPlay, NDArray[np.float64]]:
    """How split hands are played, and the net of splitting, shape (10, 10) by upcard and pair card.

    With `pair-count` the play is that of a first split; further ones are valued with their own. With `perfect` they are
    those of `pair-aware`, the best that looks at one hand only; `perfect.perfect_splits` has the net.
    """
    rules = odds.table_rules
    if rules.max_hands < 2:
        return _no_play(odds), np.zeros((N_VALUES, N_VALUES))
    if memory == "zero-memory":
        play = zero_memory_play(odds.slots, odds.hands, rules, odds.returns)
        return play, value_play(odds, play)
    n_removed = count_removed(rules) if memory == "pair-count" else 1
    stands = split_stands(odds.slots, odds.factorials, rules, may_stand(odds), n_removed)
    play = _no_play(odds)
    hand_nets = HandNets(*np.zeros((2, N_VALUES, N_VALUES, N_REMOVED)))
    for removed in range(n_removed - 1, -1, -1):
        best_play(odds.hands, odds.slots, odds.supply, rules, removed, stands, play, hand_nets)
    if memory != "pair-count":
        return play, value_play(odds, play)
    return play, net_of_resplits(split_weights(odds.pairs, rules, ALWAYS), hand_nets)


def value_play(odds: Odds, play: SplitPlay) -> NDArray[np.float64]:
    """The net of splitting under a fixed play, shape (10, 10); only the hands that it reaches are worked out."""
    rules, sequences = odds.table_rules, final_sequences(odds.slots, odds.supply, play, odds.table_rules)
    weights = split_weights(odds.pairs, rules, play.resplit)
    returns = returns_of_splits(odds.factorials, rules, weights, sequences)
    return less_bets(odds, play, sequences, bets_of_splits(odds, weights), returns)


def may_stand(odds: Odds) -> NDArray[np.bool_]:
    """Split hands on which standing can be best, bool of shape (10, m).

    Below the target a hand wins only if the dealer busts, so one that no card can bust is never worse for a card. Hands
    that a double can have made count all the same: it stands on anything.
    """
    hands, rules, hand = odds.hands, odds.table_rules, odds.slots.hand
    never_stands = (hands.total[hand] < rules.target) & (hands.pips[hand] + N_VALUES <= rules.limit)
    doubled = hands.size[hand] > 2 if rules.double_any_cards else hands.size[hand] == 3
    stands = ~never_stands | doubled
    if not may_hit(True, rules):
        most_cards = 3 if rules.double_split_aces else 2
        stands = np.where(odds.slots.pair == ACE, hands.size[hand] <= most_cards, stands)
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
    removed: int,
    stands: NDArray[np.float64],
    play: SplitPlay,
    hand_nets: HandNets,
) -> None:
    """Fill `play` with the best play when `removed` more pair cards are gone, and that row of `hand_nets`."""
    best = np.zeros(len(slots.hand))
    for upcard in range(N_VALUES):
        if supply.counts[upcard] < 0.5:
            continue
        for slot in range(len(slots.hand) - 1, -1, -1):  # the largest hands first: they grow from the others
            hand, pair, stand = slots.hand[slot], slots.pair[slot], stands[upcard, slot, removed]
            hit = _mean_after_card(hands, slots, supply, Split(upcard, pair, removed), slot, best)
            hits = may_hit_split(pair, hands.total[hand], hands.size[hand], rules) and hit > stand + TIE
            best[slot] = hit if hits else stand
            play.hit[upcard, slot], play.double[upcard, slot] = (1.0 if hits else 0.0), 0.0
            if may_double_split(pair, hands.total[hand], hands.soft[hand], hands.size[hand], rules):
                split = Split(upcard, pair, removed)
                double = _double_return(hands, slots, supply, rules, split, slot, stands[upcard, :, removed])
                if double > best[slot] + TIE:
                    best[slot] = double
                    play.hit[upcard, slot], play.double[upcard, slot] = 0.0, 1.0
        for pair in range(N_VALUES):
            _sum_second_cards(slots, supply, rules, Split(upcard, pair, removed), best, hand_nets)


@rule
def _mean_after_card(
    hands: Hands, slots: Slots, supply: Supply, split: Split, slot: int, values: NDArray[np.float64]
) -> float:
    """The mean of `values` (m,) over the next card of a split hand; a bust counts 0."""
    hand = slots.hand[slot]
    total = 0.0
    for value in range(N_VALUES):
        grown = slots.grown[slot, value]
        # The hand holds one of the two pair cards that `left_after_split` has taken away already.
        drawn = hands.cards[hand, value] - (value == split.pair)
        left = left_after_split(supply, split, value) - supply.depletion * drawn
        if grown != BUST and left > 0.5:
            total += left * values[grown]
    unseen = unseen_after_split(supply, split) - supply.depletion * (hands.size[hand] - 1)
    return total / unseen if unseen > 0.5 else 0.0


@rule
def _double_return(
    hands: Hands, slots: Slots, supply: Supply, rules: TableRules, split: Split, slot: int, stands: NDArray[np.float64]
) -> float:
    """What doubling a split hand returns; `stands` (m,) what a stand returns."""
    hand = slots.hand[slot]
    aces = hands.cards[hand, ACE] - (split.pair == ACE)
    tens = hands.cards[hand, TEN] - (split.pair == TEN)
    stood = _mean_after_card(hands, slots, supply, split, slot, stands)
    return 2.0 * stood - split_live(supply, split, Drawn(aces, tens, hands.size[hand] - 1), rules)


@rule
def _sum_second_cards(
    slots: Slots, supply: Supply, rules: TableRules, split: Split, best: NDArray[np.float64], hand_nets: HandNets
) -> None:
    """J and P of `resplits`: the mean over the second card of what a hand returns, less its bet, into `hand_nets`."""
    upcard, pair, removed = split
    unseen = unseen_after_split(supply, split)
    net = -split_live(supply, split, NOTHING_DRAWN, rules)
    for value in range(N_VALUES):
        slot, left = slots.opened[pair, value], left_after_split(supply, split, value)
        if slot != BUST and left > 0.5:
            net += left / unseen * best[slot]
            if value == pair:
                bet = split_live(supply, split, Drawn(int(value == ACE), int(value == TEN), 1), rules)
                hand_nets.pair_card[upcard, pair, removed] = left / unseen * (best[slot] - bet)
    hand_nets.any_card[upcard, pair, removed] = net
