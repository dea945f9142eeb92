"""Genetic algorithms on genomes of fixed length: bits, or letters with a choice of their own at every locus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.evolve.engine import Population
from holecard.evolve.registry import GeneticSettings
from holecard.evolve.selection import Fitness, Ranking, fittest, selection_named

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


class GeneticEngine:
    """Elites first, then children of selected parents, mixed and mutated. Populations are uint8 of shape (n, loci)."""

    def __init__(
        self,
        alphabet: Alphabet,
        settings: GeneticSettings | None = None,
        mutation_rates: NDArray[np.float64] | None = None,
    ) -> None:
        """An engine of genomes with these letters, each from 0 to 255, allowed at each locus.

        `mutation_rates`, (loci,), stand in place of the one rate of the settings.
        """
        check_alphabet(alphabet)
        self.alphabet, self.settings = alphabet, settings or GeneticSettings()
        self._rates = self.settings.mutation_rate if mutation_rates is None else mutation_rates
        self._sizes = np.array([len(letters) for letters in alphabet])
        self._letters = np.zeros((len(alphabet), int(self._sizes.max())), np.uint8)
        for locus, letters in enumerate(alphabet):
            self._letters[locus, : len(letters)] = letters
        self._places = np.zeros((len(alphabet), 256), np.int64)  # where a locus' list holds a letter
        for locus, letters in enumerate(alphabet):
            self._places[locus, list(letters)] = np.arange(len(letters))
        self._select = selection_named(self.settings.selection, self.settings.tournament_size)

    @classmethod
    def examples(cls) -> tuple[GeneticEngine, ...]:
        """Forty bits, and letters with a different choice at each locus."""
        letters = GeneticSettings(population=31, selection="tournament", crossover="uniform", elites=3)
        return cls(bits(40), GeneticSettings(population=30)), cls(((0, 1, 2), (1, 3), (7,)) * 8, letters)

    def first(self, rng: np.random.Generator) -> Letters:
        """Genomes whose every locus is any of its letters with equal chance."""
        loci = np.arange(len(self._sizes))
        genomes: Letters = self._letters[loci, rng.integers(self._sizes, size=(self.settings.population, len(loci)))]
        return genomes

    def choose(self, population: Population, fitness: Fitness) -> Ranking:
        """The fittest are elites; parents are drawn by fitness."""
        return Ranking(elites=fittest(fitness, self.settings.elites), merits=fitness)

    def following(self, population: Population, choice: Ranking, generation: int, rng: np.random.Generator) -> Letters:
        """The elites unchanged, then mutated children of selected pairs."""
        elite = population[choice.elites]
        count = self.settings.population - len(elite)
        pairs = (count + 1) // 2
        parents = population[self._select(choice.merits, 2 * pairs, rng)]
        children = self._cross(parents[::2], parents[1::2], rng)[:count]
        return np.concatenate([elite, self._mutate(children, rng)])

    def are_genomes(self, population: Population) -> bool:
        """True if every letter is allowed at its locus."""
        loci = np.arange(population.shape[1])
        return bool((self._letters[loci, self._places[loci, population]] == population).all())

    def _cross(self, first: Letters, second: Letters, rng: np.random.Generator) -> Letters:
        pairs, loci = first.shape
        from_first = CROSSOVERS[self.settings.crossover](pairs, loci, rng)
        if self.settings.crossover_rate < 1:
            from_first |= rng.random((pairs, 1)) >= self.settings.crossover_rate
        children = np.empty((2 * pairs, loci), np.uint8)
        children[::2] = np.where(from_first, first, second)
        children[1::2] = np.where(from_first, second, first)
        return children

    def _mutate(self, children: Letters, rng: np.random.Generator) -> Letters:
        rows, loci = np.nonzero(rng.random(children.shape) < self._rates)
        has_choice = self._sizes[loci] > 1
        rows, loci = rows[has_choice], loci[has_choice]
        shift = rng.integers(1, self._sizes[loci]) if len(loci) else np.empty(0, np.int64)
        place = (self._places[loci, children[rows, loci]] + shift) % self._sizes[loci]
        children[rows, loci] = self._letters[loci, place]
        return children


def check_alphabet(alphabet: Alphabet) -> None:
    """Refuse letters that genomes cannot be made of."""
    if len(alphabet) < 2:
        raise SettingError(f"a genome needs 2 loci or more; got {len(alphabet)}")
    for locus, letters in enumerate(alphabet):
        if not letters or len(set(letters)) < len(letters) or min(letters) < 0 or max(letters) > 255:
            raise SettingError(f"locus {locus} needs distinct letters from 0 to 255; got {letters}")


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
