"""`holecard race`: every way of finding a strategy on one table, and a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.cluster import connected
from holecard.evolve.observer import Observer
from holecard.files import only_one
from holecard.ui import startup
from holecard.ui.console import Report, out, print_json, progress, resuming, say, saying_how_to_go_on
from holecard.ui.options import Cluster, Json, Seed, Threads, refuse_settings, with_rules
from holecard.ui.runs import first_free

if TYPE_CHECKING:
    from rich.table import Table

    from holecard.studies.race import Race, RaceConfig, RaceResults

_DRAWING: Final = 25.0
"""About how many seconds the report takes one core."""
_TICKS: Final = 10_000
"""Steps of the progress bar for the race, which counts whole steps; the drawing comes on top."""


@with_rules()
def race(
    context: typer.Context,
    fast: Annotated[
        bool, typer.Option("--fast/--full", help="Three minutes with the shipped models / everything trained here.")
    ] = True,
    folder: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="An empty folder for the race; runs/race by default."),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Go on with the race in this folder.")
    ] = None,
    seed: Seed = 0,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Solve, evolve, train and search for strategies of one game, judge all by exact values, and write a report.

    The table is printed, and `report.html` in the folder of the race shows everything: leaks, learning curves,
    programs, search by budget, and what evolved hold'em players win. A killed race goes on with --resume.
    """
    from holecard.studies.race import run_race
    from holecard.ui.report import write_report

    running = _opened(context, resume, fast, folder, seed, rules)
    with only_one(running.path):
        _prepare(running.config)
    with (
        saying_how_to_go_on(resuming("race", running.path), running.path),
        connected(cluster) as executor,
        _watched(running) as watch,
    ):
        results = run_race(running, threads=threads, executor=executor, observer=watch.observer)
        watch.drawing()
        with only_one(running.path):
            report = write_report(running)
    _show(results, report, json)


def _opened(
    context: typer.Context, resume: Path | None, fast: bool, folder: Path | None, seed: int, rules: Rules
) -> Race:
    """The race to run: the one to go on with, which keeps its settings, or a new one."""
    from holecard.studies.race import RaceConfig, open_race, start_race

    if resume is not None:
        refuse_settings(context)
        return open_race(resume)
    config = RaceConfig.fast(rules, seed) if fast else RaceConfig.full(rules, seed)
    return start_race(config, folder or first_free("race"))


def _prepare(config: RaceConfig) -> None:
    """Compile what is not compiled yet and build the tables, so that no part's clock counts it."""
    from holecard._jit import must_compile
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.play.kernels import play_fresh
    from holecard.blackjack.players.mcts_search import search
    from holecard.holdem.arena.sessions import COMPILED
    from holecard.holdem.equities.tables import are_built, equity_tables
    from holecard.studies.race.running import warm_up

    startup.spare_imports()
    if not are_built():
        say("building the equity tables of hold'em: once, less than a minute …")
        equity_tables()
    if must_compile(search, play_fresh, *COMPILED, *KERNELS):
        say("compiling for this machine, once; some two minutes …")
        warm_up(config)


class _Watch:
    """Says what the race is doing: a bar with the time left on a terminal, a line per part elsewhere."""

    def __init__(self, report: Report | None) -> None:
        self._report = report
        self.observer = Observer(progress=self._progress, record=self._finished, note=say)

    def _progress(self, share: float, words: str) -> None:
        if self._report:
            self._report(round(_TICKS * share), words)

    def _finished(self, part: Mapping[str, Any]) -> None:
        rows = [f"{row['name']} {row['ev']:+.6f}" for row in part["rows"]]
        say(
            f"{part['number']}/{part['parts']} {part['title']}: {part['seconds']:.1f} s"
            + (f"; {', '.join(rows)}" if rows else "")
        )

    def drawing(self) -> None:
        """The report is being drawn."""
        self._progress(1.0, "drawing the report")


@contextmanager
def _watched(running: Race) -> Iterator[_Watch]:
    from holecard.studies.race.parts import parts_of

    seconds = sum(each.weight for each in parts_of(running.config))
    with progress("the race begins", round(_TICKS * (1 + _DRAWING / seconds))) as report:
        yield _Watch(report)


def _show(results: RaceResults, report: Path, as_json: bool) -> None:
    from holecard.studies.race import PartId

    config = results.config
    if as_json:
        print_json(
            {
                "out": str(results.path),
                "rules": config.rules.as_dict(),
                "seed": config.seed,
                "table": results.table,
                "duels": results.of(PartId.DUELS)["duels"],
                "seconds": results.seconds,
                "report": str(report),
            }
        )
        return
    console = out()
    title = f"the race: {in_words(config.rules)}, seed {config.seed}"
    for part in _as_tables(results.table, title, console.width):
        console.print(part)
    for missing in results.missing:
        console.print(f"left out: {missing}", markup=False)
    console.print(f"{results.seconds:.0f} s; the report: {report}", markup=False, soft_wrap=True)


_HEADINGS: Final = ("strategy", "EV", "± s.e.", "regret", "to perfect", "CPU s", "used", "costliest leaks")
_ONE_LINE: Final = 165
"""Columns from which on a strategy fits on one line; below, what it used and where it leaks is a table of its own."""


def _as_tables(rows: list[dict[str, Any]], title: str, width: int) -> list[Table]:
    """The table, in two parts where a strategy does not fit on one line."""
    from rich.table import Table

    from holecard.ui.report.page import amount, leak_words

    wide = width >= _ONE_LINE
    numbers = Table(title=title, title_justify="left", box=None, padding=(0, 1), pad_edge=False)
    details = Table(box=None, padding=(0, 1), pad_edge=False)
    for heading in _HEADINGS if wide else _HEADINGS[:6]:
        left = heading in ("strategy", "used", "costliest leaks")
        numbers.add_column(heading, justify="left" if left else "right", no_wrap=True)
    for heading in ("strategy", "used; costliest leaks"):
        details.add_column(heading, no_wrap=heading == "strategy")
    for row in rows:
        used, leaks = amount(row["used"]), ", ".join(leak_words(leak) for leak in row["leaks"]) or "–"
        numbers.add_row(
            row["name"],
            f"{row['ev']:+.6f}",
            "exact" if row["exact"] else f"{row['stderr']:.6f}",
            f"{row['regret']:.6f}",
            f"{100 * row['share']:.2f} %",
            f"{row['seconds']:.1f}",
            *([used, leaks] if wide else []),
        )
        details.add_row(row["name"], f"{used}; {leaks}")
    return [numbers] if wide else [numbers, details]
