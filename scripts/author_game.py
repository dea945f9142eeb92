"""Which game was the paper's Table 2 played in: opponents × decision rule × mutation rate, several seeds, one table.

    python scripts/author_game.py --plan > plan.txt                every run, as breeding.py takes them
    python scripts/breeding.py plan.txt --out runs/author-game     two minutes of a core each
    python scripts/author_game.py runs/author-game

Every row is one setting: the paper's preset with the printed opponents or the author's, the printed decision rule or
the author's, the printed mutation rate (.25 → .05) or that of the author's program (.10 → .05); and the whole preset
`author` with either rate. A cell is the median and every seed, mBB/hand on 20,000 fresh hands; a second table has the
shares of best, a third what the opponents raised in 500 hands, as the paper's Table 3 counts it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from breeding import RESULTS
from champions import print_table

from holecard.holdem.players.presets import preset_named

SHORT = ("Limper", "Calling Machine", "Maniac", "Statistician")
RATES = {".25": "0.25:0.05", ".10": "0.1:0.05"}


def settings() -> Iterator[tuple[str, str]]:
    """Every setting: the name of its row, and the words of `holecard holdem evolve` that make it."""
    authors = ",".join(player.title for player in preset_named("author").opponents)
    for opponents, words in (("printed", ""), ("author", f" --opponents {authors}")):
        for decision in ("paper", "author"):
            for rate, schedule in RATES.items():
                name = f"{opponents}_opponents,_{decision}_decision,_{rate}"
                yield name, f"--preset paper{words} --decision {decision} --mutation-rate {schedule}"
    for rate, schedule in RATES.items():
        yield f"everything_the_author's,_{rate}", f"--preset author --mutation-rate {schedule}"


def cell(values: Sequence[float], form: str) -> str:
    """The median and every value."""
    return f"**{median(values):{form}}** ({', '.join(f'{value:{form}}' for value in values)})" if values else ""


def columns_of(runs: Sequence[dict[str, Any]], figure: str) -> Iterator[list[float]]:
    """A figure of all runs, opponent by opponent; those of which it is not known are left out."""
    for opponent in runs[0]["scores"]:
        yield [run[figure][opponent] for run in runs if opponent in run[figure]]


def print_tables(folder: Path) -> None:
    """The three tables of the runs that are finished in a folder."""
    lines = [json.loads(line) for line in (folder / RESULTS).read_text().splitlines()]
    earned: dict[str, list[str]] = {}
    shares: dict[str, list[str]] = {}
    raised: dict[str, list[str]] = {}
    for name, _ in settings():
        runs = sorted((line for line in lines if line["name"] == name), key=lambda line: int(line["seed"]))
        if runs:
            title = name.replace("_", " ")
            earned[title] = [cell(values, ",.0f") for values in columns_of(runs, "scores")]
            shares[title] = [cell(values, ".0%") for values in columns_of(runs, "of_best")]
            raised[title] = [cell(values, ",.0f") for values in list(columns_of(runs, "raises"))[2:]]
    print_table("mBB/hand, median (seeds)", list(SHORT), earned)
    print()
    print_table("of best", list(SHORT), shares)
    print()
    print_table("raises in 500 hands", list(SHORT[2:]), raised)


def main() -> None:
    """Print the plan, or the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("runs/author-game"))
    parser.add_argument("--plan", action="store_true")
    options = parser.parse_args()
    if options.plan:
        for name, words in settings():
            print(f"1-5 {name} {words}")
    else:
        print_tables(options.folder)


if __name__ == "__main__":
    main()
