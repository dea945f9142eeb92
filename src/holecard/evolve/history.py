"""`history.jsonl`: one JSON object a line, one line a generation, readable while it grows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeAlias

from holecard.errors import FileProblem
from holecard.files import append, cut, sync_file

HISTORY: Final = "history.jsonl"
Shape: TypeAlias = Any
"""What a value of a record must be: types, a list of one shape, the first shapes of a list, or shapes by name.

A name that ends in `?` may be missing; `*` stands for every name.
"""
NUMBER: Final = (int, float)
MAYBE_NUMBER: Final = (int, float, NoneType)


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
        append(self.path, f"{line}\n".encode())

    def records(self, shape: Shape = None) -> list[dict[str, Any]]:
        """Every complete record; an unfinished last line is left out, one of another shape refused."""
        return [self._record(line, number, shape or {}) for number, line in enumerate(self._complete_lines(), 1)]

    def _record(self, line: bytes, number: int, shape: Shape) -> dict[str, Any]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FileProblem(f"{self.path} is damaged: line {number} is not JSON ({error})") from error
        problem = misfit(record, shape)
        if problem:
            raise FileProblem(f"{self.path} is damaged: in line {number} {problem}")
        assert isinstance(record, dict)
        return record

    def truncate(self, count: int) -> None:
        """Keep the first `count` records: what a checkpoint of that age knows."""
        lines = self._complete_lines()
        if len(lines) < count:
            raise FileProblem(f"{self.path} has {len(lines)} records but the checkpoint counts {count}")
        if self.path.exists():
            cut(self.path, sum(len(line) for line in lines[:count]))

    def sync(self) -> None:
        """Wait until every record is on the disk."""
        if self.path.exists():
            sync_file(self.path)

    def _complete_lines(self) -> list[bytes]:
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().splitlines(keepends=True)
        return lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines


def misfit(value: Any, shape: Shape, name: str = "the record") -> str:
    """What is wrong with a value of that shape; empty if nothing is.

    >>> misfit({"best": 0.5, "styles": [1, None]}, {"best": NUMBER, "styles": [MAYBE_NUMBER], "hands?": int})
    ''
    >>> misfit({"best": "high"}, {"best": NUMBER})
    'best is not a number'
    >>> misfit({}, {"best": NUMBER})
    'the record has no best'
    """
    if isinstance(shape, Mapping):
        return _misfit_of_fields(value, shape, name) if isinstance(value, dict) else f"{name} is not an object"
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{name} is not a list"
        if len(value) < len(shape) and len(shape) > 1:
            return f"{name} has {len(value)} of {len(shape)} values"
        inner = shape * len(value) if len(shape) == 1 else shape
        return next(filter(None, (misfit(each, its, name) for each, its in zip(value, inner, strict=False))), "")
    if not isinstance(value, shape) or isinstance(value, bool) or (isinstance(value, float) and not isfinite(value)):
        return f"{name} is not {'text' if shape is str else 'a number'}"
    return ""


def _misfit_of_fields(value: Mapping[str, Any], shape: Mapping[str, Shape], name: str) -> str:
    for wanted, inner in shape.items():
        key = wanted.removesuffix("?")
        keys = list(value) if wanted == "*" else [key]
        if wanted == key and wanted != "*" and key not in value:
            return f"{name} has no {key}"
        problem = next(filter(None, (misfit(value[each], inner, each) for each in keys if each in value)), "")
        if problem:
            return problem
    return ""
