"""Finished parts of long work, kept in a folder: who asks for the same again gets them from there.

A part is an array. Its file is named after all that it follows from, so a folder may serve several questions, and what
was begun with other rules, seeds or sizes is never taken for an answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._version import __version__
from holecard.errors import FileProblem
from holecard.files import writing


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of finished parts; without one nothing is kept."""

    folder: Path | None = None

    def part(self, name: str, follows_from: tuple[Any, ...], make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """The part of that name: from the folder if it is there, else made and put there in one piece.

        `follows_from` are texts, numbers and arrays.
        """
        if self.folder is None:
            return make()
        path = self.folder / f"{name}-{_digest(follows_from)}.npy"
        if path.is_file():
            return _read(path)
        made = make()
        with writing(path) as temporary:
            np.save(temporary, made, allow_pickle=False)
        return made


def _digest(values: tuple[Any, ...]) -> str:
    digest = hashlib.sha256(__version__.encode())
    for value in values:
        digest.update(value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:16]


def _read(path: Path) -> NDArray[Any]:
    try:
        found: NDArray[Any] = np.load(path, allow_pickle=False)
        return found
    except (OSError, ValueError, EOFError):
        raise FileProblem(f"{path} is damaged; delete it, and it is computed again") from None
