"""The learning examples learn: with small settings their exact regret falls well below where it began."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from holecard import Rules

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def q_learning():
    return runpy.run_path(str(EXAMPLES / "q_learning.py"))


@pytest.fixture(scope="module")
def dqn():
    return runpy.run_path(str(EXAMPLES / "dqn.py"))


def test_q_learning_comes_close_to_the_optimum(q_learning, tmp_path, capsys):
    q_learning["main"](["--steps", "6e5", "--out", str(tmp_path / "regret.png")])
    said = capsys.readouterr().out
    assert said.count("regret") >= 3
    assert (tmp_path / "regret.png").stat().st_size > 5000
    steps, regret = q_learning["regrets"](steps=600_000)
    assert f"{steps[-1]:>12,} steps: regret {regret[-1]:.6f}" in said, "the same seed learns the same"
    assert min(regret) > -1e-12, "nobody beats the optimum"
    assert regret[-1] < 0.008 < regret[0]


def test_dqn_learns_from_masks(dqn, tmp_path, capsys):
    dqn["main"](["--steps", "20000", "--rules", "votes", "--out", str(tmp_path / "regret.png")])
    said = capsys.readouterr().out
    regret = [float(line.split("regret ")[1]) for line in said.splitlines() if "steps: regret" in line]
    assert (tmp_path / "regret.png").stat().st_size > 5000
    assert min(regret) > 0
    assert regret[-1] < 0.25
    assert regret[-1] < regret[0] / 2


def test_a_network_becomes_the_chart_it_plays(dqn):
    import torch

    torch.manual_seed(1)
    net = dqn["network"]()
    chart = dqn["chart_of"](net, Rules.preset("casino"))
    seen = np.array([[16, 0, 0, 10, 3, 1, 1, 0], [8, 0, 1, 6, 2, 1, 1, 0]])
    with torch.inference_mode():
        values = net(dqn["features"](seen)).numpy()
    assert "HS"[int(values[0, 1] > values[0, 0])] == "HSDdPRr?"[chart.cells[1, 0, 16, 9]]
    best = int(values[1, :4].argmax())
    assert "HSDdPRr?"[chart.cells[0, 3, 8, 5]] in ("H", "S", "Dd", "P")[best]


def test_ppo_in_one_file_learns(capsys):
    ppo = runpy.run_path(str(EXAMPLES / "clean_ppo.py"))
    ppo["main"](["--steps", "4e4", "--rules", "votes", "--tables", "64"])
    regret = [float(line.split("regret ")[1]) for line in capsys.readouterr().out.splitlines()]
    assert min(regret) > 0
    assert regret[-1] < 0.03 < regret[0]


def test_maskable_ppo_learns(capsys):
    ppo = runpy.run_path(str(EXAMPLES / "maskable_ppo.py"))
    ppo["main"](["--steps", "10000", "--rules", "votes", "--tables", "8"])
    said = capsys.readouterr().out
    regret = [float(line.split("regret ")[1]) for line in said.splitlines() if "steps: regret" in line]
    assert len(regret) == 10
    assert 0 < regret[-1] < regret[0]
