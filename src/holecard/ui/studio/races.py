"""Races as the studio sees them: folders below its own that `holecard race` or `holecard count race` made."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.errors import FileProblem, HolecardError, SettingError
from holecard.evolve.run_directory import CONFIG, RunDirectory
from holecard.files import read_bytes, read_json
from holecard.ui.studio.body import Body
from holecard.ui.studio.runs import BEGUN, KEPT, Processes, folders_below, noted, words_of_folder
from holecard.ui.studio.studies import words_of_rules
from holecard.ui.studio.tables import LONGEST

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
_MOST_SEED: Final = 2**53 - 1
"""The largest whole number that a browser writes exactly."""
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
    def is_done(self) -> bool:
        """True if it came to its end."""
        return self.has_report if self.kind == RACE else (self.folder / _COUNTED).is_file()

    @property
    def words_to_resume(self) -> list[str]:
        """The words of the command line that goes on with it; a count race takes up what it keeps by the same words."""
        if self.kind == RACE:
            return [RACE, "--resume", str(self.folder)]
        words = count_race_words(Body(noted(self.folder)["asked"]))
        return [*words, *words_of_folder(words, self.folder)]

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


def asked_words(body: Body) -> list[str]:
    """The words that begin the race that a form asks for; what could not be run to its end is refused."""
    return race_words(body) if body.choice("kind", (RACE, COUNT_RACE)) == RACE else count_race_words(body)


def race_words(body: Body) -> list[str]:
    """The words that begin a race."""
    from holecard.studies.race import RaceConfig

    rules, seed = _rules(body), body.whole("seed", 0, _MOST_SEED, 0)
    fast = body.choice("budget", ("fast", "full"), "fast") == "fast"
    _ = RaceConfig.fast(rules, seed) if fast else RaceConfig.full(rules, seed)
    return [RACE, "--fast" if fast else "--full", *words_of_rules(rules), "--seed", str(seed)]


def count_race_words(body: Body) -> list[str]:
    """The words that begin a count race."""
    from holecard.blackjack.counting.bets import parse_spread
    from holecard.blackjack.players.finding import find_strategy
    from holecard.ui.count import counted

    rules, spread = counted(_rules(body)), body.text("spread", "1:8", longest=20).strip()
    if parse_spread(spread) <= 1:
        raise SettingError("counters need a spread to bet in; use 1:2 or wider")
    find_strategy("basic", replace(rules, shoe="fresh", insurance=False))
    numbers = {
        "rounds": body.whole("rounds", 1_000_000, 10**10, 50_000_000),
        "shoes": body.whole("shoes", 100, 1_000_000, 1200),
        "seed": body.whole("seed", 0, _MOST_SEED, 0),
    }
    insured = [] if rules.insurance else ["--no-insurance"]
    chosen = [word for name, value in numbers.items() for word in (f"--{name}", str(value))]
    return [*COUNT_RACE.split(), *words_of_rules(rules), *insured, "--spread", spread, *chosen]


def _rules(body: Body) -> Rules:
    return Rules.from_text(body.text("rules", longest=LONGEST))


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
    """What a count race came to; before its end how far it is."""
    if not race.is_done:
        return {"title": "counters on the same shoes", "counters": [], "done": _words_of_kept(race.folder / KEPT)}
    found = read_json(race.folder / _COUNTED)
    try:
        rules = Rules.from_text(found["rules"]["text"])
        counters = [{name: each[name] for name in _COLUMNS} for each in found["counters"]]
        title = f"{in_words(rules)}, spread 1:{found['spread']:g}, {found['rounds']:,} rounds, seed {found['seed']}"
        return {"title": title, "command": found["command"], "counters": counters}
    except (KeyError, TypeError, ValueError) as problem:
        raise FileProblem(f"{race.folder / _COUNTED} is not the result of a count race: {problem!r}") from None


def _words_of_kept(kept: Path) -> str:
    """How far a count race is that has not ended."""
    solved, counters = (len(list(kept.glob(f"{name}-*.npy"))) for name in ("solved", "counter"))
    return f"{solved} parts of solved shoes and {counters} counters are finished"


def _kind_of(folder: Path) -> str:
    """The command that made a folder; empty if it is no race's."""
    try:
        if (folder / CONFIG).is_file():
            return RACE if RunDirectory.open(folder).options.get("study") == RACE else ""
        if (folder / _COUNTED).is_file():
            found = read_json(folder / _COUNTED)
            return COUNT_RACE if isinstance(found, dict) and isinstance(found.get("counters"), list) else ""
        words = noted(folder)["command"][1:3]
    except HolecardError:
        return ""
    return RACE if words[:1] == [RACE] else COUNT_RACE if words == COUNT_RACE.split() else ""
