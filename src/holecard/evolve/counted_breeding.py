"""Breeding large populations of weights on all cores: random numbers by counting, one pass from parents to children.

A gene's numbers are a hash of the generation's seed, the row and the gene (`holecard.seeds`), so that a population is
the same bits on any number of threads. Small populations draw from a stream, as they always did: other numbers of the
same kind.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.evolve.selection import Indices
from holecard.executor import in_order
from holecard.seeds import GOLDEN, key_of, mix

MANY_GENES: Final = 1 << 24
"""Populations with more genes than this in all are bred by counting."""
_ROWS: Final = 64
"""Rows to a job of a thread."""
_DROP: Final = np.uint64(11)
_UNIT: Final = 2.0**-53
_TWO_PI: Final = 2.0 * pi


class Breeding(NamedTuple):
    """What a population follows from."""

    first: Indices
    """The row of everybody's first parent, (n)."""
    second: Indices
    """The row of the second, (n)."""
    from_second: NDArray[np.bool_]
    """Which genes come from it, (genes)."""
    kept: int
    """So many rows at the beginning are not mutated."""
    rate: float
    """The chance of a gene of the others to be mutated."""
    strength: float
    """The standard deviation of a mutation."""
    seed: np.uint64
    """Of all the generation's random numbers."""


@rule
def uniform(key: np.uint64, counter: np.uint64) -> float:
    """The `counter`-th number of a key, from 0 up to 1, without 1."""
    return float(mix(key + counter * GOLDEN) >> _DROP) * _UNIT


@rule
def gaussian(key: np.uint64, counter: np.uint64) -> float:
    """The `counter`-th Gaussian number of a key, by Box and Muller's transform."""
    radius = sqrt(-2.0 * log(1.0 - uniform(key, counter)))
    return radius * cos(_TWO_PI * uniform(key + np.uint64(1), counter))


@kernel
def _breed_rows(population: Any, breeding: Breeding, begin: int, end: int, following: Any, mutated: Any) -> None:
    """Fill the rows from `begin` to `end` of `following` with children of `population`; both float32 (n, genes).

    `mutated` int64 (genes + 1) is to work in: the genes to mutate are listed first, since a processor guesses badly
    which one is next.
    """
    for row in range(begin, end):
        first, second = breeding.first[row], breeding.second[row]
        for gene in range(following.shape[1]):
            following[row, gene] = population[second if breeding.from_second[gene] else first, gene]
        if row >= breeding.kept:
            chosen = key_of(breeding.seed, np.uint64(2 * row))
            noise = key_of(breeding.seed, np.uint64(2 * row + 1))
            count = 0
            for gene in range(following.shape[1]):
                mutated[count] = gene
                count += uniform(chosen, np.uint64(gene)) < breeding.rate
            for at in range(count):
                gene = mutated[at]
                following[row, gene] += np.float32(breeding.strength * gaussian(noise, np.uint64(gene)))


def bred(population: NDArray[np.float32], breeding: Breeding, threads: int | None = None) -> NDArray[np.float32]:
    """The population that follows, (n, genes), on so many threads (one per core): the same bits on any number."""
    count = len(breeding.first)
    following = np.empty((count, population.shape[1]), np.float32)

    def breed(begin: int) -> None:
        mutated = np.empty(population.shape[1] + 1, np.int64)
        _breed_rows(population, breeding, begin, min(begin + _ROWS, count), following, mutated)

    for _ in in_order(breed, range(0, count, _ROWS), threads=threads):
        pass
    return following
