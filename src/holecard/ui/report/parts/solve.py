"""The optimum and the best chart: where they differ."""

from __future__ import annotations

from typing import Final

from holecard.studies.race.part import PartId
from holecard.ui.report.commands import Commands, joined
from holecard.ui.report.part_report import Fragment, PartReport
from holecard.ui.report.section import Section


def _command(commands: Commands) -> str:
    return joined("holecard solve", commands.rules)


REPORT: Final = PartReport(
    id=PartId.SOLVE,
    commands=lambda commands, folder: [("the optimum and the best chart", _command(commands))],
    strategy_command=lambda commands, folder, row: _command(commands),
    fragment=Fragment(section=Section.STANDINGS, template="solve.html.j2"),
)
