"""The cache of compiled kernels: a change to any source that a kernel can reach names another folder."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from holecard import _jit

CACHED = (_jit.cache_folder, _jit._imports_of, _jit._source_of, _jit._text_of, _jit._modules)
SOURCES = {
    "__init__.py": "",
    "seeds.py": "GOLDEN = 1",
    "wing/__init__.py": "",
    "wing/hand.py": "from holecard.seeds import GOLDEN",
    "wing/round.py": "from holecard.wing import hand\ndef late():\n    from holecard.lazy import (\na,\nb)",
    "other/__init__.py": "",
    "other/hand.py": "from holecard.seeds import GOLDEN",
    "lazy.py": "a = b = 1",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A small package in the place of ours."""
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(_jit, "_PACKAGE", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget():
    for function in CACHED:
        function.cache_clear()


@pytest.mark.parametrize(
    ("edited", "moves"),
    [("other/hand.py", False), ("wing/hand.py", True), ("seeds.py", True), ("lazy.py", True), ("wing/round.py", True)],
)
def test_an_edit_moves_the_kernels_that_can_reach_it(edited, moves, package):
    before = _jit.cache_folder("holecard.wing.round")
    strangers = _jit.cache_folder("somebody.else")
    (package / edited).write_text("# edited", encoding="utf-8")
    forget()
    assert (_jit.cache_folder("holecard.wing.round") != before) is moves
    assert _jit.cache_folder("somebody.else") != strangers, "a stranger's kernel may call anything"


def test_reach_is_what_an_import_loads():
    """Python itself says which modules a kernel's module loads: none of ours is missing."""
    module = "holecard.holdem.arena.duel"
    probe = f"import sys, {module}; print(*(name for name in sys.modules if name.partition('.')[0] == 'holecard'))"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout.split()
    packages = {name for name in loaded if _jit._source_of(name).name == "__init__.py"}
    assert set(loaded) - packages - {"holecard._public"} <= _jit._reach(module)


def _is_of_a_new_array(node):
    """True for what is taken out of np.zeros(…) or np.empty(…) in the same breath."""
    made = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(made, ast.Call) and getattr(made.func, "attr", "") in ("zeros", "empty")


def test_no_kernel_takes_a_record_of_an_array_that_nobody_keeps():
    """In compiled code a record is an address: once its array is dropped, somebody else gets the memory."""
    marks, found = {"kernel", "lean_kernel", "step_kernel", "fused_kernel", "rule", "rare_rule"}, []
    for path in Path(_jit.__file__).parent.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef) and marks & {
                mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)
            }:
                found += [f"{path.name}:{each.lineno}" for each in ast.walk(function) if _is_of_a_new_array(each)]
    assert not found


def test_without_a_chosen_place_kernels_are_in_the_users_cache(tmp_path, monkeypatch):
    monkeypatch.delenv("HOLECARD_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _jit.cache_root() == tmp_path / "holecard"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert _jit.cache_root() == tmp_path / ".cache" / "holecard"


def test_a_kernel_that_is_kept_in_either_way_need_not_be_compiled(tmp_path, monkeypatch):
    def quick():
        return 1

    monkeypatch.setattr(_jit, "cache_folder", lambda module: tmp_path)
    assert _jit.must_compile(quick)
    (tmp_path / "quick-0123.code").touch()
    assert not _jit.must_compile(quick)
    (tmp_path / "quick-0123.code").unlink()
    (tmp_path / "numbas").mkdir()
    (tmp_path / "numbas" / "test_jit.quick-9.py311.nbi").touch()
    assert not _jit.must_compile(quick)
