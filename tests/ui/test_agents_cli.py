"""evaluate, agents, dataset and train as a user meets them."""

import json
import sys

import pytest

from holecard.ui.cli import main

AGENT_KEYS = {"name", "win_rate", "payout_per_round", "net_profit", "decision_seconds", "exact_ev"}


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        output = capsys.readouterr()
        return caught.value.code, output.out, output.err

    return call


def test_evaluate_json_has_the_contracts_keys(run):
    code, out, _ = run(
        *["evaluate", "--agent", "heuristic", "--agent2", "random", "--games", "50", "--rounds", "20", "--json"]
    )
    result = json.loads(out)
    assert code == 0
    assert [set(agent) >= AGENT_KEYS for agent in result["agents"]] == [True, True]
    assert set(result["agents"][0]["win_rate"]) == {"value", "low", "high"}
    assert set(result["difference"]) == {"value", "low", "high", "p_value"}
    assert result["agents"][0]["exact_ev"] == pytest.approx(-0.006181488, abs=1e-8)
    assert result["difference"]["low"] > 0.2
    assert result["rules"]["shoe"] == "dealt"


def test_evaluate_says_the_same_twice(run):
    command = [
        "evaluate",
        "--agent",
        "mcts",
        "--games",
        "3",
        "--rounds",
        "10",
        "--simulations",
        "40",
        "--seed",
        "5",
        "--json",
    ]
    first, again = (json.loads(run(*command)[1]) for _ in range(2))
    for result in (first, again):
        del result["agents"][0]["decision_seconds"]
    assert first == again


def test_evaluate_prints_a_table(run):
    code, out, _ = run(*["evaluate", "--agent", "dnn", "--agent2", "basic", "--games", "20", "--rounds", "10"])
    assert code == 0
    assert "dnn − basic" in out
    assert "win rate" in out
    assert run("evaluate", "--games", "1", "--agent2", "random")[0] == 0


def test_agents_lists_everybody(run):
    code, out, _ = run("agents")
    assert code == 0
    for name in ("random", "heuristic", "aggressive", "mcts", "dnn", "exact", "module:Class", "holecard[dnn]"):
        assert name in out


def test_dataset_then_train_then_play(run, tmp_path):
    assert run("dataset", "--games", "120", "--agent", "basic", "--output", "data/dataset.jsonl")[0] == 0
    code, out, _ = run("train", "--dataset", "data/dataset.jsonl", "--epochs", "2", "--json")
    assert code == 0
    assert json.loads(out)["epochs"] == 2
    for name in ("blackjack_mlp.pt", "blackjack_mlp.json", "blackjack_mlp.png"):
        assert (tmp_path / "models" / name).stat().st_size > 1000
    model = ("--model", "models/blackjack_mlp.pt")
    assert run("evaluate", "--agent", "dnn", *model, "--games", "2", "--rounds", "5")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("evaluate --agent heuristics", "did you mean heuristic?"),
        ("evaluate --agent mcts --simulations 0", "Invalid value for '--simulations'"),
        ("evaluate --agent dnn --model none.pt", "no model at none.pt"),
        ("evaluate --bankroll 1 --bet 5", "the bankroll must pay a bet"),
        ("train --dataset none.jsonl", "no dataset at none.jsonl"),
        ("dataset --output data.csv", ".jsonl or .npz"),
    ],
)
def test_mistakes_are_one_line(run, arguments, line):
    code, out, err = run(*arguments.split())
    assert (code, out) == (2, "")
    assert line in err.splitlines()[-1]


def test_without_torch_the_install_line(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    code, _, err = run("evaluate", "--agent", "dnn", "--model", "x.pt")
    assert code == 2
    assert "pip install 'holecard[dnn]'" in err
