"""What a study of evolved card counters can be told. Light: the command line makes its options from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Final

from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError, unknown_name
from holecard.evolve.registry import GeneticSettings
from holecard.settings import same_setting, seed_setting, setting
from holecard.studies.game import restricted
from holecard.studies.options import as_options, from_options

if TYPE_CHECKING:
    from holecard.studies.genome import Encoding

GAME: Final = Rules(h17=False, shoe="dealt", cut=234)
"""The game of the 294-bit algorithm: six decks, S17, shuffled where 78 cards or fewer are left."""


@dataclass(frozen=True, kw_only=True)
class CounterConfig(GeneticSettings):
    """A genetic algorithm on counters of 294 bits; the defaults are those of the 294-bit algorithm."""

    KIND: ClassVar = "evolve counter"
    FIRST: ClassVar = ("population", "generations", "hands", "bankroll")

    rules: Rules = GAME
    """The game; whatever its rules allow, counters hit or stand."""
    generations: int = setting(100, low=1, help="Generations at most.")
    hands: int = setting(1_000, low=1, high=10**9, help="Hands of a session.")
    bankroll: int = setting(1_000, low=1, high=10**9, help="Units at the start of a session.")
    cards: str = setting(
        "fresh", choices=("fresh", "common"), help="Own cards for everybody, or the same for a generation."
    )
    """Where fitness is sampled."""
    fitness: str = setting(
        "sampled",
        choices=("sampled", "expected"),
        help="A session's end, or what is expected: exact EV of the play, exact edges of common shoes for the bets.",
    )
    guidance: float = setting(
        0.0, low=0, high=10**6, help="Units taken from a count for each point of correlation that it lacks."
    )
    """With the edges of the common shoes, where fitness is expected."""
    count_mutation: float | None = setting(
        None, low=0, high=1, help="The chance of a bit of tags and bets to change; by default that of all bits."
    )
    shoes: int = setting(2_000, low=100, high=100_000, help="Common shoes by which bets are judged.")
    stagnation: int | None = setting(None, low=1, help="Stop after so many without a new best.")
    seed: int = seed_setting()
    population: int = same_setting(GeneticSettings, "population", 100, help="Counters in a generation.")
    selection: str = same_setting(GeneticSettings, "selection", "windowed")

    def __post_init__(self) -> None:
        GeneticSettings.__post_init__(self)
        if (self.rules.limit, self.rules.ace_bonus) != (21, 10):
            raise SettingError("294 bits are made for totals to 21; drop --limit and --ace-bonus")
        if self.rules.is_infinite:
            raise SettingError("an infinite shoe cannot be counted; use 1 to 8 decks")
        if self.rules.deck is not None:
            raise SettingError("counters evolve on full packs; drop --deck")
        if self.guidance and self.fitness == "sampled":
            raise SettingError("guidance is for fitness that is expected; use --fitness expected")
        if self.selection == "roulette" and self.fitness == "expected":
            raise SettingError("roulette needs a fitness of 0 or more; use --selection windowed")

    @classmethod
    def preset(cls, name: str, rules: Rules = GAME, **changes: Any) -> CounterConfig:
        """The study of a preset, with some settings changed.

        >>> CounterConfig.preset("tuned", seed=3).fitness
        'expected'
        """
        if name not in PRESETS:
            raise SettingError(unknown_name("preset", name, PRESETS))
        return cls(rules=rules, **{**PRESETS[name], **changes})

    @cached_property
    def fresh_game(self) -> Rules:
        """The game as counters play it, a fresh shoe each round: what exact EVs are of."""
        return restricted(replace(self.rules, shoe="fresh"), "hit-stand")

    @cached_property
    def game(self) -> Rules:
        """The game as counters play it, from shoes that are dealt down."""
        return replace(self.fresh_game, shoe="dealt")

    @cached_property
    def encoding(self) -> Encoding:
        """How letters become charts."""
        from holecard.studies.genome import Encoding

        return Encoding(rules=self.fresh_game)

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON; `from_options` reads it back."""
        return as_options(self, self.KIND)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> CounterConfig:
        """The study of a run directory."""
        return from_options(options, cls.KIND, cls)


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "classic": {},
        "tuned": {
            "selection": "tournament",
            "crossover": "uniform",
            "mutation_rate": 0.002,
            "count_mutation": 0.02,
            "population": 200,
            "generations": 300,
            "fitness": "expected",
            "guidance": 1000.0,
        },
    }
)
"""What each named study changes of the defaults."""
