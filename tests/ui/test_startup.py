"""What commands do to start and end sooner, and the switch that leaves it out."""

import atexit
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Literal

import pytest

from holecard import _numba
from holecard.ui import startup


@pytest.fixture
def done(monkeypatch):
    """What was done, in order; nothing of it is done to this process."""
    seen = []
    monkeypatch.setattr(gc, "set_threshold", lambda *_: seen.append("seldom"))
    monkeypatch.setattr(_numba, "spare_unused_imports", lambda: seen.append("spared"))
    monkeypatch.setattr(startup, "_spare_validators", lambda: seen.append("unvalidated"))
    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: seen.append("exit functions"))
    monkeypatch.setattr(os, "_exit", seen.append)
    return seen


def test_a_command_starts_and_ends_quickly(done, monkeypatch):
    monkeypatch.delenv("HOLECARD_PLAIN", raising=False)
    startup.begin()
    startup.spare_imports()
    startup.leave(3)
    assert done == ["seldom", "unvalidated", "spared", "exit functions", 3]


def test_a_plain_one_as_python_does(done, monkeypatch):
    monkeypatch.setenv("HOLECARD_PLAIN", "1")
    startup.begin()
    startup.spare_imports()
    with pytest.raises(SystemExit) as end:
        startup.leave(3)
    assert end.value.code == 3
    assert done == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--text", "a", "--count", "3", "--yes"],
        [],
        ["--count", "many"],
        ["--count", "11"],
        ["--text", "a", "--text", "b"],
        ["--parsed", "a"],
        ["--choice", "c"],
    ],
)
def test_options_are_what_they_were(arguments, monkeypatch):
    """Values and refusals with and without a validator for every option."""
    import typer
    from typer.testing import CliRunner

    def said():
        app = typer.Typer()

        @app.command()
        def command(
            text: str = "x",
            count: Annotated[int, typer.Option(max=10)] = 1,
            yes: bool = False,
            path: Path | None = None,
            several: list[str] = [],  # noqa: B006 - as Typer wants it
            parsed: Annotated[str, typer.Option(parser=str.upper)] = "p",
            choice: Literal["a", "b"] = "a",
        ) -> None:
            print(repr((text, count, yes, path, several, parsed, choice)))

        result = CliRunner().invoke(app, arguments)
        return result.exit_code, result.output

    usual = said()
    monkeypatch.setattr("typer.core.build_runtime_param", typer.core.build_runtime_param, raising=False)
    startup._spare_validators()
    assert said() == usual


@pytest.mark.parametrize("plain", ["0", "1"])
def test_both_say_the_same(plain):
    command = [sys.executable, "-m", "holecard", "score", "nonsense"]
    environment = {**os.environ, "HOLECARD_PLAIN": plain}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("holecard: ")
