"""TSER against its description by Li and Miikkulainen, and PokerNet's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from holecard.errors import SettingError
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.registry import Size, TserSettings
from holecard.evolve.tser import Tiers, TserEngine, box_muller, decayed, mutated, tiers_of

FITNESSES = hnp.arrays(np.float64, st.integers(4, 50), elements=st.floats(-5, 5))


def test_the_defaults_are_those_of_the_model_card() -> None:
    settings, size = TserSettings(), Size(genes=14_545)
    assert (size.population, settings.survivors(50), size.generations) == (50, 15, 250)
    assert (settings.mutation_rate, settings.mutation_strength) == ((0.25, 0.05), (0.50, 0.10))


@given(FITNESSES)
def test_tiers_split_the_survivors_at_their_mean(fitness: np.ndarray) -> None:
    survivors = max(1, len(fitness) // 3)
    tiers = tiers_of(fitness, survivors)
    surviving = np.concatenate([tiers.elites, tiers.second])
    mean = fitness[surviving].mean()
    assert len(surviving) == survivors
    assert fitness[surviving].min() >= np.delete(fitness, surviving).max()
    assert len(tiers.elites) >= 1
    assert (fitness[tiers.elites[1:]] >= mean).all()
    assert (fitness[tiers.second] < mean).all()


def test_the_paper_wants_at_least_two_elites() -> None:
    fitness = np.array([0.0, 10.0, 1.0, 1.0, 1.0])
    assert tiers_of(fitness, 4).elites.tolist() == [1]
    assert tiers_of(fitness, 4, least_elites=2).elites.tolist() == [1, 2]


def test_nobody_without_a_fitness_survives() -> None:
    fitness = np.array([-np.inf, 1.0, -np.inf, 0.0])
    tiers = tiers_of(fitness, 3)
    assert (tiers.elites.tolist(), tiers.second.tolist()) == ([1], [3])


def test_one_generation_is_elites_untouched_then_second_tier_then_children() -> None:
    engine = TserEngine(TserSettings(), Size(genes=200, population=20, generations=10))
    population = engine.first(np.random.default_rng(1))
    fitness = np.arange(20.0)
    tiers = engine.choose(population, fitness)
    assert tiers.figures == {"elites": len(tiers.elites), "second_tier": len(tiers.second)}
    following = engine.following(population, tiers, 0, np.random.default_rng(2))
    elites, second = len(tiers.elites), len(tiers.second)
    assert following[:elites].tobytes() == population[tiers.elites].tobytes()
    kept = following[elites : elites + second] == population[tiers.second]
    assert abs(kept.mean() - 0.75) < 0.05
    assert not kept.all(axis=1).any()
    evens = following[elites + second :, ::2]
    assert all(any((row == parent[::2]).mean() > 0.5 for parent in population[tiers.elites]) for row in evens)


def children_of(elites: np.ndarray, **settings: str) -> np.ndarray:
    """Children without mutations of a population that is nothing but elites, in turn."""
    count, genes = 500, elites.shape[1]
    engine = TserEngine(
        TserSettings(mutation_rate=(0.0, 0.0), **settings),  # type: ignore[arg-type]
        Size(genes=genes, population=count + len(elites), author_positions=np.arange(genes)[::-1]),
    )
    choice = Tiers(elites=np.arange(len(elites)), second=np.empty(0, np.int64))
    return engine.following(elites, choice, 0, np.random.default_rng(3))[len(elites) :]


def test_parents_of_a_child_are_two_elites_and_the_genes_interleave() -> None:
    elites = np.repeat(np.arange(4, dtype=np.float32)[:, None], 6, axis=1)
    children = children_of(elites)
    assert (children[:, ::2] == children[:, :1]).all()
    assert (children[:, 1::2] == children[:, 1:2]).all()
    assert {(a, b) for a, b in children[:, :2].tolist()} == {(a, b) for a in range(4) for b in range(4) if a != b}
    assert (children_of(elites[:1]) == 0).all()


def test_the_authors_crossover_takes_elites_in_turn_and_counts_genes_in_his_order() -> None:
    elites = np.repeat(np.arange(4, dtype=np.float32)[:, None], 6, axis=1)
    children = children_of(elites, crossover="author")  # his order is the other way round here
    assert (children[:, 1::2] == (np.arange(500) % 4)[:, None]).all()
    assert (children[:, ::2] == children[:, :1]).all()
    assert {(a, b) for a, b in children[:, :2].tolist()} == {(a, b) for a in range(4) for b in range(4)}


def test_mutation_has_its_rate_and_strength_and_spares_the_original() -> None:
    genomes = np.zeros((100, 500), np.float32)
    changed = mutated(genomes, 0.2, 0.4, np.random.default_rng(4))
    noise = changed[changed != 0]
    assert not genomes.any()
    assert abs(len(noise) / genomes.size - 0.2) < 4 * (0.16 / genomes.size) ** 0.5
    assert abs(noise.std() - 0.4) < 4 * 0.4 / (2 * len(noise)) ** 0.5


def test_box_muller_is_gaussian() -> None:
    numbers = box_muller(np.random.default_rng(5), (20_001,))
    assert numbers.shape == (20_001,)
    assert stats.kstest(numbers, "norm").pvalue > 0.001
    assert np.isfinite(numbers).all()


def test_decay_is_linear_and_stays_at_its_end() -> None:
    values = [decayed(0.5, 0.1, generation, 5) for generation in range(7)]
    np.testing.assert_allclose(values, [0.5, 0.4, 0.3, 0.2, 0.1, 0.1, 0.1])
    assert decayed(0.5, 0.1, 0, 1) == 0.5


def test_it_climbs_a_hill() -> None:
    top = np.random.default_rng(6).normal(0, 0.5, 40).astype(np.float32)
    settings = TserSettings(mutation_rate=(0.25, 0.05), mutation_strength=(0.5, 0.02))
    evolution = Evolution(TserEngine(settings, Size(genes=40, generations=150)), seed=1, limits=Limits(generations=150))
    records = []
    while not evolution.finished:
        records.append(evolution.step(lambda genomes, _: -((genomes - top) ** 2).sum(axis=1).astype(float)))
    assert records[-1].best > 0.1 * records[0].best


def test_without_tiers_every_survivor_is_an_elite() -> None:
    engine = TserEngine(TserSettings(tiers=False), Size(genes=3, population=20))
    tiers = engine.choose(np.zeros((20, 3), np.float32), np.arange(20.0))
    assert (len(tiers.elites), len(tiers.second)) == (6, 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"survival": 1.0}, "survival must be above 0 and below 1; got 1.0"),
        ({"survival": 0.0}, "survival must be above 0 and below 1; got 0.0"),
        ({"survival": -1.0}, "survival must be above 0"),
        ({"survival": np.nan}, "survival must be a finite number, above 0 and below 1; got nan"),
        ({"survival": 0.995}, "least_elites ≤ survivors < population is needed; got 1, 50, 50"),
        ({"least_elites": 16}, "got 16, 15, 50"),
        ({"mutation_rate": (2.0, 0.1)}, "mutation_rate must be 0 to 1"),
        ({"mutation_strength": (-1.0, 0.1)}, "mutation_strength must be 0 or more"),
        ({"mutation_strength": (0.5, np.inf)}, "mutation_strength must be a finite number, 0 or more; got inf"),
        ({"mutation_strength": (np.nan, 0.1)}, "mutation_strength must be a finite number, 0 or more; got nan"),
        ({"initial_deviation": np.nan}, "initial_deviation must be a finite number"),
    ],
)
def test_settings_outside_their_limits_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        TserEngine(TserSettings(**settings), Size(genes=10))  # type: ignore[arg-type]


def test_a_genome_has_genes() -> None:
    with pytest.raises(SettingError, match="1 gene or more; got 0"):
        Size(genes=0)
