"""A client of the studio, and bodies that no endpoint may stumble over."""

import atexit
import json
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import ClassVar

from starlette.testclient import TestClient

from holecard.blackjack import Rules
from holecard.evolve.observer import Observer
from holecard.studies import GeneticConfig, run
from holecard.studies.race import RaceConfig, run_race, start_race
from holecard.ui.studio.guard import Access
from holecard.ui.studio.pages import PAGES
from holecard.ui.studio.server import make_app

PORT = 8417
TOKEN = "the-token-of-the-tests"
ORIGIN = f"http://127.0.0.1:{PORT}"
ENDPOINTS = [(page, endpoint) for page in PAGES for endpoint in page.endpoints]
PATHS = [f"/api/{page.name}/{endpoint.name}" for page, endpoint in ENDPOINTS]
EXAMPLES = {f"/api/{page.name}/{endpoint.name}": endpoint.example for page, endpoint in ENDPOINTS}


class Begun:
    """A process that was not begun: what tests give the studio in place of one."""

    pid = 2**22 + 1
    commands: ClassVar[list[list[str]]] = []

    def __init__(self, command: list[str], log: Path) -> None:
        self.commands.append(command)

    def poll(self) -> int:
        return 0


@cache
def some_runs() -> Path:
    """A folder with a run that stands still, `example`, and one that came to its end, `finished`."""
    folder = Path(tempfile.mkdtemp(prefix="holecard-studio-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    config = GeneticConfig.preset("tuned", Rules.preset("classic"), population=6, generations=3, hands=20)
    run(config, folder / "finished", threads=1)
    shutil.copytree(folder / "finished", folder / "example")
    for name in ("winner.txt", "consensus.txt"):
        (folder / "example" / name).unlink()
    _add_races(folder)
    return folder


PNG = b"\x89PNG\r\n\x1a\n a picture"


class _EnoughError(Exception):
    pass


def _add_races(folder: Path) -> None:
    """`paused-race`, two parts of which are finished; `race`, the same with a report; `counted`, a count race."""

    def stop(part) -> None:
        if part["number"] == 2:
            raise _EnoughError

    race = start_race(RaceConfig(rules=Rules(), rounds=200), folder / "paused-race", command=["holecard", "race"])
    with suppress(_EnoughError):
        run_race(race, threads=1, observer=Observer(record=stop))
    shutil.copytree(race.path, folder / "race")
    figures = folder / "race" / "figures"
    figures.mkdir()
    (figures / "learning.png").write_bytes(PNG)
    (folder / "race" / "report.html").write_text("<p>the report</p>")
    (folder / "counted").mkdir()
    numbers = ("ev", "stderr", "average_bet", "score", "score_stderr", "share", "share_stderr")
    counters = [{"name": "Hi-Lo", **dict.fromkeys(numbers, 0.5), "tags": {}, "counts": []}]
    rules = {"text": "S17 INS dealt"}
    asked = {
        "rules": rules,
        "spread": 8.0,
        "rounds": 5_000_000,
        "shoes": 200,
        "seed": 4,
        "command": "holecard count race",
    }
    (folder / "counted" / "race.json").write_text(json.dumps({**asked, "counters": counters}))


@cache
def no_runs() -> Path:
    """A folder without runs."""
    folder = Path(tempfile.mkdtemp(prefix="holecard-studio-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def client(runs: Path | None = None, *, token: str | None = TOKEN, begin=Begun, **more) -> TestClient:
    """Somebody with the token, or without; what the app raises is answered, as on the wire."""
    app = make_app(Access(port=PORT, token=TOKEN), runs or no_runs(), begin=begin)
    headers = {"x-studio-token": token} if token else {}
    return TestClient(app, base_url=ORIGIN, headers=headers, raise_server_exceptions=False, **more)


STRANGE = [
    *(
        None,
        True,
        -1,
        0,
        10**30,
        1.5,
        "",
        "x" * 5000,
        "../../etc/passwd",
        "\x00",
        "\ud800",
        "ス",
        [],
        {},
        [[]],
        [None] * 9,
    ),
    *({"a": 1}, "<script>alert(1)</script>", "6d " * 200, "99999d", "deck:A=9999", "limit=31 target=30", "nan", "²d"),
    *(
        "limit=1.2.3",
        "deck:A=²",
        "hard A 2 3",
        "%s%s%n",
        "~root",
        "/etc/passwd",
        "C:\\windows",
        "a" * 300,
        "-0",
        "1e400",
    ),
]
"""Values of every wrong kind."""


def bad_bodies(example: dict, every: int = 1, *, first: int = 0) -> list[dict]:
    """The example with every value in turn replaced by something strange, and with every value left out.

    With `every`, a value is replaced by one in so many of the strange ones, the next value by the ones after those.
    """
    chosen = {name: STRANGE[(first + at) % every :: every] for at, name in enumerate(example)}
    bodies = [{**example, name: value} for name in example for value in chosen[name]]
    return [*bodies, *({key: each for key, each in example.items() if key != name} for name in example), {"other": 1}]
