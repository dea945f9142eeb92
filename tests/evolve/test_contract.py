"""One contract over every registered engine (and so over the next one, by being registered)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest

from holecard.errors import FileProblem, FitnessError, SettingError
from holecard.evolve.engine import Evolution, Fitness, Generation, Limits, Population, Stop
from holecard.evolve.registry import examples
from holecard.seeds import stream

LIMITS = Limits(generations=12)
EXAMPLES = dict(examples())


def content(population: Population) -> Fitness:
    """A fitness that every kind of genome has: the mean of its numbers."""
    return np.asarray(population.reshape(len(population), -1).mean(axis=1, dtype=np.float64))


def noisy_content(population: Population, generation: int) -> Fitness:
    """The same with noise that belongs to the generation and the individual, as dealt cards do."""
    return content(population) + 0.1 * stream(99, generation).standard_normal(len(population))


def run(evolution: Evolution, fitness: Callable[[Population, int], Fitness] = noisy_content) -> list[Generation]:
    records = []
    while not evolution.finished:
        records.append(evolution.step(fitness))
    return records


def on_threads(threads: int) -> Callable[[Population, int], Fitness]:
    """Everybody's fitness computed one by one on so many threads, in whatever order they come."""

    def fitness(population: Population, generation: int) -> Fitness:
        noise = noisy_content(population, generation) - content(population)
        with ThreadPoolExecutor(threads) as pool:
            own = pool.map(lambda row: float(content(row[None])[0]), population)
            return np.array(list(own)) + noise

    return fitness


@pytest.fixture(params=EXAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begin(name: str, seed: int = 5, limits: Limits = LIMITS) -> Evolution:
    return Evolution(EXAMPLES[name], seed=seed, limits=limits)


@cache
def undisturbed(name: str) -> tuple[Evolution, list[Generation]]:
    """A run to its end, for looking at only, and its records."""
    evolution = begin(name)
    return evolution, run(evolution)


def test_the_same_seed_gives_the_same_run_and_another_seed_another(name: str) -> None:
    one, records = undisturbed(name)
    two = begin(name)
    assert run(two) == records
    np.testing.assert_array_equal(two.champion(), one.champion())
    assert run(begin(name, seed=6)) != records


def test_the_number_of_threads_changes_nothing(name: str) -> None:
    alone = begin(name)
    records = run(alone, on_threads(1))
    for threads in (2, 5):
        together = begin(name)
        assert run(together, on_threads(threads)) == records
        np.testing.assert_array_equal(together.champion(), alone.champion())


@pytest.mark.parametrize("killed_after", [0, 1, 7, 11, 12])
def test_a_run_taken_up_again_equals_an_undisturbed_one(name: str, killed_after: int) -> None:
    whole, records = undisturbed(name)
    first = begin(name)
    before = [first.step(noisy_content) for _ in range(killed_after)]
    second = begin(name)
    second.restore({key: array.copy() for key, array in first.state().items()})
    assert before + run(second) == records
    np.testing.assert_array_equal(second.population, whole.population)
    np.testing.assert_array_equal(second.champion(), whole.champion())


@pytest.mark.parametrize("nothing", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_never_win(name: str, nothing: float) -> None:
    """Half of each generation has no fitness, always the half that would otherwise win."""

    def broken(population: Population, generation: int) -> Fitness:
        fitness = content(population)
        return np.where(fitness > np.median(fitness), nothing, fitness)

    evolution = begin(name)
    for record in run(evolution, broken):
        assert np.isfinite([record.best, record.mean, record.median, record.worst]).all()
    champion = content(evolution.champion()[None])[0]
    assert champion <= np.median(content(evolution.population))


def test_the_only_one_with_a_fitness_survives(name: str) -> None:
    evolution = begin(name)
    sole = evolution.population[3].copy()
    fitness = np.full(len(evolution.population), np.nan)
    fitness[3] = 1.0
    evolution.tell(fitness)
    assert (evolution.population == sole).all(axis=1).any()


def test_a_generation_without_any_fitness_is_refused(name: str) -> None:
    evolution = begin(name)
    with pytest.raises(FitnessError, match="nobody in generation 0"):
        evolution.tell(np.full(len(evolution.population), np.nan))
    with pytest.raises(FitnessError, match="one number per individual"):
        evolution.tell(np.zeros(3))


def test_the_fittest_pass_unchanged_and_are_asked_again(name: str) -> None:
    evolution = begin(name)
    best = evolution.population[int(content(evolution.population).argmax())].copy()
    evolution.tell(content(evolution.population))
    assert (evolution.ask() == best).all(axis=1).any()


def test_fitness_that_does_not_change_never_falls(name: str) -> None:
    best = [record.best for record in run(begin(name), lambda population, _: content(population))]
    assert best == sorted(best)
    assert best[-1] > best[0]


def test_the_population_keeps_its_shape_and_kind(name: str) -> None:
    evolution = begin(name)
    shape, dtype = evolution.population.shape, evolution.population.dtype
    while not evolution.finished:
        assert evolution.engine.are_genomes(evolution.ask())
        assert (evolution.ask().shape, evolution.ask().dtype) == (shape, dtype)
        evolution.step(noisy_content)


def test_telling_does_not_change_the_population_that_was_asked(name: str) -> None:
    evolution = begin(name)
    asked = evolution.ask()
    copy = asked.copy()
    evolution.tell(content(asked))
    np.testing.assert_array_equal(asked, copy)


def test_it_stops_when_stagnant_at_the_target_or_at_the_end(name: str) -> None:
    flat = begin(name, limits=Limits(generations=50, stagnation=4))
    assert len(run(flat, lambda population, _: np.zeros(len(population)))) == 5
    assert flat.stop is Stop.STAGNATION
    reached = begin(name, limits=Limits(generations=50, target=3.0))
    run(reached, lambda population, generation: np.full(len(population), float(generation)))
    assert (reached.stop, reached.generation) == (Stop.TARGET, 3)
    ended, records = undisturbed(name)
    assert len(records) == LIMITS.generations
    assert ended.stop is Stop.GENERATIONS
    with pytest.raises(SettingError, match="ended at generation 11"):
        ended.tell(np.zeros(len(ended.population)))


def test_a_foreign_checkpoint_is_refused(name: str) -> None:
    evolution = begin(name)
    state = evolution.state()
    with pytest.raises(FileProblem, match="seed 5, not 6"):
        begin(name, seed=6).restore(state)
    with pytest.raises(FileProblem, match="another kind of run"):
        evolution.restore({"weights": np.zeros(3)})
    with pytest.raises(FileProblem, match="genomes of float16"):
        evolution.restore({**state, "population": state["population"].astype(np.float16)})
    foreign = np.full_like(state["population"], 99)
    if foreign.dtype == np.float32:
        foreign[0, 0] = np.nan
    with pytest.raises(FileProblem, match="none of this engine's"):
        evolution.restore({**state, "population": foreign})
