"""Evolution of blackjack strategies: what each way of it truly reaches, and how long it takes.

    python benchmarks/evolution.py            all of it, some minutes
    python benchmarks/evolution.py --quick    two seeds, and two short runs of the self-contained file

Everything is judged exactly: the consensus of a final population, the winner, and the best table there is.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from results import record

from holecard.blackjack.exact import ev_of_strategy, optimum
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.genetic import GeneticEngine
from holecard.studies import genetic, programs
from holecard.studies.game import restricted
from holecard.studies.genetic_config import PRESETS, GeneticConfig
from holecard.studies.programs_config import ProgramConfig
from holecard.studies.upcard_columns import best_letters

Outcome = TypeVar("Outcome")
CLASSIC, VOTES = Rules.preset("classic"), Rules.preset("votes")
BEST = 0.478596937344
"""The best 260-cell table of the 260-bit algorithm's game."""


def self_contained() -> ModuleType:
    path = Path(__file__).parents[1] / "blackjack_ga.py"
    spec = importlib.util.spec_from_file_location("blackjack_ga", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def clocks(answer: dict[str, float]) -> Iterator[None]:
    """Wall-clock and processor seconds: on a shared machine the second is the fair one."""
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    answer.update(wall=time.perf_counter() - wall, cpu=time.process_time() - cpu)


def spread(values: list[float]) -> str:
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"mean {statistics.fmean(values):.5f}  sd {deviation:.5f}  from {min(values):.5f} to {max(values):.5f}"


def in_a_folder(run: Callable[[Any, Path], Outcome], config: Any) -> Outcome:
    with TemporaryDirectory() as folder:
        return run(config, Path(folder) / "run")


def presets(seeds: range) -> dict[str, list[genetic.GeneticOutcome]]:
    """Every preset with every seed."""
    print(
        f"the classic game, {len(seeds)} seeds: the exact fitness of the final consensus (the best table: {BEST:.6f})"
    )
    outcomes: dict[str, list[genetic.GeneticOutcome]] = {}
    for preset in PRESETS:
        found: list[genetic.GeneticOutcome] = []
        taken: dict[str, float] = {}
        with clocks(taken):
            for seed in seeds:
                study = GeneticConfig.preset(preset, CLASSIC, seed=seed)
                found.append(in_a_folder(genetic.run, study))
        outcomes[preset] = found
        cpu = taken["cpu"] / len(seeds)
        print(f"  {preset:8} {spread([each.verdict.consensus for each in found])}   {cpu:5.2f} cpu s a run")
        print(f"           winner's curse: {spread([each.verdict.gap for each in found])}")
    exact = [each.verdict for each in outcomes["exact"]]
    hits = sum(abs(each.exact - BEST) < 1e-11 for each in exact)
    assert min(each.exact for each in exact) >= 0.4784
    print(f"  exact: {hits} of {len(exact)} runs end at the unique best table; none below 0.4784")
    return outcomes


def self_contained_runs(ga: ModuleType, seeds: range, ours: list[float]) -> float:
    """The same game and settings in the self-contained file; returns its seconds per run."""
    theirs: list[float] = []
    taken: dict[str, float] = {}
    with clocks(taken):
        for seed in seeds:
            random.seed(seed)
            with contextlib.redirect_stdout(io.StringIO()):
                population, _ = ga.evolve()
            bits = (np.mean(population, axis=0) > 0.5).astype(np.uint8)
            theirs.append((1 + ev_of_strategy(Strategy.from_genome(bits), CLASSIC)) / 2)
    difference = statistics.fmean(ours) - statistics.fmean(theirs)
    print(f"  blackjack_ga.py {spread(theirs)}   {taken['cpu'] / len(seeds):5.1f} cpu s a run")
    if len(theirs) > 1:
        error = (statistics.variance(ours) / len(ours) + statistics.variance(theirs) / len(theirs)) ** 0.5
        print(f"  classic − blackjack_ga.py: {difference:+.5f} ± {error:.5f}")
    return taken["cpu"] / len(seeds)


def classic_speed(ga: ModuleType, python_seconds: float | None) -> None:
    """The 10-million-hand classic run, evaluation and breeding, without records and figures."""
    study = GeneticConfig.preset("classic", CLASSIC)
    bits = [random.randint(0, 1) for _ in range(GENOME_BITS)]
    hands = 100_000
    theirs = ga.evaluate(bits, hands)
    exact = (1 + ev_of_strategy(Strategy.from_genome(bits), CLASSIC)) / 2
    assert abs(theirs - exact) < 4 * 0.5 / hands**0.5, "the same genome is worth the same in both"
    rates: list[tuple[float, float]] = []
    for _ in range(3):
        taken: dict[str, float] = {}
        limits = Limits(generations=study.generations)
        evolution = Evolution(GeneticEngine(study.encoding.alphabet, study), seed=1, limits=limits)
        with clocks(taken):
            fitness = genetic.GeneticFitness(study, threads=2)
            while not evolution.finished:
                evolution.step(fitness)
        rates.append((taken["wall"], taken["cpu"]))
    wall, cpu = min(rates)
    print(f"classic, 10,000,000 hands, two threads: {wall:.2f} s wall, {cpu:.2f} cpu s ({cpu / 2:.2f} s a core)")
    record(
        "classic GA, 10,000,000 hands", cpu, "CPU s", *(("blackjack_ga.py", python_seconds) if python_seconds else ())
    )
    if python_seconds:
        print(f"  plain Python {python_seconds:.1f} cpu s: {python_seconds / cpu:.0f} times the processor time")


def voting_programs(seeds: range) -> None:
    """Ten programs on `votes` against the best table of their form and the hit-or-stand optimum."""
    plain = optimum(restricted(VOTES, "hit-stand"))
    best_letters(restricted(VOTES, "hit-stand-double"))
    print(f"the voting programs' game, {len(seeds)} seeds: the exact EV of the ten programs")
    short: list[float] = []
    for seed in seeds:
        study = ProgramConfig(rules=VOTES, seed=seed)
        taken: dict[str, float] = {}
        with clocks(taken):
            verdict = in_a_folder(programs.run, study).verdict
        short.append(verdict.optimum - verdict.exact)
        print(
            f"  seed {seed}: EV {verdict.exact:+.6f}, {short[-1]:.6f} below the best table ({verdict.optimum:+.6f}), "
            f"{verdict.exact - plain.ev:+.6f} above hit or stand   {taken['wall']:.1f} s wall, {taken['cpu']:.1f} cpu s"
        )
        assert verdict.exact > plain.ev
    print(f"  within 0.001 of the best table: {sum(each < 0.001 for each in short)} of {len(short)}")


def program_speed() -> None:
    """Population 250, 100 generations, ten upcards: the whole study with its files."""
    study = ProgramConfig(rules=VOTES, population=250, generations=100)
    taken: dict[str, float] = {}
    with clocks(taken):
        in_a_folder(programs.run, study)
    record("voting programs, 250 × 100 generations × 10", taken["cpu"], "CPU s")
    print(
        f"evolve gp, 250 programs × 100 generations × 10 upcards: {taken['wall']:.1f} s wall, {taken['cpu']:.1f} cpu s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="What evolution reaches, exactly, and how fast.")
    parser.add_argument("--quick", action="store_true", help="two seeds; without the self-contained file's runs")
    quick = parser.parse_args().quick
    seeds = range(2 if quick else 5)
    ga = self_contained()
    assert abs((1 + optimum(CLASSIC).ev_total_dependent) / 2 - BEST) < 1e-12
    classic_speed(ga, None)
    outcomes = presets(seeds)
    if not quick:
        ours = [each.verdict.consensus for each in outcomes["classic"]]
        classic_speed(ga, self_contained_runs(ga, seeds, ours))
    program_speed()
    voting_programs(seeds)


if __name__ == "__main__":
    main()
