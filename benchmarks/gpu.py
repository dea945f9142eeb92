"""How fast a GPU plays, beside the processor in the same run: `python benchmarks/gpu.py`.

Checks before it times: blackjack counts must be the processor's to the last round; hold'em equities too, and what a
population earns there within rounding.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from results import record

from holecard import Rules, named_strategy, simulate
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.result import Simulation
from holecard.blackjack.play.simulate import simulate_many
from holecard.blackjack.play.upcards import chips_against
from holecard.device import NoGpu, gpu
from holecard.errors import MissingExtra
from holecard.holdem.arena import deck_sets
from holecard.studies.neuroevolution import Neuroevolution
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

GAMES = (
    "classic",
    "casino",
    "textbook",
    "votes",
    "1d S17 value",
    "european",
    "6d S17 OBO RSA HSA value",
    "8d S17 ES RSA INS",
    "6d 5-charlie value",
    "inf S17 value",
    "gymnasium",
)
TIMED = {"classic": (1 << 35, 20e9), "casino": (1 << 34, 8e9), "casino dealt": (1 << 33, 2e9)}
"""Rounds to time, and the rate that is hoped for."""
GENERATIONS = {50: 0.1, 5_000: 0.8}
"""Populations, and the seconds hoped for."""


def counts(result: Simulation) -> tuple[Any, ...]:
    return result.rounds, result.ev.mean, result.stdev, result.win, result.push, result.natural, result.bust


def check_blackjack(rounds: int) -> None:
    """The GPU's counts are the processor's, for every kind of game, many tables, and chosen rounds."""
    for text in GAMES:
        rules = Rules.from_text(text)
        for name in ("basic", "random"):
            table = named_strategy(name, rules)
            cpu, on_gpu = (simulate(table, rules, rounds, seed=3, device=device) for device in ("cpu", "cuda"))
            assert counts(cpu) == counts(on_gpu), (text, name, cpu, on_gpu)
    rules, deck = Rules.preset("casino"), Composition.from_text("A=20,2=20,5=20,9=20,10=70")
    table = named_strategy("basic", rules)
    cpu, on_gpu = (simulate(table, rules, rounds, deck=deck, device=device) for device in ("cpu", "cuda"))
    assert counts(cpu) == counts(on_gpu), "a deck of one's own"
    many = np.stack([named_strategy(name, rules).plays() for name in ("basic", "random", "aggressive")] * 7)
    for own in (False, True):
        one, two = (simulate_many(many, rules, 10_000, seed=5, own_cards=own, device=d) for d in ("cpu", "cuda"))
        assert (one == two).all(), "many tables"
    for text in ("6d dealt", "1d S17 value dealt cut=1"):
        shoes = Rules.from_text(text)
        for bankroll in (None, 20.0):
            both = [simulate(table, shoes, 3_000_000, bankroll=bankroll, device=d) for d in ("cpu", "cuda")]
            assert counts(both[0]) == counts(both[1]), (text, bankroll, both)
            assert both[0].ruin == both[1].ruin, (text, bankroll)
    votes = Rules.preset("votes")
    tables = np.stack([named_strategy(name, votes).plays() for name in ("basic", "random")])
    chips = [chips_against(9, tables, votes, 100_000, seed=5, device=device) for device in ("cpu", "cuda")]
    assert (chips[0] == chips[1]).all(), "chosen rounds"
    print(
        f"checked: {len(GAMES)} games, {rounds:,} rounds of two tables each: counts identical;\n"
        "the same for a deck of one's own, many tables at once, chosen rounds, dealt shoes, trips with a bankroll",
        flush=True,
    )


def time_blackjack() -> None:
    print(f"\n{'rounds per second':28}{'GPU':>18}{'all cores':>16}{'×':>8}{'hoped for':>20}")
    for text, (rounds, hoped) in TIMED.items():
        rules = Rules.from_text(text)
        table = named_strategy("basic", rules)
        on_gpu = max(simulate(table, rules, rounds, device="cuda").rounds_per_second for _ in range(3))
        cpu = max(simulate(table, rules, 1 << 26, device="cpu").rounds_per_second for _ in range(3))
        verdict = "reached" if on_gpu >= hoped else "missed"
        print(f"{text:28}{on_gpu:>18,.0f}{cpu:>16,.0f}{on_gpu / cpu:>8,.0f}{hoped:>20,.0f} {verdict}", flush=True)
        record(f"rounds of {text} on a GPU", on_gpu, "/s", "all cores", cpu)


def check_holdem() -> None:
    """Equities to the bit; earnings of a population within rounding, which few sessions feel."""
    from holecard.holdem.arena import gpu as on_gpu

    for samples in (0, 100):
        one, two = (each.deck_equities(seed=1, number=3, hands=500, samples=samples) for each in (deck_sets, on_gpu))
        assert (one == two).all(), "equities"
    one, two = (each.deck_chances(seed=1, number=3, hands=500) for each in (deck_sets, on_gpu))
    assert (one == two).all(), "chances"
    for preset in ("card", "paper"):
        config = NeuroevolutionConfig.preset(preset, population=40, generations=5, seed=2)
        one, two = (Neuroevolution(replace(config, device=device)).play(2, 1, 0) for device in ("cpu", "cuda"))
        same = (one.buy_ins == two.buy_ins).mean()
        print(f"checked: {preset}: equities and chances identical, {100 * same:.1f} % of all earnings", flush=True)
        assert same > 0.5, "earnings"
        assert abs(one.buy_ins.mean() - two.buy_ins.mean()) < 0.2 * one.buy_ins.std(), "mean earnings"


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return float(np.median(taken))


def time_holdem() -> None:
    print(f"\n{'seconds a generation':28}{'played':>10}{'and bred':>10}{'decisions/s':>16}{'hoped for':>12}")
    for population, hoped in GENERATIONS.items():
        config = NeuroevolutionConfig.preset("card", population=population, generations=100, device="cuda")
        study = Neuroevolution(config)
        earned = study.play(1, 1, 0)
        decisions = sum(int(earned.tallies[name].sum()) for name in ("folds", "checks", "calls", "raises", "all_ins"))
        played = median_seconds(partial(study.play, 1, 1, 0), 3)
        whole = median_seconds(study.step, 3)
        verdict = "reached" if whole <= hoped else "missed"
        print(
            f"pokernet, population {population:<7,}{played:>10.3f}{whole:>10.3f}{decisions / played:>16,.0f}"
            f"{hoped:>8} {verdict}",
            flush=True,
        )
        record(f"pokernet generation on a GPU, population {population:,}", whole, "s")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=float, default=1e7, help="rounds to check with")
    options.add_argument("--only", choices=("blackjack", "holdem"))
    chosen = options.parse_args()
    try:
        print(gpu(), flush=True)
    except (MissingExtra, NoGpu) as problem:
        print(f"not measured: {problem}")
        return
    if chosen.only != "holdem":
        check_blackjack(int(chosen.rounds))
        time_blackjack()
    if chosen.only != "blackjack":
        check_holdem()
        time_holdem()


if __name__ == "__main__":
    main()
