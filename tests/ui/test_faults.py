"""Two whole commands on a disk that fails: nothing final is lost or half written, one line says why, and it goes on.

A fault comes at every step at which a file is written, one after the other. Afterwards the command is given again, as
its line says, and ends with the files of an undisturbed run.
"""

import errno
import json
import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest

from holecard import files
from holecard.evolve.history import History
from holecard.studies import demonstrations

COMMANDS = {
    "evolve ga": (
        "evolve ga --population 6 --generations 3 --hands 20 --no-figures --out run",
        "evolve ga --no-figures --resume run",
        ("run/history.jsonl", "run/winner.txt", "run/consensus.txt"),
    ),
    "dataset": ("dataset --games 5 --rounds 2 --output d.jsonl",) * 2 + (("d.jsonl",),),
}
STEPS = (
    (files, "_sync"),
    (files, "_sync_folder"),
    (Path, "replace"),
    (Path, "write_bytes"),
    (Path, "mkdir"),
    (os, "write"),
    (os, "truncate"),
)
"""Every way in which these commands reach the disk."""
REFUSALS = {"full disk": errno.ENOSPC, "read-only folder": errno.EROFS, "vanished folder": errno.ENOENT}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demonstrations, "_BLOCK", 2)


def failing(patch, at, number):
    """Let the `at`-th step that writes fail, and all after it; returns the list of steps taken."""
    taken = []

    def guarded(before):
        def step(*arguments, **settings):
            taken.append(before)
            if len(taken) >= at:
                raise OSError(number, os.strerror(number))
            return before(*arguments, **settings)

        return step

    for place, name in STEPS:
        patch.setattr(place, name, guarded(getattr(place, name)))
    return taken


def whole(folder):
    """Every file under a final name can be read."""
    for path in folder.rglob("[!.]*"):
        if ".unfinished" in str(path) or not path.is_file():
            continue
        if path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".npz":
            np.load(path, allow_pickle=False).close()
        elif path.suffix == ".jsonl":
            assert all(json.loads(line) for line in path.read_text().splitlines())
        else:
            assert path.stat().st_size


@pytest.fixture
def undisturbed(run, tmp_path):
    """What a command leaves that nobody disturbs, and in how many steps."""

    def of(command):
        line, _, names = COMMANDS[command]
        with pytest.MonkeyPatch.context() as patch:
            taken = failing(patch, 10**9, 0)
            assert run(*line.split())[0] == 0
        contents = {name: (tmp_path / name).read_bytes() for name in names}
        clear(tmp_path)
        return contents, len(taken)

    return of


def clear(folder):
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize(("command", "refusal"), [("evolve ga", "full disk"), ("dataset", "read-only folder")])
def test_a_disk_that_fails(run, undisturbed, tmp_path, command, refusal):
    fails_at_steps(run, undisturbed, tmp_path, command, refusal, apart=5)


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_disk_that_fails_at_any_step(run, undisturbed, tmp_path, command, refusal):
    fails_at_steps(run, undisturbed, tmp_path, command, refusal, apart=1)


def fails_at_steps(run, undisturbed, tmp_path, command, refusal, *, apart):
    contents, steps = undisturbed(command)
    line, again, _ = COMMANDS[command]
    assert steps > 8
    for at in range(1, steps + 1, apart):
        with pytest.MonkeyPatch.context() as patch:
            taken = failing(patch, at, REFUSALS[refusal])
            code, out, err = run(*line.split())
        if len(taken) < at:  # a kernel's cache was read in fewer steps than before
            break
        assert (code, out) == (2, ""), f"step {at}: {err}"
        assert err.splitlines()[-1].startswith("holecard: cannot "), err
        assert os.strerror(REFUSALS[refusal]) in err
        whole(tmp_path)
        begun = (tmp_path / "run" / "config.json").exists() or command == "dataset"
        code, _, err = run(*(again if begun else line).split())
        assert code == 0, f"after step {at}: {err}"
        assert {name: (tmp_path / name).read_bytes() for name in contents} == contents
        clear(tmp_path)


def test_a_folder_that_vanishes_under_a_run(run, tmp_path, monkeypatch):
    def append(self, record, before=History.append):
        shutil.rmtree(self.path.parent)
        before(self, record)

    monkeypatch.setattr(History, "append", append)
    code, _, err = run(*COMMANDS["evolve ga"][0].split())
    assert (code, err.splitlines()[-1]) == (2, "holecard: cannot write run/history.jsonl: No such file or directory")


@pytest.mark.parametrize("command", COMMANDS)
def test_of_two_at_once_one_is_refused(run, tmp_path, command):
    folder = tmp_path / ("run" if command == "evolve ga" else ".d.jsonl.unfinished")
    folder.mkdir()
    with files.only_one(folder):
        code, out, err = run(*COMMANDS[command][0].split())
    assert (code, out) == (2, "")
    assert "another process is at work in" in err.splitlines()[-1]
    assert not list(folder.iterdir()), "the other's folder is as it was"


def test_a_clock_that_jumps_changes_nothing(run, undisturbed, tmp_path, monkeypatch):
    contents, _ = undisturbed("evolve ga")
    moments = iter(range(10**9, 0, -3600))
    monkeypatch.setattr("time.monotonic", lambda: float(next(moments)))
    monkeypatch.setattr("time.time", lambda: float(next(moments)))
    assert run(*COMMANDS["evolve ga"][0].split())[0] == 0
    assert {name: (tmp_path / name).read_bytes() for name in contents} == contents


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM to send")
@pytest.mark.parametrize("command", COMMANDS)
def test_sigterm_in_the_middle(run, undisturbed, tmp_path, command):
    contents, _ = undisturbed(command)
    line, again, _ = COMMANDS[command]

    def append(self, record, before=History.append):
        before(self, record)
        signal.raise_signal(signal.SIGTERM)

    def write(path, block, before=demonstrations.append):
        before(path, block)
        signal.raise_signal(signal.SIGTERM)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(History, "append", append)
        patch.setattr(demonstrations, "append", write)
        code, out, err = run(*line.split())
    assert (code, out) == (130, "")
    assert err.splitlines()[-1].startswith("stopped; go on with: holecard ")
    assert run(*again.split())[0] == 0
    assert {name: (tmp_path / name).read_bytes() for name in contents} == contents
