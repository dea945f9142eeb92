"""The net of a split under a fixed play, as one linear sum over the hands on which its sequences of cards end.

How many sequences end on a hand is the play's doing (`split_play.final_sequences`); what one sequence counts is not,
and stands here as a coefficient for every split hand:

    net = Σ over final hands of sequences × bets × coefficient − bet − Σ over doubled hands of sequences × second bet,

all of live rounds. A coefficient holds the probability of one sequence of the hand's cards, what the hand returns then,
and the weights of `resplits`, summed over the numbers of pair cards gone.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, lean_kernel, rule
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.resplits import SplitWeights, count_removed, split_weights
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split_play import FinalSequences, SplitPlay, final_sequences
from holecard.blackjack.exact.supply import (
    NOTHING_DRAWN,
    Drawn,
    FallingFactorials,
    Split,
    Supply,
    left_after_split,
    split_live,
    unseen_after_split,
)
from holecard.blackjack.game.hand import natural_takes_one_bet
from holecard.blackjack.game.rules import TableRules


class SplitCoefficients(NamedTuple):
    """What one sequence of cards that ends on a split hand counts in the net of a split, and what its bets cost."""

    other_card: NDArray[np.float64]
    """(10, m): by upcard and slot, where the second card is no pair card."""
    pair_card: NDArray[np.float64]
    """(10, m): where it is one; the weights of `resplits` leave out those that are split again."""
    bet: NDArray[np.float64]
    """(10, 10): the bets on all hands, by upcard and pair card."""
    double_bet: NDArray[np.float64]
    """(1, 10, 100): the second bet if a hand of two cards is doubled, by upcard and 10 × pair card + second card.

    Where any number of cards may be doubled, (2, 10, m) by slot, after one sequence of its cards; the first index is 1
    where the second card is a pair card. `second_bet` reads both."""


class SplitBets(NamedTuple):
    """What the bets of a split cost in live rounds; as in `SplitCoefficients`."""

    bet: NDArray[np.float64]
    double_bet: NDArray[np.float64]


def net_coefficients(odds: Odds, stands: NDArray[np.float64], resplit: NDArray[np.float64]) -> SplitCoefficients:
    """The coefficients of the net of a split, for given shares of resplits (10, 10); `stands` as `Odds.stands`."""
    weights = split_weights(odds.pairs, odds.table_rules, resplit)
    other_card, pair_card = np.empty((2, N_VALUES, len(odds.slots.hand)))
    _fill_hands(odds.hands, odds.slots, odds.factorials, stands, weights, other_card, pair_card)
    return SplitCoefficients(other_card, pair_card, *bets_of_splits(odds, weights))


def bets_of_splits(odds: Odds, weights: SplitWeights) -> SplitBets:
    """The bets of a split, for given weights of `resplits`."""
    rules = odds.table_rules
    bets = SplitBets(np.zeros((N_VALUES, N_VALUES)), np.zeros((1, N_VALUES, N_VALUES * N_VALUES)))
    if rules.double_any_cards:
        bets = SplitBets(bets.bet, np.empty((2, N_VALUES, len(odds.slots.hand))))
        live = _live(odds, natural_takes_one_bet(rules))
        _fill_hands(odds.hands, odds.slots, odds.factorials, live, weights, *bets.double_bet)
    _fill_bets(odds.supply, rules, count_removed(rules), weights, bets)
    return bets


@rule
def second_bet(
    hands: Hands, slots: Slots, rules: TableRules, coefficients: SplitCoefficients, upcard: int, slot: int, paired: int
) -> float:
    """The second bet if a split hand is doubled, after one sequence of its cards; `paired` as in `double_bet`."""
    if rules.double_any_cards:
        return coefficients.double_bet[paired, upcard, slot]
    hand, pair = slots.hand[slot], slots.pair[slot]
    second = hands.highest[hand] + hands.highest[hands.parent[hand]] - pair
    return coefficients.double_bet[0, upcard, N_VALUES * pair + second]


def frequency_coefficients(odds: Odds, resplit: NDArray[np.float64]) -> SplitCoefficients:
    """`net_coefficients` where every hand returns 1 in a round still in play: they count how often hands come up."""
    return net_coefficients(odds, _live(odds, odds.table_rules.dealer_naturals and odds.table_rules.peek), resplit)


def _live(odds: Odds, conditional: bool) -> NDArray[np.float64]:
    """P(no natural) of every split hand if it is `conditional` on that, else 1; (10, m, numbers of pair cards gone)."""
    hands, slots, supply = odds.hands, odds.slots, odds.supply
    live = np.ones((N_VALUES, len(slots.hand), count_removed(odds.table_rules)))
    if conditional:
        removed = np.arange(live.shape[2])
        unseen = supply.size - supply.depletion * (hands.size[slots.hand][:, None] + 2 + removed)
        for upcard, other in ((ACE, TEN), (TEN, ACE)):
            gone = hands.cards[slots.hand, other][:, None] + (slots.pair == other)[:, None] * (1 + removed)
            left = np.maximum(supply.counts[other] - supply.depletion * gone, 0.0)
            live[upcard] = 1.0 - left / np.maximum(unseen, 1.0)
    return live


@kernel
def _fill_hands(
    hands: Hands,
    slots: Slots,
    factorials: FallingFactorials,
    values: NDArray[np.float64],
    weights: SplitWeights,
    of_other_card: NDArray[np.float64],
    of_pair_card: NDArray[np.float64],
) -> None:
    """Fill the coefficients (10, m) of hands that return `values` (10, m, numbers of pair cards gone).

    P(one sequence of a hand's cards) = falling factorials of the values drawn / that of all cards. Those of other
    values than the pair card do not depend on the pair cards gone: they are `of_rest`, one card more at a time.
    """
    of_rest = np.ones(len(hands.size))
    for upcard in range(N_VALUES):
        for hand in range(1, len(of_rest)):
            value = hands.highest[hand]
            gone = hands.cards[hand, value] - 1 + (value == upcard)
            of_rest[hand] = of_rest[hands.parent[hand]] * factorials.of_value[value, gone, 1]
        for slot in range(len(slots.hand)):
            hand, pair = slots.hand[slot], slots.pair[slot]
            pairs_drawn, drawn = hands.cards[hand, pair] - 1, hands.size[hand] - 1
            any_card = pair_card = 0.0
            for r in range(values.shape[2]):
                value_here = values[upcard, slot, r]
                if value_here != 0.0:  # most hands have none: the play does not reach them
                    of_pair = factorials.of_value[pair, 2 + r + (upcard == pair), pairs_drawn]
                    probability = of_pair * factorials.inverse[3 + r, drawn]
                    any_card += weights.any_card[upcard, pair, r] * probability * value_here
                    pair_card += weights.pair_card[upcard, pair, r] * probability * value_here
            of_other_card[upcard, slot] = of_rest[slots.rest[slot]] * any_card
            of_pair_card[upcard, slot] = of_rest[slots.rest[slot]] * (any_card + pair_card)


@lean_kernel
def _fill_bets(supply: Supply, rules: TableRules, n_removed: int, weights: SplitWeights, bets: SplitBets) -> None:
    """Fill the bets: a hand's bet is 1 in a live round, and a second bet is placed after the second card, or later."""
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES):
            for r in range(n_removed):
                add_bets(supply, rules, weights, Split(upcard, pair, r), bets)


@rule
def add_bets(supply: Supply, rules: TableRules, weights: SplitWeights, split: Split, bets: SplitBets) -> None:
    """Add what the bets of a split cost with so many pair cards gone."""
    (bet, double_bet), (upcard, pair, r) = bets, split
    weight = weights.any_card[upcard, pair, r]
    bet[upcard, pair] += weight * split_live(supply, split, NOTHING_DRAWN, rules)
    unseen = unseen_after_split(supply, split)
    for value in range(N_VALUES):
        left = left_after_split(supply, split, value)
        if left > 0.5 and unseen > 0.5:
            drawn = Drawn(int(value == ACE), int(value == TEN), 1)
            live = left / unseen * split_live(supply, split, drawn, rules)
            second = weight * live
            if value == pair:
                bet[upcard, pair] += weights.pair_card[upcard, pair, r] * live
                second += weights.pair_card[upcard, pair, r] * live
            if not rules.double_any_cards:
                double_bet[0, upcard, N_VALUES * pair + value] += second


def split_net(odds: Odds, play: SplitPlay, coefficients: SplitCoefficients) -> NDArray[np.float64]:
    """The net of splitting under a fixed play, shape (10, 10) by upcard and pair card."""
    sequences = final_sequences(odds.slots, odds.supply, play, odds.table_rules)
    return net_of_sequences(odds, play, sequences, coefficients)


def net_of_sequences(
    odds: Odds, play: SplitPlay, sequences: FinalSequences, coefficients: SplitCoefficients
) -> NDArray[np.float64]:
    """`split_net` of a play whose final sequences are known."""
    returns = np.zeros((N_VALUES, N_VALUES))
    for pair, (start, end) in enumerate(pairwise(odds.slots.first)):
        mine = slice(start, end)
        returns[:, pair] += np.einsum("us,us->u", sequences.other_card[:, mine], coefficients.other_card[:, mine])
        returns[:, pair] += np.einsum("us,us->u", sequences.pair_card[:, mine], coefficients.pair_card[:, mine])
    return less_bets(odds, play, sequences, SplitBets(coefficients.bet, coefficients.double_bet), returns)


def less_bets(
    odds: Odds, play: SplitPlay, sequences: FinalSequences, bets: SplitBets, returns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The net of splitting, shape (10, 10): what its hands return, less their bets and second bets."""
    if odds.table_rules.double_any_cards:
        second_bets = (sequences.doubled * bets.double_bet).sum(axis=0)
        return returns - bets.bet - np.add.reduceat(second_bets, odds.slots.first[:-1], axis=1)
    doubled = np.where(odds.slots.opened == BUST, 0.0, play.double[:, odds.slots.opened])
    return less_bets_of_two(doubled, bets, returns)


def less_bets_of_two(
    doubled: NDArray[np.float64], bets: SplitBets, returns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """`less_bets` where only two cards may be doubled: by shares (10, 10, 10) of upcard, pair card and second card.

    Of many decks where all of them are.
    """
    net: NDArray[np.float64] = returns - bets.bet - (doubled * bets.double_bet.reshape(doubled.shape)).sum(axis=-1)
    return net
