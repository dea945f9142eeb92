"""Train the DNN agent to imitate an expert's demonstrations: 80/20 split, cross-entropy, Adam, early stopping."""

from __future__ import annotations

import copy
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from io import BytesIO
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
from holecard.evolve.observer import Observer, Record
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.files import read_json, refuse_to_replace, unfinished, write_file, write_json
from holecard.seeds import stream
from holecard.studies.demonstrations import Demonstrations
from holecard.studies.imitation_config import ImitationConfig

if TYPE_CHECKING:
    import torch

_SPLIT_OFF, _EPOCH = 0, 1
"""Purposes of random streams."""
WEIGHTS, CARD, CURVES = ".pt", ".json", ".png"
"""How the names of what a training leaves end."""
_SCHEDULE: Final = ("best", "num_bad_epochs", "cooldown_counter", "last_epoch")
"""What torch's schedule of the learning rate knows, beside the rate."""
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
    config: ImitationConfig,
    path: Path,
    data: Demonstrations,
    *,
    overwrite: bool = False,
    observer: Observer | None = None,
) -> ImitationOutcome:
    """Train a BlackjackMLP on `data`; the weights of its best epoch go to `path`, a JSON card beside it.

    A training that was cut short goes on: its state lies beside `path` until it ends. Ctrl-C writes the best weights so
    far. A file that is there already stays, unless it came of this very training or `overwrite` says that it may go.
    """
    torch = import_torch()
    asked = {"config": asdict(config), "data": data.digest}
    _check(path, data, asked, overwrite=overwrite)
    trainer, started = _Trainer(data, config, torch), time.perf_counter()
    try:
        with unfinished(path) as folder:
            directory = _directory(folder / "training", asked)
            carry_on(trainer, trainer.advance, directory, steps=config.epochs, observer=observer)
            return _written(trainer, path, started, interrupted=False)
    except KeyboardInterrupt:
        if not trainer.history:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return _written(trainer, path, started, interrupted=True)


def _check(path: Path, data: Demonstrations, asked: dict[str, Any], *, overwrite: bool) -> None:
    """Refuse what cannot be trained on or written to, before anything is done."""
    if path.suffix != WEIGHTS:
        raise FileProblem(f"weights are written as {WEIGHTS}, with a card and curves beside; got {path.name!r}")
    if data.actions.size < _LEAST_DECISIONS:
        raise SettingError(f"training takes {_LEAST_DECISIONS} decisions or more; got {data.actions.size}")

    def is_same(_: Path) -> bool:
        try:
            card = read_json(path.with_suffix(CARD))
            return bool({"config": card["config"], "data": card["data"]["sha256"]} == asked)
        except (FileProblem, KeyError, TypeError):
            return False

    for file in (path, path.with_suffix(CARD), path.with_suffix(CURVES)):
        refuse_to_replace(file, "of this training", is_same=is_same, overwrite=overwrite)


def _directory(folder: Path, asked: dict[str, Any]) -> RunDirectory:
    """The training that lies in a folder, if it is the one that is asked for; else a new one."""
    try:
        found = RunDirectory.open(folder)
        if found.options == asked:
            return found
    except FileProblem:
        pass
    shutil.rmtree(folder, ignore_errors=True)
    return RunDirectory.create(folder, asked)


def _written(trainer: _Trainer, path: Path, started: float, *, interrupted: bool) -> ImitationOutcome:
    """What a training came to, its best weights and its card on the disk."""
    save_weights(trainer.best_weights, path, trainer.torch)
    card = _card(trainer, trainer.agreement(path), time.perf_counter() - started)
    write_json(path.with_suffix(CARD), card, indent=1)
    return ImitationOutcome(history=tuple(trainer.history), best=trainer.best, card=card, interrupted=interrupted)


class _Trainer:
    """The model, its optimiser and the two parts of the data, as tensors."""

    def __init__(self, data: Demonstrations, config: ImitationConfig, torch: Any) -> None:
        torch.manual_seed(config.seed)
        torch.use_deterministic_algorithms(True)
        self.data, self.config, self.torch = data, config, torch
        self.history: list[Epoch] = []
        self.best = 0
        self.best_weights: dict[str, torch.Tensor] = {}
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

    @property
    def finished(self) -> bool:
        """True after all epochs, or as many without progress as patience allows."""
        done = len(self.history)
        return done >= self.config.epochs or done - self.best > self.config.patience

    def advance(self) -> Record:
        """One epoch; its weights are kept if it is the best so far."""
        self.history.append(self.epoch(len(self.history)))
        if self.history[-1].validation_loss <= min(epoch.validation_loss for epoch in self.history):
            self.best, self.best_weights = len(self.history) - 1, self.weights()
        return {"epoch": len(self.history), **asdict(self.history[-1])}

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything needed to go on: model, best weights, Adam, the schedule, torch's random numbers, the history."""
        arrays = {f"model/{name}": tensor.numpy().copy() for name, tensor in self.model.state_dict().items()}
        arrays |= {f"best/{name}": tensor.numpy() for name, tensor in self.best_weights.items()}
        for number, moments in self.optimiser.state_dict()["state"].items():
            arrays |= {f"adam/{number}/{name}": tensor.numpy().copy() for name, tensor in moments.items()}
        rate = self.optimiser.param_groups[0]["lr"]
        arrays["schedule"] = np.array([rate, *(getattr(self.schedule, name) for name in _SCHEDULE)], np.float64)
        arrays["random"] = self.torch.get_rng_state().numpy()
        arrays["history"] = np.array([astuple(epoch) for epoch in self.history], np.float64)
        return arrays | {"best_epoch": np.array(self.best)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up a state."""
        tensors = {name: self.torch.from_numpy(np.array(array)) for name, array in state.items()}
        self.model.load_state_dict(_below("model/", tensors))
        self.best_weights = _below("best/", tensors)
        moments: dict[int, dict[str, Any]] = {}
        for name, tensor in _below("adam/", tensors).items():
            number, _, moment = name.partition("/")
            moments.setdefault(int(number), {})[moment] = tensor
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": moments})
        rate, *values = state["schedule"].tolist()
        self.optimiser.param_groups[0]["lr"] = rate
        for name, value in zip(_SCHEDULE, values, strict=True):
            setattr(self.schedule, name, value)
        self.torch.set_rng_state(tensors["random"])
        self.history, self.best = [Epoch(*row) for row in state["history"].tolist()], int(state["best_epoch"])

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


def _below(prefix: str, named: Mapping[str, Any]) -> dict[str, Any]:
    """What has a name that begins so, under the rest of its name."""
    return {name.removeprefix(prefix): value for name, value in named.items() if name.startswith(prefix)}


def save_weights(weights: dict[str, torch.Tensor], path: Path, torch: Any) -> None:
    """Write weights, and nothing but weights, whole or not at all."""
    contents = BytesIO()
    torch.save(weights, contents)
    write_file(path, contents.getvalue())


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


def _card(trainer: _Trainer, agrees: NDArray[np.bool_], seconds: float) -> dict[str, Any]:
    data, history, best = trainer.data, trainer.history, trainer.best
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
        "config": asdict(trainer.config),
        "epochs": len(history),
        "best_epoch": best + 1,
        "accuracy": history[best].accuracy,
        "validation_loss": history[best].validation_loss,
        "agreement": float(agrees.mean()),
        "agreement_by_cell": dict(sorted((str(cell), counts) for cell, counts in by_cell.items())),
        "seconds": round(seconds, 3),
    }
