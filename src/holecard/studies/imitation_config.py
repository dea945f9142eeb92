"""What can be told to record an expert and to train a network. Light: the command line makes its options from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.settings import check_settings, seed_setting, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstrationConfig:
    """Which decisions are recorded."""

    rules: Rules
    """The game."""
    games: int = setting(5_000, low=1, help="Sessions to record.")
    agent: str = setting("basic", metavar="NAME", help="See `holecard agents`; a chart file, a run or module:Class.")
    """The expert."""
    rounds: int = setting(10, low=1, help="Rounds to a session.")
    seed: int = seed_setting()
    options: AgentOptions = field(default_factory=AgentOptions)
    """What the expert is told."""

    def __post_init__(self) -> None:
        check_settings(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImitationConfig:
    """How a network is trained; the defaults are those of the shipped model."""

    epochs: int = setting(50, low=1, high=100_000, help="Passes over the data, at most.")
    batch: int = setting(512, low=2, high=1 << 20, has_option=False, help="Decisions to a step.")
    learning_rate: float = setting(1e-3, above=0, has_option=False, help="Adam's step.")
    weight_decay: float = setting(1e-4, low=0, has_option=False, help="How fast weights shrink.")
    validation: float = setting(0.2, low=0, below=1, has_option=False, help="Share of the decisions held out.")
    plateau: int = setting(5, low=0, has_option=False, help="Epochs without progress before the rate is halved.")
    patience: int = setting(
        12, low=1, high=100_000, has_option=False, help="Epochs without progress before training stops."
    )
    seed: int = seed_setting()

    def __post_init__(self) -> None:
        check_settings(self)
