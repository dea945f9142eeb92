"""Players that compute at the table: what they must offer to be played beside rules, networks and policies.

A *thinker* is made for given rules and is shared; its *mind* follows one session, hand by hand. Both are plain Python,
so sessions with one are played without kernels of their own (`arena.sessions`).
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from holecard.holdem.game.view import View


class Mind(Protocol):
    """What a thinker knows of the session that it plays."""

    last_reason: str
    """Why it did what it did last, in a few words."""

    def move(self, view: View) -> int:
        """A legal move at its turn; all turns of a hand are shown to it, in order."""


@runtime_checkable
class Thinker(Protocol):
    """Somebody who computes what to do."""

    def mind(self) -> Mind:
        """A fresh mind for one session."""
