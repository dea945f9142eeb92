"""The cards a round is dealt from, as the exact kernels take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.hands import ACE, N_VALUES, TEN
from holecard.blackjack.game.hand import natural_takes_one_bet
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition

MARGIN: Final = 8
"""Cards that can be gone beyond one hand: an upcard, a pair, four more pair cards, one that is drawn."""


class Supply(NamedTuple):
    """What may be drawn: a full shoe, before any card of the round. Of many decks all have one more axis in front."""

    counts: NDArray[np.float64]
    """(10,): cards of each value A … 10."""
    tens: NDArray[np.float64]
    """(4,): cards of the ranks 10, J, Q and K."""
    size: float
    """Cards in all."""
    depletion: float
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


def supply_of_many(decks: Sequence[Composition]) -> Supply:
    """The cards of many finite decks."""
    ranks = np.array([deck.ranks for deck in decks], np.float64)
    counts = np.array([deck.values for deck in decks], np.float64)
    return Supply(counts, ranks[:, 8:12].copy(), cast(Any, ranks.sum(axis=1)), 1.0)


@rule
def natural_probability(upcard: int, aces: float, tens: float, unseen: float) -> float:
    """P(one unseen card makes a natural of the upcard), with so many aces, tens and cards unseen."""
    if upcard == ACE:
        return tens / unseen
    if upcard == TEN:
        return aces / unseen
    return 0.0


class Split(NamedTuple):
    """The cards that a split has taken from the supply: the upcard, the pair, and further pair cards."""

    upcard: int
    pair: int
    """The value of the pair card; two of them are gone."""
    removed: int
    """Pair cards that are gone beyond those two."""


@rule
def left_after_split(supply: Supply, split: Split, value: int) -> float:
    """Cards of a value that a split leaves in the supply; below 0 where it cannot happen."""
    gone = (value == split.upcard) + (2 + split.removed) * (value == split.pair)
    return supply.counts[value] - supply.depletion * gone


@rule
def unseen_after_split(supply: Supply, split: Split) -> float:
    """Cards that a split leaves in the supply."""
    return supply.size - supply.depletion * (3 + split.removed)


class Drawn(NamedTuple):
    """What a split hand has drawn to its pair card, as far as it tells of a dealer's natural."""

    aces: int
    tens: int
    cards: int
    """Cards in all."""


NOTHING_DRAWN: Final = Drawn(0, 0, 0)


@rule
def split_live(supply: Supply, split: Split, drawn: Drawn, rules: TableRules) -> float:
    """P(play counts) after a split and what one hand has drawn; 1 where a dealer's natural takes all bets."""
    aces = left_after_split(supply, split, ACE) - supply.depletion * drawn.aces
    tens = left_after_split(supply, split, TEN) - supply.depletion * drawn.tens
    unseen = unseen_after_split(supply, split) - supply.depletion * drawn.cards
    if unseen <= 0.5 or not natural_takes_one_bet(rules):
        return 1.0
    return 1.0 - natural_probability(split.upcard, max(aces, 0.0), max(tens, 0.0), unseen)


class FallingFactorials(NamedTuple):
    """Products of the cards left at one draw after another: n (n − 1) … of a finite shoe, powers of an infinite one.

    P(k given draws are all of a value) = `of_value` × `inverse`, whatever the order in which cards are dealt.
    """

    supply: Supply
    """What is drawn from."""
    of_value: NDArray[np.float64]
    """(10, limit + `MARGIN`, limit + 1): by value, cards of it gone, cards k to draw: sequences of k such cards."""
    inverse: NDArray[np.float64]
    """(limit + `MARGIN`, limit + 1): by cards gone and k, one over all sequences of k cards; 0 if too few are left."""


def falling_factorials(supply: Supply, limit: int) -> FallingFactorials:
    """The falling factorials of a supply, as far as a game with this limit can ask."""
    gone, drawn = limit + MARGIN, limit + 1
    factorials = FallingFactorials(supply, np.ones((N_VALUES, gone, drawn)), np.ones((gone, drawn)))
    _fill_factorials(factorials)
    return factorials


def factorials_of_many(supply: Supply, limit: int) -> FallingFactorials:
    """`falling_factorials` of many decks."""
    many, gone, drawn = len(supply.counts), limit + MARGIN, limit + 1
    factorials = FallingFactorials(supply, np.ones((many, N_VALUES, gone, drawn)), np.ones((many, gone, drawn)))
    _fill_many(factorials)
    return factorials


@lean_kernel
def _fill_many(factorials: FallingFactorials) -> None:
    many = factorials.supply
    for deck in range(len(many.counts)):
        supply = Supply(many.counts[deck], many.tens[deck], many.size[deck], many.depletion)  # type: ignore[index]
        _fill(FallingFactorials(supply, factorials.of_value[deck], factorials.inverse[deck]))


@lean_kernel
def _fill_factorials(factorials: FallingFactorials) -> None:
    _fill(factorials)


@rule
def _fill(factorials: FallingFactorials) -> None:
    for gone in range(factorials.inverse.shape[0]):
        fill_gone(factorials, gone)


@rule
def fill_gone(factorials: FallingFactorials, gone: int) -> None:
    """Fill `FallingFactorials` with so many cards gone, one more draw at a time; they hold ones."""
    supply, of_value, inverse = factorials.supply, factorials.of_value, factorials.inverse
    for drawn in range(inverse.shape[1] - 1):
        taken = supply.depletion * (gone + drawn)
        left = supply.size - taken
        inverse[gone, drawn + 1] = inverse[gone, drawn] / left if left > 0.5 else 0.0
        for value in range(N_VALUES):
            some = max(supply.counts[value] - taken, 0.0)
            of_value[value, gone, drawn + 1] = of_value[value, gone, drawn] * some
