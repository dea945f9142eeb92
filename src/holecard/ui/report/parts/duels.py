"""Duels of hold'em players: a table of them, and what everybody wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from holecard.studies.race.part import PartId, name_of
from holecard.studies.race.parts.duels import SETTINGS
from holecard.studies.race.race import RaceResults
from holecard.ui.figures import race
from holecard.ui.report.commands import Commands
from holecard.ui.report.part_report import Fragment, PartReport
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def _command(commands: Commands, folder: Path) -> str:
    """One of the duels."""
    config = commands.config
    champion = f"champion:{SETTINGS[0]}"
    player = folder / name_of(PartId.HOLDEM, config.settings[0]) if config.settings else champion
    return f"holecard holdem duel {player} smart --hands {config.duel_hands} --seed {config.seed}"


def _row(each: Mapping[str, Any]) -> list[Any]:
    """A duel in a CSV: the share of the most that can be won is empty where that is not known."""
    share = each.get("of_best")
    won = each["mbb_per_hand"].values()
    return [each["setting"], each["player"], each["opponent"], *won, each["hands"], share["value"] if share else None]


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    duels = results.of(PartId.DUELS)["duels"]
    yield Picture(
        name="duels",
        section=Section.HOLDEM,
        title="Who wins what from whom",
        caption=f"{results.config.duel_hands:,} hands each on duplicate decks with the seats swapped; thin lines are "
        "95 % intervals. Champions ship with the package; the others were evolved in this race, for a while.",
        command=_command(commands, results.path),
        figure=race.duels_figure(duels),
        header=("setting", "player", "opponent", "mbb_per_hand", "low", "high", "hands", "of_best"),
        rows=[_row(each) for each in duels],
    )


REPORT: Final = PartReport(
    id=PartId.DUELS,
    pictures=_pictures,
    commands=lambda commands, folder: [("a duel", _command(commands, folder))],
    fragment=Fragment(section=Section.HOLDEM, template="duels.html.j2"),
)
