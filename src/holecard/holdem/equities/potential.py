"""How far a hand's chance to win will move: the mean of its square on the river, for every hand on every flop and turn.

With the mean (`tables`) it gives the spread of the chance on the river: a draw and a middling pair may win equally
often, but one will be strong or worthless and the other stays what it is. Built like the equities, from all rivers of
the 16,432 canonical turns; a flop is the mean of its turns. The file takes 48 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, kernel, rule
from holecard.executor import in_order
from holecard.holdem.equities.boards import (
    CANONICAL_FLOPS,
    CANONICAL_TURNS,
    HANDS,
    canonical_of,
    flop_number,
    hand_on,
    pair_number,
    turn_number,
)
from holecard.holdem.equities.lookup import FLOP_TOTAL, TURN_TOTAL, flop_counts, turn_counts
from holecard.holdem.equities.tables import COUNTING, EquityTables, count_river, equity_tables, lay_turn
from holecard.holdem.game.stored import stored, table_path
from holecard.holdem.game.strength import Cards

VERSION = 1
"""Raised whenever the layout or the meaning of the table changes, so that an old file is rebuilt."""

POTENTIAL = np.dtype(
    [
        ("flop", np.uint16, (CANONICAL_FLOPS, HANDS)),  # the mean square of the chance on the river, of 65,535
        ("turn", np.uint16, (CANONICAL_TURNS, HANDS)),
    ],
    align=True,
)
PotentialTables: TypeAlias = Any
"""A `POTENTIAL` record."""
_ONE = 65_535
_RIVERS = 46
"""Rivers that a hand may see on a turn."""
_TURNS = 47
_HALF_WINS = 1980


@kernel
def _square_turns(tables: NDArray[Any], equity: NDArray[Any], scratch: NDArray[Any], first: int, last: int) -> None:
    """Fill rows first … last−1 of `turn` in tables (1) POTENTIAL; scratch (1) COUNTING is this thread's own."""
    record, work = equity[0], scratch[0]
    counts = np.zeros((HANDS, 2), np.int64)
    squares = np.zeros(HANDS)
    for board in range(first, last):
        lay_turn(record, work, board)
        squares[:] = 0.0
        for river in range(52):
            counts[:] = 0
            if not count_river(record, work, river, counts):
                continue
            for hand in range(HANDS):
                chance = (2 * counts[hand, 0] + counts[hand, 1]) / _HALF_WINS
                squares[hand] += chance * chance
        for hand in range(HANDS):
            tables[0]["turn"][board][hand] = int(squares[hand] / _RIVERS * _ONE + 0.5)


@kernel
def _average_flops(tables: NDArray[Any], equity: NDArray[Any]) -> None:
    """Fill `flop` from `turn`."""
    boards = equity[0]["boards"]
    sums = np.zeros(HANDS, np.int64)
    for board in range(CANONICAL_FLOPS):
        x, y, z = boards["canonical_flop"][board]
        sums[:] = 0
        for card in range(52):
            if card in (x, y, z):
                continue
            packed = boards["turn"][turn_number(x, y, z, card)]
            row = tables[0]["turn"][canonical_of(packed)]
            for high in range(1, 52):
                for low in range(high):
                    if card not in (high, low):
                        sums[pair_number(high, low)] += row[hand_on(boards, packed, high, low)]
        for hand in range(HANDS):
            tables[0]["flop"][board][hand] = (sums[hand] + _TURNS // 2) // _TURNS


def _build(tables: NDArray[Any], *, progress: Callable[[int, int], None] | None, threads: int | None) -> None:
    equity, chunk = equity_tables(), 64

    def square(first: int) -> int:
        last = min(first + chunk, CANONICAL_TURNS)
        _square_turns(tables, equity, np.zeros(1, COUNTING), first, last)
        return last

    for done in in_order(square, range(0, CANONICAL_TURNS, chunk), threads=threads):
        if progress is not None:
            progress(done, CANONICAL_TURNS)
    _average_flops(tables, equity)


def is_built() -> bool:
    """True if this machine has the table (sound or not), so that using it will not take long."""
    return table_path("potential", VERSION).exists()


_loaded: NDArray[Any] | None = None


def potential_tables(progress: Callable[[int, int], None] | None = None, threads: int | None = None) -> NDArray[Any]:
    """One read-only `POTENTIAL` record in an array of shape (1), built at first use, then mapped."""
    global _loaded  # noqa: PLW0603 (one mapping for the process)
    if _loaded is None:
        _loaded = stored("potential", VERSION, POTENTIAL, partial(_build, progress=progress, threads=threads))
    return _loaded


@rule
def _spread(half_wins: Int, square: Int, most: int) -> tuple[float, float]:
    """A chance of half_wins in `most`, and its standard deviation on the river, of the mean square there.

    The variance is one quotient of whole numbers, which every machine rounds alike, with or without fused sums.
    """
    ours, squares, all_of = np.int64(half_wins), np.int64(square), np.int64(most)
    variance: Int = squares * all_of * all_of - _ONE * ours * ours
    return ours / all_of, sqrt(max(variance, 0) / (_ONE * all_of * all_of))


@rule
def flop_spread(equity: EquityTables, potential: PotentialTables, a: Int, b: Int, board: Cards) -> tuple[float, float]:
    """The chance to win with a, b on board[:3] and the standard deviation of the chance on the river."""
    win, tie = flop_counts(equity, a, b, board)
    packed = equity["boards"]["flop"][flop_number(board[0], board[1], board[2])]
    square = potential["flop"][canonical_of(packed)][hand_on(equity["boards"], packed, a, b)]
    return _spread(2 * win + tie, square, 2 * FLOP_TOTAL)


@rule
def turn_spread(equity: EquityTables, potential: PotentialTables, a: Int, b: Int, board: Cards) -> tuple[float, float]:
    """The same on board[:4]."""
    win, tie = turn_counts(equity, a, b, board)
    packed = equity["boards"]["turn"][turn_number(board[0], board[1], board[2], board[3])]
    square = potential["turn"][canonical_of(packed)][hand_on(equity["boards"], packed, a, b)]
    return _spread(2 * win + tie, square, 2 * TURN_TOTAL)
