"""Running a race: part after part, each result a file, so that a killed race goes on where it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from tempfile import TemporaryDirectory

from holecard.evolve.observer import Observer
from holecard.files import make_folder, only_one
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, Result
from holecard.studies.race.parts import parts_of
from holecard.studies.race.race import RESULTS, Race, RaceResults, start_race


def run_race(
    race: Race, *, threads: int | None = None, executor: Executor | None = None, observer: Observer | None = None
) -> RaceResults:
    """Run every part that has no result yet; what all of them came to. One process at a time works on a race.

    The observer hears how much of the whole race is done, and after every part its result with `part`, its name,
    `title`, `number`, 1 for the first, and `parts`, how many there are.
    """
    with only_one(race.path):
        return _run_parts(race, threads, executor, observer or Observer())


def _run_parts(race: Race, threads: int | None, executor: Executor | None, observer: Observer) -> RaceResults:
    make_folder(race.path / RESULTS)
    context = RaceContext(
        config=race.config,
        path=race.path,
        threads=threads,
        executor=executor,
        tell=observer.progress,
        note=observer.note,
    )
    parts = parts_of(race.config)
    for number, part in enumerate(parts, 1):
        result = race.result(part)
        if result is None or "missing" in result:  # what was missing may have been installed since
            context.tell = _of_the_whole(parts, number, observer)
            result = _run_part(race, context, part)
        observer.record({"part": part.name, "title": part.title, "number": number, "parts": len(parts), **result})
    return race.results()


def _of_the_whole(parts: Sequence[Part], number: int, observer: Observer) -> Callable[[float, str], None]:
    """What the part of that number calls with its own share and words; the observer hears those of the race."""
    part, total = parts[number - 1], sum(each.weight for each in parts)
    before = sum(each.weight for each in parts[: number - 1])

    def tell(done: float, words: str) -> None:
        title = f"{number}/{len(parts)} {part.title}"
        observer.progress((before + done * part.weight) / total, f"{title}: {words}" if words else title)

    return tell


def _run_part(race: Race, context: RaceContext, part: Part) -> Result:
    context.tell(0.0, "")
    start = time.perf_counter()
    result = part.run(context)
    result["seconds"] = time.perf_counter() - start
    race.write_result(part, result)
    return result


def warm_up(config: RaceConfig) -> None:
    """Run the smallest race of that kind once, so that kernels are compiled before a clock runs."""
    smallest = RaceConfig(
        rules=config.rules,
        population=4,
        bits_generations=1,
        bits_hands=100,
        letters_generations=1,
        programs=4,
        programs_generations=1,
        rounds=100,
        budgets=(1,),
        players=4,
        holdem_generations=1,
        hands=2,
        duel_hands=2,
    )
    with TemporaryDirectory() as folder:
        run_race(start_race(smallest, Path(folder) / "race", command=[]))
