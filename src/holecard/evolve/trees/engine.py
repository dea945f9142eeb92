"""Genetic programming as an engine: ramped half-and-half, tournaments, crossover, four mutations, parsimony."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.evolve.engine import Population
from holecard.evolve.registry import TreeSettings
from holecard.evolve.selection import Fitness, Ranking, fittest, tournament
from holecard.evolve.trees.language import Language, function, terminal
from holecard.evolve.trees.planting import plant_half_and_half
from holecard.evolve.trees.prefix import Trees, is_whole, sizes_of
from holecard.evolve.trees.variation import Odds, Scratch, breed

_KEYS = 2**63


class TreeEngine:
    """Elites first, then children. Populations are int16 of shape (n, max_size), trees in prefix order."""

    def __init__(self, language: Language, settings: TreeSettings | None = None) -> None:
        self.language = language
        self.settings = config = settings or TreeSettings()
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

    @classmethod
    def examples(cls) -> tuple[TreeEngine, ...]:
        """Logic of two variables."""
        logic = Language.of(
            terminal("a"),
            terminal("b"),
            function("Not", lambda x: not x),
            function("And", lambda x, y: x and y),
            function("If", lambda x, y, z: y if x else z),
        )
        settings = TreeSettings(
            population=40,
            initial_depth=(2, 4),
            max_size=40,
            subtree_mutation=0.1,
            point_mutation=0.1,
            hoist_mutation=0.1,
            insert_mutation=0.1,
        )
        return (cls(logic, settings),)

    def first(self, rng: np.random.Generator) -> Trees:
        """Ramped half-and-half."""
        trees = np.empty((self.settings.population, self.settings.max_size), np.int16)
        pending, dice = self._scratch()
        depths, leaves = self.settings.initial_depth, self.language.leaves
        plant_half_and_half(trees, self.language.arities, leaves, depths, _key(rng), pending, dice)
        return trees

    def choose(self, population: Population, fitness: Fitness) -> Ranking:
        """Merits by fitness and size; those with the most are elites."""
        merits = merits_of(fitness, sizes_of(population), self.settings.parsimony)
        elites = int(self.settings.elitism * self.settings.population)
        return Ranking(elites=fittest(merits, elites), merits=merits)

    def following(self, population: Population, choice: Ranking, generation: int, rng: np.random.Generator) -> Trees:
        """The elites unchanged, then children of parents that won their tournaments."""
        elite = population[choice.elites]
        children = np.empty((self.settings.population - len(elite), self.settings.max_size), np.int16)
        parents = tournament(choice.merits, 2 * len(children), rng, size=self.settings.tournament_size).reshape(-1, 2)
        pending, dice = self._scratch()
        scratch = Scratch(np.empty((2, self.settings.max_size), np.int16), pending, dice)
        breed(children, population, parents, self.language.arities, self._odds, _key(rng), scratch)
        return np.concatenate([elite, children])

    def are_genomes(self, population: Population) -> bool:
        """True if every row is exactly one tree of the language."""
        return all(is_whole(tree, self.language.arities) for tree in population)

    def _scratch(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        return np.empty(self.settings.max_size + 1, np.int64), np.empty(2, np.uint64)


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
