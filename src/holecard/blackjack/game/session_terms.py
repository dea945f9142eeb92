"""The terms of a session: rules, rounds, money and seed, and the seeds that follow from it for the game and the agent.

A session is so many rounds at one table. Session i of a seed deals the shoes of `Game(seed=session_seed(seed, i))`,
whoever plays it and however: at a `Game`, decision by decision, or in a `SessionBatch`, side by side with others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from holecard.blackjack.game.game import Game
from holecard.blackjack.game.round import UNLIMITED
from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError
from holecard.seeds import MAX_SEED, checked_seed, key_of


def session_seed(seed: int, number: int) -> int:
    """The seed of a session's `Game`."""
    with np.errstate(over="ignore"):
        return int(key_of(np.uint64(checked_seed(seed)), np.uint64(number)))


def agent_seed(seed: int, number: int) -> int:
    """The seed of the agent that plays a session: another than the game's, so that its chance is not the shoe's."""
    return session_seed(MAX_SEED - checked_seed(seed), number)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTerms:
    """What is played: the sessions of a seed under the same terms."""

    rules: Rules
    rounds: int = 100
    """Rounds to a session; fewer if the bankroll runs out."""
    seed: int = 0
    bankroll: float = math.inf
    """Money at the start of each."""
    bet: float = 1.0
    """The base bet."""

    def __post_init__(self) -> None:
        checked_seed(self.seed)
        if self.rounds < 1:
            raise SettingError(f"rounds must be 1 or more; got {self.rounds}")
        if not 0 < self.bet < math.inf:
            raise SettingError(f"bet must be above 0; got {self.bet:g}")
        if not self.bankroll >= self.bet:
            raise SettingError(f"the bankroll must pay a bet of {self.bet:g}; got {self.bankroll:g}")

    @property
    def chips(self) -> int:
        """The bankroll in chips, `rules.unit` to a base bet."""
        return UNLIMITED if self.bankroll == math.inf else int(self.bankroll / self.bet * self.rules.unit)

    def game(self, number: int) -> Game:
        """The table of one session."""
        return Game(self.rules, session_seed(self.seed, number), bankroll=self.bankroll, bet=self.bet)
