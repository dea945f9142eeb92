"""`history.jsonl`: one JSON object a line, one line a generation, readable while it grows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from holecard.errors import FileProblem

HISTORY: Final = "history.jsonl"


class History:
    """The records of a run, in order. A line is written in one piece; should a kill cut one off, nobody reads it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / HISTORY

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a record; numbers that JSON does not know are refused."""
        try:
            line = json.dumps(record, allow_nan=False, separators=(",", ":"))
        except ValueError as error:
            raise FileProblem(f"a record for {self.path} holds a number that JSON does not know: {record}") from error
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            length = os.fstat(descriptor).st_size
            _write_whole(descriptor, f"{line}\n".encode(), length)
        except OSError as error:
            raise FileProblem(f"cannot write {self.path}: {error.strerror}; its lines so far are intact") from error
        finally:
            os.close(descriptor)

    def records(self) -> list[dict[str, Any]]:
        """Every complete record; an unfinished last line is left out."""
        lines = self._complete_lines()
        try:
            return [json.loads(line) for line in lines]
        except json.JSONDecodeError as error:
            raise FileProblem(f"{self.path} is damaged: {error.msg}") from error

    def truncate(self, count: int) -> None:
        """Keep the first `count` records: what a checkpoint of that age knows."""
        lines = self._complete_lines()
        if len(lines) < count:
            raise FileProblem(f"{self.path} has {len(lines)} records but the checkpoint counts {count}")
        if self.path.exists():
            os.truncate(self.path, sum(len(line) for line in lines[:count]))

    def sync(self) -> None:
        """Wait until every record is on the disk."""
        if self.path.exists():
            with self.path.open("rb+") as file:
                os.fsync(file.fileno())

    def _complete_lines(self) -> list[bytes]:
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().splitlines(keepends=True)
        return lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines


def _write_whole(descriptor: int, line: bytes, length: int) -> None:
    """Write all of a line at the end of a file of that length, or leave the file as it was."""
    try:
        written = os.write(descriptor, line)
        while written < len(line):  # a disk that fills up takes a part first and then refuses
            written += os.write(descriptor, line[written:])
    except OSError:
        os.ftruncate(descriptor, length)
        raise
