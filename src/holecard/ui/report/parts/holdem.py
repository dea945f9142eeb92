"""Evolved hold'em players: earnings and styles by generation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.figures import neuroevolution
from holecard.ui.report.commands import Commands
from holecard.ui.report.part_report import PartReport
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    for part, result in results.finished:
        if part.id == PartId.HOLDEM:
            yield from _pictures_of(results, part.variant, result["command"])


def _pictures_of(results: RaceResults, setting: str, command: str) -> Iterator[Picture]:
    records = results.history(PartId.HOLDEM, setting)
    yield Picture(
        name=f"earnings-{setting}",
        section=Section.HOLDEM,
        title=f"Earnings by generation, {setting}",
        caption="Buy-ins won from each opponent by the fittest and by the average player.",
        command=command,
        figure=neuroevolution.earnings_figure(records),
        header=("generation", "opponent", "earnings", "mean_earnings"),
        rows=[
            [record["generation"], name, each["earnings"], each["mean_earnings"]]
            for record in records
            for name, each in record["opponents"].items()
        ],
    )
    yield Picture(
        name=f"styles-{setting}",
        section=Section.HOLDEM,
        title=f"Styles by generation, {setting}",
        caption="How often everybody put money in voluntarily, and how aggressively they bet.",
        command=command,
        figure=neuroevolution.style_figure(records),
        header=("generation", "vpip", "af", "bets_among_bets_and_calls"),
        rows=[[record["generation"], *style] for record in records for style in record["styles"]],
    )


REPORT: Final = PartReport(
    id=PartId.HOLDEM,
    pictures=_pictures,
    commands=lambda commands, folder: [
        (f"hold'em, {name}", study.command) for name, study in commands.config.neuroevolutions.items()
    ],
)
