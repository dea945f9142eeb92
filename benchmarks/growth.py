"""How cost grows with size: `python benchmarks/growth.py [PART …] [--rounds 1e9] [--quick] [--write]`.

Parts are those of docs/performance.md; `--write` puts their pictures and tables there. Costs are processor seconds,
which other work on the machine disturbs little; only what is about several cores is measured on the clock. Each part
first checks that size changes nothing else: the same rounds on any number of threads or workers.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from holecard import Rules, named_strategy, simulate
from holecard.blackjack.exact import score_many, solve
from holecard.blackjack.play.result import Simulation
from holecard.blackjack.strategy.strategy import GENOME_BITS
from holecard.estimate import Estimate
from holecard.files import write_file
from holecard.holdem.arena.deck_sets import Dealing
from holecard.holdem.arena.earnings import earnings_of
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.ui.figures.canvas import legend_below, new_figure, save

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.cluster.processes import Processes

from holecard.cluster import Cluster

DOCS = Path(__file__).parents[1] / "docs"
REPEATS = 3
BASIC, CASINO = named_strategy("basic", Rules()), Rules()
DEALT = Rules(shoe="dealt")


class Scale(NamedTuple):
    """How far a run goes."""

    rounds: float
    """The most rounds of one simulation."""
    quick: bool


class Growth(NamedTuple):
    """What one part measured."""

    of: str
    """What grows."""
    unit: str
    """What is measured."""
    sizes: list[float]
    costs: dict[str, list[float]]
    """Name of a line → one value a size."""


def cpu_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Processor seconds of all threads, the least of several runs."""
    return min(_seconds(work, time.process_time) for _ in range(repeats))


def wall_seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Seconds on the clock, the least of several runs."""
    return min(_seconds(work, time.perf_counter) for _ in range(repeats))


def _seconds(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return clock() - start


def tell(size: str, costs: dict[str, list[float]], unit: str = "CPU s") -> None:
    """Say what the latest size cost."""
    print(f"  {size}: " + ", ".join(f"{name} {values[-1]:.4g} {unit}" for name, values in costs.items()), flush=True)


def facts(result: Simulation) -> tuple[Estimate, ...]:
    """All that was counted."""
    return result.ev, result.win, result.push, result.natural, result.bust, result.stdev


def rounds_grow(scale: Scale) -> Growth:
    """Rounds of one simulation on one thread."""
    sizes = [10.0**power for power in range(6, 1 + round(np.log10(scale.rounds)))]
    costs: dict[str, list[float]] = {"casino, a fresh shoe each round": [], "casino, shoes dealt down": []}
    for (name, times), rules in zip(costs.items(), (CASINO, DEALT), strict=True):
        assert abs(simulate(BASIC, rules, 2_000_000, threads=1).ev.mean - solve(CASINO).ev) < 0.005
        for size in sizes:
            repeats = REPEATS if size < 1e8 else 1
            times.append(cpu_seconds(partial(simulate, BASIC, rules, int(size), threads=1), repeats))
            print(f"  {name}, {size:,.0f} rounds: {times[-1]:.3f} CPU s", flush=True)
    return Growth("rounds", "CPU s", sizes, costs)


def decks_grow(scale: Scale) -> Growth:
    """Decks of the casino game, solved and played."""
    sizes = [1, 2, 4, 8] if scale.quick else list(range(1, 9))
    n = 1_000_000
    costs: dict[str, list[float]] = {
        name: [] for name in ("solve", "a million rounds, fresh", "a million rounds, dealt")
    }
    evs = []
    for decks in sizes:
        rules = Rules(decks=decks)
        dealt = Rules(decks=decks, shoe="dealt")
        evs.append(solve(rules).ev)
        works: list[Callable[[], object]] = [partial(solve, rules)]
        works += [partial(simulate, BASIC, each, n, threads=1) for each in (rules, dealt)]
        for times, work in zip(costs.values(), works, strict=True):
            work()
            times.append(cpu_seconds(work))
        tell(f"{decks} decks", costs)
    assert evs == sorted(evs, reverse=True), "every deck more costs the player"
    return Growth("decks", "CPU s", [float(size) for size in sizes], costs)


def population_grows(scale: Scale) -> Growth:
    """Individuals of one generation: tables scored exactly, networks at their hold'em sessions."""
    sizes = [50, 200, 1000] if scale.quick else [50, 100, 200, 500, 1000, 2000, 5000]
    rng, classic = np.random.default_rng(1), Rules.preset("classic")
    config, champion = NeuroevolutionConfig.preset("paper"), Champion.shipped("paper")
    opponents = [RULE_PLAYERS[name] for name in config.opponents]
    costs: dict[str, list[float]] = {"260-bit tables, scored exactly": [], "hold'em networks, 4,000 hands each": []}
    for size in sizes:
        genomes = rng.integers(0, 2, (size, GENOME_BITS)).astype(np.uint8)
        weights = champion.genome + rng.normal(0, 0.01, (size, champion.genome.size)).astype(np.float32)
        works: tuple[Callable[[], object], ...] = (
            partial(score_many, genomes, classic),
            partial(earnings_of, weights, champion.layout, opponents, config.rules, Dealing(seed=1), threads=1),
        )
        for times, work in zip(costs.values(), works, strict=True):
            if size == sizes[0]:
                work()
            times.append(cpu_seconds(work, 1 if size > 500 else REPEATS))
        tell(f"{size:,} individuals", costs)
    return Growth("individuals of a generation", "CPU s", [float(size) for size in sizes], costs)


def threads_grow(scale: Scale) -> Growth:
    """Threads of one simulation: rounds a second on the clock, and of processor time."""
    n = 4_000_000 if scale.quick else 40_000_000
    sizes = list(range(1, max(2, os.cpu_count() or 1) + 1))
    results = {facts(simulate(BASIC, CASINO, n, seed=1, threads=threads)) for threads in sizes}
    assert len(results) == 1, "the same rounds on any number of threads"
    costs: dict[str, list[float]] = {"on the clock": [], "of processor time": []}
    for threads in sizes:
        work = partial(simulate, BASIC, CASINO, n, threads=threads)
        for times, measure in zip(costs.values(), (wall_seconds, cpu_seconds), strict=True):
            times.append(n / measure(work) / 1e6)
        print(f"  {threads} threads: {costs['on the clock'][-1]:.1f} M rounds/s on the clock", flush=True)
    return Growth("threads", "M rounds/s", [float(size) for size in sizes], costs)


def workers_grow(scale: Scale) -> Growth:
    """Workers of a Dask cluster on this machine, one thread each."""
    n = 10_000_000 if scale.quick else 200_000_000
    sizes, here = [1, 2, 3, 4], facts(simulate(BASIC, CASINO, n, seed=1, threads=1))
    costs: dict[str, list[float]] = {"on the clock": []}
    with tempfile.TemporaryDirectory() as folder:
        processes = Processes(Path(folder))
        try:
            for count in sizes:
                processes.add_worker()
                with Cluster(processes.address) as cluster:
                    while cluster.width < count:
                        time.sleep(0.1)
                    work = partial(simulate, BASIC, CASINO, n, seed=1, executor=cluster, threads=1)
                    assert facts(work()) == here, "the same rounds on any number of workers"
                    costs["on the clock"].append(n / wall_seconds(work) / 1e6)
                print(f"  {count} workers: {costs['on the clock'][-1]:.1f} M rounds/s on the clock", flush=True)
        finally:
            processes.close()
    return Growth("workers", "M rounds/s", [float(size) for size in sizes], costs)


PARTS: dict[str, Callable[[Scale], Growth]] = {
    "rounds": rounds_grow,
    "decks": decks_grow,
    "population": population_grows,
    "threads": threads_grow,
    "workers": workers_grow,
}


def picture(part: str, growth: Growth) -> None:
    """Draw a part into docs/images."""
    figure = new_figure(7, 4)
    axes = figure.add_subplot()
    for name, values in growth.costs.items():
        axes.plot(growth.sizes, values, marker="o", label=name)
    if growth.sizes[-1] > 10 * growth.sizes[0]:
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.set_xticks(growth.sizes)
        axes.set_ylim(bottom=0)
    axes.set_xlabel(growth.of)
    axes.set_ylabel(growth.unit)
    axes.grid(alpha=0.3)
    legend_below(figure, axes)
    save(figure, DOCS / "images" / f"growth-{part}.png")


def table(growth: Growth) -> list[str]:
    """The same as Markdown."""
    lines = [f"| {growth.of} | {' | '.join(f'{name}, {growth.unit}' for name in growth.costs)} |"]
    lines.append("|---" * (1 + len(growth.costs)) + "|")
    for at, size in enumerate(growth.sizes):
        lines.append(f"| {size:,.0f} | {' | '.join(f'{values[at]:.3g}' for values in growth.costs.values())} |")
    return lines


def write(part: str, lines: list[str]) -> None:
    """Put a table between its marks in docs/performance.md."""
    page, mark = DOCS / "performance.md", f"<!-- {part} -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(mark)
    _, _, after = rest.partition(mark)
    write_file(page, "\n".join([f"{before}{mark}", *lines, f"{mark}{after}"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help=f"only these of {', '.join(PARTS)}")
    parser.add_argument("--rounds", type=float, default=1e9, help="the most rounds of one simulation")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller sizes, up to 1e7 rounds")
    parser.add_argument("--write", action="store_true", help="put pictures and tables into the docs")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        sys.exit(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    scale = Scale(1e7 if given.quick else given.rounds, given.quick)
    for part in given.parts or PARTS:
        busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        print(f"{part} (load {busy:.1f} on {os.cpu_count()} cores)", flush=True)
        growth = PARTS[part](scale)
        lines = table(growth)
        print("\n".join(["", *lines, ""]), flush=True)
        if given.write:
            picture(part, growth)
            most = f" --rounds {scale.rounds:g}".replace("e+0", "e").replace("e+", "e") if part == "rounds" else ""
            asked = f"python benchmarks/growth.py {part}{' --quick' if given.quick else most}"
            write(part, [f"`{asked} --write`, load {busy:.1f} on {os.cpu_count()} cores:", "", *lines])


if __name__ == "__main__":
    main()
