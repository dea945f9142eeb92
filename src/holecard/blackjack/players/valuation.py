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
from holecard.blackjack.game.hand import may_double_after_split, value_of
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
    """The exact EV of every legal action in this spot, given everything the player has seen; see `exact.worth`.

    Once the dealer has looked, given that he has no natural; before that, and where he does not look, counting it.
    """
    from holecard.blackjack.exact.worth import evs_of_returns, insurance_evs

    rules, deck = _rules_of_hand(view), seen_shoe(view)
    try:
        odds, fresh = _odds(rules, deck), False
    except CardError:
        deck = Composition.of_rules(rules)
        odds, fresh = _odds(rules, deck), True
    hand, up = odds.hands.find(tuple(sorted(value_of(card) - 1 for card in view.cards))), view.upcard - 1
    returns = _returns(view, rules, deck, odds, hand)
    if view.legal_bits >> Action.DECLINE & 1:
        evs = insurance_evs(odds, hand, up, max(returns.values()))
        return Valuation({action: evs[action] for action in view.legal}, fresh)
    in_play = float(odds.in_play[view.decisions == 0][hand, up])
    evs = evs_of_returns({action: returns[action] for action in view.legal}, in_play)
    if view.hand > 1:  # a natural that takes one bet takes the first hand's and nothing of this one
        spared = (in_play - float(odds.returns.live[hand, up])) / in_play
        evs = {action: ev + spared for action, ev in evs.items()}
    return Valuation(evs, fresh)


def _rules_of_hand(view: View) -> Rules:
    """The rules by which the hand to act is played on: without doubles where its split allows none."""
    rules = view.table.rules
    from_aces = value_of(view.cards[0]) == 1
    if rules.double_cards == "2" or view.n_hands == 1 or may_double_after_split(from_aces, rules.table()):
        return rules
    return replace(rules, double="none", double_cards="2")


def seen_shoe(view: View) -> Composition:
    """The shoe the hand to act and the upcard might as well have come from first: unseen cards and these."""
    full = Composition.of_rules(view.table.rules)
    if view.table.rules.is_infinite:
        return full
    ranks = np.array(full.ranks) - np.asarray(view.seen).reshape(13, 4).sum(axis=1)
    for card in (view.upcard_card, *view.cards):
        ranks[card >> 2] += 1
    return Composition(tuple(ranks.tolist()))


def _returns(view: View, rules: Rules, deck: Composition, odds: Odds, hand: int) -> dict[Action, float]:
    """What comes back of the bet by action, as `exact.returns` counts it."""
    from holecard.blackjack.exact.worth import unsplit_returns

    first_returns = odds.first_returns
    if view.is_pair and rules.max_hands > 1 and view.legal_bits & (1 << Action.SPLIT | 1 << Action.DECLINE):
        first_returns = _split_first(_room_left(rules, view.n_hands), deck)
    returns = unsplit_returns(odds, first_returns, hand, view.upcard - 1)
    if not view.is_pair:
        returns.pop(Action.SPLIT, None)
    return returns


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
