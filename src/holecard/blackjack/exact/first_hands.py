"""First hands: the two cards a round begins with, how likely each is, and what it may do."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.blackjack.exact.hands import ACE, BUST, FIRST_PAIRING, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.resplits import PairProbabilities
from holecard.blackjack.exact.returns import NOT_ALLOWED, Returns, has_ended, may_double_unsplit
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.hand import most_hands
from holecard.blackjack.game.rules import NO_SURRENDER, Rules, TableRules
from holecard.blackjack.strategy.letters import MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER

ACTIONS: Final = 5
"""Hit, stand, double, split, surrender: the actions of a first hand, by `Action`."""


class FirstHands(NamedTuple):
    """First hands, one row each in the order of `Hands`; o = `hands.openings` + 1 rows.

    Where tens split by rank only, two different tens have the extra last row, because they may not be split.
    """

    hand: NDArray[np.int64]
    """(o,): the hand of a row."""
    pair: NDArray[np.int64]
    """(o,): the pair card of a first hand that is a pair, else −1."""
    can_split: NDArray[np.bool_]
    """(10, 10): by upcard and pair card, which pairs rules and cards allow to be split."""
    probability: NDArray[np.float64]
    """(o, 10): P(first hand, upcard); 0 below two cards."""


class _Rows(NamedTuple):
    """What the rules say of the rows of `FirstHands`."""

    hand: NDArray[np.int64]
    """(o,): the hand of a row."""
    pair: NDArray[np.int64]
    """(o,): its pair card, or −1."""
    splits: NDArray[np.int64]
    """(…,): the pair cards that may be split."""
    plays: NDArray[np.int64]
    """(…,): rows of two cards that have not ended."""
    doubles: NDArray[np.int64]
    """(…,): those of them that may be doubled."""
    natural: int
    """The row of ace and ten, or `BUST`."""


@lru_cache(maxsize=16)
def _rows(rules: TableRules) -> _Rows:
    hands = all_hands(rules.limit, rules.ace_bonus)
    hand = np.append(np.arange(hands.openings), max(hands.find((TEN, TEN)), 0))
    pair, ended = np.full(len(hand), -1, np.int64), np.ones(len(hand), np.bool_)
    doubles = np.zeros(len(hand), np.bool_)
    for row in np.flatnonzero(hand >= FIRST_PAIRING):
        total, soft = int(hands.total[hand[row]]), bool(hands.soft[hand[row]])
        ended[row], doubles[row] = has_ended(total, 2, rules), may_double_unsplit(total, soft, 2, rules)
    splits = []
    for value in range(N_VALUES):
        both = hands.find((value, value))
        if both != BUST:
            pair[both] = value
            if not ended[both] and most_hands(value == ACE, rules) >= 2:
                splits.append(value)
    plays, natural = np.flatnonzero(~ended), hands.find((ACE, TEN))
    return _Rows(hand, pair, np.array(splits, np.int64), plays, np.flatnonzero(doubles), natural)


def first_hands_of(hands: Hands, supply: Supply, pairs: PairProbabilities, rules: TableRules) -> FirstHands:
    """The first hands of a game; of many decks where supply and pairs are."""
    rows = _rows(rules)
    can_split = np.zeros(pairs.dealt.shape, np.bool_)
    left = supply.counts[..., None] - 2 * supply.depletion * np.eye(N_VALUES)  # by upcard and pair card
    has_pair = np.diagonal(left, axis1=-2, axis2=-1)[..., None, :] >= 0
    enough = has_pair & (left > 0) & (pairs.dealt > 0)
    can_split[..., rows.splits] = enough[..., rows.splits]
    return FirstHands(rows.hand, rows.pair, can_split, _probabilities(hands, supply, pairs))


def _probabilities(hands: Hands, supply: Supply, pairs: PairProbabilities) -> NDArray[np.float64]:
    """`FirstHands.probability`: two values that differ come in two sequences, and a ten pair is cut in two rows."""
    probability = np.zeros((*supply.counts.shape[:-1], hands.openings + 1, N_VALUES))
    counts, depletion = supply.counts, supply.depletion
    pairings = slice(FIRST_PAIRING, hands.openings)
    high = hands.highest[pairings]
    low = hands.highest[hands.parent[pairings]]
    lower, higher = counts[..., low], counts[..., high]
    sequences = lower * np.where(low == high, higher - depletion, 2.0 * higher)
    upcards = np.maximum(counts[..., None, :] - depletion * hands.cards[pairings], 0.0)
    in_all = np.asarray(supply.size * (supply.size - depletion) * (supply.size - 2 * depletion))
    probability[..., pairings, :] = np.maximum(sequences, 0.0)[..., None] * upcards / in_all[..., None, None]
    tens = hands.find((TEN, TEN))
    if tens != BUST:
        probability[..., -1, :] = probability[..., tens, :] * (1.0 - pairs.dealt[..., TEN])
        probability[..., tens, :] *= pairs.dealt[..., TEN]
    return probability


@rule
def first_options(hands: Hands, rules: TableRules, first_hands: FirstHands, row: int, upcard: int) -> int:
    """What the first hand of a row may do beside hit and stand, as a sum of `MAY_…`."""
    hand, pair = first_hands.hand[row], first_hands.pair[row]
    options = MAY_DOUBLE if may_double_unsplit(hands.total[hand], hands.soft[hand], 2, rules) else 0
    if pair >= 0 and first_hands.can_split[upcard, pair]:
        options |= MAY_SPLIT
    if rules.surrender != NO_SURRENDER:
        options |= MAY_SURRENDER
    return options


def first_returns_of(rules: Rules, returns: Returns, first_hands: FirstHands) -> NDArray[np.float64]:
    """What each `Action` but a split returns on a first hand, shape (o, 10, 5); `NOT_ALLOWED` where it is not.

    Of many decks where the returns are.
    """
    rows = _rows(rules.table())
    by_action = np.full((*returns.stand.shape[:-2], len(first_hands.hand), N_VALUES, ACTIONS), NOT_ALLOWED)
    two_cards = np.flatnonzero(rows.hand >= FIRST_PAIRING)
    for action, at, values in (
        (Action.STAND, two_cards, returns.stand),
        (Action.HIT, rows.plays, returns.hit),
        (Action.SURRENDER, rows.plays, returns.surrender),
        (Action.DOUBLE, rows.doubles, returns.double),
    ):
        by_action[..., action][..., at, :] = values[..., rows.hand[at], :]
    if rules.bj is not None:  # it pushes against the dealer's natural and wins against all else
        paid = 1.0 + float(rules.bj) * (1.0 - returns.natural[..., rows.natural, :])
        by_action[..., rows.natural, :, Action.STAND] = paid
    return by_action
