"""What every legal action is worth, exactly, in the spot a player is in: for the shoe as it has been seen so far.

The cards seen since the shuffle are out, the hand to act and the upcard are put back as the cards of the solved round.
After a split the EVs are those of the hand to act, the cards of all other hands gone; draws are exchangeable, so what
it does leaves the other hands' worth as it is (they are taken to go by their own cards). Splits are valued as the
solver's zero-memory play does, and as if every further double and split could be paid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.errors import CardError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from holecard.blackjack.exact.odds import Odds

CACHED_SHOES: Final = 64
"""Shoes kept, 3 MB each: every decision of a round asks for the same one."""
_PLAIN: Final = (Action.STAND, Action.DECLINE)
"""What wins ties: to take no further risk."""
_TIE: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Valuation:
    """EVs of the legal actions per initial bet, and what they are for."""

    evs: dict[Action, float]
    """By action, all legal ones; for insurance, of the round."""
    fresh: bool = False
    """True if so few cards are left that the round may run out of them: then these are the EVs of a full shoe."""

    @property
    def best(self) -> Action:
        """The action of highest EV; of equals the one without a further risk."""
        top = max(self.evs.values())
        equals = [action for action, ev in self.evs.items() if ev >= top - _TIE]
        return next((action for action in equals if action in _PLAIN), equals[0])

    def cost(self, action: Action) -> float:
        """What an action gives away: best EV − its EV."""
        return max(self.evs.values()) - self.evs[action]


def value_actions(view: View) -> Valuation:
    """The exact EV of every legal action in this spot, given everything the player has seen.

    Where the dealer has peeked, given that he has no natural; before a peek, and where there is none, of the whole.
    """
    rules, deck = view.table.rules, seen_shoe(view)
    try:
        odds, fresh = _odds(rules, deck), False
    except CardError:
        odds, fresh = _odds(rules, Composition.of_rules(rules)), True
        deck = Composition.of_rules(rules)
    hand = odds.hands.find(tuple(sorted(value_of(card) - 1 for card in view.cards)))
    returns = _returns(view, rules, deck, odds, hand)
    if view.legal_bits >> Action.DECLINE & 1:
        return Valuation(_insurance(view, odds, hand, returns), fresh)
    live = float(odds.returns.live[hand, view.upcard - 1])
    if rules.peek and not _before_peek(view, rules):
        evs = {action: (returns[action] - live) / live for action in view.legal}
    else:
        natural = 1.0 - live if view.hand == 1 else 0.0  # original bets only: it takes the first hand's and no other
        evs = {action: returns[action] - live - natural for action in view.legal}
    return Valuation(evs, fresh)


def seen_shoe(view: View) -> Composition:
    """The shoe the hand to act and the upcard might as well have come from first: unseen cards and these."""
    full = Composition.of_rules(view.table.rules)
    if view.table.rules.is_infinite:
        return full
    ranks = np.array(full.ranks) - np.asarray(view.seen).reshape(13, 4).sum(axis=1)
    for card in (view.upcard_card, *view.cards):
        ranks[card >> 2] += 1
    return Composition(tuple(ranks.tolist()))


def _before_peek(view: View, rules: Rules) -> bool:
    return rules.surrender == "early" and view.decisions == 0


def _returns(view: View, rules: Rules, deck: Composition, odds: Odds, hand: int) -> dict[Action, float]:
    """What comes back of the bet by action, as `exact.returns` counts it."""
    up = view.upcard - 1
    if view.n_cards > 2:
        return {
            Action.STAND: float(odds.returns.stand[hand, up]),
            Action.HIT: float(odds.returns.hit[hand, up]),
        }
    first = odds.first_returns[hand, up]
    splits = view.is_pair and rules.max_hands > 1 and view.legal_bits & (1 << Action.SPLIT | 1 << Action.DECLINE)
    if splits:
        first = _split_first(_room_left(rules, view.n_hands), deck)[hand, up]
    returns = {action: float(first[action]) for action in Action if action <= Action.SURRENDER}
    if not view.is_pair:
        returns[Action.SPLIT] = -np.inf
    return returns


def _insurance(view: View, odds: Odds, hand: int, returns: dict[Action, float]) -> dict[Action, float]:
    """The round's EV before the peek, and with half a bet at 2:1 that the hole card is a ten."""
    declined = max(returns.values()) - 1.0
    side_bet = 0.5 * (3.0 * float(odds.returns.natural[hand, view.upcard - 1]) - 1.0)
    evs = {Action.INSURE: declined + side_bet, Action.DECLINE: declined}
    return {action: evs[action] for action in view.legal}


def _room_left(rules: Rules, n_hands: int) -> Rules:
    """The rules of a pair when `n_hands` hands are held already: so many fewer splits are left."""
    hands = rules.max_hands - n_hands + 1
    return replace(rules, max_hands=hands, rsa=rules.rsa and hands > 2)


@lru_cache(maxsize=CACHED_SHOES)
def _odds(rules: Rules, deck: Composition) -> Odds:
    from holecard.blackjack.exact.odds import Odds

    return Odds.of(rules, deck)


@lru_cache(maxsize=CACHED_SHOES)
def _split_first(rules: Rules, deck: Composition) -> NDArray[Any]:
    from holecard.blackjack.exact import solve

    return solve(rules, deck=deck).first_returns
