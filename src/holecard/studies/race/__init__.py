"""The race: every way of finding a strategy for one game, each judged by that game's exact values."""

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.part import Part, PartId
from holecard.studies.race.race import Race, RaceResults, open_race, start_race
from holecard.studies.race.rows import Row, ranked
from holecard.studies.race.running import run_race

__all__ = [
    "Part",
    "PartId",
    "Race",
    "RaceConfig",
    "RaceResults",
    "Row",
    "open_race",
    "ranked",
    "run_race",
    "start_race",
]
