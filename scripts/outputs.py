"""The results of every command, written to a file and compared: proof that a change of the code changed no result.

    python scripts/outputs.py write BEFORE.json [--source SRC] [--keep DIR] [--only TEXT]
    python scripts/outputs.py load DIR [LOADED.json] [--source SRC] [--only TEXT]
    python scripts/outputs.py compare BEFORE.json AFTER.json

`write` runs the commands of outputs.txt, all with fixed seeds, and writes what each printed, how it ended and a hash of
every file it left, without times, paths, versions and machines. `--keep` keeps the files and adds killed runs.
`load` runs commands on a copy of kept files: what an older program left must still be read, and its runs must go on.
`--source` names the `src` folder of the program to run, this repository's by default; `--only` takes the commands whose
names hold that text, which may need files of others.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
LONGEST = 900
"""Seconds after which a command is given up."""
NO_RESULTS = {"out", "output", "report", "command", "commit", "versions", "machine", "rounds_per_second"}
"""Keys that say where, when and how fast; so does every key with `seconds` in it."""
NO_FILES = {
    *("stdin.txt", "stdout.txt", "stderr.txt"),  # what was printed is compared as such
    *("report.html", "cost.png", "cost.svg"),  # they show seconds
    "checkpoint.prev.npz",  # how old it is depends on the time a generation takes
}
"""Files that differ between two runs of the same program."""
RACE = {
    "study": "race", "rules": "6d H17", "seed": 3, "population": 20, "bits_generations": 8, "bits_hands": 500,
    "letters_generations": 12, "programs": 40, "programs_generations": 8, "games": 60, "epochs": 2, "rounds": 2000,
    "budgets": [5, 40], "settings": ["pokernet", "paper"], "players": 8, "holdem_generations": 4, "hands": 40,
    "duel_hands": 400,
}  # fmt: skip
"""The options of a race smaller than the command line allows: `race --resume` finds them in a folder and begins."""
WINDOW = """
import pathlib, runpy, threading, time
import pygame

def press(*keys):
    send(*(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0) for key in keys))
    send(pygame.event.Event(pygame.USEREVENT))  # when it is taken, what the keys do is done

def send(*events):
    while not pygame.display.get_init():
        time.sleep(0.05)
    for event in events:
        pygame.event.post(event)
    while pygame.event.peek(events[0].type, pump=False):
        time.sleep(0.02)

def step_save_and_quit():
    while not list(pathlib.Path().glob("*.json")):
        press(pygame.K_RIGHT, pygame.K_s)
    press(pygame.K_q)

threading.Thread(target=step_save_and_quit, daemon=True).start()
runpy.run_module("holecard", run_name="__main__", alter_sys=True)
"""
"""The program with a window that nobody sees: → and S are pressed until the session is over and saved."""


class Command(NamedTuple):
    """A line of outputs.txt."""

    name: str
    """Its folder."""
    arguments: list[str]
    typed: str
    """What it reads from the keyboard."""
    until: str
    """The file after which it is killed; empty if it is not."""


def commands_of(section: str, only: str = "") -> list[Command]:
    """The commands of a section of outputs.txt whose names hold a text."""
    lines = (HERE / "outputs.txt").read_text(encoding="utf-8").partition(f"[{section}]\n")[2].partition("\n[")[0]
    found = []
    for line in lines.splitlines():
        name, colon, rest = line.partition(": ")
        if not colon or line.startswith("#") or only not in name:
            continue
        rest, _, until = rest.partition(" until ")
        arguments, _, typed = rest.partition(" < ")
        found.append(Command(name, shlex.split(arguments), typed.replace("; ", "\n"), until))
    return found


def run(command: Command, folder: Path, source: Path) -> int:
    """Run a command in a folder, where stdout.txt and stderr.txt keep what it says; its exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    if command.arguments[:3] == ["race", "--resume", "race"] and not (folder / "race").exists():
        (folder / "race").mkdir()
        nowhere = {"commit": None, "versions": {}, "machine": {"system": "", "cores": 0}}
        (folder / "race" / "config.json").write_text(json.dumps({"options": RACE, **nowhere}), encoding="utf-8")
    in_window = command.arguments[0] == "watch" and "--record" not in command.arguments
    program = [sys.executable, *(["-c", WINDOW] if in_window else ["-m", "holecard"]), *command.arguments]
    paths = os.pathsep.join([str(source), str(source.parent / "examples")])
    settings = {"PYTHONPATH": paths, "COLUMNS": "120", "SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    (folder / "stdin.txt").write_text(command.typed, encoding="utf-8")
    with (
        (folder / "stdin.txt").open() as typed,
        (folder / "stdout.txt").open("w") as out,
        (folder / "stderr.txt").open("w") as errors,
        subprocess.Popen(
            program, cwd=folder, env=os.environ | settings, stdin=typed, stdout=out, stderr=errors
        ) as process,
    ):
        deadline = time.monotonic() + LONGEST
        while process.poll() is None:
            if time.monotonic() > deadline or (command.until and has_begun(folder / command.until)):
                process.kill()
            time.sleep(0.02)
    return process.returncode


def has_begun(path: Path) -> bool:
    """True if a file holds more than a header."""
    return path.exists() and path.stat().st_size > 1000


def result_of(command: Command, folder: Path, code: int) -> dict[str, Any]:
    """What a command that has run in a folder came to."""
    printed = (folder / "stdout.txt").read_text(encoding="utf-8")
    told: Any = without_times(json.loads(printed)) if printed.startswith("{") else printed.splitlines()
    result = {"arguments": shlex.join(command.arguments), "exit": code, "printed": told, "files": hashes_of(folder)}
    if code:
        result["errors"] = (folder / "stderr.txt").read_text(encoding="utf-8").splitlines()
    return result


def without_times(value: Any) -> Any:
    """A JSON value without what says where, when and how fast."""
    if isinstance(value, dict):
        kept = {name for name in value if name not in NO_RESULTS and "seconds" not in name}
        return {name: without_times(each) for name, each in value.items() if name in kept}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def hashes_of(folder: Path) -> dict[str, str]:
    """SHA-256 of every file in a folder and below that must be the same each time."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in NO_FILES)
    return {path.relative_to(folder).as_posix(): hashlib.sha256(contents_of(path)).hexdigest() for path in paths}


def contents_of(path: Path) -> bytes:
    """The contents of a file, of JSON and CSV without what says where, when and how fast."""
    if path.suffix in (".json", ".jsonl"):
        text = path.read_text(encoding="utf-8")
        values = [text] if path.suffix == ".json" else text.splitlines()
        return "\n".join(json.dumps(without_times(json.loads(value))) for value in values).encode()
    if path.suffix == ".csv":
        rows = list(csv.DictReader(StringIO(path.read_text(encoding="utf-8"))))
        return json.dumps(without_times(rows)).encode()
    return path.read_bytes()


def results_of(commands: list[Command], below: Path, source: Path) -> dict[str, Any]:
    """Run commands one after the other; their results by name."""
    results = {}
    for command in commands:
        start = time.monotonic()
        code = run(command, below / command.name, source)
        results[command.name] = result_of(command, below / command.name, code)
        print(f"{command.name:<24} exit {code}  {time.monotonic() - start:5.1f} s", flush=True)
    return results


def checked_source(source: Path) -> Path:
    """The folder, if Python takes the program from it."""
    ask = [sys.executable, "-c", "import holecard; print(holecard.__file__)"]
    found = subprocess.run(
        ask, env=os.environ | {"PYTHONPATH": str(source)}, cwd=HERE, capture_output=True, text=True, check=False
    )
    if not Path(found.stdout.strip()).is_relative_to(source):
        sys.exit(f"no program in {source}; Python takes {found.stdout.strip() or found.stderr.strip()}")
    return source


def write(file: Path, source: Path, keep: Path | None, only: str) -> None:
    """Run every command, write the results, and keep the folders if asked to."""
    with tempfile.TemporaryDirectory() as temporary:
        below = keep or Path(temporary)
        if below.exists() and any(below.iterdir()):
            sys.exit(f"{below} is not empty; choose another folder to keep files in")
        save(results_of(commands_of("write", only), below, source), file)
        for command in commands_of("kill", only) if keep else []:
            run(command, below / command.name, source)
            print(f"{command.name:<24} killed")


def load(kept: Path, file: Path | None, source: Path, only: str) -> None:
    """Run commands on a copy of kept folders, and write the results if asked to; exits with 1 if one of them fails."""
    with tempfile.TemporaryDirectory() as temporary:
        below = Path(shutil.copytree(kept, temporary, dirs_exist_ok=True))
        results = results_of(commands_of("load", only), below, source)
    if file:
        save(results, file)
    failed = [name for name, result in results.items() if result["exit"]]
    for name in failed:
        print(f"{name} failed:", *results[name]["errors"], sep="\n  ")
    sys.exit(bool(failed))


def save(results: dict[str, Any], file: Path) -> None:
    """Write results as JSON."""
    file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, text and truth in a JSON value, and where it is."""
    if isinstance(value, dict | list) and value:
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, f"{path} / {name}" if path else str(name))
    else:
        yield path, value


def compare(before: Path, after: Path) -> None:
    """Print every difference between two files of results; exits with 1 if there are any."""
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    olds, news = dict(leaves(old)), dict(leaves(new))
    different = [path for path in {**olds, **news} if repr(olds.get(path, ...)) != repr(news.get(path, ...))]
    for path in different:
        was, now = (f"{each[path]!r:.200}" if path in each else "nothing" for each in (olds, news))
        print(f"{path}: {was} → {now}")
    if different:
        sys.exit(f"{len(different):,} differences in {len(olds):,} results of {len(old)} commands")
    print(f"no difference in {len(olds):,} results of {len(old)} commands")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    writing, loading, comparing = (actions.add_parser(name) for name in ("write", "load", "compare"))
    writing.add_argument("file", type=Path)
    writing.add_argument("--keep", type=Path)
    loading.add_argument("kept", type=Path)
    loading.add_argument("file", type=Path, nargs="?")
    for action in (writing, loading):
        action.add_argument("--source", type=Path, default=HERE.parent / "src")
        action.add_argument("--only", default="")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    given = vars(parser.parse_args())
    if "source" in given:
        given["source"] = checked_source(given["source"].resolve())
    chosen: dict[str, Callable[..., None]] = {"write": write, "load": load, "compare": compare}
    chosen[given.pop("action")](**given)


if __name__ == "__main__":
    main()
