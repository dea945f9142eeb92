"""How good a strategy chart is, exactly: its EV, its outcomes, and where it leaks.

The leaks add up to the regret. A decision that the chart takes costs what the optimum would have gained *there* if both
played on optimally: Σ over decisions of P(the chart gets there) × (optimal return − return of the chart's action,
then playing optimally). Split hands are judged the same way against the optimum's zero-memory play; that play is not
itself re-optimised after a split, so a leak can be slightly negative there. What a chart loses by not splitting a
pair again counts in its pair cell, and insurance that it should have taken is a leak of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart_play import Play, play_of
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.memory import ALWAYS
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.outcomes import Outcomes, outcomes_of
from holecard.blackjack.exact.play_value import split_probability, value_of_play
from holecard.blackjack.exact.population import Scores, score_charts
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.exact.split_net import frequency_coefficients, net_coefficients, split_net
from holecard.blackjack.exact.tally import Tally, tally_hands, tally_splits
from holecard.blackjack.exact.worth import insurance_gain
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.cell import (
    CARDS_HELD,
    INSURANCE,
    LINES,
    ROWS,
    SHAPE,
    Cell,
    Insurance,
    Kind,
    cell_of_line,
    line_index,
)
from holecard.blackjack.strategy.letters import DOUBLE_LETTERS, SURRENDER_LETTERS, Letter
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy
from holecard.errors import ChartError


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """What one cell of a chart loses against the optimum."""

    cell: Cell | Insurance
    """Which: `hard 16 v 10`, `soft A7 v 9`, `pair 88 v A`; `hard@3 …` where the number of cards matters."""
    plays: str
    """The chart's letter."""
    best: str
    """The letter that brings most there; the chart's own if only single hands of the cell deserve another."""
    frequency: float
    """How often a round brings the decision."""
    cost: float
    """What it costs per round, in initial bets."""

    def as_json(self) -> dict[str, Any]:
        """The leak as JSON has it, the cell as text."""
        return {
            "cell": str(self.cell),
            "plays": self.plays,
            "best": self.best,
            "frequency": self.frequency,
            "cost": self.cost,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Score:
    """A strategy chart against the optimum of a game. EVs are per initial bet."""

    odds: Odds
    """The game."""
    play: Play
    """What the chart does in it."""

    ev: float
    """Expected net result."""
    optimal_ev: float
    """The composition-dependent optimum (zero-memory)."""
    leaks: tuple[Leak, ...]
    """Every cell with a cost, costliest first; the costs add up to the regret."""

    @cached_property
    def outcomes(self) -> Outcomes:
        """P(win), P(push), P(lose) by the sign of a round's net result, and its standard deviation; made when asked."""
        return outcomes_of(self.odds, self.play)

    @property
    def regret(self) -> float:
        """What the chart loses against the optimum: `optimal_ev − ev`."""
        return self.optimal_ev - self.ev

    @property
    def fitness(self) -> float:
        """P(win) + P(push) / 2."""
        return self.outcomes.win + self.outcomes.push / 2.0


@lru_cache(maxsize=4)
def optimum(rules: Rules, deck: Composition | None = None) -> Solution:
    """The zero-memory solution of a game, kept for the last few games."""
    return solve(rules, deck=deck)


def score(strategy: Strategy, rules: Rules, *, deck: Composition | None = None) -> Score:
    """The exact score of a chart in a game dealt from a full shoe, or from `deck`."""
    _check_fit(strategy, rules)
    best = optimum(rules, deck)
    play = play_of(best.odds, strategy.cells)
    value = value_of_play(best.odds, play)
    return Score(
        odds=best.odds,
        play=play,
        ev=value.ev,
        optimal_ev=best.ev,
        leaks=_leaks(strategy, best, play, value.sequences),
    )


def ev_of_strategy(strategy: Strategy, rules: Rules) -> float:
    """The exact EV of a chart and nothing else: a millisecond where `score` takes many."""
    odds = optimum(rules).odds
    return value_of_play(odds, play_of(odds, strategy.cells)).ev


def score_many(
    charts: Iterable[Strategy] | NDArray[np.uint8],
    rules: Rules,
    *,
    deck: Composition | None = None,
    upcards: Sequence[int] | None = None,
) -> Scores:
    """The exact scores of many charts: strategies, cells of shape (t, 3, 4, 32, 10), or 260-bit genomes (t, 260).

    With `upcards` (0 = ace … 9 = ten) only those columns are played and the totals are over those rounds.
    """
    return score_charts(optimum(rules, deck).odds, _as_cells(charts), upcards)


def _as_cells(charts: Iterable[Strategy] | NDArray[np.uint8]) -> NDArray[np.uint8]:
    if not isinstance(charts, np.ndarray):
        return np.stack([chart.cells for chart in charts])
    if charts.ndim == 2 and charts.shape[1] == GENOME_BITS:
        return _genome_cells(charts)
    if charts.shape[1:] != SHAPE:
        raise ChartError(f"charts have shape (t, {GENOME_BITS}) or (t, {SHAPE}); got {charts.shape}")
    return charts


def _genome_cells(genomes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What `Strategy.from_genome` makes of each row, all at once."""
    places = Strategy.from_genome(np.zeros(GENOME_BITS, np.uint8)).cells
    cells = np.broadcast_to(places, (len(genomes), *SHAPE)).copy()
    codes = np.where(genomes == 1, 0, 1).astype(np.uint8).reshape(-1, GENOME_BITS // N_VALUES, N_VALUES)
    cells[:, :, Kind.HARD, 4:21] = cells[:, :, Kind.HARD_ACE, 4:21] = codes[:, None, :17]
    cells[:, :, Kind.SOFT, 12:21] = codes[:, None, 17:]
    cells[:, :, Kind.PAIR, 4:21:2] = codes[:, None, 0:17:2]
    cells[:, :, Kind.PAIR, 2] = codes[:, None, 17]
    return cells


def _check_fit(strategy: Strategy, rules: Rules) -> None:
    if (strategy.limit, strategy.ace_bonus) != (rules.limit, rules.ace_bonus):
        raise ChartError(
            f"the strategy is for limit {strategy.limit} and ace bonus {strategy.ace_bonus}; "
            f"the rules have {rules.limit} and {rules.ace_bonus}"
        )


def _leaks(strategy: Strategy, best: Solution, play: Play, sequences: NDArray[np.float64]) -> tuple[Leak, ...]:
    odds = best.odds
    tally = tally_hands(odds, play, best.play, sequences, best.first_returns)
    split, not_resplit = split_probability(odds, play), np.zeros((N_VALUES, N_VALUES))
    if split.any():
        resplit = play.after_split.resplit
        coefficients = net_coefficients(odds, odds.stands, resplit)
        frequencies = frequency_coefficients(odds, resplit)
        after = tally_splits(odds, play, best.play, split, coefficients, frequencies)
        tally = Tally(*(one + other for one, other in zip(tally, after, strict=True)))
        always = split_net(odds, best.after_split, net_coefficients(odds, odds.stands, ALWAYS))
        not_resplit = split * (always - split_net(odds, best.after_split, coefficients))
    costs = tally.reference_returns - tally.played_returns
    for pair in range(N_VALUES):
        costs[line_index(0, Kind.PAIR, 2 * (pair + 1))] += not_resplit[:, pair]
    leaks = _merge_cells(strategy, best.rules, tally, costs)
    insured = insurance_gain(odds)
    if insured > 0.0:
        frequency = float(odds.first_hands.probability[:, 0].sum())
        plays, best_play = Action.DECLINE.word, Action.INSURE.word
        leaks.append(Leak(cell=INSURANCE, plays=plays, best=best_play, frequency=frequency, cost=insured))
    return tuple(sorted(leaks, key=lambda leak: -leak.cost))


def _merge_cells(strategy: Strategy, rules: Rules, tally: Tally, costs: NDArray[np.float64]) -> list[Leak]:
    """One leak for each chart cell with a cost; cells that differ by number of cards or by an ace held stay apart."""
    visited, codes = (tally.frequency != 0.0).tolist(), strategy.cells.reshape(LINES, N_VALUES).tolist()
    leaks = []
    for kinds, row in product(((Kind.HARD, Kind.HARD_ACE), (Kind.SOFT,), (Kind.PAIR,)), range(ROWS)):
        lines = [line_index(held, kind, row) for held, kind in product(range(len(CARDS_HELD)), kinds)]
        allowed = [letter for letter in Letter if makes_sense(letter, kinds[0], rules)]
        for upcard in range(N_VALUES):
            members = [line for line in lines if visited[line][upcard]]
            alike = len({codes[line][upcard] for line in members}) == 1
            for group in [members] if alike else [[line] for line in members]:
                if (cost := float(costs[group, upcard].sum())) != 0.0:
                    cell = Cell.at(cell_of_line(group[0], upcard), ace_bonus=rules.ace_bonus)
                    leaks.append(_leak(strategy[cell], allowed, tally, group, cell.by_total if alike else cell, cost))
    return leaks


def _leak(plays: Letter, allowed: list[Letter], tally: Tally, lines: list[int], cell: Cell, cost: float) -> Leak:
    """The leak of a chart cell that stands for the cells of some lines, in which the strategy says the same."""
    letters = tally.letter_returns[lines, cell.upcard].sum(axis=0)
    best = max(allowed, key=lambda letter: letters[letter] + (1e-15 if letter == plays else 0.0))
    frequency = float(tally.frequency[lines, cell.upcard].sum())
    return Leak(cell=cell, plays=plays.letter, best=best.letter, frequency=frequency, cost=cost)


def makes_sense(letter: Letter, kind: Kind, rules: Rules) -> bool:
    """True if the rules let a hand of this kind do what the letter asks for first."""
    if letter == Letter.SPLIT:
        return kind == Kind.PAIR and rules.max_hands > 1
    if letter in DOUBLE_LETTERS:
        return rules.double != "none"
    if letter in SURRENDER_LETTERS:
        return rules.surrender != "none"
    return letter != Letter.ANY
