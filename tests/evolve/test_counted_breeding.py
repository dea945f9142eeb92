"""Large populations: the same bits on any number of threads, elites untouched, rate and strength as asked for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from holecard.evolve import tser
from holecard.evolve.counted_breeding import Breeding, bred, gaussian, uniform
from holecard.evolve.registry import Size, TserSettings
from holecard.evolve.tser import TserEngine


def some_breeding(rows: int, genes: int, **changes: object) -> Breeding:
    parents = np.arange(rows) % 10
    usual = Breeding(parents, (parents + 1) % 10, np.arange(genes) % 2 == 1, 10, 0.2, 0.4, np.uint64(7))
    return usual._replace(**changes)  # type: ignore[arg-type]


def test_the_same_bits_on_any_number_of_threads() -> None:
    population = np.random.default_rng(1).standard_normal((10, 33)).astype(np.float32)
    breeding = some_breeding(200, 33)
    one, three = (bred(population, breeding, threads=threads) for threads in (1, 3))
    assert one.tobytes() == three.tobytes()
    assert one[:10, ::2].tobytes() == population[:, ::2].tobytes()
    assert (bred(population, some_breeding(200, 33, seed=np.uint64(8)))[10:] != one[10:]).any()


def test_rate_and_strength_are_as_asked_for_and_rows_differ() -> None:
    population = np.zeros((10, 500), np.float32)
    children = bred(population, some_breeding(400, 500))[10:]
    noise = children[children != 0]
    assert abs(len(noise) / children.size - 0.2) < 4 * (0.16 / children.size) ** 0.5
    assert stats.kstest(noise / 0.4, "norm").pvalue > 0.001
    assert len({row.tobytes() for row in children}) == len(children)
    assert abs(np.corrcoef(children[:-1].ravel(), children[1:].ravel())[0, 1]) < 0.01


def test_numbers_are_uniform_and_gaussian() -> None:
    with np.errstate(over="ignore"):
        numbers = [uniform(np.uint64(5), np.uint64(at)) for at in range(2_000)]
        noise = [gaussian(np.uint64(5), np.uint64(at)) for at in range(2_000)]
    assert stats.kstest(numbers, "uniform").pvalue > 0.001
    assert stats.kstest(noise, "norm").pvalue > 0.001


@pytest.mark.parametrize("crossover", ["interleaved", "author"])
def test_an_engine_breeds_many_by_counting_and_by_the_same_parents(
    monkeypatch: pytest.MonkeyPatch, crossover: str
) -> None:
    settings = TserSettings(crossover=crossover, mutation_rate=(0.0, 0.0))
    engine = TserEngine(settings, Size(genes=30, population=20, generations=12))
    population = engine.first(np.random.default_rng(1))
    choice = engine.choose(population, np.arange(20.0))
    few = engine.following(population, choice, 3, np.random.default_rng(2))
    monkeypatch.setattr(tser, "MANY_GENES", 0)
    many = engine.following(population, choice, 3, np.random.default_rng(2))
    assert few.tobytes() == many.tobytes()
