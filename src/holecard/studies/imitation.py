"""Train the DNN agent to imitate an expert's demonstrations: 80/20 split, cross-entropy, Adam, early stopping."""

from __future__ import annotations

import copy
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.players.dnn import import_torch, new_model
from holecard.blackjack.players.features import SOFT, TOTAL, UPCARD
from holecard.blackjack.strategy.cell import Cell, Kind, cell_index
from holecard.errors import FileProblem, SettingError
from holecard.evolve.observer import Observer
from holecard.files import write_json
from holecard.seeds import stream
from holecard.studies.demonstrations import Demonstrations
from holecard.studies.imitation_config import ImitationConfig

if TYPE_CHECKING:
    import torch

_SPLIT_OFF, _EPOCH = 0, 1
"""Purposes of random streams."""
_LEAST_DECISIONS: Final = 10
"""Fewer cannot be split into a part to train on and a part to judge by."""
_JUDGED_AT_ONCE: Final = 1 << 14
"""Decisions whose logits are in memory together when the whole data is judged."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the data."""

    train_loss: float
    validation_loss: float
    accuracy: float
    """Share of held-out decisions in which the network does what the expert did."""
    learning_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ImitationOutcome:
    """What a training came to."""

    history: tuple[Epoch, ...]
    best: int
    """The epoch whose weights were kept, from 0."""
    card: dict[str, Any]
    """What stands in the JSON card beside the checkpoint."""
    interrupted: bool
    """True if it was stopped from outside; the best weights so far are kept."""


def run(
    config: ImitationConfig, path: Path, data: Demonstrations, *, observer: Observer | None = None
) -> ImitationOutcome:
    """Train a BlackjackMLP on `data`; the weights of its best epoch go to `path`, a JSON card beside it."""
    observer = observer or Observer()
    torch = import_torch()
    torch.manual_seed(config.seed)
    torch.use_deterministic_algorithms(True)
    if data.actions.size < _LEAST_DECISIONS:
        raise SettingError(f"training takes {_LEAST_DECISIONS} decisions or more; got {data.actions.size}")
    trainer = _Trainer(data, config, torch)
    history: list[Epoch] = []
    best, started, interrupted = 0, time.perf_counter(), False
    try:
        while len(history) < config.epochs and len(history) - best <= config.patience:
            history.append(trainer.epoch(len(history)))
            if history[-1].validation_loss <= min(epoch.validation_loss for epoch in history):
                best = len(history) - 1
                save_weights(trainer.weights(), path, torch)
            done = len(history)
            observer.record({"epoch": done, **asdict(history[-1])})
            observer.progress(done / config.epochs, f"epoch {done} of {config.epochs}")
    except KeyboardInterrupt:
        interrupted = True
        if not history:
            raise
    card = _card(data, config, history, best, trainer.agreement(path), time.perf_counter() - started)
    write_json(path.with_suffix(".json"), card, indent=1)
    return ImitationOutcome(history=tuple(history), best=best, card=card, interrupted=interrupted)


class _Trainer:
    """The model, its optimiser and the two parts of the data, as tensors."""

    def __init__(self, data: Demonstrations, config: ImitationConfig, torch: Any) -> None:
        self.data, self.config, self.torch = data, config, torch
        self.states = torch.from_numpy(data.states)
        self.illegal = torch.from_numpy(data.legal == 0)
        self.actions = torch.from_numpy(data.actions)
        order = torch.from_numpy(stream(config.seed, _SPLIT_OFF).permutation(data.actions.size))
        held_out = max(1, int(data.actions.size * config.validation))
        self.held_out, self.kept = order[:held_out], order[held_out:]
        self.model = new_model()
        self.optimiser = torch.optim.Adam(
            self.model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimiser, patience=config.plateau, factor=0.5)
        self.loss = torch.nn.CrossEntropyLoss()

    def epoch(self, number: int) -> Epoch:
        """Train on every kept decision once, then judge by those held out."""
        self.model.train()
        order = self.kept[stream(self.config.seed, _EPOCH, number).permutation(len(self.kept))]
        batches = [part for part in order.split(self.config.batch) if len(part) > 1]  # BatchNorm needs two
        total = 0.0
        for rows in batches:
            self.optimiser.zero_grad()
            loss = self.loss(self.logits(rows), self.actions[rows])
            loss.backward()
            self.optimiser.step()
            total += float(loss.detach()) * len(rows)
        rate = float(self.optimiser.param_groups[0]["lr"])
        self.model.eval()
        with self.torch.inference_mode():
            logits = self.logits(self.held_out)
            judged = float(self.loss(logits, self.actions[self.held_out]))
            accuracy = float((logits.argmax(dim=1) == self.actions[self.held_out]).float().mean())
        self.schedule.step(judged)
        return Epoch(total / sum(map(len, batches)), judged, accuracy, rate)

    def logits(self, rows: torch.Tensor) -> torch.Tensor:
        """Logits of some decisions, −∞ where an action is illegal."""
        return self.model(self.states[rows]).masked_fill(self.illegal[rows], float("-inf"))

    def weights(self) -> dict[str, torch.Tensor]:
        """The weights, with inputs that never vary in the data cut off: they teach nothing, so they decide nothing.

        What such an input contributed goes into the bias, so that the network computes the same on all the data.
        """
        weights = copy.deepcopy(self.model.state_dict())
        constant = self.torch.from_numpy(self.data.states.min(axis=0) == self.data.states.max(axis=0))
        first = weights["0.weight"]
        weights["0.bias"] += first[:, constant] @ self.states[0][constant]
        first[:, constant] = 0.0
        return weights

    def agreement(self, path: Path) -> NDArray[np.bool_]:
        """Whether the best network so far does what the expert did, decision by decision."""
        from holecard.blackjack.players.dnn import load_model

        self.model = load_model(path)
        with self.torch.inference_mode():
            parts = self.torch.arange(len(self.actions)).split(_JUDGED_AT_ONCE)
            chosen = self.torch.cat([self.logits(rows).argmax(dim=1) for rows in parts])
        agrees: NDArray[np.bool_] = (chosen == self.actions).numpy()
        return agrees


def save_weights(weights: dict[str, torch.Tensor], path: Path, torch: Any) -> None:
    """Write weights, and nothing but weights, whole or not at all."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save(weights, partial)
        partial.replace(path)
    except (OSError, RuntimeError) as problem:
        raise FileProblem(f"cannot write {path}: {problem}") from None


def cells_of(data: Demonstrations) -> list[Cell]:
    """The cell of every decision in a chart by total; what a state cannot tell, an ace that counts 1, is left out."""
    totals = np.rint(data.states[:, TOTAL] * 21).astype(np.int64)
    soft, pairs = data.states[:, SOFT] > 0, data.legal[:, Action.SPLIT] > 0
    kinds = np.where(pairs, int(Kind.PAIR), np.where(soft, int(Kind.SOFT), int(Kind.HARD)))
    rows = np.where(pairs & soft, 2, totals)
    upcards = np.array([value_of(code) - 1 for code in range(52)])[data.states[:, UPCARD : UPCARD + 52].argmax(axis=1)]
    places = cell_index(0, kinds, rows, upcards)
    cells = {place: Cell.at(place).by_total for place in np.unique(places).tolist()}
    return [cells[place] for place in places.tolist()]


def _card(
    data: Demonstrations,
    config: ImitationConfig,
    history: list[Epoch],
    best: int,
    agrees: NDArray[np.bool_],
    seconds: float,
) -> dict[str, Any]:
    by_cell: dict[Cell, list[int]] = {}
    for cell, agreed in zip(cells_of(data), agrees.tolist(), strict=True):
        counts = by_cell.setdefault(cell, [0, 0])
        counts[0] += agreed
        counts[1] += 1
    return {
        "model": "BlackjackMLP",
        "expert": data.header.get("agent"),
        "rules": data.header.get("rules"),
        "data": {"sha256": data.digest, "decisions": int(data.actions.size), "header": data.header},
        "config": asdict(config),
        "epochs": len(history),
        "best_epoch": best + 1,
        "accuracy": history[best].accuracy,
        "validation_loss": history[best].validation_loss,
        "agreement": float(agrees.mean()),
        "agreement_by_cell": dict(sorted((str(cell), counts) for cell, counts in by_cell.items())),
        "seconds": round(seconds, 3),
    }
