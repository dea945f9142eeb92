"""What the program does to start and end sooner, all of it here; `HOLECARD_PLAIN=1` switches it off.

| measure | gains |
|---|---|
| numba's first kernel imports neither scipy.linalg nor cffi, which no kernel here uses | 0.25 s |
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
from io import TextIOWrapper
from typing import NoReturn


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


def spare_imports() -> None:
    """Before the first kernel: spare what numba imports and no kernel here uses."""
    if not is_plain():
        from holecard._jit import spare_unused_imports

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
