"""docs/environments.md and docs/scale.md: their Python runs as it stands there."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
BLOCKS = [
    (page, block)
    for page in ("environments.md", "scale.md")
    for block in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
]


@pytest.mark.parametrize(("page", "block"), BLOCKS)
def test_block(page, block, capsys):
    exec(compile(block, page, "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_are_blocks():
    assert len(BLOCKS) >= 4
