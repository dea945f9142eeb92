"""Evolved letters: fitness by generation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.palette import EMPHASIS
from holecard.ui.report.commands import Commands
from holecard.ui.report.learning import fitness_picture
from holecard.ui.report.part_report import Curve, PartReport
from holecard.ui.report.picture import Picture


def _command(commands: Commands) -> str:
    return commands.evolve_charts(commands.config.letters, "exact")


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    yield fitness_picture(results, PartId.LETTERS, "Letters", _command(commands))


REPORT: Final = PartReport(
    id=PartId.LETTERS,
    pictures=_pictures,
    commands=lambda commands, folder: [("evolved letters", _command(commands))],
    strategy_command=lambda commands, folder, row: commands.score(folder / PartId.LETTERS / "winner.txt"),
    curve=Curve(label="letters, exact values", colour=EMPHASIS),
)
