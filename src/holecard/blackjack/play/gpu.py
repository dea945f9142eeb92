"""Rounds on a GPU: one thread a round, the same rules, the same random numbers, so the same counts as a processor's.

Where rounds follow from each other, in a shoe dealt down or on a trip with a bankroll, a thread plays the whole of it.

A kernel is made for a game: its rules, the size of its shoe and the shape of its records are constants to the compiler,
which drops all that the game lacks. A record here has the fields of `ROUND` in less room: places of the shoe are bits,
the cards of full packs are computed from their places, a hand keeps only the two cards that may be a pair. Where nobody
may split, one pack's whole round then lives in registers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated, rule
from holecard.blackjack.game.dealing import SHOE, begin_shoe, clear_stamps
from holecard.blackjack.game.hand import HAND
from holecard.blackjack.game.round import ROUND, UNLIMITED
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.playing import (
    BUSTS,
    NATURALS,
    NET,
    NET_SQUARED,
    PUSHES,
    ROUNDS,
    RUINS,
    TALLY,
    TRIPS,
    WINS,
    Counts,
    counted,
    play_round,
    play_shoe,
    play_trip,
)
from holecard.device import gpu
from holecard.seeds import checked_seed, key_of

THREADS: Final = 256
"""Threads to a block."""
_BLOCKS: Final = 2 if is_simulated() else 64
"""Blocks to a multiprocessor, many more than it holds at a time, so that none waits long for the last."""
_MOST_TABLES: Final = 1 << 14
"""Tables to a launch, one row of blocks each."""


def small_round(rules: TableRules, deck: Composition, fresh: bool = True) -> np.dtype[np.void]:
    """The `ROUND` of a game in as little room as it needs; see `dealing` and `hand` for what each short field means.

    Where a round is not `fresh` but comes from a shoe that others were dealt from, places keep their stamps.
    """
    hand = _retyped(HAND, cards=(np.uint8, (2,)))
    cards = 1 if is_full_packs(deck) else deck.size
    stamps = (np.uint64, (-(-deck.size // 64),)) if fresh else (np.uint32, (deck.size,))
    shoe = _retyped(SHOE, cards=(np.uint8, (cards,)), stamps=stamps)
    counters = dict.fromkeys(("phase", "n_hands", "active", "split_cards", "decisions"), (np.int16,))
    return _retyped(ROUND, hands=(hand, (rules.max_hands + 1,)), shoe=(shoe,), **counters)


def is_full_packs(deck: Composition) -> bool:
    """True if a shoe is made of whole packs, whose cards can be told from their places."""
    return len(set(deck.ranks)) == 1 and deck.ranks[0] % 4 == 0


def _retyped(record: np.dtype[np.void], **changes: Any) -> np.dtype[np.void]:
    """The same fields in the same order, some of them of another type."""
    assert record.names is not None
    fields = [(name, *changes.get(name, (record[name].base, record[name].shape))) for name in record.names]
    return np.dtype(fields, align=True)


@rule
def _fill(shoe: Any, size: np.uint64, cards: Any) -> None:
    """Put the cards of a deck into a thread's own shoe, if it has room for them."""
    shoe["size"] = size
    shoe["stacked"] = False
    shoe["serial"] = 0
    if shoe["cards"].shape[0] > 1:
        for place in range(cards.shape[0]):
            shoe["cards"][place] = cards[place]


@rule
def _clear(block: Any) -> None:
    """Begin the tally of a block of threads, int64 (TALLY) in their shared memory."""
    if cuda.threadIdx.x < TALLY:
        block[cuda.threadIdx.x] = 0
    cuda.syncthreads()


@rule
def _add_up(block: Any, counts: Counts, tallies: Any, table: int) -> None:
    """Add a thread's counts to its block's, and the block's to `tallies`, int64 (n, TALLY)."""
    cuda.atomic.add(block, ROUNDS, counts.rounds)
    cuda.atomic.add(block, WINS, counts.wins)
    cuda.atomic.add(block, PUSHES, counts.pushes)
    cuda.atomic.add(block, NET, counts.net)
    cuda.atomic.add(block, NET_SQUARED, counts.net_squared)
    cuda.atomic.add(block, NATURALS, counts.naturals)
    cuda.atomic.add(block, BUSTS, counts.busts)
    cuda.syncthreads()
    if cuda.threadIdx.x < TALLY:
        cuda.atomic.add(tallies, (table, cuda.threadIdx.x), block[cuda.threadIdx.x])


@lru_cache(maxsize=32)
def _tables_kernel(rules: TableRules, deck: Composition) -> Any:
    """The kernel that plays fresh rounds of several tables, a row of blocks each."""
    record, size = small_round(rules, deck), np.uint64(deck.size)

    def play_tables(first: int, count: int, apart: int, seed: np.uint64, cards: Any, many: Any, tallies: Any) -> None:
        """`cards` uint8 (size), `many` uint8 (n, cells), `tallies` int64 (n, TALLY) added to."""
        state, block = cuda.local.array(1, record), cuda.shared.array(TALLY, np.int64)
        round, shoe, table = state[0], state[0]["shoe"], cuda.blockIdx.y
        _fill(shoe, size, cards)
        _clear(block)
        counts = Counts(0, 0, 0, 0, 0, 0, 0)
        plays, start = many[table], first + table * apart
        own = start + cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        for number in range(own, start + count, cuda.gridDim.x * cuda.blockDim.x):
            begin_shoe(shoe)
            net = play_round(round, key_of(seed, np.uint64(number)), UNLIMITED, plays, rules)
            counts = counted(counts, round, net, rules)
        _add_up(block, counts, tallies, table)

    return cuda_kernel(play_tables, max_registers=_registers(rules))


@lru_cache(maxsize=32)
def _chosen_kernel(rules: TableRules, deck: Composition) -> Any:
    """The kernel that plays chosen fresh rounds by several tables, a row of blocks each."""
    record, size = small_round(rules, deck), np.uint64(deck.size)

    def play_chosen(numbers: Any, seed: np.uint64, cards: Any, many: Any, nets: Any) -> None:
        """`numbers` int64 (n), `cards` uint8 (size), `many` uint8 (m, cells), `nets` int64 (m) added to."""
        state = cuda.local.array(1, record)
        round, shoe, table = state[0], state[0]["shoe"], cuda.blockIdx.y
        _fill(shoe, size, cards)
        plays, chips = many[table], 0
        own = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        for at in range(own, numbers.shape[0], cuda.gridDim.x * cuda.blockDim.x):
            begin_shoe(shoe)
            chips += play_round(round, key_of(seed, np.uint64(numbers[at])), UNLIMITED, plays, rules)
        cuda.atomic.add(nets, table, chips)

    return cuda_kernel(play_chosen, max_registers=_registers(rules))


@lru_cache(maxsize=32)
def _journeys_kernel(rules: TableRules, deck: Composition) -> Any:
    """The kernel that deals shoes down or plays trips, one thread each: rounds that follow from each other."""
    record, size = small_round(rules, deck, fresh=False), np.uint64(deck.size)

    def play_journeys(
        first: int,
        count: int,
        length: int,
        bankroll: int,
        cut: int,
        seed: np.uint64,
        cards: Any,
        plays: Any,
        tally: Any,
    ) -> None:
        """Shoes (`length` 0) or trips of `length` rounds; `plays` uint8 (cells), `tally` int64 (1, TALLY) added to."""
        state, block = cuda.local.array(1, record), cuda.shared.array(TALLY, np.int64)
        round = state[0]
        _fill(round["shoe"], size, cards)
        clear_stamps(round["shoe"])
        _clear(block)
        counts, trips, ruins = Counts(0, 0, 0, 0, 0, 0, 0), 0, 0
        for number in range(first + cuda.grid(1), first + count, cuda.gridsize(1)):
            key = key_of(seed, np.uint64(number))
            if length == 0:
                counts = play_shoe(round, key, UNLIMITED, cut, plays, counts, rules)
            else:
                counts, ruined = play_trip(round, key, length, bankroll, cut, plays, counts, rules)
                trips += 1
                ruins += ruined
        cuda.atomic.add(block, TRIPS, trips)
        cuda.atomic.add(block, RUINS, ruins)
        _add_up(block, counts, tally, 0)

    return cuda_kernel(play_journeys, max_registers=_registers(rules))


def _registers(rules: TableRules) -> int | None:
    """The most registers to a thread: hands that may be split lie in memory, where more threads hide the waiting."""
    return None if rules.max_hands == 1 else 40


def _grid(tables: int, rounds: int) -> tuple[tuple[int, int], int]:
    """Blocks (along the rounds, tables) and threads to a block."""
    threads = TALLY if is_simulated() else THREADS
    enough = -(-gpu().multiprocessors * _BLOCKS // tables)
    return (max(1, min(-(-rounds // threads), enough)), tables), threads


class Tables:
    """Tables of plays that lie on the GPU, ready to play fresh rounds of a game."""

    def __init__(self, many: NDArray[np.uint8], rules: Rules, deck: Composition, seed: int) -> None:
        """`many` uint8 (n, cells)."""
        self._kernel = _tables_kernel(rules.table(), deck)
        self._many = [cuda.to_device(part) for part in _parts(many)]
        self._cards = cuda.to_device(deck.cards())
        self._seed = np.uint64(checked_seed(seed))

    def play(self, first: int, count: int, apart: int = 0) -> NDArray[np.int64]:
        """Tallies int64 (n, TALLY) of `count` rounds each; those of a table begin `apart` after the one before's."""
        done, tallies = 0, []
        for part in self._many:
            tally = cuda.to_device(np.zeros((part.shape[0], TALLY), np.int64))
            blocks, threads = _grid(part.shape[0], count)
            self._kernel[blocks, threads](first + done * apart, count, apart, self._seed, self._cards, part, tally)
            tallies.append(tally.copy_to_host())
            done += part.shape[0]
        return np.concatenate(tallies)


class Journeys:
    """One table of plays on the GPU, ready to deal shoes down or to go on trips."""

    def __init__(self, plays: NDArray[np.uint8], rules: Rules, deck: Composition, seed: int, cut: int) -> None:
        """`plays` uint8 (cells); `cut` is the number of cards left at which a shoe is shuffled."""
        self._kernel = _journeys_kernel(rules.table(), deck)
        self._plays, self._cards = cuda.to_device(plays), cuda.to_device(deck.cards())
        self._seed, self._cut = np.uint64(checked_seed(seed)), cut

    def play(self, first: int, count: int, length: int = 0, chips: int = 0) -> NDArray[np.int64]:
        """The tally of so many shoes, or of trips of `length` rounds with a bankroll of `chips`."""
        tally = cuda.to_device(np.zeros((1, TALLY), np.int64))
        blocks, threads = _grid(1, count)
        self._kernel[blocks, threads](
            first, count, length, chips, self._cut, self._seed, self._cards, self._plays, tally
        )
        return np.asarray(tally.copy_to_host()[0])


def play_chosen(
    numbers: NDArray[np.int64], many: NDArray[np.uint8], rules: Rules, deck: Composition, seed: int
) -> NDArray[np.int64]:
    """The chips that each of `many` tables, uint8 (n, cells), wins on the rounds of those numbers."""
    kernel, rounds = _chosen_kernel(rules.table(), deck), cuda.to_device(numbers)
    cards = cuda.to_device(deck.cards())
    nets = []
    for part in _parts(many):
        chips = cuda.to_device(np.zeros(len(part), np.int64))
        blocks, threads = _grid(len(part), len(numbers))
        kernel[blocks, threads](rounds, np.uint64(checked_seed(seed)), cards, cuda.to_device(part), chips)
        nets.append(chips.copy_to_host())
    return np.concatenate(nets)


def _parts(many: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    flat = np.ascontiguousarray(many.reshape(len(many), -1))
    return [flat[at : at + _MOST_TABLES] for at in range(0, len(flat), _MOST_TABLES)]
