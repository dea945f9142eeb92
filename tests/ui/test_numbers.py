"""Whole numbers as people write them, in every option of every command."""

import pytest
import typer

from holecard.errors import HolecardError
from holecard.ui.cli import app
from holecard.ui.lazy import whole
from holecard.ui.numbers import counts, whole_number
from tests.ui.test_fuzz import leaves

COMMANDS = {leaf.name: leaf.command for leaf in leaves(whole(typer.main.get_command(app)))}
USAGE_ERROR = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
SMALL = {"--fps", "--max-hands", "--target", "--limit", "--ace-bonus", "--port"}
"""Numbers that nobody writes with a letter behind them."""


@pytest.mark.parametrize(
    ("text", "number"),
    [("1k", 1000), ("1.5M", 1_500_000), ("1e6", 10**6), ("2,500,000", 2_500_000), ("1_000", 1000), (" 7 ", 7)],
)
def test_what_people_write(text, number):
    assert whole_number(text) == number == counts()(text)


@pytest.mark.parametrize(
    "text", ["", "k", "1,5", "1.5", "1e-3", "0x10", "nan", "inf", "1kk", "9" * 5000, "1e400", "1 000"]
)
def test_what_is_no_number(text):
    with pytest.raises(typer.BadParameter, match="is not a"):
        whole_number(text)


@pytest.mark.parametrize(("text", "limits"), [("0", (1, None)), ("-1", (0, 5)), ("1k", (1, 999))])
def test_limits(text, limits):
    with pytest.raises(typer.BadParameter, match="must be a whole number"):
        counts(*limits)(text)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_count_takes_letters(name):
    """What an option says of 5k: it takes it, or it wants another number, or no number at all; never digits only."""
    told = {}
    for option in COMMANDS[name].params:
        flag = max(option.opts, key=len)
        if option.param_type_name == "option" and not option.is_flag and flag not in SMALL:
            try:
                COMMANDS[name].make_context(name, [flag, "5k"])
            except (USAGE_ERROR, HolecardError) as problem:
                told[flag] = str(problem)
    assert not {flag: words for flag, words in told.items() if "integer" in words}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("simulate basic --ronds 5", "unknown option --ronds; did you mean --rounds?"),
        ("evolve ga --generation 4", "unknown option --generation; did you mean --generations?"),
        ("score basic --no-pek", "unknown option --no-pek; did you mean --no-peek?"),
        ("score basic --qqqq", "unknown option --qqqq; --help lists them"),
        ("simualte basic", "No such command 'simualte'. Did you mean 'simulate'?"),
        ("score basic --rules ocean", "unknown rules 'ocean'; choose casino, "),
        ("score basic --rules vegas", "unknown rules 'vegas'; did you mean vegas-strip?"),
        ("evaluate --agent mtcs", "unknown agent 'mtcs'; did you mean mcts?"),
        ("holdem duel smrt call", "unknown opponent 'smrt'; did you mean smart?"),
    ],
)
def test_who_mistypes_is_told_what_was_meant(run, line, told):
    code, out, err = run(*line.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"holecard: {told}")
    assert err.count("\n") == 1
