"""A walk through the dealer's final hands sums the rows that products of all nodes sum to."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from holecard.blackjack import Composition, Rules
from holecard.blackjack.exact.dealer import bins_of, highest_end
from holecard.blackjack.exact.dealer_totals import facing
from holecard.blackjack.exact.end_rows import NO_UPCARD, EndRows, Lanes, lane_space, set_products, sum_rows
from holecard.blackjack.exact.end_walk import set_left, walk_of, walk_rows
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.split_value import drawn_ends
from holecard.blackjack.exact.supply import supply_of

RULES = Rules.from_text("1d plain push-22 target=11 limit=12 ace=1")
TABLE = RULES.table()
BINS = bins_of(TABLE)
SCARCE = Composition.of_values((4, 1, 4, 0, 4, 2, 4, 4, 4, 16))
"""Too few for some hands, so that factors are 0."""


def _both(rows: EndRows, group: int, head: int, upcard: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sums of a group's rows by a walk, and by products of all nodes."""
    hands, supply = facing(RULES.limit, TABLE).hands, supply_of(RULES, SCARCE)
    n_rows = int(rows.first_row[group + 1] - rows.first_row[group])
    summed, walked = lane_space(rows, TABLE), lane_space(rows, TABLE)
    summed.head[0] = walked.head[0] = head
    nodes = group * (len(rows.first_node) - 1) // (len(rows.first_row) - 1)
    set_products(hands.cards, rows, supply, nodes, upcard, Lanes(0, 1, 1), summed)
    sum_rows(rows, group, Lanes(0, 1, 1), summed)
    set_left(hands, supply, upcard, 0, walked)
    walk_rows(walk_of(rows, highest_end(TABLE)), supply, group, n_rows, 0, walked)
    return walked.rows[:n_rows, 0], summed.rows[:n_rows, 0]


@pytest.mark.parametrize("upcard", range(N_VALUES))
def test_whole_hands(upcard: int) -> None:
    rows = facing(RULES.limit, TABLE).rows
    for end in range(upcard * BINS, (upcard + 1) * BINS):
        walked, summed = _both(rows, end, (0, 14, 3)[end % 3], NO_UPCARD)
        assert walked == pytest.approx(summed, rel=1e-14)


@pytest.mark.parametrize("upcard", range(N_VALUES))
def test_drawn_cards(upcard: int) -> None:
    rows = drawn_ends(TABLE, by_total=True)
    for pair in range(0, N_VALUES, 3):
        for bin in range(BINS):
            group = (N_VALUES * upcard + pair) * BINS + bin
            walked, summed = _both(rows, group, (0, 2, 14)[group % 3], upcard)
            assert walked == pytest.approx(summed, rel=1e-14)


def test_a_walk_comes_to_every_final_hand_and_never_skips_a_card() -> None:
    table = Rules().table()
    rows = drawn_ends(table, by_total=True)
    first_step, steps = walk_of(rows, highest_end(table))
    final = steps[steps["sequences"] > 0.0]
    assert len(final) == len(rows.entry_node)
    assert final["sequences"].sum() == rows.entry_sequences.sum()
    grows = np.diff(steps["cards"].astype(np.int64), prepend=0)
    grows[first_step[:-1][first_step[:-1] < len(steps)]] = 0
    assert grows.max() == 1
    assert (steps["cards"][first_step[:-1][np.diff(first_step) > 0]] == 1).all()
