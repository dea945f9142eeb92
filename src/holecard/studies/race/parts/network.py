"""Train a network on demonstrations if they are asked for, else take the shipped one; judge it on common cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.players.dnn import import_torch, shipped_card
from holecard.blackjack.players.options import AgentOptions
from holecard.errors import MissingExtra, SettingError
from holecard.evolve.observer import Observer
from holecard.studies import demonstrations, imitation
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.context import RaceContext
from holecard.studies.race.measured import decisions_json, measured_row
from holecard.studies.race.part import Part, PartId, Result
from holecard.studies.race.rows import Origin, Way, as_json

_AGENT: Final = "dnn"
_SECONDS_A_ROUND: Final = 1e-3
_SECONDS_A_SESSION: Final = 6e-4
"""Of training, for one session of demonstrations in one epoch."""
_FROM_THE_CARD: Final = ("epochs", "best_epoch", "accuracy", "agreement", "seconds", "config")
"""What the result keeps of the model card."""


def parts(config: RaceConfig) -> Sequence[Part]:
    """One part, whatever is asked for."""
    title = "train a network on demonstrations" if config.games else "seat the trained network"
    weight = _SECONDS_A_ROUND * config.rounds + _SECONDS_A_SESSION * config.games * config.epochs
    return [Part(id=PartId.NETWORK, title=title, weight=weight, run=_run)]


def _run(context: RaceContext) -> Result:
    try:
        import_torch()
    except MissingExtra as missing:
        context.note(str(missing))
        return {"rows": [], "missing": str(missing)}
    model, card = _trained(context) if context.config.games else (None, shipped_card())
    judgement = context.judge(_AGENT, AgentOptions(model=model))
    origin = Origin(
        name="network",
        way=Way.TRAINED,
        used=card["data"]["decisions"],
        unit="demonstrations",
        seconds=card["seconds"],
    )
    return {
        "rows": as_json([measured_row(context, judgement, origin)]),
        "shipped": model is None,
        "trained_on": str(card["rules"]["text"] or "casino"),
        "card": {key: card[key] for key in _FROM_THE_CARD},
        **decisions_json(judgement),
    }


def _trained(context: RaceContext) -> tuple[Path | None, Mapping[str, Any]]:
    """The file of a model trained here and its card; no file and the shipped card where nothing can be demonstrated."""
    config = context.config
    folder = context.path / PartId.NETWORK
    data, model = folder / "demonstrations.npz", folder / "blackjack_mlp.pt"
    try:
        demonstrations.run(config.demonstrations, data)
    except SettingError as problem:  # surrender and insurance cannot be demonstrated
        context.note(f"{problem}; the shipped model plays instead")
        return None, shipped_card()
    context.tell(0.0, "training")
    read = demonstrations.read_dataset(data)
    training = imitation.run(config.imitation, model, read, observer=Observer(progress=context.tell))
    if training.interrupted:
        raise KeyboardInterrupt
    return model, training.card
