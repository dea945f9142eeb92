"""numba, imported when something is to be compiled and not before: that alone takes half a second.

Rules are told to numba when it is there. What all kernels are compiled with is here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from holecard._machine_code import MachineCode

T = TypeVar("T")

_SETTINGS: Final = {"nogil": True, "error_model": "numpy"}
"""What every kernel is compiled with, beside its own."""


def machine_code(function: Callable[..., Any], arguments: tuple[Any, ...], **settings: Any) -> MachineCode | None:
    """A function compiled for such arguments; None if it is to be called by numba."""
    started()
    from holecard import _compiler

    return _compiler.machine_code(function, arguments, {**_SETTINGS, **settings})


def as_numba_does(function: Callable[..., Any], folder: Callable[[], Path], **settings: Any) -> Any:
    """A function as numba compiles, keeps and calls it, with settings of `numba.njit`'s."""
    numba = started()
    from holecard import _compiler

    with kept_in(folder()):
        return numba.njit(cache=True, **{**_SETTINGS, **_compiler.options(), **settings})(function)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """While it lasts, numba keeps what is given to its decorators in this folder."""
    from numba.core import config

    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


_waiting: list[tuple[Callable[..., Any], dict[str, bool]]] = []
"""Functions that kernels may call, with numba's settings, until numba is there to be told of them."""


def tell(function: Callable[..., Any], **settings: bool) -> None:
    """Let kernels call a function; numba is not imported for it."""
    _waiting.append((function, settings))
    if "numba" in sys.modules:
        started()


_is_taught: list[bool] = []
"""Not empty once numba knows `lent`."""


def lent(value: T) -> T:
    """A NamedTuple of arrays, which a kernel hands on by address from here (`_lent.py`)."""
    return value


def started() -> Any:
    """numba, which knows the functions that kernels may call."""
    import numba
    from numba.extending import register_jitable

    if _is_spared:
        _is_spared.clear()
        _spare_unused_imports()

    if not _is_taught:
        _is_taught.append(True)
        from holecard import _lent

        _lent.teach(lent)
    while _waiting:
        function, settings = _waiting.pop(0)
        mark = register_jitable(**settings) if settings else register_jitable
        mark(function)
    return numba


def start_runtime() -> None:
    """Have numba's runtime ready, which kernels that allocate call."""
    started()
    target: Any = import_module("numba.core.registry").cpu_target
    import_module("numba.core.runtime").rtsys.initialize(target.target_context)


_is_spared: list[bool] = []
"""Not empty if numba is to start without what no kernel here uses."""


def spare_unused_imports() -> None:
    """Spare a program what numba imports for its first kernel and no kernel here uses: scipy.linalg and cffi, 0.25 s.

    For commands, not for the library: in a process where somebody compiles `np.correlate`, it would be slower, and a
    cffi function could not be called from a kernel.
    """
    _is_spared.append(True)


def _spare_unused_imports() -> None:
    from numba.np import linalg

    def absent() -> None:
        raise ImportError

    before = linalg.ensure_blas
    linalg.ensure_blas = absent
    try:
        import_module("numba.np.arraymath")  # asks once, when imported
    finally:
        linalg.ensure_blas = before
    if "cffi" not in sys.modules:
        sys.modules["cffi"] = cast(Any, None)  # as if it were not installed
        try:
            import_module("numba.core.typing.cffi_utils")  # asks once, when imported
        finally:
            del sys.modules["cffi"]
