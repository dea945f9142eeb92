"""Splits, exactly: any pair, any upcard, up to four hands, for any way of playing the hands.

Cards are exchangeable, so it does not matter in which order the hands take theirs. One split is worth twice one hand
played with one more pair card gone. With resplits, run through the second cards first: each is a pair card (split
again) or not, until every hand has one or the most hands are held, from where second cards are not looked at. What one
hand is worth in a given run follows, by inclusion and exclusion, from what it is worth with r further pair cards
gone: J(r) if its second card may be anything, J(r) − P(r) if it is no pair card, where P(r) is the part of J(r) that
comes from a pair card. `run_weights` derives the weights; r goes up to 2 × (hands − 2).
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands
from holecard.blackjack.exact.player import TIE, Returns, has_ended, may_double
from holecard.blackjack.exact.slots import MAX_REMOVED, Slots
from holecard.blackjack.exact.supply import Draws, Supply, live_chance
from holecard.blackjack.game.rules import TableRules


class SplitPlay(NamedTuple):
    """How split hands are played: shares of each action by upcard and slot; the rest stands."""

    hit: NDArray[np.float64]
    """(10, m)."""
    double: NDArray[np.float64]
    """(10, m): 0 beyond two cards."""
    resplit: NDArray[np.float64]
    """(10, 10): by upcard and pair card, the share of pairs that are split again where that is allowed."""


class SplitOrders(NamedTuple):
    """Orders in which each split hand is stood on, times the bets on it."""

    other: NDArray[np.float64]
    """(10, m): by upcard and slot, where the second card is no pair card."""
    pair: NDArray[np.float64]
    """(10, m): where it is one."""


class PairChances(NamedTuple):
    """How likely further cards match a pair that was dealt, by upcard and pair card.

    Only tens that split by rank make this more than counting one value.
    """

    all_match: NDArray[np.float64]
    """(10, 10, `MAX_REMOVED`): P(r given cards all match)."""
    next_matches: NDArray[np.float64]
    """(10, 10, `MAX_REMOVED`): P(r given cards all match and so does one more of the pair's value)."""
    dealt: NDArray[np.float64]
    """(10, 10): P(two first cards of this value are a pair)."""


class HandSums(NamedTuple):
    """One split hand's net result, summed over its play, by upcard, pair card and further pair cards gone."""

    any_card: NDArray[np.float64]
    """(10, 10, `MAX_REMOVED`): J, the second card may be anything."""
    pair_card: NDArray[np.float64]
    """(10, 10, `MAX_REMOVED`): P, the part of J that comes from a pair card as second card."""


@lru_cache(maxsize=8)
def run_weights(max_hands: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often J(r) of a hand with any second card, and of one without a pair card, counts in a split's sum.

    Two arrays of shape (`MAX_REMOVED`,), each to be multiplied by the probability that r given cards are pair cards.

    >>> run_weights(2)[0].tolist(), run_weights(3)[1].tolist()
    ([2.0, 0.0, 0.0, 0.0, 0.0], [2.0, -1.0, 0.0, 0.0, 0.0])
    """
    free, no_pair = np.zeros((2, MAX_REMOVED))

    def run(hands: int, open_hands: int, pairs: int, others: int) -> None:
        if hands == max_hands or open_hands == 0:
            for excluded in range(others + 1):
                sign = (-1) ** excluded
                if open_hands:
                    free[pairs + excluded] += sign * open_hands * comb(others, excluded)
                if excluded < others:
                    no_pair[pairs + excluded] += sign * others * comb(others - 1, excluded)
            return
        run(hands + 1, open_hands + 1, pairs + 1, others)
        run(hands, open_hands - 1, pairs, others + 1)

    run(2, 2, 0, 0)
    return free, no_pair


def most_hands(pair: int, rules: TableRules) -> int:
    """The hands that a pair may be split into."""
    return min(rules.max_hands, 2) if pair == ACE and not rules.resplit_aces else rules.max_hands


def removals(rules: TableRules) -> int:
    """Numbers of further pair cards that matter: 1, 3 or 5."""
    return 2 * max(rules.max_hands - 2, 0) + 1


def pair_chances(supply: Supply, draws: Draws, rules: TableRules) -> PairChances:
    """The chances of every pair under every upcard."""
    gone = 2 + np.eye(N_VALUES, dtype=np.int64)
    all_match = draws.ways[np.arange(N_VALUES), gone, :MAX_REMOVED] * draws.inverse[3, :MAX_REMOVED]
    chances = PairChances(all_match, all_match.copy(), np.ones((N_VALUES, N_VALUES)))
    if rules.split_by_rank:
        for upcard in range(N_VALUES):
            _fill_ten_chances(supply, draws, upcard, chances)
    return chances


def _fill_ten_chances(supply: Supply, draws: Draws, upcard: int, chances: PairChances) -> None:
    """Fill `PairChances` for pairs of one of the four ten ranks, averaged over the rank of a ten upcard."""
    step, tens, ten_up = supply.step, supply.counts[TEN], upcard == TEN
    others = np.maximum(tens - step * (2 + ten_up + np.arange(MAX_REMOVED)), 1.0)
    all_match, next_matches = np.zeros((2, MAX_REMOVED))
    pairs = 0.0
    for rank, count in enumerate(supply.tens):
        for shown in range(4) if ten_up else (-1,):
            weight = count * max(count - step, 0.0)
            if ten_up:
                weight *= max(supply.tens[shown] - step * 2 * (shown == rank), 0.0)
            left = np.maximum(count - step * (2 + (shown == rank) + np.arange(MAX_REMOVED)), 0.0)
            chance = weight * np.append(1.0, np.cumprod(left[:-1])) * draws.inverse[3, :MAX_REMOVED]
            pairs += weight
            all_match += chance
            next_matches += chance * left / others
    all_pairs = tens * (tens - step) * ((tens - 2 * step) if ten_up else 1.0)
    chances.dealt[upcard, TEN] = pairs / all_pairs if all_pairs > 0.0 else 0.0
    chances.all_match[upcard, TEN] = all_match / max(pairs, 1.0)
    chances.next_matches[upcard, TEN] = next_matches / max(pairs, 1.0)


def zero_memory_play(slots: Slots, hands: Hands, rules: TableRules, returns: Returns) -> SplitPlay:
    """The play that is best before a split, kept after it (CDZ-)."""
    hit, double = np.zeros((2, N_VALUES, len(slots.hand)))
    play = SplitPlay(hit, double, np.ones((N_VALUES, N_VALUES)))
    _fill_zero_memory(slots, hands, rules, returns.stand, returns.hit, returns.double, play)
    return play


@rule
def may_hit_split(pair: int, total: int, size: int, rules: TableRules) -> bool:
    """True if a split hand may take another card."""
    return not has_ended(total, size, rules) and (pair != ACE or rules.hit_split_aces)


@rule
def may_double_split(pair: int, total: int, soft: bool, size: int, rules: TableRules) -> bool:
    """True if a split hand may be doubled: after a split where the rules say so, never a split ace."""
    return size == 2 and pair != ACE and rules.double_after_split and may_double(total, soft, rules)


@kernel
def _fill_zero_memory(
    slots: Slots,
    hands: Hands,
    rules: TableRules,
    stand: NDArray[np.float64],
    hit: NDArray[np.float64],
    double: NDArray[np.float64],
    play: SplitPlay,
) -> None:
    """Fill `SplitPlay` from the returns before a split."""
    for slot in range(len(slots.hand)):
        hand, pair = slots.hand[slot], slots.pair[slot]
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        for upcard in range(N_VALUES):
            best = stand[hand, upcard]
            if may_hit_split(pair, total, size, rules) and hit[hand, upcard] > best + TIE:
                best = hit[hand, upcard]
                play.hit[upcard, slot] = 1.0
            if may_double_split(pair, total, soft, size, rules) and double[hand, upcard] > best + TIE:
                play.hit[upcard, slot] = 0.0
                play.double[upcard, slot] = 1.0


@kernel
def follow_splits(slots: Slots, supply: Supply, play: SplitPlay, orders: SplitOrders) -> None:
    """Count how a play ends on split hands, into `orders`, which do not depend on the cards left."""
    for upcard in range(N_VALUES):
        if supply.counts[upcard] < 0.5:
            continue
        ways, paired = np.zeros(len(slots.hand)), np.zeros(len(slots.hand))
        for pair in range(N_VALUES):
            for value in range(N_VALUES):
                if slots.opened[pair, value] != BUST:
                    ways[slots.opened[pair, value]] = 0.0 if value == pair else 1.0
                    paired[slots.opened[pair, value]] = 1.0 if value == pair else 0.0
        for slot in range(len(slots.hand)):
            if ways[slot] == 0.0 and paired[slot] == 0.0:
                continue
            hit, double = play.hit[upcard, slot], play.double[upcard, slot]
            orders.other[upcard, slot] += ways[slot] * (1.0 - hit - double)
            orders.pair[upcard, slot] += paired[slot] * (1.0 - hit - double)
            for value in range(N_VALUES):
                grown = slots.grown[slot, value]
                if grown != BUST:
                    ways[grown] += ways[slot] * hit
                    paired[grown] += paired[slot] * hit
                    orders.other[upcard, grown] += 2.0 * ways[slot] * double
                    orders.pair[upcard, grown] += 2.0 * paired[slot] * double


@rule
def split_live(supply: Supply, pair: int, upcard: int, removed: int, also: int, rules: TableRules) -> float:
    """P(play counts) after a split with `removed` more pair cards gone and a card of value `also` drawn (−1: none)."""
    step = supply.step
    gone = 2 + removed
    aces = supply.counts[ACE] - step * ((upcard == ACE) + gone * (pair == ACE) + (also == ACE))
    tens = supply.counts[TEN] - step * ((upcard == TEN) + gone * (pair == TEN) + (also == TEN))
    unseen = supply.size - step * (1 + gone + (also >= 0))
    return live_chance(upcard, max(aces, 0.0), max(tens, 0.0), unseen, rules) if unseen > 0.5 else 1.0


def split_weights(
    chances: PairChances, rules: TableRules, resplit: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What J(r) and P(r) count in a split's sum, two arrays of shape (10, 10, `MAX_REMOVED`) by upcard and pair card.

    `resplit` (10, 10) is the share of pairs that are split again where that is allowed.
    """
    any_card, pair_card = np.zeros((2, N_VALUES, N_VALUES, MAX_REMOVED))
    for pair in range(N_VALUES):
        if most_hands(pair, rules) >= 2:
            free, no_pair = run_weights(most_hands(pair, rules))
            again = resplit[:, pair, None] ** np.arange(MAX_REMOVED)
            any_card[:, pair] = again * chances.all_match[:, pair] * (free + no_pair)
            pair_card[:, pair] = -again * resplit[:, pair, None] * chances.next_matches[:, pair] * no_pair
    return any_card, pair_card


def split_nets(
    chances: PairChances, rules: TableRules, resplit: NDArray[np.float64], sums: HandSums
) -> NDArray[np.float64]:
    """The expected net of splitting, over rounds that are live, shape (10, 10) by upcard and pair card."""
    any_card, pair_card = split_weights(chances, rules, resplit)
    nets: NDArray[np.float64] = (any_card * sums.any_card + pair_card * sums.pair_card).sum(axis=2)
    return nets


def can_split(hands: Hands, supply: Supply, chances: PairChances, rules: TableRules) -> NDArray[np.bool_]:
    """Which pairs rules and cards allow to be split, bool of shape (10, 10) by upcard and pair card."""
    allowed = np.zeros((N_VALUES, N_VALUES), np.bool_)
    for pair in range(N_VALUES):
        hand = hands.find((pair, pair))
        if hand != BUST and hands.total[hand] < rules.limit and most_hands(pair, rules) >= 2:
            left = supply.counts - supply.step * hands.cards[hand]
            allowed[:, pair] = (left[pair] >= 0) & (left > 0) & (chances.dealt[:, pair] > 0)
    return allowed
