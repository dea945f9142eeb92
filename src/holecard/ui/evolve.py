"""`holecard evolve ga | gp`: blackjack strategies by evolution, as letters and as programs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from holecard.blackjack.game.rules import Rules
from holecard.cluster import connected
from holecard.evolve.observer import Observer
from holecard.studies.counter_config import CounterConfig
from holecard.studies.genetic_config import PRESETS, GeneticConfig
from holecard.studies.programs_config import ProgramConfig
from holecard.ui.console import (
    out,
    print_json,
    progress,
    resuming,
    say,
    saying_how_to_go_on,
    warn_if_compiling,
)
from holecard.ui.options import with_rules
from holecard.ui.running import Running, with_running
from holecard.ui.signature import with_settings
from holecard.ui.tensorboard import logging_to

if TYPE_CHECKING:
    from holecard.studies.verdict import Verdict

Config = TypeVar("Config", GeneticConfig, ProgramConfig, CounterConfig)
Outcome = TypeVar("Outcome")


@with_rules(default="classic")
@with_running()
@with_settings(GeneticConfig, presets=PRESETS)
def ga(
    context: typer.Context,
    preset: Annotated[str, typer.Option(metavar="|".join(PRESETS), help="Where the settings start.")] = "classic",
    *,
    settings: dict[str, Any],
    running: Running,
    rules: Rules,
) -> None:
    """Evolve a chart of letters: the 260-bit algorithm (classic), a better one (tuned), an exact one (exact).

    The rules are those of the 260-bit algorithm's game unless you say otherwise.
    """
    from holecard.studies.genetic import run
    from holecard.ui.figures.evolution_files import draw_genetic

    running.check(context)
    config = None if running.resume else GeneticConfig.preset(preset, rules, **settings)
    folder = running.folder(f"ga-{preset}-{settings.get('seed', 0)}")
    with saying_how_to_go_on(resuming("evolve ga", folder), folder):
        outcome, seconds = carried_out(run, config, GeneticConfig, folder, running)
        if running.figures:
            draw_genetic(outcome)
    _report(folder, outcome.generations, outcome.verdict, seconds, running.json)


@with_rules(default="votes")
@with_running()
@with_settings(ProgramConfig)
def gp(
    context: typer.Context,
    *,
    settings: dict[str, Any],
    running: Running,
    rules: Rules,
) -> None:
    """Evolve ten programs that vote, one per upcard: hit, stand or double.

    The rules are those of the voting programs' game unless you say otherwise.
    """
    from holecard.studies.programs import run
    from holecard.ui.figures.evolution_files import draw_programs

    running.check(context)
    config = None if running.resume else ProgramConfig(rules=rules, **settings)
    folder = running.folder(f"gp-{settings['seed']}")
    with saying_how_to_go_on(resuming("evolve gp", folder), folder):
        outcome, seconds = carried_out(run, config, ProgramConfig, folder, running)
        if running.figures:
            draw_programs(outcome)
    _report(folder, outcome.generations, outcome.verdict, seconds, running.json)


def carried_out(
    run: Callable[..., Outcome], config: Config | None, kind: type[Config], folder: Path, running: Running
) -> tuple[Outcome, float]:
    """What became of a study, shown as it goes, and the seconds it took."""
    from holecard.studies.folder import configuration

    resume = running.resume is not None
    config = configuration(config, folder, kind, resume=resume)
    _warn()
    start = time.perf_counter()
    with (
        connected(running.cluster) as executor,
        _live(config.generations) as show,
        logging_to(folder if running.tensorboard else None, show) as record,
    ):
        outcome = run(
            config,
            folder,
            resume=resume,
            threads=running.threads,
            executor=executor,
            device=running.device,
            observer=Observer(record=record, note=say),
        )
    return outcome, time.perf_counter() - start


def _warn() -> None:
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.play.kernels import play_fresh

    warn_if_compiling(play_fresh, *KERNELS)


@contextmanager
def _live(generations: int) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """What to call with each record: on a terminal it shows generation, best, mean, exact and the time left."""
    with progress("generation 0", generations) as report:

        def show(record: Mapping[str, Any]) -> None:
            if report is not None:
                done = int(record["generation"]) + 1
                figures = "  ".join(_shown(record))
                report(done, f"generation {done}/{generations}  {figures}")

        yield show


def _shown(record: Mapping[str, Any]) -> list[str]:
    """What a line of progress says of a record; of counters the units left.

    >>> _shown({"best": 0.45, "mean": 0.41, "exact": 0.43}), _shown({"best": 1012.5, "mean": 931.25, "expected": 955.0})
    (['best +0.4500', 'mean +0.4100', 'exact +0.4300'], ['best 1,012.5', 'mean 931.2', 'expected 955.0'])
    """
    if "expected" in record:
        return [f"{name} {record[name]:,.1f}" for name in ("best", "mean", "expected")]
    return [f"{name} {record[name]:+.4f}" for name in ("best", "mean", "exact")]


def _report(path: Path, generations: int, verdict: Verdict, seconds: float, as_json: bool) -> None:
    if as_json:
        summary = {"out": str(path), "generations": generations, "best": verdict.exact, "seconds": seconds}
        print_json({**summary, **verdict.as_dict()})
        return
    from rich.table import Table

    table = Table(title=f"{path}: {generations} generations", title_justify="left", show_header=False, box=None)
    table.add_column(justify="left")
    table.add_column(justify="left", no_wrap=True)
    fresh = verdict.fresh
    table.add_row("fitness", verdict.measure)
    table.add_row("winner, as observed", f"{verdict.observed:+.6f}")
    table.add_row("winner, exactly", f"{verdict.exact:+.6f}")
    table.add_row("winner, on fresh cards", f"{fresh.mean:+.6f} ± {fresh.stderr:.6f} (n={fresh.n:,})")
    table.add_row("winner's curse", f"{verdict.gap:+z.6f}")
    table.add_row("consensus, exactly", f"{verdict.consensus:+.6f}")
    table.add_row("the best table, exactly", f"{verdict.optimum:+.6f}")
    table.add_row("time", f"{seconds:.1f} s")
    out().print(table)
