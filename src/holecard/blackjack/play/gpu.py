"""Rounds on a GPU: one thread a round, the same rules, the same random numbers, so the same counts as a processor's.

Where rounds follow from each other, in a shoe dealt down or on a trip with a bankroll, a thread plays the whole of it.

A kernel is made for a game: its rules, the size of its shoe and the shape of its records are constants to the compiler,
which drops all that the game lacks. A record here has the fields of `ROUND` in less room: places of the shoe are bits,
the cards of full packs are computed from their places, a hand keeps only the two cards that may be a pair. Where nobody
may split, one pack's whole round then lives in registers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated, rule
from holecard.blackjack.game.dealing import PACK, Shoe, begin_shoe, clear_stamps, is_packs
from holecard.blackjack.game.rank_counts import packed
from holecard.blackjack.game.round import UNLIMITED
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.dealt import Trip, play_shoe, play_trip
from holecard.blackjack.play.kernels import (
    NO_COUNTS,
    NO_ROOM,
    RUINS,
    TALLY,
    TRIPS,
    Block,
    Counts,
    Plays,
    Tally,
    counted,
    play_in_step,
)
from holecard.blackjack.play.small_round import is_full_packs, listing_round, small_dealt_round, small_round
from holecard.device import gpu
from holecard.seeds import checked_seed, key_of

Cards: TypeAlias = NDArray[np.uint8]
"""The cards of a full shoe, uint8 (size,)."""
Numbers: TypeAlias = NDArray[np.int64]
THREADS: Final = 256
"""Threads to a block."""
_BLOCKS: Final = 2 if is_simulated() else 64
"""Blocks to a multiprocessor, many more than it holds at a time, so that none waits long for the last."""
_ASIDE: Final = 4 if is_simulated() else 96
"""Rounds that a thread puts aside before it plays them."""
_NEAR_REGISTERS: Final = 64
"""The most to a thread whose common rounds are kept in registers: so that half as many threads fit as at all can."""
_MOST_STRATEGIES: Final = 1 << 14
"""Strategies to a launch, one row of blocks each."""


@rule
def fill_shoe(shoe: Shoe, size: np.uint64, cards: Cards) -> None:
    """Put the cards of a deck into a thread's own shoe, if it has room for them."""
    shoe["size"] = size
    shoe["stacked"] = False
    shoe["serial"] = 0
    if not is_packs(shoe):
        for place in range(cards.shape[0]):
            shoe["cards"][place] = cards[place]


@rule
def fill_dealt_shoe(shoe: Shoe, size: np.uint64, ranks: tuple[np.uint64, np.uint64]) -> None:
    """Put a deck into a thread's own shoe that is dealt down: `ranks` are its `rank_counts`."""
    shoe["size"] = size
    shoe["ranks_full"][0] = ranks[0]
    shoe["ranks_full"][1] = ranks[1]


def ranks_of(deck: Composition) -> tuple[np.uint64, np.uint64]:
    """The `rank_counts` of a deck as constants."""
    low, high = packed(deck.ranks)
    return low, high


@rule
def _clear(shared: Tally) -> None:
    """Begin the tally of a block of threads in their shared memory."""
    if cuda.threadIdx.x < TALLY:
        shared[cuda.threadIdx.x] = 0
    cuda.syncthreads()


@rule
def _add_up(shared: Tally, counts: Counts, tallies: NDArray[np.int64], at: int) -> None:
    """Add a thread's counts to its block's tally, and that to row `at` of `tallies`, int64 (n, TALLY)."""
    for place in range(len(counts)):
        cuda.atomic.add(shared, place, counts[place])
    cuda.syncthreads()
    if cuda.threadIdx.x < TALLY:
        cuda.atomic.add(tallies, (at, cuda.threadIdx.x), shared[cuda.threadIdx.x])


def _fresh_kernel(rules: TableRules, deck: Composition) -> Any:
    """The kernel that plays fresh rounds of several strategies, a row of blocks each."""
    fits = rules.max_hands == 1 and deck.size == PACK
    return _plain_kernel(rules, deck) if fits or not is_full_packs(deck) else _near_kernel(rules, deck)


@lru_cache(maxsize=32)
def _near_kernel(rules: TableRules, deck: Composition) -> Any:
    """Rounds in records that fit registers; the few that need more are put aside and played again with room for all.

    So threads side by side do not wait for one that splits, and the common round needs no memory.
    """
    record, whole_record = listing_round(rules, deck), small_round(rules, deck)
    size = np.uint64(deck.size)

    def play_fresh(block: Block, apart: int, cards: Cards, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        """As `kernels.play_fresh`."""
        shared, aside = cuda.shared.array(TALLY, np.int64), cuda.local.array(_ASIDE, np.int64)
        round, whole = cuda.local.array(1, record)[0], cuda.local.array(1, whole_record)[0]
        at, step = cuda.blockIdx.y, cuda.gridDim.x * cuda.blockDim.x
        fill_shoe(round["shoe"], size, cards)
        fill_shoe(whole["shoe"], size, cards)
        _clear(shared)
        counts, plays, start = NO_COUNTS, strategies[at], block.first + at * apart
        number = start + cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        while number < start + block.n:
            waiting = 0
            while number < start + block.n and waiting < _ASIDE:
                begin_shoe(round["shoe"])
                net = play_in_step(round, key_of(block.seed, np.uint64(number)), plays, rules)
                if net == NO_ROOM:
                    aside[waiting] = number
                    waiting += 1
                else:
                    counts = counted(counts, round, net, rules)
                number += step
            for index in range(waiting):
                begin_shoe(whole["shoe"])
                net = play_in_step(whole, key_of(block.seed, np.uint64(aside[index])), plays, rules)
                counts = counted(counts, whole, net, rules)
        _add_up(shared, counts, tallies, at)

    return cuda_kernel(play_fresh, max_registers=_NEAR_REGISTERS)


@lru_cache(maxsize=32)
def _plain_kernel(rules: TableRules, deck: Composition) -> Any:
    record, size = small_round(rules, deck), np.uint64(deck.size)

    def play_fresh(block: Block, apart: int, cards: Cards, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        """As `kernels.play_fresh`."""
        state, shared = cuda.local.array(1, record), cuda.shared.array(TALLY, np.int64)
        round, shoe, at = state[0], state[0]["shoe"], cuda.blockIdx.y
        fill_shoe(shoe, size, cards)
        _clear(shared)
        counts = NO_COUNTS
        plays, start = strategies[at], block.first + at * apart
        own = start + cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        for number in range(own, start + block.n, cuda.gridDim.x * cuda.blockDim.x):
            begin_shoe(shoe)
            net = play_in_step(round, key_of(block.seed, np.uint64(number)), plays, rules)
            counts = counted(counts, round, net, rules)
        _add_up(shared, counts, tallies, at)

    return cuda_kernel(play_fresh, max_registers=_registers(rules))


@lru_cache(maxsize=32)
def _chosen_kernel(rules: TableRules, deck: Composition) -> Any:
    """The kernel that plays chosen fresh rounds by several strategies, a row of blocks each."""
    record, size = small_round(rules, deck), np.uint64(deck.size)

    def play_chosen(numbers: Numbers, seed: np.uint64, cards: Cards, strategies: Plays, nets: Numbers) -> None:
        """`numbers` (n) are those of the rounds, `nets` (m) the chips that each strategy wins, added to."""
        state = cuda.local.array(1, record)
        round, shoe, at = state[0], state[0]["shoe"], cuda.blockIdx.y
        fill_shoe(shoe, size, cards)
        plays, chips = strategies[at], 0
        own = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        for which in range(own, numbers.shape[0], cuda.gridDim.x * cuda.blockDim.x):
            begin_shoe(shoe)
            chips += play_in_step(round, key_of(seed, np.uint64(numbers[which])), plays, rules)
        cuda.atomic.add(nets, at, chips)

    return cuda_kernel(play_chosen, max_registers=_registers(rules))


@lru_cache(maxsize=32)
def _linked_kernel(rules: TableRules, deck: Composition, dealt: bool) -> Any:
    """The kernel that deals shoes down or plays trips, one thread each: rounds that follow from each other."""
    record, size = small_dealt_round(rules.max_hands) if dealt else small_round(rules, deck), np.uint64(deck.size)
    ranks = ranks_of(deck)

    def play_linked(block: Block, trip: Trip, cards: Cards, plays: Plays, tallies: NDArray[np.int64]) -> None:
        """A block of trips, or of shoes where a trip's length is 0; `tallies` int64 (1, TALLY) added to."""
        state, shared = cuda.local.array(1, record), cuda.shared.array(TALLY, np.int64)
        round = state[0]
        if dealt:
            fill_dealt_shoe(round["shoe"], size, ranks)
        else:
            fill_shoe(round["shoe"], size, cards)
        clear_stamps(round["shoe"])
        _clear(shared)
        counts, trips, ruins = NO_COUNTS, 0, 0
        for number in range(block.first + cuda.grid(1), block.first + block.n, cuda.gridsize(1)):
            key = key_of(block.seed, np.uint64(number))
            if trip.length == 0:
                counts = play_shoe(round, key, UNLIMITED, trip.cut, plays, counts, rules)
            else:
                counts, ruined = play_trip(round, key, trip, plays, counts, rules)
                trips += 1
                ruins += ruined
        cuda.atomic.add(shared, TRIPS, trips)
        cuda.atomic.add(shared, RUINS, ruins)
        _add_up(shared, counts, tallies, 0)

    return cuda_kernel(play_linked, max_registers=_registers(rules))


def _registers(rules: TableRules) -> int | None:
    """The most registers to a thread: hands that may be split lie in memory, where more threads hide the waiting."""
    return None if rules.max_hands == 1 else 40


def _grid(strategies: int, rounds: int) -> tuple[tuple[int, int], int]:
    """Blocks (along the rounds, along the strategies) and threads to a block."""
    threads = TALLY if is_simulated() else THREADS
    enough = -(-gpu().multiprocessors * _BLOCKS // strategies)
    return (max(1, min(-(-rounds // threads), enough)), strategies), threads


class FreshRounds:
    """Strategies that lie on the GPU, ready to play fresh rounds of a game."""

    def __init__(self, strategies: Plays, rules: Rules, deck: Composition, seed: int) -> None:
        """`strategies` uint8 (n, cells)."""
        self._kernel = _fresh_kernel(rules.table(), deck)
        self._strategies = [cuda.to_device(part) for part in _parts(strategies)]
        self._cards = cuda.to_device(deck.cards())
        self._seed = np.uint64(checked_seed(seed))

    def play(self, first: int, count: int, apart: int = 0) -> NDArray[np.int64]:
        """Tallies int64 (n, TALLY) of `count` rounds each; those of a strategy begin `apart` after the one before's."""
        done, tallies = 0, []
        for part in self._strategies:
            tally = cuda.to_device(np.zeros((part.shape[0], TALLY), np.int64))
            blocks, threads = _grid(part.shape[0], count)
            block = Block(self._seed, first + done * apart, count)
            self._kernel[blocks, threads](block, apart, self._cards, part, tally)
            tallies.append(tally.copy_to_host())
            done += part.shape[0]
        return np.concatenate(tallies)


class LinkedRounds:
    """A strategy that lies on the GPU, ready for rounds that follow from each other: dealt shoes or trips."""

    def __init__(self, plays: Plays, rules: Rules, deck: Composition, seed: int, cut: int) -> None:
        """`cut` is the number of cards left at which a shoe is shuffled."""
        self._kernel = _linked_kernel(rules.table(), deck, rules.shoe == "dealt")
        self._plays, self._cards = cuda.to_device(plays), cuda.to_device(deck.cards())
        self._seed, self._shoe = np.uint64(checked_seed(seed)), Trip(length=0, bankroll=0, cut=cut)

    def play(self, first: int, count: int, trip: Trip | None = None) -> Tally:
        """The tally of so many trips, or of so many shoes dealt down."""
        tally = cuda.to_device(np.zeros((1, TALLY), np.int64))
        blocks, threads = _grid(1, count)
        block = Block(self._seed, first, count)
        self._kernel[blocks, threads](block, trip or self._shoe, self._cards, self._plays, tally)
        return np.asarray(tally.copy_to_host()[0])


def play_chosen(numbers: Numbers, strategies: Plays, rules: Rules, deck: Composition, seed: int) -> NDArray[np.int64]:
    """The chips that each of the strategies, uint8 (n, cells), wins on the rounds of those numbers."""
    kernel, rounds = _chosen_kernel(rules.table(), deck), cuda.to_device(numbers)
    cards = cuda.to_device(deck.cards())
    nets = []
    for part in _parts(strategies):
        chips = cuda.to_device(np.zeros(len(part), np.int64))
        blocks, threads = _grid(len(part), len(numbers))
        kernel[blocks, threads](rounds, np.uint64(checked_seed(seed)), cards, cuda.to_device(part), chips)
        nets.append(chips.copy_to_host())
    return np.concatenate(nets)


def _parts(strategies: Plays) -> list[Plays]:
    flat = np.ascontiguousarray(strategies.reshape(len(strategies), -1))
    return [flat[at : at + _MOST_STRATEGIES] for at in range(0, len(flat), _MOST_STRATEGIES)]
