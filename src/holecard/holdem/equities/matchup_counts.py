"""Counts how often each of the 169 starting hands beats each other one, over every board: the file of `starting_hands`.

For each of the 16,432 canonical turns and each of its rivers the 1,081 possible hands are ranked and met in order of
their strength. Three counts by starting hand are enough: all weaker hands, and those of them that hold the one card or
the other, which cannot be the opponent's. A turn counts as often as there are turns like it; every board is met five
times, once for each of its cards as the river.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.executor import in_order
from holecard.holdem.equities.boards import BOARDS, CANONICAL_TURNS, canonical_of, number_boards
from holecard.holdem.equities.starting_hands import STARTING_HANDS
from holecard.holdem.equities.tables import Progress, starting_hand
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.strength import card_bit, strength_of_sum

_LANES: Final = 176
"""Starting hands, filled up so that loops fill vector registers."""


class _Scratch(NamedTuple):
    """Arrays that one thread counts in."""

    below: NDArray[np.int32]
    """(lanes) weaker hands by starting hand."""
    holding: NDArray[np.int32]
    """(52, lanes) those of them that hold each card."""
    wins: NDArray[np.int32]
    """(169, lanes) wins on one turn."""
    first: NDArray[np.uint8]
    """(1081) one card of each possible hand."""
    second: NDArray[np.uint8]
    """(1081) the other."""
    strength: NDArray[np.int64]
    """(1081)"""


@rule
def _rank_hands(ranking: Any, board: Any, scratch: _Scratch) -> None:
    """Fill cards and strengths with the 1,081 hands that a board (5) leaves."""
    total, bits, seen = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in board:
        total += ranking["card_key"][card]
        bits |= card_bit(card)
        seen |= np.uint64(1) << np.uint64(card)
    at = 0
    for high in range(52):
        if seen >> np.uint64(high) & np.uint64(1):
            continue
        with_high, bits_with_high = total + ranking["card_key"][high], bits | card_bit(high)
        for low in range(high):
            if seen >> np.uint64(low) & np.uint64(1):
                continue
            scratch.first[at] = high
            scratch.second[at] = low
            scratch.strength[at] = strength_of_sum(
                ranking, with_high + ranking["card_key"][low], bits_with_high | card_bit(low)
            )
            at += 1


@rule
def _count_board(scratch: _Scratch) -> None:
    """Add the wins on one board."""
    order = np.argsort(scratch.strength)
    scratch.below[:] = 0
    scratch.holding[:] = 0
    start, hands = 0, order.shape[0]
    while start < hands:
        end = start
        while end < hands and scratch.strength[order[end]] == scratch.strength[order[start]]:
            a, b = scratch.first[order[end]], scratch.second[order[end]]
            row, with_a, with_b = scratch.wins[starting_hand(a, b)], scratch.holding[a], scratch.holding[b]
            for lane in range(_LANES):
                row[lane] += scratch.below[lane] - with_a[lane] - with_b[lane]
            end += 1
        for at in range(start, end):
            a, b = scratch.first[order[at]], scratch.second[order[at]]
            number = starting_hand(a, b)
            scratch.below[number] += 1
            scratch.holding[a, number] += 1
            scratch.holding[b, number] += 1
        start = end


@kernel
def _count_turns(tables: Any, boards: Any, weight: Any, first: int, last: int) -> Any:
    """Wins (169, lanes) on canonical turns first … last − 1, each counted `weight` times; five for every board."""
    scratch = _Scratch(
        np.zeros(_LANES, np.int32),
        np.zeros((52, _LANES), np.int32),
        np.zeros((STARTING_HANDS, _LANES), np.int32),
        np.zeros(1081, np.uint8),
        np.zeros(1081, np.uint8),
        np.zeros(1081, np.int64),
    )
    wins = np.zeros((STARTING_HANDS, _LANES), np.int64)
    board = np.zeros(5, np.uint8)
    for turn in range(first, last):
        scratch.wins[:] = 0
        board[:4] = boards[0]["canonical_turn"][turn]
        for river in range(52):
            if river in (board[0], board[1], board[2], board[3]):
                continue
            board[4] = river
            _rank_hands(tables[0], board, scratch)
            _count_board(scratch)
        for row in range(STARTING_HANDS):
            for lane in range(_LANES):
                wins[row, lane] += weight[turn] * scratch.wins[row, lane]
    return wins


def count_matchups(*, progress: Progress | None = None, threads: int | None = None) -> NDArray[np.int64]:
    """How often each starting hand beats each other one, over all deals of both and all boards: (169, 169)."""
    boards = np.zeros(1, BOARDS)
    number_boards(boards)
    weight = np.bincount(canonical_of(boards["turn"][0]), minlength=CANONICAL_TURNS)
    tables, chunk = ranking_tables(), 128

    def count(first: int) -> tuple[int, NDArray[np.int64]]:
        last = min(first + chunk, CANONICAL_TURNS)
        return last, _count_turns(tables, boards, weight, first, last)

    wins = np.zeros((STARTING_HANDS, _LANES), np.int64)
    for done, found in in_order(count, range(0, CANONICAL_TURNS, chunk), threads=threads):
        wins += found
        if progress is not None:
            progress(done, CANONICAL_TURNS)
    assert not (wins % 5).any(), "every board is met five times"
    return wins[:, :STARTING_HANDS] // 5
