"""What a decision is worth: one convention, for the solver, for leaks, for judged agents and for who watches.

The EV of an action is the expected net result of the round per initial bet, if play goes on as well as possible, given
what the player has seen: his cards, the upcard and, where the dealer has looked, that there is no natural. Before the
peek (early surrender, insurance) and where there is none (original bets only among them) the dealer may still have a
natural, and every EV counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.hands import ACE
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.returns import NOT_ALLOWED
from holecard.blackjack.game.actions import Action

Name = TypeVar("Name")
Chance = TypeVar("Chance", float, NDArray[np.float64])


def unsplit_returns(odds: Odds, first_returns: NDArray[np.float64], hand: int, upcard: int) -> dict[Action, float]:
    """What each action returns that an unsplit hand may take; `first_returns` (o, 10, 5), splits included."""
    returns, standing = odds.returns, odds.standing
    if odds.hands.size[hand] == 2:
        by_action = {action: float(first_returns[hand, upcard, action]) for action in Action if action.letter}
        return {action: value for action, value in by_action.items() if value != NOT_ALLOWED}
    by_action = {Action.STAND: float(returns.stand[hand, upcard])}
    if not standing.ended[hand]:
        by_action[Action.HIT] = float(returns.hit[hand, upcard])
    if standing.doubles[hand] and odds.table_rules.double_any_cards:
        by_action[Action.DOUBLE] = float(returns.double[hand, upcard])
    return by_action


def evs_of_returns(returns: Mapping[Name, float], in_play: float) -> dict[Name, float]:
    """The EVs of actions with these returns; `in_play` as `Odds.in_play`. None where the round cannot be in play."""
    return {name: value / in_play - 1.0 for name, value in returns.items()} if in_play > 0.0 else {}


def insurance_net(natural: Chance) -> Chance:
    """The expected net of half a bet at 2:1 on a dealer's natural of this probability, one or an array of them."""
    return 0.5 * (3.0 * natural - 1.0)


def insurance_evs(odds: Odds, hand: int, upcard: int, best_return: float) -> dict[Action, float]:
    """The round's EV with insurance and without, before the peek; `best_return` of what is done then."""
    declined = best_return - 1.0
    return {
        Action.INSURE: declined + insurance_net(float(odds.returns.natural[hand, upcard])),
        Action.DECLINE: declined,
    }


def overall_ev(odds: Odds, first_returns: NDArray[np.float64]) -> float:
    """The EV of playing every first hand as well as `first_returns` says; insured where that is worth it."""
    return float(overall_evs(odds, first_returns))


def overall_evs(odds: Odds, first_returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """(…,): `overall_ev` of each deck of `odds`."""
    probability = odds.first_hands.probability
    of_action = np.moveaxis(first_returns, -1, 0)
    best = np.where(probability > 0, reduce(np.maximum, of_action), 0.0)  # sooner than a maximum of so short an axis
    evs: NDArray[np.float64] = (probability * best).sum(axis=(-2, -1)) - 1.0 + _insurance_gains(odds)
    return evs


def insurance_gain(odds: Odds) -> float:
    """What insuring the first hands for which it pays adds to the EV; half a bet is staked."""
    return float(_insurance_gains(odds))


def _insurance_gains(odds: Odds) -> NDArray[np.float64]:
    """(…,): `insurance_gain` of each deck of `odds`."""
    probability = odds.first_hands.probability[..., ACE]
    if not odds.table_rules.insurance:
        return np.zeros(probability.shape[:-1])
    paid: NDArray[np.float64] = np.maximum(insurance_net(odds.returns.natural[..., odds.first_hands.hand, ACE]), 0.0)
    gains: NDArray[np.float64] = (probability * paid).sum(axis=-1)
    return gains
