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

from holecard._entry import ALLOCATE, NoEntry, allocator, entry_of
from holecard._machine_code import MachineCode, undefined_symbols
from holecard._memory_of_types import remembering

_TRIED: Final = ((0, 68),)
"""Versions of numba, major and minor, that this was tried with."""


def options() -> dict[str, Any]:
    """What `numba.njit` is told so that a kernel is compiled this way."""
    if not is_tried():
        return {}
    return {"pipeline_class": _compiler(), "no_cfunc_wrapper": True}


def is_tried() -> bool:
    """True if numba's inside is known here."""
    return tuple(numba.version_info[:2]) in _TRIED


def machine_code(function: Any, arguments: tuple[Any, ...], settings: dict[str, Any]) -> MachineCode | None:
    """A function compiled for the types of these arguments, with settings of `numba.njit`'s; None if nothing can be
    made that is called by an entry (`_entry.py`).
    """
    if not is_tried():
        return None
    compile_later: Any = numba.njit
    made = compile_later(**settings, **options(), no_cpython_wrapper=True)(function)
    types = tuple(made.typeof_pyval(argument) for argument in arguments)
    made.compile(types)
    compiled = made.overloads[types]
    context, library = made.targetctx, compiled.library
    try:
        text, symbol, result, is_tuple = entry_of(context, compiled.fndesc)
    except NoEntry:
        return None
    with import_module("numba.core.compiler_lock").global_compiler_lock:
        code = library.object_of(text, symbol)
    return MachineCode(symbol, result, is_tuple, undefined_symbols(code), code)


@cache
def _compiler() -> Any:
    """numba's compiler, with libraries of ours while it compiles a kernel and the rules that the kernel calls."""
    base: Any = import_module("numba.core.compiler").Compiler
    library = _library()

    class KernelCompiler(base):  # type: ignore[misc]
        def compile_extra(self, function: Any) -> Any:
            with _libraries_of(self.state.targetctx.codegen(), library), remembering():
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
            if not self._waits:
                _optimize(self._codegen, self._final_module)

        def object_of(self, entry: str, name: str) -> bytes:
            """The object file of a kernel that waits, behind an entry given as LLVM's code, the only name in it."""
            module = self._final_module.clone()
            parse = import_module("llvmlite.binding").parse_assembly
            module.link_in(parse(entry))
            if any(function.name == ALLOCATE for function in module.functions):
                module.link_in(parse(allocator()))
            module.data_layout = self._codegen._data_layout
            _optimize(self._codegen, module)
            for each in (*module.functions, *module.global_variables):
                if not each.is_declaration and each.name != name:
                    each.linkage = "internal"  # else two files that both count references would share who does
            made: bytes = self._codegen._tm.emit_object(module)
            return made

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


def _optimize(codegen: Any, module: Any) -> None:
    """Optimise a kernel, with everything in it."""
    if any(function.name == _COUNTING for function in module.functions):
        _drop_counting(codegen, module)
    manager, builder = codegen._module_pass_manager(opt=2)
    manager.run(module, builder)


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
