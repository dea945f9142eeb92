"""The joint law of two hands of one split, exactly.

Given the dealer's end, what a split hand brings is a function of its own cards, and any two hands of a split draw from
one shoe. So the law of two of them is a sum over pairs of final hands, weighed by the chance of drawing the cards of
both and, after those, of the dealer's end. Pairs that draw the same cards together share one lane.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import fused_kernel, rule
from holecard.blackjack.exact.fixed import Play
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import MAX_REMOVED
from holecard.blackjack.exact.split import most_hands
from holecard.blackjack.exact.supply import Draws, Supply, draws_of, takes_one_bet
from holecard.blackjack.exact.tally import visit_splits
from holecard.blackjack.exact.terms import BITS, FINAL, Lanes, Terms, graded_nets, pair_lanes
from holecard.blackjack.exact.walks import (
    LANES,
    Block,
    Walks,
    dealer_walks,
    new_block,
    number_rows,
    set_factors,
    set_naturals,
    sum_rows,
    walk_block,
    whole_vectors,
)
from holecard.blackjack.game.rules import TableRules

COUNTS: Final = 3
"""Rounds end with 2, 3 or 4 hands."""


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


def joint_laws(odds: Odds, play: Play, pair: int, upcard: int, terms: Terms) -> NDArray[np.float64]:
    """P(the split ends with 2, 3, 4 hands; the dealer's end; the nets of two of the hands), shape (3, ends, 5, 5).

    Ends are the dealer's totals, a bust and a natural. `terms` are those of one hand. Where a natural
    takes one bet only, the law is that of live rounds.
    """
    ends = odds.dealer.shape[2] + 2
    kinds = FINAL + 2 * (ends + 1)
    sums = np.zeros((kinds, kinds, COUNTS, ends))
    weights = _class_weights(odds, play, pair, upcard)
    draws = draws_of(odds.supply, 2 * odds.table.limit)
    walks = dealer_walks(odds.table)
    sum_lanes(terms, pair_lanes(terms.key), walks, odds.supply, draws, odds.table, pair, upcard, weights, sums)
    sums = (sums + sums.transpose(1, 0, 2, 3)) / 2.0
    graded = graded_nets(odds.dealer.shape[2])
    laws: NDArray[np.float64] = np.einsum("abke,aei,bej->keij", sums, graded, graded, optimize=True)
    return laws / np.array([2.0, 6.0, 12.0])[:, None, None, None]


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


@fused_kernel
def sum_lanes(
    terms: Terms,
    lanes: Lanes,
    walks: Walks,
    supply: Supply,
    draws: Draws,
    rules: TableRules,
    pair: int,
    upcard: int,
    weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """P(a lane's cards are drawn, the dealer's end), weighed and summed by the kinds of its terms, into `sums`.

    Shape (kinds, kinds, hands, ends). `weights` as `_class_weights` gives them.
    """
    ends, block = sums.shape[3], new_block(rules, len(walks.size))
    chances, naturals = np.zeros(LANES), np.zeros(LANES)
    laws, weighed = np.zeros((MAX_REMOVED, ends, LANES)), np.zeros((3, COUNTS * ends, LANES))
    cells = np.zeros((len(sums), len(sums), whole_vectors(COUNTS * ends)))
    value = np.zeros((3, cells.shape[2]))
    rows, matters = number_rows(walks, upcard, pair, True, block), _removals_that_matter(weights)
    for start in range(0, len(lanes.key), LANES):
        filled = min(LANES, len(lanes.key) - start)
        _unpack(lanes.key[start : start + filled], block)
        block.upto[:] = whole_vectors(filled)
        set_factors(supply, walks.most[upcard], upcard, filled, block)
        walk_block(walks, upcard, rows, block)
        _set_chances(draws, upcard, pair, filled, block, chances)
        for removed in matters:
            sum_rows(draws, upcard, pair, removed, filled, rows, block, laws[removed])
            set_naturals(draws, upcard, pair, removed, filled, block, naturals)
            _close_lanes(draws, rules, pair, upcard, removed, filled, block, chances, naturals, laws[removed])
        _weigh(weights, matters, whole_vectors(filled), laws, weighed)
        for lane in range(filled):
            for second in range(3):
                for cell in range(weighed.shape[1]):
                    value[second, cell] = weighed[second, cell, lane]
            _sum_pairs(terms, lanes.pair, lanes.first[start + lane], lanes.first[start + lane + 1], value, cells)
    sums += cells[:, :, : COUNTS * ends].copy().reshape(sums.shape)


@rule
def _removals_that_matter(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """The numbers of removed pair cards that have a weight at all."""
    matters = np.zeros(MAX_REMOVED, np.bool_)
    for second in range(3):
        for hands in range(COUNTS):
            for removed in range(MAX_REMOVED):
                matters[removed] |= weights[second, hands, removed] != 0.0
    return np.flatnonzero(matters)


@rule
def _unpack(keys: NDArray[np.int64], block: Block) -> None:
    """Set the cards of a block of lanes."""
    block.size[:] = 0
    for value in range(N_VALUES):
        for lane in range(len(keys)):
            count = (keys[lane] >> (BITS * value)) & ((1 << BITS) - 1)
            block.cards[value, lane] = count
            block.size[lane] += count


@rule
def _set_chances(draws: Draws, upcard: int, pair: int, filled: int, block: Block, chances: NDArray[np.float64]) -> None:
    """Ways to draw the lanes' cards but for pair cards, whose ways depend on how many are gone, into `chances`."""
    chances[:] = 1.0
    for value in range(N_VALUES):
        if value != pair:
            for lane in range(filled):
                chances[lane] *= draws.ways[value, int(value == upcard), block.cards[value, lane]]


@rule
def _close_lanes(
    draws: Draws,
    rules: TableRules,
    pair: int,
    upcard: int,
    removed: int,
    filled: int,
    block: Block,
    chances: NDArray[np.float64],
    naturals: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """Multiply totals in `ends` (bins + 2, lanes) by the chance of the lane's cards; add bust and natural."""
    bins, gone = ends.shape[0] - 2, 2 + removed
    has_naturals = 1.0 if rules.dealer_naturals else 0.0
    pays_naturals = 0.0 if takes_one_bet(rules) else 1.0
    for lane in range(filled):
        ways = chances[lane] * draws.ways[pair, gone + (pair == upcard), block.cards[pair, lane]]
        chance, natural = ways * draws.inverse[1 + gone, block.size[lane]], has_naturals * naturals[lane]
        rest = 1.0 - natural
        for end in range(bins):
            rest -= ends[end, lane]
            ends[end, lane] *= chance
        ends[bins, lane] = chance * rest
        ends[bins + 1, lane] = pays_naturals * chance * natural


@rule
def _weigh(
    weights: NDArray[np.float64],
    matters: NDArray[np.int64],
    lanes: int,
    laws: NDArray[np.float64],
    weighed: NDArray[np.float64],
) -> None:
    """Sum `laws` (removed, ends, lanes) over the pair cards removed, into `weighed` (3, hands × ends, lanes)."""
    ends = laws.shape[1]
    weighed[:] = 0.0
    for second in range(3):
        for hands in range(COUNTS):
            for removed in matters:
                weight = weights[second, hands, removed]
                for end in range(ends if weight != 0.0 else 0):
                    for lane in range(lanes):
                        weighed[second, hands * ends + end, lane] += weight * laws[removed, end, lane]


@rule
def _sum_pairs(
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


def all_visits(odds: Odds, play: Play) -> NDArray[np.float64]:
    """`tally.visit_splits` of a play."""
    visits = np.zeros((2, N_VALUES, len(odds.slots.hand)))
    visit_splits(odds.slots, play.after, visits)
    return visits
