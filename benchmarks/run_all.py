"""Run every benchmark and write one table: `python benchmarks/run_all.py [--quick] [NAME …]` (`make bench`).

Each benchmark validates before it times, ours and its peers in the same run. The table goes to benchmarks/RESULTS.md
with the machine it was measured on; `--quick` takes fewer repetitions, and the table says so.
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

from results import COLLECTOR, ratio

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
PEERS = ("deap", "eval7", "phevaluator", "pokerkit", "torch")
NOT_BENCHMARKS = {"results", "run_all"}


def main() -> None:
    """Run them, write the table; exit 1 if one has failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these, such as holdem exact")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, smaller sizes")
    options = parser.parse_args()
    scripts = [path for path in sorted(HERE.glob("*.py")) if path.stem not in NOT_BENCHMARKS]
    unknown = set(options.names) - {path.stem for path in scripts}
    if unknown:
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(path.stem for path in scripts)}")
    chosen = [path for path in scripts if not options.names or path.stem in options.names]
    with tempfile.TemporaryDirectory() as folder:
        collected = Path(folder) / "measurements.jsonl"
        collected.touch()
        failed = [path.stem for path in chosen if not _passes(path, options.quick, collected)]
        measurements = [json.loads(line) for line in collected.read_text(encoding="utf-8").splitlines()]
    RESULTS.write_text(page(measurements, [path.stem for path in chosen], failed, options.quick), encoding="utf-8")
    print(f"wrote {RESULTS}")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def _passes(path: Path, quick: bool, collected: Path) -> bool:
    words = ["--quick"] if quick and '"--quick"' in path.read_text(encoding="utf-8") else []
    print(f"== {path.name} {' '.join(words)}", flush=True)
    start = time.perf_counter()
    done = subprocess.run([sys.executable, path, *words], env={**os.environ, COLLECTOR: str(collected)}, check=False)
    print(f"== {time.perf_counter() - start:.0f} s\n", flush=True)
    return done.returncode == 0


def page(measurements: list[dict[str, object]], names: list[str], failed: list[str], quick: bool) -> str:
    """The table as Markdown."""
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS if _installed(name))
    lines = [
        "# Benchmarks",
        "",
        f"`python benchmarks/run_all.py{' --quick' if quick else ''} {' '.join(names)}` wrote this on "
        f"{_machine()}, Python {platform.python_version()}, beside {peers}{_load()}.",
        "Every benchmark checked its results against its peers before it was timed. A ratio says how many times better",
        "ours is; peers were measured in the same run unless marked *quoted*, which are figures from elsewhere.",
        "",
        "| benchmark | what | ours | peer | theirs | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for each in measurements:
        better = ratio(each)
        theirs = _amount(each["theirs"], each["unit"]) if each["peer"] else ""
        peer = f"{each['peer']}{' (*quoted*)' if each['quoted'] and each['peer'] else ''}"
        shown = f"{better:,.1f} ×" if better else ""
        ours = _amount(each["ours"], each["unit"])
        lines.append(f"| {each['benchmark']} | {each['what']} | {ours} | {peer} | {theirs} | {shown} |")
    if failed:
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


def _load() -> str:
    """How busy the machine was with other work, where it says so."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f"; processes waiting for a core in the last minutes: {os.getloadavg()[2]:.1f}"


def _installed(name: str) -> bool:
    try:
        version(name)
    except ModuleNotFoundError:
        return False
    return True


if __name__ == "__main__":
    main()
