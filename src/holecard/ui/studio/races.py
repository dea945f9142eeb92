"""Races as the studio sees them: folders below its own that `holecard race` or `holecard count race` made."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.errors import FileProblem, HolecardError, SettingError
from holecard.evolve.run_directory import CONFIG, RunDirectory
from holecard.files import is_held, read_bytes, read_json
from holecard.ui.studio.runs import BEGUN, LOG, Processes, folders_below, last_line

RACE: Final = "race"
COUNT_RACE: Final = "count race"
_COUNTED: Final = "race.json"
"""What a finished count race is read from."""
_REPORT: Final = "report.html"
_FIGURES: Final = "figures"
_DEPTH: Final = 2
_MOST: Final = 100
"""Races that are listed, and pictures of a race."""
_LARGEST: Final = 32 * 1024 * 1024
"""Bytes of a file that is sent."""
_PICTURE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")
_COLUMNS: Final = ("name", "ev", "stderr", "average_bet", "score", "score_stderr", "share", "share_stderr")


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceFolder:
    """A folder with a race in it."""

    folder: Path
    name: str
    """Its path below the runs' folder, with slashes."""
    kind: str
    """The command that made it, `race` or `count race`."""

    @property
    def pictures(self) -> list[str]:
        """The names of its pictures, in the order in which the report drew them."""
        try:
            found = [each for each in (self.folder / _FIGURES).glob("*.png") if _PICTURE.fullmatch(each.stem)]
            found.sort(key=lambda path: (path.stat().st_mtime_ns, path.name))
        except OSError:
            return []
        return [each.stem for each in found[:_MOST]]

    def picture(self, name: str) -> bytes:
        """One of its pictures."""
        if not _PICTURE.fullmatch(name):
            raise FileProblem(f"no picture is called {name[:80]!r}")
        return self._file(f"{_FIGURES}/{name}.png")

    @property
    def has_report(self) -> bool:
        """True if its report is written."""
        return (self.folder / _REPORT).is_file()

    def report(self) -> bytes:
        """Its report, a page that needs nothing else."""
        return self._file(_REPORT)

    def _file(self, name: str) -> bytes:
        """A file of the race; a link that leads out of the folder is not followed."""
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.resolve()) or not path.is_file():
            raise FileProblem(f"{self.name} has no {name} yet")
        if path.stat().st_size > _LARGEST:
            raise FileProblem(f"{path} is larger than {_LARGEST:,} bytes; open it where it lies")
        return read_bytes(path)


class Races(Processes):
    """The races below a folder, and the processes that were begun here."""

    def all(self) -> list[RaceFolder]:
        """Every race, the newest first."""
        marks = (CONFIG, _COUNTED, BEGUN)
        found = [race for folder in folders_below(self._root, _DEPTH, marks) if (race := self._race(folder))]
        found.sort(key=lambda race: (race.folder.stat().st_mtime, race.name), reverse=True)
        return found[:_MOST]

    def named(self, folder: Path) -> RaceFolder:
        """The race in a folder, which lies below the runs'."""
        race = self._race(folder)
        if race is None:
            raise FileProblem(f"{self.name_of(folder)} holds no race")
        return race

    def _race(self, folder: Path) -> RaceFolder | None:
        kind = _kind_of(folder)
        return RaceFolder(folder=folder, name=self.name_of(folder), kind=kind) if kind else None

    def state(self, race: RaceFolder) -> str:
        """`running`, `finished`, or `paused`; a count race, which keeps nothing on the way, is `stopped` instead."""
        if self._works(race):
            return "running"
        if race.kind == COUNT_RACE:
            return "finished" if (race.folder / _COUNTED).is_file() else "stopped"
        return "finished" if race.has_report else "paused"

    def problem(self, race: RaceFolder) -> str:
        """Why a race does not go on, if that is known."""
        if self.state(race) == "stopped":
            return last_line(race.folder / LOG)
        return self.failure(race.folder)

    def pause(self, race: RaceFolder) -> None:
        """Stop a race as Ctrl-C would; one that stands still is left alone."""
        if self._works(race):
            self.stop(race.folder)

    def resume(self, race: RaceFolder) -> None:
        """Go on with a race; its finished parts are not run again."""
        if self._works(race):
            raise SettingError(f"{race.name} is running already")
        if race.kind == COUNT_RACE:
            raise SettingError(f"{race.name} is a count race, which cannot go on; begin another")
        if self.state(race) == "finished":
            raise SettingError(f"{race.name} is finished")
        self.launch(["race", "--resume", str(race.folder)], race.folder)

    def _works(self, race: RaceFolder) -> bool:
        """True if a process works on a race: one of a studio's, or one that holds an evolution inside it."""
        if self.is_at_work(race.folder) or self.outlived(race.folder):
            return True
        try:
            inside = [each for each in race.folder.iterdir() if (each / CONFIG).is_file()]
        except OSError:
            return False
        return any(is_held(each) for each in (race.folder, *inside))


def race_words(rules: Rules, fast: bool, seed: int) -> list[str]:
    """The words that begin a race; what could not be run to its end is refused."""
    from holecard.studies.race import RaceConfig
    from holecard.ui.studio.studies import words_of_rules

    _ = RaceConfig.fast(rules, seed) if fast else RaceConfig.full(rules, seed)
    return [RACE, "--fast" if fast else "--full", *words_of_rules(rules), "--seed", str(seed)]


def count_race_words(rules: Rules, spread: str, numbers: Mapping[str, int]) -> list[str]:
    """The words that begin a count race; what could not be run is refused."""
    from holecard.blackjack.counting.bets import parse_spread
    from holecard.blackjack.players.finding import find_strategy
    from holecard.ui.count import counted
    from holecard.ui.studio.studies import words_of_rules

    if parse_spread(spread) <= 1:
        raise SettingError("counters need a spread to bet in; use 1:2 or wider")
    rules = counted(rules)
    find_strategy("basic", replace(rules, shoe="fresh", insurance=False))
    insured = [] if rules.insurance else ["--no-insurance"]
    chosen = [word for name, value in numbers.items() for word in (f"--{name}", str(value))]
    return [*COUNT_RACE.split(), *words_of_rules(rules), *insured, "--spread", spread.strip(), *chosen]


def race_json(race: RaceFolder, running: bool) -> dict[str, Any]:
    """How far a race is, part by part, and the table of what is finished."""
    from holecard.studies.race import open_race
    from holecard.studies.race.parts import parts_of

    opened = open_race(race.folder)
    results = opened.results()
    parts: list[dict[str, Any]] = []
    for part in parts_of(opened.config):
        result = results.by_name.get(part.name)
        waits = running and not any(each["state"] == "working" for each in parts)
        state = "finished" if result is not None else "working" if waits else "waiting"
        parts.append({"title": part.title, "state": state, "seconds": result["seconds"] if result else None})
    drawing = running and not results.unfinished
    return {
        "title": f"{in_words(opened.config.rules)}, seed {opened.config.seed}",
        "parts": [*parts, {"title": "the report", "state": _report_state(race, drawing), "seconds": None}],
        "rows": _rows(results),
        "notes": results.missing,
        "seconds": results.seconds,
    }


def _report_state(race: RaceFolder, drawing: bool) -> str:
    return "working" if drawing else "finished" if race.has_report else "waiting"


def _rows(results: Any) -> list[dict[str, Any]]:
    """The table; empty until the race has come to the strategies that the others are measured by."""
    from holecard.studies.race.rows import OPTIMUM, RANDOM
    from holecard.ui.report.page import amount, leak_words

    if not {OPTIMUM, RANDOM} <= set(results.part_by_row):
        return []
    return [
        {**row, "used": amount(row["used"]), "leaks": ", ".join(map(leak_words, row["leaks"])) or "–"}
        for row in results.table
    ]


def count_race_json(race: RaceFolder) -> dict[str, Any]:
    """What a count race came to; before its end only that it was begun."""
    if not (race.folder / _COUNTED).is_file():
        return {"title": "counters on the same shoes", "counters": []}
    found = read_json(race.folder / _COUNTED)
    try:
        rules = Rules.from_text(found["rules"]["text"])
        counters = [{name: each[name] for name in _COLUMNS} for each in found["counters"]]
        title = f"{in_words(rules)}, spread 1:{found['spread']:g}, {found['rounds']:,} rounds, seed {found['seed']}"
        return {"title": title, "command": found["command"], "counters": counters}
    except (KeyError, TypeError, ValueError) as problem:
        raise FileProblem(f"{race.folder / _COUNTED} is not the result of a count race: {problem!r}") from None


def _kind_of(folder: Path) -> str:
    """The command that made a folder; empty if it is no race's."""
    try:
        if (folder / CONFIG).is_file():
            return RACE if RunDirectory.open(folder).options.get("study") == RACE else ""
        if (folder / _COUNTED).is_file():
            found = read_json(folder / _COUNTED)
            return COUNT_RACE if isinstance(found, dict) and isinstance(found.get("counters"), list) else ""
        words = read_json(folder / BEGUN)["command"][1:3]
    except (HolecardError, KeyError, TypeError):
        return ""
    return RACE if words[:1] == [RACE] else COUNT_RACE if words == COUNT_RACE.split() else ""
