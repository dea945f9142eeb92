"""What a player of hold'em is: someone who sees a hand from one seat, names an action, and can say why.

Ten lines make one of your own:

>>> class Patient:
...     name = "patient"
...     last_reason = ""
...
...     def act(self, view, hand_number):
...         self.last_reason = f"{view.legal.to_call} to call"
...         return view.legal.parse("call" if view.legal.to_call <= view.stakes.big_blind else "fold")
>>> isinstance(Patient(), Player)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from holecard.holdem.game.actions import Action
    from holecard.holdem.game.view import SeatView


@runtime_checkable
class Player(Protocol):
    """Someone in a seat. A player plays one session and is told nothing but what its seat may see."""

    name: str
    last_reason: str
    """Why it did what it did last, in a line."""

    def act(self, view: SeatView, hand_number: int) -> Action:
        """A legal action in this spot of hand `hand_number` of the session, counted from 0."""
