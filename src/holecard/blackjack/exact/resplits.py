"""Resplits, exactly: what splitting a pair to several hands is worth, from what one hand is worth.

Cards are exchangeable, so it does not matter in which order the hands take theirs. One split is worth twice one hand
played with one more pair card gone. With resplits, run through the second cards first: each is a pair card (split
again) or not, until every hand has one or the most hands are held, from where second cards are not looked at.

Let J(r) be the net of one hand with r further pair cards gone, P(r) the part of it that comes from a pair card as
second card, and ρ(r) the probability that r given cards are pair cards. In a run with p pair cards and q other second
cards, "these q are no pair cards" is expanded by inclusion–exclusion,

    P(p given cards are pair cards, q given cards are none) = Σ over e of (−1)^e C(q, e) ρ(p + e),

so a hand whose second card may be anything counts Σ (−1)^e C(q, e) ρ(p + e) J(p + e), and one whose second card is no
pair card the same with J − P and the other q − 1 second cards. `run_weights` adds up these integers; r = p + e goes up
to 2 × (hands − 2).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.hands import ACE, N_VALUES, TEN
from holecard.blackjack.exact.slots import N_REMOVED
from holecard.blackjack.exact.supply import FallingFactorials
from holecard.blackjack.game.hand import most_hands
from holecard.blackjack.game.rules import TableRules


class PairProbabilities(NamedTuple):
    """How likely further cards match a pair that was dealt, by upcard and pair card.

    Only tens that split by rank make this more than counting one value.
    """

    all_match: NDArray[np.float64]
    """(10, 10, `N_REMOVED`): ρ, P(r given cards all match)."""
    next_matches: NDArray[np.float64]
    """(10, 10, `N_REMOVED`): P(r given cards all match and so does one more of the pair's value)."""
    dealt: NDArray[np.float64]
    """(10, 10): P(two first cards of this value are a pair)."""


class HandNets(NamedTuple):
    """The net of one split hand in live rounds, by upcard, pair card and further pair cards gone."""

    any_card: NDArray[np.float64]
    """(10, 10, `N_REMOVED`): J, the second card may be anything."""
    pair_card: NDArray[np.float64]
    """(10, 10, `N_REMOVED`): P, the part of J that comes from a pair card as second card."""


class SplitWeights(NamedTuple):
    """What one hand's J(r) and P(r) count in the net of a split, by upcard, pair card and r."""

    any_card: NDArray[np.float64]
    """(10, 10, `N_REMOVED`): of J."""
    pair_card: NDArray[np.float64]
    """(10, 10, `N_REMOVED`): of P."""


@lru_cache(maxsize=8)
def run_weights(max_hands: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often J(r) of a hand with any second card, and J(r) − P(r) of one without a pair card, counts in a split.

    Two arrays of shape (`N_REMOVED`,), each to be multiplied by ρ(r).

    >>> run_weights(2)[0].tolist(), run_weights(3)[1].tolist()
    ([2.0, 0.0, 0.0, 0.0, 0.0], [2.0, -1.0, 0.0, 0.0, 0.0])
    """
    free, no_pair = np.zeros((2, N_REMOVED))

    def run(hands: int, open_hands: int, pairs: int, others: int) -> None:
        if hands == max_hands or open_hands == 0:  # a run ends: inclusion–exclusion over its `others`
            for excluded in range(others + 1):
                sign = (-1) ** excluded
                if open_hands:
                    free[pairs + excluded] += sign * open_hands * comb(others, excluded)
                if excluded < others:
                    no_pair[pairs + excluded] += sign * others * comb(others - 1, excluded)
            return
        run(hands + 1, open_hands + 1, pairs + 1, others)  # the next second card is a pair card: two hands for one
        run(hands, open_hands - 1, pairs, others + 1)  # it is another card: the hand is no longer open

    run(2, 2, 0, 0)
    return free, no_pair


def count_removed(rules: TableRules) -> int:
    """Numbers of further pair cards that matter: 1, 3 or 5."""
    return 2 * max(rules.max_hands - 2, 0) + 1


def pair_probabilities(factorials: FallingFactorials, rules: TableRules) -> PairProbabilities:
    """The probabilities of every pair under every upcard; of many decks where the factorials are."""
    gone = 2 + np.eye(N_VALUES, dtype=np.int64)
    of_pair = factorials.of_value[..., np.arange(N_VALUES), gone, :N_REMOVED]
    all_match = of_pair * factorials.inverse[..., None, None, 3, :N_REMOVED]
    pairs = PairProbabilities(all_match, all_match.copy(), np.ones(all_match.shape[:-1]))
    if rules.split_by_rank:
        _fill_tens(factorials, TEN, pairs)
        _fill_tens(factorials, ACE, pairs)
        for each in (pairs.all_match, pairs.next_matches, pairs.dealt[..., None]):
            each[..., :TEN, TEN, :] = each[
                ..., ACE : ACE + 1, TEN, :
            ]  # what is shown tells of tens only where it is one
    return pairs


def _fill_tens(factorials: FallingFactorials, upcard: int, pairs: PairProbabilities) -> None:
    """Fill the probabilities of a pair of tens of one rank, averaged over that rank and over the rank of a ten upcard.

    A pair of rank k weighs n(k) (n(k) − 1), times the cards left of the upcard's rank where that is a ten too.
    """
    supply, ten_up = factorials.supply, upcard == TEN
    depletion, tens = supply.depletion, supply.counts[..., TEN, None]
    removed = np.arange(N_REMOVED)
    tens_left = np.maximum(tens - depletion * (2 + ten_up + removed), 1.0)
    all_match, next_matches = np.zeros((2, *tens_left.shape))
    weights = np.zeros(tens.shape)
    for rank in range(4):
        count = supply.tens[..., rank, None]
        for shown in range(4) if ten_up else (-1,):
            weight = count * np.maximum(count - depletion, 0.0)
            if ten_up:
                weight = weight * np.maximum(supply.tens[..., shown, None] - depletion * 2 * (shown == rank), 0.0)
            left = np.maximum(count - depletion * (2 + (shown == rank) + removed), 0.0)
            matches = weight * _products_before(left) * factorials.inverse[..., 3, :N_REMOVED]
            weights += weight
            all_match += matches
            next_matches += matches * left / tens_left
    any_two = tens * (tens - depletion) * ((tens - 2 * depletion) if ten_up else 1.0)
    share = np.divide(weights, any_two, out=np.zeros_like(weights), where=any_two > 0.0)
    pairs.dealt[..., upcard, TEN] = share[..., 0]
    pairs.all_match[..., upcard, TEN, :] = all_match / np.maximum(weights, 1.0)
    pairs.next_matches[..., upcard, TEN, :] = next_matches / np.maximum(weights, 1.0)


def _products_before(factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The products of the factors before each one, along the last axis."""
    products = np.ones_like(factors)
    np.cumprod(factors[..., :-1], axis=-1, out=products[..., 1:])
    return products


def split_weights(pairs: PairProbabilities, rules: TableRules, resplit: NDArray[np.float64]) -> SplitWeights:
    """What J(r) and P(r) count in the net of a split.

    `resplit` (10, 10) is the share of pairs, by upcard and pair card, that are split again where that is allowed.
    """
    free, no_pair = _runs_of_pairs(rules)
    again = resplit[:, :, None] ** np.arange(N_REMOVED)  # r pair cards, all of them split again
    return SplitWeights(
        again * pairs.all_match * (free + no_pair), -again * resplit[:, :, None] * pairs.next_matches * no_pair
    )


@lru_cache(maxsize=16)
def _runs_of_pairs(rules: TableRules) -> NDArray[np.float64]:
    """`run_weights` of every pair card, shape (2, 10, `N_REMOVED`); 0 where it may not be split."""
    weights = np.zeros((2, N_VALUES, N_REMOVED))
    for pair in range(N_VALUES):
        if most_hands(pair == ACE, rules) >= 2:
            weights[:, pair] = run_weights(most_hands(pair == ACE, rules))
    return weights


def net_of_resplits(weights: SplitWeights, hand_nets: HandNets) -> NDArray[np.float64]:
    """The expected net of splitting in live rounds, shape (10, 10) by upcard and pair card."""
    by_removed = weights.any_card * hand_nets.any_card + weights.pair_card * hand_nets.pair_card
    net: NDArray[np.float64] = by_removed.sum(axis=2)
    return net
