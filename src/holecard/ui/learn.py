"""`holecard dataset` and `holecard train`: record what an expert does, and teach a network to do the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.evolve.observer import Observer
from holecard.files import unfinished_folder
from holecard.studies.imitation_config import DemonstrationConfig, ImitationConfig
from holecard.ui.console import (
    print_json,
    progress,
    same_command,
    saying_how_to_go_on,
    share_of,
    warn_if_compiling,
)
from holecard.ui.options import Json, Overwrite, TensorBoard, with_agent_options, with_rules
from holecard.ui.signature import with_settings
from holecard.ui.tensorboard import logging_to


@with_rules(sessions=True)
@with_agent_options()
@with_settings(DemonstrationConfig)
def dataset(
    output: Annotated[Path, typer.Option(metavar="FILE", help="A .jsonl file, or .npz for speed.")] = Path(
        "data/dataset.jsonl"
    ),
    overwrite: Overwrite = False,
    json: Json = False,
    *,
    settings: dict[str, Any],
    options: AgentOptions,
    rules: Rules,
) -> None:
    """Record every decision of an expert over many sessions, as training data.

    A run cut short goes on when the same command is given again.
    """
    from holecard.blackjack.game.session_batch import advance_sessions
    from holecard.studies.demonstrations import run

    config = DemonstrationConfig(rules=rules, options=options, **settings)
    warn_if_compiling(advance_sessions)
    with (
        saying_how_to_go_on(same_command(), unfinished_folder(output)),
        progress(f"{config.agent} plays", config.games) as report,
    ):
        observer = Observer(progress=share_of(report, config.games))
        decisions = run(config, output, overwrite=overwrite, observer=observer).decisions
    if json:
        asked = {"games": config.games, "rounds": config.rounds, "seed": config.seed}
        print_json({"output": str(output), **asked, "decisions": decisions})
    else:
        sessions = f"{config.games:,} sessions of {config.rounds} rounds"
        print(f"{decisions:,} decisions of {config.agent} in {sessions}: {output}")


@with_settings(ImitationConfig)
def train(
    dataset: Annotated[Path, typer.Option(metavar="FILE", help="What `holecard dataset` wrote.")] = Path(
        "data/dataset.jsonl"
    ),
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where the best weights go.")] = Path(
        "models/blackjack_mlp.pt"
    ),
    tensorboard: TensorBoard = False,
    overwrite: Overwrite = False,
    json: Json = False,
    *,
    settings: dict[str, Any],
) -> None:
    """Train the DNN agent by imitation: weights, a JSON card and curves.

    Ctrl-C writes the best weights so far; the same command, given again, goes on to the result of an undisturbed one.
    """
    from holecard.blackjack.players.dnn import import_torch
    from holecard.studies.demonstrations import read_dataset
    from holecard.studies.imitation import CURVES, run
    from holecard.ui.figures.training import save_curves

    import_torch()
    data, config = read_dataset(dataset), ImitationConfig(**settings)
    logs = output.parent if tensorboard else None
    with progress("training", config.epochs) as report, logging_to(logs, lambda record: None) as record:
        observer = Observer(record=record, progress=share_of(report, config.epochs))
        outcome = run(config, output, data, overwrite=overwrite, observer=observer)
    save_curves(outcome, output.with_suffix(CURVES))
    card = outcome.card
    if json:
        print_json({"output": str(output), **{name: card[name] for name in _TOLD}, "interrupted": outcome.interrupted})
    else:
        print(
            f"{output}: epoch {card['best_epoch']} of {card['epochs']}, accuracy {card['accuracy']:.4f} on decisions "
            f"held out, agreement {card['agreement']:.4f} on all; card and curves beside it"
        )
    if outcome.interrupted:
        with saying_how_to_go_on(same_command(), unfinished_folder(output)):
            raise KeyboardInterrupt


_TOLD = ("epochs", "best_epoch", "accuracy", "validation_loss", "agreement", "seconds")
