"""What the action bar says: what is legal, what was chosen and why, what each action is worth, what the choice cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holecard.blackjack.arena.watched import MISTAKE, Decision
from holecard.blackjack.game.actions import Action

_LEAST_AS_DECIMAL: Final = 0.0005
"""Bets from which on a cost is written with three decimals; below, as a power of ten."""


@dataclass(frozen=True, slots=True)
class ActionBar:
    """What the action bar shows at one step."""

    title: str
    """The situation in words."""
    actions: tuple[Action, ...] = ()
    """What is legal."""
    evs: Mapping[Action, float] | None = None
    """Exact EVs, where they may be seen."""
    chosen: Action | None = None
    best: Action | None = None
    reason: str = ""
    verdict: str = ""
    """What the decision cost."""
    good: bool = True
    """The verdict is praise."""
    asks: bool = False
    """You are asked: actions can be clicked."""
    past: bool = False
    """The decision was an earlier one."""
    fresh: bool = False
    """The EVs are a full shoe's."""

    @classmethod
    def of(cls, decision: Decision, *, past: bool = False) -> ActionBar:
        """The bar of a decision that was taken."""
        return cls(
            title=decision.spot,
            actions=tuple(action for action, _ in decision.evs),
            evs=dict(decision.evs),
            chosen=decision.action,
            best=decision.best,
            reason=decision.reason,
            verdict=verdict_on(decision),
            good=is_good(decision),
            past=past,
            fresh=decision.fresh,
        )


def is_good(decision: Decision) -> bool:
    """True if a decision gave nothing away."""
    return decision.cost <= MISTAKE


def verdict_on(decision: Decision) -> str:
    """What a decision cost, in a line."""
    name = decision.action.label.lower()
    if is_good(decision):
        return f"{name}: the best action"
    cost = f"{decision.cost:.3f}" if decision.cost >= _LEAST_AS_DECIMAL else f"{decision.cost:.1e}"
    return f"{name} gives away {cost} of a bet; best is {decision.best.label.lower()}"
