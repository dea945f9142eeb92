"""Card counting: check that nothing changed, then time it. `python benchmarks/counting.py [--quick] [--device cuda]`.

Shoes played by a chart, by a counter with a ramp and the Illustrious 18, decks solved, indices found. CPU seconds on
one core, so that other work on the machine does not count; on a GPU seconds by the clock.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from results import record

from holecard.blackjack import (
    SYSTEMS,
    Composition,
    CountingStrategy,
    Rules,
    bets_by_count,
    find_indices,
    illustrious_18,
    named_strategy,
    play_shoes,
    ramp,
    simulate,
    solve,
    solve_many,
    solve_shoes,
)
from holecard.blackjack.counting.compositions import draw_shoes

RULES = Rules.from_text("S17 value LS INS dealt cut=0.75")
FRESH = replace(RULES, shoe="fresh")
CHART = named_strategy("basic", replace(FRESH, insurance=False))
COUNTER = CountingStrategy(system=SYSTEMS["Hi-Lo"], chart=CHART, departures=illustrious_18(RULES), insurance=3)
BETS = {0: 1.0, 1: 2.0, 2: 4.0, 3: 6.0, 4: 8.0}
CHECKED = 2_000_000
TALLY = "233841a339a0"
"""The first digits of the SHA-256 of what the counter brought in the first so many rounds of seed 3."""


def main() -> None:
    """Check, then time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds and decks")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="also play on a GPU")
    options = parser.parse_args()
    decks = [Composition.of_values(tuple(int(n) for n in row)) for row in draw_shoes(RULES, 120, seed=1)]
    check(decks[:6], options.device)
    time_shoes(2_000_000 if options.quick else 10_000_000)
    if options.device == "cuda":
        time_gpu(1_000_000_000 if options.quick else 10_000_000_000)
        solve_on_gpu(1024 if options.quick else 4096)
    time_solver(decks[: 30 if options.quick else 120])
    time_indices(300 if options.quick else 1200)


def check(decks: list[Composition], device: str) -> None:
    """End where a count, a round or a value is not what it was."""
    counted = play_shoes(COUNTER, RULES, CHECKED, seed=3, device="cpu")
    assert hashlib.sha256(counted.tally.tobytes()).hexdigest().startswith(TALLY)
    if device == "cuda":
        assert np.array_equal(play_shoes(COUNTER, RULES, CHECKED, seed=3, device=device).tally, counted.tally)
    flat = replace(COUNTER, departures=(), insurance=None)
    chips = play_shoes(flat, RULES, 500_000, seed=5, device="cpu")
    plain = simulate(CHART, RULES, 500_000, seed=5, device="cpu")
    assert float((chips.by_count @ chips.results).sum()) / chips.rounds == plain.ev.mean
    off = max(
        abs(found.ev - solve(FRESH, deck=deck).ev) for found, deck in zip(solve_many(decks, FRESH), decks, strict=True)
    )
    assert off <= 1e-12, off
    print(f"the same rounds as before, the same as simulate's with flat bets; solve_many off by {off:.0e}\n")


def timed(what: str, unit: str, goal: float, work: Callable[[], int], repeat: int = 3) -> None:
    """Print and record how many a second of CPU, the best of some runs."""
    best = 0.0
    for _ in range(repeat):
        start = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - start))
    print(f"{what:<58} {best:>14,.1f} {unit}, asked {goal:,.0f}")
    record(what, best, unit)


def time_shoes(rounds: int) -> None:
    """Rounds a second of dealt shoes, by the chart and by the counter with its ramp."""

    def by_chart() -> int:
        return simulate(CHART, RULES, rounds, threads=1, device="cpu").rounds

    def by_count() -> int:
        shoes = play_shoes(COUNTER, RULES, rounds, threads=1, device="cpu")
        ramp(shoes, bets_by_count(BETS, shoes.counts))
        return shoes.rounds

    timed("dealt shoes by a chart, one core", "rounds/s", 14e6, by_chart)
    timed("dealt shoes by Hi-Lo, ramp and 18 indices, one core", "rounds/s", 10e6, by_count)


def time_gpu(rounds: int) -> None:
    """The same on a GPU, by the clock."""
    for what, goal, play in (
        ("dealt shoes by a chart, GPU", 2e9, lambda n: simulate(CHART, RULES, n, device="cuda")),
        ("dealt shoes by Hi-Lo and 18 indices, GPU", 1e9, lambda n: play_shoes(COUNTER, RULES, n, device="cuda")),
    ):
        play(rounds // 100)
        start = time.perf_counter()
        play(rounds)
        rate = rounds / (time.perf_counter() - start)
        print(f"{what:<58} {rate:>14,.1f} rounds/s, asked {goal:,.0f}")
        record(what, rate, "rounds/s")


def solve_on_gpu(n: int) -> None:
    """Decks solved a second on a GPU, by the clock, after some are checked against a processor's."""
    decks = [Composition.of_values(tuple(int(count) for count in row)) for row in draw_shoes(RULES, n, seed=1)]
    found = list(solve_many(decks[:600], FRESH, device="cuda"))
    off = max(abs(found[at].ev - solve(FRESH, deck=decks[at]).ev) for at in range(0, 600, 60))
    assert off <= 1e-12, off
    start = time.perf_counter()
    rate = len(list(solve_many(decks, FRESH, device="cuda"))) / (time.perf_counter() - start)
    what = "solve_many, 6 decks dealt down, GPU"
    print(f"{what:<58} {rate:>14,.1f} decks/s, asked 2,000")
    record(what, rate, "decks/s")


def time_solver(decks: list[Composition]) -> None:
    """Decks solved a second."""
    timed(
        "solve_many, 6 decks dealt down, one core",
        "decks/s",
        60,
        lambda: len(list(solve_many(decks, FRESH, threads=1))),
    )


def time_indices(shoes: int) -> None:
    """Seconds for `count indices hi-lo --top 18`."""
    start, clock = time.process_time(), time.perf_counter()
    found = find_indices(SYSTEMS["Hi-Lo"], solve_shoes(FRESH, shoes=shoes))[:18]
    cpu, clock = time.process_time() - start, time.perf_counter() - clock
    print(f"{len(found)} indices from {shoes:,} solved shoes: {cpu:.1f} s of CPU, {clock:.1f} s by the clock, asked 60")
    record("count indices --top 18", cpu, "CPU s")


if __name__ == "__main__":
    main()
