"""The published chart and the yardsticks: their commands."""

from __future__ import annotations

from typing import Final

from holecard.studies.race.part import PartId
from holecard.studies.race.rows import BASIC
from holecard.ui.report.commands import joined
from holecard.ui.report.part_report import PartReport

REPORT: Final = PartReport(
    id=PartId.CHARTS,
    commands=lambda commands, folder: [
        ("a published chart and its leaks", joined(f"holecard score {BASIC}", commands.rules))
    ],
    strategy_command=lambda commands, folder, row: commands.score(row),
)
