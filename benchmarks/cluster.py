"""What a Dask cluster on this machine gains and costs: `python benchmarks/cluster.py`.

Validates first: every kind of work gives on one and on two workers the bits it gives here. Then it measures, in turn and
several times, the throughput of one and of two workers of one thread each, and what travels. The processes share this
machine: the ratio says something only while two cores are free, so the load is printed beside it, and the ratio that
processor time alone would allow.
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

sys.path.insert(0, str(Path(__file__).parents[1]))
from holecard import Rules, named_strategy, simulate
from holecard.agents.opponents import OPPONENTS
from holecard.arena.blackjack import evaluate
from holecard.blackjack.sessions import Sessions
from holecard.blackjack.simulate import simulate_many
from holecard.cluster import Cluster
from holecard.studies.earnings import earnings_of
from holecard.studies.neuroevolution import NeuroevolutionConfig
from tests.cluster.processes import Processes

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
    config = NeuroevolutionConfig()
    weights = rng.normal(0, 0.5, (int(200 * scale) + 2, config.layout.genes)).astype(np.float32)
    opponents = [OPPONENTS[name].player for name in config.opponents]
    terms, games = Sessions(rules=Rules(shoe="dealt"), rounds=100), int(60_000 * scale)
    return {
        "simulate, casino": ("rounds", rounds, lambda way: simulate(basic, casino, rounds, executor=way, threads=1).ev),
        "fitness of 100 tables (evolve ga)": (
            "rounds",
            100 * hands,
            lambda way: simulate_many(many, casino, hands, executor=way, threads=1).tobytes(),
        ),
        "a generation of networks (holdem evolve)": (
            "individuals",
            len(weights),
            lambda way: earnings_of(
                weights, config.layout, opponents, config.rules, seed=1, executor=way, threads=1
            ).buy_ins.tobytes(),
        ),
        "evaluate, heuristic": (
            "sessions",
            games,
            lambda way: evaluate("heuristic", terms, games, executor=way, threads=1).sessions.tobytes(),
        ),
    }


class Run(NamedTuple):
    """What one run took."""

    wall: float
    workers: float
    """Processor seconds of the workers."""
    others: float
    """Processor seconds of the scheduler and of this process."""


def spent(processes: Processes) -> tuple[float, float]:
    def seconds(pid: int) -> float:
        times = psutil.Process(pid).cpu_times()
        return times.user + times.system

    return sum(seconds(worker.pid) for worker in processes.workers), seconds(processes.scheduler.pid) + seconds(
        os.getpid()
    )


def measure(work: Work, executor: Cluster, processes: Processes) -> Run:
    before, start = spent(processes), time.perf_counter()
    work(executor)
    wall, after = time.perf_counter() - start, spent(processes)
    return Run(wall, after[0] - before[0], after[1] - before[1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0, help="how much work, 1: some seconds each")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        clusters = Processes(Path(one)), Processes(Path(two))
        try:
            for count, processes in enumerate(clusters, 1):
                for _ in range(count):
                    processes.add_worker()
            report(clusters, given.scale, given.repeats)
        finally:
            for processes in clusters:
                processes.close()


def report(clusters: tuple[Processes, Processes], scale: float, repeats: int) -> None:
    with Cluster(clusters[0].address) as one, Cluster(clusters[1].address) as two:
        while two.width < 2:
            time.sleep(0.1)
        for name, (unit, count, work) in works(scale).items():
            here = work(None)
            assert work(one) == here, name
            assert work(two) == here, name
            print(f"{name}: one and two workers agree with this process to the bit")
            weighed = Weighed(two)
            work(weighed)
            single, double = [], []
            for _ in range(repeats):
                single.append(measure(work, one, clusters[0]))
                double.append(measure(work, two, clusters[1]))
            tell(unit, count, weighed, single, double)


def tell(unit: str, count: float, weighed: Weighed, single: list[Run], double: list[Run]) -> None:
    jobs = max(len(weighed.sent), 1)
    one, two = min(run.wall for run in single), min(run.wall for run in double)
    print(
        f"  {jobs} jobs of {np.mean(weighed.seconds or [0]):.3f} s; to a worker {np.mean(weighed.sent or [0]):,.0f} bytes,",
        end=" ",
    )
    print(f"back {np.mean(weighed.received or [0]):,.0f}")
    print(f"  {unit} per second: {count / one:,.0f} with one worker, {count / two:,.0f} with two: {one / two:.2f}×")
    busy = min(run.workers for run in double)
    idle_share = sum(run.others for run in double) / len(double) / jobs * 1e3
    print(f"  processor time of two workers {busy:.2f} s, of one {min(run.workers for run in single):.2f} s;", end=" ")
    print(f"scheduler and client {idle_share:.1f} ms a job; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")


if __name__ == "__main__":
    main()
