"""`--tensorboard`: the figures of a run as TensorBoard reads them, written without TensorFlow or torch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from holecard.errors import MissingExtra

FOLDER: Final = "tensorboard"
Record = Mapping[str, Any]


class Scalars:
    """An event file in a folder; `log` adds the numbers of a record at a step."""

    def __init__(self, folder: Path) -> None:
        """Log into that folder from the first record on; what an earlier part of a resumed run logged stays."""
        try:
            from tensorboard.compat.proto import event_pb2, summary_pb2
            from tensorboard.summary.writer.event_file_writer import EventFileWriter
        except ImportError:
            raise MissingExtra("--tensorboard needs TensorBoard: pip install 'holecard[tensorboard]'") from None
        self._event, self._summary, self._session = event_pb2.Event, summary_pb2.Summary, event_pb2.SessionLog
        self._open = partial(EventFileWriter, str(folder))
        self._writer: Any = None

    def log(self, step: int, record: Record) -> None:
        """Add every number of a record, nested ones under `name/part`."""
        if self._writer is None:  # steps that a resumed run repeats take the place of those logged before
            self._writer = self._open()
            start = self._session(status=self._session.START)
            self._writer.add_event(self._event(wall_time=time.time(), step=step, session_log=start))
        values = [self._summary.Value(tag=tag, simple_value=value) for tag, value in numbers(record)]
        summary = self._summary(value=values)
        self._writer.add_event(self._event(wall_time=time.time(), step=step, summary=summary))

    def close(self) -> None:
        """Write what is left."""
        if self._writer is not None:
            self._writer.close()


def numbers(record: Record, prefix: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of a record with their names; lists, texts and the step itself are left out.

    >>> list(numbers({"generation": 3, "best": 0.5, "style": {"vpip": 1, "af": None}, "letters": ["H"]}))
    [('best', 0.5), ('style/vpip', 1.0)]
    """
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from numbers(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and name not in ("generation", "epoch"):
            yield f"{prefix}{name}", float(value)


@contextmanager
def logging_to(folder: Path | None, show: Callable[[Record], None]) -> Iterator[Callable[[Record], None]]:
    """What to call with each record of a generation: `show`, and a log in `folder` where one is asked for."""
    if folder is None:
        yield show
        return
    scalars = Scalars(folder / FOLDER)

    def both(record: Record) -> None:
        show(record)
        scalars.log(int(record.get("generation", record.get("epoch", 0))), record)

    try:
        yield both
    finally:
        scalars.close()
