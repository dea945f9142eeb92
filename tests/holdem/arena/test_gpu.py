"""Sessions on a simulated GPU: equities are the processor's bit for bit, a network's outputs within rounding."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.holdem.arena.gpu import _clear_tally
from holecard.holdem.game.statistics import TALLY
from tests.simulated_gpu import run_simulated


def test_a_cleared_tally_holds_nothing():
    tally = np.ones(1, TALLY)
    _clear_tally(tally[0])
    assert tally[0] == np.zeros(1, TALLY)[0]


def test_equities_and_chances_are_the_processors_to_the_bit():
    cpu, on_gpu = run_simulated("equities")
    assert cpu == on_gpu


def test_a_crew_of_threads_thinks_what_one_thinks_within_rounding():
    alone, together = run_simulated("thoughts")
    assert np.allclose(alone, together, rtol=0, atol=1e-5)
    assert len({round(each, 3) for each in alone}) == 3


@pytest.mark.parametrize(
    "words",
    [
        ("pokernet", "shared", "averaged", "pokernet", "eight"),
        ("pokernet", "shared", "dealt", "pokernet", "eight"),
        ("paper", "fresh", "averaged", "paper", "eight"),
        ("author", "shared", "dealt", "author", "author"),
        ("paper", "shared", "averaged", "thirds", "logs"),
    ],
)
def test_a_population_earns_the_same_where_no_decision_is_on_the_edge(words):
    cpu, on_gpu = run_simulated("earnings", *words)
    assert cpu == on_gpu
