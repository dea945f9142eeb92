"""What the program does to start and end sooner, all of it here; `HOLECARD_PLAIN=1` switches it off.

| measure | gains |
|---|---|
| numba is imported only to compile: code of kernels is kept as files (`_machine_code.py`) | 0.5 s |
| numba's first kernel imports neither scipy.linalg nor cffi, which no kernel here uses | 0.25 s |
| Typer makes no validator, with pydantic, for an option whose value is of its type as it comes | 0.06 s |
| the garbage collector looks seldom: what imports make stays | 0.03 s |
| the process ends without taking loaded kernels apart | 0.2 s |

A profiler, a debugger or a tracer of lines in a subprocess wants a process that starts and ends as usual: set
`HOLECARD_PLAIN=1`. The library itself does none of this; `import holecard` in your own program changes nothing in it.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn


def is_plain() -> bool:
    """True if `HOLECARD_PLAIN` asks for a process that starts and ends as usual."""
    return os.environ.get("HOLECARD_PLAIN", "0") not in ("", "0")


def begin() -> None:
    """Before the first command: write what any terminal takes, and let the garbage collector look seldom."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a pipe on Windows, an old locale: no ♥ there, but no traceback either
            stream.reconfigure(errors="replace")
    if not is_plain():
        gc.set_threshold(50_000, 20, 20)
        _spare_validators()


def _spare_validators() -> None:
    """Let Typer make an option's validator when a value comes that needs one, where this Typer has such validators."""
    core: Any = import_module("typer.core")
    usual: Any = getattr(core, "build_runtime_param", None)
    if usual is None:
        return
    parent: Any = import_module("typer._coercion").RuntimeParam

    class Unvalidated(parent):  # type: ignore[misc]
        """What an option's value becomes: itself where it is text or a switch, else what a validator says."""

        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            if type(value) in (str, bool) and type(value) is self.annotation and self.parameter_info.parser is None:
                return value
            return usual(param.type_descriptor)._coerce_value(value, param=param, ctx=ctx)

    core.build_runtime_param = lambda described: Unvalidated(described.parameter_info, described.annotation)


def spare_imports() -> None:
    """Before the first kernel: spare what numba imports and no kernel here uses."""
    if not is_plain():
        from holecard._numba import spare_unused_imports

        spare_unused_imports()


def leave(code: int) -> NoReturn:
    """After the last command: run what was registered for the exit, flush, and go."""
    if is_plain():
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # whoever was listening has gone
            stream.flush()
    os._exit(code)
