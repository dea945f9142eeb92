"""How often two hands of a split are met, by the hands that a round ends with and the second cards of the two.

As in `split_value`, how many further pair cards are gone stands in two factors only, which hands and dealer share: it
is summed out beforehand, into a table.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.hands import ACE
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import N_REMOVED
from holecard.blackjack.exact.supply import FallingFactorials
from holecard.blackjack.game.hand import most_hands

COUNTS: Final = 3
"""Rounds end with 2, 3 or 4 hands."""


@lru_cache(maxsize=8)
def pair_run_weights(max_hands: int) -> NDArray[np.float64]:
    """Ordered pairs of hands by how many hands a split ends with, shape (3, 3, `N_REMOVED`).

    The second index says what both second cards may be: anything, one of them no pair card, neither a pair card. As in
    `resplits.run_weights`, inclusion–exclusion runs over the other hands' second cards, and each weight is to be
    multiplied by ρ(r), the probability that r given cards are pair cards.
    """
    weights = np.zeros((COUNTS, 3, N_REMOVED))

    def run(hands: int, open_hands: int, pairs: int, others: int) -> None:
        if hands == max_hands or open_hands == 0:
            ordered_pairs = (open_hands * (open_hands - 1), 2 * open_hands * others, others * (others - 1))
            for fixed, ordered in enumerate(ordered_pairs):
                for excluded in range(others - fixed + 1 if ordered else 0):
                    weights[hands - 2, fixed, pairs + excluded] += (
                        (-1) ** excluded * ordered * comb(others - fixed, excluded)
                    )
            return
        run(hands + 1, open_hands + 1, pairs + 1, others)
        run(hands, open_hands - 1, pairs, others + 1)

    run(2, 2, 0, 0)
    return weights


class Wanted(NamedTuple):
    """What is wanted of a pair of hands: w pairs of a number of hands and of pair cards among the second cards."""

    hands: NDArray[np.int64]
    """(w,): the hands that a round ends with, less 2."""
    second: NDArray[np.int64]
    """(w,): the pair cards among the second cards of both."""
    joint: NDArray[np.float64]
    """(w, …, …): by pair cards and cards that hands and dealer draw, P(they are those), weighed, over their sequences.

    What other values bring is left out."""


def wanted_of(odds: Odds, resplit: float, upcard: int, pair: int, factorials: FallingFactorials) -> Wanted:
    """What is wanted of the hands of a split; `resplit` is the share of pairs that are split again."""
    weights, removed = _second_card_weights(odds, resplit, upcard, pair), np.arange(N_REMOVED)
    second, hands = np.nonzero(weights.any(axis=2))
    of_pairs = factorials.of_value[pair, 2 + (upcard == pair) + removed].T
    joint = weights[second, hands][:, None] * of_pairs @ factorials.inverse[3 + removed]
    return Wanted(hands, second, joint)


def _second_card_weights(odds: Odds, resplit: float, upcard: int, pair: int) -> NDArray[np.float64]:
    """Weights of two hands with 0, 1, 2 pair cards as second cards, shape (3, 3, `N_REMOVED`), ρ(r) included.

    For tens split by rank the probability that both second cards match is taken as the square of one's.
    """
    match = odds.pairs.all_match[upcard, pair]
    next_match = np.divide(odds.pairs.next_matches[upcard, pair], match, out=np.zeros(N_REMOVED), where=match > 0)
    kept = 1.0 - resplit * next_match  # a pair card as second card that is not split again
    free, one, both = pair_run_weights(most_hands(pair == ACE, odds.table_rules)).transpose(1, 0, 2)
    by_pair_cards = (
        free + one + both,
        free + one * (1.0 + kept) / 2.0 + both * kept,
        free + one * kept + both * kept**2,
    )
    weights: NDArray[np.float64] = np.stack(by_pair_cards) * match * resplit ** np.arange(N_REMOVED)
    return weights
