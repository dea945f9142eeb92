"""A strategy table as an agent: random, basic, aggressive, mimic-dealer, never-bust, and every chart file."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.play.playing import table_actions
from holecard.blackjack.strategy.cell import Kind, row_label
from holecard.blackjack.strategy.letters import LETTERS, PLAY_ANY
from holecard.blackjack.strategy.strategy import Strategy
from holecard.seeds import below, key_of

_KIND_NAMES: Final = {Kind.HARD: "hard", Kind.HARD_ACE: "hard", Kind.SOFT: "soft", Kind.PAIR: "pair"}
_WORDS: Final = ("hit", "stand", "double, else hit", "double, else stand", "split", "surrender, else hit",
                 "surrender, else stand", "any legal action")  # fmt: skip


class ChartAgent:
    """Plays a strategy table, cell by cell, as the kernels do."""

    def __init__(self, strategy: Strategy, rules: Rules, *, name: str = "", seed: int = 0) -> None:
        self.name = name or strategy.name or "table"
        self.strategy = strategy
        self.last_reason = ""
        self._plays, self._record = strategy.plays(), rules_record(rules)
        self._seed = np.uint64(seed)

    def act(self, view: View) -> Action:
        """What the table says here; `last_reason` names the cell."""
        if view.legal_bits >> Action.DECLINE & 1:
            self.last_reason = "a table of plays never insures"
            return Action.DECLINE
        kind, row = cell_of(view)
        held, column = min(view.n_cards, 4) - 2, view.upcard - 1
        play = int(self._plays[view.legal_bits >> 2 & 7, held, kind, row, column])
        letter = LETTERS[self.strategy.cells[held if kind != Kind.PAIR else 0, kind, row, column]]
        word = _WORDS[LETTERS.index(letter)]
        self.last_reason = f"{spot_of(view, self.strategy.ace_bonus)}: {word}"
        if play == PLAY_ANY:
            return self._any(view)
        return Action(play) if view.legal_bits >> play & 1 else Action.STAND

    def act_batch(self, states: NDArray[np.void], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the table says in each state."""
        actions = np.zeros(states.size, np.int64)
        table_actions(states, self._plays.ravel(), self._record, actions)
        return actions

    def _any(self, view: View) -> Action:
        with np.errstate(over="ignore"):
            key = key_of(self._seed, np.uint64(view.round_number))
            return view.legal[int(below(key, np.uint64(view.decisions), np.uint64(len(view.legal))))]


def spot_of(view: View, ace_bonus: int = 10) -> str:
    """A decision as people name it: `hard 16 against 10`, `pair 88 against A`."""
    return f"{_hand_name(*cell_of(view), ace_bonus)} against {VALUES[view.upcard - 1]}"


def cell_of(view: View) -> tuple[Kind, int]:
    """The kind of hand and the row under which a strategy table has this decision."""
    if view.is_pair:
        return Kind.PAIR, view.hard
    if view.soft:
        return Kind.SOFT, view.total
    return (Kind.HARD_ACE if view.has_ace else Kind.HARD), view.total


def cell_name(view: View, ace_bonus: int = 10) -> str:
    """The chart cell of a decision as leaks name it: `hard 16 v 10`, `soft A7 v 9`, `pair 88 v A`."""
    return f"{_hand_name(*cell_of(view), ace_bonus)} v {VALUES[view.upcard - 1]}"


def _hand_name(kind: Kind, row: int, ace_bonus: int) -> str:
    return f"{_KIND_NAMES[kind]} {row_label(kind, row, ace_bonus)}"
