"""Who becomes a parent: four ways to draw indices by fitness, which is always maximised.

Each takes the fitness of a generation, how many parents to draw and random numbers, and returns their indices, int64.
Fitness −inf marks those without a fitness (see `engine.graded`): they are never drawn while anybody has one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import FitnessError, SettingError, unknown_name

Fitness = NDArray[np.float64]
Indices = NDArray[np.int64]
Selection = Callable[[Fitness, int, np.random.Generator], Indices]


def roulette(fitness: Fitness, count: int, rng: np.random.Generator) -> Indices:
    """Parents drawn in proportion to raw fitness, which hardly selects where all fitnesses are nearly equal."""
    shares = np.where(np.isneginf(fitness), 0.0, fitness)
    if shares.min() < 0:
        raise FitnessError(
            f"roulette needs fitness of 0 or more; got {shares.min():.4g}; use windowed, tournament or rank selection"
        )
    return _spin(shares, fitness, count, rng)


def windowed_roulette(fitness: Fitness, count: int, rng: np.random.Generator) -> Indices:
    """Parents drawn in proportion to how far their fitness lies above the worst of the generation."""
    has_fitness = ~np.isneginf(fitness)
    return _spin(np.where(has_fitness, fitness - fitness[has_fitness].min(), 0.0), fitness, count, rng)


def tournament(fitness: Fitness, count: int, rng: np.random.Generator, *, size: int) -> Indices:
    """Parents that are each the best of `size` individuals drawn with replacement; the first drawn wins a tie."""
    entrants = rng.integers(len(fitness), size=(count, size))
    winners: Indices = entrants[np.arange(count), fitness[entrants].argmax(axis=1)]
    unfit = np.isneginf(fitness[winners])
    if unfit.any():  # a whole table without a fitness: draw that seat from those who have one
        winners[unfit] = rng.choice(np.flatnonzero(~np.isneginf(fitness)), size=int(unfit.sum()))
    return winners


def rank(fitness: Fitness, count: int, rng: np.random.Generator) -> Indices:
    """Parents drawn in proportion to their rank from the bottom: the worst counts 1, the next 2 and so on."""
    order = np.argsort(fitness, kind="stable")
    shares = np.empty(len(fitness))
    shares[order] = np.arange(1.0, len(fitness) + 1)
    return _spin(np.where(np.isneginf(fitness), 0.0, shares), fitness, count, rng)


SELECTIONS: Final[Mapping[str, Callable[..., Indices]]] = MappingProxyType(
    {"roulette": roulette, "windowed": windowed_roulette, "tournament": tournament, "rank": rank}
)
"""Every way of selection by name."""


def selection_named(name: str, tournament_size: int) -> Selection:
    """The way of selection of that name; the size matters to a tournament only."""
    if name not in SELECTIONS:
        raise SettingError(unknown_name("selection", name, SELECTIONS))
    if name == "tournament":
        if tournament_size < 1:
            raise SettingError(f"a tournament takes 1 or more; got {tournament_size}")
        return partial(tournament, size=tournament_size)
    return SELECTIONS[name]


def fittest(fitness: Fitness, count: int) -> Indices:
    """The indices of the `count` fittest, the fittest first, of equals the earlier first.

    >>> fittest(np.array([1.0, 3.0, 3.0, 2.0]), 3)
    array([1, 2, 3])
    """
    order: Indices = np.argsort(-fitness, kind="stable")[:count]
    return order[~np.isneginf(fitness[order])]


def centred_ranks(fitness: Fitness) -> NDArray[np.float64]:
    """Ranks from −½ for the lowest to ½ for the highest; equals share the mean of theirs.

    >>> centred_ranks(np.array([3.0, -np.inf, 5.0]))
    array([ 0. , -0.5,  0.5])
    >>> centred_ranks(np.array([1.0, 1.0]))
    array([0., 0.])
    """
    values, at, counts = np.unique(fitness, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = ((last - counts) + (last - 1)) / 2
    return np.asarray(ranks[at] / max(len(fitness) - 1, 1) - 0.5) if len(values) > 1 else np.zeros(len(fitness))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """Who passes unchanged, and what parents are drawn by."""

    elites: Indices
    """Those who pass, the fittest first."""
    merits: Fitness
    """What everybody counts when parents are drawn; −inf: nothing."""

    @property
    def figures(self) -> dict[str, float]:
        """Nothing that a record would not say anyway."""
        return {}


def _spin(shares: Fitness, fitness: Fitness, count: int, rng: np.random.Generator) -> Indices:
    """Indices drawn in proportion to `shares`; if all of them are 0, uniformly among those with a fitness."""
    if not shares.any():
        shares = (~np.isneginf(fitness)).astype(np.float64)
    wheel = np.cumsum(shares)
    # side="right" passes over empty shares, which a draw of exactly their edge would otherwise hit.
    landed = np.searchsorted(wheel, rng.random(count) * wheel[-1], side="right")
    indices: Indices = np.minimum(landed, np.flatnonzero(shares)[-1]).astype(np.int64)
    return indices
