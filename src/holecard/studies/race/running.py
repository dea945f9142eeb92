"""Running a race: part after part, each result a file, so that a killed race goes on where it was."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from tempfile import TemporaryDirectory

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Part, Result
from holecard.studies.race.parts import parts_of
from holecard.studies.race.race import RESULTS, Race, start_race

Progress = Callable[[int, Part, float, str], None]
"""Called with the number of the part, the part, the share of it that is done, and a word about it."""


def run_race(
    race: Race,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress = lambda number, part, done, word: None,
    on_finished: Callable[[int, Part, Result], None] = lambda number, part, result: None,
    on_note: Callable[[str], None] = lambda text: None,
) -> None:
    """Run every part that has no result yet."""
    (race.path / RESULTS).mkdir(exist_ok=True)
    context = RaceContext(
        config=race.config,
        path=race.path,
        threads=threads,
        executor=executor,
        tell=lambda done, word: None,
        note=on_note,
    )
    for number, part in enumerate(parts_of(race.config), 1):
        known = race.result(part)
        if known is None or "missing" in known:  # what was missing may have been installed since
            known = _run_part(race, context, number, part, on_progress)
        on_finished(number, part, known)


def _run_part(race: Race, context: RaceContext, number: int, part: Part, on_progress: Progress) -> Result:
    context.tell = lambda done, word: on_progress(number, part, done, word)
    on_progress(number, part, 0.0, "")
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
