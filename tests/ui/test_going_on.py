"""Whoever stops a long command is told the line that goes on with it, and that line does."""

import json
import shlex
import sys

import pytest

from holecard.blackjack.game.rules import Rules
from holecard.evolve.history import History
from holecard.studies import demonstrations
from holecard.studies.imitation_config import DemonstrationConfig

SMALL = {
    "evolve ga": "--population 6 --generations 4 --hands 20 --no-figures",
    "evolve counter": "--population 6 --generations 4 --hands 20 --shoes 100 --no-figures",
    "evolve gp": "--population 8 --generations 3 --no-figures",
    "holdem evolve": "--population 4 --generations 3 --hands 4 --finals 0 --no-figures --plain",
    "train": "--dataset d.npz --epochs 4 --output m.pt",
    "dataset": "--games 6 --rounds 2 --output e.jsonl",
}


@pytest.fixture
def typed(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(line):
        words = shlex.split(line)
        monkeypatch.setattr(sys, "argv", ["holecard", *words])
        return run(*words)

    return call


@pytest.fixture
def stopped(monkeypatch):
    """Ctrl-C while the second record is written."""
    before, calls = History.append, []

    def append(self, record):
        calls.append(record)
        if len(calls) == 2:
            raise KeyboardInterrupt
        before(self, record)

    def write(file, block, before=demonstrations.append):
        calls.append(block)
        if len(calls) == 2:
            raise KeyboardInterrupt
        before(file, block)

    monkeypatch.setattr(History, "append", append)
    monkeypatch.setattr(demonstrations, "append", write)
    monkeypatch.setattr(demonstrations, "_BLOCK", 2)


@pytest.mark.parametrize("command", SMALL)
def test_ctrl_c_says_the_line_that_goes_on(typed, stopped, tmp_path, command):
    if command == "train":
        demonstrations.run(DemonstrationConfig(rules=Rules(), games=8), tmp_path / "d.npz")
    code, _, err = typed(f"{command} {SMALL[command]}")
    last = err.splitlines()[-1]
    assert code == 130
    assert last.startswith("stopped; go on with: holecard ")
    line = last.removeprefix("stopped; go on with: holecard ")
    assert line.startswith(f"{command} --resume runs/") or line == f"{command} {SMALL[command]}"
    code, out, err = typed(f"{line} --json")
    assert code == 0, err
    assert json.loads(out)
    assert not list(tmp_path.glob(".*")), "nothing unfinished stays"


def test_who_stops_the_drawing_is_told_the_line_that_draws(typed, monkeypatch, tmp_path):
    with monkeypatch.context() as patch:
        patch.setattr("holecard.ui.figures.neuroevolution.save_all", _stop)
        code, _, err = typed(f"holdem evolve {SMALL['holdem evolve']}".replace("--no-figures", "--out 'my run'"))
    assert (code, err.splitlines()[-1]) == (130, "stopped; go on with: holecard holdem figures 'my run'")
    assert (tmp_path / "my run" / "champion.safetensors").exists()


def _stop(*_, **__):
    raise KeyboardInterrupt


def test_who_stops_before_anything_is_done_is_told_no_line(typed, monkeypatch, tmp_path):
    monkeypatch.setattr("holecard.studies.genetic.run", _stop)
    code, _, err = typed("evolve ga --population 6 --generations 2")
    assert (code, err.splitlines()[-1]) == (130, "stopped")
    assert not list(tmp_path.iterdir())


def test_a_second_run_of_hold_em_has_a_number(typed, tmp_path):
    for _ in range(2):
        assert typed(f"holdem evolve {SMALL['holdem evolve']}")[0] == 0
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["holdem-pokernet-0", "holdem-pokernet-0-2"]
