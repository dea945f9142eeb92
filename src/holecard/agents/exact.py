"""The ceiling: the exact optimum for the shoe as the agent has seen it, solved again as cards go out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from holecard.blackjack.game import View
from holecard.blackjack.hand import value_of
from holecard.blackjack.rules import Rules
from holecard.blackjack.shoe import VALUES, Composition
from holecard.blackjack.strategy import Action
from holecard.errors import CardError

if TYPE_CHECKING:
    from holecard.blackjack.exact import Solution

CACHED_SHOES: Final = 256
"""Solutions kept: a session meets a new shoe with every round, sessions that share cards meet it again."""


class ExactAgent:
    """Plays each hand by the solution of the shoe its round began with: what had been seen before the deal is out.

    Split hands are valued as the solver does (zero memory); a hand after a split is played by the EVs of its cards.
    """

    name = "exact"

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.last_reason = ""

    def act(self, view: View) -> Action:
        """The legal action of highest EV; `last_reason` lists the EVs."""
        if view.legal_bits >> Action.DECLINE & 1:
            return self._insure(view)
        solution = _solution(self.rules, shoe_before(view))
        hand = ",".join(_value_name(card) for card in view.cards)
        evs = {Action[name.upper()]: ev for name, ev in solution.evs_of(hand, VALUES[view.upcard - 1]).items()}
        legal = {action: ev for action, ev in evs.items() if action in view.legal}
        self.last_reason = ", ".join(f"{action.name.lower()} {ev:+.4f}" for action, ev in legal.items())
        return max(legal, key=lambda action: legal[action]) if legal else Action.STAND

    def _insure(self, view: View) -> Action:
        """Insure where more than a third of the unseen cards are tens."""
        unseen = Composition.of_rules(self.rules).size - int(view.seen.sum())
        left = np.array(Composition.of_rules(self.rules).values)[9] - by_value(view.seen)[9]
        self.last_reason = f"{left} tens in {unseen} unseen cards"
        return Action.INSURE if Action.INSURE in view.legal and 3 * left > unseen else Action.DECLINE


def by_value(cards: np.ndarray[tuple[int], np.dtype[np.int64]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Counts of 52 codes as counts of the ten values, A to 10."""
    counts = np.zeros(10, np.int64)
    for code, count in enumerate(cards.tolist()):
        counts[value_of(code) - 1] += count
    return counts


def shoe_before(view: View) -> tuple[int, ...]:
    """The shoe a round began with, by value, as the player knows it: the cards seen less those on the table are out."""
    full = np.array(Composition.of_rules(view.table.rules).values)
    if view.table.rules.is_infinite:
        return tuple(full.tolist())
    table = [view.upcard_card, *(card for hand in view.hands for card in hand)]
    on_table = np.bincount([value_of(card) - 1 for card in table], minlength=10)
    return tuple((full - by_value(view.seen) + on_table).tolist())


@lru_cache(maxsize=CACHED_SHOES)
def _solution(rules: Rules, counts: tuple[int, ...]) -> Solution:
    from holecard.blackjack.exact import solve

    try:
        return solve(rules, deck=Composition.of_values(counts))
    except CardError:  # so few cards are left that the round may run out of them: the discards will be shuffled in
        return solve(rules)


def _value_name(card: int) -> str:
    return VALUES[value_of(card) - 1]
