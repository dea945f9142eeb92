"""Equal individuals share one evaluation: what is the same is not computed twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def evaluate_distinct(
    rows: NDArray[Any], evaluate: Callable[[NDArray[Any]], Values], known: dict[bytes, float] | None = None
) -> Values:
    """The value of every row; `evaluate` is asked once for each distinct row that is not in `known`, which grows.

    >>> asked = []
    >>> def total(rows):
    ...     asked.append(len(rows))
    ...     return rows.sum(axis=1).astype(float)
    >>> evaluate_distinct(np.array([[1, 2], [3, 4], [1, 2]]), total), asked
    (array([3., 7., 3.]), [2])
    """
    known = {} if known is None else known
    keys = [row.tobytes() for row in rows]
    first = {key: at for at, key in reversed(list(enumerate(keys))) if key not in known}
    if first:
        places = sorted(first.values())
        for at, value in zip(places, evaluate(rows[places]), strict=True):
            known[keys[at]] = float(value)
    return np.array([known[key] for key in keys])


def smallest_of_equals(rows: NDArray[Any], sizes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True for one of every set of equal rows: the smallest, of equally small ones the first.

    >>> smallest_of_equals(np.array([[1, 2], [3, 4], [1, 2]]), np.array([9, 5, 7]))
    array([False,  True,  True])
    """
    smallest: dict[bytes, int] = {}
    for at in np.argsort(sizes, kind="stable"):
        smallest.setdefault(rows[at].tobytes(), int(at))
    chosen = np.zeros(len(rows), np.bool_)
    chosen[list(smallest.values())] = True
    return chosen
