"""The cards that two hands of one split draw together, and which terms of the two draw them.

Two hands that draw the same cards between them, whoever gets which, have the same probability. Sets of cards that
differ only in their pair cards are a *family*, as in `end_rows`: the dealer's sums are made once for a family.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.terms import BITS, LAST, Terms
from holecard.seeds import mix


class DrawnTogether(NamedTuple):
    """Every two terms i ≤ j of a split hand, gathered by the cards that both draw; f families."""

    terms: Terms
    """The terms."""
    families: Families
    """The families."""
    most: NDArray[np.int64]
    """(f,): the most pair cards of each."""
    order: NDArray[np.int64]
    """(f,): their numbers by rising number of cards, then falling `most`."""
    first: NDArray[np.int32]
    """(f · … + 1,): where the pairs of terms begin in `pair` that draw the cards of a family and 0, 1, … pair cards."""
    pair: NDArray[np.uint32]
    """Pairs of terms as i · 2¹⁶ + j."""


class Families(NamedTuple):
    """Sets of cards that differ only in their pair cards, in order of appearance."""

    head: NDArray[np.int64]
    """(f,): the key of the cards but for pair cards."""
    size: NDArray[np.int64]
    """(f,): their number."""
    counts: NDArray[np.int32]
    """(f, …): pairs of terms by their pair cards."""


def drawn_together(terms: Terms, pair: int) -> DrawnTogether:
    """All pairs of terms, by the cards that both draw; `pair` is the pair card's value."""
    place = np.empty((len(terms.key), len(terms.key)), np.int32)
    families = _families(terms.key, pair, place)
    most = families.counts.shape[1] - 1 - (families.counts[:, ::-1] > 0).argmax(axis=1)
    order = np.argsort((families.size * (1 << BITS) - most).astype(np.int16), kind="stable")
    first = np.append(np.int32(0), np.cumsum(families.counts, dtype=np.int32))
    pairs = np.empty(first[-1], np.uint32)
    _sort_pairs(place, first[:-1].reshape(families.counts.shape).copy(), pairs)
    return DrawnTogether(terms, families, most, order, first, pairs)


def _families(keys: NDArray[np.int64], pair: int, place: NDArray[np.int32]) -> Families:
    """The families of the sums of two of these keys.

    `place` is filled with a sum's family and pair cards, for each key and those after it: family · 2^`BITS` + pair
    cards. The hash table grows with them: families are few beside pairs, so that it stays in the processor's cache.
    """
    bits = max(11, (4 * len(keys) - 1).bit_length())  # room for all that one key may add, and more
    width = 2 * int((keys >> (BITS * pair) & LAST).max()) + 1
    found = _room(1 << bits, width)
    used, row = 0, 0
    while True:
        buckets = np.full(2 << bits, -1, np.int32)
        used, row = _find_families(keys, pair, row, place, found, used, buckets)
        if row == len(keys):
            return Families(found.head[:used], found.size[:used], found.counts[:used])
        found, bits = _doubled(found), bits + 1


def _room(families: int, width: int) -> Families:
    return Families(np.zeros(families, np.int64), np.zeros(families, np.int64), np.zeros((families, width), np.int32))


def _doubled(found: Families) -> Families:
    """The same families with room for twice as many."""
    room = _room(2 * len(found.head), found.counts.shape[1])
    known = len(found.head)
    room.head[:known], room.size[:known], room.counts[:known] = found
    return room


@lean_kernel
def _find_families(
    keys: NDArray[np.int64],
    pair: int,
    row: int,
    place: NDArray[np.int32],
    found: Families,
    used: int,
    buckets: NDArray[np.int32],
) -> tuple[int, int]:
    """Number the families of each key from `row` on with those after it, by hashing, until there is no room left.

    Of `found` the first `used` are known, `buckets` (−1, a power of 2) is twice as long; returns how many are known
    then, and the key that is next.
    """
    head, shift = found.head, BITS * pair
    mask = LAST << shift
    for family in range(used):
        buckets[_bucket_of(head[family], buckets, head)] = family
    while row < len(keys) and used + len(keys) - row <= len(head):
        for other in range(row, len(keys)):
            key = keys[row] + keys[other]
            pairs, rest = (key & mask) >> shift, key & ~mask
            bucket = _bucket_of(rest, buckets, head)
            family = buckets[bucket]
            if family < 0:
                family = used
                buckets[bucket], head[used] = used, rest
                for value in range(N_VALUES):
                    found.size[used] += rest >> (BITS * value) & LAST
                used += 1
            found.counts[family, pairs] += 1
            place[row, other] = family << BITS | pairs
        row += 1
    return used, row


@rule
def _bucket_of(key: int, buckets: NDArray[np.int32], keys: NDArray[np.int64]) -> int:
    """Where in the hash table a key is, or belongs: open addressing, linear probing."""
    mask = len(buckets) - 1
    bucket = int(mix(np.uint64(key))) & mask
    while buckets[bucket] >= 0 and keys[buckets[bucket]] != key:
        bucket = (bucket + 1) & mask
    return bucket


@lean_kernel
def _sort_pairs(place: NDArray[np.int32], following: NDArray[np.int32], pair: NDArray[np.uint32]) -> None:
    """Put every pair of terms in its place; `following` (f, …) is where the next one goes, by family and pair cards."""
    for i in range(len(place)):
        for j in range(i, len(place)):
            family, pairs = place[i, j] >> BITS, place[i, j] & LAST
            pair[following[family, pairs]] = np.uint32(i << 16 | j)
            following[family, pairs] += 1
