"""How far the shares of rounds with three and four hands can be off: a bound that needs the law of two hands only.

The law of two hands is exact. Of three or four alike, only the law of every two is known; among all laws that have it,
the share of rounds that win is greatest for one, and least for another. That is a linear program: the unknowns are the
probabilities of unordered results, the conditions the fifteen probabilities of two results, given the dealer's end. By
duality *any* fifteen prices bound its maximum, so nothing hangs on how well they are found: `_upper_bound` adds what
they miss.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.terms import NETS

_PAIRS: Final = tuple(combinations_with_replacement(range(NETS), 2))
_NOTHING: Final = 1e-14
"""A probability of an end below this one counts in full."""
_PENALTY: Final = 10.0
"""What a unit of an artificial unknown costs the objective, whose own coefficients are 0 and 1."""
_PIVOTS: Final = 500


class ManyHands(NamedTuple):
    """Rounds that end with three and with four hands, over all splits."""

    of_two: NDArray[np.float64]
    """(2, ends, 5, 5): P(so many hands; the dealer's end; the nets of two of them)."""
    shares: NDArray[np.float64]
    """(2, 3): the shares of all rounds that end so and win, push, lose, as they were put together."""


def error_of(many: ManyHands) -> float:
    """The most by which a share of wins, pushes or losses can be off, as a probability."""
    error = np.zeros(3)
    for at, of_two in enumerate(many.of_two):
        results = _results(at + 3)
        wanted = (results.sign == np.array([[1], [0], [-1]])).astype(np.float64)
        high, low = _bounds(results, np.concatenate([wanted, 1.0 - wanted]), of_two).reshape(2, 3)
        least = of_two.sum() - low
        error += np.maximum(np.maximum(high - many.shares[at], many.shares[at] - least), 0.0)
    return float(error.max())


class _Results(NamedTuple):
    """The unordered results of so many hands, r of them."""

    sign: NDArray[np.int64]
    """(r,): of their sum."""
    pairs: NDArray[np.float64]
    """(15, r): the share of ordered pairs of the hands that have two given results."""


@lru_cache(maxsize=2)
def _results(hands: int) -> _Results:
    listed = list(combinations_with_replacement(range(NETS), hands))
    pairs = np.zeros((len(_PAIRS), len(listed)))
    for at, result in enumerate(listed):
        for one, other in permutations(result, 2):
            pairs[_PAIRS.index((min(one, other), max(one, other))), at] += 1.0 / (hands * (hands - 1))
    sums = np.array([sum(result) - 2 * hands for result in listed])
    return _Results(np.sign(sums), pairs)


def _bounds(results: _Results, objectives: NDArray[np.float64], of_two: NDArray[np.float64]) -> NDArray[np.float64]:
    """No law with these pairs gives an objective, of (k, r), more than this, summed over the dealer's ends; (k,)."""
    total = np.zeros(len(objectives))
    for law in of_two:
        mass = float(law.sum())
        if mass > _NOTHING:
            known = np.array([law[i, j] + law[j, i] * (i != j) for i, j in _PAIRS]) / mass
            basis = _first_basis(results.pairs, known)  # where one objective ends, the next begins
            total += mass * np.array([_upper_bound(results.pairs, known, each, basis) for each in objectives])
        else:
            total += max(mass, 0.0)
    return total


class _Basis(NamedTuple):
    """A basic solution of pairs · x = known with artificial unknowns after x; changed in place."""

    columns: NDArray[np.int64]
    """(15,): the unknowns that are not 0."""
    inverse: NDArray[np.float64]
    """(15, 15): of their columns."""
    values: NDArray[np.float64]
    """(15,): of these unknowns."""
    whole: NDArray[np.float64]
    """(15, r + 15): the columns of all unknowns."""


def _first_basis(pairs: NDArray[np.float64], known: NDArray[np.float64]) -> _Basis:
    """The artificial unknowns."""
    rows, columns = pairs.shape
    whole = np.hstack([pairs, np.eye(rows)])
    return _Basis(np.arange(columns, columns + rows), np.eye(rows), np.maximum(known, 0.0), whole)


def _upper_bound(
    pairs: NDArray[np.float64], known: NDArray[np.float64], objective: NDArray[np.float64], basis: _Basis
) -> float:
    """An upper bound of objective · x over all x ≥ 0 with pairs · x = known, where Σ x = 1.

    With prices y, objective · x = y · known + (objective − y · pairs) · x, and the last part is at most its greatest
    coefficient, if that is above 0. Good prices are those at which the simplex method ends, which starts from `basis`.
    """
    prices = _prices(objective, basis)
    missed = max(float((objective - prices @ pairs).max()), 0.0)
    return min(float(prices @ known) + missed, 1.0)


def _prices(objective: NDArray[np.float64], basis: _Basis) -> NDArray[np.float64]:
    """The prices of the conditions where the simplex method ends, or gives up; `basis` is where it is then."""
    columns, inverse, values, whole = basis
    worth = np.append(objective, np.full(len(values), -_PENALTY))
    ratio = np.empty(len(values))
    for _ in range(_PIVOTS):
        gain = worth - (worth[columns] @ inverse) @ whole
        entering = int(gain.argmax())
        if gain[entering] < 1e-10:
            break
        column = inverse @ whole[:, entering]
        ratio.fill(np.inf)
        np.divide(values, column, out=ratio, where=column > 1e-11)
        leaving = int(ratio.argmin())
        if not np.isfinite(ratio[leaving]):
            break
        pivot_row, step = inverse[leaving] / column[leaving], values[leaving] / column[leaving]
        inverse -= column[:, None] * pivot_row
        values[:] = np.maximum(values - column * step, 0.0)
        inverse[leaving], values[leaving], columns[leaving] = pivot_row, step, entering
    prices: NDArray[np.float64] = worth[columns] @ inverse
    return prices
