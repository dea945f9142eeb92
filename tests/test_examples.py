"""Every example runs as a student would run it, at a small size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
RUNS = {
    "solve_a_table.py": (("2d S17 LS",), "10-6 against a ten"),
    "score_my_chart.py": ((), "hard 16 v 10"),
    "evolve_a_strategy.py": (("3",), "winner's curse"),
    "my_agent.py": (("300",), "EV per bet:"),
    "holdem_duel.py": (("200",), "mBB/hand"),
    "plot_what_decks_cost.py": (("decks.png",), "hits soft 17"),
}


LEARNERS = {"q_learning.py", "dqn.py", "maskable_ppo.py", "clean_ppo.py"}
"""Run in tests/examples/test_learning.py."""
WITH_OTHERS = {"tianshou_dqn.py"}
"""Needs a package that no extra installs; docs/environments.md says what it learned."""


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(RUNS) | LEARNERS | WITH_OTHERS


@pytest.mark.parametrize("name", RUNS)
def test_it_runs(name, tmp_path):
    arguments, expected = RUNS[name]
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent / "src")}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout
    if name.startswith("plot"):
        assert (tmp_path / "decks.png").stat().st_size > 5_000
