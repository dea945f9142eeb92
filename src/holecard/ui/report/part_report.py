"""What the report shows of one part of a race: pictures, words, and the commands that make it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.report.commands import Commands
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """How an evolution looks in the picture that shows all evolutions."""

    label: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """A piece of HTML at the head of a section, below the table if that is the standings."""

    section: Section
    template: str
    """The file beside the part's own; it is given `results`, those of the race, and `result`, that of the part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReport:
    """The report of the parts of one identifier. It is asked only if they are finished, but for its commands."""

    id: PartId
    pictures: Callable[[RaceResults, Commands], Iterable[Picture]] = lambda results, commands: ()
    """Its pictures, made from results and records alone."""
    commands: Callable[[Commands, Path], Sequence[tuple[str, str]]] = lambda commands, folder: ()
    """What makes it again: what that is, and the command, given the race's folder."""
    strategy_command: Callable[[Commands, Path, str], str] = lambda commands, folder, row: commands.race
    """What shows one of its strategies again, given the race's folder and the name of the row."""
    note: Callable[[RaceResults], str] = lambda results: ""
    """A sentence below the table."""
    fragment: Fragment | None = None
    curve: Curve | None = None
    """Its line among the evolutions, if it is one whose records have exact values."""
