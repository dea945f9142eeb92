"""The dual-LSTM player written as its equations are, in float64: what the fast one must equal to 1e-5."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.players.network import AUTHOR_STREETS, GAME_CELLS, GATES, OPPONENT_CELLS, Genome, Layout

Vector = NDArray[np.float64]


def sigmoid(x: Vector) -> Vector:
    """1 / (1 + e⁻ˣ)."""
    return 1 / (1 + np.exp(-x))


def author_inputs(x: Vector) -> Vector:
    """The author's five inputs from the eight features: street, own chips, the other's, equity, pot odds."""
    street = AUTHOR_STREETS[int(x[:4].argmax())]
    return np.array([street, 2 * x[5] - 1, 2 * x[6] - 1, 2 * x[4] - 1, 4 * (x[7] - 0.25)])


class LstmModule:
    """LSTM cells in one or more blocks, with peepholes or without (Gers, Schraudolph and Schmidhuber 2002)."""

    def __init__(self, arrays: dict[str, Any], name: str, cells: int, *, plain: bool = False) -> None:
        """`plain`: a cell's state leaves it as it is, not as its tanh."""
        self.plain = plain
        own = {
            key.removeprefix(f"{name}."): array.astype(float) for key, array in arrays.items() if key.startswith(name)
        }
        self.weights = own
        self.peepholes = own.get("peepholes", np.zeros((3, cells)))
        self.initial = own.get("initial", np.zeros((2, cells)))
        self.block = own["input.R"].shape[0]
        self.reset()

    def reset(self) -> None:
        """Back to the initial states."""
        self.hidden, self.cell = self.initial[0].copy(), self.initial[1].copy()

    def step(self, x: Vector) -> Vector:
        """The hidden state after one more input."""
        into, keep, candidate, out = (self._sum(gate, x) for gate in GATES)
        to_input, to_forget, to_output = self.peepholes
        into = sigmoid(into + to_input * self.cell)
        keep = sigmoid(keep + to_forget * self.cell)
        self.cell = keep * self.cell + into * np.tanh(candidate)
        self.hidden = sigmoid(out + to_output * self.cell) * (self.cell if self.plain else np.tanh(self.cell))
        return self.hidden

    def _sum(self, gate: str, x: Vector) -> Vector:
        """Inputs, own block's hidden states and bias, weighted for one gate."""
        recurrent = self.weights[f"{gate}.R"]
        blocks = self.hidden.reshape(-1, self.block)
        seen = np.repeat(blocks, self.block, axis=0)  # row k: the hidden states of cell k's block
        total: Vector = (
            x @ self.weights[f"{gate}.W"] + np.einsum("kj,jk->k", seen, recurrent) + self.weights[f"{gate}.b"]
        )
        return total


class ReferenceNetwork:
    """A whole player: `new_session`, `new_hand`, and `output` for each decision's eight features."""

    def __init__(self, genome: Genome, layout: Layout) -> None:
        arrays = layout.arrays(genome)
        plain = layout.cells == "plain"
        self.layout = layout
        self.game = LstmModule(arrays, "game", GAME_CELLS, plain=plain)
        self.opponent = LstmModule(arrays, "opponent", OPPONENT_CELLS, plain=plain)
        self.head = [arrays[name].astype(float) for name in ("head.W", "head.b", "output.w", "output.b")]

    def new_session(self) -> None:
        """Another opponent: forget everything."""
        self.game.reset()
        self.opponent.reset()

    def new_hand(self) -> None:
        """Another hand: the game module forgets, the opponent module does not."""
        self.game.reset()

    def output(self, x: Vector) -> float:
        """o, −1 … 1, for the features of a decision."""
        if self.layout.inputs == "author":
            x = author_inputs(x)
        weights, bias, out, out_bias = self.head
        both = np.concatenate([self.game.step(x), self.opponent.step(x)])
        return float(np.tanh(out @ np.tanh(both @ weights + bias) + out_bias[0]))
