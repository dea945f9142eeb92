"""Who is told what a run does while it runs: one observer for every study.

>>> heard = []
>>> Observer(note=heard.append).note("going on from checkpoint.prev.npz")
>>> heard
['going on from checkpoint.prev.npz']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Record = Mapping[str, Any]
"""What is known of a generation, an epoch or a stage once it is done: plain JSON, without times."""


def _ignore(*_: Any) -> None:
    """Hear nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Three functions that a run calls; each does nothing unless it is given."""

    record: Callable[[Record], None] = _ignore
    """Called with the record of every generation, epoch or stage, in order, once it is done."""
    note: Callable[[str], None] = _ignore
    """Called with a line that a user should read: a damaged checkpoint that was passed over, say."""
    progress: Callable[[float, str], None] = _ignore
    """Called with the share of the work that is done, 0 to 1, and a few words about it: `generation 3 of 100`."""
