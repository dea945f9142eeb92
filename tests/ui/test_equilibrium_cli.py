"""`holecard holdem solve` as a user runs it."""

import json

import pytest
from typer.testing import CliRunner

from holecard.errors import HolecardError
from holecard.ui.cli import app

runner = CliRunner()


def run(*words, **options):
    result = runner.invoke(app, ["holdem", *words], **options)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize(("game", "value", "within"), [("kuhn", -1 / 18, 1e-6), ("leduc", -0.085606424078, 1e-4)])
def test_small_games_as_json(game, value, within):
    shown = json.loads(run("solve", game, "--iterations", "1e3", "--json").stdout)
    assert shown["value"] == pytest.approx(value, abs=within)
    assert shown["iterations"] == 1000
    assert 0 <= shown["exploitability"] < 1e-3
    assert all(sum(shares.values()) == pytest.approx(1) for shares in shown["strategy"].values())


def test_small_games_for_people(tmp_path):
    picture = tmp_path / "kuhn.png"
    told = run("solve", "kuhn", "--iterations", "100", "--method", "dcfr", "--png", str(picture)).stdout
    assert "12 information sets; dcfr" in told
    assert "known value -0.055555555556" in told
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["solve", "khun"], "did you mean kuhn"),
        (["solve", "kuhn", "--method", "newton"], "unknown method"),
        (["solve", "kuhn", "--png", "kuhn.gif"], r"\.png, \.svg or \.pdf"),
    ],
)
def test_mistakes_are_one_line(words, message):
    with pytest.raises(HolecardError, match=message):
        run(*words)
