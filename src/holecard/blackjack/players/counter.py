"""A card counter as an agent: it counts what it sees, departs from its chart by the count and sizes its bets.

It plays what `counting.kernels` plays, decision by decision, on the same cards.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule, step_kernel
from holecard.blackjack.counting.effects import above_mean, per_tag
from holecard.blackjack.counting.insurance import insurance_index
from holecard.blackjack.counting.kernels import BY_COUNT, Counting, row_of_count
from holecard.blackjack.counting.linear_indices import linear_indices
from holecard.blackjack.counting.shoes import counting_of, plays_by_count
from holecard.blackjack.counting.strategy import (
    HIGHEST,
    ILLUSTRIOUS_INSURANCE,
    LOWEST,
    CountingStrategy,
    illustrious_18,
    of_the_illustrious,
)
from holecard.blackjack.counting.system import CountSystem, find_system
from holecard.blackjack.counting.text import load_counter
from holecard.blackjack.exact.removal import Removal, effects_of_removal
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.composition import VALUES
from holecard.blackjack.game.game import View
from holecard.blackjack.game.round import DEALER, INSURING, Round, Rounds
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.stepping import RulesArray, rules_of, rules_record
from holecard.blackjack.game.table_view import TableView, TableViews
from holecard.blackjack.play.kernels import Plays, strategy_action
from holecard.blackjack.players.chart_agent import ChartAgent
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import SettingError

HIGHEST_BET: Final = 8
_EDGE_OF_A_UNIT: Final = 0.0028
"""What the player's edge must grow by for one unit more, so that Hi-Lo bets 2, 4, 6, 8 at +1 … +4."""
_INSURE: Final = int(Action.INSURE)
_DECLINE: Final = int(Action.DECLINE)
DEFAULT_COUNT: Final = "hi-lo"


class CounterAgent:
    """Plays a counting strategy."""

    def __init__(self, counter: CountingStrategy, rules: Rules, *, name: str = "", seed: int = 0) -> None:
        if rules.is_infinite:
            raise SettingError("an infinite shoe cannot be counted; use 1 to 8 decks")
        self.name, self.last_reason = name or f"counter:{counter.system.name}", ""
        self.counter = counter
        plays, charts = plays_by_count(counter)
        self._plays, self._bets = plays, counter.bets_by_row()
        self._counting = counting_of(counter, rules.packs, charts)
        self._record = rules_record(rules)
        self._charts = [ChartAgent(counter.chart_at(step), rules, seed=seed) for step in counter.steps()]
        self._tags = np.repeat(self._counting.tags, 4)  # by card code

    def count(self, seen: NDArray[np.int64], cards_left: int) -> tuple[Fraction, int]:
        """The running count of the cards seen, (52,) by code, and the count that is played and bet by."""
        running = self._counting.start + int(self._tags @ seen)
        row = row_of_count(running, max(cards_left, 1), self._counting)
        return Fraction(running, self._counting.scale), int(row) + LOWEST

    def bet(self, table: TableView) -> float:
        """Units by the count before the deal."""
        _, count = self.count(table.seen, table.cards_left)
        return float(self._bets[count - LOWEST])

    def bet_batch(self, tables: TableViews) -> NDArray[np.float64]:
        """Units at each table."""
        rows = np.zeros(len(tables.cards_left), np.int64)
        _rows(self._counting.start + tables.seen @ self._tags, tables.cards_left, self._counting, rows)
        return self._bets[rows]

    def act(self, view: View) -> Action:
        """What the strategy plays at this count; `last_reason` names the count and the cell."""
        running, count = self.count(view.seen, view.cards_left)
        words = f"running {_signed(running)}, count {count:+d}"
        if view.legal_bits >> Action.DECLINE & 1:
            insures = self.counter.insurance is not None and count >= self.counter.insurance
            able = bool(view.legal_bits >> Action.INSURE & 1)
            self.last_reason = f"{words}: {'insures' if insures else 'does not insure'}"
            return Action.INSURE if insures and able else Action.DECLINE
        chart = self._charts[int(self._counting.charts[count - LOWEST]) - 1]
        action = chart.act(view)
        self.last_reason = f"{words}; {chart.last_reason}"
        return action

    def act_batch(self, states: NDArray[np.void], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the strategy plays in each state."""
        actions = np.zeros(states.size, np.int64)
        counter_actions(states, self._plays, self._counting, self._record, actions)
        return actions


def _signed(number: Fraction) -> str:
    return f"{float(number):+g}"


@step_kernel
def _rows(running: NDArray[np.int64], left: NDArray[np.int64], counting: Counting, rows: NDArray[np.int64]) -> None:
    for at in range(running.size):
        rows[at] = row_of_count(running[at], max(left[at], 1), counting)


@step_kernel
def counter_actions(
    states: Rounds, plays: Plays, counting: Counting, record: RulesArray, actions: NDArray[np.int64]
) -> None:
    """Write what a counting strategy does in each state into `actions`, int64 (n,)."""
    rules = rules_of(record[0])
    for at in range(states.size):
        round, active = states[at], int(states[at]["active"])
        insuring = round["phase"] == INSURING
        action = BY_COUNT if insuring else strategy_action(plays[0], round, active, rules)
        if action == BY_COUNT:
            running, left = _counted(round, counting)
            row = row_of_count(running, left, counting)
            if insuring:
                pays = row >= counting.insurance and 2 * round["purse"] >= rules.unit
                action = _INSURE if pays else _DECLINE
            else:
                action = strategy_action(plays[counting.charts[row]], round, active, rules)
        actions[at] = action


@rule
def _counted(round: Round, counting: Counting) -> tuple[int, int]:
    """The running count of a round in play and the cards that have not been seen, the hole card among them."""
    shoe = round["shoe"]
    running, left = counting.start, int(shoe["size"]) + 1
    for place in range(np.int64(shoe["size"])):
        if shoe["stamps"][place] >= shoe["since"]:
            running += counting.tags[shoe["cards"][place] >> 2]
            left -= 1
    return running - counting.tags[round["hands"][DEALER]["cards"][1] >> 2], left


def counter_of(text: str, rules: Rules) -> CountingStrategy:
    """The counting strategy that a name stands for: a file of one, or a known count with bets by its edge.

    Hi-Lo plays the Illustrious 18 and, where late surrender is on, the Fab 4; other counts play the same cells at
    their own indices, by effects of removal, and insure from their exact index. Bets go from 1 to 8 units, one more for
    every 0.28 % that the exact effects of removal give the player at that count.
    """
    path = Path(text)
    if path.is_file() or path.suffix:
        return load_counter(path, rules)
    system = find_system(text)
    fresh = replace(rules, shoe="fresh", insurance=False)
    known = system.name == "Hi-Lo"
    insurance = ILLUSTRIOUS_INSURANCE if known else insurance_index(system, rules.packs, rules.share_dealt)
    return CountingStrategy(
        system=system,
        chart=named_strategy("basic", fresh),
        departures=illustrious_18(rules)
        if known
        else of_the_illustrious(linear_indices(system, fresh, rules.share_dealt), rules),
        insurance=insurance if rules.insurance else None,
        bets=bets_by_edge(system, fresh, rules.share_dealt),
    )


def bets_by_edge(system: CountSystem, rules: Rules, dealt: float = 0.75) -> tuple[tuple[int, float], ...]:
    """Whole units 1 to 8 by count, by what the exact effects of removal say that the count is worth.

    With n of N cards left the EV moves by N/n times the sum of the effects of the cards that are gone, of which the
    count tells the part that follows the tags.
    """
    removal = _effects(rules)
    effects = np.array([removal.effect(value) for value in VALUES])
    tags = np.array([float(tag) for tag in system.tags])
    counts = np.arange(LOWEST, HIGHEST + 1.0)
    half = 0.5 if system.used_as == "true" else 0.0  # floored: half a count more on average
    above = above_mean(system, counts + half, rules.packs, dealt)
    edges = removal.base_ev + float(per_tag(effects, tags)) * 52 * rules.packs * above
    units = np.clip(np.round(edges / _EDGE_OF_A_UNIT), 1, HIGHEST_BET)
    last_one = int(np.flatnonzero(units == 1)[-1]) if (units == 1).any() else 0
    first_top = int(np.flatnonzero(units == units.max())[0])
    rows = range(min(last_one, first_top), max(last_one, first_top) + 1)
    return tuple((int(counts[row]), float(units[row])) for row in rows)


@lru_cache(maxsize=8)
def _effects(rules: Rules) -> Removal:
    """The effects of removal, kept for the last few tables: eleven solves for everybody who sits down otherwise."""
    return effects_of_removal(rules)
