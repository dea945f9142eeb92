"""An agent that searches: Monte Carlo tree search over worlds that agree with everything it has seen.

**Strategy fusion.** A search that solves each world by itself plays as if it knew the hole card of that world: its plan
may hit 16 where the hole card is a six and stand where it is a ten, and no player can do both. Such plans make actions
that postpone decisions look too good, and more simulations make it worse. Here worlds share one tree whose nodes are
what the player sees, the decision at hand included, so that one plan must do for all of them, and visits are counted
over all worlds. What remains of determinization is only that a world is drawn before it is played.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.round import ROUND
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.players.mcts_search import Effort, new_tree, search
from holecard.blackjack.players.options import LOOKAHEAD, AgentOptions
from holecard.blackjack.strategy.named import named_strategy
from holecard.seeds import checked_seed, key_of

_CURIOSITY: Final = 0.1
"""How much of `ucb_c` later decisions explore with where rollouts look ahead: those play nearly as the tree would."""


def _effort_of(options: AgentOptions) -> Effort:
    """How a search thinks. Poor rollouts leave more to the tree: it begins sooner and explores as much as the root."""
    looks_ahead = options.rollout == LOOKAHEAD
    return Effort(
        simulations=options.simulations,
        determinizations=options.determinizations,
        ucb_c=options.ucb_c,
        later_c=options.ucb_c * (_CURIOSITY if looks_ahead else 1.0),
        ripe=64 if looks_ahead else 8,
        looks_ahead=looks_ahead,
    )


def _chart_of(rollout: str) -> str:
    """The chart behind a rollout policy; who looks ahead asks it about insurance only, which it declines."""
    return "mimic-dealer" if rollout == LOOKAHEAD else rollout


class MctsAgent:
    """Searches every decision afresh; the same seed and the same view give the same action."""

    name = "mcts"

    def __init__(self, rules: Rules, seed: int = 0, options: AgentOptions | None = None) -> None:
        self.options = options or AgentOptions()
        self.last_reason = ""
        self._seed = np.uint64(checked_seed(seed))
        self._effort = _effort_of(self.options)
        self._plays = named_strategy(_chart_of(self.options.rollout), rules).plays().ravel()
        self._record, self._round = rules_record(rules), np.zeros(1, ROUND)
        self._tree = new_tree(self.options.simulations)

    def act(self, view: View) -> Action:
        """The most visited action; `last_reason` tells visits and the estimated EV of each."""
        concealed, possible = view.concealed()
        with np.errstate(over="ignore"):
            key = key_of(
                key_of(self._seed, np.uint64(view.round_number)), np.uint64(view.decisions * 128 + view.legal_bits)
            )
        action = Action(
            search(concealed, possible, self._round, self._record, self._plays, self._tree, self._effort, key)
        )
        self.last_reason = self._reason(view)
        return action

    def values(self) -> dict[Action, tuple[int, float]]:
        """Of the last decision: visits and mean result in base bets of every action tried."""
        root = self._tree.root[0]
        return {
            action: (int(visits), float(root["worth"][action] / visits))
            for action, visits in zip(Action, root["visits"], strict=True)
            if visits
        }

    def _reason(self, view: View) -> str:
        tried = ", ".join(
            f"{action.word} {visits} visits EV {ev:+.2f}" for action, (visits, ev) in self.values().items()
        )
        return f"{view.total} against {view.upcard}: {tried}"
