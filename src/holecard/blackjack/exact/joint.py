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
from holecard.blackjack.exact.drawn_together import DrawnTogether, Families, drawn_together
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

_AT_A_TIME: Final = 4
"""Rows that are added up at a time."""


class FamilyBlock(NamedTuple):
    """A block of families, one a lane."""

    family: NDArray[np.int64]
    """(`LANES`,): the number of each."""
    cards: NDArray[np.int64]
    """(`LANES`, 10): its cards but for pair cards."""
    of_others: NDArray[np.float64]
    """(`LANES`,): the falling factorials of these."""
    left: NDArray[np.float64]
    """(`LANES`,): the cards left that would make the dealer's natural; 1 where that is the pair card."""


class PairSums(NamedTuple):
    """Sums over pairs of terms."""

    value: NDArray[np.float64]
    """(3, cells): P(one lane's cards, the dealer's end), by pair cards among the second cards; a cell is a number of
    hands × an end, in whole vectors."""
    weight: NDArray[np.float64]
    """(kinds², 3): what the terms of one lane weigh, by two kinds and by pair cards among their second cards."""
    is_touched: NDArray[np.bool_]
    """(kinds²,): where something has been added to `weight`."""
    touched: NDArray[np.int64]
    """(kinds²,): these places in a row."""
    cells: NDArray[np.float64]
    """(kinds², cells): the sums, by the kinds of two terms."""


class JointSpace(NamedTuple):
    """Working space of `joint_distribution` for one game, for one caller at a time."""

    factorials: FallingFactorials
    """The probabilities of draws by two hands and the dealer."""
    lanes: LaneSpace
    """The dealer's sums for a block of families."""
    block: FamilyBlock
    """The block."""
    weight: NDArray[np.float64]
    """(…,): what the rows of one total count, and zeros."""
    ends: NDArray[np.float64]
    """(9, ends, `LANES`): P(a family with so many pair cards, the dealer's end), by `Wanted`."""
    sums: PairSums
    """Sums over pairs of terms."""


def joint_space(odds: Odds) -> JointSpace:
    """Working space for the splits of a game."""
    rules, bins = odds.table_rules, bins_of(odds.table_rules)
    lanes, kinds = lane_space(split_hands(rules).rows, rules), FINAL + 2 * (bins + 3)
    width = whole_vectors(Lanes(0, COUNTS * (bins + 2), VECTOR), COUNTS * (bins + 2))
    lanes.head[:] = np.arange(LANES)  # the cards of a lane are those of `FamilyBlock.cards`
    return JointSpace(
        falling_factorials(odds.supply, 2 * rules.limit + highest_end(rules) + 1),
        lanes,
        FamilyBlock(np.zeros(LANES, np.int64), np.zeros((LANES, N_VALUES), np.int64), *np.zeros((2, LANES))),
        np.zeros(len(lanes.rows) + _AT_A_TIME),
        np.zeros((3 * COUNTS, bins + 2, LANES)),
        PairSums(
            np.zeros((3, width)),
            np.zeros((kinds**2, 3)),
            np.zeros(kinds**2, np.bool_),
            np.zeros(kinds**2, np.int64),
            np.zeros((kinds**2, width)),
        ),
    )


class _RowsByTotal(NamedTuple):
    """The rows of an upcard and a pair card, by the dealer's total."""

    first: NDArray[np.int64]
    """(bins + 1,): where those of a total begin."""
    number: NDArray[np.int64]
    """(r,): which of the rows each is."""
    held: NDArray[np.int64]
    """(r,): see `EndRows.row_held`."""
    size: NDArray[np.int64]
    """(r,): see `EndRows.row_size`."""


def _rows_by_total(rows: EndRows, group: int, bins: int) -> _RowsByTotal:
    mine = slice(int(rows.first_row[group]), int(rows.first_row[group + 1]))
    bin = rows.row_bin[mine]
    number = np.argsort(bin, kind="stable")
    first = np.searchsorted(bin[number], np.arange(bins + 1))
    return _RowsByTotal(first, number, rows.row_held[mine][number], rows.row_size[mine][number])


def joint_distribution(
    odds: Odds, resplit: float, upcard: int, pair: int, terms: Terms, space: JointSpace
) -> NDArray[np.float64]:
    """P(the split ends with 2, 3, 4 hands; the dealer's end; the nets of two of the hands), shape (3, ends, 5, 5).

    Ends are the dealer's totals, a bust and a natural. `resplit` is the share of pairs that are split again; `terms`
    are those of one hand. Where a natural takes one bet only, the distribution is that of live rounds.
    """
    rules, ends, rows = odds.table_rules, bins_of(odds.table_rules) + 2, split_hands(odds.table_rules).rows
    kinds = FINAL + 2 * (ends + 1)
    space.sums.value[:], space.sums.cells[:] = 0.0, 0.0
    by_total = _rows_by_total(rows, N_VALUES * upcard + pair, ends - 2)
    wanted = wanted_of(odds, resplit, upcard, pair, space.factorials)
    counts = rules.dealer_naturals and upcard in (ACE, TEN)
    naturals = (float(counts), float(counts and not natural_takes_one_bet(rules)))
    sum_families(drawn_together(terms, pair), rows, by_total, (upcard, pair), naturals, wanted, space)
    sums = space.sums.cells[:, : COUNTS * ends].reshape(kinds, kinds, COUNTS, ends)
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
    drawn: DrawnTogether,
    rows: EndRows,
    by_total: _RowsByTotal,
    place: tuple[int, int],
    naturals: tuple[float, float],
    wanted: Wanted,
    space: JointSpace,
) -> None:
    """P(two hands' cards are drawn, the dealer's end), weighed and summed by the kinds of their terms, into `cells`.

    `place` is the upcard and the pair card; `naturals` are 1 or 0: whether a dealer's natural ends the round, and
    whether it counts. A block of families has one number of cards.
    """
    (upcard, pair), group, block, start = place, N_VALUES * place[0] + place[1], space.block, 0
    width, natural_draws_pair = drawn.families.counts.shape[1], int(pair == (TEN if upcard == ACE else ACE))
    while start < len(drawn.order):
        filled = _open_block(drawn.families, drawn.order, start, place, space.factorials.of_value, block)
        cards, lanes = drawn.families.size[block.family[0]], Lanes(0, filled, VECTOR)
        set_products(block.cards, rows, space.factorials.supply, group, upcard, lanes, space.lanes)
        sum_rows(rows, group, lanes, space.lanes)
        for pairs in range(drawn.most[block.family[0]] + 1):
            while drawn.most[block.family[filled - 1]] < pairs:
                filled -= 1
            last = whole_vectors(lanes, filled)
            for at in range(len(wanted.hands)):
                joint, ends = wanted.joint[at], space.ends[at]
                _sum_ends(by_total, joint, (pairs, cards + pairs), last, space.lanes.rows, space.weight, ends)
                whole = joint[pairs, cards + pairs]
                natural = naturals[0] * joint[pairs + natural_draws_pair, cards + pairs + 1]
                _close_ends(whole, natural, naturals[1], last, block.of_others, block.left, ends)
            for lane in range(filled):
                at = block.family[lane] * width + pairs
                if drawn.first[at + 1] > drawn.first[at]:
                    _set_value(lane, wanted.hands, wanted.second, space.ends, space.sums.value)
                    _add_pairs(drawn.terms, drawn.pair, drawn.first[at], drawn.first[at + 1], space.sums)
        start += lanes.last


@rule
def _open_block(
    families: Families,
    order: NDArray[np.int64],
    start: int,
    place: tuple[int, int],
    of_value: NDArray[np.float64],
    block: FamilyBlock,
) -> int:
    """Set the lanes of a block: families of one size from `start` on, `LANES` at most; how many they are."""
    (upcard, pair), filled = place, 0
    other = TEN if upcard == ACE else ACE
    size = families.size[order[start]]
    while filled < LANES and start + filled < len(order) and families.size[order[start + filled]] == size:
        family, of_others = order[start + filled], 1.0
        for value in range(N_VALUES):
            held = families.head[family] >> (BITS * value) & LAST
            block.cards[filled, value] = held
            of_others *= of_value[value, int(value == upcard), held]
        block.family[filled], block.of_others[filled] = family, of_others
        block.left[filled] = 1.0 if pair == other else of_value[other, block.cards[filled, other], 1]
        filled += 1
    return filled


@rule
def _sum_ends(
    by_total: _RowsByTotal,
    joint: NDArray[np.float64],
    drawn: tuple[int, int],
    last: int,
    rows: NDArray[np.float64],
    weight: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """Sum the rows of lanes up to `last`, into `ends`; `drawn` are the pair cards and all cards that hands draw.

    `_AT_A_TIME`, four: one by one, the sums would be read and written four times as often.
    """
    (pairs, cards), number = drawn, by_total.number
    for bin in range(len(by_total.first) - 1):
        begin, end = by_total.first[bin], by_total.first[bin + 1]
        for at in range(begin, end):
            weight[at - begin] = joint[pairs + by_total.held[at], cards + by_total.size[at]]
        for at in range(end, end + _AT_A_TIME):
            weight[at - begin] = 0.0
        for lane in range(last):
            ends[bin, lane] = 0.0
        for at in range(begin, end, _AT_A_TIME):
            a, b = number[at], number[min(at + 1, end - 1)]
            c, d = number[min(at + 2, end - 1)], number[min(at + 3, end - 1)]
            of_a, of_b, of_c, of_d = (
                weight[at - begin],
                weight[at - begin + 1],
                weight[at - begin + 2],
                weight[at - begin + 3],
            )
            for lane in range(last):
                two = of_a * rows[a, lane] + of_b * rows[b, lane]
                ends[bin, lane] += two + (of_c * rows[c, lane] + of_d * rows[d, lane])


@rule
def _close_ends(
    whole: float,
    natural: float,
    pays: float,
    last: int,
    of_others: NDArray[np.float64],
    left: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """Multiply totals in `ends` by what a family's other cards bring; add bust and natural.

    A bust is what totals and natural leave of the whole.
    """
    bins = len(ends) - 2
    for lane in range(last):
        ends[bins, lane] = of_others[lane] * (whole - natural * left[lane])
        ends[bins + 1, lane] = pays * of_others[lane] * natural * left[lane]
    for bin in range(bins):
        for lane in range(last):
            ends[bin, lane] *= of_others[lane]
            ends[bins, lane] -= ends[bin, lane]


@rule
def _set_value(
    lane: int,
    hands: NDArray[np.int64],
    second: NDArray[np.int64],
    ends: NDArray[np.float64],
    value: NDArray[np.float64],
) -> None:
    """Set `PairSums.value` of a lane."""
    for at in range(len(hands)):
        for end in range(ends.shape[1]):
            value[second[at], hands[at] * ends.shape[1] + end] = ends[at, end, lane]


@rule
def _add_pairs(terms: Terms, pair: NDArray[np.uint32], first: int, last: int, sums: PairSums) -> None:
    """Add what the pairs of one lane bring to `sums.cells`: first what all pairs of two kinds weigh."""
    weight, touched, value, cells, used = sums.weight, sums.touched, sums.value, sums.cells, 0
    kinds = int(np.sqrt(len(cells)))
    for at in range(first, last):
        i, j = int(pair[at] >> np.uint32(16)), int(pair[at] & np.uint32(0xFFFF))
        cell, times = terms.kind[i] * kinds + terms.kind[j], 1.0 if i == j else 2.0
        if not sums.is_touched[cell]:
            sums.is_touched[cell] = True
            touched[used] = cell
            used += 1
        one, paired = times * terms.weight[i, 0], times * terms.weight[i, 1]
        weight[cell, 0] += one * terms.weight[j, 0]
        weight[cell, 1] += one * terms.weight[j, 1] + paired * terms.weight[j, 0]
        weight[cell, 2] += paired * terms.weight[j, 1]
    for at in range(used):
        cell = touched[at]
        none, single, both = weight[cell, 0], weight[cell, 1], weight[cell, 2]
        for each in range(cells.shape[1]):
            cells[cell, each] += none * value[0, each] + single * value[1, each] + both * value[2, each]
        weight[cell, 0] = weight[cell, 1] = weight[cell, 2] = 0.0
        sums.is_touched[cell] = False
