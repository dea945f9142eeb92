"""Compiled boolean programs against their own Python, in every situation."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.evolve.trees import (
    BooleanMachine,
    Language,
    TreeEngine,
    TreeSettings,
    VoteCount,
    constant,
    function,
    interpret,
    parse_tree,
    simplified,
    sizes_of,
    stateful,
    terminal,
)
from holecard.evolve.trees.boolean import meaning_of, pack, unpack
from holecard.seeds import stream


def voter(counter: str):  # type: ignore[no-untyped-def]
    def vote(value: bool, tally: VoteCount) -> bool:
        tally.add(counter, value)
        return value

    return vote


def both(a: bool, b: bool, tally: VoteCount) -> bool:
    """A stateful function that is no gate: two counters, and a value that is neither argument."""
    tally.add("red", a and not b)
    tally.add("blue", not a)
    return a != b


EVERYTHING = Language.of(
    *(terminal(name) for name in "abcdefg"),
    constant("true", True),
    constant("false", False),
    function("Not", lambda x: not x),
    function("And", lambda x, y: x and y),
    function("Or", lambda x, y: x or y),
    function("Nand", lambda x, y: not (x and y)),
    function("Nor3", lambda x, y, z: not (x or y or z)),
    function("Xor", lambda x, y: x != y),
    function("If", lambda x, y, z: y if x else z),
    function("Most", lambda v, w, x, y, z: v + w + x + y + z > 2),
    stateful("Red", voter("red")),
    stateful("Blue", voter("blue")),
    stateful("Green", voter("green")),
    stateful("Both", both),
)


def machine_of(situations: int, seed: int = 1) -> BooleanMachine:
    rng = stream(seed, situations)
    return BooleanMachine(EVERYTHING, {name: rng.random(situations) < 0.5 for name in "abcdefg"})


def by_hand(machine: BooleanMachine, tree: np.ndarray, situation: int) -> tuple[bool, dict[str, int]]:
    truths = machine.unpack(machine.masks)[:, situation]
    inputs = {name: bool(truths[EVERYTHING.codes[name]]) for name in "abcdefg"}
    tally = VoteCount()
    value = interpret(EVERYTHING, tree, inputs, tally)
    return bool(value), {counter: tally.votes[counter] for counter in machine.counters}


@pytest.mark.parametrize("situations", [1, 64, 72, 128, 200])
def test_every_situation_of_random_trees(situations: int) -> None:
    machine = machine_of(situations)
    trees = TreeEngine(EVERYTHING, TreeSettings(population=150, initial_depth=(0, 6), max_size=90)).first(stream(2))
    verdicts = machine.verdicts(trees)
    values, winners = machine.unpack(verdicts.values), machine.unpack(verdicts.winners.swapaxes(1, 2))
    for row, tree in enumerate(trees):
        for situation in range(0, situations, max(1, situations // 9)):
            value, votes = by_hand(machine, tree, situation)
            assert values[row, situation] == value
            for number, counter in enumerate(machine.counters):
                others = [count for name, count in votes.items() if name != counter]
                assert winners[row, number, situation] == (votes[counter] > max(others))


def test_many_votes_are_counted_exactly() -> None:
    machine = machine_of(70)
    for red, blue in ((1, 0), (7, 7), (8, 7), (31, 32), (200, 199)):
        text = "true"
        for name, count in (("Red", red), ("Blue", blue)):
            text = f"{name}(" * count + text + ")" * count
        winners = machine.verdicts(parse_tree(EVERYTHING, text)[None]).winners
        won = machine.unpack(winners.swapaxes(1, 2))[0]
        assert won[machine.counters.index("red")].all() == (red > blue)
        assert won[machine.counters.index("blue")].all() == (blue > red)
        assert not won[machine.counters.index("green")].any()


def test_agreement_counts_real_situations_only() -> None:
    machine = machine_of(72)
    trees = np.stack([parse_tree(EVERYTHING, "And(true,false)"), parse_tree(EVERYTHING, "Or(true,false)")])
    assert machine.agreement(trees, np.ones(72, np.bool_)).tolist() == [0, 72]
    assert machine.agreement(trees, np.zeros(72, np.bool_)).tolist() == [72, 0]


def test_masks_pack_and_unpack() -> None:
    truths = stream(5).random(150) < 0.5
    np.testing.assert_array_equal(unpack(pack(truths), 150), truths)


def test_truth_tables_are_found_by_calling() -> None:
    meaning = meaning_of(stateful("Both", both))
    assert (meaning.value, dict(meaning.votes)) == (0b0110, {"red": 0b0010, "blue": 0b0101})


def test_what_cannot_be_compiled_is_told() -> None:
    with pytest.raises(SettingError, match="casts 2 votes at once"):
        meaning_of(stateful("Twice", lambda x, tally: tally.add("red", 2)))
    with pytest.raises(SettingError, match="takes 7 arguments; compiled ones 6 at most"):
        meaning_of(function("Seven", lambda *x: x, arity=7))
    with pytest.raises(SettingError, match="the inputs must be the terminals a, b, c"):
        BooleanMachine(EVERYTHING, {"a": np.ones(3, np.bool_)})


@pytest.mark.parametrize("value_matters", [False, True])
def test_simplified_programs_cast_the_same_votes_everywhere(value_matters: bool) -> None:
    machine = machine_of(30)
    trees = TreeEngine(EVERYTHING, TreeSettings(population=60, initial_depth=(1, 5), max_size=60)).first(stream(8))
    shorter = 0
    for tree in trees:
        short = simplified(machine, tree, value_matters=value_matters)
        assert len(short) <= sizes_of(tree)
        shorter += int(sizes_of(tree)) - len(short)
        for situation in range(30):
            value, votes = by_hand(machine, tree, situation)
            short_value, short_votes = by_hand(machine, short, situation)
            assert short_votes == votes
            assert short_value == value or not value_matters
    assert shorter > 100
