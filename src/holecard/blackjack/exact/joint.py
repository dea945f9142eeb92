"""The joint distribution of the nets of two hands of one split, exactly.

Given the dealer's end, what a split hand brings is a function of its own cards, and any two hands of a split draw from
one shoe. So the joint distribution is a sum over pairs of `terms`, weighed by the probability of drawing the cards of
both and, after those, of the dealer's end. Pairs that draw the same cards together share one lane.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_fused_kernel, rule
from holecard.blackjack.exact.hands import ACE, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import N_REMOVED
from holecard.blackjack.exact.supply import FallingFactorials, Split, falling_factorials
from holecard.blackjack.exact.terms import BITS, FINAL, NETS, TermPairs, Terms, nets_of_kinds, pairs_of
from holecard.blackjack.exact.walks import (
    LANES,
    Block,
    Dealt,
    dealer_walks,
    new_block,
    number_rows,
    set_factors,
    set_naturals,
    sum_rows,
    walk_block,
    whole_vectors,
)
from holecard.blackjack.game.hand import most_hands, natural_takes_one_bet
from holecard.blackjack.game.rules import TableRules

COUNTS: Final = 3
"""Rounds end with 2, 3 or 4 hands."""


@lru_cache(maxsize=8)
def pair_run_weights(max_hands: int) -> NDArray[np.float64]:
    """Ordered pairs of hands by how many hands a split ends with, shape (3, 3, `N_REMOVED`).

    The second index says what both second cards may be: anything, one of them no pair card, neither a pair card. As in
    `resplits.run_weights`, inclusion–exclusion runs over the other hands' second cards, and each weight is to be
    multiplied by ρ(r), the probability that r given cards are pair cards.
    """
    weights = np.zeros((COUNTS, 3, N_REMOVED))

    def run(hands: int, open_hands: int, pairs: int, others: int) -> None:
        if hands == max_hands or open_hands == 0:
            ordered_pairs = (open_hands * (open_hands - 1), 2 * open_hands * others, others * (others - 1))
            for fixed, ordered in enumerate(ordered_pairs):
                for excluded in range(others - fixed + 1 if ordered else 0):
                    weights[hands - 2, fixed, pairs + excluded] += (
                        (-1) ** excluded * ordered * comb(others - fixed, excluded)
                    )
            return
        run(hands + 1, open_hands + 1, pairs + 1, others)
        run(hands, open_hands - 1, pairs, others + 1)

    run(2, 2, 0, 0)
    return weights


def joint_distribution(odds: Odds, resplit: float, upcard: int, pair: int, terms: Terms) -> NDArray[np.float64]:
    """P(the split ends with 2, 3, 4 hands; the dealer's end; the nets of two of the hands), shape (3, ends, 5, 5).

    Ends are the dealer's totals, a bust and a natural. `resplit` is the share of pairs that are split again; `terms`
    are those of one hand. Where a natural takes one bet only, the distribution is that of live rounds.
    """
    bins = odds.dealer.shape[2]
    ends = bins + 2
    kinds = FINAL + 2 * (ends + 1)
    weights = _second_card_weights(odds, resplit, upcard, pair)
    factorials = falling_factorials(odds.supply, 2 * odds.table_rules.limit)  # two hands draw
    dealt = Dealt(dealer_walks(odds.table_rules), factorials)
    matters = np.flatnonzero(weights.any(axis=(0, 1)))  # numbers of removed pair cards that have a weight at all
    space = _space(odds.table_rules, len(dealt.walks.size), kinds, ends)
    sum_lanes(pairs_of(terms), dealt, odds.table_rules, (upcard, pair), weights, matters, space)
    sums = space.cells[:, :, : COUNTS * ends].reshape(kinds, kinds, COUNTS, ends)
    sums = (sums + sums.transpose(1, 0, 2, 3)) / 2.0  # pairs i ≤ j stand for (i, j) and (j, i)
    nets = nets_of_kinds(odds.table_rules)
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


def _second_card_weights(odds: Odds, resplit: float, upcard: int, pair: int) -> NDArray[np.float64]:
    """Weights of two hands with 0, 1, 2 pair cards as second cards, shape (3, 3, `N_REMOVED`), ρ(r) included.

    For tens split by rank the probability that both second cards match is taken as the square of one's.
    """
    match = odds.pairs.all_match[upcard, pair]
    next_match = np.divide(odds.pairs.next_matches[upcard, pair], match, out=np.zeros(N_REMOVED), where=match > 0)
    kept = 1.0 - resplit * next_match  # a pair card as second card that is not split again
    free, one, both = pair_run_weights(most_hands(pair == ACE, odds.table_rules)).transpose(1, 0, 2)
    by_pair_cards = (
        free + one + both,
        free + one * (1.0 + kept) / 2.0 + both * kept,
        free + one * kept + both * kept**2,
    )
    weights: NDArray[np.float64] = np.stack(by_pair_cards) * match * resplit ** np.arange(N_REMOVED)
    return weights


class _Space(NamedTuple):
    """Working space of `sum_lanes`, made outside of it: it compiles sooner so."""

    block: Block
    """A block of lanes."""
    of_others: NDArray[np.float64]
    """(`LANES`,): see `_set_others`."""
    naturals: NDArray[np.float64]
    """(`LANES`,): P(the dealer has a natural)."""
    by_removed: NDArray[np.float64]
    """(`N_REMOVED`, ends, `LANES`): P(a lane's cards, the dealer's end), by pair cards removed."""
    weighed: NDArray[np.float64]
    """(3, hands × ends, `LANES`): the same, weighed, by pair cards among the second cards."""
    value: NDArray[np.float64]
    """(3, cells): the same of one lane."""
    cells: NDArray[np.float64]
    """(kinds, kinds, cells): the sums, by the kinds of two terms, of hands × ends in whole vectors."""


def _space(rules: TableRules, nodes: int, kinds: int, ends: int) -> _Space:
    width = whole_vectors(COUNTS * ends)
    return _Space(
        new_block(rules, nodes),
        np.zeros(LANES),
        np.zeros(LANES),
        np.zeros((N_REMOVED, ends, LANES)),
        np.zeros((3, COUNTS * ends, LANES)),
        np.zeros((3, width)),
        np.zeros((kinds, kinds, width)),
    )


@lean_fused_kernel
def sum_lanes(
    pairs: TermPairs,
    dealt: Dealt,
    rules: TableRules,
    place: tuple[int, int],
    weights: NDArray[np.float64],
    matters: NDArray[np.int64],
    space: _Space,
) -> None:
    """P(a lane's cards are drawn, the dealer's end), weighed and summed by the kinds of its terms, into `space.cells`.

    `place` is the upcard and the pair card, `weights` as `_second_card_weights` gives them, `matters` the numbers of
    removed pair cards to look at.
    """
    (upcard, pair), walks, factorials = place, dealt.walks, dealt.factorials
    block, value = space.block, space.value
    rows = number_rows(walks, upcard, pair, True, block)
    for start in range(0, len(pairs.key), LANES):
        filled = min(LANES, len(pairs.key) - start)
        _unpack(pairs.key, start, filled, block)
        set_factors(factorials.supply, walks.most_copies[upcard], upcard, filled, block)
        walk_block(walks, upcard, rows, block)
        _set_others(factorials, upcard, pair, filled, block, space.of_others)
        for removed in matters:
            split, end_probability = Split(upcard, pair, removed), space.by_removed[removed]
            sum_rows(factorials, split, filled, rows, block, end_probability)
            set_naturals(factorials, split, filled, block, space.naturals)
            _close_lanes(factorials, rules, split, filled, block, space.of_others, space.naturals, end_probability)
        _weigh(weights, matters, whole_vectors(filled), space.by_removed, space.weighed)
        for lane in range(filled):
            for second in range(3):
                for cell in range(space.weighed.shape[1]):
                    value[second, cell] = space.weighed[second, cell, lane]
            first, last = pairs.first[start + lane], pairs.first[start + lane + 1]
            _add_pairs(pairs.terms, pairs.pair, first, last, value, space.cells)


@rule
def _unpack(keys: NDArray[np.int64], start: int, filled: int, block: Block) -> None:
    """Set the cards of a block of lanes, whose keys begin at `start`; every end of the dealer's matters to all."""
    for bin in range(len(block.lanes_up_to)):
        block.lanes_up_to[bin] = whole_vectors(filled)
    for lane in range(filled):
        block.size[lane] = 0
    for value in range(N_VALUES):
        for lane in range(filled):
            count = (keys[start + lane] >> (BITS * value)) & ((1 << BITS) - 1)
            block.cards[value, lane] = count
            block.size[lane] += count


@rule
def _set_others(
    factorials: FallingFactorials, upcard: int, pair: int, filled: int, block: Block, of_others: NDArray[np.float64]
) -> None:
    """The falling factorials of a lane's cards but for pair cards, whose depends on how many are gone."""
    for lane in range(filled):
        of_others[lane] = 1.0
    for value in range(N_VALUES):
        if value != pair:
            for lane in range(filled):
                of_others[lane] *= factorials.of_value[value, int(value == upcard), block.cards[value, lane]]


@rule
def _close_lanes(
    factorials: FallingFactorials,
    rules: TableRules,
    split: Split,
    filled: int,
    block: Block,
    of_others: NDArray[np.float64],
    naturals: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """Multiply totals in `ends` (bins + 2, lanes) by P(one sequence of the lane's cards); add bust and natural.

    A bust is what totals and natural leave of 1.
    """
    bins, pairs_gone = ends.shape[0] - 2, 2 + split.removed + (split.pair == split.upcard)
    has_naturals = 1.0 if rules.dealer_naturals else 0.0
    pays_naturals = 0.0 if natural_takes_one_bet(rules) else 1.0
    for lane in range(filled):
        of_pair = factorials.of_value[split.pair, pairs_gone, block.cards[split.pair, lane]]
        probability = of_others[lane] * of_pair * factorials.inverse[3 + split.removed, block.size[lane]]
        natural = has_naturals * naturals[lane]
        rest = 1.0 - natural
        for end in range(bins):
            rest -= ends[end, lane]
            ends[end, lane] *= probability
        ends[bins, lane] = probability * rest
        ends[bins + 1, lane] = pays_naturals * probability * natural


@rule
def _weigh(
    weights: NDArray[np.float64],
    matters: NDArray[np.int64],
    lanes: int,
    by_removed: NDArray[np.float64],
    weighed: NDArray[np.float64],
) -> None:
    """Sum `by_removed` (removed, ends, lanes) over the pair cards removed, into `weighed` (3, hands × ends, lanes)."""
    ends = by_removed.shape[1]
    for second in range(3):
        for hands in range(COUNTS):
            for end in range(ends):
                for lane in range(lanes):
                    weighed[second, hands * ends + end, lane] = 0.0
            for removed in matters:
                weight = weights[second, hands, removed]
                for end in range(ends if weight != 0.0 else 0):
                    for lane in range(lanes):
                        weighed[second, hands * ends + end, lane] += weight * by_removed[removed, end, lane]


@rule
def _add_pairs(
    terms: Terms,
    pairs: NDArray[np.uint32],
    start: int,
    end: int,
    value: NDArray[np.float64],
    cells: NDArray[np.float64],
) -> None:
    """Add what the pairs of one lane bring to `cells` (kinds, kinds, …); `value` (3, …) by pair cards among seconds."""
    for at in range(start, end):
        i, j = int(pairs[at] >> np.uint32(16)), int(pairs[at] & np.uint32(0xFFFF))
        second, one, other = terms.paired[i] + terms.paired[j], terms.kind[i], terms.kind[j]
        weight = terms.weight[i] * terms.weight[j] * (1.0 if i == j else 2.0)
        for cell in range(cells.shape[2]):
            cells[one, other, cell] += weight * value[second, cell]
