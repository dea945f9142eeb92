"""Boards are numbered without gaps, and a swap of suits leads each to its canonical one."""

from itertools import combinations
from math import comb

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.holdem.equities.boards import (
    SUIT_SWAPS,
    canonical_of,
    flop_number,
    hand_on,
    pair_number,
    turn_number,
)
from holecard.holdem.equities.tables import equity_tables

cards = st.lists(st.integers(0, 51), min_size=6, max_size=6, unique=True)


def test_pairs_flops_and_turns_are_numbered_without_gaps():
    assert sorted(int(pair_number(a, b)) for a, b in combinations(range(52), 2)) == list(range(comb(52, 2)))
    assert sorted(int(flop_number(*flop)) for flop in combinations(range(52), 3)) == list(range(comb(52, 3)))
    some = [int(turn_number(*turn)) for turn in combinations(range(20), 4)]
    assert sorted(some) == list(range(comb(20, 4)))
    assert turn_number(51, 50, 49, 48) == comb(52, 4) - 1


@given(cards)
def test_the_order_of_cards_does_not_matter(held):
    a, b, c, d, *_ = held
    assert turn_number(a, b, c, d) == turn_number(d, b, a, c) == turn_number(c, d, b, a)
    assert flop_number(a, b, c) == flop_number(c, b, a) == flop_number(b, c, a)
    assert pair_number(a, b) == pair_number(b, a)


@settings(deadline=None)
@given(cards, st.sampled_from(SUIT_SWAPS))
def test_boards_alike_up_to_suits_share_a_row_and_hands_follow(held, swap):
    boards = equity_tables()[0]["boards"]
    renamed = [(card & 60) | swap[card & 3] for card in held]
    for number, table in ((flop_number, "flop"), (turn_number, "turn")):
        n = 3 if table == "flop" else 4
        here, there = boards[table][number(*held[:n])], boards[table][number(*renamed[:n])]
        assert canonical_of(here) == canonical_of(there)
        cells = equity_tables()[0][table][canonical_of(here)]
        mine, other = cells[hand_on(boards, here, *held[4:])], cells[hand_on(boards, there, *renamed[4:])]
        assert np.array_equal(mine, other)
