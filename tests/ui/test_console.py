"""Text from outside is text: never markup, never an escape sequence, never more than a line of an error."""

import ctypes
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rich.table import Table

import holecard.ui
from holecard.ui import cli
from holecard.ui.console import out, print_json


def test_names_are_not_read_as_markup(capsys):
    table = Table(title="[/x]:smile:")
    table.add_column("[bold]")
    table.add_row("runs/[/z]")
    out().print(table)
    out().print("pip install 'holecard[gpu]'")
    shown = capsys.readouterr().out
    for text in ("[/x]:smile:", "[bold]", "runs/[/z]", "holecard[gpu]"):
        assert text in shown


def test_an_error_is_one_printable_line(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["score", "\x1b[31mred\nline" + "x" * 9999])
    err = capsys.readouterr().err
    assert end.value.code == 2
    assert err.count("\n") == 1
    assert "\x1b" not in err
    assert len(err) < 1000


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "holecard: there is not enough memory for this; ask for less at once\n"),
        (PermissionError(13, "Permission denied", "x.png"), "holecard: x.png: Permission denied\n"),
    ],
)
def test_what_the_system_refuses_is_one_line(monkeypatch, capsys, error, said):
    def refuse(*_, **__):
        raise error

    monkeypatch.setattr(cli, "app", refuse)
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert (end.value.code, capsys.readouterr().err) == (2, said)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to send")
def test_sigterm_ends_a_command_as_ctrl_c_does(tmp_path):
    command = [sys.executable, "-m", "holecard", "simulate", "basic", "--rounds", "1T", "--threads", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(5)
            process.send_signal(signal.SIGTERM)
            process.wait(120)  # a kernel may be compiling
        finally:
            process.kill()
        said = process.stderr.read()
    assert process.returncode == 130 or (process.returncode == 0 and "interrupted: " in said)
    assert "Traceback" not in said


def test_an_interrupt_that_a_compiler_swallows_is_raised_again(monkeypatch, capsys):
    """As LLVM does, a C function calls Python, the signal comes there, and what it raises is lost."""

    def work(*_, **__):
        ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGTERM))()
        threading.Event().wait(60)

    monkeypatch.setattr(cli, "app", work)
    before = sys.unraisablehook
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert (end.value.code, capsys.readouterr().err) == (130, "")
    assert sys.unraisablehook is before


def test_what_a_compiler_says_after_it_swallowed_an_interrupt_is_not_shown(monkeypatch, capsys):
    """numba finds no compiled object where LLVM's callback was interrupted."""

    def work(*_, **__):
        ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGTERM))()
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(cli, "app", work)
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert (end.value.code, capsys.readouterr().err) == (130, "")


def test_json_is_strict_whatever_the_numbers(capsys):
    print_json({"ev": 0.5, "stderr": math.inf, "low": -math.inf, "shares": [1, math.nan, {"x": (math.nan, "NaN")}]})

    def refuse(word):
        raise AssertionError(word)

    found = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert found == {"ev": 0.5, "stderr": None, "low": None, "shares": [1, None, {"x": [None, "NaN"]}]}


def test_headings_say_rules_in_words():
    """`{rules}` in a text that people read would be the short form that commands read: `1d S17 plain ND`."""
    folder = Path(holecard.ui.__file__).parent
    sources = [*folder.rglob("*.py"), *folder.rglob("*.j2")]
    bare = re.compile(r"\{(?:\w+\.)*rules(?:!\w)?\}|<h1>[^<]*\{\{ rules \}\}")
    lines = [line for path in sources for line in path.read_text(encoding="utf-8").splitlines() if bare.search(line)]
    assert [line for line in lines if "write_file" not in line] == [], "files are for commands"
