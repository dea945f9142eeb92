"""Exact equity against a random hand as rules: tables before the river, the 990 hands of the opponent on it.

Every function takes the `EQUITY` record (`equity_tables()[0]`), so a fused kernel needs one argument for all of it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from holecard._jit import Int, rule
from holecard.holdem.boards import canonical_of, flop_number, hand_on, turn_number
from holecard.holdem.equity_tables import starting_hand
from holecard.holdem.strength import RANK_BITS, has_flush, rank_strength

PREFLOP_TOTAL: Final = 2_097_572_400
FLOP_TOTAL: Final = 1_070_190
TURN_TOTAL: Final = 45_540
RIVER_TOTAL: Final = 990

RIVER_WORK = np.dtype([("key", np.uint64, (45,)), ("bit", np.uint16, (45,))], align=True)
"""Scratch of the river count: the keys of the 45 unseen cards and, for suited ones, the bit of their rank."""

_THREE_SUITED: Final = np.uint64(0x5555 << 32)
_TOP_BITS: Final = np.uint64(0x8888 << 32)


@rule
def preflop_counts(tables: Any, a: Int, b: Int) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b of 2,097,572,400."""
    cell = tables["preflop"][starting_hand(a, b)]
    return np.int64(cell[0]), np.int64(cell[1])


@rule
def flop_counts(tables: Any, a: Int, b: Int, board: Any) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b on board[:3], of 1,070,190."""
    boards = tables["boards"]
    packed = boards["flop"][flop_number(board[0], board[1], board[2])]
    cell = tables["flop"][canonical_of(packed)][hand_on(boards, packed, a, b)]
    return np.int64(cell[0]), np.int64(cell[1])


@rule
def turn_counts(tables: Any, a: Int, b: Int, board: Any) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b on board[:4], of 45,540."""
    boards = tables["boards"]
    packed = boards["turn"][turn_number(board[0], board[1], board[2], board[3])]
    cell = tables["turn"][canonical_of(packed)][hand_on(boards, packed, a, b)]
    return np.int64(cell[0]), np.int64(cell[1])


@rule
def _suit_of_three(total: Int) -> int:
    """The suit of which the board holds three or more cards; −1 without one."""
    lifted = (total + _THREE_SUITED) & _TOP_BITS
    if lifted == np.uint64(0):
        return -1
    suit = 0
    while lifted != np.uint64(8 << 32):
        lifted >>= np.uint64(4)
        suit += 1
    return suit


@rule
def _set_out(ranking: Any, a: Int, b: Int, board: Any, suit: int, work: Any) -> int:
    """Put the 45 unseen cards into `work`, those of `suit` first; returns how many these are."""
    seen = (np.uint64(1) << np.uint64(a)) | (np.uint64(1) << np.uint64(b))
    for at in range(5):
        seen |= np.uint64(1) << np.uint64(board[at])
    suited, others = 0, 44
    for card in range(52):
        if (seen >> np.uint64(card)) & np.uint64(1):
            continue
        if card & 3 == suit:
            work["key"][np.uint64(suited)] = ranking["card_key"][card] & RANK_BITS
            work["bit"][np.uint64(suited)] = 1 << (card >> 2)
            suited += 1
        else:
            work["key"][np.uint64(others)] = ranking["card_key"][card] & RANK_BITS
            others -= 1
    return suited


@rule
def _against_ranks(ranking: Any, hero: Int, total: Int, work: Any, first: int, low: int) -> tuple[Int, Int]:
    """Wins and ties against the pairs (i, j), low ≤ i < j, first ≤ j, that make no flush."""
    win: Int = 0
    tie: Int = 0
    for j in range(first, 45):
        with_second = total + work["key"][np.uint64(j)]
        for i in range(low, j):
            other = rank_strength(ranking, with_second + work["key"][np.uint64(i)])
            win += hero > other
            tie += hero == other
    return win, tie


@rule
def _against_flushes(ranking: Any, hero: Int, held: int, count: int, suited: int, work: Any) -> tuple[Int, Int]:
    """Wins and ties against hands that make a flush on a board with `count` cards of a suit, their ranks `held`."""
    win: Int = 0
    tie: Int = 0
    flush = ranking["flush"]
    for j in range(suited):
        both = held | work["bit"][np.uint64(j)]
        for i in range(j):
            other = flush[np.uint64(both | work["bit"][np.uint64(i)])]
            win += hero > other
            tie += hero == other
        if count >= 4:
            win += (45 - suited) * (hero > flush[np.uint64(both)])
            tie += (45 - suited) * (hero == flush[np.uint64(both)])
    if count == 5:
        unsuited_hands = (45 - suited) * (44 - suited) // 2
        win += unsuited_hands * (hero > flush[np.uint64(held)])
        tie += unsuited_hands * (hero == flush[np.uint64(held)])
    return win, tie


@rule
def river_counts(tables: Any, a: Int, b: Int, board: Any, work: Any) -> tuple[Int, Int]:
    """Wins and ties of the hand a, b on the five cards of the board, of 990; `work` is one RIVER_WORK record."""
    ranking = tables["ranking"]
    keys = ranking["card_key"]
    total = np.uint64(0)
    for at in range(5):
        total += keys[board[at]]
    suit = _suit_of_three(total)
    suited = _set_out(ranking, a, b, board, suit, work)
    mine = total + keys[a] + keys[b]
    ranks = total & RANK_BITS
    if suit < 0:
        return _against_ranks(ranking, np.int64(rank_strength(ranking, mine)), ranks, work, 1, 0)
    held: Int = 0
    count = 0
    for at in range(5):
        if board[at] & 3 == suit:
            held |= 1 << np.int64(board[at] >> 2)
            count += 1
    if has_flush(mine):
        my_ranks: Int = held
        if a & 3 == suit:
            my_ranks |= 1 << np.int64(a >> 2)
        if b & 3 == suit:
            my_ranks |= 1 << np.int64(b >> 2)
        hero = np.int64(ranking["flush"][np.uint64(my_ranks)])
    else:
        hero = np.int64(rank_strength(ranking, mine))
    win, tie = _against_flushes(ranking, hero, held, count, suited, work)
    if count == 3:
        more_win, more_tie = _against_ranks(ranking, hero, ranks, work, suited, 0)
    elif count == 4:
        more_win, more_tie = _against_ranks(ranking, hero, ranks, work, suited, suited)
    else:
        more_win, more_tie = 0, 0
    return win + more_win, tie + more_tie


@rule
def equity_vs_random(tables: Any, a: Int, b: Int, board: Any, dealt: int, work: Any, ties_win: bool) -> float:
    """The probability to win with a, b and the first `dealt` (0, 3, 4, 5) cards of the board; a tie is ½, or 1."""
    if dealt == 0:
        win, tie = preflop_counts(tables, a, b)
        total = PREFLOP_TOTAL
    elif dealt == 3:
        win, tie = flop_counts(tables, a, b, board)
        total = FLOP_TOTAL
    elif dealt == 4:
        win, tie = turn_counts(tables, a, b, board)
        total = TURN_TOTAL
    else:
        win, tie = river_counts(tables, a, b, board, work)
        total = RIVER_TOTAL
    return (win + (tie if ties_win else 0.5 * tie)) / total
