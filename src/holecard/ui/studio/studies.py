"""The studies that the studio can begin: what each may be told, and the command line that runs it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from holecard.blackjack.game.rules import Rules
from holecard.errors import unknown_name
from holecard.settings import Named, option_words, settings_of
from holecard.studies.counter_config import GAME, CounterConfig
from holecard.studies.counter_config import PRESETS as COUNTER_PRESETS
from holecard.studies.genetic_config import PRESETS as GENETIC_PRESETS
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig
from holecard.ui.options import changed_options
from holecard.ui.studio.body import BadRequest

_LONGEST: Final = 60
"""Characters of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A kind of run that can be begun."""

    name: str
    """Its command, such as `evolve ga`."""
    title: str
    """What its button says."""
    about: str
    """What evolves, in a line."""
    config: type
    """Its configuration, which has the settings."""
    make: Callable[[str, Rules | None, Mapping[str, Any]], Any]
    """The configuration of a preset, rules and changes."""
    presets: tuple[str, ...] = ()
    """Where settings can start."""
    rules: str | None = None
    """The usual game of a study of blackjack."""
    shown: tuple[str, ...]
    """The settings that a page offers; all others keep their defaults."""
    curves: tuple[tuple[str, str], ...]
    """Names in a record that are drawn by generation, each with its words."""
    done: str
    """The file that only a finished run has."""

    def settings(self) -> Iterator[Named]:
        """The settings that a page offers, in its order."""
        known = {each.name: each for each in settings_of(self.config)}
        yield from (known[name] for name in self.shown)

    def words(self, preset: str, rules: Rules | None, values: Mapping[str, Any]) -> list[str]:
        """The words of the command line, without the program; values that cannot be are refused."""
        made, usual = self.make(preset, rules, values), self.make(preset, rules, {})
        words = self.name.split()
        if self.presets:
            words += ["--preset", preset]
        if rules is not None:
            words += words_of_rules(rules)
        return words + [word for each in option_words(made, usual) for word in shlex.split(each)]

    def json(self) -> dict[str, Any]:
        """What a page needs to offer it."""
        starts = {preset: self._start(preset) for preset in self.presets or ("",)}
        return {
            "study": self.name,
            "title": self.title,
            "about": self.about,
            "presets": list(self.presets),
            "rules": self.rules,
            "settings": [_setting_json(each) for each in self.settings()],
            "starts": starts,
        }

    def _start(self, preset: str) -> dict[str, Any]:
        """What the settings are before anybody changes them."""
        made = self.make(preset, Rules.from_text(self.rules) if self.rules else None, {})
        return {each.name: getattr(made, each.name) for each in self.settings()}

    def read(self, values: Any) -> dict[str, Any]:
        """Settings from a request: of the kinds that the fields have; what is left empty keeps its default."""
        if not isinstance(values, dict):
            raise BadRequest("settings must be an object")
        known = {each.name: each for each in self.settings()}
        found = {}
        for name, value in values.items():
            if name not in known:
                raise BadRequest(unknown_name("setting", str(name)[:_LONGEST], known))
            if value is not None and value != "":
                found[name] = _of_kind(known[name], value)
        return found


def _of_kind(named: Named, value: Any) -> Any:
    """A value of the kind that a setting has."""
    kinds = (str,) if named.setting.choices else (float, int) if named.kind is float else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise BadRequest(f"{named.name} must be {'a word' if kinds == (str,) else 'a number'}")
    if isinstance(value, int) and abs(value) >= 2**64:
        raise BadRequest(f"{named.name} has too many digits")
    return value


def _setting_json(named: Named) -> dict[str, Any]:
    known = named.setting
    return {
        "name": named.name,
        "title": named.name.replace("_", " "),
        "help": known.help,
        "choices": list(known.choices),
        "low": known.low,
        "high": None if known.high is None or known.high > 2**53 else known.high,
        "whole": named.kind is not float,
    }


def words_of_rules(rules: Rules) -> list[str]:
    """The options that give a command these rules."""
    return ["--rules", "casino", *(word for each in changed_options(Rules(), rules) for word in shlex.split(each))]


def _genetic(preset: str, rules: Rules | None, values: Mapping[str, Any]) -> GeneticConfig:
    return GeneticConfig.preset(preset, rules or Rules(), **values)


def _programs(preset: str, rules: Rules | None, values: Mapping[str, Any]) -> ProgramConfig:
    return ProgramConfig(rules=rules or Rules(), **values)


def _counter(preset: str, rules: Rules | None, values: Mapping[str, Any]) -> CounterConfig:
    return CounterConfig.preset(preset, rules or GAME, **values)


def _holdem(preset: str, rules: Rules | None, values: Mapping[str, Any]) -> NeuroevolutionConfig:
    return NeuroevolutionConfig.preset(preset, **values)


_FITNESS: Final = (("best", "best, as observed"), ("mean", "mean, as observed"))
STUDIES: Final[Mapping[str, Study]] = {
    each.name: each
    for each in (
        Study(
            name="evolve ga",
            title="Charts of letters",
            about="A genetic algorithm on strategy charts: one letter for every hand and upcard.",
            config=GeneticConfig,
            make=_genetic,
            presets=tuple(GENETIC_PRESETS),
            rules="classic",
            shown=("actions", "population", "generations", "hands", "fitness", "mutation_rate", "seed"),
            curves=(*_FITNESS, ("exact", "best, exactly"), ("exact_consensus", "consensus, exactly")),
            done="winner.txt",
        ),
        Study(
            name="evolve gp",
            title="Programs that vote",
            about="Genetic programming: ten little programs, one for each upcard, vote for hit, stand or double.",
            config=ProgramConfig,
            make=_programs,
            rules="votes",
            shown=("population", "generations", "fitness", "hands", "seed"),
            curves=(*_FITNESS, ("exact", "best, exactly")),
            done="winner.txt",
        ),
        Study(
            name="evolve counter",
            title="Card counters",
            about="294 bits say how to play, how to count the cards and how to bet.",
            config=CounterConfig,
            make=_counter,
            presets=tuple(COUNTER_PRESETS),
            rules=str(GAME),
            shown=("population", "generations", "hands", "fitness", "mutation_rate", "seed"),
            curves=(*_FITNESS, ("expected", "best, as expected"), ("expected_consensus", "consensus, as expected")),
            done="winner.txt",
        ),
        Study(
            name="holdem evolve",
            title="Hold'em players",
            about="Networks with a memory learn to take money from rule players, by play alone.",
            config=NeuroevolutionConfig,
            make=_holdem,
            presets=("pokernet", "card", "paper", "author"),
            shown=("population", "generations", "hands", "seed"),
            curves=(("best", "best"), ("mean", "mean"), ("median", "median")),
            done="champion.safetensors",
        ),
    )
}
"""By command."""


def study_of(options: Mapping[str, Any]) -> Study | None:
    """The study that a run's options are of; None for what the studio does not know."""
    name = str(options.get("study", "holdem evolve" if "opponents" in options else ""))
    return STUDIES.get(name)
