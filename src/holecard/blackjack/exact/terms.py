"""One split hand as a sum of terms: the cards that decide it, packed into keys, and what they do to its net.

Losing hands are never listed: a hand is counted as lost, and the terms of winning and tying hands correct that.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel
from holecard.blackjack.exact.hands import BUST, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split import SplitPlay
from holecard.seeds import mix

BITS: Final = 6
"""Bits of a key for the count of one value."""
NETS: Final = 5
"""A hand's net result: −2 … 2."""
UNSEEN, DOUBLED, FINAL = 0, 1, 2
"""Kinds of term: a hand of any cards; a doubled one; FINAL + 2 × level + bets − 1 for a final hand."""


class Terms(NamedTuple):
    """One split hand as a sum of terms, for one pair card and upcard."""

    key: NDArray[np.int64]
    """The cards drawn, packed."""
    kind: NDArray[np.int64]
    """What they are, see `FINAL`."""
    paired: NDArray[np.int64]
    """1 if the second card is a pair card."""
    weight: NDArray[np.float64]
    """Orders, times shares of play."""


def terms_of(odds: Odds, play: SplitPlay, pair: int, upcard: int, visits: NDArray[np.float64]) -> Terms:
    """The terms of a hand split from a pair card against an upcard; `visits` as `tally.visit_splits` gives them."""
    slots, hands, table = odds.slots, odds.hands, odds.table
    mine = slice(int(slots.first[pair]), int(slots.first[pair + 1]))
    stood = np.zeros((2, 2, mine.stop - mine.start))
    _stand_and_double(slots, play, pair, upcard, visits, stood)
    cards = hands.cards[slots.hand[mine]] - (np.arange(N_VALUES) == pair)
    keys = cards @ _place(np.arange(N_VALUES))
    level = np.maximum(hands.total[slots.hand[mine]] - table.target + 1, 0)
    level = np.where(hands.size[slots.hand[mine]] >= table.charlie, odds.dealer.shape[2] + 1, level)
    rows = [(0, UNSEEN, 0, 1.0), (int(_place(pair)), UNSEEN, 0, -1.0), (int(_place(pair)), UNSEEN, 1, 1.0)]
    for value in range(N_VALUES):
        slot = slots.opened[pair, value]
        if slot != BUST and play.double[upcard, slot] > 0.0:
            rows.append((int(_place(value)), DOUBLED, int(value == pair), float(play.double[upcard, slot])))
    for paired in range(2):
        for bets in range(2):
            for at in np.flatnonzero(stood[paired, bets]):
                rows.append((int(keys[at]), FINAL + 2 * int(level[at]) + bets, paired, float(stood[paired, bets, at])))
    key, kind, second, weight = zip(*rows, strict=True)
    return Terms(np.array(key, np.int64), np.array(kind, np.int64), np.array(second, np.int64), np.array(weight))


def _place(value: NDArray[np.int64] | int) -> NDArray[np.int64]:
    return np.left_shift(np.int64(1), BITS * np.asarray(value, np.int64))


@kernel
def _stand_and_double(
    slots: Slots, play: SplitPlay, pair: int, upcard: int, visits: NDArray[np.float64], stood: NDArray[np.float64]
) -> None:
    """Orders in which each hand of a pair card is final with one bet and with two, into `stood` (2, 2, hands)."""
    start = slots.first[pair]
    for slot in range(start, slots.first[pair + 1]):
        hit, double = play.hit[upcard, slot], play.double[upcard, slot]
        for kind in range(2):
            ways = visits[kind, upcard, slot]
            stood[kind, 0, slot - start] += ways * (1.0 - hit - double)
            if double > 0.0:
                for value in range(N_VALUES):
                    if slots.grown[slot, value] != BUST:
                        stood[kind, 1, slots.grown[slot, value] - start] += ways * double


def pair_lanes(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every two terms, i ≤ j in row order, which lane they draw in; and the keys of the lanes."""
    n = len(keys)
    lane_of = np.zeros(n * (n + 1) // 2, np.int64)
    slots = 1 << int(np.ceil(np.log2(max(len(lane_of), 2))) + 1)
    lanes = np.zeros(len(lane_of), np.int64)
    used = _find_lanes(keys, np.full(slots, -1, np.int64), lane_of, lanes)
    return lane_of, lanes[:used].copy()


@kernel
def _find_lanes(
    keys: NDArray[np.int64], table: NDArray[np.int64], lane_of: NDArray[np.int64], lanes: NDArray[np.int64]
) -> int:
    """Number the distinct sums of two keys by hashing; returns how many there are."""
    used, at, mask = 0, 0, len(table) - 1
    for i in range(len(keys)):
        for j in range(i, len(keys)):
            key = keys[i] + keys[j]
            place = int(mix(np.uint64(key))) & mask
            while table[place] >= 0 and lanes[table[place]] != key:
                place = (place + 1) & mask
            if table[place] < 0:
                table[place] = used
                lanes[used] = key
                used += 1
            lane_of[at] = table[place]
            at += 1
    return used


def graded_nets(bins: int) -> NDArray[np.float64]:
    """What a term of a kind puts on each net, given the dealer's end; shape (kinds, ends, 5)."""
    ends = bins + 2
    graded = np.zeros((FINAL + 2 * (ends + 1), ends, NETS))
    zero = 2
    graded[UNSEEN, :, zero - 1] = 1.0
    graded[DOUBLED, :, zero - 2] = 1.0
    graded[DOUBLED, :, zero - 1] = -1.0
    for level in range(ends + 1):
        for bets in (1, 2):
            for end in range(ends):
                result = int(np.sign(level - 1 - end)) if end < bins else 1 if end == bins else -1
                if level == bins + 1:
                    result = 1  # a charlie
                graded[FINAL + 2 * level + bets - 1, end, zero + bets * result] += 1.0
                graded[FINAL + 2 * level + bets - 1, end, zero - bets] -= 1.0
    return graded
