"""Scores of many strategy tables at once: one pass over the hands carries a block of tables as lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.fixed import (
    HIT,
    SPLIT,
    STAND,
    Cells,
    cells_of,
    first_options,
    play_of,
    share_actions,
    split_net,
    split_odds,
)
from holecard.blackjack.exact.hands import BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.odds import ACTIONS, Odds
from holecard.blackjack.exact.outcomes import first_outcomes
from holecard.blackjack.exact.player import has_ended
from holecard.blackjack.rules import TableRules
from holecard.blackjack.strategy import MAY_SPLIT, P

BLOCK = 32
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
    possible = (odds.hands.cards <= odds.supply.counts).all(axis=1) | (odds.supply.step == 0.0)
    _score_blocks(
        odds.hands, odds.table, odds.can_split, odds.hand_of, odds.pair_of, cells_of(odds.hands),
        odds.deal, odds.chance, np.ascontiguousarray(later.transpose(0, 2, 1)), first, possible, flat, chosen, sums,
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


def _add_splits(odds: Odds, tables: NDArray[np.uint8], upcards: NDArray[np.int64], returns: NDArray[np.float64]) -> None:
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
    n_cells = tables.shape[1]
    orders = np.zeros((len(hands.size), BLOCK))
    hits = np.zeros((n_cells, BLOCK))
    for start in range(0, len(tables), BLOCK):
        block = tables[start : start + BLOCK]
        for upcard in upcards:
            orders[:] = 0.0
            _open_tables(
                hands, rules, can_split, hand_of, pair_of, where, deal, chance, first, block, upcard, start, orders, sums
            )
            _set_hits(block, upcard, hits)
            _carry_tables(hands, rules, where, later[:, upcard], possible, hits, upcard, start, len(block), orders, sums)


@rule
def _set_hits(block: NDArray[np.uint8], upcard: int, hits: NDArray[np.float64]) -> None:
    """The share of hits of each cell and table, once a hand has three cards."""
    shares = np.zeros(ACTIONS)
    for lane in range(len(block)):
        for cell in range(hits.shape[0]):
            share_actions(block[lane, cell, upcard], 0, True, shares)
            hits[cell, lane] = shares[HIT]


@rule
def _open_tables(
    hands: Hands,
    rules: TableRules,
    can_split: NDArray[np.bool_],
    hand_of: NDArray[np.int64],
    pair_of: NDArray[np.int64],
    where: Cells,
    deal: NDArray[np.float64],
    chance: NDArray[np.float64],
    first: NDArray[np.float64],
    block: NDArray[np.uint8],
    upcard: int,
    start: int,
    orders: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Play first hands: what ends there goes to `sums`, what is hit to `orders` of the hands it grows into."""
    shares = np.zeros(ACTIONS)
    for row in range(FIRST_PAIRING, len(hand_of)):
        weight = deal[row, upcard]
        if weight == 0.0:
            continue
        hand, pair = hand_of[row], pair_of[row]
        ended = has_ended(hands.total[hand], 2, rules)
        options = first_options(hands, rules, can_split, hand, pair, upcard)
        for lane in range(len(block)):
            code = block[lane, where.of_hand[hand], upcard]
            if pair >= 0 and (block[lane, where.of_pair[pair], upcard] != P or options & MAY_SPLIT):
                code = block[lane, where.of_pair[pair], upcard]
            share_actions(code, options, not ended, shares)
            for action in range(STAND, ACTIONS):
                if shares[action] > 0.0 and action != SPLIT:
                    for kind in range(3):
                        sums[kind, start + lane, upcard] += weight * shares[action] * first[kind, row, upcard, action]
            if shares[HIT] > 0.0:
                ways = shares[HIT] * weight / chance[hand, upcard]
                for value in range(N_VALUES):
                    if hands.grown[hand, value] != BUST:
                        orders[hands.grown[hand, value], lane] += ways


@rule
def _carry_tables(
    hands: Hands,
    rules: TableRules,
    where: Cells,
    later: NDArray[np.float64],
    possible: NDArray[np.bool_],
    hits: NDArray[np.float64],
    upcard: int,
    start: int,
    tables: int,
    orders: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Play hands of three and more cards, all tables of a block side by side; `later` is (3, n)."""
    totals = np.zeros((3, BLOCK))
    hit = np.zeros(BLOCK)
    for hand in range(hands.openings, len(hands.size)):
        if not possible[hand]:
            continue
        ended = has_ended(hands.total[hand], hands.size[hand], rules)
        here, share = orders[hand], hits[where.of_hand[hand]]
        returned, won, pushed = later[0, hand], later[1, hand], later[2, hand]
        for lane in range(BLOCK):
            hit[lane] = 0.0 if ended else here[lane] * share[lane]
            stood = here[lane] - hit[lane]
            totals[0, lane] += stood * returned
            totals[1, lane] += stood * won
            totals[2, lane] += stood * pushed
        if not ended:
            for value in range(N_VALUES):
                grown = hands.grown[hand, value]
                if grown != BUST and possible[grown]:
                    there = orders[grown]
                    for lane in range(BLOCK):
                        there[lane] += hit[lane]
    for lane in range(tables):
        for kind in range(3):
            sums[kind, start + lane, upcard] += totals[kind, lane]
