"""The genetic engine: letters stay legal, operators do what their names say, and it solves what it should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import SettingError
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.genetic import CROSSOVERS, GeneticConfig, GeneticEngine, bits
from holecard.evolve.selection import SELECTIONS

ALPHABETS = st.lists(
    st.lists(st.integers(0, 255), min_size=1, max_size=5, unique=True).map(tuple), min_size=2, max_size=12
).map(tuple)


@given(
    alphabet=ALPHABETS,
    population=st.integers(3, 12),
    crossover=st.sampled_from(list(CROSSOVERS)),
    selection=st.sampled_from(list(SELECTIONS)),
    seed=st.integers(0, 99),
)
def test_every_locus_keeps_to_its_letters(
    alphabet: tuple[tuple[int, ...], ...], population: int, crossover: str, selection: str, seed: int
) -> None:
    config = GeneticConfig(
        alphabet=alphabet, population=population, crossover=crossover, selection=selection, mutation_rate=0.5
    )
    engine = GeneticEngine(config)
    rng = np.random.default_rng(seed)
    genomes = engine.first(rng)
    for generation in range(3):
        genomes = engine.following(genomes, rng.random(population), generation, rng)
        assert genomes.shape == (population, len(alphabet))
        assert engine.could_have_made(genomes)
        for locus, letters in enumerate(alphabet):
            assert set(genomes[:, locus].tolist()) <= set(letters)


def runs(row: np.ndarray) -> int:
    return 1 + int((np.diff(row.astype(int)) != 0).sum())


@pytest.mark.parametrize(("name", "most"), [("single-point", 2), ("two-point", 3)])
def test_point_crossovers_cut_so_often(name: str, most: int) -> None:
    masks = CROSSOVERS[name](2_000, 30, np.random.default_rng(1))
    assert max(runs(row) for row in masks) == most


def test_single_point_never_copies_a_parent_and_uniform_takes_half() -> None:
    masks = CROSSOVERS["single-point"](2_000, 30, np.random.default_rng(1))
    assert (masks.any(axis=1) & ~masks.all(axis=1)).all()
    assert set(masks.sum(axis=1)) == set(range(1, 30))
    assert abs(CROSSOVERS["uniform"](2_000, 30, np.random.default_rng(1)).mean() - 0.5) < 0.01


def test_children_of_a_pair_share_out_their_parents_letters() -> None:
    config = GeneticConfig(alphabet=bits(50), population=20, mutation_rate=0, elites=0)
    genomes = np.repeat(np.array([[0] * 50, [1] * 50], np.uint8), 10, axis=0)
    children = GeneticEngine(config).following(genomes, np.ones(20), 0, np.random.default_rng(3))
    pairs = children.reshape(10, 2, 50).sum(axis=1)
    assert all((pair == pair[0]).all() for pair in pairs)


def test_mutation_takes_another_letter_at_the_given_rate() -> None:
    config = GeneticConfig(alphabet=((1, 2, 5),) * 100, population=200, mutation_rate=0.05, elites=0)
    same = np.full((200, 100), 2, np.uint8)
    children = GeneticEngine(config).following(same, np.ones(200), 0, np.random.default_rng(4))
    assert abs((children != 2).mean() - 0.05) < 4 * (0.05 * 0.95 / children.size) ** 0.5
    letters, counts = np.unique(children[children != 2], return_counts=True)
    assert letters.tolist() == [1, 5]
    assert abs(counts[0] / counts.sum() - 0.5) < 4 * 0.5 / counts.sum() ** 0.5


def test_a_crossover_rate_of_zero_copies() -> None:
    config = GeneticConfig(alphabet=bits(20), population=10, crossover_rate=0, mutation_rate=0, elites=0)
    engine = GeneticEngine(config)
    genomes = engine.first(np.random.default_rng(5))
    children = engine.following(genomes, np.ones(10), 0, np.random.default_rng(6))
    assert {row.tobytes() for row in children} <= {row.tobytes() for row in genomes}


def test_it_finds_a_hidden_word() -> None:
    word = np.random.default_rng(7).integers(0, 4, 60)
    config = GeneticConfig(
        alphabet=((0, 1, 2, 3),) * 60, selection="tournament", crossover="uniform", mutation_rate=0.004
    )
    evolution = Evolution(GeneticEngine(config), seed=1, limits=Limits(generations=300, target=60.0))
    while not evolution.finished:
        evolution.step(lambda genomes, _: (genomes == word).sum(axis=1).astype(float))
    np.testing.assert_array_equal(evolution.champion(), word)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alphabet": ((0, 1),)}, "2 loci or more; got 1"),
        ({"alphabet": ((0, 1), (1, 1))}, "locus 1 needs distinct letters"),
        ({"elites": 100}, "elites must be 0 to 99"),
        ({"mutation_rate": 1.5}, "mutation_rate must be 0 to 1; got 1.5"),
        ({"crossover": "three-point"}, "choose single-point, two-point, uniform"),
        ({"selection": "lottery"}, "unknown selection 'lottery'"),
    ],
)
def test_settings_outside_their_limits_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        GeneticConfig(**{"alphabet": bits(10), **settings})  # type: ignore[arg-type]
