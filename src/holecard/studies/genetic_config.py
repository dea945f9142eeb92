"""What a genetic study of blackjack charts can be told. Light: the command line makes its options from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError, unknown_name
from holecard.evolve.registry import GeneticSettings
from holecard.settings import same_setting, seed_setting, setting
from holecard.studies.game import ACTIONS, Measure, restricted
from holecard.studies.options import as_options, device_for, from_options

if TYPE_CHECKING:
    from holecard.device import Device
    from holecard.studies.genome import Encoding


@dataclass(frozen=True, kw_only=True)
class GeneticConfig(GeneticSettings):
    """A genetic algorithm on strategy charts; the defaults are those of the 260-bit algorithm."""

    KIND: ClassVar = "evolve ga"
    FIRST: ClassVar = ("actions", "population", "generations", "hands")

    rules: Rules
    """The game."""
    actions: str = setting("hit-stand", choices=ACTIONS, help="What a chart may say.")
    generations: int = setting(100, low=1, help="Generations at most.")
    hands: int = setting(1_000, low=1, high=10**9, help="Rounds that measure a chart.")
    """Where fitness is sampled."""
    cards: str = setting(
        "fresh", choices=("fresh", "common"), help="Own cards for everybody, or the same for a generation."
    )
    fitness: str = setting("sampled", choices=("sampled", "exact"), help="How fitness is found.")
    stagnation: int | None = setting(None, low=1, help="Stop after so many without a new best.")
    seed: int = seed_setting()
    population: int = same_setting(GeneticSettings, "population", 100, help="Charts in a generation.")

    def __post_init__(self) -> None:
        GeneticSettings.__post_init__(self)
        if self.selection == "roulette" and self.measure is Measure.EV:
            raise SettingError("roulette needs a fitness of 0 or more and an EV can be negative; use --selection rank")

    @classmethod
    def preset(cls, name: str, rules: Rules, **changes: Any) -> GeneticConfig:
        """The study of a preset, with some settings changed.

        >>> GeneticConfig.preset("tuned", Rules.preset("classic"), seed=3).selection
        'tournament'
        """
        if name not in PRESETS:
            raise SettingError(unknown_name("preset", name, PRESETS))
        return cls(rules=rules, **{**PRESETS[name], **changes})

    @cached_property
    def game(self) -> Rules:
        """The game as charts of these actions play it."""
        return restricted(self.rules, self.actions)

    @cached_property
    def measure(self) -> Measure:
        """What fitness measures."""
        return Measure.of(self.game)

    @cached_property
    def encoding(self) -> Encoding:
        """How genomes become charts."""
        from holecard.studies.genome import Encoding

        return Encoding(rules=self.game)

    def device_for(self, device: str) -> Device:
        """Where to play what was asked for."""
        return device_for(device, self.fitness, self.population * self.hands * self.generations)

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON; `from_options` reads it back."""
        return as_options(self, self.KIND)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> GeneticConfig:
        """The study of a run directory."""
        return from_options(options, cls.KIND, cls)


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "classic": {},
        "tuned": {"selection": "tournament", "crossover": "uniform", "cards": "common"},
        "exact": {
            "selection": "tournament",
            "crossover": "uniform",
            "mutation_rate": 0.002,
            "generations": 200,
            "fitness": "exact",
        },
    }
)
"""What each named study changes of the defaults."""
