"""The risk of ruin of a player whose rounds are independent and have a known distribution.

`ruin` solves the recursion: from a bankroll b the chance of ruin is the mean over results x of the chance from b + x.
Beyond the solved range the chance falls by a constant factor per unit, the root below 1 of Σ p·xᵏ = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Final

import numpy as np
from numpy.typing import NDArray

STEP: Final = 0.5
"""The grid of bankrolls and results, in lowest bets: results that lie between two points are shared between them."""
_SOLVED: Final = 4000
"""Points of the grid that are solved at most; beyond them the chance of ruin falls as its factor says."""


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The distribution of a round's result, in lowest bets, on a grid."""

    chances: NDArray[np.float64]
    """(2·reach + 1,): how likely each multiple of STEP is, from −reach to reach."""

    @classmethod
    def of(cls, values: NDArray[np.float64], chances: NDArray[np.float64]) -> Results:
        """Results of any size, each shared between the two points beside it so that the mean stays."""
        kept = chances > 0
        places, weights = values[kept] / STEP, chances[kept] / chances.sum()
        low = np.floor(places + 1e-9).astype(np.int64)
        above = np.clip(places - low, 0.0, 1.0)
        reach = int(max(np.abs(low).max() + 1, 1))
        grid = np.zeros(2 * reach + 1)
        np.add.at(grid, low + reach, weights * (1.0 - above))
        np.add.at(grid, np.minimum(low + 1, reach) + reach, weights * above)
        return cls(grid)

    @property
    def reach(self) -> int:
        """The largest result, in steps."""
        return len(self.chances) // 2

    @property
    def mean(self) -> float:
        """The mean result."""
        return float((self.chances * np.arange(-self.reach, self.reach + 1)).sum()) * STEP

    @property
    def can_lose(self) -> bool:
        """True if a round may lose."""
        return bool(self.chances[: self.reach].any())

    @property
    def variance(self) -> float:
        """The variance of a result."""
        squares = (self.chances * (np.arange(-self.reach, self.reach + 1) * STEP) ** 2).sum()
        return float(squares) - self.mean**2

    def factor(self) -> float:
        """By what the chance of ruin falls for one more step of a large bankroll; 1 where the player does not win."""
        if self.mean <= 0:
            return 1.0
        if not self.can_lose:
            return 0.0
        from scipy.optimize import brentq

        steps = np.arange(-self.reach, self.reach + 1)

        def excess(rate: float) -> float:
            return float((self.chances * np.expm1(rate * steps)).sum())

        rate = -2.0 * self.mean / self.variance * STEP
        low = rate
        while excess(low) < 0:
            low *= 1.5
        return exp(brentq(excess, low, rate * 1e-6, xtol=1e-15, rtol=1e-12))


def ruin(results: Results, bankroll: float) -> float:
    """The chance ever to lose a bankroll of so many lowest bets, played without end.

    >>> coin = Results.of(np.array([-1.0, 1.0]), np.array([0.48, 0.52]))
    >>> abs(ruin(coin, 20) - (0.48 / 0.52) ** 20) < 1e-9
    True
    """
    if results.mean <= 0:
        return 1.0
    if not results.can_lose:
        return 0.0
    factor, steps = results.factor(), round(bankroll / STEP)
    solved = min(max(steps, 1) + 4 * results.reach, _SOLVED)
    chances = _recursion(results, factor, solved)
    if steps <= solved:
        return float(chances[steps - 1]) if steps >= 1 else 1.0
    return float(chances[-1]) * factor ** (steps - solved)


def _recursion(results: Results, factor: float, points: int) -> NDArray[np.float64]:
    """The chance of ruin from 1, 2, … points steps."""
    from scipy.linalg import solve_banded

    reach, chances = results.reach, results.chances
    bands = np.zeros((2 * reach + 1, points))
    constant = np.zeros(points)
    for offset in range(-reach, reach + 1):
        chance = chances[offset + reach]
        if chance == 0.0:
            continue
        at = np.arange(points)
        target = at + offset
        inside = (target >= 0) & (target < points)
        bands[reach - offset, target[inside]] -= chance
        constant[target < 0] += chance
        above = target >= points  # there the chance is the last one's, less its factor for every step
        np.add.at(
            bands,
            (reach - (points - 1 - at[above]), np.full(above.sum(), points - 1)),
            -chance * factor ** (target[above] - points + 1),
        )
    bands[reach] += 1.0
    solved: NDArray[np.float64] = solve_banded((reach, reach), bands, constant)
    return solved


def ruin_by_formula(mean: float, variance: float, bankroll: float) -> float:
    """exp(−2 · bankroll · mean / variance): exact only as bets get small."""
    return 1.0 if mean <= 0 or not variance else exp(-2.0 * bankroll * mean / variance)


def bankroll_for(results: Results, risk: float) -> float | None:
    """The bankroll, in lowest bets, at which the chance of ruin is `risk`; None where the player does not win."""
    if results.mean <= 0:
        return None
    high = max(-log(risk) * results.variance / (2.0 * results.mean), STEP)
    while ruin(results, high) > risk:
        high *= 1.5
    low = 0.0
    while high - low > STEP:
        middle = (low + high) / 2
        low, high = (low, middle) if ruin(results, middle) <= risk else (middle, high)
    return round(high / STEP) * STEP
