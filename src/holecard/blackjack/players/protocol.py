"""What an agent is: something that sees a view of a blackjack table, names an action, and can say why.

Ten lines make one of your own, played by `--agent mymodule:Cautious`:

>>> class Cautious:
...     name = "cautious"
...     last_reason = ""
...
...     def __init__(self, rules, seed=0):
...         self.rules = rules
...
...     def act(self, view):
...         self.last_reason = f"{view.total} against {view.upcard}"
...         return Action.HIT if view.total < 12 else Action.STAND
>>> isinstance(Cautious(None), Agent)
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError

if TYPE_CHECKING:
    from holecard.blackjack.game.game import View
    from holecard.blackjack.strategy.strategy import Strategy

MAX_SIMULATIONS: Final = 1_000_000
ROLLOUTS: Final = ("mimic-dealer", "random", "basic")
"""How the MCTS agent may play out a leaf."""


@runtime_checkable
class Agent(Protocol):
    """Someone at the table. One agent plays one session after another; it is told nothing but views."""

    name: str
    last_reason: str
    """Why it did what it did last, in a line."""

    def act(self, view: View) -> Action:
        """A legal action in this spot."""


@runtime_checkable
class StrategyAgent(Agent, Protocol):
    """An agent that follows a strategy, so that kernels can play it and its EV is exact."""

    @property
    def strategy(self) -> Strategy:
        """What it plays."""


@runtime_checkable
class BatchAgent(Agent, Protocol):
    """An agent that decides for many tables at once."""

    def act_batch(self, states: NDArray[np.void], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for each of `states` (ROUND, shape (n,)); `rounds` is each table's round number, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """What the AGENT options of the command line choose."""

    simulations: int = 200
    """MCTS: simulations for a decision."""
    determinizations: int = 10
    """MCTS: worlds to a pass, one from each equal slice of the cards that may be the hole card."""
    ucb_c: float = 1.41
    """MCTS: how much UCB1 explores."""
    rollout: str = "mimic-dealer"
    """MCTS: the policy that plays out a leaf, one of `ROLLOUTS`."""
    model: Path | None = None
    """DNN: the checkpoint; without one, the model that comes with the package."""

    def __post_init__(self) -> None:
        if not 1 <= self.simulations <= MAX_SIMULATIONS:
            raise SettingError(f"simulations must be 1 to {MAX_SIMULATIONS:,}; got {self.simulations:,}")
        if not 1 <= self.determinizations <= self.simulations:
            raise SettingError(
                f"determinizations must be 1 to the {self.simulations:,} simulations; got {self.determinizations:,}"
            )
        if not 0 <= self.ucb_c <= 100:
            raise SettingError(f"ucb-c must be 0 to 100; got {self.ucb_c:g}")
        if self.rollout not in ROLLOUTS:
            raise SettingError(f"rollout must be {', '.join(ROLLOUTS)}; got {self.rollout!r}")


Maker = Callable[[Rules, int, AgentOptions], Agent]
"""Makes an agent for a table's rules, with a seed of its own."""
