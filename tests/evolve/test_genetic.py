"""The genetic engine: letters stay legal, operators do what their names say, and it solves what it should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import SettingError
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.genetic import CROSSOVERS, Alphabet, GeneticEngine, Letters, bits
from holecard.evolve.registry import GeneticSettings
from holecard.evolve.selection import SELECTIONS
from holecard.settings import settings_of

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
    settings = GeneticSettings(population=population, crossover=crossover, selection=selection, mutation_rate=0.5)
    engine = GeneticEngine(alphabet, settings)
    rng = np.random.default_rng(seed)
    genomes = engine.first(rng)
    for generation in range(3):
        genomes = engine.following(genomes, engine.choose(genomes, rng.random(population)), generation, rng)
        assert genomes.shape == (population, len(alphabet))
        assert engine.are_genomes(genomes)
        for locus, letters in enumerate(alphabet):
            assert set(genomes[:, locus].tolist()) <= set(letters)


def bred(genomes: Letters, alphabet: Alphabet, seed: int, **settings: float) -> Letters:
    """The generation after one in which all are equally fit, without elites."""
    engine = GeneticEngine(alphabet, GeneticSettings(population=len(genomes), elites=0, **settings))  # type: ignore[arg-type]
    choice = engine.choose(genomes, np.ones(len(genomes)))
    return engine.following(genomes, choice, 0, np.random.default_rng(seed))


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
    genomes = np.repeat(np.array([[0] * 50, [1] * 50], np.uint8), 10, axis=0)
    children = bred(genomes, bits(50), seed=3, mutation_rate=0)
    pairs = children.reshape(10, 2, 50).sum(axis=1)
    assert all((pair == pair[0]).all() for pair in pairs)


def test_mutation_takes_another_letter_at_the_given_rate() -> None:
    same = np.full((200, 100), 2, np.uint8)
    children = bred(same, ((1, 2, 5),) * 100, seed=4, mutation_rate=0.05)
    assert abs((children != 2).mean() - 0.05) < 4 * (0.05 * 0.95 / children.size) ** 0.5
    letters, counts = np.unique(children[children != 2], return_counts=True)
    assert letters.tolist() == [1, 5]
    assert abs(counts[0] / counts.sum() - 0.5) < 4 * 0.5 / counts.sum() ** 0.5


def test_a_crossover_rate_of_zero_copies() -> None:
    genomes = GeneticEngine(bits(20), GeneticSettings(population=10)).first(np.random.default_rng(5))
    children = bred(genomes, bits(20), seed=6, crossover_rate=0, mutation_rate=0)
    assert {row.tobytes() for row in children} <= {row.tobytes() for row in genomes}


def test_it_finds_a_hidden_word() -> None:
    word = np.random.default_rng(7).integers(0, 4, 60)
    settings = GeneticSettings(selection="tournament", crossover="uniform", mutation_rate=0.004)
    engine = GeneticEngine(((0, 1, 2, 3),) * 60, settings)
    evolution = Evolution(engine, seed=1, limits=Limits(generations=300, target=60.0))
    while not evolution.finished:
        evolution.step(lambda genomes, _: (genomes == word).sum(axis=1).astype(float))
    np.testing.assert_array_equal(evolution.champion(), word)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"elites": 100}, "elites must be 0 to 99"),
        ({"mutation_rate": 1.5}, "mutation_rate must be 0 to 1; got 1.5"),
        ({"crossover_rate": np.nan}, "crossover_rate must be a finite number, 0 to 1; got nan"),
        ({"crossover": "three-point"}, "choose single-point, two-point"),
        ({"selection": "lottery"}, "unknown selection 'lottery'"),
    ],
)
def test_settings_outside_their_limits_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        GeneticSettings(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("alphabet", "message"),
    [(((0, 1),), "2 loci or more; got 1"), (((0, 1), (1, 1)), "locus 1 needs distinct letters")],
)
def test_letters_that_cannot_be_are_refused(alphabet: Alphabet, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        GeneticEngine(alphabet)


def test_the_settings_offer_every_operator_there_is() -> None:
    choices = {named.name: named.setting.choices for named in settings_of(GeneticSettings)}
    assert choices["crossover"] == tuple(CROSSOVERS)
    assert choices["selection"] == tuple(SELECTIONS)
