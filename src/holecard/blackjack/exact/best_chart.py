"""The best total-dependent chart: a letter per total and upcard; pairs follow their total unless split or surrendered.

Found by ascent on the exact EV, each upcard for itself: change the one cell that gains most, until none gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart_play import Play, play_of
from holecard.blackjack.exact.hands import BUST, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import split_probability, value_of_play
from holecard.blackjack.exact.split_net import SplitCoefficients, split_net
from holecard.blackjack.exact.tally import tally_hands, tally_splits
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import NO_SURRENDER
from holecard.blackjack.strategy.cell import CARDS_HELD, KINDS, ROWS, Kind, line_index
from holecard.blackjack.strategy.letters import DOUBLE_LETTERS, LETTERS, SURRENDER_LETTERS, Letter
from holecard.blackjack.strategy.strategy import Strategy

MIN_GAIN: Final = 1e-15
"""Smaller gains are rounding."""
MAX_CHANGES: Final = 400
"""Far beyond the number of cells of one upcard that can change."""


@dataclass(slots=True, eq=False)
class Draft:
    """A chart in the making: codes by total and upcard, and what pairs do."""

    totals: NDArray[np.uint8]
    """(64, 10): hard totals 0 … 31, then soft ones."""
    pairs: NDArray[np.uint8]
    """(10, 10): by pair card and upcard, `P`, `R`, or `FOLLOW` for what the total says."""

    def strategy(self, odds: Odds, name: str = "") -> Strategy:
        """The draft as a strategy."""
        limit, bonus = odds.table_rules.limit, odds.table_rules.ace_bonus
        plain = Strategy.from_rows(self.totals[:ROWS], self.totals[ROWS:], limit=limit, ace_bonus=bonus)
        cells = plain.cells.copy()
        for pair in range(N_VALUES):
            row = cells[:, Kind.PAIR, 2 * (pair + 1)]
            row[:] = np.where(self.pairs[pair] == FOLLOW, row, self.pairs[pair])
        return Strategy(cells, name=name, limit=limit, ace_bonus=bonus)


FOLLOW: Final = 255
_PAIR_LETTERS: Final = (FOLLOW, Letter.SPLIT, Letter.SURRENDER_ELSE_HIT)


def best_chart(
    odds: Odds, coefficients: SplitCoefficients, optimum: Play, first_returns: NDArray[np.float64]
) -> Strategy:
    """The best total-dependent chart; `optimum` and its `first_returns` (o, 10, 5) are where the search starts.

    `coefficients` are those of a split's net when every pair is split again.
    """
    letters = _letter_returns(odds, optimum, coefficients, first_returns)
    allowed, pairs = _allowed_letters(odds), _split_pairs(odds, optimum)
    draft = Draft(_best_letters(_by_total(odds, letters, pairs == FOLLOW), allowed), pairs)
    for _ in range(MAX_CHANGES):
        play = play_of(odds, draft.strategy(odds).cells)
        net = np.zeros((N_VALUES, N_VALUES))
        if odds.table_rules.max_hands > 1:
            net = split_net(odds, play.after_split, coefficients)
        letters = _letter_returns(odds, play, coefficients, odds.with_splits(net))
        if not _change_best(odds, draft, letters, allowed):
            break
    _fill_unvisited(odds, draft, letters, allowed)
    return draft.strategy(odds)


def _split_pairs(odds: Odds, optimum: Play) -> NDArray[np.uint8]:
    """`Draft.pairs` to start from: the optimum's splits. Each spares the search a round."""
    pairs = np.full((N_VALUES, N_VALUES), FOLLOW, np.uint8)
    for pair in range(N_VALUES):
        hand = odds.hands.find((pair, pair))
        if hand != BUST:
            pairs[pair, optimum.first[hand, :, Action.SPLIT] > 0.0] = Letter.SPLIT
    return pairs


def _letter_returns(
    odds: Odds, play: Play, coefficients: SplitCoefficients, first_returns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What each letter would return in each cell under a play, shape (384, 10, 8)."""
    sequences = value_of_play(odds, play, net=np.zeros((N_VALUES, N_VALUES))).sequences
    letters = tally_hands(odds, play, play, sequences, first_returns).letter_returns
    if odds.table_rules.max_hands > 1:
        after = tally_splits(odds, play, play, split_probability(odds, play), coefficients)
        letters = letters + after.letter_returns
    return letters


def _by_total(odds: Odds, letters: NDArray[np.float64], follow: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Letter values by total, shape (64, 10, 8), with the pairs that `follow` (by pair and upcard) their total."""
    cells = letters.reshape(len(CARDS_HELD), KINDS, ROWS, N_VALUES, len(LETTERS)).sum(axis=0)
    totals = np.concatenate([cells[Kind.HARD] + cells[Kind.HARD_ACE], cells[Kind.SOFT]])
    for pair in range(N_VALUES):
        if odds.hands.find((pair, pair)) != BUST:
            totals[_total_row(odds, pair)] += cells[Kind.PAIR, 2 * (pair + 1)] * follow[pair][:, None]
    return totals


def _total_row(odds: Odds, pair: int) -> int:
    """The row of `Draft.totals` that a pair follows."""
    hand = odds.hands.find((pair, pair))
    return int(odds.hands.total[hand] + (ROWS if odds.hands.soft[hand] else 0))


def _allowed_letters(odds: Odds) -> NDArray[np.bool_]:
    """Which letters make sense, bool of shape (64, 8): no stand where a card cannot hurt, nothing the rules forbid."""
    rules = odds.table_rules
    allowed = np.zeros((2 * ROWS, len(LETTERS)), np.bool_)
    allowed[:, [Letter.HIT, Letter.STAND]] = True
    allowed[:, DOUBLE_LETTERS] = rules.double_low <= rules.double_high
    allowed[:, SURRENDER_LETTERS] = rules.surrender != NO_SURRENDER
    total = np.tile(np.arange(ROWS), 2)
    pips = total - np.repeat([0, rules.ace_bonus], ROWS)
    never_stands = (total < rules.target) & (pips + N_VALUES <= rules.limit)
    allowed[np.ix_(never_stands, [Letter.STAND, Letter.DOUBLE_ELSE_STAND, Letter.SURRENDER_ELSE_STAND])] = False
    return allowed


def _best_letters(values: NDArray[np.float64], allowed: NDArray[np.bool_]) -> NDArray[np.uint8]:
    ranked = np.where(allowed[:, None, :], values, -np.inf)
    return ranked.argmax(axis=2).astype(np.uint8)


def _change_best(odds: Odds, draft: Draft, letters: NDArray[np.float64], allowed: NDArray[np.bool_]) -> bool:
    """Change, for each upcard, the cell that gains most; false if no cell gains."""
    values = np.where(allowed[:, None, :], _by_total(odds, letters, draft.pairs == FOLLOW), -np.inf)
    now = np.take_along_axis(values, draft.totals[:, :, None].astype(np.int64), axis=2)[:, :, 0]
    gains = values.max(axis=2) - now
    pair_values, pair_gains = _pair_gains(odds, draft, letters)
    changed = False
    for upcard in range(N_VALUES):
        total, pair = int(gains[:, upcard].argmax()), int(pair_gains[:, upcard].argmax())
        if max(gains[total, upcard], pair_gains[pair, upcard]) <= MIN_GAIN:
            continue
        changed = True
        if gains[total, upcard] >= pair_gains[pair, upcard]:
            draft.totals[total, upcard] = values[total, upcard].argmax()
        else:
            draft.pairs[pair, upcard] = _PAIR_LETTERS[int(pair_values[pair, upcard].argmax())]
    return changed


def _pair_gains(
    odds: Odds, draft: Draft, letters: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What a pair brings if it follows its total, splits, surrenders, shape (10, 10, 3); and the best change's gain."""
    values = np.full((N_VALUES, N_VALUES, 3), -np.inf)
    gains = np.zeros((N_VALUES, N_VALUES))
    upcards = np.arange(N_VALUES)
    for pair in range(N_VALUES):
        hand = odds.hands.find((pair, pair))
        if hand == BUST or odds.standing.ended[hand]:
            continue
        by_letter = letters[line_index(0, Kind.PAIR, 2 * (pair + 1))]
        values[pair, :, 0] = by_letter[upcards, draft.totals[_total_row(odds, pair)]]
        values[pair, :, 1] = np.where(odds.first_hands.can_split[:, pair], by_letter[:, Letter.SPLIT], -np.inf)
        # A game without splits has no pair row.
        if odds.table_rules.surrender != NO_SURRENDER and odds.table_rules.max_hands > 1:
            values[pair, :, 2] = by_letter[:, Letter.SURRENDER_ELSE_HIT]
        now = np.select([draft.pairs[pair] == FOLLOW, draft.pairs[pair] == Letter.SPLIT], [0, 1], 2)
        gains[pair] = values[pair].max(axis=1) - values[pair, upcards, now]
    return values, gains


def _fill_unvisited(odds: Odds, draft: Draft, letters: NDArray[np.float64], allowed: NDArray[np.bool_]) -> None:
    """Give cells that never come up the letter their own pair would play if it followed its total."""
    visited = np.abs(_by_total(odds, letters, draft.pairs == FOLLOW)).max(axis=2) > 0
    as_pairs = _by_total(odds, letters, np.ones((N_VALUES, N_VALUES), np.bool_))
    draft.totals = np.where(visited, draft.totals, _best_letters(as_pairs, allowed)).astype(np.uint8)
