"""Agents judged over sessions: each plays the same shoes, on all cores, with the same result on any number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import ceil
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.arena.metrics import Difference, Interval, Sample, paired_difference, ratio_interval, wilson
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.session_batch import RESULT, SessionBatch
from holecard.blackjack.game.session_terms import SessionTerms, agent_seed
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.protocol import Agent, BatchAgent, BatchBettingAgent, BettingAgent, StrategyAgent
from holecard.blackjack.players.registry import make_agent
from holecard.errors import SettingError
from holecard.executor import in_order, job_size, thread_count

MAX_GAMES: Final = 10**8
_BATCH: Final = 1024
"""Sessions played in step at most; agents that think decision by decision get one session to a job."""
Part = tuple[NDArray[np.void], float]
"""Results of sessions, and the seconds their decisions took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """How an agent did. Payouts are in base bets, net profit in money."""

    name: str
    sessions: NDArray[np.void]
    """Every session's RESULT, shape (games,)."""
    unit: int
    """Chips to a base bet."""
    bet: float
    """The base bet in money."""
    decision_seconds: float
    """Seconds the agent took for a decision on average."""
    exact_ev: float | None
    """The exact EV per initial bet on a fresh shoe, where the agent is a chart."""

    @property
    def rounds(self) -> int:
        """Rounds played in all."""
        return int(self.sessions["rounds"].sum())

    @property
    def win_rate(self) -> Interval:
        """Wins over rounds; a push is no win, nor is a natural that ties."""
        return wilson(int(self.sessions["wins"].sum()), self.rounds)

    @property
    def payout_per_round(self) -> Interval:
        """Base bets won per round, the interval over sessions."""
        return ratio_interval(self.sessions["net"] / self.unit, self.sessions["rounds"].astype(np.float64))

    @property
    def net_profit(self) -> float:
        """Money won over all sessions."""
        return float(self.sessions["net"].sum()) / self.unit * self.bet

    @property
    def average_bet(self) -> float:
        """Base bets made before a deal, per round."""
        return float(self.sessions["staked"].sum()) / max(self.rounds, 1)

    @property
    def payouts(self) -> Sample:
        """Each session's base bets won per round."""
        return self.sessions["net"] / self.unit / np.maximum(self.sessions["rounds"], 1)


def difference(one: Evaluation, other: Evaluation) -> Difference:
    """One minus the other per round, paired by session: both have played the same shoes."""
    return paired_difference(one.payouts, other.payouts)


def evaluate(
    name: str,
    terms: SessionTerms,
    games: int,
    *,
    options: AgentOptions | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Let the agent of that name play sessions 0 … games − 1; `progress` is told how many are done."""
    if not 1 <= games <= MAX_GAMES:
        raise SettingError(f"games must be 1 to {MAX_GAMES:,}; got {games:,}")

    plan = _Plan(name, terms, options or AgentOptions())
    agent = plan.seated(0)
    parts, seconds = [], 0.0
    done = 0
    for part, thought in _parts(agent, plan, games, threads, executor):
        parts.append(part)
        seconds += thought
        done += part.size
        if progress:
            progress(done)
    results = np.concatenate(parts)
    return Evaluation(
        name=name,
        sessions=results,
        unit=terms.rules.unit,
        bet=terms.bet,
        decision_seconds=seconds / max(int(results["decisions"].sum()), 1),
        exact_ev=exact_ev(agent, terms),
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """Who plays what: travels as names and numbers, and the agent is made where it plays."""

    name: str
    terms: SessionTerms
    options: AgentOptions

    def seated(self, number: int) -> Agent:
        """The agent of a session."""
        seed = agent_seed(self.terms.seed, number)
        return make_agent(self.name, self.terms.rules, seed=seed, options=self.options)


def _parts(agent: Agent, plan: _Plan, games: int, threads: int | None, executor: Executor | None) -> Iterator[Part]:
    """Results and seconds of thought, in session order. What must compile does so before the clock starts."""
    short, rounds = replace(plan.terms, rounds=1), plan.terms.rounds
    if isinstance(agent, BatchAgent) and (not isinstance(agent, BettingAgent) or isinstance(agent, BatchBettingAgent)):
        _play_batch(agent, short, 0, 1)
        if executor is None:
            play, size = partial(_play_batches, agent, plan.terms), min(_BATCH, -(-games // thread_count(threads)))
        else:
            play = partial(_play_planned_batches, plan)
            size = job_size(games, -(-_BATCH_ROUNDS // rounds), executor)
        jobs: Iterator[range] = (range(at, min(at + size, games)) for at in range(0, games, size))
        return in_order(play, jobs, threads=threads, executor=executor)
    _play_game(plan.seated(0), short, 0)
    seconds = _play_game(plan.seated(0), short, 0)[1] * rounds if executor else _JOB_SECONDS
    size = job_size(games, ceil(_JOB_SECONDS / max(seconds, 1e-4)), executor) if executor else 1
    jobs = (range(at, min(at + size, games)) for at in range(0, games, size))
    return in_order(partial(_play_games, plan), jobs, threads=threads, executor=executor)


_BATCH_ROUNDS: Final = 100_000
"""Rounds of agents that decide for many tables at once to a job on an executor at least, some 50 ms."""
_JOB_SECONDS: Final = 0.1
"""Thought to a job of other agents on an executor, at least, as one round of it foretells."""


def _play_batches(agent: BatchAgent, terms: SessionTerms, numbers: range) -> Part:
    """Sessions of consecutive numbers, `_BATCH` at a time."""
    parts = [
        _play_batch(agent, terms, first, min(_BATCH, numbers.stop - first))
        for first in range(numbers.start, numbers.stop, _BATCH)
    ]
    return np.concatenate([results for results, _ in parts]), sum(seconds for _, seconds in parts)


def _play_planned_batches(plan: _Plan, numbers: range) -> Part:
    return _play_batches(_batch_agent(plan), plan.terms, numbers)


@lru_cache(maxsize=4)
def _batch_agent(plan: _Plan) -> BatchAgent:
    """The agent of a plan, made once in a process: it may have a network to load."""
    return cast(BatchAgent, plan.seated(0))


def _play_games(plan: _Plan, numbers: range) -> Part:
    """Sessions of consecutive numbers, one after another, each with an agent of its own."""
    parts = [_play_game(plan.seated(number), plan.terms, number) for number in numbers]
    return np.concatenate([results for results, _ in parts]), sum(seconds for _, seconds in parts)


def _play_batch(agent: BatchAgent, terms: SessionTerms, first: int, n: int) -> Part:
    bettor = agent if isinstance(agent, BatchBettingAgent) else None
    batch = SessionBatch(terms, first, n, asks_bets=bettor is not None)
    actions, seconds = np.zeros(n, np.int64), 0.0
    while True:
        while bettor is not None and batch.betting.any():
            start = time.perf_counter()
            bets = bettor.bet_batch(batch.table_views())
            seconds += time.perf_counter() - start
            batch.bet(bets)
        due = np.flatnonzero(batch.playing)
        if not due.size:
            return batch.results, seconds
        start = time.perf_counter()
        actions[due] = agent.act_batch(batch.states[due], batch.results["rounds"][due] + 1)
        seconds += time.perf_counter() - start
        batch.step(actions)


def _play_game(agent: Agent, terms: SessionTerms, number: int) -> Part:
    game, seconds = terms.game(number), 0.0

    def choose(view: View) -> Action:
        nonlocal seconds
        start = time.thread_time()  # the clock would count waiting for other threads
        action = agent.act(view)
        seconds += time.thread_time() - start
        return action

    bet = agent.bet if isinstance(agent, BettingAgent) else None
    session = game.play_session(choose, terms.rounds, bet=bet)
    result = np.zeros(1, RESULT)
    chips = session.net / terms.bet * terms.rules.unit
    whole = round(chips) if bet is None else chips
    result[0] = (
        *(whole, session.rounds, session.wins, session.pushes, session.decisions),
        session.staked / terms.bet,
    )
    return result, seconds


def exact_ev(agent: Agent, terms: SessionTerms) -> float | None:
    """The exact EV of an agent that is a chart, on a fresh shoe; None for others."""
    if not isinstance(agent, StrategyAgent):
        return None
    from holecard.blackjack.exact import score

    return score(agent.strategy, terms.rules).ev
