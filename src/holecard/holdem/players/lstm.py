"""The dual-LSTM player at work: features, one step of both modules and the head, as rules on records.

`pack` arranges a genome for speed as a `NETWORK` record: the four gates side by side in lanes, padded with zeros so
that every loop has a fixed length that fills vector registers; the row of the street already holds the biases; what the
initial states contribute to a hand's first decision is summed beforehand, so that decision needs no recurrent product.
The arithmetic is that of `lstm_reference`, to 1e-5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from math import log
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rare_rule, rule
from holecard.executor import in_order
from holecard.holdem.game.view import View
from holecard.holdem.players.decision_rules import DECISION_RULES
from holecard.holdem.players.network import (
    AUTHOR_STREETS,
    FEATURES,
    GAME_CELLS,
    GATES,
    OPPONENT_CELLS,
    Genome,
    Layout,
)
from holecard.holdem.players.rule_players import pot_odds

STREETS: Final = 4
_GAME: Final = 56  # lanes of a gate: 50 cells and padding
_OPPONENT: Final = 16
_GAME_ROWS: Final = 52  # rows of weights, four to a pass
_OPPONENT_ROWS: Final = 12
_HIDDEN: Final = 32

NETWORK = np.dtype(
    [
        ("opening", np.float32, (STREETS, 4 * _GAME)),  # street + bias + initial state × recurrent weights
        ("street", np.float32, (STREETS, 4 * _GAME)),  # street + bias
        ("inputs", np.float32, (STREETS, 4 * _GAME)),  # the four features that are not streets
        ("recurrent", np.float32, (_GAME_ROWS, 4 * _GAME)),
        ("peepholes", np.float32, (3, _GAME)),
        ("initial", np.float32, (2, _GAME)),
        ("opponent_street", np.float32, (STREETS, 4 * _OPPONENT)),
        ("opponent_inputs", np.float32, (STREETS, 4 * _OPPONENT)),
        ("opponent_recurrent", np.float32, (_OPPONENT_ROWS, 4 * _OPPONENT)),
        ("opponent_peepholes", np.float32, (3, _OPPONENT)),
        ("opponent_initial", np.float32, (2, _OPPONENT)),
        ("head", np.float32, (_GAME_ROWS, _HIDDEN)),
        ("opponent_head", np.float32, (_OPPONENT_ROWS, _HIDDEN)),
        ("head_bias", np.float32, (_HIDDEN,)),
        ("output", np.float32, (_HIDDEN,)),
        ("output_bias", np.float32),
        ("decision_rule", np.int64),  # the number of the rule by which its output becomes a move
        ("plain_cells", np.bool_),  # a cell's state leaves it as it is, not as its tanh
        ("ties_win", np.bool_),  # in the equity that it sees
        ("chips_seen", np.int64),  # how it sees chips: `ChipsSeen`
    ],
    align=True,
)

MEMORY = np.dtype(
    [
        ("hidden", np.float32, (_GAME,)),
        ("cell", np.float32, (_GAME,)),
        ("opponent_hidden", np.float32, (_OPPONENT,)),
        ("opponent_cell", np.float32, (_OPPONENT,)),
        ("features", np.float32, (FEATURES,)),
        ("lanes", np.float32, (4 * _GAME,)),
        ("opponent_lanes", np.float32, (4 * _OPPONENT,)),
        ("head", np.float32, (_HIDDEN,)),
        ("output", np.float32),
        ("hand_number", np.int64),  # the hand the game module remembers; −1: none of this session yet
    ],
    align=True,
)

Network: TypeAlias = Any
"""A `NETWORK` record."""
Memory: TypeAlias = Any
"""A `MEMORY` record."""
LanesOfThread = Callable[[int, int], Iterable[int]]
"""A rule: which of the lanes from one up to another are this thread's; `range` where one thread does all the work."""
Barrier = Callable[[], None]
"""A rule: wait until every thread that shares the work has come here."""

_HALF: Final = np.float32(0.5)
_ONE: Final = np.float32(1.0)
_LIMIT: Final = np.float32(7.905)  # beyond it tanh is 1 in float32
# The rational approximation of tanh that Eigen uses: odd powers above, even powers below, error under 1e-7.
_A1, _A3, _A5 = np.float32(4.89352455891786e-03), np.float32(6.37261928875436e-04), np.float32(1.48572235717979e-05)
_A7, _A9 = np.float32(5.12229709037114e-08), np.float32(-8.60467152213735e-11)
_A11, _A13 = np.float32(2.00018790482477e-13), np.float32(-2.76076847742355e-16)
_B0, _B2 = np.float32(4.89352518554385e-03), np.float32(2.26843463243900e-03)
_B4, _B6 = np.float32(1.18534705686654e-04), np.float32(1.19825839466702e-06)


class ChipsSeen(IntEnum):
    """How a network sees chips."""

    BUY_INS = 0
    """Both players' chips in the pot, in buy-ins."""
    LOGS = 1
    """The same as log (1 + big blinds), a buy-in being 1."""
    STACKS = 2
    """As logarithms, and in the place of the other's chips in the pot those that can still be lost."""

    @classmethod
    def of(cls, layout: Layout) -> ChipsSeen:
        """What a layout's inputs are."""
        return {"logs": cls.LOGS, "stacks": cls.STACKS}.get(layout.inputs, cls.BUY_INS)


@rule
def _amount_seen(chips: int, view: View, chips_seen: int) -> Any:
    """An amount of chips as a network sees it, 0 … 1."""
    if chips_seen == ChipsSeen.BUY_INS:
        seen = chips / view["buy_in"]
    else:
        seen = log(1.0 + chips / view["big_blind"]) / log(1.0 + view["buy_in"] / view["big_blind"])
    return np.float32(min(1.0, seen))


@rule
def features(view: View, x: Any, chips_seen: int) -> int:
    """Fill x (8) with what the network sees, each 0 … 1; returns the street, the one of the first four that is 1.

    preflop, flop, turn, river; equity; own chips in the pot; the other's, or those that can still be lost; pot odds,
    from which the other's chips follow.
    """
    for street in range(STREETS):
        x[street] = np.float32(0.0)
    x[view["street"]] = np.float32(1.0)
    x[4] = np.float32(view["equity"])
    other = view["other_paid"]
    if chips_seen == ChipsSeen.STACKS:
        other = min(view["stack"], view["to_call"] + view["other_stack"])
    x[5] = _amount_seen(view["paid"], view, chips_seen)
    x[6] = _amount_seen(other, view, chips_seen)
    x[7] = np.float32(pot_odds(view))
    return view["street"]


@rule
def tanh(x: Any) -> Any:
    """tanh in float32 by a rational function of the clamped argument, error under 1e-7."""
    x = min(max(x, -_LIMIT), _LIMIT)
    y = x * x
    above = ((((((_A13 * y + _A11) * y + _A9) * y + _A7) * y + _A5) * y + _A3) * y + _A1) * x
    below = ((_B6 * y + _B4) * y + _B2) * y + _B0
    return above / below


@rule
def sigmoid(x: Any) -> Any:
    """1 / (1 + e⁻ˣ) in float32."""
    return _HALF + _HALF * tanh(_HALF * x)


@rule
def no_barrier() -> None:
    """Wait for nobody: the barrier of a thread that does all the work, whose lanes are Python's `range`."""


@rule
def _add_rows(lanes: Any, weights: Any, factors: Any, first: int, rows: int, lanes_of_thread: LanesOfThread) -> None:
    """lanes += Σ factors[first + j] · weights[j], four rows a pass."""
    for row in range(0, rows, 4):
        a, b, c, d = factors[first + row], factors[first + row + 1], factors[first + row + 2], factors[first + row + 3]
        for lane in lanes_of_thread(0, lanes.shape[0]):
            lanes[lane] += (
                a * weights[row, lane]
                + b * weights[row + 1, lane]
                + c * weights[row + 2, lane]
                + d * weights[row + 3, lane]
            )


@rule
def _pass_gates(
    lanes: Any,
    peepholes: Any,
    hidden: Any,
    cell: Any,
    plain_cells: bool,
    lanes_of_thread: LanesOfThread,
    barrier: Barrier,
) -> None:
    """One step of an LSTM from the gates' sums: new hidden and cell states in place.

    Many short loops over few arrays: a compiler turns each into vector instructions, and one long loop into none.
    """
    n = hidden.shape[0]
    barrier()
    for k in lanes_of_thread(0, n):
        lanes[k] += peepholes[0, k] * cell[k]
    for k in lanes_of_thread(0, n):
        lanes[n + k] += peepholes[1, k] * cell[k]
    barrier()
    for lane in lanes_of_thread(0, 2 * n):
        lanes[lane] = sigmoid(lanes[lane])
    for lane in lanes_of_thread(2 * n, 3 * n):
        lanes[lane] = tanh(lanes[lane])
    barrier()
    for k in lanes_of_thread(0, n):
        cell[k] = lanes[n + k] * cell[k] + lanes[k] * lanes[2 * n + k]
    for k in lanes_of_thread(0, n):
        lanes[3 * n + k] = sigmoid(lanes[3 * n + k] + peepholes[2, k] * cell[k])
    if plain_cells:
        for k in lanes_of_thread(0, n):
            hidden[k] = lanes[3 * n + k] * cell[k]
    else:
        for k in lanes_of_thread(0, n):
            hidden[k] = lanes[3 * n + k] * tanh(cell[k])
    barrier()


@rule
def forget_session(network: Network, memory: Memory) -> None:
    """A new opponent: both modules start afresh."""
    memory["hand_number"] = -1
    for k in range(_OPPONENT):
        memory["opponent_hidden"][k] = network["opponent_initial"][0, k]
        memory["opponent_cell"][k] = network["opponent_initial"][1, k]


@rule
def _game_step(
    network: Network, memory: Memory, street: int, opening: bool, lanes_of_thread: LanesOfThread, barrier: Barrier
) -> None:
    lanes = memory["lanes"]
    if opening:
        for lane in lanes_of_thread(0, 4 * _GAME):
            lanes[lane] = network["opening"][street, lane]
        for k in lanes_of_thread(0, _GAME):
            memory["cell"][k] = network["initial"][1, k]
    else:
        for lane in lanes_of_thread(0, 4 * _GAME):
            lanes[lane] = network["street"][street, lane]
        _add_rows(lanes, network["recurrent"], memory["hidden"], 0, _GAME_ROWS, lanes_of_thread)
    _add_rows(lanes, network["inputs"], memory["features"], 4, 4, lanes_of_thread)
    hidden, cell, plain_cells = memory["hidden"], memory["cell"], network["plain_cells"]
    _pass_gates(lanes, network["peepholes"], hidden, cell, plain_cells, lanes_of_thread, barrier)


@rule
def _opponent_step(
    network: Network, memory: Memory, street: int, lanes_of_thread: LanesOfThread, barrier: Barrier
) -> None:
    lanes = memory["opponent_lanes"]
    for lane in lanes_of_thread(0, 4 * _OPPONENT):
        lanes[lane] = network["opponent_street"][street, lane]
    _add_rows(lanes, network["opponent_inputs"], memory["features"], 4, 4, lanes_of_thread)
    _add_rows(lanes, network["opponent_recurrent"], memory["opponent_hidden"], 0, _OPPONENT_ROWS, lanes_of_thread)
    hidden, cell, plain_cells = memory["opponent_hidden"], memory["opponent_cell"], network["plain_cells"]
    _pass_gates(lanes, network["opponent_peepholes"], hidden, cell, plain_cells, lanes_of_thread, barrier)


@rule
def _head(network: Network, memory: Memory, lanes_of_thread: LanesOfThread, barrier: Barrier) -> Any:
    head = memory["head"]
    for lane in lanes_of_thread(0, _HIDDEN):
        head[lane] = network["head_bias"][lane]
    _add_rows(head, network["head"], memory["hidden"], 0, _GAME_ROWS, lanes_of_thread)
    _add_rows(head, network["opponent_head"], memory["opponent_hidden"], 0, _OPPONENT_ROWS, lanes_of_thread)
    for lane in lanes_of_thread(0, _HIDDEN):
        head[lane] = network["output"][lane] * tanh(head[lane])
    barrier()
    for lane in lanes_of_thread(0, 8):
        head[lane] = (head[lane] + head[lane + 8]) + (head[lane + 16] + head[lane + 24])
    barrier()
    total = network["output_bias"]
    for lane in range(8):
        total += head[lane]
    return tanh(total)


@rule
def think_in_parallel(
    network: Network, memory: Memory, view: View, lanes_of_thread: LanesOfThread, barrier: Barrier
) -> float:
    """The network's output o, −1 … 1, for a decision; the game module starts afresh if the hand is a new one, and both
    do if the players have bought in again since the last one.

    Several threads may share the work: each calls this, works on its own lanes and waits for the others at every
    `barrier`. All see the same `memory`; `view` may be each one's own.
    """
    street = features(view, memory["features"], network["chips_seen"])
    opening = memory["hand_number"] != view["hand_number"]
    is_of_the_past = memory["hand_number"] < view["first_hand"]
    barrier()
    if is_of_the_past:
        forget_session(network, memory)
        barrier()
    memory["hand_number"] = view["hand_number"]
    _game_step(network, memory, street, opening, lanes_of_thread, barrier)
    _opponent_step(network, memory, street, lanes_of_thread, barrier)
    output = _head(network, memory, lanes_of_thread, barrier)
    memory["output"] = output
    barrier()
    return output


@rare_rule
def think(network: Network, memory: Memory, view: View) -> float:
    """The network's output o, −1 … 1, worked out by one thread."""
    return think_in_parallel(network, memory, view, range, no_barrier)


_PACKED: Final = 64  # genomes to a job of a thread


def pack(genomes: Genome, layout: Layout) -> NDArray[Any]:
    """Genomes (n, genes) as n `NETWORK` records."""
    networks = np.zeros(len(genomes), NETWORK)
    pack_into(networks, genomes, layout)
    return networks


def pack_into(networks: NDArray[Any], genomes: Genome, layout: Layout) -> None:
    """Fill `NETWORK` records (n), empty or of the same layout, with genomes (n, genes); many on all cores."""

    def fill(first: int) -> None:
        part = slice(first, first + _PACKED)
        _pack_part(networks[part], np.ascontiguousarray(genomes[part], np.float32), layout)

    for _ in in_order(fill, range(0, len(genomes), _PACKED)):
        pass


def _pack_part(networks: NDArray[Any], genomes: Genome, layout: Layout) -> None:
    """`pack_into` on one thread."""
    arrays = layout.arrays(genomes)
    networks["decision_rule"] = DECISION_RULES[layout.decision]
    networks["plain_cells"] = layout.cells == "plain"
    networks["ties_win"] = layout.ties == "win"
    networks["chips_seen"] = ChipsSeen.of(layout)
    if layout.inputs == "author":
        arrays |= {
            name: _as_eight(array) for name, array in arrays.items() if name.endswith(".W") and "head" not in name
        }
    _pack_module(networks, arrays, "game", "", GAME_CELLS, _GAME)
    _pack_module(networks, arrays, "opponent", "opponent_", OPPONENT_CELLS, _OPPONENT)
    initial = networks["initial"][:, 0, None, :_GAME_ROWS]
    networks["opening"] = networks["street"] + initial @ networks["recurrent"]
    hidden = layout.hidden
    networks["head"][:, :GAME_CELLS, :hidden] = arrays["head.W"][:, :GAME_CELLS]
    networks["opponent_head"][:, :OPPONENT_CELLS, :hidden] = arrays["head.W"][:, GAME_CELLS:]
    networks["head_bias"][:, :hidden] = arrays["head.b"]
    networks["output"][:, :hidden] = arrays["output.w"]
    networks["output_bias"] = arrays["output.b"][:, 0]


def _as_eight(weights: Genome) -> Genome:
    """The author's weights (n, 5, cells) of one gate as weights of the eight features, (n, 8, cells).

    His inputs are theirs, moved and stretched: the street's number, 2 · chips − 1, 2 · equity − 1, 4 · pot odds − 1. In
    every decision one of the four streets is 1, so what is moved goes into their weights.
    """
    street, own, other, equity, odds = (weights[:, at, None] for at in range(5))
    moved = own + other + equity + odds
    by_street = [np.float32(at) * street - moved for at in AUTHOR_STREETS]
    return np.concatenate([*by_street, 2 * equity, 2 * own, 2 * other, 4 * odds], axis=1)


def _pack_module(
    networks: NDArray[Any], arrays: dict[str, Genome], module: str, prefix: str, cells: int, lanes: int
) -> None:
    for at, gate in enumerate(GATES):
        here = slice(at * lanes, at * lanes + cells)
        inputs, recurrent = arrays[f"{module}.{gate}.W"], arrays[f"{module}.{gate}.R"]
        networks[f"{prefix}street"][..., here] = inputs[:, :STREETS] + arrays[f"{module}.{gate}.b"][:, None]
        networks[f"{prefix}inputs"][..., here] = inputs[:, STREETS:]
        block = recurrent.shape[1]
        for first in range(0, cells, block):  # the blocks lie on the diagonal of the whole
            own = slice(first, first + block)
            columns = slice(at * lanes + first, at * lanes + first + block)
            networks[f"{prefix}recurrent"][:, own, columns] = recurrent[..., own]
    if f"{module}.peepholes" in arrays:
        networks[f"{prefix}peepholes"][..., :cells] = arrays[f"{module}.peepholes"]
    if f"{module}.initial" in arrays:
        networks[f"{prefix}initial"][..., :cells] = arrays[f"{module}.initial"]
