"""The race: every way of finding a strategy on one table, each judged by the exact values of one game."""

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.course import Race, open_race, run_race, start_race
from holecard.studies.race.table import Row, ranked

__all__ = ["Race", "RaceConfig", "Row", "open_race", "ranked", "run_race", "start_race"]
