"""Shoes played by a counter on a GPU: a thread plays a shoe, a block of threads a group of them, by the same rules.

What is counted is what the processor counts, round by round and group by group. Where a table of counts × results is
small enough, a block of threads keeps its own in shared memory and adds it up at the end of a group.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated, rule
from holecard.blackjack.counting.kernels import Counting, Table, play_counted_shoe
from holecard.blackjack.game.dealing import clear_stamps
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.gpu import fill_dealt_shoe, ranks_of
from holecard.blackjack.play.kernels import Block, Plays
from holecard.blackjack.play.small_round import small_dealt_round
from holecard.device import gpu
from holecard.seeds import key_of

_THREADS: Final = 4 if is_simulated() else 256
_BLOCKS: Final = 1 if is_simulated() else 16
"""Blocks to a multiprocessor."""
_SHARED: Final = 48_000
"""Bytes of shared memory that a block may use."""


class _Numbers(NamedTuple):
    """The numbers of a Counting; its arrays travel apart."""

    scale: int
    start: int
    is_true: bool
    rounding: int
    estimate: int
    lowest: int
    insurance: int


class _Jobs(NamedTuple):
    """Groups of shoes, `Block.n` shoes each, that are added up in turn: number i goes into sum i modulo `sums`."""

    first: int
    n: int
    sums: int


@rule
def _note(tally: tuple[Any, int, int, int], sits: int, row: int, net: int) -> None:
    """Add one to a table of counts × results that begins at a place of an array."""
    counts, begin, rows, columns = tally
    cuda.atomic.add(counts, begin + (sits * rows + row) * columns + net + columns // 2, 1)


@lru_cache(maxsize=16)
def _counted_kernel(rules: TableRules, deck: Composition, rows: int, columns: int) -> Any:
    """The kernel that plays groups of shoes by a counter. A block of threads plays groups of the same sum."""
    record, size, ranks = small_dealt_round(rules.max_hands), np.uint64(deck.size), ranks_of(deck)
    cells = 2 * rows * columns
    is_shared = 4 * cells <= _SHARED
    room = cells if is_shared else 1

    def play_counted(
        block: Block,
        jobs: _Jobs,
        table: Table,
        plays: Plays,
        tallies: NDArray[np.int64],
        arrays: tuple[NDArray[np.int64], NDArray[np.int64]],
        numbers: _Numbers,
    ) -> None:
        """`tallies` int64 (groups · 2 · rows · columns,) is added to; `arrays` are tags and charts."""
        state, shared = cuda.local.array(1, record), cuda.shared.array(room, np.int32)
        round = state[0]
        fill_dealt_shoe(round["shoe"], size, ranks)
        clear_stamps(round["shoe"])
        counting = Counting(
            arrays[0],
            numbers.scale,
            numbers.start,
            numbers.is_true,
            numbers.rounding,
            numbers.estimate,
            numbers.lowest,
            numbers.insurance,
            arrays[1],
        )
        at_sum, part, parts = cuda.blockIdx.x % jobs.sums, cuda.blockIdx.x // jobs.sums, cuda.gridDim.x // jobs.sums
        own = jobs.first + (at_sum - jobs.first) % jobs.sums + part * jobs.sums
        groups = max(0, jobs.first + jobs.n - own + parts * jobs.sums - 1) // (parts * jobs.sums)
        begin = at_sum * cells
        for at in range(cuda.threadIdx.x, room, cuda.blockDim.x):
            shared[at] = 0
        cuda.syncthreads()
        for at in range(cuda.threadIdx.x, groups * block.n, cuda.blockDim.x):
            number = (own + at // block.n * parts * jobs.sums) * block.n + at % block.n
            key = key_of(block.seed, np.uint64(number))
            if is_shared:
                play_counted_shoe(round, key, table, plays, counting, rules, _note, (shared, 0, rows, columns))
            else:
                play_counted_shoe(round, key, table, plays, counting, rules, _note, (tallies, begin, rows, columns))
        cuda.syncthreads()
        if is_shared:
            for at in range(cuda.threadIdx.x, room, cuda.blockDim.x):
                if shared[at] != 0:
                    cuda.atomic.add(tallies, begin + at, shared[at])

    return cuda_kernel(play_counted, max_registers=_REGISTERS)


_REGISTERS: Final = 40
"""The most registers to a thread: more threads hide the waiting for memory."""


class CountedOnGpu:
    """A counter that lies on the GPU, ready to play groups of shoes."""

    def __init__(self, plays: Plays, counting: Counting, rules: Rules, deck: Composition, results: int) -> None:
        """`plays` uint8 (1 + charts, cells); `results` are those that a round can have."""
        self._shape = 2, len(counting.charts), results
        self._game = rules, deck
        self._plays = cuda.to_device(plays)
        self._arrays = cuda.to_device(counting.tags), cuda.to_device(counting.charts)
        self._numbers = _Numbers(**{name: getattr(counting, name) for name in _Numbers._fields})

    def play(self, block: Block, jobs: int, sums: int, table: Table) -> NDArray[np.int64]:
        """The tally int64 (sums, 2, counts, results) of so many groups of `block.n` shoes, from `block.first` on."""
        (rules, deck), (_, rows, columns) = self._game, self._shape
        kernel = _counted_kernel(rules.table(), deck, rows, columns)
        tallies = cuda.to_device(np.zeros(sums * int(np.prod(self._shape)), np.int64))
        parts = max(1, min(-(-jobs // sums), -(-gpu().multiprocessors * _BLOCKS // sums)))
        kernel[sums * parts, _THREADS](
            block,
            _Jobs(block.first // block.n, jobs, sums),
            table,
            self._plays,
            tallies,
            self._arrays,
            self._numbers,
        )
        return np.asarray(tallies.copy_to_host()).reshape(sums, *self._shape)
