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

With `bet(table)` beside `act(view)` it says before every deal how many base bets it makes: see `BettingAgent`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions

if TYPE_CHECKING:
    from holecard.blackjack.game.game import View
    from holecard.blackjack.game.table_view import TableView, TableViews
    from holecard.blackjack.strategy.strategy import Strategy


@runtime_checkable
class Agent(Protocol):
    """Someone at the table. One agent plays one session after another; it is told nothing but views."""

    name: str
    last_reason: str
    """Why it did what it did last, in a line."""

    def act(self, view: View) -> Action:
        """A legal action in this spot."""


@runtime_checkable
class BettingAgent(Agent, Protocol):
    """An agent that sizes its bets. Others bet the base bet."""

    def bet(self, table: TableView) -> float:
        """How many base bets to make on the next round; 0: it is watched. What money does not pay is left out."""


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


@runtime_checkable
class BatchBettingAgent(BatchAgent, Protocol):
    """An agent that decides and sizes bets for many tables at once."""

    def bet_batch(self, tables: TableViews) -> NDArray[np.float64]:
        """How many base bets to make at each of these tables, (n,)."""


Maker = Callable[[Rules, int, AgentOptions], Agent]
"""Makes an agent for a table's rules, with a seed of its own."""
