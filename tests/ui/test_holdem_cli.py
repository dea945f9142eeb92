"""`holecard holdem …` as a user runs it."""

import json
import re

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


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        (["AhKh"], (1_389_004_215, 34_610_976, 673_957_209)),
        (["AhKh", "2c7h9s"], (581_826, 10_976, 477_388)),
        (["AhKh", "--against", "random"], (1_389_004_215, 34_610_976, 673_957_209)),
        (["AhKh", "--against", "QdQs"], (787_966, 6_732, 917_606)),
        (["AhKh", "--against", "QQ+,AKs"], (7_398_573, 4_552_980, 13_733_007)),
    ],
)
def test_equity_as_json(words, counts):
    shown = json.loads(run("equity", *words, "--json").stdout)
    assert (shown["win"], shown["tie"], shown["lose"]) == counts
    assert shown["equity"] == pytest.approx((counts[0] + counts[1] / 2) / sum(counts))
    assert shown["exact"] is True


def test_equity_for_people():
    told = run("equity", "AhKh", "2c7h9s", "--ties", "win").stdout
    assert "581,826" in told
    assert "55.3922 % (exact)" in told


def test_monte_carlo_says_so():
    shown = json.loads(run("equity", "AhKh", "--monte-carlo", "10000", "--seed", "3", "--json").stdout)
    assert shown["exact"] is False
    assert abs(shown["equity"] - 0.67045) < 5 * shown["stderr"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["AhAh"], "twice"),
        (["AhXh"], "unknown rank"),
        (["AhKh", "2c7h"], "0, 3, 4 or 5"),
        (["AhKh", "Ah7h2c"], "twice"),
        (["AhKh", "--against", "QQ++"], "cannot read"),
        (["AhKh", "--ties", "third"], "half or win"),
    ],
)
def test_bad_spots_are_told_in_one_line(words, message):
    with pytest.raises(HolecardError, match=message) as refusal:
        run("equity", *words)
    assert "\n" not in str(refusal.value)


def test_play_a_hand_save_it_and_replay_it(tmp_path):
    words = ["play", "--opponent", "calling-machine", "--seed", "5", "--save", str(tmp_path)]
    told = run(*words, input="nonsense\nr 15\nr 40\nc\nc\nc\n").stdout
    assert "cannot read 'nonsense'; legal here: fold, call 5, raise to 20 … 1000" in told
    assert "the minimum is 20" in told
    assert "calling-machine is dealt two cards" in told
    saved = tmp_path / "hand-001.phh"
    replayed = run("replay", str(saved)).stdout
    assert "seat 1: calling-machine, 1000 chips" in replayed
    shown = json.loads(run("replay", str(saved), "--json").stdout)
    assert shown["over"]
    assert sum(shown["payoffs"]) == 0
    assert len(shown["board"]) == 10


def test_quitting_and_the_end_of_input_end_the_game():
    assert "Hand 1" in run("play", "--seed", "1", input="quit\n").stdout
    assert "Hand 1" in run("play", "--seed", "1", input="").stdout
    assert "it does not count" in run("play", "--seed", "1", input="quit\n").stdout
    assert "no hand was finished" in run("play", "--seed", "1", input="quit\n").stdout


@pytest.mark.parametrize("word", ["help", "?", "HELP"])
def test_play_explains_what_may_be_typed(word):
    told = run("play", "--seed", "1", input=f"{word}\nquit\n").stdout
    assert "raise to 300, r 300" in told
    assert "cannot read" not in told


def test_play_ends_with_a_total():
    words = ["play", "--opponent", "call", "--preset", "paper", "--seed", "5", "--hands", "3"]
    told = run(*words, input="c\n" * 20).stdout
    results = [int(amount) * (1 if word == "win" else -1) for word, amount in re.findall(r"You (win|lose) (\d+)", told)]
    assert len(results) == 3
    assert f"Total: 3 hands, {sum(results):+,} chips" in told
    assert "Total: 1 hand, -50 chips, -500 mBB/hand." in run(*words, input="fold\nquit\n").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "--opponent", "smrt"], "did you mean smart"),
        (["play", "--preset", "papr"], "did you mean paper"),
        (["replay", "no-such.phh"], "cannot read no-such.phh"),
        (["replay", "damaged.phh"], "damaged.phh is not a hand this game can play .actions must be a list of texts"),
    ],
)
def test_mistakes_are_told_in_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fields = "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [5, 10]\nstarting_stacks = [1000, 1000]\n"
    (tmp_path / "damaged.phh").write_text(f"{fields}actions = [1, 2]\n")
    with pytest.raises(HolecardError, match=message):
        run(*words)
