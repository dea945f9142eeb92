"""The network: a sentence on where it was trained."""

from __future__ import annotations

from typing import Final

from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.report.part_report import PartReport


def _note(results: RaceResults) -> str:
    result = results.of(PartId.NETWORK)
    if not result["rows"]:
        return ""
    card = result["card"]
    origin = f"the shipped model, trained in {card['seconds']:.0f} s elsewhere"
    return (
        f"The network is {origin if result['shipped'] else 'trained in this race'} on demonstrations of basic "
        f"strategy; it agreed with its expert in {100 * card['agreement']:.2f} % of them."
    )


REPORT: Final = PartReport(id=PartId.NETWORK, note=_note)
