"""`holecard evolve`: blackjack strategies by evolution, as letters (ga) and as programs (gp)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from holecard.blackjack.game.rules import Rules
from holecard.cluster import connected
from holecard.evolve.observer import Observer
from holecard.ui.console import out, print_json, progress, say, warn_if_compiling
from holecard.ui.options import (
    Cluster,
    Device,
    Json,
    Seed,
    TensorBoard,
    Threads,
    parse_count,
    refuse_settings,
    with_rules,
)
from holecard.ui.runs import first_free
from holecard.ui.tensorboard import logging_to

if TYPE_CHECKING:
    from holecard.evolve.run_directory import RunDirectory
    from holecard.studies.verdict import Verdict

Outcome = TypeVar("Outcome")

app = typer.Typer(help="Evolve blackjack strategies.", no_args_is_help=True)

Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder of the run; runs/… by default.")]
Resume = Annotated[
    Path | None, typer.Option("--resume", metavar="DIR", help="Go on with the run in this folder, as it was asked for.")
]
Figures = Annotated[bool, typer.Option("--figures/--no-figures", help="Draw the figures at the end, or not.")]


def _count(help: str) -> Any:
    return typer.Option(parser=parse_count, metavar="N", help=help)


@app.command()
@with_rules(default="classic")
def ga(
    context: typer.Context,
    preset: Annotated[str, typer.Option(metavar="classic|tuned|exact", help="Where the settings start.")] = "classic",
    actions: Annotated[
        str | None, typer.Option(metavar="hit-stand|hit-stand-double|all", help="What a table may say.")
    ] = None,
    population: Annotated[int | None, typer.Option(min=2, help="Tables in a generation (100).")] = None,
    generations: Annotated[int | None, typer.Option(min=1, help="Generations at most (100; exact: 200).")] = None,
    hands: Annotated[int | None, _count("Rounds that measure a table (1,000).")] = None,
    selection: Annotated[
        str | None, typer.Option(metavar="roulette|windowed|tournament|rank", help="How parents are drawn.")
    ] = None,
    tournament_size: Annotated[int | None, typer.Option(min=1, help="Entrants of a tournament (3).")] = None,
    crossover: Annotated[
        str | None, typer.Option(metavar="single-point|two-point|uniform", help="How parents mix.")
    ] = None,
    crossover_rate: Annotated[float | None, typer.Option(help="The chance that a pair mixes (1).")] = None,
    mutation: Annotated[
        float | None, typer.Option(help="The chance of a letter to change (0.01; exact: 0.002).")
    ] = None,
    elites: Annotated[int | None, typer.Option(min=0, help="The fittest that pass unchanged (2).")] = None,
    cards: Annotated[
        str | None, typer.Option(metavar="fresh|common", help="Own cards for everybody, or the same for a generation.")
    ] = None,
    fitness: Annotated[str | None, typer.Option(metavar="sampled|exact", help="How fitness is found.")] = None,
    stagnation: Annotated[int | None, typer.Option(min=1, help="Stop after so many without a new best.")] = None,
    seed: Seed = 0,
    threads: Threads = None,
    device: Device = "auto",
    cluster: Cluster = None,
    out: Out = None,
    resume: Resume = None,
    figures: Figures = True,
    tensorboard: TensorBoard = False,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Evolve a table of letters: the 260-bit algorithm (classic), a better one (tuned), an exact one (exact).

    The rules are those of the 260-bit algorithm's game unless you say otherwise.
    """
    from holecard.studies.genetic import GeneticStudy, preset_study, run_study
    from holecard.ui.figures.evolution_files import draw_genetic

    given = _given(
        actions=actions, population=population, generations=generations, hands=hands, selection=selection,
        tournament_size=tournament_size, crossover=crossover, crossover_rate=crossover_rate, mutation_rate=mutation,
        elites=elites, cards=cards, fitness=fitness, stagnation=stagnation,
    )  # fmt: skip
    run = _opened(resume, context)
    if run is None:
        study = preset_study(preset, rules, {**given, "seed": seed})
        study.device_for(device)  # says what is wrong before there is a folder
        run = _created(out, f"ga-{preset}-{seed}", study.options())
    else:
        study = GeneticStudy.from_options(run.options)
    carry_out = partial(run_study, study, run, threads=threads, device=device)
    outcome, seconds = _carried_out(carry_out, study.generations, cluster, run.path if tensorboard else None)
    if figures:
        draw_genetic(study, outcome, run)
    _report(run.path, outcome.generations, outcome.verdict, seconds, json)


@app.command()
@with_rules(default="votes")
def gp(
    context: typer.Context,
    fitness: Annotated[str | None, typer.Option(metavar="exact|sampled", help="How fitness is found (exact).")] = None,
    hands: Annotated[int | None, _count("Rounds that measure a program, where sampled (1,000).")] = None,
    population: Annotated[int | None, typer.Option(min=2, help="Programs per upcard (1,000).")] = None,
    generations: Annotated[int | None, typer.Option(min=1, help="Generations at most (100).")] = None,
    tournament_size: Annotated[int | None, typer.Option(min=1, help="Entrants of a tournament.")] = None,
    elitism: Annotated[float | None, typer.Option(help="The share that passes unchanged.")] = None,
    crossover_rate: Annotated[float | None, typer.Option(help="The chance of a subtree of a second parent.")] = None,
    subtree_mutation: Annotated[float | None, typer.Option(help="The chance of a new random subtree.")] = None,
    point_mutation: Annotated[float | None, typer.Option(help="The chance of another primitive at a node.")] = None,
    hoist_mutation: Annotated[float | None, typer.Option(help="The chance of a subtree cut down.")] = None,
    insert_mutation: Annotated[float | None, typer.Option(help="The chance of a function above a node.")] = None,
    max_size: Annotated[int | None, typer.Option(min=1, help="Nodes at most.")] = None,
    max_depth: Annotated[int | None, typer.Option(min=1, help="Depth at most (17).")] = None,
    parsimony: Annotated[float | None, typer.Option(help="What a node costs when parents are chosen (0).")] = None,
    distinct: Annotated[
        bool | None, typer.Option("--distinct/--alike", help="Only one of programs that play alike breeds, or all.")
    ] = None,
    stagnation: Annotated[int | None, typer.Option(min=1, help="Stop after so many without a new best.")] = None,
    seed: Seed = 0,
    threads: Threads = None,
    device: Device = "auto",
    cluster: Cluster = None,
    out: Out = None,
    resume: Resume = None,
    figures: Figures = True,
    tensorboard: TensorBoard = False,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Evolve ten programs that vote, one per upcard: hit, stand or double.

    The rules are those of the voting programs' game unless you say otherwise.
    """
    from holecard.studies.programs import ProgramStudy, run_study
    from holecard.ui.figures.evolution_files import draw_programs

    given = _given(
        fitness=fitness, hands=hands, population=population, generations=generations, tournament_size=tournament_size,
        elitism=elitism, crossover_rate=crossover_rate, subtree_mutation=subtree_mutation,
        point_mutation=point_mutation, hoist_mutation=hoist_mutation,
        insert_mutation=insert_mutation, max_size=max_size, max_depth=max_depth,
        parsimony=parsimony, distinct=distinct, stagnation=stagnation,
    )  # fmt: skip
    run = _opened(resume, context)
    if run is None:
        study = ProgramStudy(rules=rules, seed=seed, **given)
        study.device_for(device)
        run = _created(out, f"gp-{seed}", study.options())
    else:
        study = ProgramStudy.from_options(run.options)
    carry_out = partial(run_study, study, run, threads=threads, device=device)
    outcome, seconds = _carried_out(carry_out, study.generations, cluster, run.path if tensorboard else None)
    if figures:
        draw_programs(study, outcome, run)
    _report(run.path, outcome.generations, outcome.verdict, seconds, json)


def _carried_out(
    carry_out: Callable[..., Outcome], generations: int, cluster: str | None, logs: Path | None
) -> tuple[Outcome, float]:
    """What became of a study, shown as it goes, and the seconds it took."""
    _warn()
    start = time.perf_counter()
    with connected(cluster) as executor, _live(generations) as show, logging_to(logs, show) as record:
        outcome = carry_out(executor=executor, observer=Observer(record=record, note=say))
    return outcome, time.perf_counter() - start


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _opened(resume: Path | None, context: typer.Context) -> RunDirectory | None:
    """The run to go on with, if one is asked for; it keeps the settings it began with."""
    from holecard.evolve.run_directory import RunDirectory

    if resume is None:
        return None
    refuse_settings(context)
    return RunDirectory.open(resume)


def _created(path: Path | None, name: str, options: Mapping[str, Any]) -> RunDirectory:
    """A new run in the folder asked for, else in the first free one of that name below `runs`."""
    from holecard.evolve.run_directory import RunDirectory

    return RunDirectory.create(path or first_free(name), options)


def _warn() -> None:
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.play.playing import play_fresh

    warn_if_compiling(play_fresh, *KERNELS)


@contextmanager
def _live(generations: int) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """What to call with each record: on a terminal it shows generation, best, mean, exact and the time left."""
    with progress("generation 0", generations) as report:

        def show(record: Mapping[str, Any]) -> None:
            if report is not None:
                done = int(record["generation"]) + 1
                figures = "  ".join(f"{name} {record[name]:+.4f}" for name in _SHOWN)
                report(done, f"generation {done}/{generations}  {figures}")

        yield show


_SHOWN: Final = ("best", "mean", "exact")


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
    table.add_row("winner's curse", f"{verdict.gap:+.6f}")
    table.add_row("consensus, exactly", f"{verdict.consensus:+.6f}")
    table.add_row("the best table, exactly", f"{verdict.optimum:+.6f}")
    table.add_row("time", f"{seconds:.1f} s")
    out().print(table)
