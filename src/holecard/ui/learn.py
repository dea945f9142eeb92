"""`holecard dataset` and `holecard train`: record what an expert does, and teach a network to do the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.evolve.observer import Observer
from holecard.studies.imitation_config import DemonstrationConfig, ImitationConfig
from holecard.ui.console import print_json, progress, say, share_of, warn_if_compiling
from holecard.ui.options import Json, TensorBoard, with_agent_options, with_rules
from holecard.ui.signature import with_settings
from holecard.ui.tensorboard import logging_to


@with_rules(sessions=True)
@with_agent_options()
@with_settings(DemonstrationConfig)
def dataset(
    output: Annotated[Path, typer.Option(metavar="FILE", help="A .jsonl file, or .npz for speed.")] = Path(
        "data/dataset.jsonl"
    ),
    json: Json = False,
    *,
    settings: dict[str, Any],
    options: AgentOptions,
    rules: Rules,
) -> None:
    """Record every decision of an expert over many sessions, as training data. A run cut short goes on."""
    from holecard.blackjack.game.session_batch import advance_sessions
    from holecard.studies.demonstrations import run

    config = DemonstrationConfig(rules=rules, options=options, **settings)
    warn_if_compiling(advance_sessions)
    with progress(f"{config.agent} plays", config.games) as report:
        decisions = run(config, output, observer=Observer(progress=share_of(report, config.games))).decisions
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
    json: Json = False,
    *,
    settings: dict[str, Any],
) -> None:
    """Train the DNN agent by imitation: weights, a JSON card and curves. Ctrl-C keeps the best so far."""
    from holecard.blackjack.players.dnn import import_torch
    from holecard.studies.demonstrations import read_dataset
    from holecard.studies.imitation import run
    from holecard.ui.figures.training import save_curves

    import_torch()
    data, config = read_dataset(dataset), ImitationConfig(**settings)
    logs = output.parent if tensorboard else None
    with progress("training", config.epochs) as report, logging_to(logs, lambda record: None) as record:
        observer = Observer(record=record, progress=share_of(report, config.epochs))
        outcome = run(config, output, data, observer=observer)
    if outcome.interrupted:
        say(f"interrupted after {len(outcome.history)} epochs; the best weights so far are kept")
    save_curves(outcome, output.with_suffix(".png"))
    card = outcome.card
    if json:
        print_json({"output": str(output), **{name: card[name] for name in _TOLD}, "interrupted": outcome.interrupted})
    else:
        print(
            f"{output}: epoch {card['best_epoch']} of {card['epochs']}, accuracy {card['accuracy']:.4f} on decisions "
            f"held out, agreement {card['agreement']:.4f} on all; card and curves beside it"
        )


_TOLD = ("epochs", "best_epoch", "accuracy", "validation_loss", "agreement", "seconds")
