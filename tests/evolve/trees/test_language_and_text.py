"""Languages, and programs as text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import ProgramError, SettingError
from holecard.evolve.trees import (
    Language,
    TreeEngine,
    TreeSettings,
    VoteCount,
    constant,
    function,
    interpret,
    parse_tree,
    stateful,
    terminal,
    text_of,
)
from holecard.seeds import stream

LOGIC = Language.of(
    function("And", lambda a, b: a and b),
    terminal("x"),
    function("Not", lambda a: not a),
    terminal("y2"),
    function("If", lambda a, b, c: b if a else c),
)


def test_leaves_come_first_and_arities_are_found() -> None:
    assert [primitive.name for primitive in LOGIC.primitives] == ["x", "y2", "And", "Not", "If"]
    assert LOGIC.arities.tolist() == [0, 0, 2, 1, 3]
    assert LOGIC.leaves == 2
    assert function("Add", np.add).arity == 2


@pytest.mark.parametrize(
    ("primitives", "message"),
    [
        ((terminal("x"),), "needs a terminal or constant, and a function"),
        ((terminal("x y"), function("Not", lambda a: a)), "no spaces, commas or brackets; got 'x y'"),
        ((terminal("x"), terminal("x"), function("Not", lambda a: a)), "two primitives are called x"),
        (
            (terminal("x"), stateful("Vote", lambda tally: tally), function("Not", lambda a: a)),
            "Vote takes 0 arguments; a function takes 1 or more",
        ),
    ],
)
def test_languages_that_cannot_be_are_refused(primitives: tuple[object, ...], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Language.of(*primitives)  # type: ignore[arg-type]


@given(st.integers(0, 10_000))
def test_text_and_tree_are_the_same_thing(seed: int) -> None:
    engine = TreeEngine(LOGIC, TreeSettings(population=6, initial_depth=(1, 6), max_size=80))
    for tree in engine.first(stream(seed)):
        text = text_of(LOGIC, tree)
        again = parse_tree(LOGIC, text)
        np.testing.assert_array_equal(again, tree[: len(again)])
        np.testing.assert_array_equal(parse_tree(LOGIC, text.replace(",", " ,\n ").replace("(", " ( ")), again)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: the text ends where a name should stand"),
        ("Z", "column 1: unknown name 'Z'; choose x, y2, And, Not, If"),
        ("And(x,y)", "column 7: unknown name 'y'; choose x, y2"),
        ("And(x)", r"column 6: ',' should stand here \(And takes 2 arguments\); got '\)'"),
        ("Not(x,x)", r"column 6: '\)' should stand here \(Not takes 1 argument\); got ','"),
        ("And", r"column 4: the text ends where '\(' should stand"),
        ("And x", r"column 5: '\(' should stand here \(after And"),
        ("x(y2)", r"column 2: the program is complete here; got '\(y2\)'"),
        ("Not(x) y2", "column 8: the program is complete here; got 'y2'"),
        ("Not(,)", "column 5: a name should stand here; got ','"),
        ("__import__('os').system('true')", "column 1: unknown name '__import__'"),
        ("Not(" * 600 + "x" + ")" * 600, "a program has at most 500 nodes"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_column(text: str, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        parse_tree(LOGIC, text)


@given(st.text(alphabet="xy2AndNotIf(), ", max_size=40))
def test_any_text_is_read_or_refused_and_never_crashes(text: str) -> None:
    try:
        tree = parse_tree(LOGIC, text)
    except ProgramError:
        with pytest.raises(ProgramError, match=r"^column "):
            parse_tree(LOGIC, text)
    else:
        assert text_of(LOGIC, tree) == "".join(text.split())


def test_interpret_keeps_the_order_of_arguments_and_counts_every_vote() -> None:
    def vote(value: float, tally: VoteCount) -> float:
        tally.add("ayes", value > 0)
        return value

    numbers = Language.of(terminal("x"), constant("3", 3.0), function("Sub", np.subtract), stateful("Vote", vote))
    tally = VoteCount()
    tree = parse_tree(numbers, "Sub(Vote(x),Vote(Sub(3,Vote(3))))")
    assert interpret(numbers, tree, {"x": 5.0}, tally) == 5.0
    assert tally.votes == {"ayes": 2}
    with pytest.raises(SettingError, match="Vote counts votes; give a tally"):
        interpret(numbers, tree, {"x": 5.0})
