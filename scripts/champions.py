"""Champions of finished runs on fresh duplicate hands: mBB/hand against every opponent, and the median over runs.

    PYTHONPATH=src python scripts/champions.py RUN… [--hands 100000] [--held-out] [--curves] [--full-stacks]

`--full-stacks`: every hand begins with full stacks, as the values do that shares of best are shares of; `--held-out`
adds the six opponents nobody trains on, `--curves` a table of how the populations' mean earnings rose. Intervals are
95 %.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from holecard.estimate import Estimate
from holecard.evolve.run_directory import RunDirectory
from holecard.holdem.arena.duel import duel
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RULE_PLAYERS

PAPER = {
    "scared-limper": (998.6, 702),
    "calling-machine": (40_368, 2_761),
    "hothead-maniac": (36_158, 4_988),
    "candid-statistician": (9_800, 4_512),
}
"""Li and Miikkulainen (2017), table 2: the evolved LSTM, and Slumbot 2016."""
SEED = 1_000_003  # cards that no training run was dealt
ENDS = 25
"""Generations at either end of a curve that are averaged."""


class Won(NamedTuple):
    """What a champion won in a duel; the duel itself, every hand of it, is large."""

    mbb_per_hand: Estimate
    of_best: Estimate | None


def judged(champion: NamedPlayer, names: list[str], hands: int, *, full_stacks: bool = False) -> dict[str, Won]:
    """What the champion wins from each of these opponents."""
    assert champion.preset is not None, "only champions are judged"
    rules = champion.preset.rules
    rules = replace(rules, carried=rules.carried and not full_stacks)
    won = {}
    for name in names:
        result = duel(champion, player_named(name), rules, hands=hands, seed=SEED)
        won[name] = Won(result.mbb_per_hand, result.of_best)
    return won


def cell(estimate: Estimate, of_best: Estimate | None = None) -> str:
    """Mean and half of the 95 % interval, and the share of best where it is known."""
    low, high = estimate.interval()
    share = "" if of_best is None else f" ({of_best.mean:.0%})"
    return f"{estimate.mean:,.0f} ± {(high - low) / 2:,.0f}{share}"


def curve(run: Path, opponent: str) -> list[float]:
    """The population's mean earnings against an opponent in buy-ins, by generation."""
    return [each["opponents"][opponent]["mean_earnings"] for each in RunDirectory.open(run).history.records()]


def rise(run: Path, opponent: str) -> str:
    """A curve's two ends: the means of its first and of its last generations."""
    earnings = curve(run, opponent)
    return f"{mean(earnings[:ENDS]):+.2f} → {mean(earnings[-ENDS:]):+.2f}"


def print_table(title: str, columns: list[str], rows: dict[str, list[str]]) -> None:
    """A Markdown table, so that documents can quote it as it is."""
    print(f"| {title} | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--curves", action="store_true")
    parser.add_argument("--full-stacks", action="store_true")
    options = parser.parse_args()
    champions = {run: player_named(run) for run in options.runs}
    preset = next(iter(champions.values())).preset or preset_named("pokernet")
    trained = [player.title for player in preset.opponents]
    names = list(trained)
    if options.held_out:
        names += [name for name, opponent in RULE_PLAYERS.items() if opponent.held_out]
    results = {
        run: judged(champion, names, options.hands, full_stacks=options.full_stacks)
        for run, champion in champions.items()
    }
    rows: dict[str, list[str]] = {}
    for name in names:
        row = [cell(result[name].mbb_per_hand, result[name].of_best) for result in results.values()]
        row.append(f"{median(result[name].mbb_per_hand.mean for result in results.values()):,.0f}")
        if preset.name == "paper":
            row += [f"{figure:,.0f}" for figure in PAPER.get(name, ())] or ["", ""]
        rows[name] = row
    runs = [run.rstrip("/").split("/")[-1] for run in results]
    published = ["paper", "Slumbot"] if preset.name == "paper" else []
    print_table("mBB/hand", [*runs, "median", *published], rows)
    if options.curves:
        risen = {name: [rise(Path(run), name) for run in options.runs] for name in trained}
        print()
        print_table(f"mean earnings, buy-ins, first → last {ENDS} generations", runs, risen)


if __name__ == "__main__":
    main()
