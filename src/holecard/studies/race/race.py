"""A race as a folder: its configuration, and one file of results for every part that is finished."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from holecard.errors import FileProblem
from holecard.evolve.run_directory import RunDirectory
from holecard.files import verify_new_folder
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.part import Part, PartId, Result, name_of
from holecard.studies.race.parts import parts_of
from holecard.studies.race.rows import OPTIMUM, RANDOM, Row, ranked
from holecard.studies.records import GENETIC, PROGRAMS, neuroevolution_records

RESULTS: Final = "stages"
"""The folder of the results."""


@dataclass(frozen=True, kw_only=True)
class RaceResults:
    """What the finished parts of a race came to, read once."""

    config: RaceConfig
    run: RunDirectory
    finished: tuple[tuple[Part, Result], ...]
    """The parts that have a result, in order."""
    _histories: dict[str, list[dict[str, Any]]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def path(self) -> Path:
        """The race's folder."""
        return self.run.path

    @cached_property
    def by_name(self) -> dict[str, Result]:
        """The results by the names of their files, in order."""
        return {part.name: result for part, result in self.finished}

    def of(self, part: PartId, variant: str = "") -> Result:
        """What a finished part came to."""
        return self.by_name[name_of(part, variant)]

    def has(self, part: PartId) -> bool:
        """True if a part of that identifier is finished."""
        return any(each.id == part for each, _ in self.finished)

    @cached_property
    def unfinished(self) -> list[Part]:
        """The parts that have no result yet."""
        return [part for part in parts_of(self.config) if part.name not in self.by_name]

    @cached_property
    def missing(self) -> list[str]:
        """What could not be run because something is not installed, a sentence each."""
        return [result["missing"] for _, result in self.finished if "missing" in result]

    @cached_property
    def part_by_row(self) -> dict[str, PartId]:
        """Which part a row of the table comes from, by the row's name."""
        return {row["name"]: part.id for part, result in self.finished for row in result["rows"]}

    @cached_property
    def rows(self) -> list[Row]:
        """Every strategy so far, best first."""
        rows = [Row(**row) for _, result in self.finished for row in result["rows"]]
        return ranked(rows, _ev_of(OPTIMUM, rows))

    @cached_property
    def table(self) -> list[dict[str, Any]]:
        """Every strategy, best first, with its regret and its share of the way from random play to the optimum."""
        random, optimum = _ev_of(RANDOM, self.rows), _ev_of(OPTIMUM, self.rows)
        return [row.in_table(random, optimum) for row in self.rows]

    @property
    def seconds(self) -> float:
        """What all finished parts took, on the clock."""
        return float(sum(result["seconds"] for _, result in self.finished))

    def history(self, part: PartId, variant: str = "") -> list[dict[str, Any]]:
        """The records of a part's evolution, a generation each."""
        name = name_of(part, variant)
        if name not in self._histories:
            shape = GENETIC if part in (PartId.BITS, PartId.LETTERS) else PROGRAMS
            history = RunDirectory.open(self.path / name).history
            is_holdem = part == PartId.HOLDEM
            self._histories[name] = neuroevolution_records(history) if is_holdem else history.records(shape)
        return self._histories[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """A race at work or finished."""

    config: RaceConfig
    run: RunDirectory

    @property
    def path(self) -> Path:
        """Its folder."""
        return self.run.path

    def result(self, part: Part) -> Result | None:
        """What a part came to, read from its file; None if it is not finished."""
        path = self.path / RESULTS / f"{part.name}.json"
        try:
            result = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as problem:
            raise FileProblem(f"cannot read {path}: {problem}; delete it and resume the race") from None
        if not isinstance(result, dict) or not isinstance(result.get("rows"), list):
            raise FileProblem(f"{path} is not the result of a stage; delete it and resume the race")
        return result

    def results(self) -> RaceResults:
        """Every finished part, read from its file."""
        found = ((part, self.result(part)) for part in parts_of(self.config))
        finished = tuple((part, result) for part, result in found if result is not None)
        return RaceResults(config=self.config, run=self.run, finished=finished)

    def write_result(self, part: Part, result: Result) -> None:
        """Keep what a part came to."""
        contents = json.dumps(result, ensure_ascii=False, allow_nan=False, indent=1)
        self.run.write(f"{RESULTS}/{part.name}.json", contents + "\n")


def start_race(config: RaceConfig, path: Path, command: Sequence[str] | None = None) -> Race:
    """A new race in an empty folder."""
    verify_new_folder(path, f"resume a race with --resume {path} or choose another folder")
    return Race(config=config, run=RunDirectory.create(path, config.options(), command))


def open_race(path: Path) -> Race:
    """The race in a folder, to look at or to go on with."""
    run = RunDirectory.open(path)
    return Race(config=RaceConfig.from_options(run.options), run=run)


def _ev_of(name: str, rows: Sequence[Row]) -> float:
    found = [row.ev for row in rows if row.name == name]
    if not found:
        raise FileProblem(f"the race has not come to {name!r} yet; resume it")
    return found[0]
