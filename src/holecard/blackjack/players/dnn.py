"""A learned agent: the agents' original BlackjackMLP, trained to imitate an expert. Needs the `dnn` extra (torch).

A checkpoint is a state dictionary and nothing else. It is read with `weights_only=True`: nothing is ever unpickled.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_batch import legal_bits
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.players.features import FEATURES, encode
from holecard.errors import FileProblem, MissingExtra
from holecard.files import read_bytes

if TYPE_CHECKING:
    import torch

HIDDEN: Final = 256
LAYERS: Final = 3
DROPOUT: Final = 0.2
ACTIONS: Final = 4
"""Hit, stand, double, split: the network's action indices."""
ALL_FOUR: Final = (1 << ACTIONS) - 1
SHIPPED: Final = "trained/blackjack_mlp.pt"
INSTALL: Final = "the dnn agent needs torch; install it with: pip install 'holecard[dnn]'"


def import_torch() -> Any:
    """The torch module, kept to one thread; without it, the line that installs it.

    Whoever has many decisions spreads them over cores himself. A network this small gains nothing from torch's own
    threads: on a busy machine they spend 4 times the CPU time playing, and 30 times training, waiting for each other.
    With one thread the weights of a training do not depend on the number of cores either.
    """
    try:
        import torch
    except ImportError:
        raise MissingExtra(INSTALL) from None
    torch.set_num_threads(1)
    return torch


def new_model() -> torch.nn.Module:
    """BlackjackMLP with fresh weights: 192 → [256 → BatchNorm → ReLU → Dropout] × 3 → 4 logits."""
    nn = import_torch().nn
    layers: list[Any] = []
    for layer in range(LAYERS):
        width = FEATURES if layer == 0 else HIDDEN
        layers += [nn.Linear(width, HIDDEN), nn.BatchNorm1d(HIDDEN), nn.ReLU(), nn.Dropout(DROPOUT)]
    model: torch.nn.Module = nn.Sequential(*layers, nn.Linear(HIDDEN, ACTIONS))
    return model


def load_model(path: Path) -> torch.nn.Module:
    """The model of a checkpoint; anything but the weights of a BlackjackMLP is refused."""
    torch = import_torch()
    if not path.exists():
        raise FileProblem(f"no model at {path}; train one with: holecard train")
    contents = BytesIO(read_bytes(path))
    try:
        weights = torch.load(contents, map_location="cpu", weights_only=True)
    except Exception:  # torch raises its own kinds for truncated, foreign and pickled files, and advises to trust them
        raise FileProblem(
            f"{path} is not a checkpoint of weights alone, or damaged; holecard train writes sound ones"
        ) from None
    model = new_model()
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if not isinstance(weights, dict) or not all(isinstance(tensor, torch.Tensor) for tensor in weights.values()):
        raise FileProblem(f"{path} is not a checkpoint of weights alone: it holds no named tensors")
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if found != expected:
        wrong = next(name for name in (*expected, *found) if expected.get(name) != found.get(name))
        raise FileProblem(
            f"{path} is not a BlackjackMLP: {wrong} should be {expected.get(wrong, 'absent')}, "
            f"is {found.get(wrong, 'absent')}"
        )
    if not all(bool(torch.isfinite(tensor).all()) for tensor in weights.values()):
        raise FileProblem(f"{path} holds weights that are not numbers; train it again")
    model.load_state_dict(weights)
    return model.eval()


@cache
def shipped_model() -> torch.nn.Module:
    """The trained model that comes with the package."""
    with as_file(files("holecard.blackjack.players") / SHIPPED) as path:
        return load_model(path)


def shipped_card() -> dict[str, Any]:
    """What the shipped model's card says: expert, rules, data, training, agreement; needs no torch."""
    card = files("holecard.blackjack.players") / SHIPPED.replace(".pt", ".json")
    return dict(json.loads(card.read_text(encoding="utf-8")))


class DnnAgent:
    """Plays the action of highest logit among the legal ones; never insures or surrenders."""

    name = "dnn"

    def __init__(self, rules: Rules, model: torch.nn.Module) -> None:
        self.last_reason = ""
        self._model, self._record = model.eval(), rules_record(rules)

    @classmethod
    def load(cls, rules: Rules, path: Path | None = None) -> DnnAgent:
        """The agent of a checkpoint, or of the shipped model."""
        return cls(rules, shipped_model() if path is None else load_model(path))

    def act(self, view: View) -> Action:
        """The network's choice; `last_reason` gives its probabilities."""
        if not view.legal_bits & ALL_FOUR:
            self.last_reason = "never insures"
            return Action.DECLINE
        concealed, _ = view.concealed()
        features = encode(concealed, np.array([view.round_number]), self._record)
        logits = self.logits(features, np.array([view.legal_bits]))[0]
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        self.last_reason = ", ".join(
            f"{action.word} {share:.1%}" for action, share in zip(Action, shares, strict=False) if share > 0
        )
        return Action(int(logits.argmax()))

    def act_batch(self, states: NDArray[np.void], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """The network's choice in each state."""
        legal = legal_bits(states, states["active"].astype(np.int64), self._record)
        actions = self.logits(encode(states, rounds, self._record), legal).argmax(axis=1)
        return np.where(legal & ALL_FOUR, actions, Action.DECLINE)

    def logits(self, features: NDArray[np.float32], legal: NDArray[np.int64]) -> NDArray[np.float32]:
        """Logits of the four actions, −∞ where one is illegal; float32 of shape (n, 4)."""
        torch = import_torch()
        with torch.inference_mode():
            logits: NDArray[np.float32] = self._model(torch.from_numpy(features)).numpy()
        return np.where(legal[:, None] >> np.arange(ACTIONS) & 1, logits, np.float32(-np.inf))
