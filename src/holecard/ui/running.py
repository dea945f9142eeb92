"""How a run is carried out: the options of every command that makes a run directory. None of them changes a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import typer

from holecard.settings import setting
from holecard.ui.options import refuse_settings
from holecard.ui.runs import first_free
from holecard.ui.signature import Command, with_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Where a run goes, what works on it, and what is shown of it."""

    threads: int | None = setting(None, low=1, help="Threads to use; one per core by default.")
    device: str | None = setting(
        "auto", metavar="auto|cpu|cuda", help="Where to play; auto: a GPU for large work, if there is one."
    )
    cluster: str | None = setting(
        None, metavar="tcp://HOST:8786", help="Work on the Dask cluster of this scheduler: docs/scale.md."
    )
    out: Path | None = setting(None, metavar="DIR", help="The folder of the run; runs/… by default.")
    resume: Path | None = setting(None, metavar="DIR", help="Go on with the run in this folder, as it was asked for.")
    figures: bool = setting(True, help="Draw the figures at the end, or not.")
    tensorboard: bool = setting(
        False, flag="--tensorboard", help="Also log every figure for TensorBoard, beside the results."
    )
    json: bool = setting(False, flag="--json", help="Print one JSON object on stdout and nothing else.")

    def folder(self, name: str) -> Path:
        """The run's folder: the one to go on with, the one asked for, else the first free one of that name."""
        return self.resume or self.out or first_free(name)

    def check(self, context: typer.Context) -> None:
        """Refuse settings beside `--resume`: a run that goes on keeps those it began with."""
        if self.resume is not None:
            refuse_settings(context)


def with_running(kind: type[Running] = Running) -> Callable[[Command], Command]:
    """Give a command the options of `Running` in place of its parameter `running`."""
    return with_settings(kind, parameter="running", build=lambda chosen: kind(**chosen))
