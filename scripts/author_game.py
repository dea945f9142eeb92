"""Which game was the paper's Table 2 played in: opponents × decision rule × mutation rate, several seeds, one table.

    PYTHONPATH=src python scripts/author_game.py [--seeds 1 2 3 4 5] [--out runs/author-game] [--hands 20000] [--read]

Every row is one setting: the paper's preset with the printed opponents or the author's, the printed decision rule or
the author's, the printed mutation rate (.25 → .05) or that of the author's program (.10 → .05); and the whole preset
`author` with either rate. A cell is the median and every seed, a second table the shares of best, a third what the
opponents did in 500 hands, as the paper's Table 3 counts it. Runs that are finished in the folder are read, the others
are run or resumed; `--read` runs nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from champions import SEED, print_table

from holecard.holdem.arena.duel import Duel, duel
from holecard.holdem.players.champion import CHAMPION
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named
from holecard.studies.neuroevolution import run
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

SHORT = ("Limper", "Calling Machine", "Maniac", "Statistician")
RATES = {".25": (0.25, 0.05), ".10": (0.10, 0.05)}


def settings() -> dict[str, tuple[str, dict[str, Any]]]:
    """Every setting by the name of its row: the preset and what differs from it."""
    authors = tuple(player.title for player in preset_named("author").opponents)
    rows: dict[str, tuple[str, dict[str, Any]]] = {}
    for opponents, changes in (("printed", {}), ("author", {"opponents": authors})):
        for decision in ("paper", "author"):
            for rate, schedule in RATES.items():
                name = f"{opponents} opponents, {decision} decision, {rate}"
                rows[name] = "paper", {**changes, "decision": decision, "mutation_rate": schedule}
    for rate, schedule in RATES.items():
        rows[f"everything the author's, {rate}"] = "author", {"mutation_rate": schedule}
    return rows


def folder_of(out: Path, name: str, seed: int) -> Path:
    """Where the run of a setting lies."""
    return out / f"{name.replace(', ', '-').replace(' ', '-').replace(chr(39), '')}-{seed}"


def judged(place: Path, names: Sequence[str], hands: int) -> list[Duel]:
    """The duels of a run's champion with its opponents, on cards that no training run was dealt."""
    champion = player_named(str(place))
    return [duel(champion, player_named(name), hands=hands, seed=SEED) for name in names]


def cell(values: Sequence[float], form: str) -> str:
    """The median and every value."""
    return f"**{median(values):{form}}** ({', '.join(f'{value:{form}}' for value in values)})"


def raises(each: Duel) -> float:
    """What the opponent raised in 500 hands."""
    return float(each.tallies[1]["raises"]) * 500 / each.hands


def main() -> None:
    """Run, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--out", type=Path, default=Path("runs/author-game"))
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--read", action="store_true")
    options = parser.parse_args()
    earned: dict[str, list[str]] = {}
    shares: dict[str, list[str]] = {}
    counts: dict[str, list[str]] = {}
    for name, (preset, changes) in settings().items():
        found = []
        for seed in options.seeds:
            config = NeuroevolutionConfig.preset(preset, seed=seed, **changes)
            place = folder_of(options.out, name, seed)
            if not (place / CHAMPION).exists():
                if options.read:
                    continue
                run(config, place, resume=(place / "config.json").exists())
            found.append(judged(place, config.opponents, options.hands))
        if not found:
            continue
        columns = list(zip(*found, strict=True))
        earned[name] = [cell([each.mbb_per_hand.mean for each in column], ",.0f") for column in columns]
        known = [[each.of_best.mean for each in column if each.of_best is not None] for column in columns]
        shares[name] = [cell(each, ".0%") if each else "" for each in known]
        counts[name] = [cell([raises(each) for each in column], ",.0f") for column in columns[2:]]
    print_table("mBB/hand, median (seeds)", list(SHORT), earned)
    print()
    print_table("of best", list(SHORT), shares)
    print()
    print_table("raises in 500 hands", list(SHORT[2:]), counts)


if __name__ == "__main__":
    main()
