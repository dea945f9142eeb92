"""A strategy chart as an agent: random, basic, aggressive, mimic-dealer, never-bust, and every chart file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.play.kernels import strategy_actions
from holecard.blackjack.strategy.cell import Cell, Kind, kind_and_row
from holecard.blackjack.strategy.letters import PLAY_ANY
from holecard.blackjack.strategy.strategy import Strategy
from holecard.seeds import below, key_of


class ChartAgent:
    """Plays a strategy chart, cell by cell, as the kernels do."""

    def __init__(self, strategy: Strategy, rules: Rules, *, name: str = "", seed: int = 0) -> None:
        self.name = name or strategy.name or "chart"
        self.strategy = strategy
        self.last_reason = ""
        self._plays, self._record = strategy.plays(), rules_record(rules)
        self._seed = np.uint64(seed)

    def act(self, view: View) -> Action:
        """What the chart says here; `last_reason` names the cell."""
        if view.legal_bits >> Action.DECLINE & 1:
            self.last_reason = "a chart never insures"
            return Action.DECLINE
        cell = cell_of(view, self.strategy.ace_bonus)
        play = int(self._plays[view.legal_bits >> 2 & 7].flat[cell.index])
        self.last_reason = f"{spot_of(cell)}: {self.strategy[cell].word}"
        if play == PLAY_ANY:
            return self._any(view)
        return Action(play) if view.legal_bits >> play & 1 else Action.STAND

    def act_batch(self, states: NDArray[np.void], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the chart says in each state."""
        actions = np.zeros(states.size, np.int64)
        strategy_actions(states, self._plays.ravel(), self._record, actions)
        return actions

    def _any(self, view: View) -> Action:
        with np.errstate(over="ignore"):
            key = key_of(self._seed, np.uint64(view.round_number))
            return view.legal[int(below(key, np.uint64(view.decisions), np.uint64(len(view.legal))))]


def cell_of(view: View, ace_bonus: int = 10) -> Cell:
    """The cell of a chart that decides here."""
    kind, row = kind_and_row(view.is_pair, view.soft, view.has_ace, view.total, view.hard)
    cards = None if kind == Kind.PAIR else min(view.n_cards, 4)
    return Cell(kind=Kind(kind), row=row, cards=cards, upcard=view.upcard - 1, ace_bonus=ace_bonus)


def spot_of(cell: Cell) -> str:
    """A decision as people name it: `hard 16 against 10`, `pair 88 against A`."""
    return f"{cell.by_total.section} {cell.label} against {cell.upcard_name}"
