"""Scores of many strategy charts at once: one pass over the hands carries a block of their columns as lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.chart_play import (
    ACTION_SHARES,
    DOUBLE,
    HIT,
    STAND,
    SURRENDER,
    ChartLines,
    chart_lines,
)
from holecard.blackjack.exact.first_hands import ACTIONS, FirstHands, first_options
from holecard.blackjack.exact.hands import BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.outcomes import first_outcomes
from holecard.blackjack.exact.population_splits import split_game, split_returns
from holecard.blackjack.exact.returns import has_ended
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.strategy.cell import LINES
from holecard.blackjack.strategy.letters import MAY_DOUBLE, MAY_SPLIT, Letter

_SPLIT_LETTER = int(Letter.SPLIT)
BLOCK = 64
"""Columns in one pass: their sequences to all hands fit the cache."""
RETURN, WIN, PUSH = range(3)
"""What is summed: the return, P(win), P(push)."""
SUMMED = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Exact scores of t charts, in the order given."""

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


class ScoredGame(NamedTuple):
    """What is the same for every chart: the hands, and what it brings to end each of them.

    What an end brings is three numbers: its return, its P(win) and its P(push).
    """

    hands: Hands
    """All unsplit hands."""
    rules: TableRules
    """The rules of the table."""
    first_hands: FirstHands
    """First hands, how likely they are and what they may do."""
    lines: ChartLines
    """The lines of a chart that decide."""
    first: NDArray[np.float64]
    """(3, o, 10, 5): what the actions of first hands bring; a split brings nothing here."""
    stand: NDArray[np.float64]
    """(10, n, 3): what a stand brings after one sequence of a hand's cards, times that sequence's probability."""
    double: NDArray[np.float64]
    """(10, n, 3): the same of a double; no hands where only two cards may be doubled."""
    doubles: NDArray[np.bool_]
    """(n,): hands that may be doubled."""
    sequence_probability: NDArray[np.float64]
    """(n, 10): as `Odds.sequence_probability`."""
    possible: NDArray[np.bool_]
    """(n,): hands for which the shoe holds the cards."""


class ChartBlock(NamedTuple):
    """Working space for a block of columns, one a lane."""

    codes: NDArray[np.uint8]
    """(384, `BLOCK`): their letters."""
    hit_shares: NDArray[np.float64]
    """(384, `BLOCK`): the share of hits of each letter, beyond two cards."""
    sequences: NDArray[np.float64]
    """(n, `BLOCK`): sequences that lead to each hand, times shares of play."""
    hit: NDArray[np.float64]
    """(`BLOCK`,): those of one hand that are hit."""
    totals: NDArray[np.float64]
    """(3, `BLOCK`): return, P(win) and P(push) so far."""
    payoffs: NDArray[np.float64]
    """(3, 5): what the actions of one first hand bring, times its probability."""


def score_charts(odds: Odds, charts: NDArray[np.uint8], upcards: Sequence[int] | None = None) -> Scores:
    """Scores of charts of shape (t, 3, 4, 32, 10), over all upcards or some.

    What a chart brings against an upcard depends on that column of it alone, so charts that share a column share that.
    """
    chosen = np.array(sorted(set(range(N_VALUES) if upcards is None else upcards)), np.int64)
    sums = np.zeros((SUMMED, len(charts), N_VALUES))
    flat = np.ascontiguousarray(charts, np.uint8).reshape(len(charts), LINES, N_VALUES)
    game, block = _scored_game(odds), _new_block(odds.hands)
    if odds.table_rules.max_hands == 1 or not len(flat):
        _score_blocks(game, flat, np.arange(len(flat)), chosen, block, sums)
        return _scores(odds, chosen, sums)
    splits = split_game(odds, flat)
    for at, upcard in enumerate(chosen):
        different, like = _different(flat, game.lines, upcard)
        brought = np.zeros((SUMMED, len(different), N_VALUES))
        _score_blocks(game, flat, different, chosen[at : at + 1], block, brought)
        brought[RETURN, :, upcard] += split_returns(splits, flat, different, upcard)
        sums[:, :, upcard] = brought[:, like, upcard]
    return _scores(odds, chosen, sums)


def _different(
    charts: NDArray[np.uint8], lines: ChartLines, upcard: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Charts (t, 384, 10) that play differently against an upcard, c of them, and which of these each chart is like.

    They are found by a sum that tells columns apart; if ever it did not, all would be taken for different.
    """
    read = np.unique(np.concatenate([lines.of_hand, lines.of_pair]))
    read = np.append(read, np.repeat(read[:1], -len(read) % 8))
    letters = np.ascontiguousarray(charts[:, read, upcard]).view(np.uint64)
    _, first, like = np.unique(letters @ _weights()[: letters.shape[1]], return_index=True, return_inverse=True)
    if (letters != letters[first[like]]).any():
        return np.arange(len(charts)), np.arange(len(charts))
    return first, like


@cache
def _weights() -> NDArray[np.uint64]:
    """(384,): weights by which columns are told apart; made when asked for, since loading numpy.random takes long."""
    return np.random.default_rng(0).integers(0, 1 << 64, LINES, np.uint64)


def _scored_game(odds: Odds) -> ScoredGame:
    returns = np.where(odds.first_returns == -np.inf, 0.0, odds.first_returns)
    stand = np.stack([odds.returns.stand, *odds.stand_outcomes]) * odds.sequence_probability
    double = np.zeros((SUMMED, 0, N_VALUES))
    if odds.table_rules.double_any_cards:
        double = np.stack([odds.returns.double, *odds.double_outcomes]) * odds.sequence_probability
    return ScoredGame(
        hands=odds.hands,
        rules=odds.table_rules,
        first_hands=odds.first_hands,
        lines=chart_lines(odds.hands),
        first=np.stack([returns, *first_outcomes(odds)]),
        stand=np.ascontiguousarray(stand.transpose(2, 1, 0)),
        double=np.ascontiguousarray(double.transpose(2, 1, 0)),
        doubles=odds.standing.doubles,
        sequence_probability=odds.sequence_probability,
        possible=np.all(odds.supply.depletion * odds.hands.cards <= odds.supply.counts, axis=1),
    )


def _scores(odds: Odds, chosen: NDArray[np.int64], sums: NDArray[np.float64]) -> Scores:
    """Scores from `sums` (3, t, 10), which are times the upcard's probability."""
    supply = odds.supply
    shown = supply.counts[chosen] / supply.size
    weights = np.zeros(N_VALUES)
    weights[chosen] = shown / shown.sum() if shown.sum() > 0 else 0.0
    given = sums / np.where(supply.counts > 0, supply.counts / supply.size, 1.0)
    counted = np.isin(np.arange(N_VALUES), chosen) & (supply.counts > 0)
    ev_by_upcard = np.where(counted, given[RETURN] - 1.0, 0.0)
    whole = odds.table_rules.max_hands == 1
    return Scores(
        ev=ev_by_upcard @ weights,
        win=given[WIN] @ weights if whole else None,
        push=given[PUSH] @ weights if whole else None,
        ev_by_upcard=ev_by_upcard,
        win_by_upcard=given[WIN] if whole else None,
        push_by_upcard=given[PUSH] if whole else None,
    )


def _new_block(hands: Hands) -> ChartBlock:
    return ChartBlock(
        np.zeros((LINES, BLOCK), np.uint8),
        np.zeros((LINES, BLOCK)),
        np.zeros((len(hands.size), BLOCK)),
        np.zeros(BLOCK),
        np.zeros((SUMMED, BLOCK)),
        np.zeros((SUMMED, ACTIONS)),
    )


@lean_kernel
def _score_blocks(
    game: ScoredGame,
    charts: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    upcards: NDArray[np.int64],
    block: ChartBlock,
    sums: NDArray[np.float64],
) -> None:
    """Set returns, wins and pushes of unsplit hands of c chosen charts, (3, c, 10), times the upcard's probability."""
    hands = game.hands
    for start in range(0, len(chosen), BLOCK):
        lanes = chosen[start : start + BLOCK]
        for upcard in upcards:
            _set_block(charts, lanes, upcard, block)
            _play_first_hands(game, upcard, block)
            for hand in range(hands.openings, len(hands.size)):  # fewer cards first: a hand's sequences are all there
                if game.possible[hand]:
                    _play_later(game, upcard, hand, block)
            for lane in range(len(lanes)):
                for kind in range(SUMMED):
                    sums[kind, start + lane, upcard] = block.totals[kind, lane]


@rule
def _set_block(charts: NDArray[np.uint8], chosen: NDArray[np.int64], upcard: int, block: ChartBlock) -> None:
    """Begin a block: the letters of the charts' columns, and nothing played."""
    for line in range(LINES):
        for lane in range(len(chosen)):
            block.codes[line, lane] = charts[chosen[lane], line, upcard]
            block.hit_shares[line, lane] = ACTION_SHARES[0, charts[chosen[lane], line, upcard], HIT]
    block.sequences[:] = 0.0
    block.totals[:] = 0.0


@rule
def _play_first_hands(game: ScoredGame, upcard: int, block: ChartBlock) -> None:
    """Play the first hands against an upcard: what ends goes to the totals, hits to the hands they grow into."""
    hands, rules, first_hands, payoffs = game.hands, game.rules, game.first_hands, block.payoffs
    for row in range(FIRST_PAIRING, len(first_hands.hand)):
        hand, probability = first_hands.hand[row], first_hands.probability[row, upcard]
        if probability > 0.0:
            for kind in range(SUMMED):
                for action in range(ACTIONS):
                    payoffs[kind, action] = game.first[kind, row, upcard, action] * probability
            if has_ended(hands.total[hand], 2, rules):
                for kind in range(SUMMED):
                    for lane in range(BLOCK):
                        block.totals[kind, lane] += payoffs[kind, STAND]
            else:
                options = first_options(hands, rules, first_hands, row, upcard)
                sequences = probability / game.sequence_probability[hand, upcard]
                _choose_first(game.lines, hand, first_hands.pair[row], options, sequences, block)
                _add_hits(hands, hand, block)


@rule
def _choose_first(lines: ChartLines, hand: int, pair: int, options: int, sequences: float, block: ChartBlock) -> None:
    """Play a first hand that comes in so many sequences in all lanes."""
    by_total, payoffs = block.codes[lines.of_hand[hand]], block.payoffs
    by_pair = block.codes[lines.of_pair[pair]] if pair >= 0 else by_total
    for lane in range(BLOCK):
        code = by_total[lane] if by_pair[lane] == _SPLIT_LETTER and not options & MAY_SPLIT else by_pair[lane]
        shares = ACTION_SHARES[options, code]
        block.hit[lane] = sequences * shares[HIT]
        for kind in range(SUMMED):
            ended = shares[STAND] * payoffs[kind, STAND] + shares[DOUBLE] * payoffs[kind, DOUBLE]
            block.totals[kind, lane] += ended + shares[SURRENDER] * payoffs[kind, SURRENDER]


@rule
def _play_later(game: ScoredGame, upcard: int, hand: int, block: ChartBlock) -> None:
    """Play a hand of three or more cards in all lanes."""
    here, hit_share = block.sequences[hand], block.hit_shares[game.lines.of_hand[hand]]
    ended = has_ended(game.hands.total[hand], game.hands.size[hand], game.rules)
    stand = game.stand[upcard, hand]
    returned, won, pushed = stand[RETURN], stand[WIN], stand[PUSH]
    if game.rules.double_any_cards and game.doubles[hand]:
        _play_double(game, upcard, hand, block)
        _add_hits(game.hands, hand, block)
        return
    for lane in range(BLOCK):
        block.hit[lane] = 0.0 if ended else here[lane] * hit_share[lane]
        stood = here[lane] - block.hit[lane]
        block.totals[RETURN, lane] += stood * returned
        block.totals[WIN, lane] += stood * won
        block.totals[PUSH, lane] += stood * pushed
    if not ended:
        _add_hits(game.hands, hand, block)


@rule
def _play_double(game: ScoredGame, upcard: int, hand: int, block: ChartBlock) -> None:
    """Play a hand of three or more cards that may be doubled in all lanes; hits are left in `block.hit`."""
    codes, stand, double = block.codes[game.lines.of_hand[hand]], game.stand[upcard, hand], game.double[upcard, hand]
    for lane in range(BLOCK):
        shares, here = ACTION_SHARES[MAY_DOUBLE, codes[lane]], block.sequences[hand, lane]
        block.hit[lane] = here * shares[HIT]
        for kind in range(SUMMED):
            ended = shares[STAND] * stand[kind] + shares[DOUBLE] * double[kind]
            block.totals[kind, lane] += here * ended


@rule
def _add_hits(hands: Hands, hand: int, block: ChartBlock) -> None:
    """Add the hits of all lanes to the hands that a hand grows into."""
    for value in range(N_VALUES):
        if hands.grown[hand, value] != BUST:
            there = block.sequences[hands.grown[hand, value]]
            for lane in range(BLOCK):
                there[lane] += block.hit[lane]
