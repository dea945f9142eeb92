"""`holecard/ClassicBlackjack-v0`: the game of Gymnasium's Blackjack-v1, so that agents written for it run unchanged.

Endless deck, the dealer stands on all 17s, actions 0 (stick) and 1 (hit), observations (sum, upcard, usable ace), the
options `natural` and `sab` with Gymnasium's meaning and defaults. As there, 21 is the player's to hit or stick on, and
a natural counts once he sticks. Cards come from this package's shoe, so a seed deals other cards than Gymnasium's.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import Batch
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import ROWS, UPCARDS, Kind
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.envs.one_table import OneTable
from holecard.envs.tables import Face, TableEnv, TableVectorEnv

Seen = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
_MEANING = np.array([Action.STAND, Action.HIT], np.int64)


def classic_rules(*, natural: bool, sab: bool) -> Rules:
    """The rules as charts, the solver and `simulate` take them: they never hit 21.

    `natural` without `sab` pays 3:2 only where 21 beats the dealer; `Rules` has no such game, and this one differs from
    it in that the dealer's 21 of three cards or more loses to the natural.

    >>> classic_rules(natural=False, sab=True) == Rules.preset("gymnasium")
    True
    """
    rules = Rules.preset("gymnasium")
    if sab:
        return rules
    return replace(rules, bj=Fraction(3, 2)) if natural else replace(rules, bj=None, dealer_natural=True)


def policy_of(strategy: Strategy) -> NDArray[np.int64]:
    """The actions of a hit-or-stand chart by observation, `policy[observation]`: int64 (32, 11, 2); sticks on 21.

    >>> from holecard.blackjack.strategy.named import named_strategy
    >>> mimic = policy_of(named_strategy("mimic-dealer", Rules.preset("gymnasium")))
    >>> mimic[16, 10, 0], mimic[17, 10, 1]
    (np.int64(1), np.int64(0))
    """
    policy = np.zeros((ROWS, UPCARDS + 1, 2), np.int64)
    for usable, kind in enumerate((Kind.HARD, Kind.SOFT)):
        policy[:21, 1:, usable] = strategy.cells[0, kind, :21] == Letter.HIT
    return policy


def strategy_of(policy: NDArray[np.integer], name: str = "") -> Strategy:
    """The chart that sticks where `policy[sum, upcard, usable ace]` is 0 and hits where it is 1: `score` takes it.

    >>> learned = np.zeros((32, 11, 2), int)
    >>> learned[:17] = 1
    >>> (policy_of(strategy_of(learned))[4:17, 1:, 0] == 1).all()
    np.True_
    """
    codes = np.where(np.asarray(policy)[:, 1:] == 1, Letter.HIT, Letter.STAND).astype(np.uint8)
    return Strategy.from_rows(codes[:, :, 0], codes[:, :, 1], name=name)


class ClassicFace(Face[Seen]):
    """Gymnasium's game: 21 can be hit, nothing in `info`."""

    masks = False

    def __init__(self, natural: bool, sab: bool) -> None:
        self.rules = classic_rules(natural=natural, sab=sab)
        self.table_rules = self.rules.table()._replace(plays_at_limit=True, natural_ties=natural and not sab)
        self.observation_space = spaces.Tuple((spaces.Discrete(32), spaces.Discrete(11), spaces.Discrete(2)))
        self.action_space = spaces.Discrete(2)
        self.seen_at = self._seen

    def _seen(self, table: OneTable) -> tuple[int, int, int]:
        _, _, total, _, _, soft, _, _, upcard, _, _ = table.seen
        return total, upcard, int(soft)

    def observe(self, batch: Batch, views: NDArray[np.void]) -> Seen:
        """Sums, upcards and usable aces, each int64 of shape (n,)."""
        return views["total"].astype(np.int64), views["upcard"].astype(np.int64), views["soft"].astype(np.int64)

    def one(self, observation: Seen) -> tuple[int, int, int]:
        """Three plain numbers, as Gymnasium's."""
        total, upcard, usable = observation
        return int(total[0]), int(upcard[0]), int(usable[0])

    def actions(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """0 is stick and 1 is hit."""
        return _MEANING[chosen]


class ClassicBlackjackEnv(TableEnv):
    """One table of Gymnasium's game."""

    def __init__(self, render_mode: str | None = None, natural: bool = False, sab: bool = False) -> None:
        super().__init__(ClassicFace(natural, sab), render_mode)
        self.natural, self.sab = natural, sab


class ClassicBlackjackVectorEnv(TableVectorEnv):
    """Many tables of Gymnasium's game side by side."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        natural: bool = False,
        sab: bool = False,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(ClassicFace(natural, sab), num_envs, autoreset_mode, render_mode=render_mode)
        self.natural, self.sab = natural, sab
