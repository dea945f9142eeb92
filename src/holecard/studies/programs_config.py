"""What a study of voting programs can be told. Light: the command line makes its options from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError
from holecard.evolve.registry import TreeSettings
from holecard.settings import same_setting, seed_setting, setting
from holecard.studies.game import restricted
from holecard.studies.options import as_options, device_for, from_options

if TYPE_CHECKING:
    from holecard.device import Device


@dataclass(frozen=True, kw_only=True)
class ProgramConfig(TreeSettings):
    """Genetic programming of one program per upcard."""

    KIND: ClassVar = "evolve gp"
    FIRST: ClassVar = ("fitness", "hands", "population", "generations")

    rules: Rules
    """The game; programs hit, stand and double, so splits and surrender are left out of it."""
    fitness: str = setting("exact", choices=("exact", "sampled"), help="How fitness is found.")
    hands: int = setting(1_000, low=1, high=10**8, help="Rounds that measure a program, where sampled.")
    """All programs of a generation play the same rounds."""
    generations: int = setting(100, low=1, help="Generations at most.")
    distinct: bool = setting(
        True, flag="--distinct/--alike", help="Only one of programs that play alike breeds, or all."
    )
    """The one is the smallest; so a population does not go stale."""
    stagnation: int | None = setting(None, low=1, help="Stop after so many without a new best.")
    """Each upcard stops by itself."""
    seed: int = seed_setting()
    population: int = same_setting(TreeSettings, "population", 1_000, help="Programs per upcard.")
    """Trees per upcard; a few hundred settle some 0.002 EV short of the best chart."""
    subtree_mutation: float = same_setting(TreeSettings, "subtree_mutation", 0.10)
    point_mutation: float = same_setting(TreeSettings, "point_mutation", 0.05)
    hoist_mutation: float = same_setting(TreeSettings, "hoist_mutation", 0.02)
    insert_mutation: float = same_setting(TreeSettings, "insert_mutation", 0.30)

    def __post_init__(self) -> None:
        TreeSettings.__post_init__(self)
        if (self.rules.limit, self.rules.ace_bonus) != (21, 10):
            raise SettingError("programs speak of totals up to 20 and aces of 11; use limit 21 and ace bonus 10")
        _ = self.game

    @cached_property
    def game(self) -> Rules:
        """The game as programs play it."""
        return restricted(self.rules, "hit-stand-double")

    def device_for(self, device: str) -> Device:
        """Where to play what was asked for."""
        from holecard.blackjack.strategy.cell import UPCARDS

        return device_for(device, self.fitness, UPCARDS * self.population * self.hands * self.generations)

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON; `from_options` reads it back."""
        return as_options(self, self.KIND)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> ProgramConfig:
        """The study of a run directory."""
        return from_options(options, cls.KIND, cls)
