"""How somebody likes to watch: kept while the window is open, from one screen to the next. No pygame here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SPEEDS: Final = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 16.0)


@dataclass(slots=True)
class Viewing:
    """Choices of the viewer."""

    still: bool = False
    """Smaller motion: cards appear where they lie."""
    playing: bool = True
    """Steps follow each other by themselves."""
    speed_at: int = SPEEDS.index(1.0)
    shows_evs: bool = False
    """You play: see the EVs before you decide."""

    @property
    def speed(self) -> float:
        """How fast, 1 as a dealer deals."""
        return SPEEDS[self.speed_at]

    def faster(self, by: int) -> None:
        """Step through the speeds, stopping at both ends."""
        self.speed_at = min(max(self.speed_at + by, 0), len(SPEEDS) - 1)


def viewing_at(speed: float) -> Viewing:
    """Choices as they are at first, at the speed nearest to the one asked for."""
    return Viewing(speed_at=min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at] - speed)))
