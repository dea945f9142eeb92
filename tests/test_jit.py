"""The cache of compiled kernels: a change to any source that a kernel can reach names another folder."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from holecard import _jit

LAYERS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]


def reach(layer: str) -> set[str]:
    return {layer, *_jit._BELOW.get(layer, ())}


def holds_rules(folder: Path) -> bool:
    return any("holecard._jit" in source.read_text(encoding="utf-8") for source in folder.rglob("*.py"))


def test_a_kernel_reaches_every_layer_that_its_own_may_import():
    (layers,) = (contract["layers"] for contract in LAYERS if contract["type"] == "layers")
    below: set[str] = set()
    for row in reversed(layers):
        names = {name.strip().removeprefix("holecard.") for name in row.split("|")}
        folders = {name for name in names if holds_rules(Path(_jit.__file__).parent / name)}
        if "ui" not in folders:
            for name in folders:
                assert below <= reach(name), f"kernels of {name} may call rules of {below - reach(name)}"
        below |= folders


@pytest.mark.parametrize(
    ("edited", "moves"), [("holdem/hand.py", False), ("blackjack/hand.py", True), ("seeds.py", True)]
)
def test_an_edit_moves_the_kernels_that_can_reach_it(edited, moves, tmp_path, monkeypatch):
    source = Path(_jit.__file__).parent
    for name in ("blackjack/hand.py", "holdem/hand.py", "seeds.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((source / name).read_bytes())
    monkeypatch.setattr(_jit, "_PACKAGE", tmp_path)
    before = _jit.cache_folder.__wrapped__("blackjack")
    (tmp_path / edited).write_text("# edited")
    assert (_jit.cache_folder.__wrapped__("blackjack") != before) is moves
