"""Genetic programming as an engine: ramped half-and-half, tournaments, crossover, four mutations, parsimony."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.evolve.engine import Population
from holecard.evolve.selection import Fitness, fittest, tournament
from holecard.evolve.trees.language import Language
from holecard.evolve.trees.planting import plant_half_and_half
from holecard.evolve.trees.prefix import Trees, is_whole, sizes_of
from holecard.evolve.trees.variation import Odds, breed

_KEYS = 2**63


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeConfig:
    """Genetic programming. The defaults are those of the voting programs, with limits of size and depth."""

    population: int = 200
    """Trees in a generation."""
    initial_depth: tuple[int, int] = (4, 7)
    """The least and the greatest depth of the first trees, in edges."""
    max_depth: int = 17
    """No tree is ever deeper (Koza's figure)."""
    max_size: int = 127
    """No tree ever has more nodes."""
    tournament_size: int = 4
    """Entrants of a tournament."""
    elitism: float = 0.10
    """The share of the population that passes unchanged."""
    crossover_rate: float = 0.95
    """The chance that a child gets a subtree of a second parent."""
    subtree_mutation: float = 0.02
    """The chance that a child gets a new random subtree."""
    point_mutation: float = 0.0
    """The chance that one node of a child becomes another of the same arity."""
    hoist_mutation: float = 0.0
    """The chance that a subtree of a child is replaced by a part of itself."""
    insert_mutation: float = 0.0
    """The chance that a new function is put above a node of a child, which becomes one of its arguments."""
    new_depth: int = 4
    """The greatest depth of a new subtree."""
    parsimony: float = 0.0
    """What a node costs when parents and elites are chosen. Of equals the smaller tree is chosen in any case."""

    def __post_init__(self) -> None:
        least, greatest = self.initial_depth
        if not 0 <= least <= greatest <= self.max_depth:
            raise SettingError(f"0 ≤ initial_depth ≤ max_depth is needed; got {self.initial_depth}, {self.max_depth}")
        if not 1 <= self.max_size <= 32767:
            raise SettingError(f"max_size must be 1 to 32767 nodes; got {self.max_size}")
        if self.population < 2:
            raise SettingError(f"population must be 2 or more; got {self.population}")
        if not 0 <= self.elitism < 1:
            raise SettingError(f"elitism must be 0 or more and below 1; got {self.elitism}")
        for name in ("crossover_rate", "subtree_mutation", "point_mutation", "hoist_mutation", "insert_mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingError(f"{name} must be 0 to 1; got {getattr(self, name)}")
        if self.tournament_size < 1 or self.new_depth < 0 or self.parsimony < 0:
            raise SettingError("tournament_size must be 1 or more, new_depth and parsimony 0 or more")


class TreeEngine:
    """Elites first, then children. Populations are int16 of shape (n, max_size), trees in prefix order."""

    def __init__(self, language: Language, config: TreeConfig) -> None:
        self.language = language
        self.config = config
        self._odds = Odds(
            leaves=language.leaves,
            max_depth=config.max_depth,
            new_depth=config.new_depth,
            crossover=config.crossover_rate,
            subtree=config.subtree_mutation,
            point=config.point_mutation,
            hoist=config.hoist_mutation,
            insert=config.insert_mutation,
        )

    def first(self, rng: np.random.Generator) -> Trees:
        """Ramped half-and-half."""
        trees = np.empty((self.config.population, self.config.max_size), np.int16)
        pending, dice = self._scratch()
        depths, leaves = self.config.initial_depth, self.language.leaves
        plant_half_and_half(trees, self.language.arities, leaves, depths, _key(rng), pending, dice)
        return trees

    def following(self, population: Population, fitness: Fitness, generation: int, rng: np.random.Generator) -> Trees:
        """The elites unchanged, then children of parents that won their tournaments."""
        merits = merits_of(fitness, sizes_of(population), self.config.parsimony)
        elite = population[fittest(merits, int(self.config.elitism * self.config.population))]
        children = np.empty((self.config.population - len(elite), self.config.max_size), np.int16)
        parents = tournament(merits, 2 * len(children), rng, size=self.config.tournament_size).reshape(-1, 2)
        pending, dice = self._scratch()
        spare = np.empty((2, self.config.max_size), np.int16)
        breed(children, population, parents, self.language.arities, self._odds, _key(rng), spare, pending, dice)
        return np.concatenate([elite, children])

    def could_have_made(self, population: Population) -> bool:
        """True if every row is exactly one tree of the language."""
        return all(is_whole(tree, self.language.arities) for tree in population)

    def _scratch(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        return np.empty(self.config.max_size + 1, np.int64), np.empty(2, np.uint64)


def merits_of(fitness: Fitness, sizes: NDArray[np.int64], parsimony: float = 0.0) -> NDArray[np.float64]:
    """What trees are chosen by: their place by fitness less the cost of their nodes, of equals the smaller one higher.

    >>> merits_of(np.array([1.0, 2.0, 2.0, -np.inf]), np.array([1, 9, 5, 1]))
    array([  1.,   2.,   3., -inf])
    """
    order = np.lexsort((-sizes, fitness - parsimony * sizes))
    merits = np.empty(len(fitness))
    merits[order] = np.arange(len(fitness), dtype=np.float64)
    return np.where(np.isneginf(fitness), -np.inf, merits)


def _key(rng: np.random.Generator) -> np.uint64:
    return np.uint64(rng.integers(_KEYS))
