"""The only module that touches numba's decorators: `rule`, `kernel`, `cuda_kernel` and where compiled code is kept.

A *rule* is one small typed function. Called from Python it is plain Python; called from a kernel it is compiled with
it. A *kernel* is an outer loop: compiled, cached on disk, free of the GIL. A *cuda_kernel* is what every thread of a
GPU does, calling the same rules.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from holecard import _machine_code, _numba
from holecard._kernel import Kernel

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=tuple[Any, ...])

Int: TypeAlias = Any
"""A whole number in a rule: Python's, or one of a kernel's widths (to a type checker, numpy's are not `int`)."""

_PACKAGE = Path(__file__).parent

_IMPORT = re.compile(r"^\s*from (holecard[\w.]*) import (?:\(([^)]*)\)|([^(\n]+))", re.MULTILINE)
"""An import of this package's own, at the top of a module or inside a function: the module, then the names."""


lent = _numba.lent


def rule(function: F) -> F:
    """Mark a rule of play: plain Python for Python callers, compiled into kernels on a CPU or a GPU."""
    _numba.tell(function, forceinline=True)
    return function


def rare_rule(function: F) -> F:
    """Mark a rule that play seldom comes to: as `rule`, but kept out of line, so that the common path stays short."""
    _numba.tell(function)
    return function


def record_reader(kind: type[T]) -> Callable[[Any], T]:
    """The rule that reads a NamedTuple from a record: every field from the record's field of the same name."""
    return _made_of(kind, {name: f"given[{name!r}]" for name in _fields_of(kind)})


def _fields_of(kind: type[T]) -> tuple[str, ...]:
    names: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return names


def _made_of(kind: type[T], values: dict[str, str]) -> Callable[[Any], T]:
    """A rule from `given` to a NamedTuple, as if its fields had been listed by hand: numba has no loop over them."""
    listed = ", ".join(f"{name}={value}" for name, value in values.items())
    made: Callable[[Any], T] = eval(f"lambda given: kind({listed})", {"kind": kind})
    return rule(made)


def kernel(function: F) -> F:
    """Compile an outer loop, cached on disk under a hash of the sources it can reach.

    numba's own cache looks only at the file that holds the kernel, so an edit to a rule in another file would go
    unnoticed; naming the cache folder after every source that its module imports, directly or not, closes that trap.
    """
    return _compiled(function)


def lean_kernel(function: F) -> F:
    """Compile an outer loop as `kernel` does, one that allocates nothing, so that nobody counts references to arrays.

    Counting is two atomic additions wherever a rule is handed an array, and an allocation for every array of a call.
    One that calls itself is not to be called with a number as it is written: for `walk(work, 0)` numba makes a function
    of its own, and what it keeps of the two on disk cannot be loaded again.
    """
    return _compiled(function, _nrt=False)


def step_kernel(function: F) -> F:
    """Compile as `lean_kernel` does what is called for one step at a time: numba calls it, which is soonest done."""
    return cast(F, _numba.as_numba_does(function, partial(cache_folder, function.__module__), _nrt=False))


def kernel_of_a_game(function: F, *game: object) -> F:
    """Compile an outer loop as `lean_kernel` does, one that finds a game's rules in the scope around it as constants.

    It is kept on disk by the game, so that `must_compile` tells whether this one has been compiled.
    """
    name = f"{function.__name__}_{hashlib.sha256(repr(game).encode()).hexdigest()[:12]}"
    function.__name__ = function.__qualname__ = name
    return lean_kernel(function)


def atomic_addition() -> Callable[[Any, Any, Any], None]:
    """For kernels on a CPU: adds a whole number to a place of an array of one axis, while other threads may do so too.

    Whoever calls this imports numba.
    """
    numba = _numba.started()
    from numba.extending import intrinsic

    types: Any = numba.types
    arrayobj: Any = import_module("numba.np.arrayobj")
    cgutils: Any = import_module("numba.core.cgutils")

    def added(_: Any, array: Any, at: Any, amount: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind, index, value = signature.args
            place = context.cast(builder, arguments[1], index, types.intp)
            given = context.cast(builder, arguments[2], value, kind.dtype)
            made = arrayobj.make_array(kind)(context, builder, arguments[0])
            pointer = cgutils.get_item_pointer(context, builder, kind, made, [place], wraparound=False)
            builder.atomic_rmw("add", pointer, given, "monotonic")
            return context.get_dummy_value()

        return types.void(array, at, amount), code

    return cast(Callable[[Any, Any, Any], None], intrinsic(added))


def fused_kernel(function: F) -> F:
    """Compile an outer loop as `kernel` does, with products and sums fused into one rounding where the machine can."""
    return _compiled(function, fastmath={"contract"})


def lean_fused_kernel(function: F) -> F:
    """Compile an outer loop as `fused_kernel` does, one that allocates nothing; see `lean_kernel`."""
    return _compiled(function, fastmath={"contract"}, _nrt=False)


def cuda_kernel(function: Callable[..., None], **options: Any) -> Any:
    """What every thread of a GPU does, compiled at its first launch and cached as `kernel` does.

    Called where a GPU is wanted and nowhere else: importing numba.cuda takes a second. What the function finds in the
    scopes around it (rules, sizes, types of records) is compiled in as constants. `options` are numba's own, such as
    `max_registers`.
    """
    _numba.started()
    from numba import cuda
    from numba.core import config

    if is_simulated():
        return cuda.jit(function)
    settings: Any = config
    settings.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small job is no mistake
    with _numba.kept_in(cache_folder(function.__module__)):
        return cuda.jit(cache=True, **options)(function)


def is_simulated() -> bool:
    """True where numba plays the GPU in plain Python (NUMBA_ENABLE_CUDASIM=1), as tests do without one."""
    from numba.core import config

    settings: Any = config
    return bool(settings.ENABLE_CUDASIM)


def _compiled(function: F, **settings: Any) -> F:
    folder = partial(cache_folder, function.__module__)
    is_ours = _source_of(function.__module__) is not None and function.__closure__ is None
    # else its code depends on more than sources here and arguments, and numba's cache knows what
    calls_itself = function.__name__ in function.__code__.co_names  # numba knows that of its own dispatchers only
    if is_ours and not calls_itself and not is_plain() and _machine_code.can_be_kept():
        return cast(F, Kernel(function, folder, **settings))
    return cast(F, _numba.as_numba_does(function, folder, **settings))


def is_plain() -> bool:
    """True if `HOLECARD_PLAIN` asks for a process without tricks: kernels are called and kept by numba itself."""
    return os.environ.get("HOLECARD_PLAIN", "0") not in ("", "0")


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
def cache_folder(module: str) -> Path:
    """Where the kernels of a module are kept, compiled from exactly the sources of today that they can reach.

    Kernels of other people's modules may call anything here, so any edit to the package names another folder for them.
    """
    digest = hashlib.sha256(_machine_code.versions().encode())
    known = _source_of(module) is not None
    for name in sorted(_reach(module)) if known else _modules():
        digest.update(name.encode())
        digest.update(_text_of(name).encode())
    short = module.removeprefix("holecard.") if known else "elsewhere"
    return cache_root() / "kernels" / f"{short}-{digest.hexdigest()[:16]}"


def cache_folders() -> list[Path]:
    """The folders of kernels of every module here that may have some."""
    return [cache_folder(module) for module in _modules() if "from holecard._jit import" in _text_of(module)]


def _reach(module: str) -> set[str]:
    """A module and all that it imports of this package, directly or not."""
    reached, ahead = set[str](), [module]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += _imports_of(name)
    return reached


@cache
def _imports_of(module: str) -> list[str]:
    found = []
    for source, several, one in _IMPORT.findall(_text_of(module)):
        found += [source] + [f"{source}.{name.split()[0]}" for name in (several or one).split(",") if name.strip()]
    return [name for name in found if _source_of(name) is not None]


@cache
def _source_of(module: str) -> Path | None:
    """The file of one of this package's modules; None where the name is of something else."""
    if module.partition(".")[0] != "holecard":
        return None
    place = _PACKAGE.joinpath(*module.split(".")[1:])
    candidates = (place.with_suffix(".py"), place / "__init__.py") if place != _PACKAGE else (place / "__init__.py",)
    return next((file for file in candidates if file.is_file()), None)


@cache
def _text_of(module: str) -> str:
    source = _source_of(module)
    assert source is not None, f"{module} is no module of this package"
    return source.read_text(encoding="utf-8")


@cache
def _modules() -> tuple[str, ...]:
    """Every module of the package by name, in order."""
    files = (file.relative_to(_PACKAGE).with_suffix("") for file in _PACKAGE.rglob("*.py"))
    return tuple(sorted(".".join(("holecard", *file.parts)).removesuffix(".__init__") for file in files))


def must_compile(*kernels: Callable[..., Any]) -> bool:
    """True if one of these kernels is not in the cache yet, so that its first call compiles for some seconds."""
    return not all(_is_kept(cache_folder(function.__module__), function.__name__) for function in kernels)


def _is_kept(folder: Path, kernel: str) -> bool:
    return any(folder.glob(f"{kernel}-*.code")) or any(folder.rglob(f"*.{kernel}-*.nbi"))
