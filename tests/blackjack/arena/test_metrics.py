"""Intervals do what they promise, by simulation on distributions whose truth is known."""

import numpy as np
import pytest
from scipy import stats

from holecard.blackjack.arena.metrics import mean_interval, paired_difference, ratio_interval, t_quantile, wilson

TRIALS = 4000


@pytest.mark.parametrize(("n", "truth"), [(100, 0.43), (1000, 0.09), (50, 0.5)])
def test_wilson_covers_its_share(n, truth):
    draws = np.random.default_rng(1).binomial(n, truth, TRIALS)
    intervals = {k: wilson(int(k), n) for k in np.unique(draws)}
    covered = np.mean([intervals[k].low <= truth <= intervals[k].high for k in draws])
    assert 0.93 <= covered <= 0.97


@pytest.mark.parametrize("sessions", [4, 10, 200])
def test_student_t_covers_its_mean(sessions):
    """Four sessions are where 1.96 in place of the quantile would cover 86 %."""
    samples = np.random.default_rng(2).normal(-0.006, 1.15, (TRIALS, sessions))
    found = [mean_interval(sample) for sample in samples]
    covered = np.mean([interval.low <= -0.006 <= interval.high for interval in found])
    assert 0.93 <= covered <= 0.97


def test_ratio_covers_when_sessions_differ_in_length():
    random = np.random.default_rng(3)
    hits = 0
    for _ in range(TRIALS):
        counts = random.integers(20, 100, 40).astype(float)
        totals = random.normal(-0.05 * counts, np.sqrt(counts))
        interval = ratio_interval(totals, counts)
        hits += interval.low <= -0.05 <= interval.high
    assert 0.93 <= hits / TRIALS <= 0.97


def test_ratio_of_equal_sessions_is_the_mean_of_sessions():
    totals = np.random.default_rng(4).normal(size=30)
    ratio, mean = ratio_interval(totals, np.full(30, 10.0)), mean_interval(totals / 10)
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((mean.value, mean.low, mean.high))


def test_paired_difference_is_scipys_paired_test():
    random = np.random.default_rng(5)
    luck, one, other = random.normal(size=(3, 60))
    found = paired_difference(luck + one / 5 + 0.1, luck + other / 5)
    judge = stats.ttest_rel(luck + one / 5 + 0.1, luck + other / 5)
    low, high = judge.confidence_interval()
    assert found.p_value == pytest.approx(judge.pvalue)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))


def test_p_values_are_uniform_where_there_is_no_difference():
    samples = np.random.default_rng(6).normal(size=(TRIALS, 2, 12))
    p_values = [paired_difference(one, other).p_value for one, other in samples]
    assert 0.04 <= np.mean(np.array(p_values) < 0.05) <= 0.06


def test_corners():
    assert (wilson(0, 10).low, wilson(10, 10).high) == (0.0, 1.0)
    assert wilson(0, 0).low is None
    alone = np.array([0.3])
    assert (mean_interval(alone).value, mean_interval(alone).low) == (0.3, None)
    assert paired_difference(alone, alone).p_value is None
    same = paired_difference(np.ones(5), np.ones(5))
    assert (same.interval.value, same.p_value) == (0.0, 1.0)
    assert t_quantile(9) == pytest.approx(stats.t.ppf(0.975, 9))
