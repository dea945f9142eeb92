"""The first solve on a machine compiles its kernels for some ten seconds: the half that it needs last, beside it.

A second process finds the best chart and the outcomes of the smallest game there is. What comes before them it runs as
plain Python, which is soon done for so small a game, so that it compiles first what the first process needs last. What
either has compiled lies on disk, and the other finds it there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from holecard._kernel import uncompiled
from holecard._machine_code import can_be_kept
from holecard.blackjack.exact.solution import SMALLEST, solve


@contextmanager
def compiling_beside(is_first: bool) -> Iterator[None]:
    """While the block runs, a second process compiles what a solve needs last, if this is the first one."""
    if not is_first or (os.cpu_count() or 1) < 2 or not can_be_kept():
        yield
        return
    packages = str(Path(__file__).parents[3])
    paths = os.pathsep.join(filter(None, (packages, os.environ.get("PYTHONPATH"))))
    other = subprocess.Popen(
        [sys.executable, "-m", __name__],
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        other.terminate()
        other.wait()


def compile_what_comes_last() -> None:
    """Have the kernels of the best chart compiled, then those of the outcomes: the first process needs them before."""
    with uncompiled(), np.errstate(all="ignore"):  # kernels divide as processors do
        solution = solve(SMALLEST)
    _ = solution.chart, solution.outcomes


if __name__ == "__main__":
    compile_what_comes_last()
