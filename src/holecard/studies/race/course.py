"""The course of a race: stage after stage, each result a file, so that a killed race goes on where it was."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from holecard.errors import FileProblem
from holecard.evolve.run_directory import RunDirectory
from holecard.studies.race import stages
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.stages import Course, Result
from holecard.studies.race.table import Row, ranked

STAGES: Final = "stages"
"""The folder of the results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One part of a race."""

    name: str
    """The name of its file."""
    title: str
    """What it does, for people."""
    weight: float
    """About how many seconds it takes one core: only for the time left."""
    run: Callable[[Course], Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """A race at work or finished."""

    config: RaceConfig
    run: RunDirectory

    @property
    def path(self) -> Path:
        """Its folder."""
        return self.run.path

    def result(self, stage: str) -> Result | None:
        """What a stage came to; None if it is not finished."""
        path = self.path / STAGES / f"{stage}.json"
        try:
            result = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as problem:
            raise FileProblem(f"cannot read {path}: {problem}; delete it and resume the race") from None
        if not isinstance(result, dict) or not isinstance(result.get("rows"), list):
            raise FileProblem(f"{path} is not the result of a stage; delete it and resume the race")
        return result

    def results(self) -> dict[str, Result]:
        """Every finished stage, in order."""
        found = ((stage.name, self.result(stage.name)) for stage in stages_of(self.config))
        return {name: result for name, result in found if result is not None}

    def rows(self) -> list[Row]:
        """Every strategy so far, best first."""
        rows = [Row(**row) for result in self.results().values() for row in result["rows"]]
        return ranked(rows, self.ev_of(stages.OPTIMUM, rows))

    def table(self) -> list[dict[str, Any]]:
        """The table: every strategy, best first, with regret and share of the way from random to perfect."""
        rows = self.rows()
        random, optimum = self.ev_of("random", rows), self.ev_of(stages.OPTIMUM, rows)
        return [row.told(random, optimum) for row in rows]

    @staticmethod
    def ev_of(name: str, rows: Sequence[Row]) -> float:
        """The EV of the strategy of that name."""
        found = [row.ev for row in rows if row.name == name]
        if not found:
            raise FileProblem(f"the race has not come to {name!r} yet; resume it")
        return found[0]

    @property
    def seconds(self) -> float:
        """What all finished stages took, on the clock."""
        return float(sum(result["seconds"] for result in self.results().values()))


def stages_of(config: RaceConfig) -> list[Stage]:
    """The stages of a race, in order."""
    c = config
    first = [
        Stage(name="solve", title="solve the game exactly", weight=2, run=stages.solve_game),
        Stage(name="charts", title="score published charts and yardsticks", weight=1, run=stages.score_named),
        Stage(
            name="bits",
            title="evolve bits on sampled hands",
            weight=2 + 1e-7 * c.population * c.bits_generations * c.bits_hands,
            run=stages.evolve_bits,
        ),
        Stage(
            name="letters",
            title="evolve letters on exact values",
            weight=1 + 1.5e-3 * c.population * c.letters_generations,
            run=stages.evolve_letters,
        ),
        Stage(
            name="trees",
            title="evolve programs that vote",
            weight=1 + 3e-4 * c.programs * c.programs_generations,
            run=stages.evolve_trees,
        ),
        Stage(
            name="network",
            title="train a network on demonstrations" if c.games else "seat the trained network",
            weight=1e-3 * c.rounds + 6e-4 * c.games * c.epochs,
            run=stages.imitate,
        ),
    ]
    searches = [
        Stage(
            name=f"search-{budget}",
            title=f"search with {budget:,} simulations",
            weight=c.rounds * (1e-4 + 3e-7 * budget),
            run=stages.search(budget),
        )
        for budget in c.budgets
    ]
    holdem = [
        Stage(
            name=f"holdem-{setting}",
            title=f"evolve hold'em players, {setting}",
            weight=2 + 5e-3 * c.players * c.holdem_generations,
            run=stages.evolve_players(setting),
        )
        for setting in c.settings
    ]
    duels = Stage(name="duels", title="duel hold'em players", weight=3e-4 * c.duel_hands, run=stages.duel_players)
    return [*first, *searches, *holdem, duels]


def start_race(config: RaceConfig, path: Path, command: Sequence[str] | None = None) -> Race:
    """A new race in an empty folder."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileProblem(f"{path} is not empty; resume a race with --resume {path} or choose another folder")
    return Race(config=config, run=RunDirectory.create(path, config.options(), command))


def open_race(path: Path) -> Race:
    """The race in a folder, to look at or to go on with."""
    run = RunDirectory.open(path)
    return Race(config=RaceConfig.from_options(run.options), run=run)


Observer = Callable[[int, Stage, float, str], None]
"""Told the number of the stage, the stage, the share of it that is done, and a word about it."""


def run_race(
    race: Race,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Observer = lambda number, stage, done, word: None,
    on_finished: Callable[[int, Stage, Result], None] = lambda number, stage, result: None,
    on_note: Callable[[str], None] = lambda text: None,
) -> None:
    """Run every stage that has no result yet."""
    (race.path / STAGES).mkdir(exist_ok=True)
    course = Course(
        config=race.config,
        path=race.path,
        threads=threads,
        executor=executor,
        tell=lambda done, word: None,
        note=on_note,
    )
    for number, stage in enumerate(stages_of(race.config), 1):
        known = race.result(stage.name)
        if known is None or "missing" in known:  # what was missing may have been installed since
            known = _run_stage(race, course, number, stage, on_progress)
        on_finished(number, stage, known)


def _run_stage(race: Race, course: Course, number: int, stage: Stage, on_progress: Observer) -> Result:
    course.tell = lambda done, word: on_progress(number, stage, done, word)
    on_progress(number, stage, 0.0, "")
    start = time.perf_counter()
    result = stage.run(course)
    result["seconds"] = time.perf_counter() - start
    contents = json.dumps(result, ensure_ascii=False, allow_nan=False, indent=1)
    race.run.write(f"{STAGES}/{stage.name}.json", contents + "\n")
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
