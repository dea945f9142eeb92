"""The cards a round is dealt from, as the exact kernels take them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import ACE, N_VALUES, TEN
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition

MARGIN: Final = 8
"""Cards that can be gone beyond one hand: an upcard, a pair, four more pair cards, one that is drawn."""


class Supply(NamedTuple):
    """What may be drawn: a full shoe, before any card of the round."""

    counts: NDArray[np.float64]
    """(10,): cards of each value A … 10."""
    tens: NDArray[np.float64]
    """(4,): cards of the ranks 10, J, Q and K."""
    size: float
    """Cards in all."""
    step: float
    """What dealing one card takes away: 1, or 0 for an infinite shoe, where every draw is like the first."""


def supply_of(rules: Rules, deck: Composition | None = None) -> Supply:
    """The cards of a full shoe of these rules, or of a given deck."""
    composition = Composition.of_rules(rules) if deck is None else deck
    return Supply(
        np.array(composition.values, np.float64),
        np.array(composition.ranks[8:12], np.float64),
        float(composition.size),
        0.0 if rules.is_infinite else 1.0,
    )


def without(supply: Supply, value: int) -> Supply:
    """The supply with one card of a value removed; a ten is removed as a fair share of the four ranks."""
    counts = supply.counts.copy()
    counts[value] -= 1
    tens = supply.tens * (counts[TEN] / supply.counts[TEN]) if value == TEN else supply.tens
    return supply._replace(counts=counts, tens=tens, size=supply.size - 1)


@rule
def natural_chance(upcard: int, aces: float, tens: float, unseen: float) -> float:
    """The probability that one unseen card makes a natural of the upcard."""
    if upcard == ACE:
        return tens / unseen
    if upcard == TEN:
        return aces / unseen
    return 0.0


@rule
def takes_one_bet(rules: TableRules) -> bool:
    """True if a dealer's natural takes one bet and nothing more, seen (peek) or settled so (original bets only)."""
    return rules.dealer_naturals and (rules.peek or rules.original_bets_only)


@rule
def live_chance(upcard: int, aces: float, tens: float, unseen: float, rules: TableRules) -> float:
    """P(play counts): that the dealer has no natural, where a natural undoes everything but one bet."""
    return 1.0 - natural_chance(upcard, aces, tens, unseen) if takes_one_bet(rules) else 1.0


class Draws(NamedTuple):
    """Ways to draw, looked up: products of one card after another, which are falling factorials of a finite shoe."""

    ways: NDArray[np.float64]
    """(10, limit + `MARGIN`, limit + 1): ways to draw k cards of a value when g of them are gone."""
    inverse: NDArray[np.float64]
    """(limit + `MARGIN`, limit + 1): one over the ways to draw k cards when g are gone; 0 where too few are left."""


def draws_of(supply: Supply, limit: int) -> Draws:
    """The ways to draw from a supply, as far as a game with this limit can ask."""
    draws = Draws(np.ones((N_VALUES, limit + MARGIN, limit + 1)), np.ones((limit + MARGIN, limit + 1)))
    _fill_draws(supply, draws)
    return draws


@kernel
def _fill_draws(supply: Supply, draws: Draws) -> None:
    """Fill `Draws`."""
    for gone in range(draws.inverse.shape[0]):
        for drawn in range(draws.inverse.shape[1] - 1):
            taken = supply.step * (gone + drawn)
            left = supply.size - taken
            draws.inverse[gone, drawn + 1] = draws.inverse[gone, drawn] / left if left > 0.5 else 0.0
            for value in range(N_VALUES):
                some = max(supply.counts[value] - taken, 0.0)
                draws.ways[value, gone, drawn + 1] = draws.ways[value, gone, drawn] * some
