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

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.dealer import bins_of, highest_end
from holecard.blackjack.exact.hands import BUST, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split_play import SplitPlay
from holecard.blackjack.game.hand import showdown
from holecard.blackjack.game.rules import TableRules
from holecard.seeds import mix

BITS: Final = 6
"""Bits of a key for the count of one value."""
NETS: Final = 5
"""A hand's net result: −2 … 2."""
LOST, DOUBLED, FINAL = 0, 1, 2
"""Kinds of term: a hand of any cards; a doubled one; FINAL + 2 × level + bets − 1 for a final hand.

The level of a final hand is 0 below the dealer's target, 1 on it …, and one above all the dealer's for a charlie."""


class Terms(NamedTuple):
    """One split hand as a sum of terms, for one pair card and upcard."""

    key: NDArray[np.int64]
    """The cards drawn, packed."""
    kind: NDArray[np.int64]
    """What they are, see `FINAL`."""
    paired: NDArray[np.int64]
    """1 if the second card is a pair card."""
    weight: NDArray[np.float64]
    """Sequences of these cards, times shares of play."""


def terms_of(odds: Odds, play: SplitPlay, upcard: int, pair: int, reached: NDArray[np.float64]) -> Terms:
    """The terms of a hand split from a pair card against an upcard; `reached` as `split_play.reached_sequences`."""
    slots, hands, rules = odds.slots, odds.hands, odds.table_rules
    mine = slice(int(slots.first[pair]), int(slots.first[pair + 1]))
    final = np.zeros((2, 2, mine.stop - mine.start))
    _count_final(slots, play, upcard, pair, reached, final)
    cards = hands.cards[slots.hand[mine]] - (np.arange(N_VALUES) == pair)
    keys = cards @ _key_of(np.arange(N_VALUES))
    level = np.maximum(hands.total[slots.hand[mine]] - rules.target + 1, 0)
    level = np.where(hands.size[slots.hand[mine]] >= rules.charlie, odds.dealer.shape[2] + 1, level)
    # A hand whose second card is anything, less one whose second card is a pair card, plus the same marked as such.
    rows = [(0, LOST, 0, 1.0), (int(_key_of(pair)), LOST, 0, -1.0), (int(_key_of(pair)), LOST, 1, 1.0)]
    doubled = reached[:, upcard, mine] * play.double[upcard, mine]
    rows += [(int(keys[at]), DOUBLED, int(second), float(doubled[second, at])) for second, at in np.argwhere(doubled)]
    key, kind, second, weight = (np.array(column) for column in zip(*rows, strict=True))
    paired, bets, at = np.nonzero(final)
    return Terms(
        np.concatenate([key, keys[at]]),
        np.concatenate([kind, FINAL + 2 * level[at] + bets]),
        np.concatenate([second, paired]),
        np.concatenate([weight, final[paired, bets, at]]),
    )


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


class TermPairs(NamedTuple):
    """Every two terms, i ≤ j, gathered by the cards that both draw together: a lane for each such set of cards."""

    terms: Terms
    """The terms."""
    key: NDArray[np.int64]
    """The cards of each lane, packed."""
    first: NDArray[np.int64]
    """Where the pairs of each lane start in `pair`, and where the last one's end."""
    pair: NDArray[np.uint32]
    """Pairs as i · 2¹⁶ + j."""


def pairs_of(terms: Terms) -> TermPairs:
    """All pairs of terms, by lane."""
    _, first, number = np.unique(terms.key, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # distinct keys are numbered in order of appearance
    lane_of = np.empty((len(first), len(first)), np.int32)
    keys = _lane_keys(terms.key[np.sort(first)], lane_of)
    n = len(terms.key)
    starts, pair = np.zeros(len(keys) + 1, np.int64), np.empty(n * (n + 1) // 2, np.uint32)
    _sort_pairs(rank[number], lane_of, starts, pair)
    return TermPairs(terms, keys, starts, pair)


def _lane_keys(keys: NDArray[np.int64], lane_of: NDArray[np.int32]) -> NDArray[np.int64]:
    """The distinct sums of two of these keys in order of appearance; `lane_of` is filled with the number of each sum.

    The hash table grows with them: sums are few beside pairs, so that it stays in the processor's cache.
    """
    room = max(512, 1 << (len(keys) - 1).bit_length())  # for all that one key may add
    lane_keys, used, row = np.empty(room, np.int64), 0, 0
    while True:
        used, row = _find_lanes(keys, row, lane_of, lane_keys, used, np.full(2 * len(lane_keys), -1, np.int32))
        if row == len(keys):
            return lane_keys[:used]
        lane_keys = np.concatenate([lane_keys, np.empty_like(lane_keys)])


@lean_kernel
def _find_lanes(
    keys: NDArray[np.int64],
    row: int,
    lane_of: NDArray[np.int32],
    lane_keys: NDArray[np.int64],
    used: int,
    buckets: NDArray[np.int32],
) -> tuple[int, int]:
    """Number the distinct sums of each key from `row` on with those after it, by hashing, until there is no room left.

    Of `lane_keys` the first `used` are known, `buckets` (−1, a power of 2) is twice as long; returns how many are known
    then, and the key that is next.
    """
    for lane in range(used):
        buckets[_bucket_of(lane_keys[lane], buckets, lane_keys)] = lane
    while row < len(keys) and used + len(keys) - row <= len(lane_keys):
        for other in range(row, len(keys)):
            key = keys[row] + keys[other]
            bucket = _bucket_of(key, buckets, lane_keys)
            if buckets[bucket] < 0:
                buckets[bucket] = used
                lane_keys[used] = key
                used += 1
            lane_of[row, other] = lane_of[other, row] = buckets[bucket]
        row += 1
    return used, row


@lean_kernel
def _sort_pairs(
    number: NDArray[np.int64], lane_of: NDArray[np.int32], first: NDArray[np.int64], pair: NDArray[np.uint32]
) -> None:
    """Counting sort of the pairs of terms by lane, into `first` (zeros) and `pair` of `TermPairs`.

    `number` is that of a term's key, `lane_of` (keys, keys) the lane of two keys.
    """
    for i in range(len(number)):
        for j in range(i, len(number)):
            first[lane_of[number[i], number[j]] + 1] += 1
    for lane in range(len(first) - 1):
        first[lane + 1] += first[lane]
    for i in range(len(number)):  # `first` serves as the place of a lane's next pair, and ends one lane ahead
        for j in range(i, len(number)):
            lane = lane_of[number[i], number[j]]
            pair[first[lane]] = np.uint32(i << 16 | j)
            first[lane] += 1
    for lane in range(len(first) - 1, 0, -1):
        first[lane] = first[lane - 1]
    first[0] = 0


@rule
def _bucket_of(key: int, buckets: NDArray[np.int32], lane_keys: NDArray[np.int64]) -> int:
    """Where in the hash table a lane of this key is, or belongs: open addressing, linear probing."""
    mask = len(buckets) - 1
    bucket = int(mix(np.uint64(key))) & mask
    while buckets[bucket] >= 0 and lane_keys[buckets[bucket]] != key:
        bucket = (bucket + 1) & mask
    return bucket


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
