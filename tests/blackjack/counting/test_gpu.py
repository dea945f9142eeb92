"""Shoes by a counter on a simulated GPU: every count of every group is the processor's."""

import pytest

from tests.simulated_gpu import run_all_simulated

GAMES = [
    ("1d H17 INS dealt cut=0.75", "hi-lo", "250"),  # in shared memory
    ("2d S17 LS INS dealt cut=0.8", "ko", "120"),
    ("1d H17 6:5 INS dealt cut-card=50", "halves", "200"),  # too many results for it; the shoe runs out
]


@pytest.fixture(scope="module")
def simulated():
    """What both count in every game, from one process."""
    return run_all_simulated([("counted", *game) for game in GAMES])


@pytest.mark.parametrize(("rules", "system", "rounds"), GAMES)
def test_a_gpu_counts_what_a_processor_counts(rules, system, rounds, simulated):
    same, cells, played = simulated["counted", rules, system, rounds]
    assert same
    assert cells[0] == cells[1] > 40
    assert played == int(rounds)
