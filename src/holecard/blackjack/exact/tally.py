"""Which cell of a strategy table decides what, how often, and what each letter in it would bring.

One play moves (it says which decisions come up), another judges (it says how the hand is played on afterwards). With
the same play in both roles this is the slope of that play's EV in every cell: a cell comes up at most once in a hand,
so changing one cell changes the EV by exactly the difference of two letters' values. With the optimum as judge, and
returns of the optimum, the shortfall of all decisions adds up to the regret of the play that moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.fixed import (
    DOUBLE,
    HIT,
    KINDS,
    STAND,
    Cells,
    Play,
    cells_of,
    first_options,
    hit_values,
)
from holecard.blackjack.exact.hands import BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.nets import SplitOdds
from holecard.blackjack.exact.odds import ACTIONS, Odds
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split import SplitPlay, may_double_split, may_hit_split
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.strategy.cell import CARDS_HELD, ROWS
from holecard.blackjack.strategy.letters import ACTION_OF, LETTERS, MAY_DOUBLE, Letter

_ANY_LETTER = int(Letter.ANY)
N_CELLS = len(CARDS_HELD) * KINDS * ROWS


class Tally(NamedTuple):
    """Decisions by cell (flattened to 384) and upcard; returns are weighted by how often the decision comes up."""

    letters: NDArray[np.float64]
    """(384, 10, 8): what each cell code would bring."""
    taken: NDArray[np.float64]
    """(384, 10): what the play that moves brings."""
    judged: NDArray[np.float64]
    """(384, 10): what the play that judges brings on the same decisions."""
    frequency: NDArray[np.float64]
    """(384, 10): how often a round brings the decision, split hands counted each."""


class SplitValues(NamedTuple):
    """What split hands bring when hit and when doubled, in the unit of `SplitOdds`; [0] is `other`, [1] is `pair`."""

    hit: NDArray[np.float64]
    """(2, 10, m)."""
    double: NDArray[np.float64]
    """(2, 10, m): 0 beyond two cards."""


def empty_tally() -> Tally:
    """No decisions."""
    return Tally(np.zeros((N_CELLS, N_VALUES, len(LETTERS))), *np.zeros((3, N_CELLS, N_VALUES)))


def tally_hands(odds: Odds, mover: Play, judge: Play, orders: NDArray[np.float64], first: NDArray[np.float64]) -> Tally:
    """The decisions of unsplit hands; `orders` as in the mover's `Worth`, `first` (o, 10, 5) the judge's returns."""
    tally = empty_tally()
    hit = np.zeros_like(odds.returns.stand)
    hit_values(odds.hands, odds.supply, odds.returns.stand, judge.hit, hit)
    values = np.where(first == -np.inf, 0.0, first)
    values[:, :, HIT] = np.where(first[:, :, HIT] == -np.inf, 0.0, hit[odds.hand_of])
    live = odds.returns.live
    args = (odds.hands, odds.table, odds.can_split, odds.hand_of, odds.pair_of, cells_of(odds.hands))
    _tally_first(*args, odds.deal, live, values, mover.first, judge.first, tally)
    _tally_later(odds.hands, args[-1], orders * odds.chance, live, odds.returns.stand, hit, mover.hit, judge.hit, tally)
    return tally


def tally_splits(
    odds: Odds, mover: Play, judge: Play, ready: SplitOdds, seen: SplitOdds, weight: NDArray[np.float64]
) -> Tally:
    """The decisions of split hands, where `weight` (10, 10) says how often each pair is split by the mover.

    `ready` holds what final hands are worth, `seen` the same for a worth of 1, which counts how often they come up.
    """
    tally, m = empty_tally(), len(odds.slots.hand)
    values = SplitValues(*np.zeros((2, 2, N_VALUES, m)))
    _value_splits(odds.hands, odds.slots, odds.table, judge.after, ready, values)
    visits = np.zeros((2, N_VALUES, m))
    visit_splits(odds.slots, mover.after, visits)
    visits *= weight[None, :, odds.slots.pair]
    _tally_after(
        odds.hands,
        odds.slots,
        odds.table,
        cells_of(odds.hands),
        ready,
        seen,
        values,
        visits,
        mover.after,
        judge.after,
        tally,
    )
    return tally


@rule
def _add(
    tally: Tally,
    cell: int,
    upcard: int,
    weight: float,
    frequency: float,
    options: int,
    values: NDArray[np.float64],
    mover: NDArray[np.float64],
    judge: NDArray[np.float64],
) -> None:
    """Add one decision: its weight, and by action (5,) the values and both plays' shares."""
    tally.frequency[cell, upcard] += frequency
    for action in range(ACTIONS):
        tally.taken[cell, upcard] += weight * mover[action] * values[action]
        tally.judged[cell, upcard] += weight * judge[action] * values[action]
    for code in range(_ANY_LETTER):
        tally.letters[cell, upcard, code] += weight * values[ACTION_OF[options, code]]


@kernel
def _tally_first(
    hands: Hands,
    rules: TableRules,
    can_split: NDArray[np.bool_],
    hand_of: NDArray[np.int64],
    pair_of: NDArray[np.int64],
    where: Cells,
    deal: NDArray[np.float64],
    live: NDArray[np.float64],
    values: NDArray[np.float64],
    mover: NDArray[np.float64],
    judge: NDArray[np.float64],
    tally: Tally,
) -> None:
    """Add the decisions of first hands; one that has ended is none."""
    for row in range(FIRST_PAIRING, len(hand_of)):
        hand, pair = hand_of[row], pair_of[row]
        if hands.total[hand] == rules.limit:
            continue
        cell = where.of_pair[pair] if pair >= 0 else where.of_hand[hand]
        for upcard in range(N_VALUES):
            weight = deal[row, upcard]
            if weight > 0.0:
                options = first_options(hands, rules, can_split, hand, pair, upcard)
                often = weight * live[hand, upcard]
                _add(
                    tally,
                    cell,
                    upcard,
                    weight,
                    often,
                    options,
                    values[row, upcard],
                    mover[row, upcard],
                    judge[row, upcard],
                )


@kernel
def _tally_later(
    hands: Hands,
    where: Cells,
    reach: NDArray[np.float64],
    live: NDArray[np.float64],
    stand: NDArray[np.float64],
    hit: NDArray[np.float64],
    mover: NDArray[np.float64],
    judge: NDArray[np.float64],
    tally: Tally,
) -> None:
    """Add the decisions of unsplit hands of three or more cards."""
    values, moves, judges = np.zeros(ACTIONS), np.zeros(ACTIONS), np.zeros(ACTIONS)
    for hand in range(hands.openings, len(hands.size)):
        for upcard in range(N_VALUES):
            weight = reach[hand, upcard]
            if weight > 0.0:
                values[HIT], values[STAND] = hit[hand, upcard], stand[hand, upcard]
                moves[HIT], moves[STAND] = mover[hand, upcard], 1.0 - mover[hand, upcard]
                judges[HIT], judges[STAND] = judge[hand, upcard], 1.0 - judge[hand, upcard]
                often = weight * live[hand, upcard]
                _add(tally, where.of_hand[hand], upcard, weight, often, 0, values, moves, judges)


@kernel
def _value_splits(
    hands: Hands, slots: Slots, rules: TableRules, play: SplitPlay, ready: SplitOdds, values: SplitValues
) -> None:
    """Fill `SplitValues` under a play, from the largest hands down."""
    worth = np.zeros((2, len(slots.hand)))
    for upcard in range(N_VALUES):
        for slot in range(len(slots.hand) - 1, -1, -1):
            hand, pair = slots.hand[slot], slots.pair[slot]
            hit, double = play.hit[upcard, slot], play.double[upcard, slot]
            two_cards = hands.size[hand] == 2
            second = hands.highest[hand] + hands.highest[hands.parent[hand]] - pair
            for kind in range(2):
                table = ready.other if kind == 0 else ready.pair
                hits = doubles = 0.0
                for value in range(N_VALUES):
                    grown = slots.grown[slot, value]
                    if grown != BUST:
                        hits += worth[kind, grown]
                        doubles += 2.0 * table[upcard, grown]
                values.hit[kind, upcard, slot] = hits
                if two_cards:
                    values.double[kind, upcard, slot] = doubles - ready.double_bet[upcard, pair, second]
                doubled = double * values.double[kind, upcard, slot]
                worth[kind, slot] = (1.0 - hit - double) * table[upcard, slot] + hit * hits + doubled


@kernel
def visit_splits(slots: Slots, play: SplitPlay, visits: NDArray[np.float64]) -> None:
    """Orders in which each split hand is reached by hitting, shape (2, 10, m): second card another one, a pair card."""
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES):
            for value in range(N_VALUES):
                if slots.opened[pair, value] != BUST:
                    visits[int(value == pair), upcard, slots.opened[pair, value]] = 1.0
        for kind in range(2):
            for slot in range(len(slots.hand)):
                ways = visits[kind, upcard, slot] * play.hit[upcard, slot]
                if ways > 0.0:
                    for value in range(N_VALUES):
                        if slots.grown[slot, value] != BUST:
                            visits[kind, upcard, slots.grown[slot, value]] += ways


@kernel
def _tally_after(
    hands: Hands,
    slots: Slots,
    rules: TableRules,
    where: Cells,
    ready: SplitOdds,
    seen: SplitOdds,
    split_values: SplitValues,
    visits: NDArray[np.float64],
    mover: SplitPlay,
    judge: SplitPlay,
    tally: Tally,
) -> None:
    """Add the decisions of split hands; a hand that may take no card is none."""
    values, moves, judges = np.zeros(ACTIONS), np.zeros(ACTIONS), np.zeros(ACTIONS)
    for slot in range(len(slots.hand)):
        hand, pair = slots.hand[slot], slots.pair[slot]
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        if not may_hit_split(pair, total, size, rules):
            continue
        options = MAY_DOUBLE if may_double_split(pair, total, soft, size, rules) else 0
        for upcard in range(N_VALUES):
            moves[HIT], moves[DOUBLE] = mover.hit[upcard, slot], mover.double[upcard, slot]
            judges[HIT], judges[DOUBLE] = judge.hit[upcard, slot], judge.double[upcard, slot]
            moves[STAND] = 1.0 - moves[HIT] - moves[DOUBLE]
            judges[STAND] = 1.0 - judges[HIT] - judges[DOUBLE]
            for kind in range(2):
                weight = visits[kind, upcard, slot]
                if weight > 0.0:
                    values[HIT] = split_values.hit[kind, upcard, slot]
                    values[DOUBLE] = split_values.double[kind, upcard, slot]
                    values[STAND] = ready.other[upcard, slot] if kind == 0 else ready.pair[upcard, slot]
                    often = weight * (seen.other[upcard, slot] if kind == 0 else seen.pair[upcard, slot])
                    _add(tally, where.of_hand[hand], upcard, weight, often, options, values, moves, judges)
