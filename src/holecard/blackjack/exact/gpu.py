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
from holecard.blackjack.exact.dealer import bins_of, highest_end, standings
from holecard.blackjack.exact.dealer_totals import Facing, facing, store_end
from holecard.blackjack.exact.end_rows import NO_UPCARD, EndRows, Lanes, LaneSpace
from holecard.blackjack.exact.end_walk import EndWalk, set_left, walk_of, walk_rows
from holecard.blackjack.exact.hands import BUST, N_VALUES, all_hands
from holecard.blackjack.exact.resplits import SplitWeights, count_removed
from holecard.blackjack.exact.returns import Returns, fill_hand
from holecard.blackjack.exact.slots import N_REMOVED, all_slots
from holecard.blackjack.exact.split_net import SplitBets, add_bets
from holecard.blackjack.exact.split_play import FinalSequences, SplitPlay, count_final_of, play_as_before
from holecard.blackjack.exact.split_value import SplitLanes, ends_on, set_inverse, set_joint
from holecard.blackjack.exact.split_walk import SplitWalks, set_brought_by, split_walks
from holecard.blackjack.exact.supply import MARGIN, FallingFactorials, Split, Supply, fill_gone
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.device import gpu

BATCH: Final = 2 if is_simulated() else 512
"""Decks that are solved together."""
AT_ONCE: Final = 2
"""Batches on the GPU at a time: while one is solved, another is brought there."""
_THREADS: Final = 4 if is_simulated() else 128
_BLOCKS: Final = 1 if is_simulated() else 8
"""Blocks of threads to a multiprocessor, each with working space of its own."""
_REGISTERS: Final = 64
"""The most registers to a thread: more threads hide the waiting for memory."""


class Shoes(NamedTuple):
    """The cards of b decks, and how likely more of them make a pair again."""

    counts: NDArray[np.float64]
    """(b, 10): as `Supply` has it, and so the next two."""
    tens: NDArray[np.float64]
    """(b, 4)."""
    size: NDArray[np.float64]
    """(b,)."""
    any_card: NDArray[np.float64]
    """(b, 10, 10, `N_REMOVED`): as `SplitWeights` has it."""
    pair_card: NDArray[np.float64]
    """(b, 10, 10, `N_REMOVED`)."""


class Found(NamedTuple):
    """What is found of b decks; n hands, m slots."""

    of_value: NDArray[np.float64]
    """(b, …): as `FallingFactorials` has it, and so the next."""
    inverse: NDArray[np.float64]
    """(b, …)."""
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
    """(5, b, openings, 10): stand, hit, double, natural and live of first hands."""
    split: NDArray[np.float64]
    """(b, 10, 10): as `returns_of_splits`."""
    doubled: NDArray[np.float64]
    """(b, 10, 10, 10): the shares of doubles, by upcard, pair card and second card."""
    bet: NDArray[np.float64]
    """(b, 10, 10): as `SplitBets` has it, and so the next."""
    double_bet: NDArray[np.float64]
    """(b, 1, 10, 100)."""


class Table(NamedTuple):
    """What the rules say, on the GPU."""

    facing: Facing
    """Unsplit hands and the dealer's."""
    ends: EndWalk
    """The dealer's final hands, in groups as `Facing.rows`."""
    first_hand: NDArray[np.int64]
    """(…,): where the hands of each number of cards begin, and where all end."""
    wanted: NDArray[np.bool_]
    """(n,): all hands."""
    lost: NDArray[np.float64]
    """(limit + 1, bins): what a dealer's total takes of a bet on a total."""
    split: SplitWalks
    """Split hands and the dealer's."""
    no_doubles: NDArray[np.float64]
    """(2, 10, 0): only two cards may be doubled."""
    resplit: NDArray[np.float64]
    """(10, 10): every pair is split again."""


class Room(NamedTuple):
    """How much memory of its own a thread needs."""

    products: int
    """The first axis of `LaneSpace.products`, and so the next."""
    rows: int


class SplitSpace(NamedTuple):
    """Working space of blocks of threads, each for an upcard and a pair card; the first axis is the block."""

    joint: NDArray[np.float64]
    """As `SplitLanes` has it, and so the next."""
    inverse: NDArray[np.float64]
    slot: NDArray[np.int64]
    """(…, most slots of a pair card): those on which the play ends."""
    brought: NDArray[np.float64]
    """(…, most slots of a pair card): what every split hand brings."""


@cache
def _factorials_kernel() -> Any:
    def fill_factorials(shoes: Shoes, found: Found) -> None:
        """`FallingFactorials` of every deck; a thread does a number of cards gone."""
        gone_at_most = found.inverse.shape[1]
        for job in range(cuda.grid(1), gone_at_most * len(shoes.counts), cuda.gridsize(1)):
            deck, gone = job // gone_at_most, job % gone_at_most
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            factorials = FallingFactorials(supply, found.of_value[deck], found.inverse[deck])
            factorials.inverse[gone, 0] = 1.0
            for value in range(N_VALUES):
                factorials.of_value[value, gone, 0] = 1.0
            fill_gone(factorials, gone)

    return cuda_kernel(fill_factorials)


@cache
def _totals_kernel(room: Room) -> Any:
    factors, products, rows, threads = N_VALUES + 1, room.products, room.rows, _THREADS

    def fill_totals(table: Table, shoes: Shoes, found: Found) -> None:
        """`dealer_totals` of every deck; a block of threads does an upcard and a block of families at a time."""
        space = LaneSpace(
            cuda.local.array(1, np.int64),
            cuda.local.array((factors, 1), np.float64),
            cuda.local.array((products, 1), np.float64),
            cuda.local.array((rows, 1), np.float64),
            cuda.local.array(1, np.float64),
        )
        game, bins, one = table.facing, found.totals.shape[3], Lanes(0, 1, 1)
        head, member, first_row = game.families.head, game.families.member, game.rows.first_row
        blocks = (len(head) + threads - 1) // threads
        for job in range(cuda.blockIdx.x, blocks * N_VALUES * len(shoes.counts), cuda.gridDim.x):
            deck, upcard = job // (blocks * N_VALUES), job // blocks % N_VALUES
            family = job % blocks * threads + cuda.threadIdx.x
            if family >= len(head):
                continue
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            factorials = FallingFactorials(supply, found.of_value[deck], found.inverse[deck])
            totals = found.totals[deck]
            for held in range(member.shape[1]):
                if member[family, held] != BUST:
                    for bin in range(bins):
                        totals[member[family, held], upcard, bin] = 0.0
            space.head[0] = head[family]
            set_left(game.hands, supply, NO_UPCARD, 0, space)
            for end in range(upcard * bins, (upcard + 1) * bins):
                walk_rows(table.ends, supply, end, first_row[end + 1] - first_row[end], 0, space)
                store_end(game, factorials, table.wanted, (family, end), one, space, totals)

    return cuda_kernel(fill_totals, max_registers=_REGISTERS)


@cache
def _returns_kernel() -> Any:
    def fill_returns(rules: TableRules, table: Table, shoes: Shoes, found: Found) -> None:
        """`Returns` of every deck; a block of threads does a deck, a thread a hand and an upcard at a time."""
        hands, all_of = table.facing.hands, found.returns
        for deck in range(cuda.blockIdx.x, len(shoes.counts), cuda.gridDim.x):
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
            for size in range(len(table.first_hand) - 2, -1, -1):
                first, last = N_VALUES * table.first_hand[size], N_VALUES * table.first_hand[size + 1]
                for each in range(first + cuda.threadIdx.x, last, cuda.blockDim.x):
                    hand, upcard = each // N_VALUES, each % N_VALUES
                    all_of[1, deck, hand, upcard] = all_of[2, deck, hand, upcard] = 0.0
                    fill_hand(hands, supply, rules, ends, hand, (upcard, upcard + 1), all_of[5, deck], returns)
                    for kind in range(5 if hand < hands.openings else 0):
                        found.first[kind, deck, hand, upcard] = all_of[kind, deck, hand, upcard]
                cuda.syncthreads()

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
def _bets_kernel() -> Any:
    def fill_bets(rules: TableRules, n_removed: int, shoes: Shoes, found: Found) -> None:
        """`SplitBets` of every deck; a thread does an upcard and a pair card."""
        for job in range(cuda.grid(1), N_VALUES * N_VALUES * len(shoes.counts), cuda.gridsize(1)):
            deck, upcard, pair = job // N_VALUES**2, job // N_VALUES % N_VALUES, job % N_VALUES
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            weights = SplitWeights(shoes.any_card[deck], shoes.pair_card[deck])
            bets = SplitBets(found.bet[deck], found.double_bet[deck])
            bets.bet[upcard, pair] = 0.0
            for value in range(N_VALUES):
                bets.double_bet[0, upcard, N_VALUES * pair + value] = 0.0
            for removed in range(n_removed):
                add_bets(supply, rules, weights, Split(upcard, pair, removed), bets)

    return cuda_kernel(fill_bets)


@cache
def _splits_kernel(room: Room) -> Any:
    factors, products, rows, threads = N_VALUES + 1, room.products, room.rows, _THREADS

    def fill_splits(rules: TableRules, table: Table, shoes: Shoes, spaces: SplitSpace, found: Found) -> None:
        """`returns_of_splits` of every deck; a block of threads does an upcard and a pair card at a time."""
        own, thread, game, slots = cuda.blockIdx.x, cuda.threadIdx.x, table.split, table.split.slots
        shared = cuda.shared.array(threads, np.float64)
        filled = cuda.shared.array(1, np.int64)
        final, brought = spaces.slot[own], spaces.brought[own]
        space = SplitLanes(
            LaneSpace(
                cuda.local.array(1, np.int64),
                cuda.local.array((factors, 1), np.float64),
                cuda.local.array((products, 1), np.float64),
                cuda.local.array((rows, 1), np.float64),
                cuda.local.array(1, np.float64),
            ),
            cuda.local.array(1, np.int64),
            spaces.joint[own],
            spaces.inverse[own],
            cuda.local.array((1, 1), np.float64),
            cuda.local.array((2, 1), np.float64),
            cuda.local.array(1, np.float64),
        )
        for job in range(own, N_VALUES * N_VALUES * len(shoes.counts), cuda.gridDim.x):
            deck, upcard, pair = job // N_VALUES**2, job // N_VALUES % N_VALUES, job % N_VALUES
            first, last = slots.first[pair], slots.first[pair + 1]
            supply = Supply(shoes.counts[deck], shoes.tens[deck], shoes.size[deck], 1.0)
            factorials = FallingFactorials(supply, found.of_value[deck], found.inverse[deck])
            sequences = FinalSequences(found.sequences[0, deck], found.sequences[1, deck], table.no_doubles)
            weights = SplitWeights(shoes.any_card[deck], shoes.pair_card[deck])
            if thread == 0:
                filled[0] = 0
            for removed in range(thread, len(space.inverse), threads):
                set_inverse(supply, (removed, removed + 1), space.inverse)
            cuda.syncthreads()
            for drawn in range(thread, space.joint.shape[2], threads):
                set_joint(supply, weights, (upcard, pair), (drawn, drawn + 1), space)
            for at in range(first + thread, last, threads):
                brought[at - first] = 0.0
                if ends_on(sequences, upcard, slots.by_total[at]):
                    final[cuda.atomic.add(filled, 0, 1)] = slots.by_total[at]
            cuda.syncthreads()
            for at in range(thread, filled[0], threads):
                set_brought_by(game, factorials, rules, sequences, upcard, final[at], 0, space)
                brought[final[at] - first] = space.brought[0]
            cuda.syncthreads()
            shared[thread] = 0.0  # whichever thread took a hand, the sums are taken in one order
            for at in range(thread, last - first, threads):
                shared[thread] += brought[at]
            cuda.syncthreads()
            if thread == 0:
                total = 0.0
                for each in range(threads):
                    total += shared[each]
                found.split[deck, upcard, pair] = total

    return cuda_kernel(fill_splits, max_registers=_REGISTERS)


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
        _factorials_kernel()[each, 32, stream](shoes, found)
        _totals_kernel(self._rooms[0])[self._blocks, _THREADS, stream](table, shoes, found)
        _returns_kernel()[decks, 2 * _THREADS, stream](rules, table, shoes, found)
        _play_kernel()[self._blocks, _THREADS, stream](rules, table, found)
        _sequences_kernel()[each, 32, stream](table, shoes, found)
        _bets_kernel()[each, 32, stream](rules, count_removed(rules), shoes, found)
        _splits_kernel(self._rooms[1])[self._blocks, _THREADS, stream](rules, table, shoes, place.space, found)
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
