"""Rational arithmetic: inclusion and exclusion cancels, so one game's splits are worked out in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from holecard.blackjack.exact import solve
from holecard.blackjack.exact.memory import solve_splits
from holecard.blackjack.game.rules import Rules

RULES = "1d S17 DAS 4-hands value"
DECK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)


def total_of(cards: tuple[int, ...]) -> tuple[int, bool]:
    pips = sum(value * count for value, count in enumerate(cards, 1))
    soft = cards[0] > 0 and pips <= 11
    return pips + 10 * soft, soft


def with_card(cards: tuple[int, ...], value: int) -> tuple[int, ...]:
    return (*cards[:value], cards[value] + 1, *cards[value + 1 :])


def falling(n: int, k: int) -> int:
    product = 1
    for i in range(k):
        product *= max(n - i, 0)
    return product


def dealer_hands(upcard: int) -> dict[tuple[int, ...], int]:
    """Cards drawn after the upcard → orders, for every final hand that is neither bust nor natural."""
    start = with_card((0,) * 10, upcard)
    waiting, ends = {start: 1}, {}
    while waiting:
        new: dict[tuple[int, ...], int] = {}
        for cards, ways in waiting.items():
            total, _ = total_of(cards)
            if sum(cards) > 1 and total >= 17:
                drawn = tuple(count - (value == upcard) for value, count in enumerate(cards))
                if total <= 21 and not (sum(cards) == 2 and total == 21):
                    ends[drawn] = ends.get(drawn, 0) + ways
                continue
            for value in range(10):
                grown = with_card(cards, value)
                new[grown] = new.get(grown, 0) + ways
        waiting = new
    return ends


def hand_return(cards, left, ends, upcard, bet) -> Fraction:
    """What comes back of a bet on a stood hand with `left` still to draw from, in rounds without a dealer's natural."""
    total, size = total_of(cards)[0], sum(left)
    natural = Fraction({0: left[9], 9: left[0]}.get(upcard, 0), size)
    lost = Fraction(0)
    for drawn, orders in ends.items():
        whole = total_of(with_card(drawn, upcard))[0]
        if whole >= total:
            ways = orders * (1 if whole == total else 2)
            for n, k in zip(left, drawn, strict=True):
                ways *= falling(n, k)
            lost += Fraction(ways, falling(size, sum(drawn)))
    return bet * (2 * (1 - natural) - lost)


def live(left, upcard) -> Fraction:
    return 1 - Fraction({0: left[9], 9: left[0]}.get(upcard, 0), sum(left))


def one_hand(solution, pair, upcard, removed, ends) -> tuple[Fraction, Fraction]:
    """J(r) and P(r): the net of one split hand, and its part from a pair card as second card."""
    deck = list(DECK)
    deck[pair] -= 2 + removed
    deck[upcard] -= 1
    odds, play = solution.odds, solution.after_split
    slot_of = {int(hand): slot for slot, hand in enumerate(odds.slots.hand) if odds.slots.pair[slot] == pair}

    def value(cards, left) -> Fraction:
        hand = odds.hands.find(tuple(np.repeat(np.arange(10), cards)))
        slot = slot_of[hand]
        if play.double[upcard, slot]:
            return draw(cards, left, lambda new, rest: hand_return(new, rest, ends, upcard, 2)) - live(left, upcard)
        if play.hit[upcard, slot]:
            return draw(cards, left, value)
        return hand_return(cards, left, ends, upcard, 1)

    def draw(cards, left, then) -> Fraction:
        total = Fraction(0)
        for v in range(10):
            new = with_card(cards, v)
            if left[v] and total_of(new)[0] <= 21:
                rest = tuple(n - (v == i) for i, n in enumerate(left))
                total += Fraction(left[v], sum(left)) * then(new, rest)
        return total

    left = tuple(deck)
    whole, paired = -live(left, upcard), Fraction(0)
    for v in range(10):
        if left[v]:
            rest = tuple(n - (v == i) for i, n in enumerate(left))
            new = with_card(with_card((0,) * 10, pair), v)
            part = Fraction(left[v], sum(left)) * value(new, rest)
            whole += part
            if v == pair:
                paired = part - Fraction(left[v], sum(left)) * live(rest, upcard)
    return whole, paired


def split_net(solution, pair, upcard) -> Fraction:
    ends = dealer_hands(upcard)
    unseen, left = sum(DECK) - 3, DECK[pair] - 2 - (pair == upcard)
    net, known = Fraction(0), {}

    def term(removed, no_pair):
        chance = Fraction(falling(left, removed), falling(unseen, removed))
        if chance == 0:
            return Fraction(0)
        if removed not in known:
            known[removed] = one_hand(solution, pair, upcard, removed, ends)
        whole, paired = known[removed]
        return chance * (whole - paired if no_pair else whole)

    def run(hands, waiting, pairs, others):
        nonlocal net
        if hands == 4 or waiting == 0:
            for excluded in range(others + 1):
                sign = (-1) ** excluded
                net += sign * waiting * comb(others, excluded) * term(pairs + excluded, False)
                if excluded < others:
                    net += sign * others * comb(others - 1, excluded) * term(pairs + excluded, True)
            return
        run(hands + 1, waiting + 1, pairs + 1, others)
        run(hands, waiting - 1, pairs, others + 1)

    run(2, 2, 0, 0)
    return net


@pytest.mark.slow
@pytest.mark.parametrize(("pair", "upcard"), [(7, 0), (7, 5), (7, 9), (8, 6), (6, 2), (5, 3)])
def test_resplits_in_fractions(pair, upcard):
    solution = solve(Rules.from_text(RULES))
    _, nets = solve_splits(solution.odds, "zero-memory")
    assert nets[upcard, pair] == pytest.approx(float(split_net(solution, pair, upcard)), abs=1e-13)
