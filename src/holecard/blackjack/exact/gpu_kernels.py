"""Kernels that solve many decks on a GPU, by the rules that solve one on a processor; zero-memory play.

What a processor does for a block of lanes, a block of threads does, a thread a lane; the rest is done for every upcard,
hand or pair card by a thread of its own. Sums may be taken in another order than on a processor, so that values agree
to 1e-12 and better, not to the last bit.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated
from holecard.blackjack.exact.dealer_totals import Facing, store_end
from holecard.blackjack.exact.end_rows import NO_UPCARD, Lanes, LaneSpace
from holecard.blackjack.exact.end_walk import EndWalk, set_left, walk_rows
from holecard.blackjack.exact.hands import BUST, N_VALUES
from holecard.blackjack.exact.resplits import SplitWeights
from holecard.blackjack.exact.returns import Returns, fill_hand
from holecard.blackjack.exact.split_net import SplitBets, add_bets
from holecard.blackjack.exact.split_play import FinalSequences, SplitPlay, count_final_of, ends_on, play_as_before
from holecard.blackjack.exact.split_value import SplitLanes, set_inverse, set_joint
from holecard.blackjack.exact.split_walk import SplitWalks, set_brought_by
from holecard.blackjack.exact.supply import FallingFactorials, Split, Supply, fill_gone
from holecard.blackjack.game.rules import TableRules

THREADS: Final = 4 if is_simulated() else 128
"""Threads of a block."""
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
def factorials_kernel() -> Any:
    """The kernel of draws from every deck."""

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
def totals_kernel(room: Room) -> Any:
    """The kernel of what the dealer ends on."""
    factors, products, rows, threads = N_VALUES + 1, room.products, room.rows, THREADS

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
def returns_kernel() -> Any:
    """The kernel of what unsplit hands return."""

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
def play_kernel() -> Any:
    """The kernel of how split hands are played."""

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
def sequences_kernel() -> Any:
    """The kernel of the sequences on which that play ends."""

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
def bets_kernel() -> Any:
    """The kernel of what the bets of splits cost."""

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
def splits_kernel(room: Room) -> Any:
    """The kernel of what splits return."""
    factors, products, rows, threads = N_VALUES + 1, room.products, room.rows, THREADS

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
