"""What starting costs: `python benchmarks/startup.py [--quick] [--against DIR] [--only NAME …]`, CPU s and clock.

Whole commands in processes of their own, kernels kept from an earlier run (`warm`) or none at all (`first`): an empty
`HOLECARD_CACHE`. Python's own bytecode is kept in either case, as it is for whoever has installed the package. The
best of some runs. `--against DIR` runs another checkout of this project in turn, says what it takes, and first compares
what both print, but for seconds: words as they are, numbers to 1e-12. Of a first race, which plays for minutes, only
what numba's compiler takes is counted.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from results import record

HERE = Path(__file__).parent.parent
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
PROGRAM = "from holecard.ui.cli import program; program()"
COMPILING = """
import atexit, sys, time
from pathlib import Path
from numba.core import event

class Clock(event.Listener):
    depth, begun, total = 0, 0.0, 0.0
    def on_start(self, _):
        if self.depth == 0:
            self.begun = time.thread_time()
        self.depth += 1
    def on_end(self, _):
        self.depth -= 1
        if self.depth == 0:
            self.total += time.thread_time() - self.begun

clock = Clock()
event.register("numba:compiler_lock", clock)
file = Path(sys.argv.pop())
atexit.register(lambda: file.write_text(str(clock.total)))
"""
"""Before `PROGRAM`: the seconds that whoever holds the compiler's lock takes, into a file; one at a time does."""


class Row(NamedTuple):
    """A command that is timed."""

    name: str
    command: str
    is_warm: bool = False
    is_compiling: bool = False
    """Only what compiling takes is told."""


ROWS = (
    Row("solve", "solve --rules casino --json", is_warm=True),
    Row("first solve", "solve --rules casino --json"),
    Row("first simulate", "simulate basic --rules casino --rounds 1000 --json"),
    Row("first duel", "holdem duel smart call --hands 10000 --json"),
    Row("first race", "race --json --out {out}", is_compiling=True),
)


def main() -> None:
    """Time the commands of this checkout, and of another one in turn."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one run each, and no race")
    parser.add_argument("--against", type=Path, help="another checkout of this project")
    parser.add_argument("--only", nargs="*", choices=[row.name for row in ROWS], help="these rows")
    options = parser.parse_args()
    trees = [HERE, *([options.against.resolve()] if options.against else [])]
    rows = [
        row for row in ROWS if (row.name in options.only if options.only else not (options.quick and row.is_compiling))
    ]
    for row in rows:
        runs = 5 if row.is_warm and not options.quick else 1 if row.is_compiling or options.quick else 2
        with tempfile.TemporaryDirectory() as folder:
            best, clock = _timed(row, trees, runs, Path(folder))
        told = f"{row.name:15}{best[0]:8.2f} CPU s"
        if not row.is_compiling:
            told += f"{clock[0]:8.2f} s by the clock"
            record(f"`holecard {row.command}`, {row.name}, by the clock", clock[0], "s")
        peer = ""
        if len(best) > 1:
            told += f"   {best[1]:8.2f} in {options.against}   {best[1] / best[0]:.2f} ×"
            peer = "before"
        print(told, flush=True)
        record(
            f"`holecard {row.command.partition(' --out')[0]}`, {row.name}",
            best[0],
            "CPU s",
            peer,
            best[-1] if peer else 0.0,
        )


def _timed(row: Row, trees: list[Path], runs: int, folder: Path) -> tuple[list[float], list[float]]:
    """The least processor seconds of each checkout, run in turn, and the clock's; what they print is the same."""
    best, clock = [float("inf")] * len(trees), [float("inf")] * len(trees)
    for number in range(runs + row.is_warm):
        said = []
        for at, tree in enumerate(trees):
            kept = folder / f"{at}" / ("warm" if row.is_warm else f"{number}")
            start = time.perf_counter()
            text, seconds = _run(row, tree, kept, folder / f"{at}-{number}")
            took = time.perf_counter() - start
            said.append(_without_times(text))
            if number or not row.is_warm:
                best[at], clock[at] = min(best[at], seconds), min(clock[at], took)
        if not row.is_compiling and any(not _is_same(text, said[0]) for text in said):
            sys.exit(f"{row.command}: the two checkouts print different things")
    return best, clock


def _run(row: Row, tree: Path, kept: Path, out: Path) -> tuple[str, float]:
    """What a command prints, and its processor seconds."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {
        "PYTHONPATH": str(tree / "src"),
        "HOLECARD_CACHE": str(kept),
    }
    told = out.with_suffix(".seconds")
    words = [*row.command.format(out=out).split(), *([str(told)] if row.is_compiling else [])]
    program = COMPILING + PROGRAM if row.is_compiling else PROGRAM
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", program, *words], env=environment, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"holecard {row.command}: {done.stderr.strip()[-500:]}")
    if row.is_compiling:
        return done.stdout, float(told.read_text(encoding="utf-8"))
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _is_same(one: str, other: str) -> bool:
    """True if two texts differ in nothing but the last digits of numbers."""
    numbers, others = (list(map(float, NUMBER.findall(text))) for text in (one, other))
    return NUMBER.sub("0", one) == NUMBER.sub("0", other) and all(
        math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12) for a, b in zip(numbers, others, strict=True)
    )


def _without_times(text: str) -> str:
    return re.sub(r'"(\w*seconds|\w*_per_second)": [-+0-9.e]+', r'"\1": …', text)


if __name__ == "__main__":
    main()
