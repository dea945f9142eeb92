"""Run every benchmark, write one table: `run_all.py [--quick] [--farmer DIR] [NAME …]` (`make bench`).

Each benchmark validates before it times, ours and its peers in the same run. The table goes to benchmarks/RESULTS.md
with the machine it was measured on; `--quick` takes fewer repetitions, and the table says so. It is written again after
each benchmark, so that one that fails, hangs (`--limit` minutes each) or is interrupted loses no other; the page says
how long each took and how busy the machine was. With names only those are run, and the page keeps what the others
measured last (benchmarks/measured.json). One that misses something it needs (a GPU, a browser, an extra) says so and
measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from results import COLLECTOR, ratio

from holecard.files import write_file

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
KEPT = HERE / "measured.json"
"""The last run of every benchmark."""
PEERS = ("deap", "eval7", "phevaluator", "pokerkit", "torch")
NOT_BENCHMARKS = {"farmer", "growth", "results", "run_all"}
"""Beside what they share: `growth.py` draws pictures of many sizes, some ten minutes, and has no peers."""
LIMIT = 30.0
"""Minutes that one benchmark may take."""
INTERRUPTED = "interrupted"


class Run(NamedTuple):
    """How a benchmark went."""

    name: str
    words: list[str]
    """Its options."""
    seconds: float
    load: float
    """Processes that waited for a core while it ran, itself among them."""
    problem: str
    """Why there is nothing, or not all, of it in the table; nothing where it passed."""
    measurements: list[dict[str, object]]
    """What it told, see `results.record`."""


def main() -> None:
    """Run them, write the table; exit 1 if one has failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these, such as holdem exact")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, smaller sizes")
    parser.add_argument("--limit", type=float, default=LIMIT, help="minutes that one benchmark may take")
    parser.add_argument("--farmer", type=Path, metavar="DIR", help="Eric Farmer's C++ sources, for exact.py")
    options = parser.parse_args()
    scripts = [path for path in sorted(HERE.glob("*.py")) if path.stem not in NOT_BENCHMARKS]
    unknown = set(options.names) - {path.stem for path in scripts}
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(path.stem for path in scripts)}")
    chosen = [path for path in scripts if not options.names or path.stem in options.names]
    kept = {run.name: run for run in _kept() if run.name in {path.stem for path in scripts}}
    runs: list[Run] = []
    for path in chosen:
        runs.append(_run(path, _words(path, options), options.limit))
        kept[path.stem] = runs[-1]
        last = sorted(kept.values())
        write_file(KEPT, json.dumps([run._asdict() for run in last], indent=1) + "\n")
        write_file(RESULTS, page(last))
        if runs[-1].problem == INTERRUPTED:
            break
    minutes, told = sum(run.seconds for run in runs) / 60, sum(len(run.measurements) for run in runs)
    print(f"wrote {RESULTS}: {told} measurements of {len(runs)} benchmarks in {minutes:.0f} minutes")
    if failed := [f"{run.name} ({run.problem})" for run in runs if run.problem]:
        sys.exit(f"failed: {', '.join(failed)}")


def _words(path: Path, options: argparse.Namespace) -> list[str]:
    """The options of the run that a benchmark knows."""
    text = path.read_text(encoding="utf-8")
    words = ["--quick"] if options.quick and '"--quick"' in text else []
    return [*words, "--farmer", str(options.farmer)] if options.farmer and '"--farmer"' in text else words


def _kept() -> list[Run]:
    """The last run of every benchmark that was ever run here."""
    return [Run(**each) for each in json.loads(KEPT.read_text(encoding="utf-8"))] if KEPT.exists() else []


def _run(path: Path, words: list[str], limit: float) -> Run:
    print(f"== {path.name} {' '.join(words)}", flush=True)
    start, problem = time.perf_counter(), ""
    with tempfile.TemporaryDirectory() as folder:
        collected = Path(folder) / "measurements.jsonl"
        collected.touch()
        environment = {**os.environ, COLLECTOR: str(collected)}
        try:
            done = subprocess.run([sys.executable, path, *words], env=environment, check=False, timeout=60 * limit)
            problem = f"exit {done.returncode}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            problem = f"stopped after {limit:g} minutes"
        except KeyboardInterrupt:
            problem = INTERRUPTED
        told = [json.loads(line) for line in collected.read_text(encoding="utf-8").splitlines()]
    seconds = time.perf_counter() - start
    load = os.getloadavg()[1 if seconds > 300 else 0] if hasattr(os, "getloadavg") else 0.0
    print(f"== {path.stem}: {problem or 'passed'}, {seconds:.0f} s\n", flush=True)
    shown = [word if not word.startswith("/") else "DIR" for word in words]
    return Run(path.stem, shown, round(seconds, 1), round(load, 1), problem, told)


def page(runs: list[Run]) -> str:
    """The table as Markdown, and how long it took."""
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS if _installed(name))
    lines = [
        "# Benchmarks",
        "",
        "`benchmarks/run_all.py` (`make bench`) wrote this, the last run of every benchmark below, on "
        f"{_machine()}, Python {platform.python_version()}, beside {peers}.",
        "Every benchmark checked its results against its peers before it was timed. A ratio says how many times better",
        "ours is; peers were measured in the same run unless marked *quoted*, which are figures from elsewhere.",
        "",
        "| benchmark | what | ours | peer | theirs | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for each in [each for run in runs for each in run.measurements]:
        better = ratio(each)
        theirs = _amount(each["theirs"], each["unit"]) if each["peer"] else ""
        peer = f"{each['peer']}{' (*quoted*)' if each['quoted'] and each['peer'] else ''}"
        shown = f"{better:,.1f} ×" if better else ""
        ours = _amount(each["ours"], each["unit"])
        lines.append(f"| {each['benchmark']} | {each['what']} | {ours} | {peer} | {theirs} | {shown} |")
    lines += ["", "| the command, `python benchmarks/…` | seconds | load on the machine | |", "|---|---|---|---|"]
    for run in runs:
        told = run.problem or ("" if run.measurements else "nothing to measure here")
        lines.append(f"| `{' '.join([f'{run.name}.py', *run.words])}` | {run.seconds:,.0f} | {run.load:.1f} | {told} |")
    if failed := [run.name for run in runs if run.problem]:
        lines += ["", f"Failed: {', '.join(failed)}."]
    return "\n".join(lines) + "\n"


def _amount(value: object, unit: object) -> str:
    number = float(str(value))
    shown = f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"
    return f"{shown}{unit}" if str(unit).startswith("/") else f"{shown} {str(unit).strip()}"


def _machine() -> str:
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def _installed(name: str) -> bool:
    try:
        version(name)
    except ModuleNotFoundError:
        return False
    return True


if __name__ == "__main__":
    main()
