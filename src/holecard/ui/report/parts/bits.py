"""Evolved bits: fitness by generation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.report.commands import Commands
from holecard.ui.report.learning import fitness_picture
from holecard.ui.report.part_report import Curve, PartReport
from holecard.ui.report.picture import Picture


def _command(commands: Commands) -> str:
    return commands.evolve_charts(commands.config.bits, "tuned")


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    yield fitness_picture(results, PartId.BITS, "Bits", _command(commands))


REPORT: Final = PartReport(
    id=PartId.BITS,
    pictures=_pictures,
    commands=lambda commands, folder: [("evolved bits", _command(commands))],
    strategy_command=lambda commands, folder, row: commands.score(folder / PartId.BITS / "winner.txt"),
    curve=Curve(label="bits, sampled hands", colour="#0072B2"),
)
