"""`holecard holdem blueprint`: an equilibrium player trained by Monte-Carlo counterfactual regret minimisation."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from holecard.device import chosen_device
from holecard.evolve.observer import Observer
from holecard.settings import setting
from holecard.studies.blueprint_config import BlueprintConfig
from holecard.ui import console
from holecard.ui.options import refuse_settings
from holecard.ui.runs import first_free
from holecard.ui.signature import with_settings

if TYPE_CHECKING:
    from holecard.studies.blueprint import BlueprintOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintRunning:
    """How a blueprint is trained; none of it changes the result."""

    threads: int | None = setting(None, low=1, help="Threads to use; one per core by default.")
    device: str | None = setting(
        "auto", metavar="auto|cpu|cuda", help="Where to train: the same bits on each; auto: a GPU, if there is one."
    )
    out: Path | None = setting(None, metavar="DIR", help="The folder of the run; runs/blueprint-… by default.")
    resume: Path | None = setting(None, metavar="DIR", help="Go on with the run in this folder, as it was asked for.")
    json: bool = setting(False, flag="--json", help="Print one JSON object on stdout and nothing else.")


@with_settings(BlueprintRunning, parameter="running", build=lambda chosen: BlueprintRunning(**chosen))
@with_settings(BlueprintConfig)
def blueprint_command(context: typer.Context, *, settings: dict[str, Any], running: BlueprintRunning) -> None:
    """Train an equilibrium player by Monte-Carlo counterfactual regret minimisation; it can sit anywhere."""
    from holecard.studies.blueprint import run
    from holecard.studies.folder import configuration

    device = chosen_device(running.device or "auto")
    resume = running.resume is not None
    if resume:
        refuse_settings(context)
    config = None if resume else BlueprintConfig(**settings)
    folder = running.resume or running.out or first_free(f"blueprint-{settings['preset']}-{settings['seed']}")
    config = configuration(config, folder, BlueprintConfig, resume=resume)
    _prepare()
    start = time.perf_counter()
    with (
        console.saying_how_to_go_on(console.resuming("holdem blueprint", folder), folder),
        console.progress(f"blueprint, {config.preset}", 1000) as show,
    ):
        observer = Observer(
            record=lambda record: None if running.json else console.say(_line(record)),
            note=console.say,
            progress=console.share_of(show, 1000),
        )
        outcome = run(config, folder, resume=resume, threads=running.threads, device=device, observer=observer)
    _report(outcome, time.perf_counter() - start, running.json)


def _prepare() -> None:
    """Say what takes a while the first time: tables and kernels."""
    from holecard.holdem.equilibrium.sampling import walk_deals
    from holecard.holdem.equities.tables import are_built, equity_tables
    from holecard.ui.neuroevolution import prepare_draws

    if not are_built():
        console.say("building the equity tables: once, less than a minute …")
        equity_tables()
    prepare_draws()
    console.warn_if_compiling(walk_deals)


def _line(record: Mapping[str, Any]) -> str:
    """A record in a line."""
    line = f"{record['iterations']:>14,} iterations   regret {record['regret_mbb']:>12,.0f} mBB"
    if "exploitability_mbb" in record:
        error = 1.96 * record["stderr_mbb"]
        worth = f"{record['exploitability_mbb']:,.0f} ± {error:,.0f} mBB/hand"
        line += f"   exploitable inside the abstraction by {worth} or more"
    return line


def _report(outcome: BlueprintOutcome, seconds: float, as_json: bool) -> None:
    if as_json:
        console.print_json(
            {
                "folder": str(outcome.folder),
                "player": str(outcome.path),
                "information_sets": outcome.information_sets,
                "bytes": outcome.path.stat().st_size,
                **outcome.record,
                "seconds": seconds,
            }
        )
        return
    typer.echo(
        f"{outcome.information_sets:,} information sets; {outcome.record['iterations']:,} iterations; {seconds:.0f} s"
    )
    typer.echo(
        f"wrote {outcome.path} ({outcome.path.stat().st_size / 1e6:.1f} MB); it plays wherever a player is named:"
    )
    typer.echo(f"  holecard holdem duel {outcome.folder} candid-statistician --preset {_preset_of(outcome)}")


def _preset_of(outcome: BlueprintOutcome) -> str:
    from holecard.evolve.run_directory import RunDirectory

    return str(RunDirectory.open(outcome.folder).options["preset"])
