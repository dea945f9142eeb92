from math import exp

import numpy as np
import pytest

from holecard.blackjack.counting.ruin import STEP, Results, bankroll_for, ruin, ruin_by_formula


def coin(win):
    return Results.of(np.array([-1.0, 1.0]), np.array([1 - win, win]))


@pytest.mark.parametrize("win", [0.51, 0.55, 0.7])
@pytest.mark.parametrize("bankroll", [1, 7, 40, 5000])
def test_a_coin_has_the_gamblers_ruin(win, bankroll):
    assert ruin(coin(win), bankroll) == pytest.approx(((1 - win) / win) ** bankroll, rel=1e-6, abs=1e-300)


def test_who_does_not_win_is_ruined():
    assert ruin(coin(0.5), 1000) == 1.0
    assert bankroll_for(coin(0.49), 0.05) is None


def test_a_kelly_bank_is_lost_with_e_to_the_minus_two_as_bets_get_small():
    for step, tolerance in ((0.02, 0.03), (0.005, 0.008)):
        results = coin(0.5 + step)
        bank = results.variance / results.mean
        assert ruin(results, round(bank)) == pytest.approx(exp(-2), rel=tolerance)
        assert ruin_by_formula(results.mean, results.variance, bank) == pytest.approx(exp(-2))


def test_a_distribution_with_doubles_is_ruined_as_often_as_in_play():
    values, chances = np.array([-2.0, -1.0, 0.0, 1.0, 1.5, 2.0]), np.array([0.04, 0.42, 0.08, 0.35, 0.05, 0.06])
    results = Results.of(values, chances)
    rng = np.random.default_rng(1)
    banks = np.full(20_000, 15.0)
    ruined = np.zeros(len(banks), bool)
    for _ in range(6000):
        playing = ~ruined & (banks < 250)
        if not playing.any():
            break
        banks[playing] += rng.choice(values, playing.sum(), p=chances)
        ruined |= banks <= 0
    share = ruined.mean()
    assert ruin(results, 15) == pytest.approx(share, abs=4 * (share * (1 - share) / len(banks)) ** 0.5)


def test_the_bankroll_for_a_risk_has_that_risk():
    results = coin(0.53)
    bank = bankroll_for(results, 0.05)
    assert ruin(results, bank) <= 0.05 < ruin(results, bank - 1)


def test_results_between_two_points_keep_their_mean():
    values, chances = np.array([-1.3, 2.7]), np.array([0.6, 0.4])
    assert Results.of(values, chances).mean == pytest.approx(0.6 * -1.3 + 0.4 * 2.7)


def test_who_never_loses_is_never_ruined():
    """A few rounds, all won: no bankroll is ever lost, and nobody looks for a factor for ever."""
    results = Results.of(np.array([1.0, 1.5]), np.array([2.0, 1.0]))
    assert ruin(results, 1.0) == 0.0
    assert bankroll_for(results, 0.05) == STEP
