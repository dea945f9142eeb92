"""The commands that make each part of a race again, by themselves."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.strategy.named import NAMED
from holecard.studies.genetic import PRESETS, GeneticStudy
from holecard.studies.programs import ProgramStudy
from holecard.studies.race import RaceConfig
from holecard.ui.options import rules_words

_FLAGS: Final = {"mutation_rate": "mutation"}
"""Options of the command line that are not called as the setting is."""


class Commands:
    """What to type for the parts of one race."""

    def __init__(self, config: RaceConfig) -> None:
        self.config = config
        self._rules = rules_words(config.rules)

    @property
    def race(self) -> str:
        """The whole race, where it is one that the command line runs."""
        mode = next((each for each in ("fast", "full") if self._mode(each) == self.config), None)
        words = f"holecard race --{mode}" if mode else "a race of other settings: see config.json"
        return _joined(words, self._rules, f"--seed {self.config.seed}") if mode else words

    def _mode(self, name: str) -> RaceConfig:
        make = RaceConfig.full if name == "full" else RaceConfig.fast
        return make(self.config.rules, self.config.seed)

    def of_run(self, run: str) -> str:
        """One of the evolutions."""
        if run == "trees":
            return self._evolve("gp", self.config.trees, ProgramStudy(rules=self.config.rules), "")
        study, preset = (self.config.bits, "tuned") if run == "bits" else (self.config.letters, "exact")
        usual = GeneticStudy(rules=self.config.rules, **{**PRESETS[preset]})
        return self._evolve("ga", study, usual, f"--preset {preset}")

    def _evolve(self, kind: str, study: Any, usual: Any, preset: str) -> str:
        words = [
            f"--{_FLAGS.get(each.name, each.name.replace('_', '-'))} {getattr(study, each.name)}"
            for each in fields(study)
            if each.name != "rules" and getattr(study, each.name) != getattr(usual, each.name)
        ]
        return _joined(f"holecard evolve {kind}", self._rules or "--rules casino", preset, *words)

    def of_strategy(self, name: str, folder: Path) -> str:
        """The score of a strategy of the table, leaks and all."""
        runs = {"evolved bits": "bits", "evolved letters": "letters", "evolved trees": "trees"}
        if name in NAMED:
            return _joined(f"holecard score {name}", self._rules, "--leaks 30")
        if name in runs:
            return _joined(f"holecard score {folder / runs[name] / 'winner.txt'}", self._rules, "--leaks 30")
        return _joined("holecard solve", self._rules) if name == "best chart" else self.race

    def of_search(self, budget: int) -> str:
        """A search on common cards beside basic strategy."""
        games = self.config.rounds // 100
        return _joined(
            f"holecard evaluate --agent mcts --simulations {budget} --agent2 basic --games {games} --shoe fresh",
            self._rules,
            f"--seed {self.config.seed}",
        )

    def duel(self, folder: Path) -> str:
        """One of the duels."""
        setting = self.config.settings[0] if self.config.settings else "pokernet"
        first = folder / f"holdem-{setting}" if self.config.settings else f"champion:{setting}"
        return f"holecard holdem duel {first} smart --hands {self.config.duel_hands} --seed {self.config.seed}"

    def everything(self, folder: Path) -> list[tuple[str, str]]:
        """What each part is, and its command."""
        rows = [
            ("the whole race", self.race),
            ("the optimum and the best chart", _joined("holecard solve", self._rules)),
            ("a published chart and its leaks", _joined("holecard score basic", self._rules)),
            ("evolved bits", self.of_run("bits")),
            ("evolved letters", self.of_run("letters")),
            ("evolved trees", self.of_run("trees")),
        ]
        if self.config.budgets:
            rows.append(("search on common cards", self.of_search(self.config.budgets[-1])))
        rows += [(f"hold'em, {name}", study.command) for name, study in self.config.neuroevolutions.items()]
        return [*rows, ("a duel", self.duel(folder))]


def _joined(*words: str) -> str:
    return " ".join(word for word in words if word)
