"""The sections of the report: where pictures and tables stand, with their headings and introductions."""

from __future__ import annotations

from enum import StrEnum


class Section(StrEnum):
    """A section, in the order of the page. The value is its anchor."""

    STANDINGS = "standings"
    COST = "cost"
    STRATEGIES = "strategies"
    LEARNING = "learning"
    PROGRAMS = "programs"
    SEARCH = "search"
    HOLDEM = "holdem"

    @property
    def heading(self) -> str:
        """What stands above it."""
        return _HEADINGS[self]

    @property
    def introduction(self) -> str:
        """What stands below the heading; may be empty."""
        return _INTRODUCTIONS.get(self, "")


_HEADINGS = {
    Section.STANDINGS: "The table",
    Section.COST: "What it costs to be good",
    Section.STRATEGIES: "The strategies side by side",
    Section.LEARNING: "Learning curves",
    Section.PROGRAMS: "The programs",
    Section.SEARCH: "Search by budget",
    Section.HOLDEM: "Hold'em",
}
_INTRODUCTIONS = {
    Section.STRATEGIES: "Every cell is what the strategy plays; the redder, the more that costs per round against the "
    "best play with the same cards. Cells without colour cost less than a millionth of a bet.",
    Section.PROGRAMS: "One program votes against each upcard. A hit or a double needs strictly the most votes, "
    "everything else stands; the trees read from left to right.",
}
