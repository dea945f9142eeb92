"""How fast rounds are played, beside plain Python in the same run: `python benchmarks/simulate.py`.

Validates first: the kernel's rounds are plain Python's rounds, and seed 000's best table has its exact fitness.
"""

from __future__ import annotations

import os
import platform
import random
import time
from collections.abc import Callable

import numpy as np

from holecard import Action, Game, Rules, Strategy, named_strategy, simulate
from holecard.blackjack.game import View

REPEATS = 5
BEST = 0.478596937344
"""Exact fitness of seed 000's best table."""


def best_of(work: Callable[[], float], repeats: int = REPEATS) -> float:
    """The highest of several rates: on a shared machine the best is the least disturbed."""
    return max(work() for _ in range(repeats))


def rate(count: int, work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return count / (time.perf_counter() - start)


def hand_value(cards: list[int]) -> tuple[int, bool]:
    """Seed 000's scoring, to the letter."""
    total = sum(cards)
    aces = cards.count(11)
    while total > 21 and aces:
        total -= 10
        aces -= 1
    return total, aces > 0


def play_hand(chromosome: list[int]) -> str:
    """Seed 000's hand, to the letter: a freshly shuffled deck, hit or stand, dealer stands on soft 17."""
    deck = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11] * 4
    random.shuffle(deck)
    player, dealer = [deck.pop()], [deck.pop()]
    player.append(deck.pop())
    dealer.append(deck.pop())
    column = 0 if dealer[0] == 11 else dealer[0] - 1
    while True:
        total, soft = hand_value(player)
        if total >= 21 or not chromosome[170 + (total - 12) * 10 + column if soft else (total - 4) * 10 + column]:
            break
        player.append(deck.pop())
    if total > 21:
        return "loss"
    while hand_value(dealer)[0] < 17:
        dealer.append(deck.pop())
    score = hand_value(dealer)[0]
    return "win" if score > 21 or total > score else "loss" if total < score else "push"


def best_table() -> Strategy:
    hard = dict.fromkeys(range(4, 12), "HHHHHHHHHH") | {12: "HHHSSSHHHH"}
    hard |= dict.fromkeys(range(13, 17), "HSSSSSHHHH") | dict.fromkeys(range(17, 21), "SSSSSSSSSS")
    soft = dict.fromkeys(range(12, 18), "HHHHHHHHHH") | {18: "HSSSSSSSHH", 19: "SSSSSSSSSS", 20: "SSSSSSSSSS"}
    letters = "".join(hard[total] for total in range(4, 21)) + "".join(soft[total] for total in range(12, 21))
    return Strategy.from_genome([int(letter == "H") for letter in letters])


def choose(view: View) -> Action:
    """A plain agent, as a student writes it."""
    if view.is_pair and view.hard in (2, 16) and Action.SPLIT in view.legal:
        return Action.SPLIT
    if not view.soft and view.total in (10, 11) and Action.DOUBLE in view.legal:
        return Action.DOUBLE
    if Action.HIT not in view.legal:
        return Action.STAND
    return (
        Action.STAND
        if view.total >= (18 if view.soft else 17 if view.upcard in (1, 7, 8, 9, 10) else 12)
        else Action.HIT
    )


def main() -> None:
    classic, casino = Rules.preset("classic"), Rules.preset("casino")
    best, basic = best_table(), named_strategy("basic", casino)
    chromosome = best.genome().tolist()

    check = simulate(best, classic, 20_000_000, seed=1)
    error = check.stdev / 2 / check.rounds**0.5
    assert abs(check.fitness - BEST) < 4 * error, (check.fitness, BEST)
    plain_fitness = np.mean([{"win": 1, "push": 0.5, "loss": 0}[play_hand(chromosome)] for _ in range(50_000)])
    assert abs(plain_fitness - BEST) < 4 * 0.477 / 50_000**0.5
    print(f"validated: fitness of the best table {check.fitness:.6f} ± {error:.6f}, exact {BEST:.6f}\n")

    def agent_rounds() -> float:
        game = Game(casino, seed=1)
        return rate(20_000, lambda: [game.play(choose) for _ in range(20_000)])

    n = 5_000_000
    plain = best_of(lambda: rate(20_000, lambda: [play_hand(chromosome) for _ in range(20_000)]))
    rows = {
        "classic, plain Python to the letter": plain,
        "classic, one thread": best_of(lambda: simulate(best, classic, n, threads=1).rounds_per_second),
        "classic, two threads": best_of(lambda: simulate(best, classic, 2 * n, threads=2).rounds_per_second),
        "casino, fresh shoe, one thread": best_of(lambda: simulate(basic, casino, n, threads=1).rounds_per_second),
        "casino, fresh shoe, two threads": best_of(lambda: simulate(basic, casino, 2 * n, threads=2).rounds_per_second),
        "casino, Game and a Python agent": best_of(agent_rounds),
    }
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{'rounds per second, best of ' + str(REPEATS):40}{'':>14}{'× plain Python':>16}")
    for name, value in rows.items():
        print(f"{name:40}{value:>14,.0f}{value / plain:>16,.1f}")
    one, two = rows["casino, fresh shoe, one thread"], rows["casino, fresh shoe, two threads"]
    print(f"\ntwo threads over one: casino {two / one:.2f}×, "
          f"classic {rows['classic, two threads'] / rows['classic, one thread']:.2f}×")  # fmt: skip


if __name__ == "__main__":
    main()
