"""One split hand as a sum of terms: the cards that decide it, packed into keys, and what they do to its net.

Losing hands are never listed: a hand is counted as lost, and the terms of winning and tying hands correct that.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
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
    key, kind, second, weight = (np.array(column) for column in zip(*rows, strict=True))
    paired, bets, at = np.nonzero(stood)
    return Terms(
        np.concatenate([key, keys[at]]),
        np.concatenate([kind, FINAL + 2 * level[at] + bets]),
        np.concatenate([second, paired]),
        np.concatenate([weight, stood[paired, bets, at]]),
    )


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


class Lanes(NamedTuple):
    """Every two terms, i ≤ j, gathered by the cards that both draw together: a lane for each."""

    key: NDArray[np.int64]
    """The cards of each lane, packed."""
    first: NDArray[np.int64]
    """Where the pairs of each lane start in `pair`, and where the last one's end."""
    pair: NDArray[np.uint32]
    """Pairs as i · 2¹⁶ + j."""


def pair_lanes(keys: NDArray[np.int64]) -> Lanes:
    """The lanes of all pairs of terms with these keys."""
    n = len(keys)
    lane_of = np.empty(n * (n + 1) // 2, np.int32)
    lanes = _find_lanes(keys, lane_of)
    first, pair = np.zeros(len(lanes) + 1, np.int64), np.empty(len(lane_of), np.uint32)
    _sort_pairs(n, lane_of, first, pair)
    return Lanes(lanes, first, pair)


@kernel
def _find_lanes(keys: NDArray[np.int64], lane_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number the distinct sums of two keys by hashing, in order of appearance; returns them.

    The hash table grows with them: sums are few beside pairs, so that it stays in the processor's cache.
    """
    lanes, table = np.empty(512, np.int64), np.full(1024, np.int32(-1))
    used, at = 0, 0
    for i in range(len(keys)):
        for j in range(i, len(keys)):
            key = keys[i] + keys[j]
            place = _place_of(key, table, lanes)
            if table[place] < 0:
                if used == len(lanes):
                    grown = np.empty(2 * used, np.int64)
                    grown[:used] = lanes
                    lanes, table = grown, np.full(4 * used, np.int32(-1))
                    for lane in range(used):
                        table[_place_of(lanes[lane], table, lanes)] = lane
                    place = _place_of(key, table, lanes)
                table[place] = used
                lanes[used] = key
                used += 1
            lane_of[at] = table[place]
            at += 1
    return lanes[:used].copy()


@kernel
def _sort_pairs(n: int, lane_of: NDArray[np.int32], first: NDArray[np.int64], pair: NDArray[np.uint32]) -> None:
    """Sort the pairs of n terms by lane, into `first` (zeros) and `pair` of `Lanes`."""
    for lane in lane_of:
        first[lane + 1] += 1
    for lane in range(len(first) - 1):
        first[lane + 1] += first[lane]
    at = 0
    for i in range(n):
        for j in range(i, n):
            lane = lane_of[at]
            pair[first[lane]] = np.uint32(i << 16 | j)
            first[lane] += 1
            at += 1
    for lane in range(len(first) - 1, 0, -1):
        first[lane] = first[lane - 1]
    first[0] = 0


@rule
def _place_of(key: int, table: NDArray[np.int32], lanes: NDArray[np.int64]) -> int:
    """Where in the hash table a lane of this key is, or belongs."""
    mask = len(table) - 1
    place = int(mix(np.uint64(key))) & mask
    while table[place] >= 0 and lanes[table[place]] != key:
        place = (place + 1) & mask
    return place


@lru_cache(maxsize=8)
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
