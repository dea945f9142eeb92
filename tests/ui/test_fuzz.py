"""The command line under nasty input: exit 0, 2 or 130, one line for a mistake, never a traceback or half a file.

Every command, options drawn from their types and from a list of values that people and scripts have typed by mistake.
A command that is still at work after a second is interrupted as Ctrl-C does, and must end soon.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from numba.core.compiler_lock import global_compiler_lock

from holecard.ui.cli import app, main
from holecard.ui.lazy import whole

PATIENCE = 1.0
"""Seconds until a command is interrupted."""
GRACE = 120.0
"""Seconds that an interrupted command may take to end; threads may be compiling."""
COMPILING = 0.05
"""Seconds until an interrupt that met the compiler is tried again."""

SMALL = {
    "evolve ga": ["--population", "4", "--generations", "2", "--hands", "50", "--no-figures"],
    "evolve gp": ["--population", "6", "--generations", "1", "--no-figures"],
    "dataset": ["--games", "2", "--output", "data.jsonl"],
    "train": ["--dataset", "given.jsonl", "--epochs", "1", "--output", "model.pt"],
    "evaluate": ["--agent", "basic", "--games", "2", "--rounds", "3"],
    "watch": ["--record", "frames/", "--rounds", "1"],
    "simulate": ["basic", "--rounds", "1000"],
    "score": ["basic"],
    "holdem evolve": ["--population", "4", "--generations", "1", "--hands", "2", "--finals", "0", "--no-figures"],
    "holdem equity": ["AhKh"],
    "holdem duel": ["call", "raise", "--hands", "20"],
    "holdem league": ["call", "raise", "--hands", "20"],
    "holdem dashboard": ["run"],
    "holdem figures": ["run"],
    "holdem replay": ["given.phh"],
    "holdem solve": ["kuhn", "--iterations", "20"],
    "holdem spot": ["--board", "Ks9s7h3d2c", "--range", "AA,QJs", "--against", "KQ", "--pot", "9", "--stack", "20"],
    "holdem exploitability": ["call", "--hands", "4"],
    "holdem exploit": ["scared-limper", "--menu", "fold,min", "--flops", "4"],
    "holdem pushfold": ["--stack", "5"],
    "count indices": ["hi-lo", "--shoes", "100"],
    "count ramp": ["hi-lo", "--rounds", "1000"],
    "count race": ["--rounds", "1000", "--shoes", "100"],
    "count shoe": ["--shoes", "1"],
    "evolve counter": ["--population", "4", "--generations", "1", "--hands", "20", "--shoes", "100", "--no-figures"],
    "holdem adapt": ["champion:paper", "--opponents", "call", "--after", "0", "--hands", "4"],
    "holdem blueprint": ["--iterations", "64", "--batch", "64", "--step", "1", "--strengths", "2", "--parts", "1"],
    "studio": ["--no-browser", "--port", "0"],
}
"""What keeps a command small; a drawn option overrides it."""

SAME_KERNELS = {"count race", "count indices", "holdem league", "studio"}
"""Commands that compile nothing which others here do not, or stay until they are stopped."""

NUMBERS = ["0", "-1", "1", "2", "3", "5k", "1M", "1e6", "1e400", "nan", "inf", "-inf", "0.5", "99999999999999", "", " "]
TEXTS = [
    "",
    " ",
    "[/x]",
    "[red]",
    "nosuch",
    "../..",
    "ü♠",
    "a" * 3000,
    "%s{0}",
    "-",
    "basic",
    "casino",
    "0.25:0.05",
    "1:",
]
GIVEN = {
    "given.jsonl": b'{"not": "a dataset"}\n',
    "given.txt": b"years of work\n",
    "given.csv": b"name,years\n",
    "given.png": b"a drawing in a format of mine",
    "given.pt": b"weights of mine",
    "given.json": b"{}",
    "given.gif": b"a film of mine",
}
"""Files of other people's, which no command may touch."""
PATHS = [
    "",
    "new/x.png",
    "new.json",
    *GIVEN,
    "folder",
    "[/z]",
    "/dev/null",
    "/proc/nope/x",
    "x" * 300,
]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A command that can be run."""

    name: str
    command: Any


def leaves(group: Any, path: tuple[str, ...] = ()) -> list[Leaf]:
    if hasattr(group, "commands"):
        return [leaf for name, each in group.commands.items() for leaf in leaves(each, (*path, name))]
    return [Leaf(" ".join(path), group)]


LEAVES = leaves(whole(typer.main.get_command(app)))


def value_for(option: Any, rng: random.Random) -> str:
    """A value for an option of Typer's, whose versions name its type differently."""
    named = getattr(option, "bare_type", None)
    kind = str(named() if callable(named) else getattr(option, "type", ""))
    if "int" in kind.lower() or "float" in kind.lower():
        return rng.choice(NUMBERS)
    return rng.choice(PATHS if "path" in kind.lower() else [*NUMBERS, *TEXTS, *PATHS])


def arguments(leaf: Leaf, rng: random.Random) -> list[str]:
    drawn: list[str] = []
    options = [each for each in leaf.command.params if each.param_type_name == "option"]
    for option in rng.sample(options, min(len(options), rng.randrange(5))):
        if option.name == "help":
            continue
        drawn.append(rng.choice([*option.opts, *option.secondary_opts]))
        if not option.is_flag:
            drawn.append(value_for(option, rng))
    small = list(SMALL.get(leaf.name, []))
    if small and rng.random() < 0.15:
        small[rng.randrange(len(small))] = rng.choice([*TEXTS, *NUMBERS])
    return [*leaf.name.split(), *small, *drawn]


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """Every command once, undisturbed: numba does not get over an interrupt while it reads its own registries."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("warm"))
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        for name, small in SMALL.items():
            if name not in SAME_KERNELS:
                with suppress(SystemExit):
                    main([*name.split(), *small])


@pytest.fixture
def ground(warm, tmp_path, monkeypatch):
    """A folder with files of other kinds in it, where nothing may be lost."""
    for module in ("torch", "matplotlib.figure", "pygame"):  # an interrupted import leaves a half
        import_module(module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr("holecard.ui.doctor._clear", lambda: 0)  # the kernels of whoever runs this test stay
    for name, contents in GIVEN.items():
        (tmp_path / name).write_bytes(contents)
    (tmp_path / "given.phh").write_text("variant = 'NT'\nactions = [1, 2]\n")
    (tmp_path / "folder").mkdir()
    return tmp_path


class Interrupter:
    """Ctrl-C after a while, and once more if that was not heard.

    A compiler is let finish: an interrupt inside it may leave its lock held for ever, and the command after this one,
    in the same process, would wait for it. In a terminal the process ends with the command.
    """

    def __init__(self) -> None:
        self.interrupts = 0
        self.stuck = ""

    def __call__(self, *_) -> None:
        if global_compiler_lock.is_locked():
            signal.setitimer(signal.ITIMER_REAL, COMPILING, GRACE)
            return
        self.interrupts += 1
        if self.interrupts > 1:
            stacks = ["".join(traceback.format_stack(frame, 6)) for frame in sys._current_frames().values()]
            self.stuck = "does not end when it is interrupted\n" + "\n".join(stacks)
        raise KeyboardInterrupt


def run(line: list[str], capsys) -> tuple[int, str]:
    """Exit code and stderr of a command; a traceback is code 1."""
    interrupt = Interrupter()
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, GRACE)
    trace = ""
    try:
        main(line)
    except SystemExit as end:
        code = end.code
    except BaseException:
        code, trace = 1, traceback.format_exc(limit=-4)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if interrupt.stuck:
        code, trace = 1, interrupt.stuck
    return int(code or 0), capsys.readouterr().err + trace


def faults(folder: Path, code: int, err: str) -> Iterator[str]:
    """What is wrong with a command that has ended."""
    last = err.rstrip("\n").split("\n")[-1]
    if code not in (0, 2, 130) or "Traceback" in err:
        yield f"exit {code}: {err}"
    elif code == 2 and not last.startswith("holecard: "):
        yield f"a mistake is told in other words: {err}"
    elif code == 2 and len(last) > 1000:
        yield f"it repeats what it was given: {len(last)} characters"
    for name, contents in GIVEN.items():
        if not (folder / name).is_file() or (folder / name).read_bytes() != contents:
            yield f"it wrote over {name}"
            (folder / name).write_bytes(contents)
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix in WHOLE and not path.name.startswith("."):
            try:
                WHOLE[path.suffix](path)
            except Exception as problem:
                yield f"it left {path.name} broken: {problem!r}"
                path.unlink()


def _some(path: Path) -> None:
    assert path.stat().st_size > 0, "empty"


WHOLE = {
    ".json": lambda path: json.loads(path.read_text(encoding="utf-8")),
    ".npz": lambda path: np.load(path, allow_pickle=False).close(),
    **dict.fromkeys((".png", ".svg", ".csv", ".pt", ".safetensors", ".gif"), _some),
}
"""How a file under its final name is seen to be whole."""


def invoke(seed: int, count: int, ground: Path, capsys) -> None:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        line = arguments(rng.choice(LEAVES), rng)
        code, err = run(line, capsys)
        found += [f"holecard {' '.join(map(repr, line))}\n{fault}" for fault in faults(ground, code, err)]
    assert not found, "\n\n".join(found)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interrupt may meet a compiler
@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs an alarm")
@pytest.mark.parametrize("seed", range(6))
def test_fifty_nasty_command_lines(seed, ground, capsys):
    invoke(seed, 50, ground, capsys)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("seed", range(100, 140))
def test_two_thousand_nasty_command_lines(seed, ground, capsys):
    invoke(seed, 50, ground, capsys)


def test_every_command_is_tried():
    names = {leaf.name for leaf in LEAVES}
    assert {"solve", "score", "simulate", "evolve ga", "holdem equity", "watch", "race", "doctor"} <= names
    assert set(SMALL) - names == set(), "a command that is kept small exists"
    needy = {leaf.name for leaf in LEAVES if any(each.required for each in leaf.command.params)}
    assert needy <= set(SMALL), "whatever wants arguments is given some"


if __name__ == "__main__":  # one line, to look at a failure: python tests/ui/test_fuzz.py SEED
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    draw = random.Random(int(sys.argv[1]))
    for _ in range(50):
        print(*(repr(word[:60]) for word in arguments(draw.choice(LEAVES), draw)))
