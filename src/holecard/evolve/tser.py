"""Tiered Survival and Elite Reproduction (Li & Miikkulainen 2017): evolving real-valued genomes such as networks.

A share of the population survives. Survivors at or above the survivors' mean fitness are *elites*: they pass unchanged
and only they reproduce. The other survivors, the *second tier*, stay but are mutated, as all children are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel
from holecard.errors import SettingError
from holecard.evolve.counted_breeding import MANY_GENES, Breeding, bred
from holecard.evolve.engine import Population
from holecard.evolve.registry import Size, TserSettings
from holecard.evolve.selection import Fitness, Indices, fittest
from holecard.seeds import drawn_seed

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """Who survives a generation, and how."""

    elites: Indices
    """Those who pass unchanged and reproduce, the fittest first."""
    second: Indices
    """Those who pass mutated and do not reproduce, the fittest first."""

    @property
    def figures(self) -> dict[str, float]:
        """How many are in each tier."""
        return {"elites": len(self.elites), "second_tier": len(self.second)}


class TserEngine:
    """Elites, then the second tier, then children. Populations are float32 of shape (n, genes)."""

    def __init__(self, settings: TserSettings, size: Size) -> None:
        self.settings, self.size = settings, size
        self.survivors = settings.survivors(size.population)
        self.least_elites = settings.least_elites if settings.tiers else self.survivors
        if not 1 <= self.least_elites <= self.survivors < size.population:
            raise SettingError(
                f"least_elites ≤ survivors < population is needed; "
                f"got {self.least_elites}, {self.survivors}, {size.population}"
            )

    @classmethod
    def examples(cls) -> tuple[TserEngine, ...]:
        """Thirty weights."""
        return (cls(TserSettings(), Size(genes=30, population=20, generations=12)),)

    def first(self, rng: np.random.Generator) -> Weights:
        """Gaussian weights around 0."""
        shape, own = (self.size.population, self.size.genes), self.size.first_deviations
        deviation = self.settings.initial_deviation if own is None else own
        return (deviation * box_muller(rng, shape)).astype(np.float32)

    def choose(self, population: Population, fitness: Fitness) -> Tiers:
        """The tiers of a generation."""
        return tiers_of(fitness, self.survivors, self.least_elites)

    def following(self, population: Population, choice: Tiers, generation: int, rng: np.random.Generator) -> Weights:
        """Elites bit for bit, the second tier mutated, and mutated children of pairs of elites."""
        settings, size = self.settings, self.size
        rate = decayed(*settings.mutation_rate, generation, size.generations)
        strength = decayed(*settings.mutation_strength, generation, size.generations)
        count = size.population - len(choice.elites) - len(choice.second)
        pairs = drawn_pairs if settings.crossover == "interleaved" else pairs_in_turn
        first, second = (choice.elites[parents] for parents in pairs(len(choice.elites), count, rng))
        if population.size > MANY_GENES:
            alone = np.concatenate([choice.elites, choice.second])
            breeding = Breeding(
                first=np.concatenate([alone, first]),
                second=np.concatenate([alone, second]),
                from_second=self.from_second,
                kept=len(choice.elites),
                rate=rate,
                strength=strength,
                seed=np.uint64(drawn_seed(rng)),
            )
            return bred(population, breeding)
        children = np.where(self.from_second, population[second], population[first])
        others = mutated(np.concatenate([population[choice.second], children]), rate, strength, rng)
        return np.concatenate([population[choice.elites], others])

    @property
    def from_second(self) -> NDArray[np.bool_]:
        """Which genes a child has from its second parent, (genes): every other one, in the order of its crossover."""
        positions = self.size.author_positions if self.settings.crossover == "author" else None
        return np.asarray((np.arange(self.size.genes) if positions is None else positions) % 2 == 1)

    def are_genomes(self, population: Population) -> bool:
        """True if every weight is a number."""
        return bool(np.isfinite(population).all())


def tiers_of(fitness: Fitness, survivors: int, least_elites: int = 1) -> Tiers:
    """The tiers of a generation. Nobody without a fitness (−inf) survives, even if fewer than `survivors` do.

    >>> tiers_of(np.array([0.0, 5.0, 1.0, 3.0]), survivors=3)
    Tiers(elites=array([1, 3]), second=array([2]))
    """
    surviving = fittest(fitness, survivors)
    elites = max(least_elites, int((fitness[surviving] >= fitness[surviving].mean()).sum()))
    return Tiers(elites=surviving[:elites], second=surviving[elites:])


def drawn_pairs(elites: int, count: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """The parents of `count` children, random pairs of different elites; a single elite is crossed with itself."""
    first = rng.integers(elites, size=count)
    second = (first + rng.integers(1, elites, size=count)) % elites if elites > 1 else first
    return first, second


def pairs_in_turn(elites: int, count: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """The parents of `count` children, the elites in turn, each with any elite, itself too."""
    return np.arange(count) % elites, rng.integers(elites, size=count)


def mutated(genomes: Weights, rate: float, strength: float, rng: np.random.Generator) -> Weights:
    """Copies with Gaussian noise of deviation `strength` on each gene with probability `rate`."""
    chosen = np.empty(genomes.shape, np.bool_)
    for row in range(len(genomes)):  # one by one: the numbers of a whole population would not fit a cache
        np.less(rng.random(genomes.shape[1:]), rate, out=chosen[row])
    copies = genomes.copy()
    noise = (strength * box_muller(rng, (int(np.count_nonzero(chosen)),))).astype(np.float32)
    if noise.size:
        _add_where(copies.reshape(-1), chosen.reshape(-1), noise)
    return copies


@kernel
def _add_where(genes: Any, chosen: Any, noise: Any) -> None:
    """genes[chosen] += noise in one pass: float32 (n), bool (n), float32 (as many as are chosen, one or more)."""
    used, last = 0, noise.shape[0] - 1
    for gene in range(genes.shape[0]):
        changed = genes[gene] + noise[min(used, last)]
        genes[gene] = changed if chosen[gene] else genes[gene]  # no branch: it would be guessed wrong too often
        used += chosen[gene]


def decayed(start: float, end: float, generation: int, generations: int) -> float:
    """The value on the line from `start` in generation 0 to `end` in the last.

    >>> decayed(0.25, 0.05, 0, 250), decayed(0.25, 0.05, 249, 250)
    (0.25, 0.05)
    """
    share = min(generation / max(generations - 1, 1), 1.0)
    return start * (1 - share) + end * share


def box_muller(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Standard Gaussian numbers by Box and Muller's transform: two from every two uniform ones."""
    count = int(np.prod(shape))
    pairs = (count + 1) // 2
    radius = np.sqrt(-2 * np.log1p(-rng.random(pairs)))  # log1p(−u): u is below 1 and may be 0
    angle = 2 * np.pi * rng.random(pairs)
    return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:count].reshape(shape)
