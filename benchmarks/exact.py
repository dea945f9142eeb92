"""The exact solver: validate against the reference, then time it. `python benchmarks/exact.py [--farmer DIR]`.

Times are the best of some repeats on one core, kernels compiled and loaded. With a copy of Eric Farmer's C++ sources
in DIR his program is built, compared and timed in the same run (`farmer.py`). Without one its time is quoted: measured
on the same kind of machine, it takes 0.165 s for the first line and 0.025 to 0.057 s for one deck.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from farmer import solved_by_farmer
from results import record

from holecard.blackjack.exact import ev_of_strategy, score_many, solve
from holecard.blackjack.exact.memory import SplitMemory
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.letters import LETTERS
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.blackjack.exact.reference import FIGURES, TOLERANCE, rules_of

CASES: tuple[tuple[str, str, SplitMemory, str, float], ...] = (
    ("6 decks H17 DAS, 4 hands, zero-memory", "6d H17 DAS value", "zero-memory", "cd_cdz", 0.05),
    ("6 decks H17 DAS, 4 hands, pair-aware", "6d H17 DAS value", "pair-aware", "cd_cdp1", 0.12),
    ("6 decks H17 DAS, 4 hands, pair-count", "6d H17 DAS value", "pair-count", "cd_cdp", 0.12),
    ("1 deck S17 DAS, 4 hands, zero-memory", "1d S17 DAS value", "zero-memory", "cd_cdz", 0.03),
)
CHARTS = 4096
FARMER = 0.165
"""Seconds of Eric Farmer's C++ for the first case, measured on the same kind of machine."""


def best_of(repeat: int, work: Callable[[], object]) -> float:
    """The shortest of some runs, in seconds of CPU: other work on the machine does not count."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def reference(rules: Rules, label: str) -> float:
    """The reference EV of a rule set: `cd_cdz`, `cd_cdp1`, `cd_cdp` by what is remembered, `td` for the best chart."""
    return next(float(row["ev"][label]) for row in FIGURES["overall_measured"] if rules_of(row) == rules)


def off_by(found: float, expected: float) -> float:
    """How far a figure is from its reference; more than the tolerance ends the benchmark."""
    off = abs(found - expected)
    assert off < TOLERANCE, (found, expected)
    return off


def score_casino(repeat: int) -> None:
    """Charts of every letter, pairs left to chance among them, and a population that has converged, a second."""
    casino = Rules.preset("casino")
    draws = np.random.default_rng(2)
    charts = draws.integers(0, len(LETTERS), (256, *SHAPE)).astype(np.uint8)
    best = solve(casino).strategy().cells
    alike = np.where(draws.random(charts.shape) < 0.02, charts, best)
    for what, cells in (("every letter", charts), ("2 % of letters off the best", alike)):
        alone = [ev_of_strategy(Strategy(chart), casino) for chart in cells[:8]]
        off = float(np.abs(score_many(cells[:8], casino).ev - alone).max())
        assert off < 1e-12, off
        took = best_of(repeat, partial(score_many, cells, casino))
        print(f"{f'score_many on casino, {what}':45} {off:9.0e} {len(cells) / took:9,.0f} {2_000:7,}")
        record(f"exact scores of casino charts, {what}", len(cells) / took, " charts/s")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeat", type=int, default=7)
    options.add_argument("--quick", action="store_true", help="twice each")
    options.add_argument("--farmer", type=Path, metavar="DIR", help="Eric Farmer's sources, to be built and timed too")
    chosen = options.parse_args()
    repeat = 2 if chosen.quick else chosen.repeat
    print(f"{'what':45} {'off by':>9} {'seconds':>9} {'target':>7}")
    for name, text, memory, label, target in CASES:
        rules = Rules.from_text(text)
        off = off_by(solve(rules, split_play=memory).ev, reference(rules, label))
        took = best_of(repeat, partial(solve, rules, split_play=memory))
        print(f"{name:45} {off:9.0e} {took:9.4f} {target:7.2f}")
        peer = ("Eric Farmer's C++", FARMER) if (rules.decks, memory) == (6, "zero-memory") else ()
        if chosen.farmer:
            ev, theirs = solved_by_farmer(chosen.farmer, rules, memory, repeat)
            off = off_by(ev, reference(rules, label))
            print(f"{'  Eric Farmer, C++ -O3':45} {off:9.0e} {theirs:9.4f} {'':7} {theirs / took:.1f} x ours")
            peer = ("Eric Farmer's C++", theirs)
        record(f"solve {name}", took, "CPU s", *peer, quoted=not chosen.farmer)
    six_decks = Rules.from_text("6d H17 DAS value")
    off = off_by(solve(six_decks).ev_total_dependent, reference(six_decks, "td"))
    took = best_of(min(repeat, 3), lambda: solve(six_decks).ev_total_dependent)
    print(f"{'the same with best chart':45} {off:9.0e} {took:9.4f}")
    figure = next(row for row in FIGURES["std_dev_per_round_measured"] if row["rules"] == "6d H17 DAS 2 hands CDZ-")
    off = off_by(solve(Rules.from_text("6d H17 DAS 2-hands value")).stdev, figure["sd"])
    took = best_of(min(repeat, 3), lambda: solve(six_decks).outcomes)
    print(f"{'the same with outcomes':45} {off:9.0e} {took:9.4f}")
    classic = Rules.preset("classic")
    genomes = np.random.default_rng(1).integers(0, 2, (CHARTS, GENOME_BITS)).astype(np.uint8)
    best = FIGURES["seed_winrate_260_table"]["natural_plain"]["td_260_optimum"]
    off = off_by(score_many(solve(classic).strategy().genome()[None], classic).fitness[0], best)
    took = best_of(repeat, lambda: score_many(genomes, classic))
    print(f"{'score_many on classic, charts a second':45} {off:9.0e} {CHARTS / took:9,.0f} {10_000:7,}")
    record("exact scores of hit-or-stand tables", CHARTS / took, " tables/s")
    score_casino(repeat)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    print(f"{'memory, MB':45} {'':9} {peak:9.0f} {300:7}")


if __name__ == "__main__":
    main()
