"""Many decks solved on a GPU by the rules that solve one on a processor; zero-memory play.

A batch of decks lies on the GPU. What a processor does for a block of lanes, a block of threads does, a thread a lane;
what it does for an upcard, or for an upcard and a pair card, one thread does. Sums may be taken in another order than
on a processor, so that values agree to 1e-12 and better, not to the last bit.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated
from holecard.blackjack.exact.dealer import bins_of, standings
from holecard.blackjack.exact.dealer_totals import Facing, block_of_a_size, facing, fill_block
from holecard.blackjack.exact.end_rows import LANES, Lanes, LaneSpace, lane_space
from holecard.blackjack.exact.hands import BUST, N_VALUES
from holecard.blackjack.exact.resplits import SplitWeights
from holecard.blackjack.exact.returns import Returns, fill_upcards
from holecard.blackjack.exact.split_play import FinalSequences, SplitPlay, count_final_of, play_as_before
from holecard.blackjack.exact.split_value import (
    SplitHands,
    SplitLanes,
    is_final,
    set_brought,
    set_inverse,
    set_joint,
    split_hands,
    split_lanes,
)
from holecard.blackjack.exact.supply import FallingFactorials, Supply
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.device import gpu

BATCH: Final = 2 if is_simulated() else 512
"""Decks that lie on the GPU at a time."""
_THREADS: Final = 4 if is_simulated() else LANES
_BLOCKS: Final = 1 if is_simulated() else 16
"""Blocks of threads to a multiprocessor, each with working space of its own."""
_REGISTERS: Final = 64
"""The most registers to a thread: more threads hide the waiting for memory."""


class Shoes(NamedTuple):
    """The cards of b decks, and the probabilities of draws from them."""

    counts: NDArray[np.float64]
    """(b, 10): as `Supply` has it, and so the next two."""
    tens: NDArray[np.float64]
    """(b, 4)."""
    size: NDArray[np.float64]
    """(b,)."""
    of_value: NDArray[np.float64]
    """(b, …): as `FallingFactorials` has it."""
    inverse: NDArray[np.float64]
    """(b, …)."""
    any_card: NDArray[np.float64]
    """(b, 10, 10, `N_REMOVED`): as `SplitWeights` has it."""
    pair_card: NDArray[np.float64]
    """(b, 10, 10, `N_REMOVED`)."""


class Found(NamedTuple):
    """What is found of b decks; n hands, m slots."""

    totals: NDArray[np.float64]
    """(b, n, 10, bins): as `dealer_totals`."""
    returns: NDArray[np.float64]
    """(6, b, n, 10): stand, hit, double, natural and live of `Returns`, and the best of them."""
    play: NDArray[np.float64]
    """(2, b, 10, m): hit and double of `SplitPlay`."""
    reached: NDArray[np.float64]
    """(b, 2, 10, m): working space of `count_final_of`."""
    sequences: NDArray[np.float64]
    """(2, b, 10, m): those of `FinalSequences`."""
    first: NDArray[np.float64]
    """(b, openings, 10, 5): stand, hit, double, natural and live of first hands."""
    split: NDArray[np.float64]
    """(b, 10, 10): as `returns_of_splits`."""
    doubled: NDArray[np.float64]
    """(b, 10, 10, 10): the shares of doubles, by upcard, pair card and second card."""


class Table(NamedTuple):
    """What the rules say, on the GPU."""

    facing: Facing
    """Unsplit hands and the dealer's."""
    blocks: NDArray[np.int64]
    """(k, 2): the blocks of families of a size: the first, and how many."""
    wanted: NDArray[np.bool_]
    """(n,): all hands."""
    lost: NDArray[np.float64]
    """(limit + 1, bins): what a dealer's total takes of a bet on a total."""
    split: SplitHands
    """Split hands and the dealer's."""
    no_doubles: NDArray[np.float64]
    """(2, 10, 0): only two cards may be doubled."""
    resplit: NDArray[np.float64]
    """(10, 10): every pair is split again."""


@cache
def _totals_kernel() -> Any:
    def fill_totals(table: Table, shoes: Shoes, spaces: LaneSpace, found: Found) -> None:
        """`dealer_totals` of every deck; a block of threads does a block of families at a time."""
        own = cuda.blockIdx.x
        space = LaneSpace(
            spaces.head[own], spaces.factors[own], spaces.products[own], spaces.rows[own], spaces.sums[own]
        )
        member, blocks = table.facing.families.member, len(table.blocks)
        for job in range(own, blocks * len(shoes.counts), cuda.gridDim.x):
            deck, start, filled = job // blocks, table.blocks[job % blocks, 0], table.blocks[job % blocks, 1]
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            factorials = FallingFactorials(supply, shoes.of_value[deck], shoes.inverse[deck])
            totals = found.totals[deck]
            for lane in range(cuda.threadIdx.x, filled, cuda.blockDim.x):
                for held in range(member.shape[1]):
                    if member[start + lane, held] != BUST:
                        for upcard in range(N_VALUES):
                            for bin in range(totals.shape[2]):
                                totals[member[start + lane, held], upcard, bin] = 0.0
                space.products[0, lane] = 1.0
                fill_block(table.facing, factorials, table.wanted, start, Lanes(lane, lane + 1, 1), space, totals)

    return cuda_kernel(fill_totals, max_registers=_REGISTERS)


@cache
def _returns_kernel() -> Any:
    def fill_returns(rules: TableRules, table: Table, shoes: Shoes, found: Found) -> None:
        """`Returns` of every deck; a thread does an upcard."""
        hands, all_of = table.facing.hands, found.returns
        for job in range(cuda.grid(1), N_VALUES * len(shoes.counts), cuda.gridsize(1)):
            deck, upcard = job // N_VALUES, job % N_VALUES
            for hand in range(len(hands.size)):
                all_of[1, deck, hand, upcard] = all_of[2, deck, hand, upcard] = 0.0
            returns = Returns(
                all_of[0, deck],
                all_of[1, deck],
                all_of[2, deck],
                all_of[5, deck],
                all_of[3, deck],
                all_of[4, deck],
            )
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            ends = (table.lost, found.totals[deck])
            fill_upcards(hands, supply, rules, ends, (upcard, upcard + 1), all_of[5, deck], returns)
            for hand in range(hands.openings):
                for kind in range(5):
                    found.first[deck, hand, upcard, kind] = all_of[kind, deck, hand, upcard]

    return cuda_kernel(fill_returns)


@cache
def _play_kernel() -> Any:
    def fill_play(rules: TableRules, table: Table, found: Found) -> None:
        """The zero-memory play of every deck; a thread does a split hand."""
        slots, all_of = table.split.slots, found.returns
        for job in range(cuda.grid(1), len(slots.hand) * found.play.shape[1], cuda.gridsize(1)):
            deck, slot = job // len(slots.hand), job % len(slots.hand)
            for upcard in range(N_VALUES):
                for kind in range(2):
                    found.play[kind, deck, upcard, slot] = found.reached[deck, kind, upcard, slot] = 0.0
                    found.sequences[kind, deck, upcard, slot] = 0.0
            returns = Returns(
                all_of[0, deck], all_of[1, deck], all_of[2, deck], all_of[5, deck], all_of[3, deck], all_of[4, deck]
            )
            play = SplitPlay(found.play[0, deck], found.play[1, deck], table.resplit)
            play_as_before(slots, table.facing.hands, rules, returns, slot, play)

    return cuda_kernel(fill_play)


@cache
def _sequences_kernel() -> Any:
    def fill_sequences(table: Table, shoes: Shoes, found: Found) -> None:
        """`FinalSequences` of every deck; a thread does an upcard and a pair card."""
        slots = table.split.slots
        for job in range(cuda.grid(1), N_VALUES * N_VALUES * len(shoes.counts), cuda.gridsize(1)):
            deck, upcard, pair = job // N_VALUES**2, job // N_VALUES % N_VALUES, job % N_VALUES
            play = SplitPlay(found.play[0, deck], found.play[1, deck], table.resplit)
            sequences = FinalSequences(found.sequences[0, deck], found.sequences[1, deck], table.no_doubles)
            if shoes.counts[deck, upcard] > 0.5:
                count_final_of(slots, play, upcard, pair, found.reached[deck], sequences)
            for value in range(N_VALUES):
                slot = slots.opened[pair, value]
                found.doubled[deck, upcard, pair, value] = play.double[upcard, slot] if slot != BUST else 0.0

    return cuda_kernel(fill_sequences)


@cache
def _splits_kernel() -> Any:
    threads = _THREADS

    def fill_splits(rules: TableRules, table: Table, shoes: Shoes, spaces: SplitLanes, found: Found) -> None:
        """`returns_of_splits` of every deck; a block of threads does an upcard and a pair card at a time."""
        own, thread, game = cuda.blockIdx.x, cuda.threadIdx.x, table.split
        shared = cuda.shared.array(threads, np.float64)
        lanes = spaces.lanes
        space = SplitLanes(
            LaneSpace(lanes.head[own], lanes.factors[own], lanes.products[own], lanes.rows[own], lanes.sums[own]),
            spaces.family[own],
            spaces.joint[own],
            spaces.inverse[own],
            spaces.end_weight[own],
            spaces.lost[own],
            spaces.brought[own],
        )
        for job in range(own, N_VALUES * N_VALUES * len(shoes.counts), cuda.gridDim.x):
            deck, upcard, pair = job // N_VALUES**2, job // N_VALUES % N_VALUES, job % N_VALUES
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            factorials = FallingFactorials(supply, shoes.of_value[deck], shoes.inverse[deck])
            sequences = FinalSequences(found.sequences[0, deck], found.sequences[1, deck], table.no_doubles)
            weights = SplitWeights(shoes.any_card[deck], shoes.pair_card[deck])
            if thread == 0:
                set_inverse(supply, space.inverse)
            cuda.syncthreads()
            for drawn in range(thread, space.joint.shape[2], threads):
                set_joint(supply, weights, (upcard, pair), (drawn, drawn + 1), space)
            cuda.syncthreads()
            shared[thread] = 0.0
            for family in range(game.first[pair] + thread, game.first[pair + 1], threads):
                if is_final(game, sequences, upcard, family):
                    space.family[thread] = family
                    space.lanes.products[0, thread] = 1.0
                    one = Lanes(thread, thread + 1, 1)
                    set_brought(game, factorials, rules, sequences, (upcard, pair), one, space)
                    shared[thread] += space.brought[thread]
            cuda.syncthreads()
            if thread == 0:
                total = 0.0
                for each in range(threads):
                    total += shared[each]
                found.split[deck, upcard, pair] = total
            cuda.syncthreads()

    return cuda_kernel(fill_splits, max_registers=_REGISTERS)


def _on_gpu(value: Any) -> Any:
    """A value with its arrays on the GPU: a named tuple of arrays, numbers and such tuples."""
    if isinstance(value, tuple):
        return type(value)(*(_on_gpu(each) for each in value))
    return cuda.to_device(np.ascontiguousarray(value)) if isinstance(value, np.ndarray) else value


def _spaces(space: Any, blocks: int) -> Any:
    """Working space for so many blocks of threads: every array with one more index in front."""
    if isinstance(space, tuple):
        return type(space)(*(_spaces(each, blocks) for each in space))
    return cuda.device_array((blocks, *space.shape), space.dtype)


class DeckSolver:
    """A game's rules on the GPU, with room for `BATCH` decks."""

    def __init__(self, rules: Rules) -> None:
        self._rules = table = rules.table()
        face, split = facing(rules.limit, table), split_hands(table)
        n, m, bins = len(face.hands.size), len(split.slots.hand), bins_of(table)
        self._table = _on_gpu(
            Table(
                face,
                _blocks_of(face),
                np.ones(n, np.bool_),
                1.0 - standings(table),
                split,
                np.zeros((2, N_VALUES, 0)),
                np.ones((N_VALUES, N_VALUES)),
            )
        )
        self._blocks = _BLOCKS * gpu().multiprocessors
        self._spaces = (
            _spaces(lane_space(face.rows, table), self._blocks),
            _spaces(split_lanes(split, table), self._blocks),
        )
        self._found: Any = Found(
            cuda.device_array((BATCH, n, N_VALUES, bins)),
            cuda.device_array((6, BATCH, n, N_VALUES)),
            cuda.device_array((2, BATCH, N_VALUES, m)),
            cuda.device_array((BATCH, 2, N_VALUES, m)),
            cuda.device_array((2, BATCH, N_VALUES, m)),
            cuda.device_array((BATCH, face.hands.openings, N_VALUES, 5)),
            cuda.device_array((BATCH, N_VALUES, N_VALUES)),
            cuda.device_array((BATCH, N_VALUES, N_VALUES, N_VALUES)),
        )

    def start(self, shoes: Shoes) -> None:
        """Solve at most `BATCH` decks; returns at once."""
        rules, table, found, decks = self._rules, self._table, self._found, len(shoes.counts)
        shoes = _on_gpu(shoes)
        _totals_kernel()[self._blocks, _THREADS](table, shoes, self._spaces[0], found)
        _returns_kernel()[-(-N_VALUES * decks // 32), 32](rules, table, shoes, found)
        _play_kernel()[self._blocks, _THREADS](rules, table, found)
        _sequences_kernel()[-(-(N_VALUES**2) * decks // 32), 32](table, shoes, found)
        _splits_kernel()[self._blocks, _THREADS](rules, table, shoes, self._spaces[1], found)

    def finish(self, decks: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """`Found.first`, `Found.split` and `Found.doubled` of the decks last started, so many of them."""
        first, split, doubled = self._found.first, self._found.split, self._found.doubled
        return first.copy_to_host()[:decks], split.copy_to_host()[:decks], doubled.copy_to_host()[:decks]


def _blocks_of(game: Facing) -> NDArray[np.int64]:
    """`Table.blocks`."""
    start, blocks = 0, []
    while start < len(game.families.head):
        blocks.append((start, block_of_a_size(game, start)))
        start += blocks[-1][1]
    return np.array(blocks, np.int64)


@lru_cache(maxsize=1)
def deck_solver(rules: Rules) -> DeckSolver:
    """A game's rules on the GPU, kept for the last game."""
    return DeckSolver(rules)
