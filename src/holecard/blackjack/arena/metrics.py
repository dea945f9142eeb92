"""Intervals and tests: Wilson for shares, Student's t for means, the paired difference.

All are two-sided, 95 % unless said otherwise, with the real t quantile for the sessions at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
Sample = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value and where the truth may well lie; the ends are None where one observation tells nothing."""

    value: float
    low: float | None
    high: float | None

    def as_dict(self) -> dict[str, float | None]:
        """As JSON."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:+.5f}"
        return f"{self.value:+.5f} [{self.low:+.5f}, {self.high:+.5f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How much better one player did than another on the same shoes."""

    interval: Interval
    """The mean difference per round, in base bets."""
    p_value: float | None
    """How likely so large a difference is, either way, if there is none."""
    stderr: float | None
    """Standard error of the mean difference."""

    def as_dict(self) -> dict[str, float | None]:
        """As JSON: value, low, high, p_value."""
        return {**self.interval.as_dict(), "p_value": self.p_value}


def wilson(successes: int, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a share.

    >>> print(wilson(50, 100))
    +0.50000 [+0.40383, +0.59617]
    """
    from scipy.special import ndtri

    if n == 0:
        return Interval(value=0.0, low=None, high=None)
    z = float(ndtri((1 + level) / 2))
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else centre - reach
    high = 1.0 if successes == n else centre + reach
    return Interval(value=share, low=low, high=high)


def t_quantile(freedom: float, level: float = LEVEL) -> float:
    """How many standard errors a two-sided Student t interval reaches.

    >>> round(t_quantile(9), 4)
    2.2622
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def mean_interval(sample: Sample, level: float = LEVEL) -> Interval:
    """Student's t interval of a mean."""
    mean, stderr = float(sample.mean()), _stderr(sample)
    if stderr is None:
        return Interval(value=mean, low=None, high=None)
    reach = t_quantile(sample.size - 1, level) * stderr
    return Interval(value=mean, low=mean - reach, high=mean + reach)


def ratio_interval(totals: Sample, counts: Sample, level: float = LEVEL) -> Interval:
    """Student's t interval of Σ totals / Σ counts over sessions, such as payout per round.

    Where all sessions are equally long this is `mean_interval` of each session's payout per round.
    """
    value = float(totals.sum() / counts.sum())
    stderr = _stderr((totals - value * counts) / counts.mean())
    if stderr is None:
        return Interval(value=value, low=None, high=None)
    reach = t_quantile(totals.size - 1, level) * stderr
    return Interval(value=value, low=value - reach, high=value + reach)


def paired_difference(sample: Sample, other: Sample, level: float = LEVEL) -> Difference:
    """The mean of `sample − other`, session by session, with Student's t interval and test."""
    from scipy.special import stdtr

    differences = sample - other
    interval, stderr = mean_interval(differences, level), _stderr(differences)
    if stderr is None:
        return Difference(interval=interval, p_value=None, stderr=None)
    if stderr == 0:
        return Difference(interval=interval, p_value=float(interval.value == 0), stderr=0.0)
    p_value = 2 * float(stdtr(differences.size - 1, -abs(interval.value) / stderr))
    return Difference(interval=interval, p_value=p_value, stderr=stderr)


def _stderr(sample: Sample) -> float | None:
    return float(sample.std(ddof=1)) / sqrt(sample.size) if sample.size > 1 else None
