"""Strategies by name: a run's folder and voting programs are charts wherever a chart is asked for."""

import json

import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.finding import find_strategy
from holecard.blackjack.players.programs import VOCABULARY, read_programs, strategy_of, write_programs
from holecard.blackjack.players.registry import make_agent
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import FileProblem, ProgramError
from holecard.evolve.trees import parse_tree

VOTES = "HitIf(Not(Or3(Has17, Has18, Or(Has19, Has20))))"
COMMANDS = (
    "score {}",
    "simulate {} --rounds 1000",
    "chart {}",
    "evaluate --games 2 --rounds 2 --agent {}",
    "watch --rounds 1 --fps 1 --speed 16 --record film.gif --overwrite --agent {}",
    "dataset --games 1 --output d.jsonl --overwrite --agent {}",
)


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """A finished run, one that is not, a file of programs and one of a broken program."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "ga-3").mkdir(parents=True)
    (tmp_path / "runs" / "ga-3" / "winner.txt").write_text(write_chart(named_strategy("mimic-dealer", Rules())))
    (tmp_path / "runs" / "half").mkdir()
    programs = write_programs([parse_tree(VOCABULARY, VOTES)] * 10)
    (tmp_path / "programs.txt").write_text(f"# evolved\n\n{programs}")
    (tmp_path / "broken.txt").write_text(programs.replace("Has17", "Has99", 1))
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["runs/ga-3", "runs/ga-3/", "runs/ga-3/winner.txt", "programs.txt"])
def test_every_command_takes_them(run, runs, command, name):
    code, _, err = run(*command.format(name).split())
    assert code == 0, err


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("runs/half", "runs/half has no winner.txt: it is no run of `holecard evolve`, or not finished"),
        ("broken.txt", "broken.txt: line 1, after the colon, column "),
        ("gone.txt", "no strategy chart at gone.txt"),
    ],
)
def test_what_is_wrong_is_one_line(run, runs, command, name, told):
    code, out, err = run(*command.format(name).split())
    assert (code, out) == (2, "")
    assert told in err.splitlines()[-1]


def test_they_are_the_charts_they_say(runs):
    rules = Rules()
    assert find_strategy("runs/ga-3", rules) == named_strategy("mimic-dealer", rules)
    assert find_strategy("programs.txt", rules) == strategy_of(read_programs((runs / "programs.txt").read_text()))
    assert make_agent("runs/ga-3", rules).strategy == find_strategy("runs/ga-3", rules)
    assert make_agent("programs.txt", rules).name == "programs"
    with pytest.raises(FileProblem):
        find_strategy("runs/half", rules)
    with pytest.raises(ProgramError):
        find_strategy("broken.txt", rules)


def test_who_plays_a_winner_by_other_rules_is_told(run, runs):
    config = {"options": {"rules": str(Rules.preset("classic"))}}
    (runs / "runs" / "ga-3" / "config.json").write_text(json.dumps(config))
    _, _, err = run("score", "runs/ga-3", "--rules", "casino")
    assert err.splitlines()[-1] == "runs/ga-3 evolved for another game; in its own: --rules classic"
    assert "another game" not in run("score", "runs/ga-3", "--rules", "classic")[2]
