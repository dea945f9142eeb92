"""The dealer: the hands that he ends on, and in how many sequences of cards each of them can come.

Both are fixed by the rules. How likely they are with the cards that are left is worked out by `dealer_totals`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import ACE, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.game.hand import dealer_must_hit, showdown
from holecard.blackjack.game.rules import TableRules


@rule
def highest_end(rules: TableRules) -> int:
    """The highest total of the dealer's that is told from others: the limit, or a 22 that is more than a bust."""
    return rules.limit + 1 if rules.pushes_22 else rules.limit


@rule
def bins_of(rules: TableRules) -> int:
    """Totals of the dealer's that are told apart: target … `highest_end`."""
    return highest_end(rules) - rules.target + 1


def dealer_hands(rules: TableRules) -> Hands:
    """The hands a dealer may hold: the player's, and those of a 22 where it is more than a bust."""
    return all_hands(rules.limit, rules.ace_bonus, highest_end(rules) - rules.limit)


@lru_cache(maxsize=16)
def standings(rules: TableRules) -> NDArray[np.float64]:
    """Who wins, 1, 0 or −1, by the total a hand stands on and the dealer's bin; shape (limit + 1, bins)."""
    totals, bins = range(rules.limit + 1), range(bins_of(rules))
    return np.array([[float(showdown(total, rules.target + at, rules)) for at in bins] for total in totals])


@lru_cache(maxsize=16)
def dealer_ends(rules: TableRules) -> NDArray[np.float64]:
    """Sequences of cards that make a hand of `dealer_hands` a final one of an upcard, shape (10, n); 0 for others.

    Final hands are no bust (a 22 counts where it pushes), and no natural that beats a 21. A dealer always holds two
    cards, even where his upcard alone would reach the target.
    """
    hands = dealer_hands(rules)
    sequences = np.zeros((N_VALUES, len(hands.size)))
    _count_sequences(hands, rules, sequences)
    if rules.dealer_naturals:
        sequences[:, hands.find((ACE, TEN))] = 0.0
    return sequences


@kernel
def _count_sequences(hands: Hands, rules: TableRules, sequences: NDArray[np.float64]) -> None:
    """Fill `dealer_ends`, naturals included, from the upcards up."""
    for upcard in range(N_VALUES):
        reached = np.zeros(len(hands.size))
        reached[1 + upcard] = 1.0
        for hand in range(1, len(reached)):
            if reached[hand] == 0.0:
                continue
            if hands.size[hand] == 1 or dealer_must_hit(hands.total[hand], hands.soft[hand], rules):
                for value in range(N_VALUES):
                    if hands.grown[hand, value] >= 0:
                        reached[hands.grown[hand, value]] += reached[hand]
            else:
                sequences[upcard, hand] = reached[hand]
