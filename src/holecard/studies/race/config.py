"""What a race runs: one game of blackjack, how much each way of finding a strategy may spend, some hold'em."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from holecard.blackjack.arena.judging import SESSION
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.strategy.named import NAMED, named_strategy
from holecard.errors import FileProblem, SettingError
from holecard.seeds import checked_seed
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.imitation_config import DemonstrationConfig, ImitationConfig
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig

KIND: Final = "race"
_DEMONSTRATED_ROUNDS: Final = 10
"""Rounds to a session of demonstrations, as in the shipped model's data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceConfig:
    """A whole race; the defaults are those of `--fast`."""

    rules: Rules
    """The game of blackjack that everything in the race's table is judged by."""
    seed: int = 0
    """The root of all chance."""
    population: int = 100
    """Charts in a generation of bits and of letters."""
    bits_generations: int = 100
    """Generations of charts of hit and stand."""
    bits_hands: int = 10_000
    """Rounds that measure a chart of bits: its fitness is sampled, as in the 260-bit algorithm."""
    letters_generations: int = 250
    """Generations of charts of all letters, whose fitness is exact."""
    programs: int = 500
    """Trees per upcard."""
    programs_generations: int = 100
    """Generations of trees."""
    games: int = 0
    """Sessions of demonstrations that a network is trained on; 0: the shipped model plays."""
    epochs: int = 20
    """Passes over the demonstrations."""
    rounds: int = 30_000
    """Rounds on common cards for players that are no charts."""
    budgets: tuple[int, ...] = (50, 200, 1_000)
    """Simulations to a decision of MCTS."""
    settings: tuple[str, ...] = ("pokernet",)
    """Settings of hold'em in which players are evolved."""
    players: int = 50
    """Hold'em players in a generation."""
    holdem_generations: int = 60
    """Generations of hold'em players."""
    hands: int = 500
    """Hands of a hold'em session."""
    duel_hands: int = 20_000
    """Hands of a duel, both seats together."""

    def __post_init__(self) -> None:
        """Refuse what could not be run to its end, before anything is run."""
        checked_seed(self.seed)
        if self.rules.shoe != "fresh":
            raise SettingError("a race is judged by exact values, those of a fresh shoe each round; use --shoe fresh")
        if self.rounds < SESSION or self.duel_hands < 2 or self.games < 0:
            raise SettingError(
                f"rounds must be {SESSION} or more, duel_hands 2 or more, games 0 or more; "
                f"got {self.rounds}, {self.duel_hands}, {self.games}"
            )
        for name in NAMED:
            named_strategy(name, self.rules)
        _ = self.bits, self.letters, self.trees, self.imitation, self.searches, self.neuroevolutions

    @classmethod
    def fast(cls, rules: Rules, seed: int = 0) -> RaceConfig:
        """Three minutes on two cores; the network is the shipped one."""
        return cls(rules=rules, seed=seed)

    @classmethod
    def full(cls, rules: Rules, seed: int = 0) -> RaceConfig:
        """Everything trained here, for a quarter of an hour or so."""
        return cls(
            rules=rules,
            seed=seed,
            population=200,
            bits_hands=100_000,
            letters_generations=500,
            programs=1_000,
            programs_generations=150,
            games=20_000,
            rounds=100_000,
            budgets=(50, 200, 1_000, 5_000, 20_000),
            settings=("pokernet", "paper"),
            holdem_generations=250,
            duel_hands=100_000,
        )

    @property
    def bits(self) -> GeneticConfig:
        """The 260-bit genome, tuned: hit or stand, judged by sampled hands."""
        changes: dict[str, Any] = {
            "actions": "hit-stand",
            "population": self.population,
            "generations": self.bits_generations,
            "hands": self.bits_hands,
            "seed": self.seed,
        }
        return GeneticConfig.preset("tuned", self.rules, **changes)

    @property
    def letters(self) -> GeneticConfig:
        """All letters that the rules know, judged exactly."""
        changes: dict[str, Any] = {
            "actions": "all",
            "population": self.population,
            "generations": self.letters_generations,
            "seed": self.seed,
        }
        return GeneticConfig.preset("exact", self.rules, **changes)

    @property
    def trees(self) -> ProgramConfig:
        """Ten programs that vote, one per upcard, judged exactly."""
        return ProgramConfig(
            rules=self.rules, population=self.programs, generations=self.programs_generations, seed=self.seed
        )

    @property
    def imitation(self) -> ImitationConfig:
        """How a network is trained."""
        return ImitationConfig(epochs=self.epochs, seed=self.seed)

    @property
    def demonstrations(self) -> DemonstrationConfig:
        """What basic strategy demonstrates to the network, where it is trained here."""
        return DemonstrationConfig(rules=self.rules, games=self.games, rounds=_DEMONSTRATED_ROUNDS, seed=self.seed)

    @property
    def searches(self) -> dict[int, AgentOptions]:
        """The options of MCTS by its budget."""
        return {budget: AgentOptions(simulations=budget, determinizations=min(10, budget)) for budget in self.budgets}

    @property
    def neuroevolutions(self) -> dict[str, NeuroevolutionConfig]:
        """The studies of hold'em by their setting."""
        return {
            name: NeuroevolutionConfig.preset(
                name,
                population=self.players,
                generations=self.holdem_generations,
                hands=self.hands,
                score_hands=self.duel_hands,
                seed=self.seed,
            )
            for name in self.settings
        }

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON; `from_options` reads it back."""
        return {"study": KIND, **asdict(self), "rules": str(self.rules)}

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> RaceConfig:
        """The race of a run directory."""
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in options.items()
        }
        if given.pop("study", None) != KIND:
            raise FileProblem(f"this is not a run of `holecard {KIND}`; its study is {options.get('study')!r}")
        try:
            return cls(**{**given, "rules": Rules.from_text(given["rules"])})
        except (KeyError, TypeError) as error:
            raise FileProblem(f"the run's config.json does not describe a race: {error}") from None
