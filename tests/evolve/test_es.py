"""The evolution strategy climbs: a quadratic to its known optimum, a noisy one far past random search."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.evolve.engine import Evolution, Fitness, Limits, Population
from holecard.evolve.es import EsEngine
from holecard.evolve.registry import EsSettings, Size, engine_named
from holecard.evolve.selection import centred_ranks
from holecard.seeds import stream

GENES = 40
OPTIMUM = np.linspace(-1, 1, GENES)


def quadratic(population: Population, _: int = 0) -> Fitness:
    """0 at `OPTIMUM`, and less everywhere else; the genes' scales differ a hundredfold."""
    scales = np.geomspace(0.1, 10, GENES)
    return -np.asarray((scales * (population - OPTIMUM) ** 2).mean(axis=1))


def noisy(population: Population, generation: int) -> Fitness:
    return quadratic(population) + 0.5 * stream(3, generation).standard_normal(len(population))


def evolved(fitness, seed: int = 1, **settings) -> Evolution:
    size = Size(genes=GENES, population=50, generations=300)
    evolution = Evolution(EsEngine(EsSettings(**settings), size), seed=seed, limits=Limits(generations=300))
    while not evolution.finished:
        evolution.step(fitness)
    return evolution


def best_of_random_search(count: int) -> float:
    return float(quadratic(0.5 * stream(5).standard_normal((count, GENES))).max())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_reaches_the_optimum_of_a_quadratic(seed):
    evolution = evolved(quadratic, seed, deviation=(0.2, 0.01), learning_rate=(1.0, 1.0))
    assert quadratic(evolution.champion()[None])[0] > -0.003
    assert np.abs(evolution.population[1] - OPTIMUM)[GENES // 2 :].max() < 0.1, "the steep half is found exactly"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_noise_does_not_lead_the_mean_astray(seed):
    """The noise of one reading is 0.5; the best of as many random genomes, chosen without noise, is at −0.43."""
    mean = evolved(noisy, seed, deviation=(0.2, 0.2), learning_rate=(0.5, 0.05)).population[1]
    assert best_of_random_search(300 * 50) == pytest.approx(-0.4308, abs=1e-4)
    assert quadratic(mean[None])[0] > -0.25


def test_samples_are_mirror_images_and_the_mean_moves_along_their_ranks():
    settings = EsSettings(deviation=(0.1, 0.1), learning_rate=(0.5, 0.5))
    engine = EsEngine(settings, Size(genes=6, population=9, generations=5))
    population = engine.first(stream(1))
    mean, samples = population[1].astype(np.float64), population[2:]
    np.testing.assert_allclose(samples[:3] + samples[3:6], np.tile(2 * mean, (3, 1)), atol=1e-6)
    fitness = np.arange(9.0)
    choice = engine.choose(population, fitness)
    following = engine.following(population, choice, 0, stream(2))
    ranks = (np.arange(7) - 3) / 6
    np.testing.assert_allclose(following[1], mean + 0.5 * ranks / np.linalg.norm(ranks) @ (samples - mean), atol=1e-6)
    np.testing.assert_array_equal(following[0], population[8])


def test_where_all_are_equal_the_mean_stays():
    engine = EsEngine(EsSettings(), Size(genes=6, population=9))
    population = engine.first(stream(1))
    choice = engine.choose(population, np.zeros(9))
    np.testing.assert_array_equal(engine.following(population, choice, 0, stream(2))[1], population[1])
    assert not choice.weights.any()


def test_ranks_are_centred():
    ranks = centred_ranks(np.array([0.1, -np.inf, 7.0, 0.1, -np.inf]))
    np.testing.assert_allclose(ranks, [0.125, -0.375, 0.5, 0.125, -0.375])
    assert abs(ranks.sum()) < 1e-12


def test_settings_are_checked():
    with pytest.raises(SettingError, match="population of 4 or more; got 3"):
        EsEngine(EsSettings(), Size(genes=6, population=3))
    with pytest.raises(SettingError, match="deviation"):
        EsSettings(deviation=(0.0, 0.1))
    assert engine_named("es", "weights").settings is EsSettings
