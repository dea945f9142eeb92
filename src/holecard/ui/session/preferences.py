"""How somebody likes to watch: kept while the program runs, from one screen to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SPEEDS: Final = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 16.0)
"""The speeds to choose from, 1 as a dealer deals."""


@dataclass(slots=True)
class Preferences:
    """Choices of the viewer."""

    less_motion: bool = False
    """Cards appear where they lie, panels do not slide."""
    automatic: bool = True
    """Steps follow each other by themselves."""
    speed_index: int = SPEEDS.index(1.0)
    """Which of SPEEDS."""
    shows_evs: bool = False
    """You play: see the EVs before you decide."""
    shows_count: bool = False
    """The running and the true count beside the felt."""

    @classmethod
    def at_speed(cls, speed: float) -> Preferences:
        """The usual choices, at the speed nearest to the one asked for."""
        return cls(speed_index=min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - speed)))

    @property
    def speed(self) -> float:
        """How fast, 1 as a dealer deals."""
        return SPEEDS[self.speed_index]

    def faster(self, by: int) -> None:
        """Step through the speeds, stopping at both ends."""
        self.speed_index = min(max(self.speed_index + by, 0), len(SPEEDS) - 1)
