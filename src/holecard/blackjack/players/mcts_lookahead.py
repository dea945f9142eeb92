"""What a search can work out before it begins, from the rules and the cards it has not seen: where the dealer ends.

With that a hand that stands is worth a number instead of a drawn dealer, and a rollout can look ahead: it takes a card
where that is worth more than standing. Cards drawn in between are put back here, so that all of it is a few hundred
additions; simulations themselves draw without putting back.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.hand import STOOD, dealer_must_hit, is_ace_ten, showdown, value_of
from holecard.blackjack.game.round import DEALER, Round, hand_result, insurance_result
from holecard.blackjack.game.rules import MAX_LIMIT, TableRules

VALUES: Final = 10
TOTALS: Final = MAX_LIMIT + 1 + VALUES
"""Room for every total, a bust of ten too many included."""
_DOUBLE, _SPLIT = int(Action.DOUBLE), int(Action.SPLIT)
_HIT, _STAND = int(Action.HIT), int(Action.STAND)


class Lookahead(NamedTuple):
    """What is worked out before a search; `hard` is a total with every ace as 1, the last index 1 with an ace held."""

    chances: NDArray[np.float64]
    """(10,): P(the next card has this value), 0 for an ace."""
    ends: NDArray[np.float64]
    """(`TOTALS`,): P(the dealer ends on this total), given that he has no natural."""
    reached: NDArray[np.float64]
    """(`TOTALS`, 2): P(the dealer comes by these cards)."""
    stand: NDArray[np.float64]
    """(`TOTALS`,): what a base bet on a hand that stands on this total brings; −1 for a bust."""
    once: NDArray[np.float64]
    """(`TOTALS`, 2): what one card and then standing brings."""
    best: NDArray[np.float64]
    """(`TOTALS`, 2): what hitting as long as that is better brings."""
    hits: NDArray[np.bool_]
    """(`TOTALS`, 2): whether one card more is better than standing."""


def new_lookahead() -> Lookahead:
    """Room for it."""
    by_ace = np.zeros((3, TOTALS, 2))
    return Lookahead(
        chances=np.zeros(VALUES),
        ends=np.zeros(TOTALS),
        reached=by_ace[0],
        stand=np.zeros(TOTALS),
        once=by_ace[1],
        best=by_ace[2],
        hits=np.zeros((TOTALS, 2), np.bool_),
    )


@rule
def look_ahead(ahead: Lookahead, concealed: Round, possible: int, rules: TableRules) -> None:
    """Work it out for a concealed round, of whose unseen cards the first `possible` may be the hole card."""
    shoe, dealer = concealed["shoe"], concealed["hands"][DEALER]
    upcard = value_of(dealer["cards"][0])
    for hard in range(TOTALS):
        ahead.ends[hard] = 0.0
        for ace in range(2):
            ahead.reached[hard, ace] = 0.0
            ahead.best[hard, ace] = -1.0
    for value in range(VALUES):
        ahead.chances[value] = 0.0
    unseen = 0
    for place in range(np.int64(shoe["size"])):
        if rules.infinite or shoe["stamps"][place] < shoe["since"]:
            value = value_of(shoe["cards"][place])
            ahead.chances[value - 1] += 1.0
            unseen += 1
            makes_natural = rules.dealer_naturals and upcard + value == 11 and min(upcard, value) == 1
            if place < possible and not makes_natural:
                ahead.reached[upcard + value, int(upcard == 1 or value == 1)] += 1.0
    for value in range(VALUES):
        ahead.chances[value] /= max(unseen, 1)
    _follow_dealer(ahead, rules)
    _weigh_hands(ahead, rules)


@rule
def _total(hard: int, ace: int, rules: TableRules) -> int:
    return hard + rules.ace_bonus if ace == 1 and hard + rules.ace_bonus <= rules.limit else hard


@rule
def _follow_dealer(ahead: Lookahead, rules: TableRules) -> None:
    """Where the dealer ends, by the cards he comes by: every card makes a hand harder, so one pass does."""
    whole = 0.0
    for hard in range(TOTALS):
        for ace in range(2):
            chance = ahead.reached[hard, ace]
            if chance == 0.0:
                continue
            total = _total(hard, ace, rules)
            if hard + VALUES < TOTALS and dealer_must_hit(total, total != hard, rules):
                for value in range(1, VALUES + 1):
                    ahead.reached[hard + value, max(ace, int(value == 1))] += chance * ahead.chances[value - 1]
            else:
                ahead.ends[total] += chance
                whole += chance
    for total in range(TOTALS):
        ahead.ends[total] /= max(whole, 1e-300)


@rule
def _weigh_hands(ahead: Lookahead, rules: TableRules) -> None:
    """What standing brings on every total; then, from the hardest hands down, one card, and cards at will."""
    for total in range(TOTALS):
        ahead.stand[total] = -1.0
        if total <= rules.limit:
            ahead.stand[total] = 0.0
            for end in range(TOTALS):
                if ahead.ends[end] > 0.0:
                    ahead.stand[total] += ahead.ends[end] * showdown(total, end, rules)
    for hard in range(rules.limit, 0, -1):
        for ace in range(2):
            once = best = 0.0
            for value in range(1, VALUES + 1):
                after, has_ace = hard + value, max(ace, int(value == 1))
                stands = ahead.stand[_total(after, has_ace, rules)]
                once += ahead.chances[value - 1] * stands
                best += ahead.chances[value - 1] * (ahead.best[after, has_ace] if after <= rules.limit else -1.0)
            total = _total(hard, ace, rules)
            stands = ahead.stand[total]
            hits = best >= stands and (total < rules.limit or rules.plays_at_limit)
            ahead.once[hard, ace] = once
            ahead.hits[hard, ace] = hits
            ahead.best[hard, ace] = best if hits else stands


@rule
def rollout_action(ahead: Lookahead, round: Round, active: int, legal: int) -> int:
    """The action that looking ahead on this hand alone finds best; a pair is split where two hands are worth more."""
    hand = round["hands"][np.uint64(active)]
    hard, ace = int(hand["hard"]), int(hand["has_ace"])
    action, worth = _STAND, ahead.stand[hand["total"]]
    if legal >> _HIT & 1 and ahead.hits[hard, ace]:
        action, worth = _HIT, ahead.best[hard, ace]
    if legal >> _DOUBLE & 1 and 2.0 * ahead.once[hard, ace] > worth:
        action, worth = _DOUBLE, 2.0 * ahead.once[hard, ace]
    if legal >> _SPLIT & 1:
        card = int(value_of(hand["cards"][0]))
        if 2.0 * _one_card(ahead, card) > worth:
            action = _SPLIT
    return action


@rule
def _one_card(ahead: Lookahead, card: int) -> float:
    """What a split card is worth with one more and, but for an ace, cards at will."""
    return ahead.once[card, 1] if card == 1 else _mean_best(ahead, card)


@rule
def _mean_best(ahead: Lookahead, card: int) -> float:
    worth = 0.0
    for value in range(1, VALUES + 1):
        worth += ahead.chances[value - 1] * ahead.best[card + value, int(value == 1)]
    return worth


@rule
def expected_net(ahead: Lookahead, round: Round, rules: TableRules) -> float:
    """The net of a finished round in chips, with what the dealer would end on in place of what he drew.

    A world in which he has a natural stays as it was settled, and so does a natural of the player's.
    """
    dealer = round["hands"][DEALER]
    if rules.natural_ties or (rules.dealer_naturals and is_ace_ten(dealer)):
        return float(round["net"])
    net = float(insurance_result(round, rules))
    for index in range(1, round["n_hands"] + 1):
        hand = round["hands"][np.uint64(index)]
        if hand["status"] == STOOD:
            net += hand["bet"] * ahead.stand[hand["total"]]
        else:
            net += hand_result(round, index, rules)
    return net
