"""docs/gp-engine.md: each block runs by itself, prints what the page says, and solves what it promises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "gp-engine.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture
def names() -> dict[str, Any]:
    return {}


@pytest.fixture
def printed(names: dict[str, Any], request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> str:
    exec(compile(BLOCKS[request.param], f"gp-engine.md block {request.param}", "exec"), names)
    return capsys.readouterr().out.strip()


@pytest.mark.parametrize("printed", [0], indirect=True)
def test_the_multiplexer_is_solved(printed: str, names: dict[str, Any]) -> None:
    assert f"`{printed}`" in PAGE
    champion = names["multiplexer"].champion()
    assert names["machine"].agreement(champion[None], names["wanted"])[0] == 2048


@pytest.mark.parametrize("printed", [1], indirect=True)
def test_the_polynomial_is_found(printed: str, names: dict[str, Any]) -> None:
    assert f"`{printed}`" in PAGE
    points = np.linspace(-3, 3, 41)  # beyond those it was found on
    value = names["interpret"](names["numbers"], names["regression"].champion(), {"x": points})
    away = np.abs(points) > 1e-9  # x / x is 1 at 0 by convention
    np.testing.assert_allclose(value[away], (points**4 + points**3 + points**2 + points)[away], atol=1e-9)


@pytest.mark.parametrize("printed", [2], indirect=True)
def test_the_votes_are_as_shown(printed: str) -> None:
    assert f"```\n{printed}\n```" in PAGE


def test_there_is_no_block_without_a_test() -> None:
    assert len(BLOCKS) == 3
