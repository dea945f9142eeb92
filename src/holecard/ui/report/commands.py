"""What to type to make a race, or a part of it, again."""

from __future__ import annotations

from typing import Any

from holecard.settings import option_words
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.programs_config import ProgramConfig
from holecard.studies.race import RaceConfig
from holecard.ui.options import rules_words


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

    def evolve_charts(self, study: GeneticConfig, preset: str) -> str:
        """An evolution of charts."""
        usual = GeneticConfig.preset(preset, self.config.rules)
        return self._evolve("ga", study, usual, f"--preset {preset}")

    def evolve_programs(self, study: ProgramConfig) -> str:
        """An evolution of programs."""
        return self._evolve("gp", study, ProgramConfig(rules=self.config.rules), "")

    def _evolve(self, kind: str, study: Any, usual: Any, preset: str) -> str:
        return joined(f"holecard evolve {kind}", self.rules or "--rules casino", preset, *option_words(study, usual))

    def score(self, strategy: object) -> str:
        """The score of a strategy, by name or by its chart's file, with its leaks."""
        return joined(f"holecard score {strategy}", self.rules, "--leaks 30")


def joined(*words: str) -> str:
    """Words with a space between; empty ones are left out.

    >>> joined("holecard solve", "", "--decks 2")
    'holecard solve --decks 2'
    """
    return " ".join(word for word in words if word)
