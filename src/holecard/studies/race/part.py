"""What a part of a race is: its identifier, its title, how long it takes about, and how it is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from holecard.studies.race.context import RaceContext

Result = dict[str, Any]
"""What a part came to, as plain JSON; `rows` lists its strategies for the race's table."""


class PartId(StrEnum):
    """The parts of a race, in the order in which they run. The value begins the name of a result's file."""

    SOLVE = "solve"
    CHARTS = "charts"
    BITS = "bits"
    LETTERS = "letters"
    TREES = "trees"
    NETWORK = "network"
    SEARCH = "search"
    HOLDEM = "holdem"
    DUELS = "duels"
    CHAMPION = "champion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a race."""

    id: PartId
    variant: str = ""
    """Tells parts with one identifier apart: the budget of a search, the setting of hold'em."""
    title: str
    """What it does, for people."""
    weight: float
    """About how many seconds it takes one core. Only the time left is computed from it."""
    run: Callable[[RaceContext], Result]

    @property
    def name(self) -> str:
        """The stem of its result's file, and the name of its folder where it has one.

        >>> Part(id=PartId.SEARCH, variant="50", title="search", weight=1, run=lambda context: {}).name
        'search-50'
        """
        return name_of(self.id, self.variant)


def name_of(part: PartId, variant: str = "") -> str:
    """The name of a part's files.

    >>> name_of(PartId.BITS), name_of(PartId.HOLDEM, "paper")
    ('bits', 'holdem-paper')
    """
    return f"{part}-{variant}" if variant else str(part)
