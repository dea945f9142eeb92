"""What a Dask cluster on this machine gains and costs: `python benchmarks/cluster.py`.

Validates first: every kind of work gives on one and on two workers the bits it gives here. Then it measures, in turn
and several times, the throughput of one and of two workers of one thread each, what travels, and what it costs in
processor time to schedule a job of that size. The processes share this machine: the ratio of throughputs on the wall
clock says something only while two cores are free, so the load is printed beside it, and the ratio by processor time:
with two cores free a run takes as long as its busier worker, or half of what all processes take if that is more.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psutil
from results import record

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.cluster.processes import Processes

from holecard import Rules, named_strategy, simulate
from holecard.blackjack.arena.evaluation import evaluate
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.play.simulate import simulate_many
from holecard.cluster import Cluster
from holecard.holdem.arena.deck_sets import Dealing
from holecard.holdem.arena.earnings import earnings_of
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

REPEATS = 5
Work = Callable[[Executor | None], Any]


class Weighed(Executor):
    """An executor that weighs what travels through another one, and times the work where it is done."""

    def __init__(self, inner: Cluster) -> None:
        self.inner, self.width = inner, inner.width
        self.sent: list[int] = []
        self.received: list[int] = []
        self.seconds: list[float] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.sent.append(len(pickle.dumps((fn, args, kwargs))))
        done: Future[Any] = Future()

        def pass_on(future: Future[Any]) -> None:
            result, seconds = future.result()
            self.received.append(len(pickle.dumps(result)))
            self.seconds.append(seconds)
            done.set_result(result)

        self.inner.submit(timed, fn, args, kwargs).add_done_callback(pass_on)
        return done


def timed(fn: Any, args: Any, kwargs: Any) -> tuple[Any, float]:
    """A result and the processor seconds it took."""
    start = time.thread_time()
    return fn(*args, **kwargs), time.thread_time() - start


def works(scale: float) -> dict[str, tuple[str, float, Work]]:
    """Name → (unit, how many of them, work); all of them return something whose bits can be compared."""
    casino, rng = Rules(), np.random.default_rng(1)
    basic = named_strategy("basic", casino)
    rounds = int(100_000_000 * scale)
    many = np.stack([basic.plays()] * 100)
    hands = int(400_000 * scale)
    config = NeuroevolutionConfig.preset("paper")
    champion = Champion.shipped("paper")  # random networks fold
    noise = rng.normal(0, 0.01, (int(300 * scale) + 2, champion.genome.size))
    weights = champion.genome + noise.astype(np.float32)
    opponents = [RULE_PLAYERS[name] for name in config.opponents]
    terms, games = SessionTerms(rules=Rules(shoe="dealt"), rounds=100), int(60_000 * scale)
    return {
        "simulate, casino": ("rounds", rounds, lambda way: simulate(basic, casino, rounds, executor=way, threads=1).ev),
        "fitness of 100 tables (evolve ga)": (
            "rounds",
            100 * hands,
            lambda way: simulate_many(many, casino, hands, executor=way, threads=1).tobytes(),
        ),
        "networks (holdem evolve --preset paper)": (
            "individuals",
            len(weights),
            lambda way: earnings_of(
                weights, champion.layout, opponents, config.rules, Dealing(seed=1), executor=way, threads=1
            ).buy_ins.tobytes(),
        ),
        "evaluate, heuristic": (
            "sessions",
            games,
            lambda way: evaluate("heuristic", terms, games, executor=way, threads=1).sessions.tobytes(),
        ),
    }


def seconds_of(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def spent(processes: Processes) -> float:
    """Processor seconds of workers, scheduler and this process so far."""
    return sum(map(seconds_of, [*(worker.pid for worker in processes.workers), processes.scheduler.pid, os.getpid()]))


def scheduling(executor: Cluster, processes: Processes, sent: float, received: float, jobs: int = 200) -> float:
    """Processor seconds, of everybody together, for a job that does nothing but carry so many bytes there and back."""
    load, size = os.urandom(int(sent)), int(received)
    executor.submit(carry, load, size).result()
    before = spent(processes)
    for future in [executor.submit(carry, load, size) for _ in range(jobs)]:
        future.result()
    return (spent(processes) - before) / jobs


def carry(load: bytes, size: int) -> bytes:
    """So many bytes."""
    return bytes(size)


class Run(NamedTuple):
    """What one run took: seconds on the wall, and on two free cores by processor time."""

    wall: float
    free: float


def measured(work: Work, executor: Cluster, processes: Processes) -> Run:
    before = [seconds_of(worker.pid) for worker in processes.workers]
    others, start = spent(processes) - sum(before), time.perf_counter()
    work(executor)
    wall = time.perf_counter() - start
    after = [seconds_of(worker.pid) for worker in processes.workers]
    busy = [late - early for early, late in zip(before, after, strict=True)]
    others = spent(processes) - sum(after) - others
    return Run(wall, max(*busy, 0.0, (sum(busy) + others) / 2))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0, help="how much work, 1: some seconds each")
    parser.add_argument("--only", default="", help="only work whose name holds this")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--quick", action="store_true", help="less of the work, once each")
    given = parser.parse_args()
    scale, repeats = (0.4, 1) if given.quick else (given.scale, given.repeats)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        clusters = Processes(Path(one)), Processes(Path(two))
        try:
            for count, processes in enumerate(clusters, 1):
                for _ in range(count):
                    processes.add_worker()
            report(clusters, scale, repeats, given.only)
        finally:
            for processes in clusters:
                processes.close()


def report(clusters: tuple[Processes, Processes], scale: float, repeats: int, only: str) -> None:
    with Cluster(clusters[0].address) as one, Cluster(clusters[1].address) as two:
        while two.width < 2:
            time.sleep(0.1)
        for name, (unit, count, work) in works(scale).items():
            if only not in name:
                continue
            here = work(None)
            assert work(one) == here, name
            assert work(two) == here, name
            print(f"{name}: one and two workers agree with this process to the bit")
            weighed = Weighed(two)
            work(weighed)
            if not weighed.sent:
                print("  so little work is done here: nothing travels\n", flush=True)
                continue
            single, double = [], []
            for _ in range(repeats):
                single.append(measured(work, one, clusters[0]))
                double.append(measured(work, two, clusters[1]))
            sent, received, seconds = (
                float(np.mean(each)) for each in (weighed.sent, weighed.received, weighed.seconds)
            )
            cost = scheduling(two, clusters[1], sent, received)
            print(
                f"  {len(weighed.sent)} jobs of {seconds:.3f} s, {sent:,.0f} bytes there and {received:,.0f} back;",
                end=" ",
            )
            print(f"scheduling {cost * 1e3:.1f} ms of processor time a job, {cost / (cost + seconds):.1%}")
            a, b = (count / min(run.wall for run in runs) for runs in (single, double))
            print(f"  {unit} per second: {a:,.0f} with one worker, {b:,.0f} with two: {b / a:.2f}×", end=" ")
            print(f"on the wall (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")
            a, b = (count / min(run.free for run in runs) for runs in (single, double))
            print(f"  by processor time {a:,.0f} and {b:,.0f}: {b / a:.2f}×\n", flush=True)
            record(f"{name}, two workers, by processor time", b, f" {unit}/s", "one worker", a)


if __name__ == "__main__":
    main()
