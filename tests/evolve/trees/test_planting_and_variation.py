"""Random trees and what breeding does to them: always whole, never beyond the limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.errors import SettingError
from holecard.evolve.trees import (
    END,
    Language,
    TreeEngine,
    TreeSettings,
    depth_of,
    function,
    parse_tree,
    sizes_of,
    terminal,
)
from holecard.evolve.trees.engine import merits_of
from holecard.evolve.trees.prefix import is_whole
from holecard.seeds import stream

LANGUAGE = Language.of(
    *(terminal(name) for name in "abc"),
    function("Not", lambda x: not x),
    function("Id", lambda x: x),
    function("And", lambda x, y: x and y),
    function("Or", lambda x, y: x or y),
    function("If", lambda x, y, z: y if x else z),
)
ARITIES = LANGUAGE.arities


def leaf_depths(tree: np.ndarray) -> set[int]:
    pending, found = [0], set()
    for code in tree[tree != END]:
        depth = pending.pop()
        pending += [depth + 1] * int(ARITIES[code])
        if ARITIES[code] == 0:
            found.add(depth)
    return found


def test_half_are_full_half_are_grown_and_depths_are_ramped() -> None:
    config = TreeSettings(population=400, initial_depth=(2, 5), max_size=1_000)
    trees = TreeEngine(LANGUAGE, config).first(stream(1))
    for row, tree in enumerate(trees):
        depths = leaf_depths(tree)
        greatest = 2 + row % 4
        assert min(depths) >= 2
        assert max(depths) <= greatest
        if (row // 4) % 2 == 0:
            assert depths == {greatest}
    assert len({tree.tobytes() for tree in trees}) > 350


def test_trees_that_do_not_fit_become_shallower_not_crippled() -> None:
    trees = TreeEngine(LANGUAGE, TreeSettings(population=200, initial_depth=(6, 6), max_size=20)).first(stream(2))
    assert all(is_whole(tree, ARITIES) for tree in trees)
    full = [tree for row, tree in enumerate(trees) if row % 2 == 0]
    assert all(len(leaf_depths(tree)) == 1 for tree in full)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 1_000),
    max_size=st.integers(1, 40),
    max_depth=st.integers(1, 8),
    rates=st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 5),
)
def test_breeding_keeps_trees_whole_and_within_the_limits(
    seed: int, max_size: int, max_depth: int, rates: tuple[float, ...]
) -> None:
    crossover, subtree, point, hoist, insert = rates
    config = TreeSettings(
        population=30, initial_depth=(0, max_depth), max_depth=max_depth, max_size=max_size,
        crossover_rate=crossover, subtree_mutation=subtree, point_mutation=point, hoist_mutation=hoist,
        insert_mutation=insert,
    )  # fmt: skip
    engine = TreeEngine(LANGUAGE, config)
    trees = engine.first(stream(seed))
    for generation in range(4):
        choice = engine.choose(trees, stream(seed, generation).random(30))
        trees = engine.following(trees, choice, generation, stream(seed, generation, 1))
        assert engine.are_genomes(trees)
        assert sizes_of(trees).max() <= max_size
        assert max(depth_of(tree, ARITIES) for tree in trees) <= max_depth


def bred(text: str, other: str | None = None, **rates: float) -> set[tuple[int, ...]]:
    """Every tree that many children of one or two parents become."""
    settings_ = {"crossover_rate": 0.0, "subtree_mutation": 0.0, "elitism": 0.0, "tournament_size": 1, **rates}
    config = TreeSettings(population=2_000, max_size=20, initial_depth=(1, 2), **settings_)  # type: ignore[arg-type]
    parents = np.full((2_000, 20), END, np.int16)
    for half, parent in ((slice(None, 1_000), text), (slice(1_000, None), other or text)):
        codes = parse_tree(LANGUAGE, parent)
        parents[half, : len(codes)] = codes
    engine = TreeEngine(LANGUAGE, config)
    children = engine.following(parents, engine.choose(parents, np.zeros(2_000)), 0, stream(3))
    return {tuple(child[child != END].tolist()) for child in children}


def codes(*texts: str) -> set[tuple[int, ...]]:
    return {tuple(parse_tree(LANGUAGE, text).tolist()) for text in texts}


def test_crossover_puts_any_subtree_in_the_place_of_any() -> None:
    assert bred("Not(a)", "b", crossover_rate=1.0) == codes("Not(a)", "Not(b)", "b", "a", "Not(Not(a))")


def test_point_mutation_exchanges_one_node_for_another_of_its_arity() -> None:
    assert bred("And(a,Not(b))", point_mutation=1.0) == codes(
        "Or(a,Not(b))", "And(b,Not(b))", "And(c,Not(b))", "And(a,Id(b))", "And(a,Not(a))", "And(a,Not(c))"
    )


def test_hoist_mutation_replaces_a_subtree_by_a_part_of_itself() -> None:
    assert bred("And(a,Not(b))", hoist_mutation=1.0) == codes("And(a,Not(b))", "a", "Not(b)", "b", "And(a,b)")


def test_insert_mutation_puts_a_function_above_a_node() -> None:
    children = bred("Not(a)", insert_mutation=1.0, new_depth=0)
    assert (
        codes("Not(Not(a))", "Id(Not(a))", "And(b,Not(a))", "Or(Not(a),c)", "Not(Id(a))", "Not(And(a,c))") <= children
    )
    assert all(len(child) > 2 for child in children)


def test_subtree_mutation_puts_something_new_in_one_place() -> None:
    children = bred("And(a,Not(b))", subtree_mutation=1.0, new_depth=1)
    assert codes("c", "And(a,c)", "And(a,Not(c))", "Or(a,b)") <= children


def test_without_variation_children_are_copies() -> None:
    assert bred("And(a,Not(b))") == codes("And(a,Not(b))")


def test_a_node_costs_its_parsimony_and_of_equals_the_smaller_wins() -> None:
    fitness, sizes = np.array([1.0, 1.0, 1.05, -np.inf]), np.array([3, 5, 20, 1])
    assert merits_of(fitness, sizes).tolist() == [2, 1, 3, -np.inf]
    assert merits_of(fitness, sizes, parsimony=0.01).tolist() == [3, 2, 1, -np.inf]


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"initial_depth": (3, 2)}, "initial_depth ≤ max_depth"),
        ({"initial_depth": (3, 20)}, "initial_depth ≤ max_depth"),
        ({"max_size": 0}, "max_size must be 1 to 32,767; got 0"),
        ({"population": 1}, "population must be 2 to 1,000,000; got 1"),
        ({"elitism": 1.0}, "elitism must be 0 or more and below 1"),
        ({"crossover_rate": 1.1}, "crossover_rate must be 0 to 1"),
        ({"parsimony": -1.0}, "parsimony must be 0 or more; got -1.0"),
        ({"parsimony": np.nan}, "parsimony must be a finite number, 0 or more; got nan"),
    ],
)
def test_settings_outside_their_limits_are_refused(settings_: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        TreeSettings(**settings_)  # type: ignore[arg-type]


@pytest.mark.parametrize("max_depth", range(1, 8))
def test_trees_are_never_deeper_than_they_may_be(max_depth: int) -> None:
    config = TreeSettings(population=100, max_depth=max_depth)
    assert config.initial_depth == (min(4, max_depth), min(7, max_depth))
    engine = TreeEngine(LANGUAGE, config)
    trees = engine.first(stream(1))
    assert max(depth_of(tree, ARITIES) for tree in trees) == max_depth
    children = engine.following(trees, engine.choose(trees, np.arange(100.0)), 1, stream(2))
    assert max(depth_of(tree, ARITIES) for tree in children) == max_depth


def test_codes_that_are_no_tree_are_noticed() -> None:
    whole = np.array([5, 0, 1, END, END], np.int16)
    assert is_whole(whole, ARITIES)
    for wrong in ([5, 0, END, END, END], [0, 0, END, END, END], [END] * 5, [5, 0, 99, END, END], [5, END, 0, 1, END]):
        assert not is_whole(np.array(wrong, np.int16), ARITIES)
