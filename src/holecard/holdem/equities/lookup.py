"""Exact equity against a random hand as rules: tables before the river, a count of the opponent's 990 hands on it.

Every function takes the `EQUITY` record (`equity_tables()[0]`), so a fused kernel needs one argument for all of it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import Int, rule
from holecard.holdem.equities.boards import canonical_of, flop_number, hand_on, turn_number
from holecard.holdem.equities.tables import EquityTables, starting_hand
from holecard.holdem.game.strength import Cards, RankingTables, card_bit, lifted_suit, rank_strength, strength_of_sum

PREFLOP_TOTAL: Final = 2_097_572_400
FLOP_TOTAL: Final = 1_070_190
TURN_TOTAL: Final = 45_540
RIVER_TOTAL: Final = 990

RIVER_WORK = np.dtype([("count", np.int64, (13,)), ("suited", np.int64, (13,))], align=True)
"""Scratch of the river count, by rank: unseen cards, and how many of them (0 or 1) are of the board's flush suit."""
RiverWork: TypeAlias = Any
"""A `RIVER_WORK` record."""

_THREE_SUITED: Final = np.uint64(0x5555 << 32)
_TOP_BITS: Final = np.uint64(0x8888 << 32)


@rule
def preflop_counts(equity_tables: EquityTables, a: Int, b: Int) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b of 2,097,572,400."""
    cell = equity_tables["preflop"][starting_hand(a, b)]
    return np.int64(cell[0]), np.int64(cell[1])


@rule
def flop_counts(equity_tables: EquityTables, a: Int, b: Int, board: Cards) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b on board[:3], of 1,070,190."""
    boards = equity_tables["boards"]
    packed = boards["flop"][flop_number(board[0], board[1], board[2])]
    cell = equity_tables["flop"][canonical_of(packed)][hand_on(boards, packed, a, b)]
    return np.int64(cell[0]), np.int64(cell[1])


@rule
def turn_counts(equity_tables: EquityTables, a: Int, b: Int, board: Cards) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b on board[:4], of 45,540."""
    boards = equity_tables["boards"]
    packed = boards["turn"][turn_number(board[0], board[1], board[2], board[3])]
    cell = equity_tables["turn"][canonical_of(packed)][hand_on(boards, packed, a, b)]
    return np.int64(cell[0]), np.int64(cell[1])


@rule
def _suit_of_three(total: Int) -> int:
    """The suit of which the board holds three or more cards; −1 without one."""
    lifted = (total + _THREE_SUITED) & _TOP_BITS
    return -1 if lifted == np.uint64(0) else lifted_suit(lifted)


@rule
def _set_out(a: Int, b: Int, board: Cards, suit: int, work: RiverWork) -> int:
    """Count the 45 unseen cards by rank into `work`; returns how many are of `suit` (none if it is −1)."""
    for rank in range(13):
        work["count"][rank] = 4
        work["suited"][rank] = 1 if suit >= 0 else 0
    suited = 13 if suit >= 0 else 0
    for at in range(7):
        card = a if at == 0 else b if at == 1 else board[at - 2]
        work["count"][np.uint64(card >> 2)] -= 1
        if card & 3 == suit:
            work["suited"][np.uint64(card >> 2)] = 0
            suited -= 1
    return suited


@rule
def _against_ranks(ranking: RankingTables, hero: Int, total: Int, work: RiverWork) -> tuple[Int, Int]:
    """Wins and ties against all hands without a flush: the ranks of a hand decide, so 91 look-ups stand for 990."""
    win: Int = 0
    tie: Int = 0
    count, suited = work["count"], work["suited"]
    for high in range(13):
        with_high = total + ranking["card_key"][4 * high]
        for low in range(high + 1):
            if low < high:
                hands = count[high] * count[low] - suited[high] * suited[low]
            else:
                hands = count[high] * (count[high] - 1) // 2
            if hands > 0:
                other = rank_strength(ranking, with_high + ranking["card_key"][4 * low])
                win += hands * (hero > other)
                tie += hands * (hero == other)
    return win, tie


@rule
def _against_flushes(
    ranking: RankingTables, hero: Int, held: Int, on_board: int, suited: int, work: RiverWork
) -> tuple[Int, Int]:
    """Wins and ties against hands that make a flush on a board with `on_board` cards of a suit, their ranks `held`."""
    win: Int = 0
    tie: Int = 0
    flush, unsuited = ranking["flush"], 45 - suited
    for high in range(13):
        if work["suited"][high] == 0:
            continue
        with_high = held | 1 << high
        for low in range(high):
            if work["suited"][low] > 0:
                other = flush[np.uint64(with_high | 1 << low)]
                win += hero > other
                tie += hero == other
        if on_board >= 4:
            win += unsuited * (hero > flush[np.uint64(with_high)])
            tie += unsuited * (hero == flush[np.uint64(with_high)])
    if on_board == 5:
        hands = unsuited * (unsuited - 1) // 2
        win += hands * (hero > flush[np.uint64(held)])
        tie += hands * (hero == flush[np.uint64(held)])
    return win, tie


@rule
def _on_flush_board(
    ranking: RankingTables, hero: Int, total: Int, board: Cards, suit: int, suited: int, work: RiverWork
) -> tuple[Int, Int]:
    """Wins and ties on a board with three or more cards of `suit`."""
    held: Int = 0
    on_board = 0
    for at in range(5):
        if board[at] & 3 == suit:
            held |= 1 << np.int64(board[at] >> 2)
            on_board += 1
    win, tie = _against_flushes(ranking, hero, held, on_board, suited, work)
    if on_board == 5:
        return win, tie
    if on_board == 4:  # one suited card makes the flush: only unsuited cards are left to the others
        for rank in range(13):
            work["count"][rank] -= work["suited"][rank]
            work["suited"][rank] = 0
    more_win, more_tie = _against_ranks(ranking, hero, total, work)
    return win + more_win, tie + more_tie


@rule
def river_counts(equity_tables: EquityTables, a: Int, b: Int, board: Cards, work: RiverWork) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b on the five cards of the board, of 990; `work` is one RIVER_WORK record."""
    ranking = equity_tables["ranking"]
    total: Int = np.uint64(0)
    bits: Int = np.uint64(0)
    for at in range(5):
        total += ranking["card_key"][board[at]]
        bits |= card_bit(board[at])
    suit = _suit_of_three(total)
    suited = _set_out(a, b, board, suit, work)
    mine = total + ranking["card_key"][a] + ranking["card_key"][b]
    hero = strength_of_sum(ranking, mine, bits | card_bit(a) | card_bit(b))
    if suit < 0:
        return _against_ranks(ranking, hero, total, work)
    return _on_flush_board(ranking, hero, total, board, suit, suited, work)


@rule
def equity_vs_random(
    equity_tables: EquityTables, a: Int, b: Int, board: Cards, dealt: int, work: RiverWork, ties_win: bool
) -> float:
    """The probability to win with a, b and the first `dealt` (0, 3, 4, 5) cards of the board; a tie is ½, or 1."""
    if dealt == 0:
        win, tie = preflop_counts(equity_tables, a, b)
        total = PREFLOP_TOTAL
    elif dealt == 3:
        win, tie = flop_counts(equity_tables, a, b, board)
        total = FLOP_TOTAL
    elif dealt == 4:
        win, tie = turn_counts(equity_tables, a, b, board)
        total = TURN_TOTAL
    else:
        win, tie = river_counts(equity_tables, a, b, board, work)
        total = RIVER_TOTAL
    return (win + (tie if ties_win else 0.5 * tie)) / total
