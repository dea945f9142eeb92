"""The only module that touches numba's decorators: `rule`, `kernel`, `cuda_kernel` and where compiled code is kept.

A *rule* is one small typed function. Called from Python it is plain Python; called from a kernel it is compiled with
it. A *kernel* is an outer loop: compiled, cached on disk, free of the GIL. A *cuda_kernel* is what every thread of a
GPU does, calling the same rules.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba
from numba.core import config
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., Any])

Int: TypeAlias = Any
"""A whole number in a rule: Python's, or one of a kernel's widths (to a type checker, numpy's are not `int`)."""

_PACKAGE = Path(__file__).parent

_GAMES = ("blackjack", "holdem", "evolve")
_BELOW: dict[str, tuple[str, ...]] = {
    "agents": _GAMES,
    "arena": ("agents", *_GAMES),
    "envs": ("agents", *_GAMES),
    "studies": ("arena", "envs", "agents", *_GAMES),
}
"""The folders that a layer's kernels may call rules of; the games call only the modules that all layers stand on."""


def rule(function: F) -> F:
    """Mark a rule of play: plain Python for Python callers, compiled into kernels on a CPU or a GPU."""
    register_jitable(forceinline=True)(function)
    return function


def rare_rule(function: F) -> F:
    """Mark a rule that play seldom comes to: as `rule`, but kept out of line, so that the common path stays short."""
    register_jitable(function)
    return function


def kernel(function: F) -> F:
    """Compile an outer loop, cached on disk under a hash of the sources it can reach.

    numba's own cache looks only at the file that holds the kernel, so an edit to a rule in another file would go
    unnoticed; naming the cache folder after all sources of its layer and the layers below closes that trap.
    """
    return _compiled(function)


def lean_kernel(function: F) -> F:
    """Compile an outer loop as `kernel` does, one that allocates nothing, so that nobody counts references to arrays.

    Counting is two atomic additions wherever a rule is handed an array, and an allocation for every array of a call.
    """
    return _compiled(function, _nrt=False)


def fused_kernel(function: F) -> F:
    """Compile an outer loop as `kernel` does, with products and sums fused into one rounding where the machine can."""
    return _compiled(function, fastmath={"contract"})


def cuda_kernel(function: Callable[..., None], **options: Any) -> Any:
    """What every thread of a GPU does, compiled at its first launch and cached as `kernel` does.

    Called where a GPU is wanted and nowhere else: importing numba.cuda takes a second. What the function finds in the
    scopes around it (rules, sizes, types of records) is compiled in as constants. `options` are numba's own, such as
    `max_registers`.
    """
    from numba import cuda

    if is_simulated():
        return cuda.jit(function)
    settings: Any = config
    settings.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small job is no mistake
    with _kept_in(cache_folder(_layer_of(function))):
        return cuda.jit(cache=True, **options)(function)


def is_simulated() -> bool:
    """True where numba plays the GPU in plain Python (NUMBA_ENABLE_CUDASIM=1), as tests do without one."""
    settings: Any = config
    return bool(settings.ENABLE_CUDASIM)


def spare_unused_imports() -> None:
    """Spare a program what numba imports for its first kernel and no kernel here uses: scipy.linalg and cffi, 0.25 s.

    For commands, not for the library: in a process where somebody compiles `np.correlate`, it would be slower, and a
    cffi function could not be called from a kernel.
    """
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


def _compiled(function: F, **options: Any) -> F:
    with _kept_in(cache_folder(_layer_of(function))):
        compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    return cast(F, compiled)


@contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    settings: Any = config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def cache_root() -> Path:
    """The user's cache folder for this package; `HOLECARD_CACHE` names another."""
    chosen = os.environ.get("HOLECARD_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "holecard"


@cache
def cache_folder(layer: str) -> Path:
    """Where the kernels of a layer (`blackjack`, `agents`, …) are kept compiled from exactly the sources of today."""
    reach = [_PACKAGE.glob("*.py"), *((_PACKAGE / folder).rglob("*.py") for folder in (layer, *_BELOW.get(layer, ())))]
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(source for sources in reach for source in sources):
        digest.update(source.relative_to(_PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return cache_root() / "kernels" / f"{layer}-{digest.hexdigest()[:16]}"


def cache_folders() -> list[Path]:
    """Every layer's folder of kernels."""
    return [cache_folder(layer) for layer in (*_GAMES, *_BELOW)]


def must_compile(*kernels: Callable[..., Any]) -> bool:
    """True if one of these kernels is not in the cache yet, so that its first call compiles for some seconds."""
    return not all(any(cache_folder(_layer_of(function)).rglob(f"*.{function.__name__}-*.nbi")) for function in kernels)


def _layer_of(function: Callable[..., Any]) -> str:
    return function.__module__.split(".")[1] if function.__module__.startswith("holecard.") else "studies"
