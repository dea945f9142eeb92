"""Exact wins and ties of every hand against a random hand, before the flop, on every flop and on every turn.

Turn by turn: for each of the 16,432 canonical boards and each of its 48 rivers the 1,081 possible hands are ranked once
and sorted; walking up the order counts, for each hand, those below and those level that share no card with it. A flop
is the sum of its turns (each pair of turn and river is met twice), a starting hand the sum of its flops (each board is
met ten times). The file takes 106 MB: 87 for turns (win and tie in 16 bits each), 19 for flops.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, kernel, rule
from holecard.executor import in_order
from holecard.holdem.equities.boards import (
    BOARDS,
    CANONICAL_FLOPS,
    CANONICAL_TURNS,
    HANDS,
    canonical_of,
    flop_number,
    hand_on,
    number_boards,
    pair_number,
    turn_number,
)
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.stored import stored, table_path
from holecard.holdem.game.strength import RANKING, RankingTables, card_bit, strength_of_sum

VERSION = 1
"""Raised whenever the layout or the meaning of the table changes, so that an old file is rebuilt."""

Progress = Callable[[int, int], None]
"""Called with the boards done and the boards in all."""

EQUITY = np.dtype(
    [
        ("ranking", RANKING),
        ("boards", BOARDS),
        ("preflop", np.uint32, (169, 2)),  # win, tie of 2,097,572,400; row by `starting_hand`
        ("flop", np.uint32, (CANONICAL_FLOPS, HANDS, 2)),  # win, tie of 1,070,190
        ("turn", np.uint16, (CANONICAL_TURNS, HANDS, 2)),  # win, tie of 45,540
    ],
    align=True,
)

EquityTables: TypeAlias = Any
"""An `EQUITY` record."""

POSSIBLE: Final = 1081
"""Two-card hands left beside five board cards."""
COUNTING = np.dtype(
    [
        ("card", np.uint8, (47,)),  # unseen cards, ascending
        ("board", np.uint8, (5,)),
        ("first", np.uint8, (POSSIBLE,)),
        ("second", np.uint8, (POSSIBLE,)),
        ("strength", np.uint16, (POSSIBLE,)),
        ("order", np.uint16, (POSSIBLE,)),
        ("half_order", np.uint16, (POSSIBLE,)),
        ("bucket", np.int32, (129,)),
        ("below", np.int32, (52,)),  # hands already passed that hold this card
        ("level", np.int32, (52,)),  # hands of the same strength that hold it
    ],
    align=True,
)
Counting: TypeAlias = Any
"""A `COUNTING` record."""
_Order: TypeAlias = Any
"""Hands of a `COUNTING` record in some order, (1081)."""
Row: TypeAlias = Any
"""Wins and ties of every hand on a board, (1326, 2)."""


@rule
def starting_hand(a: Int, b: Int) -> Int:
    """The row of a starting hand in `preflop`, 0 … 168: suited hands have the higher rank first, others the lower."""
    low, high = min(a >> 2, b >> 2), max(a >> 2, b >> 2)
    return np.uint32(high * 13 + low) if a & 3 == b & 3 else np.uint32(low * 13 + high)


@rule
def list_unseen(work: Counting) -> None:
    """Put the 47 cards that are not on the board of `work` into "card"."""
    board = work["board"]
    unseen = 0
    for card in range(52):
        if card != board[0] and card != board[1] and card != board[2] and card != board[3] and card != board[4]:
            work["card"][unseen] = card
            unseen += 1


@rule
def rank_all(ranking: RankingTables, work: Counting) -> None:
    """Strengths of the 1,081 hands beside the board in `work`."""
    total: Int = np.uint64(0)
    bits: Int = np.uint64(0)
    for at in range(5):
        total += ranking["card_key"][work["board"][at]]
        bits |= card_bit(work["board"][at])
    at_hand: Int = np.uint64(0)
    for j in range(1, 47):
        first = work["card"][j]
        with_first, bits_with_first = total + ranking["card_key"][first], bits | card_bit(first)
        for i in range(j):
            second = work["card"][i]
            work["first"][at_hand] = first
            work["second"][at_hand] = second
            work["strength"][at_hand] = strength_of_sum(
                ranking, with_first + ranking["card_key"][second], bits_with_first | card_bit(second)
            )
            at_hand += np.uint64(1)


@rule
def _sort_pass(work: Counting, source: _Order, target: _Order, shift: int) -> None:
    """One stable counting pass over seven bits of the strengths."""
    bucket = work["bucket"]
    digit: Int
    for digit in range(129):
        bucket[digit] = 0
    for at in range(POSSIBLE):
        bucket[np.uint64((work["strength"][at] >> shift & 127) + 1)] += 1
    for digit in range(128):
        bucket[digit + 1] += bucket[digit]
    for at in range(POSSIBLE):
        hand = source[at]
        digit = np.uint64(work["strength"][hand] >> shift & 127)
        target[np.uint64(bucket[digit])] = hand
        bucket[digit] += 1


@rule
def sort_all(work: Counting) -> None:
    """Put the hands of `work` into "half_order" by strength, the weakest first."""
    for at in range(POSSIBLE):
        work["half_order"][at] = at
    _sort_pass(work, work["half_order"], work["order"], 0)
    _sort_pass(work, work["order"], work["half_order"], 7)


@rule
def count_all(work: Counting, row: Row) -> None:
    """Add each hand's wins and ties on this board to its cell of `row` (1326, 2)."""
    sort_all(work)
    order, below, level = work["half_order"], work["below"], work["level"]
    for card in range(52):
        below[card] = 0
    start = 0
    while start < POSSIBLE:
        strength = work["strength"][order[start]]
        end = start
        while end < POSSIBLE and work["strength"][order[end]] == strength:
            level[work["first"][order[end]]] = 0
            level[work["second"][order[end]]] = 0
            end += 1
        for at in range(start, end):
            level[work["first"][order[at]]] += 1
            level[work["second"][order[at]]] += 1
        for at in range(start, end):
            a, b = work["first"][order[at]], work["second"][order[at]]
            cell = row[pair_number(a, b)]
            cell[0] += start - below[a] - below[b]
            cell[1] += end - start - level[a] - level[b] + 1
        for at in range(start, end):
            below[work["first"][order[at]]] += 1
            below[work["second"][order[at]]] += 1
        start = end


@rule
def lay_turn(record: EquityTables, work: Counting, board: int) -> None:
    """Put the cards of a canonical turn on the board."""
    for at in range(4):
        work["board"][at] = record["boards"]["canonical_turn"][board][at]


@rule
def count_river(record: EquityTables, work: Counting, river: Int, counts: Row) -> bool:
    """Lay a river on the turn and add all wins and ties to counts (1326, 2); False if the card lies there already."""
    for at in range(4):
        if work["board"][at] == river:
            return False
    work["board"][4] = river
    list_unseen(work)
    rank_all(record["ranking"], work)
    count_all(work, counts)
    return True


@kernel
def _count_turns(tables: NDArray[Any], scratch: NDArray[Any], first: int, last: int) -> None:
    """Fill rows first … last−1 of `turn` in tables (1) EQUITY; scratch (1) is this thread's own."""
    record, work = tables[0], scratch[0]
    for board in range(first, last):
        lay_turn(record, work, board)
        for river in range(52):
            count_river(record, work, river, record["turn"][board])


@kernel
def _sum_flops(tables: NDArray[Any]) -> None:
    """Fill `flop` from `turn`."""
    record = tables[0]
    boards = record["boards"]
    for board in range(CANONICAL_FLOPS):
        x, y, z = boards["canonical_flop"][board]
        row = record["flop"][board]
        for card in range(52):
            if card in (x, y, z):
                continue
            packed = boards["turn"][turn_number(x, y, z, card)]
            turn_row = record["turn"][canonical_of(packed)]
            for high in range(1, 52):
                for low in range(high):
                    there = turn_row[hand_on(boards, packed, high, low)]
                    row[pair_number(high, low)][0] += there[0]
                    row[pair_number(high, low)][1] += there[1]
        for hand in range(HANDS):
            row[hand][0] //= 2
            row[hand][1] //= 2


@kernel
def _sum_starting_hands(tables: NDArray[Any]) -> None:
    """Fill `preflop` from `flop`, one concrete hand for each of the 169."""
    record = tables[0]
    boards = record["boards"]
    for high in range(13):
        for low in range(13):
            a, b = (high * 4, low * 4) if high > low else (high * 4, low * 4 + 1)
            win, tie = 0, 0
            for z in range(2, 52):
                for y in range(1, z):
                    for x in range(y):
                        packed = boards["flop"][flop_number(x, y, z)]
                        cell = record["flop"][canonical_of(packed)][hand_on(boards, packed, a, b)]
                        win += cell[0]
                        tie += cell[1]
            record["preflop"][starting_hand(a, b)][0] = win // 10
            record["preflop"][starting_hand(a, b)][1] = tie // 10


def build_equity(tables: NDArray[Any], *, progress: Progress | None = None, threads: int | None = None) -> None:
    """Fill the `EQUITY` record of the array `tables` (1); the same on any number of threads."""
    tables["ranking"] = ranking_tables()
    number_boards(tables["boards"])
    chunk = 64

    def count(first: int) -> int:
        last = min(first + chunk, CANONICAL_TURNS)
        _count_turns(tables, np.zeros(1, COUNTING), first, last)
        return last

    for done in in_order(count, range(0, CANONICAL_TURNS, chunk), threads=threads):
        if progress is not None:
            progress(done, CANONICAL_TURNS)
    _sum_flops(tables)
    _sum_starting_hands(tables)


def are_built() -> bool:
    """True if this machine has the tables (sound or not), so that using them will not take long."""
    return table_path("equity", VERSION).exists()


_loaded: NDArray[Any] | None = None


def equity_tables(progress: Progress | None = None) -> NDArray[Any]:
    """The equity tables: one read-only `EQUITY` record in an array of shape (1), built at first use, then mapped."""
    global _loaded  # noqa: PLW0603 (one mapping for the process; `progress` must not be part of a cache key)
    if _loaded is None:
        _loaded = stored("equity", VERSION, EQUITY, partial(build_equity, progress=progress))
    return _loaded
