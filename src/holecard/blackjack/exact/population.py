"""Scores of many strategy tables at once: one pass over the hands carries a block of tables as lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.fixed import (
    DOUBLE,
    HIT,
    SHARES,
    SPLIT,
    STAND,
    SURRENDER,
    Cells,
    cells_of,
    first_options,
    play_of,
)
from holecard.blackjack.exact.hands import BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.nets import split_net, split_odds
from holecard.blackjack.exact.odds import ACTIONS, Odds
from holecard.blackjack.exact.outcomes import first_outcomes
from holecard.blackjack.exact.player import has_ended
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.strategy.letters import MAY_SPLIT, Letter

_SPLIT_LETTER = int(Letter.SPLIT)
BLOCK = 64
"""Tables in one pass: their orders of all hands fit the cache."""
RETURN, WIN, PUSH = range(3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Exact scores of t tables, in the order given."""

    ev: NDArray[np.float64]
    """(t,): expected net result per initial bet."""
    win: NDArray[np.float64] | None
    """(t,): P(win) of a round; `None` in games with splits, where it takes `score`."""
    push: NDArray[np.float64] | None
    """(t,): P(push)."""
    ev_by_upcard: NDArray[np.float64]
    """(t, 10): expected net result given the upcard; 0 for upcards not asked for."""
    win_by_upcard: NDArray[np.float64] | None
    """(t, 10)."""
    push_by_upcard: NDArray[np.float64] | None
    """(t, 10)."""

    @property
    def fitness(self) -> NDArray[np.float64]:
        """P(win) + P(push) / 2, shape (t,); in games without splits, doubles or bonuses this is (1 + ev) / 2."""
        if self.win is None or self.push is None:
            return (1.0 + self.ev) / 2.0
        return self.win + self.push / 2.0


def score_tables(odds: Odds, tables: NDArray[np.uint8], upcards: Sequence[int] | None = None) -> Scores:
    """Scores of tables of shape (t, 3, 4, 32, 10), over all upcards or some."""
    flat = np.ascontiguousarray(tables).reshape(len(tables), -1, N_VALUES)
    chosen = np.array(sorted(set(range(N_VALUES) if upcards is None else upcards)), np.int64)
    sums = np.zeros((3, len(tables), N_VALUES))
    win, push = first_outcomes(odds)
    later = np.stack([odds.returns.stand, (odds.returns.stand - odds.push) / 2.0, odds.push]) * odds.chance
    first = np.stack([np.where(odds.first == -np.inf, 0.0, odds.first), win, push])
    possible = np.all(odds.supply.step * odds.hands.cards <= odds.supply.counts, axis=1)
    _score_blocks(
        odds.hands, odds.table, odds.can_split, odds.hand_of, odds.pair_of, cells_of(odds.hands),
        odds.deal, odds.chance, np.ascontiguousarray(later.transpose(2, 1, 0)), first, possible, flat, chosen, sums,
    )  # fmt: skip
    if odds.table.max_hands > 1:
        _add_splits(odds, tables, chosen, sums[RETURN])
    shown = odds.supply.counts[chosen] / odds.supply.size
    weights = np.zeros(N_VALUES)
    weights[chosen] = shown / shown.sum() if shown.sum() > 0 else 0.0
    given = sums / np.where(odds.supply.counts > 0, odds.supply.counts / odds.supply.size, 1.0)
    ev_by_upcard = np.where(np.isin(np.arange(N_VALUES), chosen) & (odds.supply.counts > 0), given[RETURN] - 1.0, 0.0)
    whole = odds.table.max_hands == 1
    return Scores(
        ev=ev_by_upcard @ weights,
        win=given[WIN] @ weights if whole else None,
        push=given[PUSH] @ weights if whole else None,
        ev_by_upcard=ev_by_upcard,
        win_by_upcard=given[WIN] if whole else None,
        push_by_upcard=given[PUSH] if whole else None,
    )


def _add_splits(
    odds: Odds, tables: NDArray[np.uint8], upcards: NDArray[np.int64], returns: NDArray[np.float64]
) -> None:
    """Add what splits bring to `returns` (t, 10)."""
    forced = split_odds(odds, odds.stands, np.ones((N_VALUES, N_VALUES)))
    rows = np.flatnonzero(odds.pair_of >= 0)
    pairs = odds.pair_of[rows]
    for at, table in enumerate(tables):
        play = play_of(odds, table)
        shares = odds.deal[rows] * play.first[rows, :, SPLIT]
        if shares.any():
            settled = bool(np.isin(play.after.resplit, (0.0, 1.0)).all())
            ready = forced if settled else split_odds(odds, odds.stands, play.after.resplit)
            brought = shares * (split_net(odds, play.after, ready)[:, pairs].T + odds.returns.live[rows])
            returns[at, upcards] += brought.sum(axis=0)[upcards]


@kernel
def _score_blocks(
    hands: Hands,
    rules: TableRules,
    can_split: NDArray[np.bool_],
    hand_of: NDArray[np.int64],
    pair_of: NDArray[np.int64],
    where: Cells,
    deal: NDArray[np.float64],
    chance: NDArray[np.float64],
    later: NDArray[np.float64],
    first: NDArray[np.float64],
    possible: NDArray[np.bool_],
    tables: NDArray[np.uint8],
    upcards: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Add returns, wins and pushes of unsplit hands to `sums` (3, t, 10), times the upcard's probability."""
    codes = np.zeros((tables.shape[1], BLOCK), np.uint8)
    orders = np.zeros((len(hands.size), BLOCK))
    hits = np.zeros((tables.shape[1], BLOCK))
    totals, hit, worth = np.zeros((3, BLOCK)), np.zeros(BLOCK), np.zeros((3, ACTIONS))
    for start in range(0, len(tables), BLOCK):
        block = tables[start : start + BLOCK]
        for upcard in upcards:
            for cell in range(len(codes)):
                for lane in range(len(block)):
                    codes[cell, lane] = block[lane, cell, upcard]
                    hits[cell, lane] = SHARES[0, block[lane, cell, upcard], HIT]
            orders[:] = 0.0
            totals[:] = 0.0
            for row in range(FIRST_PAIRING, len(hand_of)):
                hand, pair = hand_of[row], pair_of[row]
                if deal[row, upcard] > 0.0:
                    options = first_options(hands, rules, can_split, hand, pair, upcard)
                    ways = deal[row, upcard] / chance[hand, upcard]
                    for kind in range(3):
                        for action in range(ACTIONS):
                            worth[kind, action] = first[kind, row, upcard, action] * deal[row, upcard]
                    _open_hand(hands, rules, where, codes, hand, pair, options, ways, worth, hit, orders, totals)
            for hand in range(hands.openings, len(hands.size)):
                if possible[hand]:
                    _carry_hand(hands, rules, hits[where.of_hand[hand]], hand, later[upcard, hand], hit, orders, totals)
            for lane in range(len(block)):
                for kind in range(3):
                    sums[kind, start + lane, upcard] = totals[kind, lane]


@rule
def _open_hand(
    hands: Hands,
    rules: TableRules,
    where: Cells,
    codes: NDArray[np.uint8],
    hand: int,
    pair: int,
    options: int,
    ways: float,
    worth: NDArray[np.float64],
    hit: NDArray[np.float64],
    orders: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    """Play a first hand: what ends there goes to `totals`, what is hit to `orders` of the hands it grows into.

    `worth` (3, 5) is what its actions bring, times its probability; a split brings nothing here.
    """
    if has_ended(hands.total[hand], 2, rules):
        for kind in range(3):
            for lane in range(BLOCK):
                totals[kind, lane] += worth[kind, STAND]
        return
    by_total = codes[where.of_hand[hand]]
    by_pair = codes[where.of_pair[pair]] if pair >= 0 else by_total
    for lane in range(BLOCK):
        code = by_total[lane] if by_pair[lane] == _SPLIT_LETTER and not options & MAY_SPLIT else by_pair[lane]
        shares = SHARES[options, code]
        hit[lane] = ways * shares[HIT]
        for kind in range(3):
            ended = shares[STAND] * worth[kind, STAND] + shares[DOUBLE] * worth[kind, DOUBLE]
            totals[kind, lane] += ended + shares[SURRENDER] * worth[kind, SURRENDER]
    _grow_all(hands, hand, hit, orders)


@rule
def _grow_all(hands: Hands, hand: int, hit: NDArray[np.float64], orders: NDArray[np.float64]) -> None:
    """Add the hits of all lanes to the hands that a hand grows into."""
    for value in range(N_VALUES):
        if hands.grown[hand, value] != BUST:
            there = orders[hands.grown[hand, value]]
            for lane in range(BLOCK):
                there[lane] += hit[lane]


@rule
def _carry_hand(
    hands: Hands,
    rules: TableRules,
    share: NDArray[np.float64],
    hand: int,
    worth: NDArray[np.float64],
    hit: NDArray[np.float64],
    orders: NDArray[np.float64],
    totals: NDArray[np.float64],
) -> None:
    """Play a hand of three or more cards in all lanes; `worth` (3,) is what a stand brings, `share` its cell's hits."""
    here = orders[hand]
    ended = has_ended(hands.total[hand], hands.size[hand], rules)
    returned, won, pushed = worth[0], worth[1], worth[2]
    for lane in range(BLOCK):
        hit[lane] = 0.0 if ended else here[lane] * share[lane]
        stood = here[lane] - hit[lane]
        totals[0, lane] += stood * returned
        totals[1, lane] += stood * won
        totals[2, lane] += stood * pushed
    if not ended:
        _grow_all(hands, hand, hit, orders)
