"""The ceiling: the exact optimum for the shoe as the agent has seen it, solved again as cards go out."""

from __future__ import annotations

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.valuation import value_actions


class ExactAgent:
    """Plays the action of highest exact EV, given everything it has seen; see `valuation` for split hands."""

    name = "exact"

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.last_reason = ""

    def act(self, view: View) -> Action:
        """The legal action of highest EV; `last_reason` lists the EVs."""
        valuation = value_actions(view)
        self.last_reason = ", ".join(f"{action.word} {ev:+.4f}" for action, ev in valuation.evs.items())
        return valuation.best
