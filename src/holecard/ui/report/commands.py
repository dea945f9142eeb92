"""What to type to make a race, or a part of it, again."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from holecard.studies.genetic import PRESETS, GeneticStudy
from holecard.studies.programs import ProgramStudy
from holecard.studies.race import RaceConfig
from holecard.ui.options import rules_words

_FLAGS: Final = {"mutation_rate": "mutation"}
"""Options of the command line that are not called as the setting is."""


class Commands:
    """What to type for one race; the parts' own commands are made of it in `parts/`."""

    def __init__(self, config: RaceConfig) -> None:
        self.config = config
        self.rules = rules_words(config.rules)
        """The options of the race's rules; empty where they are the usual ones."""

    @property
    def race(self) -> str:
        """The whole race, where it is one that the command line runs."""
        mode = next((each for each in ("fast", "full") if self._mode(each) == self.config), None)
        words = f"holecard race --{mode}" if mode else "a race of other settings: see config.json"
        return joined(words, self.rules, f"--seed {self.config.seed}") if mode else words

    def _mode(self, name: str) -> RaceConfig:
        make = RaceConfig.full if name == "full" else RaceConfig.fast
        return make(self.config.rules, self.config.seed)

    def evolve_charts(self, study: GeneticStudy, preset: str) -> str:
        """An evolution of charts."""
        usual = GeneticStudy(rules=self.config.rules, **{**PRESETS[preset]})
        return self._evolve("ga", study, usual, f"--preset {preset}")

    def evolve_programs(self, study: ProgramStudy) -> str:
        """An evolution of programs."""
        return self._evolve("gp", study, ProgramStudy(rules=self.config.rules), "")

    def _evolve(self, kind: str, study: Any, usual: Any, preset: str) -> str:
        words = [
            f"--{_FLAGS.get(each.name, each.name.replace('_', '-'))} {getattr(study, each.name)}"
            for each in fields(study)
            if each.name != "rules" and getattr(study, each.name) != getattr(usual, each.name)
        ]
        return joined(f"holecard evolve {kind}", self.rules or "--rules casino", preset, *words)

    def score(self, strategy: object) -> str:
        """The score of a strategy, by name or by its chart's file, with its leaks."""
        return joined(f"holecard score {strategy}", self.rules, "--leaks 30")


def joined(*words: str) -> str:
    """Words with a space between; empty ones are left out.

    >>> joined("holecard solve", "", "--decks 2")
    'holecard solve --decks 2'
    """
    return " ".join(word for word in words if word)
