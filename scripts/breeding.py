"""Many evolutions side by side, one process each: settings × seeds, scored on fresh hands, a JSON line a finished run.

    PYTHONPATH=src python scripts/breeding.py PLAN --out DIR [--workers 14] [--threads 1] [--seconds 500]
    PYTHONPATH=src python scripts/breeding.py --champion DIR/NAME-SEED.npy FILE

PLAN has a line for every setting: seeds, a name, and the words of `holecard holdem evolve` that make it, such as
`1-5 thirds --preset paper --decision thirds`; runs begin in this order. A finished run adds a line to
`DIR/results.jsonl` and leaves its genome as `DIR/NAME-SEED.npy`. What is finished is not run again, so that a driver
that was stopped goes on by the same command. After `--seconds` no further run is begun. `--champion` makes a champion
file, which needs safetensors, of a run's genome and its line.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from champions import SEED

from holecard.estimate import finite
from holecard.holdem.arena.duel import duel
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.presets import preset_named
from holecard.settings import parse_schedule
from holecard.studies.neuroevolution import Neuroevolution, scored
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

RESULTS = "results.jsonl"
EVERY = 25
"""Generations from one recorded point of a curve to the next."""


def value_of(flag: str, text: str) -> Any:
    """An option's value: a schedule, names, a number or a word."""
    if ":" in text and text[0].isdigit():
        return parse_schedule(flag, text)
    if "," in text:
        return tuple(text.split(","))
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def config_of(words: str, seed: int) -> NeuroevolutionConfig:
    """The study that `holecard holdem evolve` with these words runs."""
    options: dict[str, Any] = {}
    tokens = shlex.split(words)
    while tokens:
        flag = tokens.pop(0)
        name = flag.removeprefix("--").replace("-", "_")
        if not tokens or tokens[0].startswith("--"):
            options[name.removeprefix("no_")] = not name.startswith("no_")
        else:
            options[name] = value_of(flag, tokens.pop(0))
    for name in ("mutation_rate", "mutation_strength", "deviation", "learning_rate"):
        if isinstance(options.get(name), int | float):
            options[name] = (options[name],) * 2
    if isinstance(options.get("opponents"), str):
        options["opponents"] = (options["opponents"],)
    return NeuroevolutionConfig.preset(options.pop("preset", "pokernet"), seed=seed, **options)


def plan_of(path: Path) -> Iterator[tuple[str, str, int]]:
    """Name, words and seed of every run, line by line."""
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        seeds, name, words = (*line.split(maxsplit=2), "")[:3]
        first, _, last = seeds.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            yield name, words, seed


def play(name: str, words: str, seed: int, out: Path, threads: int) -> None:
    """Run one study to its end, on so many threads, and write down what came of it."""
    config = config_of(words, seed)
    study = Neuroevolution(config, threads=threads)
    began, cpu, curve = time.perf_counter(), time.process_time(), []
    while not study.finished:
        record = study.step()
        if record["generation"] % EVERY == 0 or study.finished:
            earned = [round(each["earnings"] or 0.0, 3) for each in record["opponents"].values()]
            mean = [round(each["mean_earnings"] or 0.0, 3) for each in record["opponents"].values()]
            curve.append([record["generation"], earned, mean])
            np.save(out / f"{name}-{seed}.latest.npy", study.evolution.population[0])  # an elite, should it be stopped
            with (out / f"{name}-{seed}.curve.json").open("w") as file:
                json.dump([time.perf_counter() - began, curve], file)
    champion = scored(study.champion(), config, threads=threads)
    np.save(out / f"{name}-{seed}.npy", champion.genome)
    for unfinished in (f"{name}-{seed}.latest.npy", f"{name}-{seed}.curve.json"):
        (out / unfinished).unlink(missing_ok=True)
    line = results_of(champion, config) | {
        "name": name,
        "seed": seed,
        "words": words,
        "seconds": round(time.perf_counter() - began, 1),
        "cpu": round(time.process_time() - cpu, 1),
        "card": champion.card,
        "curve": curve,
    }
    with (out / RESULTS).open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(name, seed, line["seconds"], line["scores"], line["of_best"], flush=True)


def results_of(champion: Champion, config: NeuroevolutionConfig) -> dict[str, Any]:
    """What the champion wins at its preset's table, on cards that no run was dealt, and what the others did there."""
    seat, rules = NamedPlayer.of_champion(champion, "champion"), preset_named(config.setting).rules
    duels = {
        name: duel(seat, player_named(name), rules, hands=config.score_hands, seed=SEED, threads=1)
        for name in config.opponents
    }
    return {
        "scores": {name: round(each.mbb_per_hand.mean) for name, each in duels.items()},
        "errors": {name: finite(each.mbb_per_hand.stderr) for name, each in duels.items()},
        "of_best": {name: round(each.of_best.mean, 3) for name, each in duels.items() if each.of_best is not None},
        "raises": {name: round(float(each.tallies[1]["raises"]) * 500 / each.hands) for name, each in duels.items()},
    }


def finished(out: Path) -> set[tuple[str, int]]:
    """Name and seed of every run that is done."""
    path = out / RESULTS
    lines = path.read_text().splitlines() if path.exists() else []
    return {(line["name"], line["seed"]) for line in map(json.loads, lines)}


def play_in_time(job: tuple[str, str, int], out: Path, threads: int, ends: float) -> None:
    """Run one study, unless it is too late to begin; whatever goes wrong with it stops no other."""
    if time.time() < ends:
        try:
            play(*job, out, threads)
        except Exception as problem:
            print(*job, repr(problem), flush=True)


def run_all(plan: list[tuple[str, str, int]], out: Path, workers: int, threads: int, seconds: float) -> None:
    """Every run of the plan that is not done, `workers` at a time, each on so many threads."""
    done, began = finished(out), time.time()
    waiting = [job for job in plan if (job[0], job[2]) not in done]
    on_gpu = any("cuda" in words for _, words, _ in waiting)
    if not on_gpu:  # compiled code and tables are the children's too
        for preset in sorted({config_of(words, seed).setting for _, words, seed in waiting}):
            tiny = NeuroevolutionConfig.preset(preset, population=8, generations=2, hands=2, finals=1, score_hands=2)
            study = Neuroevolution(tiny, threads=1)
            while not study.finished:
                study.step()
            scored(study.champion(), tiny, threads=1)
        print(f"ready after {time.time() - began:.0f} s", flush=True)
    context = multiprocessing.get_context("spawn" if on_gpu else "fork")
    with context.Pool(workers) as pool:
        runs = [pool.apply_async(play_in_time, (job, out, threads, began + seconds)) for job in waiting]
        for run in runs:
            run.get()


def make_champion(genome: Path, target: Path) -> None:
    """A champion file of a genome and the line of results that belongs to it."""
    name, _, seed = genome.stem.rpartition("-")
    lines = map(json.loads, (genome.parent / RESULTS).read_text().splitlines())
    line = next(each for each in lines if (each["name"], each["seed"]) == (name, int(seed)))
    config = config_of(line["words"], int(seed))
    Champion(layout=config.layout, genome=np.load(genome), card=line["card"]).save(target)


def main() -> None:
    """Run the plan, or make a champion file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path, nargs="?")
    parser.add_argument("--out", type=Path, default=Path("runs/breeding"))
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--threads", type=int, default=1, help="of a run")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--champion", type=Path, nargs=2, metavar=("GENOME", "FILE"))
    options = parser.parse_args()
    if options.champion:
        make_champion(*options.champion)
    elif options.plan:
        options.out.mkdir(parents=True, exist_ok=True)
        run_all(list(plan_of(options.plan)), options.out, options.workers, options.threads, options.seconds)


if __name__ == "__main__":
    main()
