"""A run is a directory of plain files: what was asked, what happened, and where to go on after a kill.

`config.json`, `history.jsonl`, `checkpoint.npz` and `checkpoint.prev.npz`, beside whatever the study writes at the end.
Every study that takes longer than a moment is carried on by `carry_on`, whatever evolves in it.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from holecard.errors import FileProblem
from holecard.evolve.checkpoint import leaving_the_last, load_checkpoint, save_checkpoint
from holecard.evolve.history import History
from holecard.evolve.observer import Observer, Record
from holecard.files import make_folder, only_one, sweep, verify_new_folder, write_file, write_json

CONFIG: Final = "config.json"
_RECORDED: Final = ("holecard", "numpy", "numba")


class Resumable(Protocol):
    """Something that advances in steps and can be put away and taken up again between them."""

    @property
    def finished(self) -> bool:
        """True if there is nothing left to do."""

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything needed to go on, as arrays."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up a state."""


class RunDirectory:
    """The folder of one run, created by `create` or found by `open`."""

    def __init__(self, path: Path, config: Mapping[str, Any]) -> None:
        self.path = path
        self.config = config
        self.history = History(path)
        self._made: bool | None = None
        """True if the folder was made for this run now, False if it was there; None for a run that was opened."""

    @classmethod
    def create(cls, path: Path, options: Mapping[str, Any], command: Sequence[str] | None = None) -> RunDirectory:
        """A new run in `path`; a folder that holds a run already is refused."""
        config = {"options": dict(options), "command": list(sys.argv if command is None else command), **provenance()}
        made = not path.exists()
        make_folder(path)
        with only_one(path):  # of two that come at once, one is too late
            if (path / CONFIG).exists():
                raise FileProblem(
                    f"{path} holds a run already; resume it with --resume {path} or choose another folder"
                )
            verify_new_folder(path)
            write_json(path / CONFIG, config)
        run = cls(path, config)
        run._made = made
        return run

    @classmethod
    def open(cls, path: Path) -> RunDirectory:
        """The run in `path`, to read or to resume."""
        try:
            config = json.loads((path / CONFIG).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FileProblem(f"{path} holds no run: there is no {CONFIG} in it") from None
        except (OSError, ValueError) as error:
            raise FileProblem(f"cannot read {path / CONFIG}: {error}") from error
        if not isinstance(config, dict) or not isinstance(config.get("options"), dict):
            raise FileProblem(f"{path / CONFIG} is not the configuration of a run: it has no options")
        return cls(path, config)

    @property
    def options(self) -> dict[str, Any]:
        """What the run was asked to do."""
        return dict(self.config["options"])

    def write(self, name: str, contents: str | bytes) -> Path:
        """Write a file of the run so that it is never seen half done; returns its path."""
        path = self.path / name
        write_file(path, contents)
        return path

    def take_back(self) -> None:
        """Remove a run that was created now and came to nothing, as if nobody had asked for it."""
        if self._made is None or self.history.records():
            return
        with suppress(OSError):
            (self.path / CONFIG).unlink()
            if self._made:
                self.path.rmdir()  # only if nothing else is in it

    def save(self, process: Resumable, records: int) -> None:
        """Make the state of `process` after `records` records the checkpoint."""
        with leaving_the_last():
            self.history.sync()
        save_checkpoint(self.path, {**process.state(), "records": np.array(records)})

    def resume(self, process: Resumable) -> tuple[int, str]:
        """Put `process` where the checkpoint left it; returns the records it counts and a word about damage, if any.

        The history is cut to those records: what came later happens again, the same.
        """
        loaded = load_checkpoint(self.path)
        if loaded is None:
            self.history.truncate(0)
            return 0, ""
        records = int(loaded.arrays.pop("records"))
        self.history.truncate(records)
        process.restore(loaded.arrays)
        return records, loaded.note


def carry_on(
    process: Resumable,
    step: Callable[[], Record],
    run: RunDirectory,
    *,
    steps: int | None = None,
    observer: Observer | None = None,
    seconds_between_checkpoints: float = 1.0,
) -> None:
    """Advance `process` to its end by `step`, from the checkpoint of `run` if it has one.

    `step` advances the process by one generation and returns its record. Records must not contain times: a resumed run
    writes the same history as an undisturbed one. `steps` is the most generations there can be, for the progress.
    """
    with only_one(run.path):
        try:
            _carried_on(process, step, run, steps, observer or Observer(), seconds_between_checkpoints)
        except Exception:  # not Ctrl-C, which may come before the first record, and can go on
            run.take_back()
            raise


def _carried_on(
    process: Resumable,
    step: Callable[[], Record],
    run: RunDirectory,
    steps: int | None,
    observer: Observer,
    seconds_between_checkpoints: float,
) -> None:
    sweep(run.path)
    records, note = run.resume(process)
    if note:
        observer.note(note)
    saved = time.monotonic()
    while not process.finished:
        record = step()
        run.history.append(record)
        records += 1
        observer.record(record)
        if steps:
            observer.progress(records / steps, f"generation {records} of {steps}")
        if process.finished or time.monotonic() - saved >= seconds_between_checkpoints:
            run.save(process, records)
            saved = time.monotonic()


def provenance() -> dict[str, Any]:
    """Which code ran where: enough to run it again."""
    return {
        "commit": _commit(),
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in _RECORDED},
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
        },
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:  # run from a checkout that was never installed
        return None


def _commit() -> str | None:
    """The commit of a checkout, `None` for an installed package."""
    folder = Path(__file__).parent
    try:
        answer = subprocess.run(
            ["git", "-C", str(folder), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None
