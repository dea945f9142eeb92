"""The one writer and the one reader of files: whole or not at all, and one clear line where that fails.

A file is written under a temporary name beside its own, synced, and renamed. A reader so finds the old file or the new
one, never a half, whatever happens in between: a full disk, a kill, a loss of power.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from holecard.errors import FileProblem

_TEMPORARY: Final = re.compile(r"\..*\.\d+\.tmp(\.\w+)?")
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows would write two bytes at the end of a line."""
_LOOKS: Final = 5
_A_LOOK: Final = 0.02
"""How often and how long, in seconds, `only_one` waits for somebody who only looks."""


def write_file(path: Path, contents: str | bytes, *, keep: Path | None = None) -> None:
    """Put `contents` at `path`, text as UTF-8; folders above it are made. A file that stood there goes to `keep`."""
    with writing(path, keep=keep) as temporary:
        temporary.write_bytes(contents.encode() if isinstance(contents, str) else contents)


def write_json(path: Path, value: Any, *, indent: int | None = 2) -> None:
    """Put a value at `path` as JSON; numbers that JSON does not know are refused."""
    write_file(path, json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False) + "\n")


@contextmanager
def writing(path: Path, *, keep: Path | None = None) -> Iterator[Path]:
    """A temporary path for somebody who writes a file himself; it becomes `path` if the block ends well.

    The temporary name ends as `path` does, because some libraries choose a format by it.
    """
    writer = f"{os.getpid()}.{threading.get_native_id()}"
    temporary = path.with_name(f".{path.stem[:100]}.{writer}.tmp{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        put_in_place(temporary, path, keep=keep)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def put_in_place(temporary: Path, path: Path, *, keep: Path | None = None) -> None:
    """Give a whole file its name, once it is on the disk; a file that stood there goes to `keep`."""
    try:
        _sync(temporary)
        if keep is not None and path.exists():
            path.replace(keep)
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error


def append(path: Path, contents: bytes) -> None:
    """Add to the end of a file that grows, all or nothing: where the disk refuses, the file is as it was."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, 0o644)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        length, written = os.fstat(descriptor).st_size, 0
        try:
            while written < len(contents):  # a disk that fills up takes a part first and then refuses
                written += os.write(descriptor, contents[written:])
        except OSError:
            os.ftruncate(descriptor, length)
            raise
    except OSError as error:
        raise FileProblem(f"{cannot_write(path, error)}; what it held before is intact") from error
    finally:
        os.close(descriptor)


def cut(path: Path, length: int) -> None:
    """Keep the first `length` bytes of a file."""
    try:
        os.truncate(path, length)
    except OSError as error:
        raise cannot_write(path, error) from error


def sync_file(path: Path) -> None:
    """Wait until what was added to a file is on the disk."""
    try:
        _sync(path)
    except OSError as error:
        raise cannot_write(path, error) from error


def unfinished_folder(path: Path) -> Path:
    """Where the work on a file lies that was cut short."""
    return path.with_name(f".{path.name}.unfinished")


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A folder beside `path` for what is done of it so far; it goes if the block ends well, and stays if it does not.

    So whoever makes a file that takes long can go on after a kill. One process at a time works in it.
    """
    folder = unfinished_folder(path)
    make_folder(folder)
    try:
        with only_one(folder):
            try:
                sweep(folder)
                yield folder
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                with suppress(OSError):
                    folder.rmdir()  # only if nothing is in it
    except OSError as error:
        raise cannot_write(path, error) from error


@contextmanager
def writing_folder(path: Path, pattern: str) -> Iterator[Path]:
    """A temporary folder for somebody who writes many files; they go to `path` if the block ends well.

    Files of `pattern` that stood there go, so that old ones do not stay among new ones; others stay.
    """
    temporary = path / f".{os.getpid()}.tmp"
    made = not path.exists()
    try:
        temporary.mkdir(parents=True, exist_ok=True)
        yield temporary
        new = sorted(temporary.iterdir())
        for each in new:
            _sync(each)
        for old in path.glob(pattern):
            old.unlink()
        for each in new:
            each.replace(path / each.name)
        _sync_folder(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        if made:
            with suppress(OSError):
                path.rmdir()  # only if nothing came


def sweep(folder: Path) -> None:
    """Remove what killed writers left in a folder that nobody else works in."""
    for path in folder.glob(".*.tmp*"):
        if _TEMPORARY.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def refuse_to_replace(
    path: Path, kind: str, *, is_same: Callable[[Path], bool] = lambda _: False, overwrite: bool = False
) -> None:
    """Refuse a path where something stands that took somebody time; `overwrite` says that it may go.

    `is_same` is asked of an existing file: is it what would be written? `kind` names that, such as "this dataset".
    """
    if path.is_dir():
        raise FileProblem(f"{path} is a folder; name a file for {kind}")
    if path.exists() and not overwrite and not is_same(path):
        raise FileProblem(f"{path} exists and is not {kind}; choose another name, or replace it with --overwrite")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file that commands write where they are told to."""

    name: str
    """In the plural, such as "pictures"."""
    beginnings: Mapping[str, bytes]
    """Its endings, and what a file with that ending begins with."""

    def verify(self, path: Path) -> None:
        """Refuse a path for such a file: another ending, a folder, or a file of another kind that stands there.

        A file of the kind may be written anew. Commands ask before they compute anything.
        """
        ending, endings = path.suffix.lower(), list(self.beginnings)
        if ending not in endings:
            *some, last = endings
            known = f"{', '.join(some)} or {last}" if some else last
            raise FileProblem(f"{self.name} are written as {known}; got {path.name!r}")
        if path.is_dir():
            raise FileProblem(f"{path} is a folder; name a file")
        if path.is_file() and not self._is_one(path):
            raise FileProblem(f"{path} exists and is none of our {self.name}; choose another name")

    def _is_one(self, path: Path) -> bool:
        """True of a file that begins as this kind does, and of an empty one."""
        wanted = self.beginnings[path.suffix.lower()]
        try:
            with path.open("rb") as file:
                begins = file.read(len(wanted))
        except OSError as error:
            raise cannot_read(path, error) from error
        return begins in (b"", wanted)


PICTURES: Final = FileKind(name="pictures", beginnings={".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"})


def tables(columns: Sequence[str]) -> FileKind:
    """Tables whose first columns are these."""
    return FileKind(name="tables", beginnings={".csv": ",".join(columns).encode()})


def verify_new_folder(path: Path, remedy: str = "choose another folder") -> None:
    """Refuse a folder for new work in which something lies already; hidden files do not count."""
    if path.exists() and not path.is_dir():
        raise FileProblem(f"{path} is a file; {remedy}")
    try:
        is_used = path.is_dir() and any(not each.name.startswith(".") for each in path.iterdir())
    except OSError as error:
        raise cannot_read(path, error) from error
    if is_used:
        raise FileProblem(f"{path} is not empty; {remedy}")


def read_bytes(path: Path) -> bytes:
    """The contents of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from error


def read_text(path: Path) -> str:
    """The text of a UTF-8 file."""
    try:
        return read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise FileProblem(f"{path} is not a text file (UTF-8)") from None


def read_json(path: Path) -> Any:
    """The value of a JSON file."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise FileProblem(f"{path} is not JSON: {error}") from None


def cannot_write(path: Path, error: OSError) -> FileProblem:
    """An operating system's refusal to write, in one line."""
    return FileProblem(f"cannot write {path}: {error.strerror or error}")


def cannot_read(path: Path, error: OSError) -> FileProblem:
    """An operating system's refusal to read, in one line."""
    return FileProblem(f"cannot read {path}: {error.strerror or error}")


def make_folder(path: Path) -> None:
    """Make a folder and those above it, where they are missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileProblem(f"cannot make the folder {path}: {error.strerror or error}") from error


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold a folder for this process: a second one that asks is refused. A killed process holds nothing."""
    try:
        descriptor = _opened_to_lock(folder)
    except OSError as error:
        raise cannot_read(folder, error) from error
    try:
        if not _lock_soon(descriptor):
            raise FileProblem(f"another process is at work in {folder}; wait for it or choose another folder")
        yield
    finally:
        os.close(descriptor)  # which gives the lock back


def is_held(folder: Path) -> bool:
    """True if a process is at work in the folder. Looking takes the lock for a moment, for which `only_one` waits."""
    try:
        descriptor = _opened_to_lock(folder)
    except OSError:
        return False
    try:
        return not _lock(descriptor)
    finally:
        os.close(descriptor)


def _opened_to_lock(folder: Path) -> int:
    """The folder itself, or where folders cannot be locked a file in it."""
    return os.open(folder / ".lock", os.O_RDWR | os.O_CREAT) if os.name == "nt" else os.open(folder, os.O_RDONLY)


def _lock_soon(descriptor: int) -> bool:
    """Take the lock, if nobody keeps it for longer than a look."""
    for _ in range(_LOOKS):
        if _lock(descriptor):
            return True
        time.sleep(_A_LOOK)
    return _lock(descriptor)


def _lock(descriptor: int) -> bool:
    """Take the lock, if nobody has it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sync(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Wait until renames in a folder are on the disk, where the system can say so."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
