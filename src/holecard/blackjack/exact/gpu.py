"""Many decks brought to a GPU and solved there, some while others are on their way."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import is_simulated
from holecard.blackjack.exact.dealer import bins_of, highest_end, standings
from holecard.blackjack.exact.dealer_totals import facing
from holecard.blackjack.exact.end_rows import EndRows
from holecard.blackjack.exact.end_walk import EndWalk, walk_of
from holecard.blackjack.exact.gpu_kernels import (
    THREADS,
    Found,
    Room,
    Shoes,
    SplitSpace,
    Table,
    bets_kernel,
    factorials_kernel,
    play_kernel,
    returns_kernel,
    sequences_kernel,
    splits_kernel,
    totals_kernel,
)
from holecard.blackjack.exact.hands import N_VALUES, all_hands
from holecard.blackjack.exact.resplits import count_removed
from holecard.blackjack.exact.slots import N_REMOVED, all_slots
from holecard.blackjack.exact.split_walk import split_walks
from holecard.blackjack.exact.supply import MARGIN
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.device import gpu

BATCH: Final = 2 if is_simulated() else 256
"""Decks that are solved together."""
AT_ONCE: Final = 2
"""Batches on the GPU at a time: while one is solved, another is brought there."""
_BLOCKS: Final = 1 if is_simulated() else 8
"""Blocks of threads to a multiprocessor, each with working space of its own."""


def _on_gpu(value: Any) -> Any:
    """A value with its arrays on the GPU: a named tuple of arrays, numbers and such tuples."""
    if isinstance(value, tuple):
        return type(value)(*(_on_gpu(each) for each in value))
    return cuda.to_device(np.ascontiguousarray(value)) if isinstance(value, np.ndarray) else value


class FoundOnHost(NamedTuple):
    """What a processor needs of `Found`, in its memory."""

    first: NDArray[np.float64]
    split: NDArray[np.float64]
    doubled: NDArray[np.float64]
    bet: NDArray[np.float64]
    double_bet: NDArray[np.float64]


class Solving:
    """Decks that a GPU solves."""

    def __init__(self, found: Any, stream: Any, decks: int) -> None:
        self._found, self._stream, self._decks = found, stream, decks
        self._on_host: FoundOnHost | None = None

    def found(self) -> FoundOnHost:
        """What is found of them; waits for the GPU."""
        if self._on_host is None:
            first, *others = (
                getattr(self._found, name).copy_to_host(stream=self._stream) for name in FoundOnHost._fields
            )
            self._stream.synchronize()
            self._on_host = FoundOnHost(first[:, : self._decks], *(each[: self._decks] for each in others))
        return self._on_host


class DeckSolver:
    """A game's rules on the GPU, with room for `BATCH` decks `AT_ONCE` times."""

    def __init__(self, rules: Rules) -> None:
        self._rules = table = rules.table()
        face, split = facing(rules.limit, table), split_walks(table)
        ends = walk_of(face.rows, highest_end(table))
        self._table = _on_gpu(
            Table(
                face,
                ends,
                np.searchsorted(face.hands.size, np.arange(face.hands.size[-1] + 2)),
                np.ones(len(face.hands.size), np.bool_),
                1.0 - standings(table),
                split,
                np.zeros((2, N_VALUES, 0)),
                np.ones((N_VALUES, N_VALUES)),
            )
        )
        self._blocks = _BLOCKS * gpu().multiprocessors
        self._rooms = (_room(ends, face.rows), _room(split.walk, split.rows))
        self._places = [_place(table, self._blocks) for _ in range(AT_ONCE)]

    def start(self, shoes: Shoes) -> Solving:
        """Solve at most `BATCH` decks; returns at once, unless `AT_ONCE` others are on the GPU."""
        place = self._places.pop(0)
        self._places.append(place)
        if place.solving is not None:
            place.solving.found()  # its memory is needed
        stream, rules, table, found, decks = place.stream, self._rules, self._table, place.found, len(shoes.counts)
        shoes, each = place.copied(shoes), -(-(N_VALUES**2) * decks // 32)
        factorials_kernel()[each, 32, stream](shoes, found)
        totals_kernel(self._rooms[0])[self._blocks, THREADS, stream](table, shoes, found)
        returns_kernel()[decks, 2 * THREADS, stream](rules, table, shoes, found)
        play_kernel()[self._blocks, THREADS, stream](rules, table, found)
        sequences_kernel()[each, 32, stream](table, shoes, found)
        bets_kernel()[each, 32, stream](rules, count_removed(rules), shoes, found)
        splits_kernel(self._rooms[1])[self._blocks, THREADS, stream](rules, table, shoes, place.space, found)
        place.solving = Solving(found, stream, decks)
        return place.solving


class _Place:
    """Memory of the GPU for a batch of decks."""

    def __init__(self, stream: Any, space: Any, found: Any) -> None:
        self.stream, self.space, self.found = stream, space, found
        self.solving: Solving | None = None
        self._shoes: Any = None

    def copied(self, shoes: Shoes) -> Any:
        """The same on the GPU, in memory that is kept: giving some back would wait for all that the GPU does."""
        if self._shoes is None:
            self._shoes = Shoes(*(cuda.device_array((BATCH, *each.shape[1:])) for each in shoes))
        parts = Shoes(*(each[: len(shoes.counts)] for each in self._shoes))
        for part, each in zip(parts, shoes, strict=True):
            part.copy_to_device(np.ascontiguousarray(each), stream=self.stream)  # type: ignore[attr-defined]
        return parts


def _place(rules: TableRules, blocks: int) -> _Place:
    hands, slots = all_hands(rules.limit, rules.ace_bonus), all_slots(rules.limit, rules.ace_bonus)
    n, m, bins, most = len(hands.size), len(slots.hand), bins_of(rules), 2 * rules.limit + 4
    gone, drawn, of_pair = rules.limit + MARGIN, rules.limit + 1, int(np.diff(slots.first).max())
    space = SplitSpace(
        cuda.device_array((blocks, 2, most, most)),
        cuda.device_array((blocks, N_REMOVED, most)),
        cuda.device_array((blocks, of_pair), np.int64),
        cuda.device_array((blocks, of_pair)),
    )
    found = Found(
        cuda.device_array((BATCH, N_VALUES, gone, drawn)),
        cuda.device_array((BATCH, gone, drawn)),
        cuda.device_array((BATCH, n, N_VALUES, bins)),
        cuda.device_array((6, BATCH, n, N_VALUES)),
        cuda.device_array((2, BATCH, N_VALUES, m)),
        cuda.device_array((BATCH, 2, N_VALUES, m)),
        cuda.device_array((2, BATCH, N_VALUES, m)),
        cuda.device_array((5, BATCH, hands.openings, N_VALUES)),
        cuda.device_array((BATCH, N_VALUES, N_VALUES)),
        cuda.device_array((BATCH, N_VALUES, N_VALUES, N_VALUES)),
        cuda.device_array((BATCH, N_VALUES, N_VALUES)),
        cuda.device_array((BATCH, 1, N_VALUES, N_VALUES**2)),
    )
    return _Place(cuda.stream(), space, found)


def _room(walk: EndWalk, rows: EndRows) -> Room:
    return Room(int(walk.steps["cards"].max()) + 1, int(np.diff(rows.first_row).max()))


@lru_cache(maxsize=1)
def deck_solver(rules: Rules) -> DeckSolver:
    """A game's rules on the GPU, kept for the last game."""
    return DeckSolver(rules)
