"""Average normalised earnings: at most 1, signs kept, nobody spoiled by another."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from holecard.holdem.arena.earnings import average_normalized_earnings


@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=st.floats(-100, 100)),
    st.floats(0.01, 5),
)
def test_ane_is_at_most_one_and_keeps_signs(earnings: np.ndarray, floor: float) -> None:
    ane = average_normalized_earnings(earnings, floor)
    assert (ane <= 1 + 1e-12).all()
    losers = (earnings < 0).all(axis=1)
    assert (ane[losers] < 0).all()


def test_no_opponent_gives_more_than_its_share() -> None:
    earnings = np.array([[1_000.0, 0.0, 0.0, 0.0], [0.0, 2.0, 2.0, 2.0]])
    np.testing.assert_allclose(average_normalized_earnings(earnings, floor=0.01), [0.25, 0.75])


def test_an_individual_without_earnings_has_no_fitness_and_spoils_nobody_elses() -> None:
    earnings = np.array([[4.0, 1.0], [np.nan, 1.0], [np.inf, 1.0], [2.0, 1.0]])
    ane = average_normalized_earnings(earnings, floor=0.5)
    np.testing.assert_allclose(ane[[0, 3]], [1.0, 0.75])
    assert not np.isfinite(ane[[1, 2]]).any()
