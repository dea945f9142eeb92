from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.counting.perfect import exact_shoes, perfect_counter
from holecard.blackjack.counting.race import CountRace, run_count_race
from holecard.blackjack.counting.recorded import record_shoes
from holecard.blackjack.counting.shoe_values import shoe_values
from holecard.blackjack.counting.system import find_system
from holecard.blackjack.exact.score import score
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import HolecardError

RULES = Rules.from_text("2d S17 value INS dealt cut=0.7")
FRESH = replace(RULES, shoe="fresh")
CHART = named_strategy("basic", replace(FRESH, insurance=False))


@pytest.fixture(scope="module")
def recorded():
    return record_shoes(CHART, RULES, 200, seed=1)


def test_recorded_rounds_are_those_of_simulate(recorded):
    plain = simulate(CHART, RULES, len(recorded.net), seed=1)
    assert recorded.net.mean() == pytest.approx(plain.ev.mean, abs=1e-12)
    assert (recorded.left[recorded.round == 0].sum(axis=1) == 104).all()
    assert (np.diff(recorded.left.sum(axis=1))[np.diff(recorded.shoe) == 0] <= -4).all()
    assert (recorded.running(find_system("hi-lo"), RULES)[recorded.round == 0] == 0).all()


def test_three_values_of_a_full_shoe(recorded):
    value = next(iter(shoe_values(CHART, RULES, recorded.left[:1])))
    assert value.chart == pytest.approx(score(CHART, replace(FRESH, insurance=False)).ev, abs=1e-12)
    assert value.full == pytest.approx(value.best, abs=1e-12) == pytest.approx(solve(FRESH).ev, abs=1e-12)


def test_the_cards_left_are_played_best_by_their_own_optimum(recorded):
    for value in shoe_values(CHART, RULES, recorded.left[5:25]):
        assert value.best >= value.full - 1e-12
        assert value.best >= value.chart - 1e-12


def test_a_shoe_that_can_run_out_has_no_value():
    assert list(shoe_values(CHART, RULES, np.array([[1, 1, 1, 1, 0, 0, 0, 0, 0, 0]]))) == [None]


def test_the_mean_of_exact_evs_by_fixed_play_is_the_full_shoes(recorded):
    values = [value.full for value in shoe_values(CHART, RULES, recorded.left[recorded.round == 3][:60])]
    error = np.std(values) / len(values) ** 0.5
    assert np.mean(values) == pytest.approx(solve(replace(FRESH, insurance=False)).ev, abs=4.5 * error)


@pytest.mark.slow
def test_nobody_beats_the_perfect_counter():
    counters = run_count_race(CountRace(rules=RULES, chart=CHART, rounds=300_000, solved=120, seed=2), threads=2)
    perfect = counters[-1]
    assert perfect.name == "perfect"
    assert perfect.share.mean == 1.0
    for counter in counters[:-1]:
        error = (counter.score.stderr**2 + perfect.score.stderr**2) ** 0.5
        assert counter.score.mean < perfect.score.mean + 4 * error
    assert counters[0].average_bet == 1.0


def test_more_spread_wins_more():
    shoes = exact_shoes(CHART, RULES, solved=120, seed=3)
    assert perfect_counter(shoes, 1.3, 12).score.mean > perfect_counter(shoes, 1.3, 4).score.mean
    with pytest.raises(HolecardError, match="100 solved shoes"):
        exact_shoes(CHART, RULES, solved=10)
