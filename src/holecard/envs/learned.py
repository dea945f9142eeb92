"""What a learner has learned, as a strategy chart: asked about every cell, so that its exact EV can be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import Cell, Kind, cells_of_chart
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy

Preferences = Callable[[NDArray[np.int64]], NDArray[Any]]
"""Observations of `holecard/Blackjack-v0`, (n, 8), to numbers for its seven actions, (n, 7); the highest is chosen."""


def learned_strategy(preferences: Preferences, rules: Rules, *, name: str = "learned") -> Strategy:
    """The chart of a learner on `holecard/Blackjack-v0`: in every cell the action it prefers among those allowed.

    Values of a Q-network, logits of a policy and chances all serve. A double or a surrender that is not allowed falls
    back on the preferred of hit and stand.
    """
    cells = list(cells_of_chart(rules.limit, rules.ace_bonus))
    observations = np.array([_observation(cell, rules) for cell in cells], np.int64)
    preferred = np.asarray(preferences(observations))
    letters = {cell: _letter(cell, values, rules) for cell, values in zip(cells, preferred, strict=True)}
    return Strategy.from_letters(letters, name=name, limit=rules.limit, ace_bonus=rules.ace_bonus)


def _observation(cell: Cell, rules: Rules) -> tuple[int, ...]:
    """The first hand of a round that is looked up in this cell, as the environment shows it."""
    is_pair = cell.kind == Kind.PAIR
    soft_pair = is_pair and cell.row == 2 and 2 + rules.ace_bonus <= rules.limit
    total = cell.row + rules.ace_bonus if soft_pair else cell.row
    return total, int(soft_pair or cell.kind == Kind.SOFT), int(is_pair), cell.upcard + 1, cell.cards or 2, 1, 1, 0


def _letter(cell: Cell, preferred: NDArray[Any], rules: Rules) -> Letter:
    allowed = [Action.HIT, Action.STAND]
    two_cards = (cell.cards or 2) == 2
    allowed += [Action.DOUBLE] * (rules.double != "none" and (two_cards or rules.double_cards == "any"))
    if two_cards:
        allowed += [Action.SURRENDER] * (rules.surrender != "none")
        allowed += [Action.SPLIT] * (cell.kind == Kind.PAIR and rules.max_hands > 1)
    best = max(allowed, key=lambda action: preferred[action])
    hits = preferred[Action.HIT] >= preferred[Action.STAND]
    if best == Action.DOUBLE:
        return Letter.DOUBLE_ELSE_HIT if hits else Letter.DOUBLE_ELSE_STAND
    if best == Action.SURRENDER:
        return Letter.SURRENDER_ELSE_HIT if hits else Letter.SURRENDER_ELSE_STAND
    return {Action.HIT: Letter.HIT, Action.STAND: Letter.STAND, Action.SPLIT: Letter.SPLIT}[best]
