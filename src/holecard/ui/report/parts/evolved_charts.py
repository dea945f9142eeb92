"""Evolved charts, of bits and of letters: fitness by generation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.palette import EMPHASIS
from holecard.ui.report.commands import Commands
from holecard.ui.report.learning import fitness_picture
from holecard.ui.report.part_report import Curve, PartReport
from holecard.ui.report.picture import Picture


def _report(part: PartId, preset: str, study: Callable[[RaceConfig], GeneticConfig], curve: Curve) -> PartReport:
    """The report of one of the two: the preset that its command names, and what the race says of its study."""

    def command(commands: Commands) -> str:
        return commands.evolve_charts(study(commands.config), preset)

    def pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
        yield fitness_picture(results, part, part.capitalize(), command(commands))

    return PartReport(
        id=part,
        pictures=pictures,
        commands=lambda commands, folder: [(f"evolved {part}", command(commands))],
        strategy_command=lambda commands, folder, row: commands.score(folder / part / "winner.txt"),
        curve=curve,
    )


BITS: Final = _report(
    PartId.BITS, "tuned", lambda config: config.bits, Curve(label="bits, sampled hands", colour="#0072B2")
)
LETTERS: Final = _report(
    PartId.LETTERS, "exact", lambda config: config.letters, Curve(label="letters, exact values", colour=EMPHASIS)
)
