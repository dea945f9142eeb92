"""The generation loop: ask for the population, tell its fitness, and the next generation stands ready.

An *engine* knows how a population begins and how one generation follows from another; it is pure. An `Evolution` adds
what every engine shares: counting generations, records, stopping, and the state a checkpoint needs. Random numbers come
from `seeds.stream(seed, generation)`, so seed and generation are the whole random state, and nothing depends on how
many threads computed the fitness.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.errors import FileProblem, FitnessError, SettingError
from holecard.evolve.selection import Fitness
from holecard.seeds import checked_seed, stream

Population = NDArray[Any]
"""Genomes, one per row: letters, weights or trees, as the engine says."""
FitnessFunction = Callable[[Population, int], Fitness]
"""The fitness, always maximised, of every row of a population in the generation of that number."""


class Choice(Protocol):
    """Who of a generation goes on, and how."""

    @property
    def figures(self) -> Mapping[str, float]:
        """What the record of the generation says of it."""


Chosen = TypeVar("Chosen", bound=Choice)


class Engine(Protocol[Chosen]):
    """How a population begins and how one generation follows from another; pure, all randomness comes in as `rng`."""

    def first(self, rng: np.random.Generator) -> Population:
        """The population of generation 0."""

    def choose(self, population: Population, fitness: Fitness) -> Chosen:
        """Who goes on, by fitness alone, without chance; −inf marks those without a fitness."""

    def following(
        self, population: Population, choice: Chosen, generation: int, rng: np.random.Generator
    ) -> Population:
        """The population of `generation` + 1, given the choice of `generation`."""

    def are_genomes(self, population: Population) -> bool:
        """True if every row is a genome of this engine: what comes from a file is asked before it is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When to stop."""

    generations: int
    """The most generations to evaluate."""
    stagnation: int | None = None
    """Stop after so many generations without a new best fitness."""
    target: float | None = None
    """Stop once the best fitness is this or more."""

    def __post_init__(self) -> None:
        if self.generations < 1:
            raise SettingError(f"generations must be 1 or more; got {self.generations}")
        if self.stagnation is not None and self.stagnation < 1:
            raise SettingError(f"stagnation must be 1 generation or more; got {self.stagnation}")


class Stop(IntEnum):
    """Why an evolution ended."""

    NOT_YET = 0
    GENERATIONS = 1
    STAGNATION = 2
    TARGET = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """One generation as it was observed. Fitness as told, not as it truly is: noise included."""

    generation: int
    """Its number, from 0."""
    best: float
    """The highest fitness."""
    mean: float
    """The mean of those that have a fitness."""
    median: float
    """Their median."""
    worst: float
    """The lowest fitness."""
    unfit: int
    """How many had no fitness: NaN or infinite."""
    figures: Mapping[str, float]
    """What the engine adds: how many are elites, say."""

    def as_dict(self) -> dict[str, Any]:
        """The record as plain JSON, the engine's figures beside the others."""
        plain = asdict(self)
        return plain | plain.pop("figures")


class Evolution:
    """One evolving population.

    The elites are part of the population that `ask` returns, so they are evaluated again in every generation and never
    keep a lucky score. The champion is the fittest of the *last* generation, for the same reason. `grades` is what was
    told last, without a fitness −inf; `fitness` is that of the last generation, once there is one.
    """

    def __init__(self, engine: Engine[Any], *, seed: int, limits: Limits) -> None:
        self.engine = engine
        self.seed = checked_seed(seed)
        self.limits = limits
        self.stop = Stop.NOT_YET
        self.generation = 0
        try:
            self.population = engine.first(stream(seed, 0))
        except MemoryError:
            raise SettingError("the population does not fit into memory; choose a smaller one") from None
        self.fitness: Fitness | None = None
        self.grades: Fitness | None = None
        self._best = -np.inf
        self._best_generation = 0

    @property
    def finished(self) -> bool:
        """True once nothing more is asked."""
        return self.stop is not Stop.NOT_YET

    def ask(self) -> Population:
        """The population whose fitness is wanted now."""
        return self.population

    def tell(self, fitness: NDArray[np.floating[Any]]) -> Generation:
        """Take the fitness of what `ask` returned and breed the next generation, unless this was the last one."""
        if self.finished:
            raise SettingError(f"the evolution ended at generation {self.generation}; nothing more is asked")
        self.grades = grades = graded(fitness, len(self.population), self.generation)
        choice = self.engine.choose(self.population, grades)
        record = observed(grades, self.generation, choice.figures)
        if record.best > self._best:
            self._best, self._best_generation = record.best, self.generation
        self.stop = self._reason_to_stop(record)
        if self.finished:
            self.fitness = grades
        else:
            self.generation += 1
            rng = stream(self.seed, self.generation)
            self.population = self.engine.following(self.population, choice, self.generation - 1, rng)
        return record

    def step(self, fitness: FitnessFunction) -> Generation:
        """Ask, evaluate and tell: one generation."""
        return self.tell(fitness(self.ask(), self.generation))

    def champion(self) -> Population:
        """The fittest genome of the last generation; of equals the first."""
        if self.fitness is None:
            raise SettingError("there is no champion before the last generation")
        return np.asarray(self.population[int(self.fitness.argmax())])

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything a checkpoint needs; the random state is the seed and the generation."""
        return {
            "population": self.population,
            "fitness": np.empty(0) if self.fitness is None else self.fitness,
            "seed": np.array(self.seed),
            "generation": np.array(self.generation),
            "best": np.array(self._best),
            "best_generation": np.array(self._best_generation),
            "stop": np.array(int(self.stop)),
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up `state` where another process left it."""
        missing = self.state().keys() - state.keys()
        if missing:
            raise FileProblem(f"the checkpoint is of another kind of run: it has no {', '.join(sorted(missing))}")
        saved = state["population"]
        if (saved.shape[1:], saved.dtype) != (self.population.shape[1:], self.population.dtype):
            raise FileProblem(
                f"the checkpoint holds genomes of {saved.dtype} {saved.shape[1:]}; "
                f"this engine's are {self.population.dtype} {self.population.shape[1:]}"
            )
        if not self.engine.are_genomes(saved):
            raise FileProblem("the checkpoint holds genomes that are none of this engine's")
        if int(state["seed"]) != self.seed:
            raise FileProblem(f"the checkpoint is of seed {int(state['seed'])}, not {self.seed}")
        self.population = saved
        self.generation = int(state["generation"])
        self.stop = Stop(int(state["stop"]))
        self.fitness = state["fitness"] if self.finished else None
        self._best = float(state["best"])
        self._best_generation = int(state["best_generation"])

    def _reason_to_stop(self, record: Generation) -> Stop:
        if self.limits.target is not None and record.best >= self.limits.target:
            return Stop.TARGET
        if self.generation + 1 >= self.limits.generations:
            return Stop.GENERATIONS
        if self.limits.stagnation is not None and self.generation - self._best_generation >= self.limits.stagnation:
            return Stop.STAGNATION
        return Stop.NOT_YET


def graded(fitness: NDArray[np.floating[Any]], individuals: int, generation: int) -> Fitness:
    """The fitness with NaN and infinities as −inf, so that they lose every comparison.

    >>> graded(np.array([0.5, np.nan, np.inf]), individuals=3, generation=0)
    array([ 0.5, -inf, -inf])
    """
    told = np.asarray(fitness, np.float64)
    if told.shape != (individuals,):
        raise FitnessError(f"fitness must be one number per individual, shape ({individuals},); got {told.shape}")
    has_fitness = np.isfinite(told)
    if not has_fitness.any():
        raise FitnessError(f"nobody in generation {generation} has a finite fitness; look at the fitness function")
    return np.where(has_fitness, told, -np.inf)


def observed(grades: Fitness, generation: int, figures: Mapping[str, float] = MappingProxyType({})) -> Generation:
    """The record of a generation whose grades are these."""
    fit = grades[~np.isneginf(grades)]
    return Generation(
        generation=generation,
        best=float(fit.max()),
        mean=float(fit.mean()),
        median=float(np.median(fit)),
        worst=float(fit.min()),
        unfit=len(grades) - len(fit),
        figures=dict(figures),
    )
