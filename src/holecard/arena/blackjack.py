"""Agents judged over sessions: each plays the same shoes, on all cores, with the same result on any number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.agents.protocol import Agent, AgentOptions, BatchAgent, TableAgent
from holecard.agents.registry import make_agent
from holecard.arena.metrics import Difference, Interval, Sample, paired_difference, ratio_interval, wilson
from holecard.blackjack.game import View
from holecard.blackjack.sessions import RESULT, SessionBatch, Sessions, session_seed
from holecard.blackjack.strategy import Action
from holecard.errors import HolecardError
from holecard.executor import in_order, thread_count

MAX_GAMES: Final = 10**8
_BATCH: Final = 1024
"""Sessions played in step at most; agents that think decision by decision get one session to a job."""
_SEEDS: Final = (1 << 64) - 1
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
    """The exact EV per initial bet on a fresh shoe, where the agent is a table."""

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
    def payouts(self) -> Sample:
        """Each session's base bets won per round."""
        return self.sessions["net"] / self.unit / np.maximum(self.sessions["rounds"], 1)


def difference(one: Evaluation, other: Evaluation) -> Difference:
    """One minus the other per round, paired by session: both have played the same shoes."""
    return paired_difference(one.payouts, other.payouts)


def evaluate(
    name: str,
    sessions: Sessions,
    games: int,
    *,
    options: AgentOptions | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Let the agent of that name play sessions 0 … games − 1; `progress` is told how many are done."""
    if not 1 <= games <= MAX_GAMES:
        raise HolecardError(f"games must be 1 to {MAX_GAMES:,}; got {games:,}")

    def seated(number: int) -> Agent:
        return make_agent(name, sessions.rules, seed=session_seed(~sessions.seed & _SEEDS, number), options=options)

    agent = seated(0)
    parts, seconds = [], 0.0
    done = 0
    for part, thought in _parts(agent, seated, sessions, games, threads, executor):
        parts.append(part)
        seconds += thought
        done += part.size
        if progress:
            progress(done)
    results = np.concatenate(parts)
    return Evaluation(
        name=name,
        sessions=results,
        unit=sessions.rules.unit,
        bet=sessions.bet,
        decision_seconds=seconds / max(int(results["decisions"].sum()), 1),
        exact_ev=exact_ev(agent, sessions),
    )


def _parts(
    agent: Agent,
    seated: Callable[[int], Agent],
    sessions: Sessions,
    games: int,
    threads: int | None,
    executor: Executor | None,
) -> Iterator[Part]:
    """Results and seconds of thought, in session order. What must compile does so before the clock starts."""
    if isinstance(agent, BatchAgent):
        player = agent
        size = min(_BATCH, -(-games // thread_count(threads)))
        _play_batch(player, replace(sessions, rounds=1), 0, 1)
        return in_order(
            lambda first: _play_batch(player, sessions, first, min(size, games - first)),
            range(0, games, size),
            threads=threads,
            executor=executor,
        )
    _play_game(seated(0), replace(sessions, rounds=1), 0)
    return in_order(
        lambda number: _play_game(seated(number), sessions, number), range(games), threads=threads, executor=executor
    )


def _play_batch(agent: BatchAgent, sessions: Sessions, first: int, n: int) -> Part:
    batch = SessionBatch(sessions, first, n)
    actions, seconds = np.zeros(n, np.int64), 0.0
    while (due := np.flatnonzero(batch.playing)).size:
        start = time.perf_counter()
        actions[due] = agent.act_batch(batch.states[due], batch.results["rounds"][due] + 1)
        seconds += time.perf_counter() - start
        batch.step(actions)
    return batch.results, seconds


def _play_game(agent: Agent, sessions: Sessions, number: int) -> Part:
    game, seconds = sessions.game(number), 0.0

    def choose(view: View) -> Action:
        nonlocal seconds
        start = time.thread_time()  # the clock would count waiting for other threads
        action = agent.act(view)
        seconds += time.thread_time() - start
        return action

    session = game.play_session(choose, sessions.rounds)
    result = np.zeros(1, RESULT)
    chips = round(session.net / sessions.bet * sessions.rules.unit)
    result[0] = chips, session.rounds, session.wins, session.pushes, session.decisions
    return result, seconds


def exact_ev(agent: Agent, sessions: Sessions) -> float | None:
    """The exact EV of an agent that is a table, on a fresh shoe; None for others."""
    if not isinstance(agent, TableAgent):
        return None
    from holecard.blackjack.exact import score

    return score(agent.strategy, sessions.rules).ev
