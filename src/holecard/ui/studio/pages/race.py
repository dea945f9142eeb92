"""Race: every way of finding a strategy side by side, and counters against the perfect one; begun, watched and read."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from typing import Any, Final

from holecard.errors import HolecardError
from holecard.evolve.run_directory import CONFIG
from holecard.ui.studio.page import Call, Download, Endpoint, Page
from holecard.ui.studio.races import (
    COUNT_RACE,
    RACE,
    RaceFolder,
    Races,
    asked_words,
    count_race_json,
    race_json,
)
from holecard.ui.studio.runs import begin_process
from holecard.ui.studio.steering import steering

_PAUSE: Final = 1.0
"""Seconds between two looks at a race that is watched."""


def command(call: Call) -> dict[str, Any]:
    """The command line of what a form says, or what is wrong with it."""
    return {"command": f"holecard {shlex.join(asked_words(call.body))}"}


def start(call: Call) -> dict[str, Any]:
    """Begin a race: an ordinary process in an ordinary folder."""
    words, kind = asked_words(call.body), call.body.choice("kind", (RACE, COUNT_RACE))
    name = f"{kind.replace(' ', '-')}-studio"
    return {"race": _races(call).start_in_new_folder(words, name, call.body.values).name}


def races(call: Call) -> dict[str, Any]:
    """Every race, the newest first."""
    known = _races(call)
    found = [{"race": race.name, "kind": race.kind, "state": known.state(race)} for race in known.all()]
    return {"races": found, "folder": str(call.studio.runs)}


def watch(call: Call) -> Iterator[Any]:
    """A race as it goes on: whenever a part is finished, until all are or nobody watches."""
    known, race = _race(call)
    told: dict[str, Any] = {}
    once = call.body.flag("once", False)
    while True:
        seen = _seen(known, race)
        yield seen if seen != told else None
        told = seen
        if seen["state"] != "running" or once:
            return
        call.job.check()
        time.sleep(_PAUSE)


def _seen(known: Races, race: RaceFolder) -> dict[str, Any]:
    """What there is to see of a race now."""
    state = known.state(race)
    found: dict[str, Any] = {"state": state, "kind": race.kind, "problem": known.problem(race.folder)}
    found |= {"pictures": race.pictures if state == "finished" else [], "report": race.has_report}
    try:
        if race.kind == COUNT_RACE:
            found |= count_race_json(race)
        elif (race.folder / CONFIG).is_file():
            found |= race_json(race, state == "running")
        else:
            found |= {"title": "the race is about to begin", "parts": [], "rows": []}
    except HolecardError as problem:  # one damaged file must not hide how the race stands
        found["problem"] = str(problem)
    return found


def picture(call: Call) -> Download:
    """A picture of a race's report."""
    name = call.body.text("name", longest=200)
    return Download(content=_race(call)[1].picture(name), name=f"{name}.png", media_type="image/png")


def report(call: Call) -> Download:
    """The report of a race: one page that needs nothing else."""
    return Download(content=_race(call)[1].report(), name="report.html", media_type="text/html")


def _races(call: Call) -> Races:
    found: Races = call.studio.shared.setdefault("races", Races(call.studio.runs, call.studio.begin or begin_process))
    return found


def _race(call: Call) -> tuple[Races, RaceFolder]:
    known = _races(call)
    return known, known.named(call.studio.run_folder(call.body.text("race", longest=300)))


_RACE: Final = {"race": "race"}
_ASKED: Final = {"kind": RACE, "budget": "fast", "rules": "casino", "seed": 0}
_COUNTED: Final = {"kind": COUNT_RACE, "rules": "INS", "spread": "1:8", "rounds": 50_000_000, "shoes": 1200, "seed": 0}
PAGE: Final = Page(
    name="race",
    title="Race",
    about="Every way of finding a strategy on one table, and card counters against the perfect one.",
    endpoints=(
        Endpoint(name="command", answer=command, example=_COUNTED),
        Endpoint(name="start", answer=start, example=_ASKED),
        Endpoint(name="races", answer=races),
        Endpoint(name="watch", answer=watch, stream=True, example={**_RACE, "once": True}),
        *steering(_race, example={"race": "paused-race"}),
        Endpoint(name="picture", answer=picture, example={**_RACE, "name": "learning"}),
        Endpoint(name="report", answer=report, example=_RACE),
    ),
)
