"""The terminal: results on stdout, everything else on stderr, progress only where somebody watches."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from holecard.ui import startup

if TYPE_CHECKING:
    from rich.console import Console


class Report(Protocol):
    """What a progress bar is told."""

    def __call__(self, done: int, title: str | None = None) -> None:
        """So much is done; a title replaces the one before."""


def out(*, stderr: bool = False) -> Console:
    """Where results go, or messages. Text is text: no name of a file or a player is read as markup or as an emoji."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def say(message: str) -> None:
    """A word to the user that is not a result."""
    print(message, file=sys.stderr, flush=True)


def print_json(result: dict[str, Any]) -> None:
    """One JSON object on stdout, and nothing else; a number that JSON does not know is null."""
    takes_all = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    print(json.dumps(_strict(result), ensure_ascii=not takes_all, allow_nan=False))


def _strict(value: Any) -> Any:
    """A value as strict JSON has it.

    >>> _strict({"stderr": float("inf"), "counts": (1, float("nan"))})
    {'stderr': None, 'counts': [1, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _strict(each) for key, each in value.items()}
    return [_strict(each) for each in value] if isinstance(value, list | tuple) else value


def warn_if_compiling(*kernels: Callable[..., Any]) -> bool:
    """Make ready for kernels; say so, and return True, if a first call is about to compile. The result is kept."""
    from holecard._jit import must_compile

    expected = must_compile(*kernels)
    warn_of_compiling(expected)
    return expected


def warn_of_compiling(expected: bool) -> None:
    """Make ready for kernels; say so if compiling is to be expected."""
    startup.spare_imports()
    if expected:
        say("compiling for this machine, once; under a minute …")


@contextmanager
def saying_how_to_go_on(command: str, folder: Path) -> Iterator[None]:
    """Whoever stops the block is told the command that goes on with what lies in the folder, if anything does."""
    try:
        yield
    except KeyboardInterrupt:
        begun = folder.is_dir() and any(folder.iterdir())
        say(f"stopped; go on with: {command}" if begun else "stopped")
        raise


def resuming(command: str, folder: Path) -> str:
    """The command that goes on with the run in a folder.

    >>> resuming("evolve ga", Path("my runs/a"))
    "holecard evolve ga --resume 'my runs/a'"
    """
    return of_run(f"{command} --resume", folder)


def of_run(command: str, folder: Path) -> str:
    """A command on the run in a folder.

    >>> of_run("holdem figures", Path("my runs/a"))
    "holecard holdem figures 'my runs/a'"
    """
    return f"holecard {command} {shlex.quote(str(folder))}"


_typed: list[str] = []
"""The words of the command that runs."""


def remember(words: Sequence[str]) -> None:
    """Keep the words of the command that runs, to be said again."""
    _typed[:] = words


def same_command() -> str:
    """The command that was typed, to be typed again."""
    return shlex.join(["holecard", *_typed])


def share_of(report: Report | None, total: int) -> Callable[[float, str], None]:
    """An observer's progress, a share from 0 to 1, as a bar of `total` units shows it; its words are left out."""

    def show(share: float, _: str) -> None:
        if report is not None:
            report(round(share * total))

    return show


@contextmanager
def progress(title: str, total: int) -> Iterator[Report | None]:
    """A progress bar with the time left, on a terminal only; yields what to call with the amount done."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=out(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)

        def report(done: int, title: str | None = None) -> None:
            bar.update(task, completed=done, description=title)

        yield report
