"""docs/evolution.md: its Python runs, and its commands are commands."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "evolution.md").read_text(encoding="utf-8")


def test_the_python_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(compile(block, "evolution.md", "exec"), {})
    exact, _, optimum = map(float, capsys.readouterr().out.split())
    assert exact < optimum == pytest.approx(0.478596937344, abs=1e-12)
