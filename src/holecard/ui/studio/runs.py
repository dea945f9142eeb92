"""Runs as the studio sees them: folders below its own, begun as ordinary processes, paused, resumed and read.

A run belongs to nobody: the process that works on it is a command line of its own, which goes on when the studio ends.
What is known of a run is read from its folder; a studio that is started again finds everything there.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from holecard.errors import FileProblem, HolecardError, SettingError
from holecard.evolve.history import History
from holecard.evolve.run_directory import CONFIG, RunDirectory
from holecard.files import is_held, make_folder, read_bytes, read_json, write_json
from holecard.ui.runs import first_free
from holecard.ui.studio.studies import Study, study_of

BEGUN: Final = ".studio.json"
"""What the studio notes of a run that it began: process and command. Hidden, so that the folder counts as new."""
LOG: Final = ".studio.log"
"""What the process printed."""
KEPT: Final = ".kept"
"""The folder of what a count race has finished."""
_MOST: Final = 300
"""Runs that are listed."""
_DEPTH: Final = 2
"""Folders below the runs' that a run may lie in: a race holds runs of its own."""
_TAIL: Final = 4000
"""Bytes of the log that are read for its last line."""


class Process(Protocol):
    """What is asked of a process that was begun here."""

    pid: int

    def poll(self) -> int | None:
        """Its exit status, None while it works."""


class Work(Protocol):
    """Something that a process works on in a folder: a run, a race."""

    @property
    def folder(self) -> Path:
        """Where it lies."""

    @property
    def name(self) -> str:
        """The folder's path below that of the runs, with slashes."""

    @property
    def is_done(self) -> bool:
        """True if it came to its end."""

    @property
    def words_to_resume(self) -> list[str]:
        """The words of the command line that goes on with it."""


def begin_process(command: Sequence[str], log: Path) -> Process:
    """Run a command line of Holecard on its own: it outlives the studio, and Ctrl-C there does not reach it."""
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    with log.open("ab") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "holecard", *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            **apart,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of a study that the studio knows."""

    folder: Path
    name: str
    """Its path below the runs' folder, with slashes."""
    study: Study
    directory: RunDirectory

    @property
    def generations(self) -> int:
        """How many generations it was asked for."""
        return int(self.directory.options.get("generations", 0))

    @property
    def is_done(self) -> bool:
        """True if it came to its end."""
        return (self.folder / self.study.done).is_file()

    @property
    def words_to_resume(self) -> list[str]:
        """The words of the command line that goes on with it."""
        return [*self.study.name.split(), "--resume", str(self.folder)]

    def records(self, first: int = 0) -> list[dict[str, Any]]:
        """Its records from the one of that number on."""
        return History(self.folder).records()[first:]


class Processes:
    """The processes that were begun here, each in a folder of its own below one folder."""

    def __init__(self, root: Path, begin: Any = begin_process) -> None:
        self._root, self._begin = root.resolve(), begin
        self._begun: dict[str, Process] = {}

    def name_of(self, folder: Path) -> str:
        """A folder's path below the root, with slashes."""
        return folder.resolve().relative_to(self._root.resolve()).as_posix()

    def start_in_new_folder(self, words: Sequence[str], name: str, asked: Mapping[str, Any] | None = None) -> Path:
        """Begin a command in a new folder; returns the folder. What was `asked` for is noted there."""
        folder = first_free(name, self._root)
        make_folder(folder)
        self._launch([*words, *words_of_folder(words, folder)], folder, asked or {})
        return folder

    def _launch(self, command: list[str], folder: Path, asked: Mapping[str, Any]) -> None:
        process = self._begin(command, folder / LOG)
        note = {"pid": process.pid, "command": ["holecard", *command], "asked": asked}
        write_json(folder / BEGUN, note)
        self._begun[self.name_of(folder)] = process

    def state(self, work: Work) -> str:
        """`running`, `finished` or `paused`."""
        if self.works(work.folder):
            return "running"
        return "finished" if work.is_done else "paused"

    def works(self, folder: Path) -> bool:
        """True if a process works in the folder: it holds it, or it was begun by a studio and is about to."""
        process = self._begun.get(self.name_of(folder))
        if process is not None and process.poll() is None:
            return True
        return is_held(folder) or (
            process is None and sys.platform == "linux" and _is_ours(noted(folder)["pid"], folder)
        )

    def pause(self, work: Work) -> None:
        """Stop the process of a work as Ctrl-C would: what it has kept stays. One that stands still is left alone."""
        if self.works(work.folder):
            self.stop(work.folder)

    def resume(self, work: Work) -> None:
        """Go on with a work that stands still."""
        state = self.state(work)
        if state != "paused":
            raise SettingError(f"{work.name} is {'running already' if state == 'running' else 'finished'}")
        self._launch(work.words_to_resume, work.folder, noted(work.folder)["asked"])

    def problem(self, folder: Path) -> str:
        """The last line that a process of ours printed, if it failed."""
        process = self._begun.get(self.name_of(folder))
        return last_line(folder / LOG) if process is not None and process.poll() not in (None, 0, 130) else ""

    def process_in(self, folder: Path) -> int | None:
        """The process that works in a folder, if a studio began it."""
        process = self._begun.get(self.name_of(folder))
        if process is not None and process.poll() is None:
            return process.pid
        pid = noted(folder)["pid"]
        return pid if _is_ours(pid, folder) else None

    def stop(self, folder: Path) -> None:
        """Stop the process in a folder as Ctrl-C would; one that was begun elsewhere is left alone."""
        pid = self.process_in(folder)
        if pid is None:
            raise SettingError(f"{self.name_of(folder)} was begun elsewhere; stop it there with Ctrl-C")
        _stop(pid)


class Runs(Processes):
    """The runs below a folder."""

    def all(self) -> list[Run]:
        """Every run that the studio can show, the newest first."""
        found = [run for folder in folders_below(self._root, _DEPTH) if (run := self._run(folder)) is not None]
        found.sort(key=lambda run: (run.folder / CONFIG).stat().st_mtime, reverse=True)
        return found[:_MOST]

    def named(self, folder: Path) -> Run:
        """The run in a folder, which lies below the runs'."""
        run = self._run(folder)
        if run is None:
            said = last_line(folder / LOG)
            raise FileProblem(f"{folder.name} holds no run that the studio can show{f': {said}' if said else ''}")
        return run

    def is_beginning(self, folder: Path) -> bool:
        """True if a process was begun in a folder that has not noted yet what it runs."""
        if (folder / CONFIG).is_file() or not (folder / BEGUN).is_file():
            return False
        process = self._begun.get(self.name_of(folder))
        return process.poll() is None if process is not None else _is_ours(noted(folder)["pid"], folder)

    def beginning(self) -> list[str]:
        """The names of runs that are about to begin."""
        return [name for name in list(self._begun) if self.is_beginning(self._root / name)]

    def _run(self, folder: Path) -> Run | None:
        try:
            directory = RunDirectory.open(folder)
        except HolecardError:
            return None
        study = study_of(directory.options)
        if study is None:
            return None
        return Run(folder=folder, name=self.name_of(folder), study=study, directory=directory)


def _stop(pid: int) -> None:
    """End a process as Ctrl-C would, where the system can; Windows ends it at once, and its checkpoint stays."""
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.kill(pid, signal.SIGINT)


def words_of_folder(words: Sequence[str], folder: Path) -> list[str]:
    """The words that tell a command to work in a folder; a count race keeps its finished parts there too."""
    kept = ["--keep", str(folder / KEPT)] if list(words[:2]) == ["count", "race"] else []
    return ["--out", str(folder), *kept]


def noted(folder: Path) -> dict[str, Any]:
    """What the studio noted of what it began in a folder: `pid`, `command` and `asked`; empty ones if it did not."""
    usual: dict[str, Any] = {"pid": 0, "command": [], "asked": {}}
    try:
        found = read_json(folder / BEGUN)
    except HolecardError:
        return usual
    if not isinstance(found, dict):
        return usual
    return {name: found[name] if type(found.get(name)) is type(value) else value for name, value in usual.items()}


def _is_ours(pid: int, folder: Path) -> bool:
    """True if the process of that number works on the folder, as far as the system can say."""
    words = Path(f"/proc/{pid}/cmdline")
    if pid <= 1 or sys.platform != "linux":
        return pid > 1
    with suppress(OSError):
        return str(folder).encode() in words.read_bytes()
    return False


def last_line(path: Path) -> str:
    """The last line of a text file that says something; empty if there is none."""
    try:
        text = read_bytes(path)[-_TAIL:].decode(errors="replace")
    except HolecardError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""


def folders_below(root: Path, depth: int, marks: Sequence[str] = (CONFIG,)) -> Iterator[Path]:
    """Folders below a folder that hold a file of one of those names; links are not followed."""
    try:
        found = sorted(each for each in root.iterdir() if each.is_dir() and not each.is_symlink())
    except OSError:
        return
    for folder in found[:_MOST]:
        if any((folder / mark).is_file() for mark in marks):
            yield folder
        if depth > 1:
            yield from folders_below(folder, depth - 1, marks)
