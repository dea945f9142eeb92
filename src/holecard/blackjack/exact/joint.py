"""The joint law of two hands of one split, exactly.

Given the dealer's end, what a split hand brings is a function of its own cards, and any two hands of a split draw from
one shoe. So the law of two of them is a sum over pairs of final hands, weighed by the chance of drawing the cards of
both and, after those, of the dealer's end. Pairs that draw the same cards together share one lane. Losing hands are
never listed: a hand is counted as lost, and the *terms* of winning and tying hands correct that.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.dealer import LANES
from holecard.blackjack.exact.fixed import Play
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import MAX_REMOVED, Slots, Walks, dealer_walks
from holecard.blackjack.exact.split import SplitPlay, most_hands
from holecard.blackjack.exact.supply import Draws, Supply, draws_of
from holecard.blackjack.exact.tally import visit_splits
from holecard.blackjack.rules import TableRules
from holecard.seeds import mix

BITS: Final = 6
"""Bits of a key for the count of one value."""
NETS: Final = 5
"""A hand's net result: −2 … 2."""
COUNTS: Final = 3
"""Rounds end with 2, 3 or 4 hands."""
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


@lru_cache(maxsize=8)
def pair_run_weights(max_hands: int) -> NDArray[np.float64]:
    """Ordered pairs of hands by how many hands a split ends with, shape (3, 3, `MAX_REMOVED`).

    The second index says what both second cards may be: anything, one of them no pair card, neither a pair card. As in
    `split.run_weights`, each is to be multiplied by the probability that r given cards are pair cards.
    """
    weights = np.zeros((COUNTS, 3, MAX_REMOVED))

    def run(hands: int, open_hands: int, pairs: int, others: int) -> None:
        if hands == max_hands or open_hands == 0:
            counted = (open_hands * (open_hands - 1), 2 * open_hands * others, others * (others - 1))
            for fixed, ordered in enumerate(counted):
                for excluded in range(others - fixed + 1 if ordered else 0):
                    weights[hands - 2, fixed, pairs + excluded] += (
                        (-1) ** excluded * ordered * comb(others - fixed, excluded)
                    )
            return
        run(hands + 1, open_hands + 1, pairs + 1, others)
        run(hands, open_hands - 1, pairs, others + 1)

    run(2, 2, 0, 0)
    return weights


def joint_laws(odds: Odds, play: Play, pair: int, upcard: int, visits: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(the split ends with 2, 3, 4 hands; the dealer's end; the nets of two of the hands), shape (3, ends, 5, 5).

    Ends are the dealer's totals, a bust and a natural. `visits` as `tally.visit_splits` gives them. Where a natural takes
    one bet only, the law is that of live rounds.
    """
    terms = _terms(odds, play.after, pair, upcard, visits)
    lane_of, lanes = _pair_lanes(terms.key)
    ends = odds.dealer.shape[2] + 2
    values = np.zeros((3, len(lanes), COUNTS, ends))
    weights = _class_weights(odds, play, pair, upcard)
    draws = draws_of(odds.supply, 2 * odds.table.limit)
    _fill_values(lanes, dealer_walks(odds.table), odds.supply, draws, odds.table, pair, upcard, weights, values)
    kinds = FINAL + 2 * (ends + 1)
    sums = np.zeros((kinds, kinds, COUNTS, ends))
    _sum_pairs(terms, lane_of, values, sums)
    sums = (sums + sums.transpose(1, 0, 2, 3)) / 2.0
    graded = _graded(odds.dealer.shape[2])
    laws: NDArray[np.float64] = np.einsum("abke,aei,bej->keij", sums, graded, graded, optimize=True)
    return laws / np.array([2.0, 6.0, 12.0])[:, None, None, None]


def _terms(odds: Odds, play: SplitPlay, pair: int, upcard: int, visits: NDArray[np.float64]) -> Terms:
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


def _pair_lanes(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def _class_weights(odds: Odds, play: Play, pair: int, upcard: int) -> NDArray[np.float64]:
    """Weights of two hands with 0, 1, 2 pair cards as second cards, shape (3, 3, `MAX_REMOVED`), chances included.

    For tens split by rank the chance that both second cards match is taken as the square of one's.
    """
    again = play.after.resplit[upcard, pair]
    match = odds.chances.all_match[upcard, pair]
    ratio = np.divide(odds.chances.next_matches[upcard, pair], match, out=np.zeros(MAX_REMOVED), where=match > 0)
    declined = 1.0 - again * ratio
    free, one, both = pair_run_weights(most_hands(pair, odds.table)).transpose(1, 0, 2)
    classes = (
        free + one + both,
        free + one * (1.0 + declined) / 2.0 + both * declined,
        free + one * declined + both * declined**2,
    )
    weights: NDArray[np.float64] = np.stack(classes) * match * again ** np.arange(MAX_REMOVED)
    return weights


@kernel
def _fill_values(
    keys: NDArray[np.int64],
    walks: Walks,
    supply: Supply,
    draws: Draws,
    rules: TableRules,
    pair: int,
    upcard: int,
    weights: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
    """P(a lane's cards are drawn, the dealer's end), weighed and summed over removed pair cards, into `values`.

    Shape (classes, lanes, hands, ends).
    """
    width, bins = rules.limit + 1, values.shape[3] - 2
    factors, products = np.ones((N_VALUES * width, LANES)), np.ones((width, LANES))
    sums = np.zeros((bins * width * width, LANES))
    row_of, kinds = np.zeros(bins * width * width, np.int64), np.zeros(bins * width * width, np.int64)
    ways, inverses = np.ones((width, LANES)), np.ones((width, LANES))
    cards, size = np.zeros((N_VALUES, LANES), np.int64), np.zeros(LANES, np.int64)
    ends = np.zeros((bins + 2, LANES))
    walk = upcard * (rules.limit - rules.target + 2)
    for start in range(0, len(keys), LANES):
        filled = min(LANES, len(keys) - start)
        _unpack(keys[start : start + filled], supply, walks.most[walk], upcard, width, cards, size, factors)
        rows = _walk_lanes(walks, walk, pair, filled, width, rules.target, factors, products, sums, row_of, kinds)
        for removed in range(MAX_REMOVED):
            if np.abs(weights[:, :, removed]).max() == 0.0:
                continue
            _sum_rows(draws, pair, upcard, removed, filled, rows, width, kinds, cards, size, sums, ways, inverses, ends)
            _close_lanes(draws, rules, pair, upcard, removed, filled, cards, size, ends)
            for lane in range(filled):
                for second in range(3):
                    for hands in range(COUNTS):
                        weight = weights[second, hands, removed]
                        if weight != 0.0:
                            for end in range(bins + 2):
                                values[second, start + lane, hands, end] += weight * ends[end, lane]


@rule
def _unpack(
    keys: NDArray[np.int64],
    supply: Supply,
    most: NDArray[np.int64],
    upcard: int,
    width: int,
    cards: NDArray[np.int64],
    size: NDArray[np.int64],
    factors: NDArray[np.float64],
) -> None:
    """The cards of a block of lanes and the factors of what the dealer may still draw."""
    size[:] = 0
    for value in range(N_VALUES):
        for lane in range(len(keys)):
            count = (keys[lane] >> (BITS * value)) & ((1 << BITS) - 1)
            cards[value, lane] = count
            size[lane] += count
            left = supply.counts[value] - supply.step * (count + (value == upcard))
            factors[value * width + 1, lane] = max(left, 0.0)
        for copy in range(2, most[value] + 1):
            before, factor = factors[value * width + copy - 1], factors[value * width + copy]
            for lane in range(len(keys)):
                factor[lane] = max(before[lane] - supply.step, 0.0)


@rule
def _walk_lanes(
    walks: Walks,
    walk: int,
    pair: int,
    filled: int,
    width: int,
    target: int,
    factors: NDArray[np.float64],
    products: NDArray[np.float64],
    sums: NDArray[np.float64],
    row_of: NDArray[np.int64],
    kinds: NDArray[np.int64],
) -> int:
    """Sum the dealer's ends by total, cards drawn and pair cards among them; returns the rows used. See `slots`."""
    rows = 0
    row_of[:] = -1
    for node in range(walks.first[walk], walks.first[walk + 1]):
        size, last, loss = walks.size[node], walks.last[node], walks.loss[node]
        above, product = products[size - 1], products[size]
        factor = factors[0 if last == pair else last * width + walks.copies[node, last]]
        if loss == 0.0:
            for lane in range(filled):
                product[lane] = above[lane] * factor[lane]
            continue
        at = ((walks.total[node] - target) * width + size) * width + walks.copies[node, pair]
        row = row_of[at]
        if row < 0:
            row = row_of[at] = rows
            kinds[row] = at
            sums[row, :filled] = 0.0
            rows += 1
        total = sums[row]
        for lane in range(filled):
            now = above[lane] * factor[lane]
            product[lane] = now
            total[lane] += 0.5 * loss * now
    return rows


@rule
def _sum_rows(
    draws: Draws,
    pair: int,
    upcard: int,
    removed: int,
    filled: int,
    rows: int,
    width: int,
    kinds: NDArray[np.int64],
    cards: NDArray[np.int64],
    size: NDArray[np.int64],
    sums: NDArray[np.float64],
    ways: NDArray[np.float64],
    inverses: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """P(the dealer's total | the lane's cards and so many pair cards gone), into `ends` (bins + 2, lanes)."""
    most_pairs = most_drawn = 0
    for row in range(rows):
        most_pairs = max(most_pairs, kinds[row] % width)
        most_drawn = max(most_drawn, kinds[row] // width % width)
    for lane in range(filled):
        gone = 2 + removed + cards[pair, lane] + (upcard == pair)
        for count in range(1, most_pairs + 1):
            ways[count, lane] = draws.ways[pair, gone, count]
        for count in range(1, most_drawn + 1):
            inverses[count, lane] = draws.inverse[3 + removed + size[lane], count]
    ends[:, :filled] = 0.0
    for row in range(rows):
        end, total = ends[kinds[row] // (width * width)], sums[row]
        pairs, draw = ways[kinds[row] % width], inverses[kinds[row] // width % width]
        for lane in range(filled):
            end[lane] += total[lane] * pairs[lane] * draw[lane]


@rule
def _close_lanes(
    draws: Draws,
    rules: TableRules,
    pair: int,
    upcard: int,
    removed: int,
    filled: int,
    cards: NDArray[np.int64],
    size: NDArray[np.int64],
    ends: NDArray[np.float64],
) -> None:
    """Multiply the dealer's totals in `ends` (bins + 2, lanes) by the chance of the lane's cards; add bust and natural."""
    bins, gone = ends.shape[0] - 2, 2 + removed
    other = TEN if upcard == ACE else ACE
    for lane in range(filled):
        chance = draws.inverse[1 + gone, size[lane]]
        for value in range(N_VALUES):
            missing = (value == upcard) + gone * (value == pair)
            chance *= draws.ways[value, missing, cards[value, lane]]
        natural = 0.0
        if rules.dealer_naturals and upcard in (ACE, TEN):
            missing = gone * (other == pair) + cards[other, lane]
            natural = draws.ways[other, missing, 1] * draws.inverse[1 + gone + size[lane], 1]
        rest = 1.0 - natural
        for end in range(bins):
            rest -= ends[end, lane]
            ends[end, lane] *= chance
        ends[bins, lane] = chance * rest
        taken = rules.peek or rules.original_bets_only
        ends[bins + 1, lane] = 0.0 if taken else chance * natural


@kernel
def _sum_pairs(
    terms: Terms, lane_of: NDArray[np.int64], values: NDArray[np.float64], sums: NDArray[np.float64]
) -> None:
    """Sum the lanes' values by the kinds of two terms, into `sums` (kinds, kinds, hands, ends)."""
    at = 0
    for i in range(len(terms.key)):
        for j in range(i, len(terms.key)):
            weight = terms.weight[i] * terms.weight[j] * (1.0 if i == j else 2.0)
            value = values[terms.paired[i] + terms.paired[j], lane_of[at]]
            total = sums[terms.kind[i], terms.kind[j]]
            for hands in range(COUNTS):
                for end in range(values.shape[3]):
                    total[hands, end] += weight * value[hands, end]
            at += 1


def _graded(bins: int) -> NDArray[np.float64]:
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


def all_visits(odds: Odds, play: Play) -> NDArray[np.float64]:
    """`tally.visit_splits` of a play."""
    visits = np.zeros((2, N_VALUES, len(odds.slots.hand)))
    visit_splits(odds.slots, play.after, visits)
    return visits
