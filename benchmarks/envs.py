"""Steps per second of the environments beside Gymnasium's Blackjack-v1 in the same run: `python benchmarks/envs.py`.

Validates first: the optimal table's return on `holecard/ClassicBlackjack-v0`, played through the vector environment,
lies within four standard errors of the exact optimum (1e8 hands with `--hands 1e8`, 1e7 by default).
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from results import record

import holecard.envs  # noqa: F401 (registers)
from holecard.blackjack.exact import optimum
from holecard.envs.classic import classic_rules, policy_of
from holecard.estimate import Estimate

OPTIMUM = {False: -0.0465559771, True: -0.0431131054}
"""By `sab`: the exact optimum of Gymnasium's game."""
CLASSIC, CASINO = "holecard/ClassicBlackjack-v0", "holecard/Blackjack-v0"
REPEATS = 5


def validate(sab: bool, hands: int) -> None:
    """Play the optimal table on the vector environment."""
    policy = policy_of(optimum(classic_rules(natural=False, sab=sab)).strategy())
    tables = gymnasium.make_vec(CLASSIC, num_envs=4096, sab=sab, autoreset_mode="SameStep")
    (total, upcard, usable), _ = tables.reset(seed=1)
    won = squares = count = 0.0
    while count < hands:
        (total, upcard, usable), rewards, over, _, _ = tables.step(policy[total, upcard, usable])
        won, squares, count = won + rewards.sum(), squares + (rewards * rewards).sum(), count + over.sum()
    mean = Estimate.from_sums(won, squares, int(count))
    z = mean.z(OPTIMUM[sab])
    assert abs(z) < 4, (mean, OPTIMUM[sab])
    exact = f"exact {OPTIMUM[sab]:+.10f}, {z:+.2f} s.e., {mean.n:,} hands"
    print(f"validated: sab={sab!s:5} return {mean.mean:+.7f} ± {mean.stderr:.7f}, {exact}")


def rate(steps: Callable[[], int]) -> float:
    """Steps per second of processor time, the best of several: what one core does, whoever else uses the machine."""
    best = 0.0
    for _ in range(REPEATS):
        start = time.process_time()
        count = steps()
        best = max(best, count / (time.process_time() - start))
    return best


def one_table(name: str, **options: Any) -> Callable[[], int]:
    """A masked random player at a single table; resets are not counted as steps."""
    table = gymnasium.make(name, **options)
    rng = np.random.default_rng(1)
    choices = rng.random(30_000)

    def play() -> int:
        _, info = table.reset(seed=1)
        for chance in choices:
            legal = np.flatnonzero(info["action_mask"]) if "action_mask" in info else (0, 1)
            _, _, over, _, info = table.step(int(legal[int(chance * len(legal))]))
            if over:
                _, info = table.reset()
        return len(choices)

    return play


def vector(name: str, tables: int, mode: str, **options: Any) -> Callable[[], int]:
    """A random player (hit or stand) at many tables; a step that only deals is not counted."""
    many = gymnasium.make_vec(name, num_envs=tables, autoreset_mode=mode, **options)
    choices = np.random.default_rng(1).integers(0, 2, (64, tables))

    def play() -> int:
        many.reset(seed=1)
        dealing, counted = np.zeros(tables, bool), 0
        for step in range(max(64, 2_000_000 // tables)):
            _, _, over, _, _ = many.step(choices[step % 64])
            counted += tables - int(dealing.sum())
            dealing = over if mode == "NextStep" else dealing
        return counted

    play()
    return play


def main() -> None:
    global REPEATS
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=lambda text: int(float(text)), default=10_000_000)
    parser.add_argument("--quick", action="store_true", help="a million hands, once each")
    options = parser.parse_args()
    hands = 1_000_000 if options.quick else options.hands
    REPEATS = 1 if options.quick else REPEATS
    for sab in (False, True):
        validate(sab, hands)
    rows = {
        "Gymnasium Blackjack-v1": rate(one_table("Blackjack-v1")),
        f"{CLASSIC}, one table": rate(one_table(CLASSIC)),
        f"{CLASSIC}, 1,024 tables, NextStep": rate(vector(CLASSIC, 1024, "NextStep")),
        f"{CLASSIC}, 1,024 tables, SameStep": rate(vector(CLASSIC, 1024, "SameStep")),
        f"{CASINO} (casino), one table": rate(one_table(CASINO)),
        f"{CASINO} (casino), 1,024 tables, SameStep": rate(vector(CASINO, 1024, "SameStep")),
    }
    print(f"\n{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{f'steps per second of one core, best of {REPEATS}':62}{'':>14}{'× Gymnasium':>14}")
    theirs = rows["Gymnasium Blackjack-v1"]
    for name, value in rows.items():
        print(f"{name:62}{value:>14,.0f}{value / theirs:>14,.1f}")
        if value != theirs:
            record(f"steps of {name}, one core", value, "/s", "Gymnasium Blackjack-v1", theirs)
    assert rows[f"{CLASSIC}, 1,024 tables, SameStep"] >= 50 * theirs


if __name__ == "__main__":
    main()
