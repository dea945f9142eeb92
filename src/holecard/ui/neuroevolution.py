"""`holecard holdem evolve | dashboard | figures | duel | league`: breeding poker players, watching, judging them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.cluster import connected
from holecard.device import chosen_device
from holecard.errors import SettingError
from holecard.evolve.observer import Observer
from holecard.evolve.registry import engines_of
from holecard.settings import setting
from holecard.studies.neuroevolution_config import GENOMES, NeuroevolutionConfig
from holecard.studies.records import neuroevolution_records
from holecard.ui import console
from holecard.ui.dashboard import Pace, aggression_text, dashboard, line
from holecard.ui.numbers import counts, parse_count
from holecard.ui.options import Cluster, Device, Json, Seed, Threads, refuse_gpu
from holecard.ui.running import Running, with_running
from holecard.ui.signature import with_engines, with_settings
from holecard.ui.tensorboard import logging_to

if TYPE_CHECKING:
    from holecard.estimate import Estimate
    from holecard.holdem.arena.duel import Duel, Standing
    from holecard.holdem.arena.match import DeckResults
    from holecard.holdem.players.named import NamedPlayer
    from holecard.studies.neuroevolution import NeuroevolutionOutcome

Hands = Annotated[int, typer.Option(parser=parse_count, metavar="N", help="Hands of a duel, both seats together.")]
Preset = Annotated[str | None, typer.Option(help="The setting: pokernet, paper or author.", show_default=False)]
Stacks = Annotated[str, typer.Option(metavar="preset|reset", help="reset: every hand begins with full stacks.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemRunning(Running):
    """How an evolution of hold'em players is carried out."""

    device: str | None = setting(
        None, metavar="auto|cpu|cuda", usual="cpu", help="Where sessions are played; a GPU rounds otherwise."
    )
    out: Path | None = setting(None, help="The run's folder; runs/holdem-… by default.")
    resume: Path | None = setting(None, help="Go on with the run in this folder.")
    figures: bool = setting(True, help="Draw them at the end.")
    plain: bool = setting(False, flag="--plain", help="Lines instead of the live dashboard.")


@with_running(HoldemRunning)
@with_engines(GENOMES)
@with_settings(NeuroevolutionConfig, skip=("samples", "device"))
def evolve_command(
    context: typer.Context,
    preset: Annotated[
        str, typer.Option(help="The setting: pokernet, card (PokerNet's model card), paper or author.")
    ] = "pokernet",
    engine: Annotated[
        str, typer.Option(metavar="|".join(engines_of(GENOMES)), help="How one generation follows from another.")
    ] = "tser",
    equity: Annotated[str, typer.Option(help="exact, or monte-carlo.")] = "exact",
    samples: Annotated[
        int, typer.Option(parser=counts(1, 10**9), metavar="N", help="Deals behind a Monte Carlo equity.")
    ] = 1000,
    *,
    settings: dict[str, Any],
    engine_settings: dict[str, Any],
    running: HoldemRunning,
) -> None:
    """Evolve dual-LSTM players against rule players; writes a run directory with its champion."""
    from holecard.studies.folder import configuration
    from holecard.studies.neuroevolution import run

    running.check(context)
    if equity not in ("exact", "monte-carlo"):
        raise SettingError(f"--equity must be exact or monte-carlo; got {equity!r}")
    resume = running.resume is not None
    changes = settings | engine_settings | ({"samples": samples} if equity == "monte-carlo" else {})
    config = None if resume else NeuroevolutionConfig.preset(preset, engine, **changes)
    folder = running.folder(f"holdem-{preset}-{settings['seed']}")
    config = configuration(config, folder, NeuroevolutionConfig, resume=resume)
    device = chosen_device(running.device or config.device)  # says that there is no GPU before anything is prepared
    prepare()
    start = time.perf_counter()
    with (
        console.saying_how_to_go_on(console.resuming("holdem evolve", folder), folder),
        connected(running.cluster) as executor,
        _watching(config, folder, plain=running.plain or running.json) as watch,
        logging_to(folder if running.tensorboard else None, watch.record) as record,
    ):
        outcome = run(
            config,
            folder,
            resume=resume,
            threads=running.threads,
            executor=executor,
            device=device,
            observer=Observer(record=record, note=console.say),
        )
    seconds = time.perf_counter() - start
    if running.figures:
        with console.saying_how_to_go_on(console.of_run("holdem figures", folder), folder):
            _draw(folder)
    _report(outcome, seconds, running.json)


def _draw(folder: Path) -> list[Path]:
    """The five figures of a finished run, into its folder, from its records."""
    from holecard.evolve.run_directory import RunDirectory
    from holecard.studies.champion_traces import recorded_traces
    from holecard.ui.figures.neuroevolution import save_all

    directory = RunDirectory.open(folder)
    return save_all(neuroevolution_records(directory.history), recorded_traces(directory), folder)


def figures_command(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run directory.", show_default=False)],
) -> None:
    """Draw a run's figures anew: fitness, earnings, styles, the champion's actions, and how it adapts."""
    for path in _draw(folder):
        typer.echo(str(path))


def prepare(players: Sequence[NamedPlayer] = (), *kernels: Callable[..., Any]) -> None:
    """Say what takes a while the first time: tables, also those that players play by, and kernels."""
    from holecard.holdem.arena.sessions import COMPILED
    from holecard.holdem.equities.tables import are_built, equity_tables

    if not are_built():
        console.say("building the equity tables: once, less than a minute …")
        equity_tables()
    if any(player.policy is not None for player in players):
        prepare_draws()
    console.warn_if_compiling(*COMPILED, *kernels)


def prepare_draws() -> None:
    """Say that the table of draws is built, where it is not there yet."""
    from holecard.holdem.equities.potential import is_built, potential_tables

    if not is_built():
        console.say("building the table of draws: once, less than a minute …")
        potential_tables()


class _Watch:
    """Collects records, counts hands and time, and has every new record shown."""

    def __init__(self, records: list[dict[str, Any]], show: Callable[[_Watch], None]) -> None:
        """A run begins, or goes on after these records."""
        self.records: list[Mapping[str, Any]] = list(records)
        self._show = show
        self._hands = 0
        self._before = len(records)
        self._began = time.perf_counter()

    def record(self, record: Mapping[str, Any]) -> None:
        """One more generation; a resumed run may repeat the last ones."""
        self.records = [*self.records[: record["generation"]], record]
        self._before = min(self._before, record["generation"])
        self._hands += record["hands"]
        self._show(self)

    def pace(self, generations: int) -> Pace:
        """Hands per second since the start, and what is left at that rate."""
        seconds = time.perf_counter() - self._began
        left = seconds / (len(self.records) - self._before) * (generations - len(self.records))
        return Pace(hands_per_second=self._hands / seconds, seconds_left=left)


@contextmanager
def _watching(config: NeuroevolutionConfig, folder: Path, *, plain: bool) -> Iterator[_Watch]:
    """A watch that prints lines, or a live dashboard where somebody sits at the terminal."""
    from holecard.evolve.history import History

    generations, records = config.generations, neuroevolution_records(History(folder))
    if plain or not sys.stderr.isatty():
        yield _Watch(records, lambda watch: console.say(line(watch.records[-1], generations)))
        return
    from rich.live import Live

    with Live(console=console.out(stderr=True), refresh_per_second=4) as live:

        def show(watch: _Watch) -> None:
            live.update(dashboard(_title(config), watch.records, generations, watch.pace(generations)))

        yield _Watch(records, show)


def _title(config: NeuroevolutionConfig) -> str:
    return f"holecard holdem evolve · {config.setting} · seed {config.seed}"


def _report(outcome: NeuroevolutionOutcome, seconds: float, as_json: bool) -> None:
    card = outcome.champion.card
    if as_json:
        console.print_json(
            {
                "out": str(outcome.run.path),
                "generations": outcome.generations,
                "best": outcome.best,
                "seconds": seconds,
                "scores": card["scores"],
            }
        )
        return
    typer.echo(f"{outcome.generations} generations in {seconds:.1f} s; best fitness {outcome.best:.3f}; the champion:")
    for name, score in card["scores"].items():
        share = f", {score['of_best']['value']:.1%} of best" if "of_best" in score else ""
        typer.echo(f"  {name:<22}{_interval(score['mbb_per_hand'])} mBB/hand on {score['hands']:,} fresh hands{share}")
    typer.echo(f"written to {outcome.run.path}")


def _interval(estimate: Mapping[str, float | None]) -> str:
    """A value with its 95 % interval; where one result is all there is, without."""
    value, high = estimate["value"], estimate["high"]
    spread = f"{'':<9}" if high is None or value is None else f"± {high - value:<7,.0f}"
    return f"{value:>+10,.0f} {spread}"


def dashboard_command(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.", show_default=False)],
    follow: Annotated[bool, typer.Option("--follow", help="Stay and show new generations.")] = False,
) -> None:
    """Show the dashboard of a running or finished run from its records."""
    from holecard.evolve.run_directory import RunDirectory

    directory = RunDirectory.open(folder)
    config = NeuroevolutionConfig.from_options(directory.options)

    def shown() -> Any:
        return dashboard(_title(config), neuroevolution_records(directory.history), config.generations)

    if not follow:
        console.out().print(shown())
        return
    from rich.live import Live

    with Live(shown(), refresh_per_second=2) as live:
        while len(neuroevolution_records(directory.history)) < config.generations:
            time.sleep(0.5)
            live.update(shown())


def duel_command(
    first: Annotated[str, typer.Argument(metavar="A", help="A player, champion file or run.", show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help="Another.", show_default=False)],
    hands: Hands = 10_000,
    preset: Preset = None,
    stacks: Stacks = "preset",
    threads: Threads = None,
    cluster: Cluster = None,
    device: Device = "auto",
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Two players on duplicate decks with the seats swapped: mBB/hand of A, and how both play."""
    from holecard.holdem.arena.duel import duel, rules_for
    from holecard.holdem.arena.luck import COMPILED, luck_free, luck_of
    from holecard.holdem.players.named import player_named

    refuse_gpu(device, "duels are played")
    players = [player_named(first), player_named(other)]
    rules = rules_for(players, preset)
    if stacks not in ("preset", "reset"):
        raise SettingError(f"--stacks must be preset or reset; got {stacks!r}")
    rules = replace(rules, carried=rules.carried and stacks == "preset")
    prepare(players, *COMPILED)
    with connected(cluster) as executor, console.progress(f"{first} against {other}", hands) as report:
        result = duel(
            players[0], players[1], rules, hands=hands, seed=seed, threads=threads, executor=executor, progress=report
        )
        luck = luck_of(result, players[0], players[1], seed=seed, threads=threads, executor=executor)
    freed = luck_free(result.by_deck, luck)
    if as_json:
        console.print_json(_duel_json(result, freed))
    else:
        _print_duel(result, freed)


def _duel_json(result: Duel, freed: DeckResults) -> dict[str, Any]:
    from holecard.estimate import finite

    players = [
        {"name": name} | {key: finite(getattr(result.statistics(at), key)) for key in _STYLE}
        for at, name in enumerate(result.names)
    ]
    return {
        "mbb_per_hand": result.mbb_per_hand.interval_as_json(),
        "all_in_adjusted": result.adjusted_mbb_per_hand.interval_as_json(),
        "luck_free": freed.mbb_per_hand.interval_as_json(),
        "of_best": None if result.of_best is None else result.of_best.interval_as_json(),
        "hands": result.hands,
        "players": players,
    }


_STYLE = ("vpip", "pfr", "af", "wsd", "wsdw")


def _print_duel(result: Duel, freed: DeckResults) -> None:
    first, other = result.names
    typer.echo(f"{first} against {other}, {result.hands:,} hands, {result.rules.in_words}")
    typer.echo(f"  {_interval(result.mbb_per_hand.interval_as_json())} mBB/hand (95 %)")
    typer.echo(
        f"  {_interval(result.adjusted_mbb_per_hand.interval_as_json())} mBB/hand, the luck after an all-in taken out"
    )
    estimate = freed.mbb_per_hand
    shorter = _shorter(result.mbb_per_hand, estimate)
    if estimate != result.mbb_per_hand or not isfinite(estimate.stderr):
        interval = _interval(estimate.interval_as_json())
        typer.echo(f"  {interval} mBB/hand, the luck of boards, dice and hands taken out{shorter}")
    if result.of_best is not None:
        low, high = result.of_best.interval()
        between = f" ({low:.1%} to {high:.1%})" if isfinite(low) else ""
        typer.echo(f"  {result.of_best.mean:>10.1%} of the most that can be won from {other}{between}")
    if not isfinite(result.mbb_per_hand.stderr):
        typer.echo(f"  {_too_few(result)}")
    for at, name in enumerate(result.names):
        style = result.statistics(at)
        typer.echo(
            f"  {name:<22} VPIP {_share(style.vpip)}  PFR {_share(style.pfr)}  AF {aggression_text(style.af):>5}  "
            f"WSD {_share(style.wsd)}  WSDW {_share(style.wsdw)}"
        )


def _too_few(result: Duel) -> str:
    """Why a duel has no interval."""
    if result.rules.carried:
        return f"one pair of sessions has no interval: play more than {2 * result.rules.hands:,} hands"
    return "one deck has no interval: play 4 hands or more"


def _shorter(plain: Estimate, freed: Estimate) -> str:
    """How much shorter an interval became, in words."""
    return f" ({1 - freed.stderr / plain.stderr:.0%} shorter)" if 0 < freed.stderr < plain.stderr else ""


def _share(share: float) -> str:
    """A share in per cent; a dash where there was nothing to divide by."""
    return f"{'–':>6}" if isnan(share) else f"{share:6.1%}"


def league_command(
    names: Annotated[list[str], typer.Argument(metavar="A B C …", help="Players.", show_default=False)],
    hands: Hands = 10_000,
    preset: Preset = None,
    threads: Threads = None,
    cluster: Cluster = None,
    device: Device = "auto",
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """A round robin on the same decks: everybody against everybody, and a table."""
    from holecard.holdem.arena.duel import league, mean_over_duels, rules_for, standings
    from holecard.holdem.arena.luck import COMPILED, luck_free, luck_of
    from holecard.holdem.players.named import player_named

    refuse_gpu(device, "leagues are played")
    players = [player_named(name) for name in names]
    rules = rules_for(players, preset)
    prepare(players, *COMPILED)
    total = hands * len(players) * (len(players) - 1) // 2
    with connected(cluster) as executor, console.progress(f"{len(players)} players", total) as report:
        duels = league(players, rules, hands=hands, seed=seed, threads=threads, executor=executor, progress=report)
        by_name = {player.name: player for player in players}
        lucks = [
            luck_of(each, *(by_name[name] for name in each.names), seed=seed, threads=threads, executor=executor)
            for each in duels
        ]
    freed = [luck_free(each.by_deck, luck) for each, luck in zip(duels, lucks, strict=True)]
    table = standings(players, duels)

    def luck_free_of(name: str) -> Estimate:
        own = [(each.names, less) for each, less in zip(duels, freed, strict=True) if name in each.names]
        return mean_over_duels(name, own)

    if as_json:
        shown = [_duel_json(each, less) for each, less in zip(duels, freed, strict=True)]
        console.print_json(
            {"standings": [_standing_json(row, luck_free_of(row.name)) for row in table], "duels": shown}
        )
        return
    typer.echo(f"{len(players)} players, {hands:,} hands a duel, {rules.in_words}")
    for place, row in enumerate(table, 1):
        share = "" if row.of_best is None else f", {row.of_best:.1%} of best"
        typer.echo(f"{place:>3}  {row.name:<30}{_interval(row.mbb_per_hand.interval_as_json())} mBB/hand (95 %){share}")
        less = luck_free_of(row.name)
        words = f"luck taken out{_shorter(row.mbb_per_hand, less)}"
        typer.echo(f"     {'':<30}{_interval(less.interval_as_json())} {words}")


def _standing_json(row: Standing, freed: Estimate) -> dict[str, Any]:
    interval = row.mbb_per_hand.interval_as_json()
    shown = {"name": row.name, "mbb_per_hand": interval["value"], "low": interval["low"], "high": interval["high"]}
    return shown | {"of_best": row.of_best, "luck_free": freed.interval_as_json()}
