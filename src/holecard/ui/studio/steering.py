"""Pause and Go on: two endpoints, the same for everything that a process works on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holecard.ui.studio.page import Call, Endpoint
from holecard.ui.studio.runs import Processes, Work


def steering(find: Callable[[Call], tuple[Processes, Work]], *, example: dict[str, Any]) -> tuple[Endpoint, Endpoint]:
    """The endpoints `pause` and `resume` of what `find` finds for a call."""

    def pause(call: Call) -> dict[str, Any]:
        """Stop it as Ctrl-C does: what it has kept stays, and it can go on."""
        known, work = find(call)
        known.pause(work)
        return {"name": work.name}

    def resume(call: Call) -> dict[str, Any]:
        """Go on with it."""
        known, work = find(call)
        known.resume(work)
        return {"name": work.name}

    return Endpoint(name="pause", answer=pause, example=example), Endpoint(
        name="resume", answer=resume, example=example
    )
