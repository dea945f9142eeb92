"""Kernels compiled sooner: the same results, no machine code for rules, and nothing changed for other people."""

from __future__ import annotations

import ctypes

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from holecard import _compiler
from holecard._jit import rare_rule, rule

CODEGEN = cpu_target.target_context.codegen()


@rule
def _doubled_but(value, least):
    return value * 2 if value > least else least


@rare_rule
def _summed(values):
    total = 0
    for value in values:
        total += _doubled_but(value, 3)
    return total


def summed_twice(values):
    copy = values.copy()  # a kernel that counts references
    return _summed(copy) + _summed(values)


def compiled(function, **settings):
    return numba.njit(**_compiler.options(), **settings)(function)


def defined_symbols():
    return set(CODEGEN._engine._defined_symbols)


@pytest.fixture
def kernel():
    before = defined_symbols()
    made = compiled(summed_twice)
    made(np.arange(5))
    return made, defined_symbols() - before


def test_a_kernel_computes_what_python_computes(kernel):
    values = np.array([-4, 0, 3, 4, 9])
    assert kernel[0](values) == summed_twice(values) == 2 * (3 + 3 + 3 + 8 + 18)


def test_only_what_python_calls_becomes_machine_code(kernel):
    assert [name for name in kernel[1] if "cpython" in name and "summed_twice" in name]
    assert not [name for name in kernel[1] if "cpython" in name and "doubled_but" in name]
    assert not [name for name in kernel[1] if name.startswith("cfunc.")]


def test_other_kernels_are_compiled_as_always():
    before = defined_symbols()
    usual = CODEGEN._library_class

    @numba.njit
    def halves(value):
        return value / 2

    assert compiled(summed_twice)(np.arange(3)) == summed_twice(np.arange(3))
    assert CODEGEN._library_class is usual
    assert halves(3) == 1.5
    assert [name for name in defined_symbols() - before if name.startswith("cfunc.") and "halves" in name]


def test_a_rule_whose_address_is_wanted_becomes_machine_code():
    with _compiler._libraries_of(CODEGEN, _compiler._library()):
        library = CODEGEN.create_library("waiting")
    module = library.create_ir_module("waiting")
    function = ir.Function(module, ir.FunctionType(ir.IntType(32), []), "_ZN_seven_for_a_test")
    ir.IRBuilder(function.append_basic_block()).ret(ir.IntType(32)(7))
    library.add_ir_module(module)
    with global_compiler_lock:
        library.finalize()
    assert library.get_pointer_to_function("somebody_else") == 0
    assert "_ZN_seven_for_a_test" not in defined_symbols()
    with global_compiler_lock:
        address = library.get_pointer_to_function("_ZN_seven_for_a_test")
    assert ctypes.CFUNCTYPE(ctypes.c_int32)(address)() == 7


def test_a_version_of_numba_that_was_not_tried_compiles_as_always(monkeypatch):
    monkeypatch.setattr(_compiler, "_TRIED", ())
    assert _compiler.options() == {}
