"""What a page of the studio is: a name, a title, and endpoints, which are functions of a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holecard.errors import FileProblem
from holecard.ui.studio.body import Body
from holecard.ui.studio.work import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Studio:
    """What all endpoints share."""

    runs: Path
    """The folder whose runs can be seen; nothing outside it is read."""
    begin: Callable[..., Any] | None = None
    """Begins the process of a run, where it is not an ordinary one."""
    shared: dict[str, Any] = field(default_factory=dict)
    """Things that pages keep between calls, each under the page's name."""

    def run_folder(self, name: str) -> Path:
        """The folder of a run by its path below `runs`; a path that leads out of it is refused."""
        root = self.runs.resolve()
        try:
            folder = (root / name).resolve()
            found = folder.is_dir()
        except (OSError, ValueError):
            raise FileProblem(f"no run is called {name[:_LONGEST_SHOWN]!r}") from None
        if Path(name).is_absolute() or folder == root or not folder.is_relative_to(root) or not found:
            raise FileProblem(f"no run is called {name[:_LONGEST_SHOWN]!r}; the studio shows those of {self.runs}")
        return folder


_LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request to an endpoint."""

    body: Body
    """What was asked."""
    job: Job
    """Says whether the answer is still wanted."""
    studio: Studio
    """What all endpoints share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """An answer that is a file."""

    content: bytes
    """The file."""
    name: str
    """Its name: letters, digits, dots and hyphens."""
    media_type: str
    """Its kind, such as `image/png`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """`POST /api/PAGE/NAME`: a function from a call to plain JSON or a `Download`."""

    name: str
    """The last part of its address."""
    answer: Callable[[Call], Any]
    """Works the answer out, on a thread."""
    kept: bool = False
    """Answers are kept by what was asked: for pure functions."""
    slow: bool = False
    """It takes more than a moment and waits in a line of its own."""
    stream: bool = False
    """The answer is an iterator, sent as server-sent events."""
    example: dict[str, Any] = field(default_factory=dict)
    """A body that it answers, which tests begin from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the studio."""

    name: str
    """Its address, `/NAME`, and its module, `static/NAME.js`."""
    title: str
    """Its word in the menu."""
    about: str
    """A line below its heading."""
    endpoints: tuple[Endpoint, ...] = ()
    """What its module asks."""
