"""A simulated number: its mean, its standard error and how many rounds stand behind it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its standard error; prints as `mean ± stderr`.

    >>> Estimate(mean=-0.0061, stderr=0.0001, n=100_000_000)
    -0.00610 ± 0.00010 (n=100,000,000)
    """

    mean: float
    """The sample mean."""
    stderr: float
    """Standard error of the mean (one sigma)."""
    n: int
    """Independent observations behind it."""

    @classmethod
    def from_sums(cls, total: float, squares: float, n: int) -> Estimate:
        """The mean of n observations, given their sum and their sum of squares.

        >>> Estimate.from_sums(total=2, squares=4, n=4).mean
        0.5
        """
        if n == 0:
            return cls(mean=0.0, stderr=inf, n=0)
        mean = total / n
        if n == 1:
            return cls(mean=mean, stderr=inf, n=1)
        variance = max(squares / n - mean * mean, 0.0) * (n / (n - 1))
        return cls(mean=mean, stderr=sqrt(variance / n), n=n)

    @classmethod
    def of_share(cls, count: int, n: int) -> Estimate:
        """The share of n observations that `count` of them make up.

        >>> Estimate.of_share(50, 101)
        0.49505 ± 0.05000 (n=101)
        """
        return cls.from_sums(count, count, n)

    def z(self, truth: float) -> float:
        """How many standard errors the mean lies above `truth`."""
        if self.stderr == 0:
            return 0.0 if self.mean == truth else inf
        return (self.mean - truth) / self.stderr

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Student's confidence interval of the mean; n − 1 degrees of freedom.

        >>> low, high = Estimate(mean=10.0, stderr=1.0, n=11).interval()
        >>> round(low, 3), round(high, 3)
        (7.772, 12.228)
        """
        from scipy.special import stdtrit

        if self.stderr == 0:
            return self.mean, self.mean
        if self.n < 2:
            return -inf, inf
        half = float(stdtrit(self.n - 1, (1 + confidence) / 2)) * self.stderr
        return self.mean - half, self.mean + half

    def as_json(self, *, count: str = "n") -> dict[str, float | int | None]:
        """Mean, standard error and n as plain JSON, n under the name `count`; None where a number is not finite.

        >>> Estimate(mean=0.25, stderr=0.01, n=1900).as_json(count="trips")
        {'value': 0.25, 'stderr': 0.01, 'trips': 1900}
        """
        return {"value": finite(self.mean), "stderr": finite(self.stderr), count: self.n}

    def interval_as_json(self) -> dict[str, float | None]:
        """Mean and 95 % interval as plain JSON; None where a number is not finite.

        >>> Estimate(mean=0.25, stderr=0.01, n=1).interval_as_json()
        {'value': 0.25, 'low': None, 'high': None}
        """
        low, high = self.interval()
        return {"value": finite(self.mean), "low": finite(low), "high": finite(high)}

    def __repr__(self) -> str:
        return f"{self.mean:.5f} ± {self.stderr:.5f} (n={self.n:,})"


def finite(number: float) -> float | None:
    """A number as JSON takes it: None for NaN and infinities."""
    return number if isfinite(number) else None
