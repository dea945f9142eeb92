"""One split hand as a sum of terms: the cards that decide it, packed into keys, and what they do to its net.

Given the dealer's end, the distribution of a hand's net is a sum over the sequences of cards on which its play ends.
Hands that bust are never listed. Instead every hand is first counted as lost (`LOST`); a doubled one is moved from a
loss of one bet to a loss of two (`DOUBLED`); and each final hand that is no bust is moved from the loss of its bets to
what it brings (`FINAL`). Two hands that draw the same cards between them, whoever gets which, have the same
probability, so pairs of terms are gathered by the sum of their keys.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel
from holecard.blackjack.exact.dealer import bins_of, highest_end
from holecard.blackjack.exact.hands import BUST, N_VALUES, all_hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import Slots, all_slots
from holecard.blackjack.exact.split_play import SplitPlay
from holecard.blackjack.game.hand import showdown
from holecard.blackjack.game.rules import TableRules

BITS: Final = 6
"""Bits of a key for the count of one value."""
LAST: Final = (1 << BITS) - 1
"""These bits of the first value."""
NETS: Final = 5
"""A hand's net result: −2 … 2."""
LOST, DOUBLED, FINAL = 0, 1, 2
"""Kinds of term: a hand of any cards; a doubled one; FINAL + 2 × level + bets − 1 for a final hand.

The level of a final hand is 0 below the dealer's target, 1 on it …, and one above all the dealer's for a charlie."""


class Terms(NamedTuple):
    """One split hand as a sum of terms, for one pair card and upcard."""

    key: NDArray[np.int64]
    """(t,): the cards drawn, packed."""
    kind: NDArray[np.int64]
    """(t,): what they are, see `FINAL`; rising."""
    weight: NDArray[np.float64]
    """(t, 2): sequences of these cards, times shares of play; the second are those whose second card is a pair card."""


def terms_of(odds: Odds, play: SplitPlay, upcard: int, pair: int, reached: NDArray[np.float64]) -> Terms:
    """The terms of a hand split from a pair card against an upcard; `reached` as `split_play.reached_sequences`."""
    slots = odds.slots
    mine = slice(int(slots.first[pair]), int(slots.first[pair + 1]))
    final = np.zeros((2, 2, mine.stop - mine.start))
    _count_final(slots, play, upcard, pair, reached, final)
    keys, level = (each[mine] for each in _keys_and_levels(odds.table_rules))
    doubled = reached[:, upcard, mine] * play.double[upcard, mine]
    (twice,), (bets, at) = np.nonzero(doubled.any(axis=0)), np.nonzero(final.any(axis=0))
    kind = FINAL + 2 * level[at] + bets
    order = np.argsort(kind, kind="stable")
    # A hand whose second card is anything, less one whose second card is a pair card, plus the same marked as such.
    return Terms(
        np.concatenate([[0, _key_of(pair)], keys[twice], keys[at[order]]]),
        np.concatenate([[LOST, LOST], np.full(len(twice), DOUBLED), kind[order]]),
        np.concatenate([[[1.0, 0.0], [-1.0, 1.0]], doubled[:, twice].T, final[:, bets[order], at[order]].T]),
    )


@lru_cache(maxsize=8)
def _keys_and_levels(rules: TableRules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What every split hand has drawn to its pair card, packed, and its level if it is final; (m,) each."""
    hands, slots = all_hands(rules.limit, rules.ace_bonus), all_slots(rules.limit, rules.ace_bonus)
    keys = hands.cards[slots.hand] @ _key_of(np.arange(N_VALUES)) - _key_of(slots.pair)
    level = np.maximum(hands.total[slots.hand] - rules.target + 1, 0)
    return keys, np.where(hands.size[slots.hand] >= rules.charlie, bins_of(rules) + 1, level)


def _key_of(value: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """The key of one card of a value; a hand's key is the sum of its cards'."""
    return np.left_shift(np.int64(1), BITS * np.asarray(value, np.int64))


@lean_kernel
def _count_final(
    slots: Slots, play: SplitPlay, upcard: int, pair: int, reached: NDArray[np.float64], final: NDArray[np.float64]
) -> None:
    """Sequences after which each hand of a pair card is final, into `final` (2, 2, hands) by second card and bets."""
    start = slots.first[pair]
    for slot in range(start, slots.first[pair + 1]):
        hit, double = play.hit[upcard, slot], play.double[upcard, slot]
        for paired in range(2):
            sequences = reached[paired, upcard, slot]
            final[paired, 0, slot - start] += sequences * (1.0 - hit - double)
            if double > 0.0:
                for value in range(N_VALUES):
                    if slots.grown[slot, value] != BUST:
                        final[paired, 1, slots.grown[slot, value] - start] += sequences * double


@lru_cache(maxsize=8)
def nets_of_kinds(rules: TableRules) -> NDArray[np.float64]:
    """What a term of a kind adds to the probability of each net, given the dealer's end; shape (kinds, ends, 5).

    Ends are the dealer's totals, a bust and a natural.
    """
    bins = bins_of(rules)
    ends, natural = bins + 2, bins + 1
    nets = np.zeros((FINAL + 2 * (ends + 1), ends, NETS))
    zero = 2
    nets[LOST, :, zero - 1] = 1.0
    nets[DOUBLED, :, zero - 2] = 1.0
    nets[DOUBLED, :, zero - 1] = -1.0
    for level in range(ends + 1):
        for bets in (1, 2):
            kind = FINAL + 2 * level + bets - 1
            for end in range(ends):
                # The bust that is left has more than every total that is told apart.
                dealer_total = rules.target + end if end < bins else highest_end(rules) + 1
                result = -1 if end == natural else showdown(rules.target + level - 1, dealer_total, rules)
                if level == bins + 1:
                    result = 1  # a charlie
                nets[kind, end, zero + bets * result] += 1.0
                nets[kind, end, zero - bets] -= 1.0
    return nets
