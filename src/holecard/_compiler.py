"""Kernels compiled sooner: what numba does for every function is done for the kernel alone.

numba takes each rule that a kernel calls for a function in its own right: it optimises the rule, makes machine code of
it and a wrapper for callers in C, and does all of it again once the rule has been put into the kernel. Nobody calls a
rule by its address, so here its code waits, as it was written, for the kernel that it becomes a part of. The kernel is
optimised once, with everything in it. What it computes is the same: no step here may reorder arithmetic.

It is a matter of numba's inside, so it is done for the versions that it was tried with; others compile as they always
do. `import holecard` changes nothing for other people's kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, Final

import numba

_TRIED: Final = ((0, 68),)
"""Versions of numba, major and minor, that this was tried with."""


def options() -> dict[str, Any]:
    """What `numba.njit` is told so that a kernel is compiled this way."""
    if tuple(numba.version_info[:2]) not in _TRIED:
        return {}
    return {"pipeline_class": _compiler(), "no_cfunc_wrapper": True}


@cache
def _compiler() -> Any:
    """numba's compiler, with libraries of ours while it compiles a kernel and the rules that the kernel calls."""
    base: Any = import_module("numba.core.compiler").Compiler
    library = _library()

    class KernelCompiler(base):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            with _libraries_of(self.state.targetctx.codegen(), library):
                return super().compile_extra(function)

    return KernelCompiler


@contextmanager
def _libraries_of(codegen: Any, library: Any) -> Iterator[None]:
    """While it lasts, what is compiled goes into libraries of this class; numba's lock keeps other threads out."""
    before = codegen._library_class
    codegen._library_class = library
    try:
        yield
    finally:
        codegen._library_class = before


def _library() -> Any:
    base: Any = import_module("numba.core.codegen").JITCodeLibrary

    class KernelLibrary(base):  # type: ignore[misc]
        """The code of a kernel; or of a rule, which waits."""

        _waits = False

        def add_ir_module(self, module: Any) -> None:
            if module.name != "cfunc_wrapper":
                super().add_ir_module(module)

        def _optimize_functions(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout

        def _optimize_final_module(self) -> None:
            self._waits = not any(_is_called_from_python(function) for function in self._final_module.functions)
            if self._waits:
                return
            if any(function.name == _COUNTING for function in self._final_module.functions):
                _drop_counting(self._codegen, self._final_module)
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)

        def _finalize_final_module(self) -> None:
            if self._waits:
                self._finalize_dynamic_globals()
                self._finalized = True
            else:
                super()._finalize_final_module()

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            if self._waits and not self._defines(name):
                return 0
            if self._waits:  # somebody wants its address after all
                super()._optimize_final_module()
                self._waits = False
                super()._finalize_final_module()
            found: int = super().get_pointer_to_function(name)
            return found

        def _defines(self, name: str) -> bool:
            return any(
                function.name == name and not function.is_declaration for function in self.get_defined_functions()
            )

        @property
        def codegen(self) -> Any:
            """Who is told where Python's objects are: for a rule that waits, nobody."""
            return _Nobody if self._waits else self._codegen

    return KernelLibrary


def _is_called_from_python(function: Any) -> bool:
    return not function.is_declaration and function.name.startswith(_WRAPPER)


_WRAPPER: Final = "_ZN7cpython"
"""How numba names what unpacks a caller's arguments."""
_COUNTING: Final = "NRT_incref"
"""What counts a reference to an array."""


def _drop_counting(codegen: Any, module: Any) -> None:
    """Put the rules into the kernel and drop references that are counted up and down again: loops stay simple then."""
    managers, numbas = import_module("llvmlite.binding.newpassmanagers"), import_module("numba.core.codegen")
    manager = managers.create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_instruction_combine_pass()
    manager.add_refprune_pass(numbas._parse_refprune_flags())
    manager.run(module, codegen._pass_builder())


class _Nobody:
    """In the place of numba's `codegen` for code that nobody will run."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """Code that nobody runs asks for no environment."""
