"""Selection: the right shares, and nobody without a fitness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from holecard.errors import FitnessError, SettingError
from holecard.evolve.selection import SELECTIONS, fittest, selection_named

DRAWS = 40_000
FITNESS = np.array([0.1, 0.2, 0.3, 0.4])


def shares(name: str, fitness: np.ndarray, size: int = 2) -> np.ndarray:
    drawn = selection_named(name, size)(fitness, DRAWS, np.random.default_rng(1))
    return np.bincount(drawn, minlength=len(fitness)) / DRAWS


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("roulette", [0.1, 0.2, 0.3, 0.4]),
        ("windowed", [0, 1 / 6, 2 / 6, 3 / 6]),
        ("rank", [0.1, 0.2, 0.3, 0.4]),
        ("tournament", [1 / 16, 3 / 16, 5 / 16, 7 / 16]),
    ],
)
def test_parents_are_drawn_in_the_shares_of_the_textbook(name: str, expected: list[float]) -> None:
    np.testing.assert_allclose(shares(name, FITNESS), expected, atol=4 * 0.5 / DRAWS**0.5)


def test_only_raw_roulette_depends_on_where_zero_is() -> None:
    for name in ("windowed", "rank", "tournament"):
        np.testing.assert_array_equal(shares(name, FITNESS), shares(name, FITNESS - 0.375))
    with pytest.raises(FitnessError, match=r"got -0\.4; use windowed"):
        shares("roulette", FITNESS - 0.5)


@given(
    fitness=hnp.arrays(np.float64, st.integers(1, 30), elements=st.sampled_from([-np.inf, 0.0, 0.25, 1.0])),
    name=st.sampled_from(list(SELECTIONS)),
)
def test_nobody_without_a_fitness_is_ever_drawn(fitness: np.ndarray, name: str) -> None:
    fitness[0] = 0.0
    drawn = selection_named(name, 3)(fitness, 50, np.random.default_rng(2))
    assert np.isfinite(fitness[drawn]).all()
    assert np.isfinite(fitness[fittest(fitness, 10)]).all()


def test_equal_fitness_is_drawn_evenly() -> None:
    for name in ("roulette", "windowed", "tournament"):
        np.testing.assert_allclose(shares(name, np.full(4, 0.5)), 0.25, atol=4 * 0.5 / DRAWS**0.5)


def test_an_unknown_selection_lists_the_known_ones() -> None:
    with pytest.raises(SettingError, match="choose roulette, windowed, tournament, rank"):
        selection_named("lottery", 3)
    with pytest.raises(SettingError, match="1 or more; got 0"):
        selection_named("tournament", 0)
