"""What the report shows of each part of a race, one file each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from holecard.studies.race.part import PartId
from holecard.ui.report.part_report import PartReport
from holecard.ui.report.parts import (
    champion,
    charts,
    duels,
    evolved_charts,
    holdem,
    network,
    search,
    solve,
    trees,
)

PART_REPORTS: Final[Mapping[PartId, PartReport]] = {
    report.id: report
    for report in (
        solve.REPORT,
        charts.REPORT,
        evolved_charts.BITS,
        evolved_charts.LETTERS,
        trees.REPORT,
        network.REPORT,
        search.REPORT,
        duels.REPORT,
        holdem.REPORT,
        champion.REPORT,
    )
}
"""The report of every part, in the order in which their pictures stand in a section."""
