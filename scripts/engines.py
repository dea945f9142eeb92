"""TSER and the evolution strategy on the same cards and budget: champions' earnings as a Markdown table.

python scripts/engines.py                                    both presets, three seeds, 250 generations of 50
python scripts/engines.py --settings deviation=0.2:0.1       the evolution strategy with another setting
"""

from __future__ import annotations

import argparse
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from holecard.holdem import RULE_PLAYERS
from holecard.studies import NeuroevolutionConfig


@dataclass(frozen=True)
class Job:
    """One evolution."""

    preset: str
    engine: str
    seed: int
    generations: int
    settings: dict[str, Any] = field(default_factory=dict)


def champion_of(job: Job) -> dict[str, Any]:
    """The card of the champion that a job breeds."""
    from holecard.studies.neuroevolution import run

    config = NeuroevolutionConfig.preset(
        job.preset, job.engine, seed=job.seed, generations=job.generations, **job.settings
    )
    with TemporaryDirectory() as folder:
        return run(config, Path(folder) / "run", threads=1).champion.card


def row(job: Job, card: dict[str, Any]) -> str:
    """A line of the table: mBB/hand ± half the 95 % interval against each opponent, and the fitness in the finals."""
    cells = []
    for score in card["scores"].values():
        each = score["mbb_per_hand"]
        cells.append(f"{each['value']:,.0f} ± {(each['high'] - each['low']) / 2:,.0f}")
    engine = " ".join([job.engine, *(f"{name} {start}:{end}" for name, (start, end) in job.settings.items())])
    return f"| {job.preset} | {engine} | {job.seed} | {card['finals']:.3f} | {' | '.join(cells)} |"


def main() -> None:
    """Breed all champions, a process each, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", default="card,paper")
    parser.add_argument("--engines", default="tser,es")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--generations", type=int, default=250)
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--settings", action="append", default=[], metavar="NAME=START:END,…", help="of the engine es")
    given = parser.parse_args()
    variants = [dict(_setting(each) for each in text.split(",")) for text in given.settings] or [{}]
    jobs = [
        Job(preset, engine, int(seed), given.generations, variant if engine == "es" else {})
        for preset in given.presets.split(",")
        for engine in given.engines.split(",")
        for variant in (variants if engine == "es" else [{}])
        for seed in given.seeds.split(",")
    ]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(given.jobs, mp_context=spawn) as pool:
        shown = ""
        for job, card in zip(jobs, pool.map(champion_of, jobs), strict=True):
            if job.preset != shown:
                names = [name for name in card["scores"] if name in RULE_PLAYERS]
                print(f"\n| preset | engine | seed | finals | {' | '.join(names)} |")
                print(f"|---|---|---|---|{'---|' * len(names)}")
            shown = job.preset
            print(row(job, card), flush=True)


def _setting(text: str) -> tuple[str, tuple[float, float]]:
    name, _, ends = text.partition("=")
    start, _, end = ends.partition(":")
    return name, (float(start), float(end or start))


if __name__ == "__main__":
    main()
