"""Genetic algorithms on genomes of fixed length: bits, or letters with a choice of their own at every locus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError, unknown_name
from holecard.evolve.engine import Population
from holecard.evolve.selection import Fitness, fittest, selection_named

Letters = NDArray[np.uint8]
Alphabet = tuple[tuple[int, ...], ...]
"""For every locus the letters that may stand there."""
Mixer = Callable[[int, int, np.random.Generator], NDArray[np.bool_]]


def bits(loci: int) -> Alphabet:
    """The alphabet of a bit string.

    >>> bits(2)
    ((0, 1), (0, 1))
    """
    return ((0, 1),) * loci


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticConfig:
    """A genetic algorithm. By default the 260-bit algorithm's: roulette, one-point crossover, 1 % of bits flipped."""

    alphabet: Alphabet
    """The letters (0 to 255) allowed at each locus."""
    population: int = 100
    """Individuals in a generation."""
    selection: str = "roulette"
    """How parents are drawn: roulette, windowed, tournament or rank."""
    tournament_size: int = 3
    """Entrants of a tournament."""
    crossover: str = "single-point"
    """How parents mix: single-point, two-point or uniform."""
    crossover_rate: float = 1.0
    """The chance that a pair mixes at all; otherwise its children are copies."""
    mutation_rate: float = 0.01
    """The chance of each locus of a child to take another of its letters."""
    elites: int = 2
    """How many of the fittest pass unchanged."""

    def __post_init__(self) -> None:
        if len(self.alphabet) < 2:
            raise SettingError(f"a genome needs 2 loci or more; got {len(self.alphabet)}")
        for locus, letters in enumerate(self.alphabet):
            if not letters or len(set(letters)) < len(letters) or min(letters) < 0 or max(letters) > 255:
                raise SettingError(f"locus {locus} needs distinct letters from 0 to 255; got {letters}")
        if not 0 <= self.elites < self.population:
            raise SettingError(
                f"elites must be 0 to {self.population - 1}, fewer than the population; got {self.elites}"
            )
        for name in ("crossover_rate", "mutation_rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingError(f"{name} must be 0 to 1; got {getattr(self, name)}")
        if self.crossover not in CROSSOVERS:
            raise SettingError(unknown_name("crossover", self.crossover, CROSSOVERS))
        selection_named(self.selection, self.tournament_size)


class GeneticEngine:
    """Elites first, then children of selected parents, mixed and mutated. Populations are uint8 of shape (n, loci)."""

    def __init__(self, config: GeneticConfig) -> None:
        self.config = config
        self._sizes = np.array([len(letters) for letters in config.alphabet])
        self._letters = np.zeros((len(config.alphabet), int(self._sizes.max())), np.uint8)
        for locus, letters in enumerate(config.alphabet):
            self._letters[locus, : len(letters)] = letters
        self._places = np.zeros((len(config.alphabet), 256), np.int64)  # where a locus' list holds a letter
        for locus, letters in enumerate(config.alphabet):
            self._places[locus, list(letters)] = np.arange(len(letters))
        self._select = selection_named(config.selection, config.tournament_size)

    def first(self, rng: np.random.Generator) -> Letters:
        """Genomes whose every locus is any of its letters with equal chance."""
        loci = np.arange(len(self._sizes))
        genomes: Letters = self._letters[loci, rng.integers(self._sizes, size=(self.config.population, len(loci)))]
        return genomes

    def following(self, population: Population, fitness: Fitness, generation: int, rng: np.random.Generator) -> Letters:
        """The elites unchanged, then mutated children of selected pairs."""
        elite = population[fittest(fitness, self.config.elites)]
        count = self.config.population - len(elite)
        pairs = (count + 1) // 2
        parents = population[self._select(fitness, 2 * pairs, rng)]
        children = self._cross(parents[::2], parents[1::2], rng)[:count]
        return np.concatenate([elite, self._mutate(children, rng)])

    def could_have_made(self, population: Population) -> bool:
        """True if every letter is allowed at its locus."""
        loci = np.arange(population.shape[1])
        return bool((self._letters[loci, self._places[loci, population]] == population).all())

    def _cross(self, first: Letters, second: Letters, rng: np.random.Generator) -> Letters:
        pairs, loci = first.shape
        from_first = CROSSOVERS[self.config.crossover](pairs, loci, rng)
        if self.config.crossover_rate < 1:
            from_first |= rng.random((pairs, 1)) >= self.config.crossover_rate
        children = np.empty((2 * pairs, loci), np.uint8)
        children[::2] = np.where(from_first, first, second)
        children[1::2] = np.where(from_first, second, first)
        return children

    def _mutate(self, children: Letters, rng: np.random.Generator) -> Letters:
        rows, loci = np.nonzero(rng.random(children.shape) < self.config.mutation_rate)
        has_choice = self._sizes[loci] > 1
        rows, loci = rows[has_choice], loci[has_choice]
        shift = rng.integers(1, self._sizes[loci]) if len(loci) else np.empty(0, np.int64)
        place = (self._places[loci, children[rows, loci]] + shift) % self._sizes[loci]
        children[rows, loci] = self._letters[loci, place]
        return children


def _single_point(pairs: int, loci: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    cuts = rng.integers(1, loci, size=(pairs, 1))
    return np.asarray(np.arange(loci) < cuts)


def _two_point(pairs: int, loci: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    cuts = np.sort(rng.integers(0, loci + 1, size=(pairs, 2)), axis=1)
    return np.asarray((np.arange(loci) < cuts[:, :1]) | (np.arange(loci) >= cuts[:, 1:]))


def _uniform(pairs: int, loci: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    return rng.random((pairs, loci)) < 0.5


CROSSOVERS: Final[Mapping[str, Mixer]] = MappingProxyType(
    {"single-point": _single_point, "two-point": _two_point, "uniform": _uniform}
)
"""Every crossover by name: (pairs, loci, rng) to a mask, true where the first child takes from the first parent."""
