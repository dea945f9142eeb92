"""`holecard dataset` and `holecard train`: record what an expert does, and teach a network to do the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from holecard.blackjack.game.rules import Rules
from holecard.evolve.observer import Observer
from holecard.ui.console import print_json, progress, say, share_of, warn_if_compiling
from holecard.ui.evaluate import AgentName, Determinizations, Model, Rollout, Simulations, UcbC
from holecard.ui.options import Count, Json, Seed, TensorBoard, with_rules
from holecard.ui.tensorboard import logging_to


@with_rules(sessions=True)
def dataset(
    games: Count = 5000,
    agent: AgentName = "basic",
    output: Annotated[Path, typer.Option(metavar="FILE", help="A .jsonl file, or .npz for speed.")] = Path(
        "data/dataset.jsonl"
    ),
    rounds: Count = 10,
    seed: Seed = 0,
    simulations: Simulations = 200,
    determinizations: Determinizations = 10,
    ucb_c: UcbC = 1.41,
    rollout: Rollout = "mimic-dealer",
    model: Model = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Record every decision of an expert over many sessions, as training data. A run cut short goes on."""
    from holecard.blackjack.game.session_batch import advance_sessions
    from holecard.blackjack.game.session_terms import SessionTerms
    from holecard.blackjack.players.protocol import AgentOptions
    from holecard.studies.demonstrations import write_dataset

    options = AgentOptions(
        simulations=simulations, determinizations=determinizations, ucb_c=ucb_c, rollout=rollout, model=model
    )
    warn_if_compiling(advance_sessions)
    terms = SessionTerms(rules=rules, rounds=rounds, seed=seed)
    with progress(f"{agent} plays", games) as report:
        observer = Observer(progress=share_of(report, games))
        decisions = write_dataset(output, agent, terms, games, options=options, observer=observer)
    if json:
        print_json({"output": str(output), "games": games, "rounds": rounds, "seed": seed, "decisions": decisions})
    else:
        print(f"{decisions:,} decisions of {agent} in {games:,} sessions of {rounds} rounds: {output}")


def train(
    dataset: Annotated[Path, typer.Option(metavar="FILE", help="What `holecard dataset` wrote.")] = Path(
        "data/dataset.jsonl"
    ),
    epochs: Annotated[int, typer.Option(help="Passes over the data, at most.")] = 50,
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where the best weights go.")] = Path(
        "models/blackjack_mlp.pt"
    ),
    seed: Seed = 0,
    tensorboard: TensorBoard = False,
    json: Json = False,
) -> None:
    """Train the DNN agent by imitation: weights, a JSON card and curves. Ctrl-C keeps the best so far."""
    from holecard.blackjack.players.dnn import import_torch
    from holecard.studies.demonstrations import read_dataset
    from holecard.studies.imitation import ImitationConfig
    from holecard.studies.imitation import train as learn
    from holecard.ui.figures.training import save_curves

    import_torch()
    data = read_dataset(dataset)
    config = ImitationConfig(epochs=epochs, seed=seed)
    logs = output.parent if tensorboard else None
    with progress("training", epochs) as report, logging_to(logs, lambda record: None) as log:
        result = learn(data, output, config, observer=Observer(record=log, progress=share_of(report, epochs)))
    if result.interrupted:
        say(f"interrupted after {len(result.history)} epochs; the best weights so far are kept")
    save_curves(result, output.with_suffix(".png"))
    card = result.card
    if json:
        print_json({"output": str(output), **{name: card[name] for name in _TOLD}, "interrupted": result.interrupted})
    else:
        print(
            f"{output}: epoch {card['best_epoch']} of {card['epochs']}, accuracy {card['accuracy']:.4f} on decisions "
            f"held out, agreement {card['agreement']:.4f} on all; card and curves beside it"
        )


_TOLD = ("epochs", "best_epoch", "accuracy", "validation_loss", "agreement", "seconds")
