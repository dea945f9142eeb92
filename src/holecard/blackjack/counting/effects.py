"""What a card's absence does to a game: to its EV, and to every decision of the best player.

A decision is a hand against an upcard. Its *lead* is how much more its best action returns than another. Both EV and
leads are close to linear in the cards left, so the effect of one card's removal says how far they move as a shoe goes
down (Griffin): with n of N cards left a linear quantity has the deviation √((N − 1)(N − n)/n · mean effect²).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.system import PACK, CountSystem
from holecard.blackjack.exact.hands import ACE
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.removal import effects_of_removal
from holecard.blackjack.exact.returns import NOT_ALLOWED
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.errors import RulesError

WEIGHTS = np.array(PACK) / 52
"""How often each value comes, A … 10."""
_DEPTHS = 60
"""Depths at which a running count is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Effects:
    """How a game moves with its cards."""

    cards: int
    """Cards in the full shoe."""
    ev: float
    """The EV of a full shoe."""
    betting: NDArray[np.float64]
    """(10,): what the removal of one card of a value adds to the EV, play unchanged; the weighted mean is 0."""
    frequency: NDArray[np.float64]
    """(k,): how often each decision comes up in a round."""
    lead: NDArray[np.float64]
    """(k,): how much the best action leads another, with a full shoe."""
    playing: NDArray[np.float64]
    """(k, 10): what the removal of one card adds to a lead; the weighted means are 0."""

    def deviation(self, effects: NDArray[np.float64], left: float) -> NDArray[np.float64]:
        """How far a quantity with these effects, (…, 10), strays with so many cards left."""
        mean_square = (effects**2 * WEIGHTS).sum(axis=-1)
        spread: NDArray[np.float64] = np.sqrt((self.cards - 1) * (self.cards - left) / left * mean_square)
        return spread


def per_tag(effects: NDArray[np.float64], tags: NDArray[np.float64]) -> NDArray[np.float64]:
    """What a seen card moves a quantity by for each 1 of its tag above the mean, by its effects of removal (…, 10)."""
    above = tags - tags @ WEIGHTS
    moved: NDArray[np.float64] = (effects * above * WEIGHTS).sum(axis=-1) / (above**2 @ WEIGHTS)
    return moved


def above_mean(
    system: CountSystem, counts: NDArray[np.float64], decks: int, dealt: float = 0.75
) -> NDArray[np.float64]:
    """(c,): what counts say of the cards that are gone: their tags above the mean, per card left.

    A true count says it as it is. A running count may come at any depth down to the cut; depths count by how likely
    they have it, which is nearly normal.
    """
    if system.used_as == "true":
        return counts / 52
    tags, cards = np.array([float(tag) for tag in system.tags]), 52 * decks
    mean = tags @ WEIGHTS
    gone = np.linspace(1.0, cards * dealt, _DEPTHS)
    left = cards - gone
    above = counts[:, None] - float(system.starts_at(decks)) - gone * mean
    spread = ((tags - mean) ** 2 @ WEIGHTS) * gone * left / (cards - 1)
    likely = -0.5 * above**2 / spread
    weight = np.exp(likely - likely.max(axis=1, keepdims=True)) / np.sqrt(spread)
    found: NDArray[np.float64] = (weight * above / left).sum(axis=1) / weight.sum(axis=1)
    return found


def effects_of(rules: Rules) -> Effects:
    """The effects of every card on a game dealt from full packs."""
    if rules.is_infinite:
        raise RulesError("an infinite shoe cannot be counted; use 1 to 8 decks")
    removal = effects_of_removal(rules)
    betting = np.array([removal.effect(value) for value in VALUES])
    whole, solution = Composition.of_rules(rules), solve(rules)
    frequency, best, other = _decisions(solution)
    lead = _leads(solution, best, other)
    playing = np.empty((len(lead), len(VALUES)))
    for value in range(len(VALUES)):
        less = list(whole.values)
        less[value] -= 1
        playing[:, value] = _leads(solve(rules, deck=Composition.of_values(tuple(less))), best, other) - lead
    playing -= (playing * WEIGHTS).sum(axis=1, keepdims=True)
    chosen = _closest(whole.size, best, lead, playing)
    return Effects(
        cards=whole.size,
        ev=removal.base_ev,
        betting=betting - (betting * WEIGHTS).sum(),
        frequency=frequency[chosen],
        lead=lead[chosen],
        playing=playing[chosen],
    )


def _closest(
    cards: int, best: NDArray[np.int64], lead: NDArray[np.float64], playing: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Of the other actions of each decision, the one most likely to overtake the best: the least lead in deviations."""
    spread = np.sqrt((playing**2 * WEIGHTS).sum(axis=1) * cards)
    order = np.lexsort((np.divide(lead, spread, out=np.full_like(lead, np.inf), where=spread > 0), best))
    _, first = np.unique(best[order], return_index=True)
    chosen: NDArray[np.int64] = order[first]
    return chosen


def _decisions(solution: Solution) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """How often each decision comes up, and where its best action and another are in `_returns`: (k,) each."""
    odds = solution.odds
    probability = odds.first_hands.probability
    sequences = value_of_play(odds, solution.play).sequences
    later = sequences * odds.sequence_probability
    returns = _returns(odds, solution.first_returns)
    firsts, actions = solution.first_returns[..., 0].size, solution.first_returns.shape[2]
    frequency, best, other = [], [], []
    for start, chances, width in ((0, probability, actions), (firsts * actions, later, 2)):
        for at, chance in enumerate(chances.ravel()):
            here = returns[start + at * width : start + (at + 1) * width]
            allowed = np.flatnonzero(here != NOT_ALLOWED)
            if chance > 0 and len(allowed) > 1:
                first = int(allowed[here[allowed].argmax()])
                for second in allowed[allowed != first]:
                    frequency.append(chance)
                    best.append(start + at * width + first)
                    other.append(start + at * width + int(second))
    if odds.table_rules.insurance:  # to decline comes after all actions, then to insure half a bet
        frequency.append(odds.first_hands.probability[:, ACE].sum())
        best.append(len(returns))
        other.append(len(returns) + 1)
    return np.array(frequency), np.array(best, np.int64), np.array(other, np.int64)


def _leads(solution: Solution, best: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
    odds = solution.odds
    returns = np.append(_returns(odds, solution.first_returns), (0.0, 0.5 * solution.insurance_ev))
    leads: NDArray[np.float64] = returns[best] - returns[other]
    return leads


def _returns(odds: Odds, first_returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """What every action of every decision returns, in one row: first hands by action, then later ones hit and stood."""
    hit = np.where(np.arange(len(odds.hands.size))[:, None] >= odds.hands.openings, odds.returns.hit, NOT_ALLOWED)
    later = np.stack([hit, odds.returns.stand], axis=2)
    return np.concatenate([first_returns.ravel(), later.ravel()])
