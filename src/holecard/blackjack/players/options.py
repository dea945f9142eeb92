"""What an agent can be told. Light: the command line makes its AGENT options from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holecard.errors import SettingError
from holecard.settings import check_settings, setting

LOOKAHEAD: Final = "lookahead"
"""A rollout that weighs what one more card brings against standing, by the rules and the cards not seen."""
ROLLOUTS: Final = (LOOKAHEAD, "mimic-dealer", "random", "basic")
"""How the MCTS agent may play out a leaf."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """What the AGENT options of the command line choose."""

    simulations: int = setting(200, low=1, high=1_000_000, help="MCTS: simulations for a decision.")
    determinizations: int = setting(10, low=1, help="MCTS: worlds to a pass.")
    """One from each equal slice of the cards that may be the hole card."""
    ucb_c: float = setting(1.41, low=0, high=100, help="MCTS: how much to explore.")
    """The factor of UCB1's second term."""
    rollout: str = setting(LOOKAHEAD, choices=ROLLOUTS, help="MCTS: who plays out a leaf.")
    model: Path | None = setting(None, metavar="PATH", help="DNN: a checkpoint of your own.")
    """Without one, the model that comes with the package."""

    def __post_init__(self) -> None:
        check_settings(self)
        if self.determinizations > self.simulations:
            raise SettingError(
                f"determinizations must be 1 to the {self.simulations:,} simulations; got {self.determinizations:,}"
            )
