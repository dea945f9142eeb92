"""`holecard holdem evolve | dashboard | figures | duel | league`: breeding poker players, watching, judging them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.cluster import connected
from holecard.device import chosen_device
from holecard.errors import SettingError
from holecard.evolve.observer import Observer
from holecard.ui import console
from holecard.ui.dashboard import Pace, dashboard, line
from holecard.ui.options import Cluster, Json, Seed, TensorBoard, Threads, parse_count, refuse_settings
from holecard.ui.tensorboard import logging_to

if TYPE_CHECKING:
    from holecard.holdem.arena.duel import Duel
    from holecard.studies.neuroevolution import NeuroevolutionConfig, Outcome

Hands = Annotated[int, typer.Option(parser=parse_count, metavar="N", help="Hands of a duel, both seats together.")]
Preset = Annotated[str | None, typer.Option(help="The setting: pokernet or paper.", show_default=False)]


def _schedule(name: str, text: str) -> tuple[float, float]:
    """A linear decay as people write it: `0.25:0.05`, or one number for both ends."""
    parts = text.split(":")
    try:
        start, end = (float(part) for part in (parts if len(parts) == 2 else parts * 2))
    except ValueError:
        raise SettingError(f"{name} must be START:END, such as 0.25:0.05; got {text!r}") from None
    return start, end


def evolve_command(
    context: typer.Context,
    preset: Annotated[str, typer.Option(help="PokerNet's setting, pokernet, or the paper's, paper.")] = "pokernet",
    population: Annotated[int, typer.Option(min=2, help="Individuals in a generation.")] = 50,
    generations: Annotated[int, typer.Option(min=1, help="Generations to evaluate.")] = 250,
    hands: Annotated[int, typer.Option(min=1, help="Hands of a session; two sessions per opponent.")] = 500,
    deck_sets: Annotated[int, typer.Option(min=1, help="Deck sets per opponent, two sessions each.")] = 1,
    survival: Annotated[float, typer.Option(help="The share that survives.")] = 0.30,
    mutation_rate: Annotated[str, typer.Option(metavar="START:END", help="Chance of a gene.")] = "0.25:0.05",
    mutation_strength: Annotated[str, typer.Option(metavar="START:END", help="Its deviation.")] = "0.50:0.10",
    opponents: Annotated[
        str | None, typer.Option(metavar="A,B,…", help="Whom everybody plays; the preset's four by default.")
    ] = None,
    hidden: Annotated[int | None, typer.Option(help="Neurons of the head; pokernet 32, paper 7.")] = None,
    initial_states: Annotated[
        bool | None, typer.Option("--initial-states/--no-initial-states", help="Evolve them; paper yes, pokernet no.")
    ] = None,
    tiers: Annotated[bool, typer.Option("--tiers/--no-tiers", help="TSER's tiers, or plain truncation.")] = True,
    fitness: Annotated[str, typer.Option(help="ane (normalised) or earnings (raw).")] = "ane",
    decks: Annotated[str, typer.Option(help="shared by the population, or fresh for each individual.")] = "shared",
    luck: Annotated[str, typer.Option(help="averaged over all boards, or dealt: counted as they fall.")] = "averaged",
    equity: Annotated[str, typer.Option(help="exact, or monte-carlo.")] = "exact",
    samples: Annotated[int, typer.Option(min=1, help="Deals behind a Monte Carlo equity.")] = 1000,
    finals: Annotated[int, typer.Option(min=0, help="Fresh deck sets that decide who is champion; 0: none.")] = 30,
    score_hands: Annotated[int, typer.Option(min=2, help="Fresh hands per opponent for the champion.")] = 20_000,
    threads: Threads = None,
    device: Annotated[
        str | None, typer.Option(metavar="auto|cpu|cuda", help="Where sessions are played (cpu); a GPU rounds apart.")
    ] = None,
    cluster: Cluster = None,
    out: Annotated[Path | None, typer.Option(help="The run's folder; runs/holdem-PRESET-SEED by default.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this folder.")] = None,
    figures: Annotated[bool, typer.Option("--figures/--no-figures", help="Draw them at the end.")] = True,
    tensorboard: TensorBoard = False,
    plain: Annotated[bool, typer.Option("--plain", help="Lines instead of the live dashboard.")] = False,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Evolve dual-LSTM players against rule players; writes a run directory with its champion."""
    from holecard.studies.neuroevolution import NeuroevolutionConfig, run

    if resume:
        refuse_settings(context)
    if equity not in ("exact", "monte-carlo"):
        raise SettingError(f"--equity must be exact or monte-carlo; got {equity!r}")
    changes: dict[str, Any] = {
        "population": population,
        "generations": generations,
        "hands": hands,
        "deck_sets": deck_sets,
        "survival": survival,
        "mutation_rate": _schedule("--mutation-rate", mutation_rate),
        "mutation_strength": _schedule("--mutation-strength", mutation_strength),
        "tiers": tiers,
        "fitness": fitness,
        "decks": decks,
        "luck": luck,
        "samples": samples if equity == "monte-carlo" else 0,
        "finals": finals,
        "score_hands": score_hands,
        "seed": seed,
    }
    if opponents is not None:
        changes["opponents"] = tuple(name.strip() for name in opponents.split(",") if name.strip())
    changes |= {
        name: value for name, value in (("hidden", hidden), ("initial_states", initial_states)) if value is not None
    }
    config = None if resume else NeuroevolutionConfig.preset(preset, **changes)
    folder = resume or out or Path("runs") / f"holdem-{preset}-{seed}"
    where = chosen_device(device) if device else None
    _prepare()
    start = time.perf_counter()
    with (
        connected(cluster) as executor,
        _watching(plain or as_json) as watch,
        logging_to(folder if tensorboard else None, watch.record) as record,
    ):
        outcome = run(
            config,
            folder,
            resume=resume is not None,
            device=where,
            threads=threads,
            executor=executor,
            on_start=watch.start,
            observer=Observer(record=record, note=console.say),
        )
    seconds = time.perf_counter() - start
    if figures:
        _draw(outcome.run.path)
    _report(outcome, seconds, as_json)


def _draw(folder: Path) -> list[Path]:
    """The five figures of a finished run, into its folder."""
    from holecard.evolve.run_directory import RunDirectory
    from holecard.holdem.arena.adaptation import traces
    from holecard.holdem.players.named import player_named
    from holecard.studies.neuroevolution import NeuroevolutionConfig
    from holecard.ui.figures.neuroevolution import save_all

    directory = RunDirectory.open(folder)
    config = NeuroevolutionConfig.from_options(directory.options)
    played = traces(player_named(str(folder)), config.opponents, config.rules, hands=min(200, config.hands))
    return save_all(directory.history.records(), played, folder)


def figures_command(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A finished run directory.", show_default=False)],
) -> None:
    """Draw a run's figures anew: fitness, earnings, styles, the champion's actions, and how it adapts."""
    for path in _draw(folder):
        typer.echo(str(path))


def _prepare() -> None:
    """Say what takes a while the first time: tables and kernels."""
    from holecard.holdem.arena.sessions import COMPILED
    from holecard.holdem.equities.tables import are_built, equity_tables

    if not are_built():
        console.say("building the equity tables: once, less than a minute …")
        equity_tables()
    console.warn_if_compiling(*COMPILED)


class _Watch:
    """Collects records, counts hands and time, and has every new record shown."""

    def __init__(self, show: Callable[[_Watch, NeuroevolutionConfig], None]) -> None:
        self.records: list[Mapping[str, Any]] = []
        self._show = show
        self._config: NeuroevolutionConfig | None = None
        self._hands = 0
        self._before = 0
        self._began = time.perf_counter()

    def start(self, config: NeuroevolutionConfig, records: list[dict[str, Any]]) -> None:
        """A run begins, or goes on after these records."""
        self._config, self.records = config, list(records)
        self._began, self._before = time.perf_counter(), len(records)

    def record(self, record: Mapping[str, Any]) -> None:
        """One more generation; a resumed run may repeat the last ones."""
        assert self._config is not None, "a run has started"
        self.records = [*self.records[: record["generation"]], record]
        self._before = min(self._before, record["generation"])
        self._hands += record["hands"]
        self._show(self, self._config)

    def pace(self, generations: int) -> Pace:
        """Hands per second since the start, and what is left at that rate."""
        seconds = time.perf_counter() - self._began
        left = seconds / (len(self.records) - self._before) * (generations - len(self.records))
        return Pace(hands_per_second=self._hands / seconds, seconds_left=left)


def _say_last(watch: _Watch, config: NeuroevolutionConfig) -> None:
    console.say(line(watch.records[-1], config.generations))


@contextmanager
def _watching(plain: bool) -> Iterator[_Watch]:
    """A watch that prints lines, or a live dashboard where somebody sits at the terminal."""
    if plain or not sys.stderr.isatty():
        yield _Watch(_say_last)
        return
    from rich.live import Live

    with Live(console=console.out(stderr=True), refresh_per_second=4) as live:

        def show(watch: _Watch, config: NeuroevolutionConfig) -> None:
            live.update(dashboard(_title(config), watch.records, config.generations, watch.pace(config.generations)))

        yield _Watch(show)


def _title(config: NeuroevolutionConfig) -> str:
    return f"holecard holdem evolve · {config.setting} · seed {config.seed}"


def _report(outcome: Outcome, seconds: float, as_json: bool) -> None:
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
        typer.echo(f"  {name:<22}{_interval(score['mbb_per_hand'])} mBB/hand on {score['hands']:,} fresh hands")
    typer.echo(f"written to {outcome.run.path}")


def _interval(estimate: Mapping[str, float | None]) -> str:
    value, high = estimate["value"], estimate["high"]
    spread = "?" if high is None or value is None else f"{high - value:,.0f}"
    return f"{value:>+10,.0f} ± {spread:<7}"


def dashboard_command(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.", show_default=False)],
    follow: Annotated[bool, typer.Option("--follow", help="Stay and show new generations.")] = False,
) -> None:
    """Show the dashboard of a running or finished run from its records."""
    from holecard.evolve.run_directory import RunDirectory
    from holecard.studies.neuroevolution import NeuroevolutionConfig

    directory = RunDirectory.open(folder)
    config = NeuroevolutionConfig.from_options(directory.options)

    def shown() -> Any:
        return dashboard(_title(config), directory.history.records(), config.generations)

    if not follow:
        console.out().print(shown())
        return
    from rich.live import Live

    with Live(shown(), refresh_per_second=2) as live:
        while len(directory.history.records()) < config.generations:
            time.sleep(0.5)
            live.update(shown())


def duel_command(
    first: Annotated[str, typer.Argument(metavar="A", help="A player, champion file or run.", show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help="Another.", show_default=False)],
    hands: Hands = 10_000,
    preset: Preset = None,
    threads: Threads = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Two players on duplicate decks with the seats swapped: mBB/hand of A, and how both play."""
    from holecard.holdem.arena.duel import duel, rules_for
    from holecard.holdem.players.named import player_named

    players = [player_named(first), player_named(other)]
    rules = rules_for(players, preset)
    _prepare()
    result = duel(players[0], players[1], rules, hands=hands, seed=seed, threads=threads)
    if as_json:
        console.print_json(_duel_json(result))
    else:
        _print_duel(result)


def _duel_json(result: Duel) -> dict[str, Any]:
    from holecard.estimate import finite

    players = [
        {"name": name} | {key: finite(getattr(result.statistics(at), key)) for key in _STYLE}
        for at, name in enumerate(result.names)
    ]
    return {
        "mbb_per_hand": result.mbb_per_hand.interval_as_json(),
        "all_in_adjusted": result.adjusted_mbb_per_hand.interval_as_json(),
        "hands": result.hands,
        "players": players,
    }


_STYLE = ("vpip", "pfr", "af", "wsd", "wsdw")


def _print_duel(result: Duel) -> None:
    first, other = result.names
    typer.echo(f"{first} against {other}, {result.hands:,} hands")
    typer.echo(f"  {_interval(result.mbb_per_hand.interval_as_json())} mBB/hand (95 %)")
    typer.echo(
        f"  {_interval(result.adjusted_mbb_per_hand.interval_as_json())} mBB/hand, the luck after an all-in taken out"
    )
    for at, name in enumerate(result.names):
        style = result.statistics(at)
        typer.echo(
            f"  {name:<22} VPIP {style.vpip:6.1%}  PFR {style.pfr:6.1%}  AF {style.af:5.2f}  "
            f"WSD {style.wsd:6.1%}  WSDW {style.wsdw:6.1%}"
        )


def league_command(
    names: Annotated[list[str], typer.Argument(metavar="A B C …", help="Players.", show_default=False)],
    hands: Hands = 10_000,
    preset: Preset = None,
    threads: Threads = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """A round robin on the same decks: everybody against everybody, and a table."""
    from holecard.holdem.arena.duel import league, rules_for, standings
    from holecard.holdem.players.named import player_named

    players = [player_named(name) for name in names]
    rules = rules_for(players, preset)
    _prepare()
    duels = league(players, rules, hands=hands, seed=seed, threads=threads)
    table = standings(players, duels)
    if as_json:
        shown = [{"players": list(each.names)} | _duel_json(each) for each in duels]
        console.print_json({"standings": [{"name": name, "mbb_per_hand": won} for name, won in table], "duels": shown})
        return
    for place, (name, won) in enumerate(table, 1):
        typer.echo(f"{place:>3}  {name:<30}{won:>+12,.0f} mBB/hand")


COMMANDS: dict[str, Callable[..., None]] = {
    "evolve": evolve_command,
    "dashboard": dashboard_command,
    "figures": figures_command,
    "duel": duel_command,
    "league": league_command,
}
"""What `holecard holdem` gains."""
