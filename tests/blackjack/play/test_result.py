"""What a simulation says of a tally: every number with its error."""

from dataclasses import fields
from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.kernels import TALLY
from holecard.blackjack.play.result import Simulation, most_bets, summary
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.named import named_strategy
from holecard.estimate import Estimate

CLASSIC = Rules.preset("classic")
PLAIN = {"rounds", "seconds", "complete"}
"""What is counted or measured, not estimated."""


def test_every_estimated_number_carries_its_error():
    result = simulate(named_strategy("basic", Rules()), Rules(), 20_000, bankroll=20, trip=100)
    for field in fields(Simulation):
        value = getattr(result, field.name)
        assert isinstance(value, Estimate) != (field.name in PLAIN), field.name
        if field.name not in PLAIN:
            assert 0 <= value.stderr < 1, field.name


def test_shares_and_their_errors_are_those_of_the_counts():
    tally = np.array([1000, 400, 100, -100 * CLASSIC.unit, 900 * CLASSIC.unit**2, 0, 250, 0, 0])
    result = summary(tally, CLASSIC, None, 1.0, True)
    assert (result.win.mean, result.push.mean, result.lose.mean, result.bust.mean) == (0.4, 0.1, 0.5, 0.25)
    assert result.win.stderr == pytest.approx(sqrt(0.4 * 0.6 / 999))
    points = [1.0] * 400 + [0.5] * 100 + [0.0] * 500
    assert result.fitness.mean == pytest.approx(np.mean(points))
    assert result.fitness.stderr == pytest.approx(np.std(points, ddof=1) / sqrt(1000))
    assert result.stdev.mean == pytest.approx(np.std([1.0] * 400 + [0.0] * 100 + [-1.0] * 500, ddof=1))


@pytest.mark.parametrize("rounds", [0, 1])
def test_too_few_rounds_say_nothing_of_the_error(rounds):
    tally = np.zeros(TALLY, np.int64)
    tally[:2] = rounds
    result = summary(tally, CLASSIC, None, 1.0, True)
    assert result.win == Estimate(mean=float(rounds), stderr=inf, n=rounds)
    assert result.stdev.stderr == inf


@pytest.mark.parametrize("text", ["classic", "casino", "6d 6:5 LS"])
def test_the_error_of_a_standard_deviation_covers_how_far_samples_scatter(text):
    rules = Rules.from_text(text)
    basic = named_strategy("basic", rules)
    samples = [simulate(basic, rules, 2_000, seed=seed, threads=1).stdev for seed in range(60)]
    scatter = np.std([sample.mean for sample in samples], ddof=1)
    assert scatter < 1.3 * samples[0].stderr


@pytest.mark.parametrize(
    ("rules", "most"),
    [
        (Rules(), 8),
        (Rules(das=False), 4),
        (Rules(max_hands=1), 2),
        (Rules(max_hands=1, bj=Fraction(5)), 5),
        (Rules(insurance=True), 9),
        (CLASSIC, 1),
    ],
)
def test_the_most_a_round_can_win_or_lose(rules, most):
    assert most_bets(rules) == most


def test_ruin_in_the_long_run_is_uncertain_where_the_sign_of_the_ev_is():
    def ruin(wins):
        tally = np.array([100, wins, 0, (2 * wins - 100) * CLASSIC.unit, 100 * CLASSIC.unit**2, 0, 0, 10, 5])
        return summary(tally, CLASSIC, 10.0, 1.0, True).long_run_ruin

    assert (ruin(20).mean, ruin(20).stderr) == (1.0, 0.0)
    assert ruin(49).mean == 1.0
    assert ruin(49).stderr > 0.5
    assert 0 < ruin(80).mean < 1e-3
