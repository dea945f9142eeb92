"""`holecard doctor`: what is installed, what the cache holds, and a quick test that the parts work."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Annotated, Any, Final

import typer

from holecard.errors import HolecardError
from holecard.ui.console import out, print_json, say
from holecard.ui.options import Json

PACKAGES: Final = ("holecard", "numpy", "numba", "scipy", "matplotlib", "typer", "rich", "jinja2", "safetensors")
EXTRAS: Final = {
    "torch": "the DNN agent",
    "pygame": "the visualizer",
    "starlette": "the studio in the browser",
    "numba_cuda": "GPU kernels",
    "distributed": "--cluster",
    "gymnasium": "environments",
    "pettingzoo": "hold'em as an environment",
    "tensorboard": "--tensorboard",
    "playwright": "make test-browser",
}


def doctor(
    clear: Annotated[
        bool, typer.Option("--clear", help="Empty the cache: compiled kernels and hold'em tables.")
    ] = False,
    json: Json = False,
) -> None:
    """Show versions, cores, the cache and its tables, extras, and a self-test of some seconds."""
    if clear:
        say(f"cleared {_clear() / 1e6:.0f} MB; what is needed again is built again")
        return
    findings = {"versions": _versions(), "machine": _machine(), "cache": _cache(), "extras": _extras()}
    findings["gpu"] = _gpu()
    findings["self_test"] = _self_test()
    if json:
        print_json(findings)
    else:
        _print(findings)
    failed = [name for part in ("gpu", "self_test") for name, passed in findings[part].items() if passed is False]
    if failed:
        raise HolecardError(f"the self-test failed: {', '.join(failed)}; try `holecard doctor --clear` and again")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed as a package"
    return found


def _machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "gpu": _gpus_seen() or "none seen",
    }


def _gpus_seen() -> str:
    """The NVIDIA GPUs that the driver's own tool sees; nothing where there is no driver."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    question = [tool, "--query-gpu=name", "--format=csv,noheader"]
    try:
        answer = subprocess.run(question, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ", ".join(answer.stdout.split("\n")).strip(", ") if answer.returncode == 0 else ""


def _cache() -> dict[str, Any]:
    from holecard._jit import cache_folders, cache_root
    from holecard.holdem.equities.tables import are_built
    from holecard.holdem.game.stored import stored_tables

    kernels = sum(path.stat().st_size for folder in cache_folders() for path in folder.rglob("*") if path.is_file())
    return {
        "folder": str(cache_root()),
        "kernels_mb": round(kernels / 1e6, 1),
        "tables_mb": {path.name: round(size / 1e6, 1) for path, size in stored_tables()},
        "equity_tables_built": are_built(),
    }


def _clear() -> int:
    from holecard._jit import cache_root
    from holecard.holdem.game.stored import clear_tables

    kernels = cache_root() / "kernels"
    freed = sum(path.stat().st_size for path in kernels.rglob("*") if path.is_file())
    shutil.rmtree(kernels, ignore_errors=True)
    return freed + clear_tables()


def _extras() -> dict[str, str]:
    return {name: ("installed" if find_spec(name) else "not installed") + f": {use}" for name, use in EXTRAS.items()}


def _gpu() -> dict[str, Any]:
    """The GPU, and whether it deals what the processor deals; or why there is none."""
    from holecard.device import gpu

    try:
        found = gpu()
    except HolecardError as problem:
        return {"found": "none", "why": str(problem)}
    return {"found": str(found), "deals_as_the_processor_does": _gpu_agrees()}


def _gpu_agrees() -> bool:
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.play.simulate import simulate
    from holecard.blackjack.strategy.named import named_strategy

    classic = Rules.preset("classic")
    mimic = named_strategy("mimic-dealer", classic)
    one, two = (simulate(mimic, classic, 200, seed=1, device=device) for device in ("cpu", "cuda"))
    return (one.ev, one.win, one.push) == (two.ev, two.win, two.push)


def _self_test() -> dict[str, Any]:
    """Three exact answers and the time they took."""
    from holecard.blackjack.exact import solve
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.play.simulate import simulate
    from holecard.blackjack.strategy.named import named_strategy
    from holecard.cards import parse_cards
    from holecard.holdem.game.ranking import rank

    start = time.perf_counter()
    textbook = Rules.preset("textbook")
    simulated = simulate(named_strategy("mimic-dealer", textbook), textbook, 200_000, seed=1)
    return {
        "the solver knows the textbook game": abs(solve(textbook).ev + 0.0375427387589) < 1e-12,
        "the engine agrees within four errors": abs(simulated.fitness.z(0.459954109952)) < 4,
        "a royal flush ranks first": rank(parse_cards("AhKhQhJhTh2c3d")) == 7462,
        "seconds": round(time.perf_counter() - start, 2),
    }


def _print(findings: dict[str, Any]) -> None:
    from rich.table import Table

    for title, found in findings.items():
        table = Table(title=title.replace("_", " "), title_justify="left", show_header=False, box=None, padding=(0, 2))
        for name, value in found.items():
            shown = "ok" if value is True else "FAILED" if value is False else value
            if title == "cache" and isinstance(value, bool):
                shown = "yes" if value else "no, the first equity builds them in a minute"
            if isinstance(shown, dict):
                shown = ", ".join(f"{key} {size} MB" for key, size in shown.items()) or "none yet"
            table.add_row(name.replace("_", " "), str(shown))
        out().print(table)
