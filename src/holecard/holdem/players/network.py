"""The dual-LSTM player as one flat genome of float32: which gene is which weight.

Two modules read the same features at each decision: eight, or the five of the paper's author. The *game module*
forgets at every new hand, the *opponent module* only when the opponent changes; a small *head* turns both hidden states
into one number, tanh to tanh.

    game module        for each gate (input, forget, candidate, output): W (features, n), R (m, n), b (n)
                       peepholes (3, n), if any: from the cell to the input, forget and output gates
                       initial states (2, n), if evolved: hidden, then cell
    opponent module    the same with its own n
    head               W (n + n', hidden), b (hidden), w (hidden), b (1)

n is the number of cells and m the cells of a block: R[j, k] leads from the j-th cell of k's own block to cell k, so one
block is an ordinary LSTM and ten blocks of five are ten small ones side by side. All arrays in C order, in this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError, unknown_name
from holecard.holdem.players.layout_choices import LAYOUT_CHOICES

FEATURES: Final = 8
AUTHOR_FEATURES: Final = 5
AUTHOR_STREETS: Final = (-1.0, 0.2, 0.6, 1.0)
"""The author's first input: cards on the table, by street, from −1 to 1."""
GATES: Final = ("input", "forget", "candidate", "output")
GAME_CELLS: Final = 50
OPPONENT_CELLS: Final = 10
MOST_HIDDEN: Final = 32
Genome = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which gene is which weight."""

    preset: str
    """The name of the preset the network was made for; decides how its output becomes a move."""
    blocks: int
    """Separate LSTM blocks the game module's 50 cells are divided into."""
    peepholes: bool
    """The cells are seen by their gates."""
    initial_states: bool
    """The states a module starts from are genes; otherwise they are 0."""
    hidden: int
    """Neurons between the modules and the output, 1 to 32."""
    decision: str = "pokernet"
    """The name of the rule by which its output becomes a move."""
    inputs: str = "eight"
    """What it sees: `eight` features 0 … 1, four of them streets; these with chips as `logs`, or so and
    with the `stacks` behind; the `author`'s five."""
    cells: str = "tanh"
    """What leaves a cell through the output gate: the `tanh` of its state, or the `plain` state."""
    ties: str = "half"
    """What a tie counts in the equity it sees: `half` a win, or a `win`."""

    def __post_init__(self) -> None:
        for name, known in LAYOUT_CHOICES.items():
            if getattr(self, name) not in known:
                raise SettingError(unknown_name(name, getattr(self, name), known))
        if not 1 <= self.hidden <= MOST_HIDDEN:
            raise SettingError(f"hidden must be 1 to {MOST_HIDDEN} neurons; got {self.hidden}")
        if self.blocks < 1 or GAME_CELLS % self.blocks:
            raise SettingError(f"blocks must divide the {GAME_CELLS} cells of the game module; got {self.blocks}")

    @property
    def features(self) -> int:
        """How many numbers it sees at a decision."""
        return AUTHOR_FEATURES if self.inputs == "author" else FEATURES

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Every array of the genome by name, in order."""
        return {
            **self._module("game", GAME_CELLS, GAME_CELLS // self.blocks),
            **self._module("opponent", OPPONENT_CELLS, OPPONENT_CELLS),
            "head.W": (GAME_CELLS + OPPONENT_CELLS, self.hidden),
            "head.b": (self.hidden,),
            "output.w": (self.hidden,),
            "output.b": (1,),
        }

    @property
    def counts(self) -> dict[str, int]:
        """Genes by component: game, opponent, head, output."""
        counts: dict[str, int] = {}
        for name, shape in self.shapes.items():
            component = name.split(".")[0]
            counts[component] = counts.get(component, 0) + prod(shape)
        return counts

    @property
    def genes(self) -> int:
        """The length of a genome."""
        return sum(self.counts.values())

    def arrays(self, genomes: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Views of the last axis of `genomes` (…, genes) as the arrays of the layout, (…, shape) each."""
        assert genomes.shape[-1] == self.genes, f"{genomes.shape[-1]} genes for a layout of {self.genes}"
        views, start = {}, 0
        for name, shape in self.shapes.items():
            end = start + prod(shape)
            views[name] = genomes[..., start:end].reshape(*genomes.shape[:-1], *shape)
            start = end
        return views

    def _module(self, name: str, cells: int, block: int) -> dict[str, tuple[int, ...]]:
        shapes: dict[str, tuple[int, ...]] = {}
        for gate in GATES:
            shapes |= {
                f"{name}.{gate}.W": (self.features, cells),
                f"{name}.{gate}.R": (block, cells),
                f"{name}.{gate}.b": (cells,),
            }
        if self.peepholes:
            shapes[f"{name}.peepholes"] = (3, cells)
        if self.initial_states:
            shapes[f"{name}.initial"] = (2, cells)
        return shapes


def author_positions(layout: Layout) -> NDArray[np.int64]:
    """Every gene's place in the order of the paper's author, (genes): block by block, cell by cell, then the head."""
    at = layout.arrays(np.arange(layout.genes))
    gates = ("candidate", "input", "forget", "output")
    order: list[NDArray[np.int64]] = []
    modules = {"game": (GAME_CELLS, GAME_CELLS // layout.blocks), "opponent": (OPPONENT_CELLS, OPPONENT_CELLS)}
    for module, (cells, block) in modules.items():
        for first in range(0, cells, block):
            own = slice(first, first + block)
            order += [at[f"{module}.{gate}.{kind}"][:, own].T for kind in ("W", "R") for gate in gates]
            order += [at[f"{module}.peepholes"][:, own]] if layout.peepholes else []
            order += [at[f"{module}.{gate}.b"][own] for gate in gates]
            order += [at[f"{module}.initial"][::-1, own]] if layout.initial_states else []
    order += [at["head.W"].T, at["output.w"], at["head.b"], at["output.b"]]
    positions = np.empty(layout.genes, np.int64)
    positions[np.concatenate([each.ravel() for each in order])] = np.arange(layout.genes)
    return positions


def level_deviations(layout: Layout) -> Genome:
    """The standard deviations of first weights that keep sums of the size of one input, (genes).

    Each is 1 over the root of how many stand beside it; 0 for biases, peepholes, first states and the output's weights:
    every first network puts out 0, whatever it sees, and feels every change of its output's weights.
    """
    deviations = np.zeros(layout.genes, np.float32)
    for name, array in layout.arrays(deviations).items():
        if name.endswith((".W", ".R")):
            array[...] = len(array) ** -0.5
    return deviations


def author_deviations(layout: Layout) -> Genome:
    """The standard deviations of the author's first weights, (genes).

    Each is 1 over what it has beside it: inputs, cells of a block, neurons; 1 for first states and the output's bias.
    """
    deviations = np.ones(layout.genes, np.float32)
    for name, array in layout.arrays(deviations).items():
        module, _, rest = name.partition(".")
        if module == "head":
            array[...] = 1 / len(array) if rest == "W" else 1 / layout.hidden
        elif module == "output":
            array[...] = 1 / layout.hidden if rest == "w" else 1
        elif rest.endswith("W"):
            array[...] = 1 / layout.features
        elif rest != "initial":
            array[...] = 1 / (GAME_CELLS // layout.blocks if module == "game" else OPPONENT_CELLS)
    return deviations
