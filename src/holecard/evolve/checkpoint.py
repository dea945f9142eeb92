"""Checkpoints that survive a `kill -9`, a full disk and a damaged file: arrays in, the same arrays out.

A checkpoint is a plain `.npz` with one more array, `sha256`, over all others. It is written to a temporary name, synced
and renamed; the one before stays as `checkpoint.prev.npz`. Nothing is ever unpickled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import FileProblem
from holecard.files import write_file

Arrays = Mapping[str, NDArray[Any]]

CHECKPOINT: Final = "checkpoint.npz"
PREVIOUS: Final = "checkpoint.prev.npz"
_CHECKSUM: Final = "sha256"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A checkpoint as it was found."""

    arrays: dict[str, NDArray[Any]]
    """What was saved."""
    note: str
    """A word about damage that was stepped around; empty if all was well."""


def save_checkpoint(folder: Path, arrays: Arrays) -> None:
    """Make `arrays` the folder's checkpoint and the last one its previous. Fails without touching either."""
    contents = BytesIO()
    np.savez(contents, allow_pickle=False, **arrays, **{_CHECKSUM: digest_of(arrays)})
    with leaving_the_last():
        write_file(folder / CHECKPOINT, contents.getvalue(), keep=folder / PREVIOUS)


@contextmanager
def leaving_the_last() -> Iterator[None]:
    """Whoever cannot write in the block is told that the last checkpoint stands."""
    try:
        yield
    except FileProblem as problem:
        raise FileProblem(f"{problem}; the last checkpoint is intact: make room and resume") from problem


def load_checkpoint(folder: Path) -> Loaded | None:
    """The folder's newest undamaged checkpoint, or `None` if none was written yet."""
    notes: list[str] = []
    for name in (CHECKPOINT, PREVIOUS):
        if not (folder / name).exists():
            continue
        try:
            arrays = read_checked(folder / name)
        except FileProblem as problem:
            notes.append(str(problem))
        else:
            note = f"{notes[0]}; going on from {PREVIOUS}" if notes else ""
            return Loaded(arrays=arrays, note=note)
    if notes:
        raise FileProblem(f"{'; '.join(notes)}; no good checkpoint is left: start again in another folder")
    return None


def read_checked(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a checkpoint whose checksum holds."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except Exception as error:  # one wrong byte in an archive can raise almost anything
        raise FileProblem(f"{path} is damaged ({type(error).__name__})") from error
    checksum = arrays.pop(_CHECKSUM, None)
    if checksum is None or not np.array_equal(checksum, digest_of(arrays)):
        raise FileProblem(f"{path} is damaged (its checksum is wrong)")
    return arrays


def digest_of(arrays: Arrays) -> NDArray[np.uint8]:
    """The checksum of arrays with their names, (32)."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}|{array.dtype.str}|{arrays[name].shape}|".encode())
        digest.update(array.tobytes())
    return np.frombuffer(digest.digest(), np.uint8)
