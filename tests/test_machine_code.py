"""Machine code as files: what is read from an object file, and who may take one."""

from __future__ import annotations

import pytest

from holecard import _machine_code

pytestmark = pytest.mark.skipif(not _machine_code.can_be_kept(), reason="kernels are numba's own here")

SOURCE = """
declare double @cos(double)
declare i64 @nobody_has_this(i64)
define i32 @holecard_entry_twice(ptr %words) {
  %value = load double, ptr %words
  %found = call double @cos(double %value)
  store double %found, ptr %words
  ret i32 0
}
define i64 @other(i64 %value) {
  %found = call i64 @nobody_has_this(i64 %value)
  ret i64 %found
}
"""


def object_of(source):
    binding = _machine_code._binding()
    _machine_code._engine()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(jit=True).emit_object(binding.parse_assembly(source))


def test_what_an_object_file_needs_is_read_from_it():
    assert _machine_code.undefined_symbols(object_of(SOURCE)) == ("cos", "nobody_has_this")


def test_code_that_needs_what_nobody_has_is_not_loaded():
    code = object_of(SOURCE)
    made = _machine_code.MachineCode("holecard_entry_twice", "d", False, _machine_code.undefined_symbols(code), code)
    assert _machine_code.load(made) is None


def test_a_file_says_what_was_written(tmp_path):
    made = _machine_code.MachineCode("symbol", "qd", True, ("cos",), b"\x00code\n\xff")
    file = tmp_path / "folder" / _machine_code.file_name("kernel", "int")
    _machine_code.write(file, "int", made)
    assert _machine_code.read(file, "int") == made
    assert _machine_code.read(file, "float") is None
    assert _machine_code.read(file.with_name("absent"), "int") is None
    assert _machine_code.file_name("kernel", "float") != file.name


def test_settings_of_numbas_keep_code_away(monkeypatch):
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert not _machine_code.can_be_kept()
