"""The Python of the pages runs as it stands there. Pages whose results are checked too have a file of their own."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
CHECKED = {"evolution.md", "gp-engine.md"}
"""Pages with a `test_docs_…` of their own."""
BLOCKS = [
    (page.name, block)
    for page in sorted(DOCS.glob("*.md"))
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    if page.name not in CHECKED
]


LONG = ("best_response(",)
"""What takes long: a block that calls it is run by `make test-all` only."""
CASES = [
    pytest.param(
        page,
        block,
        id=f"{page}:{block.splitlines()[0]}",
        marks=[pytest.mark.slow] if any(word in block for word in LONG) else [],
    )
    for page, block in BLOCKS
]


@pytest.mark.parametrize(("page", "block"), CASES)
def test_block(page, block, capsys):
    exec(compile(block, page, "exec"), {"__name__": page})
    assert bool(capsys.readouterr().out.strip()) == ("print(" in block)


def test_there_are_blocks():
    assert {"agents.md", "environments.md", "holdem.md", "scale.md"} <= {page for page, _ in BLOCKS}
