"""The joint distribution of the nets of two hands of one split, exactly.

Given the dealer's end, what a split hand brings is a function of its own cards, and any two hands of a split draw from
one shoe. So the joint distribution is a sum over pairs of `terms`, weighed by the probability of drawing the cards of
both and, after those, of the dealer's end. Pairs that draw the same cards together are gathered by `drawn_together`,
whose families are the lanes of `end_rows`. As in `split_value`, how many further pair cards are gone stands in two
factors only, which hand and dealer share, and is summed out beforehand, into a table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_fused_kernel, rule
from holecard.blackjack.exact.dealer import bins_of, highest_end
from holecard.blackjack.exact.drawn_together import DrawnTogether, drawn_together
from holecard.blackjack.exact.end_rows import (
    LANES,
    VECTOR,
    EndRows,
    Lanes,
    LaneSpace,
    lane_space,
    set_products,
    sum_rows,
    whole_vectors,
)
from holecard.blackjack.exact.hands import ACE, N_VALUES, TEN
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.second_cards import COUNTS, Wanted, wanted_of
from holecard.blackjack.exact.split_value import split_hands
from holecard.blackjack.exact.supply import FallingFactorials, falling_factorials
from holecard.blackjack.exact.terms import BITS, FINAL, LAST, NETS, Terms, nets_of_kinds
from holecard.blackjack.game.hand import natural_takes_one_bet
from holecard.blackjack.game.rules import TableRules


class JointSpace(NamedTuple):
    """Working space of `joint_distribution` for one game, for one caller at a time."""

    factorials: FallingFactorials
    """The probabilities of draws by two hands and the dealer."""
    lanes: LaneSpace
    """A block of families."""
    family: NDArray[np.int64]
    """(`LANES`,): the number of each."""
    cards: NDArray[np.int64]
    """(`LANES`, 10): its cards but for pair cards."""
    by_bin: NDArray[np.int64]
    """(…,): the rows of an upcard and a pair card by the dealer's total."""
    first_of_bin: NDArray[np.int64]
    """(bins + 1,): where those of a total begin."""
    of_others: NDArray[np.float64]
    """(`LANES`,): the falling factorials of a family's cards but for pair cards."""
    left: NDArray[np.float64]
    """(`LANES`,): the cards left that would make the dealer's natural; 1 where that is the pair card."""
    ends: NDArray[np.float64]
    """(9, ends, `LANES`): P(a family with so many pair cards, the dealer's end), by `Wanted`."""
    value: NDArray[np.float64]
    """(3, cells): the same of one lane, by pair cards among the second cards, of hands × ends in whole vectors."""
    weight: NDArray[np.float64]
    """(kinds², 3): what the terms of one lane weigh, by two kinds and by pair cards among their second cards."""
    is_touched: NDArray[np.bool_]
    """(kinds²,): where something has been added to `weight`."""
    touched: NDArray[np.int64]
    """(kinds²,): these places in a row."""
    cells: NDArray[np.float64]
    """(kinds, kinds, cells): the sums, by the kinds of two terms."""


def joint_space(odds: Odds) -> JointSpace:
    """Working space for the splits of a game."""
    rules, bins = odds.table_rules, bins_of(odds.table_rules)
    lanes, kinds = lane_space(split_hands(rules).rows, rules), FINAL + 2 * (bins + 3)
    width = whole_vectors(Lanes(0, COUNTS * (bins + 2), VECTOR), COUNTS * (bins + 2))
    return JointSpace(
        falling_factorials(odds.supply, 2 * rules.limit + highest_end(rules) + 1),
        lanes,
        np.zeros(LANES, np.int64),
        np.zeros((LANES, N_VALUES), np.int64),
        np.zeros(len(lanes.rows), np.int64),
        np.zeros(bins + 1, np.int64),
        np.zeros(LANES),
        np.zeros(LANES),
        np.zeros((3 * COUNTS, bins + 2, LANES)),
        np.zeros((3, width)),
        np.zeros((kinds**2, 3)),
        np.zeros(kinds**2, np.bool_),
        np.zeros(kinds**2, np.int64),
        np.zeros((kinds, kinds, width)),
    )


def joint_distribution(
    odds: Odds, resplit: float, upcard: int, pair: int, terms: Terms, space: JointSpace
) -> NDArray[np.float64]:
    """P(the split ends with 2, 3, 4 hands; the dealer's end; the nets of two of the hands), shape (3, ends, 5, 5).

    Ends are the dealer's totals, a bust and a natural. `resplit` is the share of pairs that are split again; `terms`
    are those of one hand. Where a natural takes one bet only, the distribution is that of live rounds.
    """
    rules, ends = odds.table_rules, bins_of(odds.table_rules) + 2
    kinds = FINAL + 2 * (ends + 1)
    space.value[:], space.cells[:] = 0.0, 0.0
    wanted = wanted_of(odds, resplit, upcard, pair, space.factorials)
    sum_families(drawn_together(terms, pair), split_hands(rules).rows, rules, (upcard, pair), wanted, space)
    sums = space.cells[:, :, : COUNTS * ends].reshape(kinds, kinds, COUNTS, ends)
    sums = (sums + sums.transpose(1, 0, 2, 3)) / 2.0  # pairs i ≤ j stand for (i, j) and (j, i)
    nets = nets_of_kinds(rules)
    joint: NDArray[np.float64] = np.einsum(_OF_NETS, sums, nets, nets, optimize=_path(kinds, ends))
    ordered_pairs = np.array([2.0, 6.0, 12.0])  # of 2, 3 and 4 hands: `sums` holds them all, any two are alike
    return joint / ordered_pairs[:, None, None, None]


_OF_NETS: Final = "abke,aei,bej->keij"
"""Sums by the kinds of two terms and the dealer's end, times what each kind adds to a net."""


@lru_cache(maxsize=8)
def _path(kinds: int, ends: int) -> list[Any]:
    """In which order the sums of `_OF_NETS` are taken, found once for all splits of a game."""
    sums, nets = np.empty((kinds, kinds, COUNTS, ends)), np.empty((kinds, ends, NETS))
    return list(np.einsum_path(_OF_NETS, sums, nets, nets, optimize=True)[0])


@lean_fused_kernel
def sum_families(
    drawn: DrawnTogether, rows: EndRows, rules: TableRules, place: tuple[int, int], wanted: Wanted, space: JointSpace
) -> None:
    """P(two hands' cards are drawn, the dealer's end), weighed and summed by the kinds of their terms, into `cells`.

    `place` is the upcard and the pair card. A block of families has one number of cards.
    """
    (upcard, pair), group, head, start = place, N_VALUES * place[0] + place[1], space.family, 0
    width = drawn.families.counts.shape[1]
    _order_rows(rows, group, space)
    while start < len(drawn.order):
        cards, filled = _open_block(drawn, upcard, pair, start, space)
        lanes = Lanes(0, filled, VECTOR)
        set_products(space.cards, rows, space.factorials.supply, group, upcard, lanes, space.lanes)
        sum_rows(rows, group, lanes, space.lanes)
        for pairs in range(drawn.most[head[0]] + 1):
            while drawn.most[head[filled - 1]] < pairs:
                filled -= 1
            last = whole_vectors(lanes, filled)
            _sum_ends(rows, group, pairs, cards + pairs, last, wanted, space)
            _close_ends(rules, place, pairs, cards + pairs, last, wanted, space)
            for lane in range(filled):
                at = head[lane] * width + pairs
                if drawn.first[at + 1] > drawn.first[at]:
                    _set_value(lane, wanted, space)
                    _add_pairs(drawn, drawn.first[at], drawn.first[at + 1], space)
        start += lanes.last


@rule
def _open_block(drawn: DrawnTogether, upcard: int, pair: int, start: int, space: JointSpace) -> tuple[int, int]:
    """Set the families of a block's lanes from `start` on, `LANES` at most; their number of cards, and how many."""
    other, size, filled = TEN if upcard == ACE else ACE, drawn.families.size[drawn.order[start]], 0
    while filled < LANES and start + filled < len(drawn.order):
        family = drawn.order[start + filled]
        if drawn.families.size[family] != size:
            break
        key, of_others = drawn.families.head[family], 1.0
        for value in range(N_VALUES):
            held = key >> (BITS * value) & LAST
            space.cards[filled, value] = held
            of_others *= space.factorials.of_value[value, int(value == upcard), held]
        space.family[filled], space.lanes.head[filled], space.of_others[filled] = family, filled, of_others
        left = space.factorials.of_value[other, space.cards[filled, other], 1]
        space.left[filled] = 1.0 if pair == other else left
        filled += 1
    return size, filled


@rule
def _order_rows(rows: EndRows, group: int, space: JointSpace) -> None:
    """Set `space.by_bin`, and where each bin's rows begin."""
    used = 0
    for bin in range(len(space.first_of_bin) - 1):
        space.first_of_bin[bin] = used
        for row in range(rows.first_row[group], rows.first_row[group + 1]):
            if rows.row_bin[row] == bin:
                space.by_bin[used] = row
                used += 1
    space.first_of_bin[-1] = used


@rule
def _sum_ends(rows: EndRows, group: int, pairs: int, cards: int, last: int, wanted: Wanted, space: JointSpace) -> None:
    """Sum the rows of lanes up to `last`, whose hands draw so many pair cards and cards in all, into `space.ends`.

    Four rows at a time: one by one, the sums would be read and written four times as often.
    """
    ends, sums, by_bin, first = space.ends, space.lanes.rows, space.by_bin, rows.first_row[group]
    for at in range(len(wanted.hands)):
        for bin in range(len(space.first_of_bin) - 1):
            begin, end = space.first_of_bin[bin], space.first_of_bin[bin + 1]
            for lane in range(last):
                ends[at, bin, lane] = 0.0
            for four in range(begin, end, 4):
                a, b = by_bin[four], by_bin[min(four + 1, end - 1)]
                c, d = by_bin[min(four + 2, end - 1)], by_bin[min(four + 3, end - 1)]
                of_a = _weight_of(rows, a, pairs, cards, at, wanted)
                of_b = _weight_of(rows, b, pairs, cards, at, wanted) if four + 1 < end else 0.0
                of_c = _weight_of(rows, c, pairs, cards, at, wanted) if four + 2 < end else 0.0
                of_d = _weight_of(rows, d, pairs, cards, at, wanted) if four + 3 < end else 0.0
                for lane in range(last):
                    two = of_a * sums[a - first, lane] + of_b * sums[b - first, lane]
                    ends[at, bin, lane] += two + (of_c * sums[c - first, lane] + of_d * sums[d - first, lane])


@rule
def _weight_of(rows: EndRows, row: int, pairs: int, cards: int, at: int, wanted: Wanted) -> float:
    """What a row counts with hands that draw so many pair cards and cards in all."""
    weight: float = wanted.joint[at, pairs + rows.row_held[row], cards + rows.row_size[row]]
    return weight


@rule
def _close_ends(
    rules: TableRules, place: tuple[int, int], pairs: int, cards: int, last: int, wanted: Wanted, space: JointSpace
) -> None:
    """Multiply totals in `space.ends` by what a family's other cards bring; add bust and natural.

    A bust is what totals and natural leave.
    """
    (upcard, pair), ends, bins = place, space.ends, space.ends.shape[1] - 2
    other = TEN if upcard == ACE else ACE
    counts = 1.0 if rules.dealer_naturals and upcard in (ACE, TEN) else 0.0
    pays = 0.0 if natural_takes_one_bet(rules) else 1.0
    for at in range(len(wanted.hands)):
        whole, natural = wanted.joint[at, pairs, cards], counts * wanted.joint[at, pairs + (pair == other), cards + 1]
        for lane in range(last):
            ends[at, bins, lane] = space.of_others[lane] * (whole - natural * space.left[lane])
            ends[at, bins + 1, lane] = pays * space.of_others[lane] * natural * space.left[lane]
        for bin in range(bins):
            for lane in range(last):
                ends[at, bin, lane] *= space.of_others[lane]
                ends[at, bins, lane] -= ends[at, bin, lane]


@rule
def _set_value(lane: int, wanted: Wanted, space: JointSpace) -> None:
    """Set `space.value` of a lane."""
    width = space.ends.shape[1]
    for at in range(len(wanted.hands)):
        second, cell = wanted.second[at], wanted.hands[at] * width
        for end in range(width):
            space.value[second, cell + end] = space.ends[at, end, lane]


@rule
def _add_pairs(drawn: DrawnTogether, first: int, last: int, space: JointSpace) -> None:
    """Add what the pairs of one lane bring to `space.cells`: first what all pairs of two kinds weigh."""
    terms, weight, touched, value, used = drawn.terms, space.weight, space.touched, space.value, 0
    kinds = space.cells.shape[0]
    for at in range(first, last):
        i, j = int(drawn.pair[at] >> np.uint32(16)), int(drawn.pair[at] & np.uint32(0xFFFF))
        cell, times = terms.kind[i] * kinds + terms.kind[j], 1.0 if i == j else 2.0
        if not space.is_touched[cell]:
            space.is_touched[cell] = True
            touched[used] = cell
            used += 1
        one, other, paired, other_paired = (
            terms.weight[i, 0],
            terms.weight[j, 0],
            terms.weight[i, 1],
            terms.weight[j, 1],
        )
        weight[cell, 0] += times * one * other
        weight[cell, 1] += times * (one * other_paired + paired * other)
        weight[cell, 2] += times * paired * other_paired
    for at in range(used):
        one, other = touched[at] // kinds, touched[at] % kinds
        none, single, both = weight[touched[at], 0], weight[touched[at], 1], weight[touched[at], 2]
        for cell in range(space.cells.shape[2]):
            space.cells[one, other, cell] += none * value[0, cell] + single * value[1, cell] + both * value[2, cell]
        for second in range(3):
            weight[touched[at], second] = 0.0
        space.is_touched[touched[at]] = False
