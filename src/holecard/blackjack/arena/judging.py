"""Every decision of an agent judged exactly: what it cost, where, and what the agent is worth.

A decision costs what the optimum would have gained there if both played on optimally, a number that the exact solver
knows. Those costs, plus what became of hands that were split, add up to what an agent loses against the optimum, as
`score`'s leaks do for a chart; only which decisions come up is left to chance. Against a yardstick whose exact EV is
known, on the same cards, most of that chance cancels too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact import Leak, Solution, optimum
from holecard.blackjack.exact.worth import evs_of_returns, insurance_evs, unsplit_returns
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game, View
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import agent_seed, session_seed
from holecard.blackjack.players.chart_agent import cell_of
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.protocol import Agent, BettingAgent
from holecard.blackjack.players.registry import make_agent
from holecard.blackjack.strategy.cell import INSURANCE, Cell, Insurance
from holecard.errors import SettingError
from holecard.estimate import Estimate
from holecard.executor import in_order

SESSION: Final = 100
"""Rounds that one agent plays before the next of its kind sits down."""
Values = dict[Action, float]


@dataclass(slots=True)
class _Decisions:
    """What happened in one cell of the chart."""

    cost: float
    played: NDArray[np.int64]
    """Decisions by action played, (7)."""
    best: NDArray[np.int64]
    """Decisions by the action that was best, (7)."""


_ByCell = dict[Cell | Insurance, _Decisions]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judgement:
    """What an agent did over many rounds, each from a fresh shoe."""

    name: str
    rules: Rules
    costs: NDArray[np.float64]
    """What each round's decisions cost against the optimum, in initial bets, (rounds)."""
    after_splits: NDArray[np.float64]
    """What each round's split was worth, less what it brought; 0 where nothing was split, (rounds)."""
    decisions: int
    """Decisions taken."""
    thought: float
    """CPU seconds that the agent took for them."""
    leaks: tuple[Leak, ...]
    """Every cell with decisions before a split, costliest first; `plays` is what the agent did there most often."""

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.costs)

    @property
    def decision_cost(self) -> Estimate:
        """The cost per round of all decisions before a split."""
        return _mean_of(self.costs)

    def ev(self, yardstick: Judgement, exact: float) -> Estimate:
        """The EV per initial bet, given a player of known exact EV who has played the same rounds."""
        if yardstick.rounds != self.rounds:
            raise SettingError(f"a yardstick plays the same {self.rounds:,} rounds; got {yardstick.rounds:,}")
        ahead = yardstick.costs + yardstick.after_splits - self.costs - self.after_splits
        gain = _mean_of(ahead)
        return Estimate(mean=exact + gain.mean, stderr=gain.stderr, n=gain.n)


def judge(
    name: str,
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    options: AgentOptions | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Judgement:
    """Let the agent of that name play so many fresh rounds of a seed, and judge every decision exactly."""
    if rules.shoe != "fresh":
        raise SettingError("exact values are those of a fresh shoe each round; use --shoe fresh")
    if rounds < 2:
        raise SettingError(f"rounds must be 2 or more; got {rounds}")
    play = partial(_sheet, name, rules, rounds, seed, options)
    sheets, done = [], 0
    for sheet in in_order(play, range(-(-rounds // SESSION)), threads=threads, executor=executor):
        sheets.append(sheet)
        done += len(sheet.costs)
        progress(done)
    return Judgement(
        name=name,
        rules=rules,
        costs=np.concatenate([sheet.costs for sheet in sheets]),
        after_splits=np.concatenate([sheet.after_splits for sheet in sheets]),
        decisions=sum(sheet.decisions for sheet in sheets),
        thought=sum(sheet.thought for sheet in sheets),
        leaks=_leaks([sheet.cells for sheet in sheets], rounds),
    )


def _sheet(name: str, rules: Rules, rounds: int, seed: int, options: AgentOptions | None, number: int) -> _Sheet:
    """What a session of an agent came to; everything it takes can travel."""
    agent = make_agent(name, rules, seed=agent_seed(seed, number), options=options)
    length = min(SESSION, rounds - number * SESSION)
    return _played(agent, _scale_of(rules), rules, session_seed(seed, number), length)


@lru_cache(maxsize=4)
def _scale_of(rules: Rules) -> _Scale:
    return _Scale(optimum(rules))


class _Scale:
    """What every action is worth in a decision before a split, per initial bet, then playing on optimally."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._known: dict[tuple[object, ...], Values] = {}

    def values(self, view: View) -> Values:
        """The EV of every legal action, as the player faces it; see `exact.worth`."""
        cards = tuple(sorted(value_of(card) - 1 for card in view.cards))
        key = (cards, view.upcard, view.legal_bits)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._weighed(cards, view)
        return found

    def _weighed(self, cards: tuple[int, ...], view: View) -> Values:
        odds, upcard = self.solution.odds, view.upcard - 1
        hand = odds.hands.find(cards)
        returns = unsplit_returns(odds, self.solution.first_returns, hand, upcard)
        if view.legal_bits >> Action.INSURE & 1:
            return insurance_evs(odds, hand, upcard, max(returns.values()))
        in_play = float(odds.in_play[len(cards) == 2][hand, upcard])
        return evs_of_returns({action: returns[action] for action in view.legal}, in_play)


@dataclass(slots=True)
class _Sheet:
    """The notes of one session."""

    costs: NDArray[np.float64]
    after_splits: NDArray[np.float64]
    cells: _ByCell
    decisions: int = 0
    thought: float = 0.0


def _played(agent: Agent, scale: _Scale, rules: Rules, seed: int, rounds: int) -> _Sheet:
    sheet = _Sheet(costs=np.zeros(rounds), after_splits=np.zeros(rounds), cells={})
    game = Game(rules, seed=seed)
    for number in range(rounds):
        split_worth: float | None = None
        if isinstance(agent, BettingAgent):  # it is asked, as at any table; what a decision costs is per initial bet
            agent.bet(game.table_view())
        view = game.deal()
        while view is not None:
            start = time.thread_time()
            action = agent.act(view)
            sheet.thought += time.thread_time() - start
            sheet.decisions += 1
            if split_worth is None:
                values = scale.values(view)
                cost = max(values.values()) - values[action]
                sheet.costs[number] += cost
                _note(sheet.cells, view, action, max(values, key=values.__getitem__), cost, rules)
                split_worth = values[action] if action == Action.SPLIT else None
            view = game.apply(action)
        if split_worth is not None:
            sheet.after_splits[number] = split_worth - (game.net - _insurance(game, rules))
    return sheet


def _insurance(game: Game, rules: Rules) -> float:
    """What insurance brought in the round just played; its worth has been judged already."""
    if not rules.insurance:
        return 0.0
    record = game.record()
    if not record.insured:
        return 0.0
    natural = sorted(value_of(card) for card in record.dealer[:2]) == [1, 10]
    return 1.0 if natural else -0.5


def _note(cells: _ByCell, view: View, action: Action, best: Action, cost: float, rules: Rules) -> None:
    insuring = action in (Action.INSURE, Action.DECLINE)
    cell = INSURANCE if insuring else cell_of(view, rules.ace_bonus).by_total
    known = cells.get(cell)
    if known is None:
        known = cells[cell] = _Decisions(0.0, np.zeros(len(Action), np.int64), np.zeros(len(Action), np.int64))
    known.cost += cost
    known.played[action] += 1
    known.best[best] += 1


def _leaks(parts: Iterable[_ByCell], rounds: int) -> tuple[Leak, ...]:
    whole: _ByCell = {}
    for cells in parts:
        for cell, decisions in cells.items():
            if cell in whole:
                whole[cell].cost += decisions.cost
                whole[cell].played += decisions.played
                whole[cell].best += decisions.best
            else:
                whole[cell] = decisions
    leaks = [
        Leak(
            cell=cell,
            plays=_most_frequent(decisions.played),
            best=_most_frequent(decisions.best),
            frequency=int(decisions.played.sum()) / rounds,
            cost=decisions.cost / rounds,
        )
        for cell, decisions in whole.items()
    ]
    return tuple(sorted(leaks, key=lambda leak: (-leak.cost, str(leak.cell))))


def _most_frequent(counts: NDArray[np.int64]) -> str:
    """The letter of the action counted most; insurance has none and goes by its word."""
    action = Action(int(counts.argmax()))
    return action.letter or action.word


def _mean_of(sample: NDArray[np.float64]) -> Estimate:
    return Estimate.from_sums(float(sample.sum()), float((sample * sample).sum()), len(sample))
