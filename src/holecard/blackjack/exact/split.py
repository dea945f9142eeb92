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
from holecard.blackjack.rules import TableRules


class SplitPlay(NamedTuple):
    """How split hands are played: shares of each action by upcard and slot; the rest stands."""

    hit: NDArray[np.float64]
    """(10, m)."""
    double: NDArray[np.float64]
    """(10, m): 0 beyond two cards."""
    resplit: NDArray[np.float64]
    """(10, 10): by upcard and pair card, the share of pairs that are split again where that is allowed."""


class PairChances(NamedTuple):
    """How likely further cards match a pair that was dealt, by upcard and pair card.

    Only tens that split by rank make this more than counting one value.
    """

    all_match: NDArray[np.float64]
    """(10, 10, `MAX_REMOVED`): P(r given cards all match)."""
    next_matches: NDArray[np.float64]
    """(10, 10, `MAX_REMOVED`): P(r given cards all match and so does another one, given that it has the pair's value)."""
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
    chances = PairChances(*np.zeros((2, N_VALUES, N_VALUES, MAX_REMOVED)), np.ones((N_VALUES, N_VALUES)))
    _fill_chances(draws, chances)
    if rules.split_by_rank:
        _fill_ten_chances(supply, draws, chances)
    return chances


@kernel
def _fill_chances(draws: Draws, chances: PairChances) -> None:
    """Fill `PairChances` for pairs by value."""
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES):
            for r in range(MAX_REMOVED):
                chances.all_match[upcard, pair, r] = draws.ways[pair, 2 + (upcard == pair), r] * draws.inverse[3, r]
                chances.next_matches[upcard, pair, r] = chances.all_match[upcard, pair, r]


@kernel
def _fill_ten_chances(supply: Supply, draws: Draws, chances: PairChances) -> None:
    """Fill `PairChances` for pairs of one of the four ten ranks, averaged over the rank of a ten upcard."""
    step, tens = supply.step, supply.counts[TEN]
    for upcard in range(N_VALUES):
        chances.all_match[upcard, TEN] = 0.0
        chances.next_matches[upcard, TEN] = 0.0
        pairs = 0.0
        ten_up = upcard == TEN
        for rank in range(4):
            for shown in range(4 if ten_up else 1):
                same = ten_up and shown == rank
                weight = supply.tens[rank] * max(supply.tens[rank] - step, 0.0)
                if ten_up:
                    weight *= max(supply.tens[shown] - step * 2 * same, 0.0)
                pairs += weight
                left, ways = supply.tens[rank] - step * (2 + same), weight
                for r in range(MAX_REMOVED):
                    chance = ways * draws.inverse[3, r]
                    ways *= max(left - step * r, 0.0)
                    chances.all_match[upcard, TEN, r] += chance
                    others = tens - step * (2 + ten_up + r)
                    if others > 0.5:
                        chances.next_matches[upcard, TEN, r] += chance * max(left - step * r, 0.0) / others
        all_pairs = tens * (tens - step) * ((tens - 2 * step) if ten_up else 1.0)
        chances.dealt[upcard, TEN] = pairs / all_pairs if all_pairs > 0.0 else 0.0
        if pairs > 0.0:
            chances.all_match[upcard, TEN] /= pairs
            chances.next_matches[upcard, TEN] /= pairs


def zero_memory_play(slots: Slots, hands: Hands, rules: TableRules, returns: Returns) -> SplitPlay:
    """The play that is best before a split, kept after it (CDZ-)."""
    play = SplitPlay(*np.zeros((2, N_VALUES, len(slots.hand))), np.ones((N_VALUES, N_VALUES)))
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
def follow_splits(
    slots: Slots, supply: Supply, play: SplitPlay, others: NDArray[np.float64], pairs: NDArray[np.float64]
) -> None:
    """Orders in which each split hand is stood on, times the bets on it, into two arrays of shape (10, m).

    `pairs` counts hands whose second card is a pair card, `others` all the rest. Orders do not depend on the cards left.
    """
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
            others[upcard, slot] += ways[slot] * (1.0 - hit - double)
            pairs[upcard, slot] += paired[slot] * (1.0 - hit - double)
            for value in range(N_VALUES):
                grown = slots.grown[slot, value]
                if grown != BUST:
                    ways[grown] += ways[slot] * hit
                    paired[grown] += paired[slot] * hit
                    others[upcard, grown] += 2.0 * ways[slot] * double
                    pairs[upcard, grown] += 2.0 * paired[slot] * double


@rule
def split_live(supply: Supply, pair: int, upcard: int, removed: int, also: int, rules: TableRules) -> float:
    """P(play counts) after a split with `removed` more pair cards gone and one card of value `also` drawn (−1: none)."""
    step = supply.step
    gone = 2 + removed
    aces = supply.counts[ACE] - step * ((upcard == ACE) + gone * (pair == ACE) + (also == ACE))
    tens = supply.counts[TEN] - step * ((upcard == TEN) + gone * (pair == TEN) + (also == TEN))
    unseen = supply.size - step * (1 + gone + (also >= 0))
    return live_chance(upcard, max(aces, 0.0), max(tens, 0.0), unseen, rules) if unseen > 0.5 else 1.0


@kernel
def sum_hands(
    hands: Hands,
    slots: Slots,
    supply: Supply,
    draws: Draws,
    rules: TableRules,
    play: SplitPlay,
    stands: NDArray[np.float64],
    others: NDArray[np.float64],
    pairs: NDArray[np.float64],
    sums: HandSums,
) -> None:
    """Fill `HandSums` for a fixed play: what comes back (`stands` by `follow_splits`) less the bets put down."""
    for upcard in range(N_VALUES):
        if supply.counts[upcard] < 0.5:
            continue
        for slot in range(len(slots.hand)):
            both = others[upcard, slot] + pairs[upcard, slot]
            if both == 0.0:
                continue
            hand, pair = slots.hand[slot], slots.pair[slot]
            rest = 1.0
            for value in range(N_VALUES):
                if value != pair and hands.cards[hand, value]:
                    rest *= draws.ways[value, int(value == upcard), hands.cards[hand, value]]
            for r in range(stands.shape[2]):
                pair_ways = draws.ways[pair, 2 + r + (upcard == pair), hands.cards[hand, pair] - 1]
                weight = rest * pair_ways * draws.inverse[3 + r, hands.size[hand] - 1] * stands[upcard, slot, r]
                sums.any_card[upcard, pair, r] += both * weight
                sums.pair_card[upcard, pair, r] += pairs[upcard, slot] * weight
        for pair in range(N_VALUES):
            for r in range(stands.shape[2]):
                _pay_bets(slots, supply, rules, play, upcard, pair, r, sums)


@rule
def _pay_bets(
    slots: Slots, supply: Supply, rules: TableRules, play: SplitPlay, upcard: int, pair: int, r: int, sums: HandSums
) -> None:
    """Take one bet for the hand and one for a double off its sums."""
    step = supply.step
    unseen = supply.size - step * (3 + r)
    sums.any_card[upcard, pair, r] -= split_live(supply, pair, upcard, r, -1, rules)
    for value in range(N_VALUES):
        left = supply.counts[value] - step * ((value == upcard) + (2 + r) * (value == pair))
        slot = slots.opened[pair, value]
        if left > 0.5 and slot != BUST:
            paid = left / unseen * split_live(supply, pair, upcard, r, value, rules)
            sums.any_card[upcard, pair, r] -= paid * play.double[upcard, slot]
            if value == pair:
                sums.pair_card[upcard, pair, r] -= paid * (1.0 + play.double[upcard, slot])


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
