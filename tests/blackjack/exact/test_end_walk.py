"""A walk through the dealer's final hands sums the rows that products of all nodes sum to."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.blackjack import Composition, Rules
from holecard.blackjack.exact.dealer_totals import facing
from holecard.blackjack.exact.end_rows import NO_UPCARD, EndRows, Lanes, lane_space, set_factors, set_products, sum_rows
from holecard.blackjack.exact.end_walk import walk_of, walk_rows
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.split_value import split_hands
from holecard.blackjack.exact.supply import supply_of

RULES = Rules.from_text("1d plain push-22 target=11 limit=12 ace=1")
ONE = Lanes(0, 1, 1)


def _rows_walked(rows: EndRows, groups: int, group: int, head: int, upcard: int) -> np.ndarray:
    table = RULES.table()
    hands, space = facing(RULES.limit, table).hands, lane_space(rows, table)
    row_groups = len(rows.first_row) - 1
    first, last = rows.first_row[np.array([group, group + 1]) * row_groups // groups]
    space = space._replace(rows=np.full((last - first, 1), np.nan))
    space.head[0] = head
    set_factors(hands, supply_of(RULES, Composition.of_decks(1)), upcard, ONE, space)
    walk_rows(walk_of(rows, groups), group, last - first, 0, space)
    return space.rows[:, 0]


def _rows_summed(rows: EndRows, row_groups: range, nodes: int, head: int, upcard: int) -> np.ndarray:
    table = RULES.table()
    hands, space = facing(RULES.limit, table).hands, lane_space(rows, table)
    space.head[0] = head
    set_products(hands, rows, supply_of(RULES, Composition.of_decks(1)), nodes, upcard, ONE, space)
    found = []
    for group in row_groups:
        sum_rows(rows, group, ONE, space)
        found.append(space.rows[: rows.first_row[group + 1] - rows.first_row[group], 0].copy())
    return np.concatenate(found)


@pytest.mark.parametrize(("upcard", "head"), [(0, 0), (1, 14), (9, 3)])
def test_whole_hands(upcard: int, head: int) -> None:
    rows = facing(RULES.limit, RULES.table()).rows
    bins = (len(rows.first_row) - 1) // N_VALUES
    ends = range(upcard * bins, (upcard + 1) * bins)
    walked = _rows_walked(rows, N_VALUES, upcard, head, NO_UPCARD)
    assert walked == pytest.approx(_rows_summed(rows, ends, 0, head, NO_UPCARD), rel=1e-14)
    assert walked.sum() > 0


@pytest.mark.parametrize(("upcard", "pair", "head"), [(1, 0, 0), (1, 1, 14), (5, 2, 4), (9, 9, 1)])
def test_drawn_cards(upcard: int, pair: int, head: int) -> None:
    rows, group = split_hands(RULES.table()).rows, N_VALUES * upcard + pair
    walked = _rows_walked(rows, N_VALUES**2, group, head, upcard)
    assert walked == pytest.approx(_rows_summed(rows, range(group, group + 1), group, head, upcard), rel=1e-14)
    assert walked.sum() > 0


def test_a_walk_comes_to_every_final_hand_once_and_never_skips_a_card() -> None:
    rows = split_hands(Rules().table()).rows
    walk = walk_of(rows, N_VALUES**2)
    assert len(walk.entry_row) == len(rows.entry_node)
    assert walk.entry_sequences.sum() == rows.entry_sequences.sum()
    assert walk.first_entry[-1] == len(walk.entry_row)
    steps = np.diff(walk.cards)
    begins = walk.first_step[1:-1] - 1
    assert (np.delete(steps, begins) <= 1).all()
    assert (walk.cards[walk.first_step[:-1]] == 0).all()
