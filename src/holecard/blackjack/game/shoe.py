"""What a shoe of some rules needs: enough cards for a round, and where its cut card lies."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from holecard.blackjack.game.composition import (
    MAX_SHOE,
    TEN_RANKS,
    VALUE_LETTERS,
    VALUES,
    Composition,
)
from holecard.blackjack.game.rules import Rules
from holecard.errors import CardError

__all__ = [
    "MAX_SHOE",
    "TEN_RANKS",
    "VALUES",
    "VALUE_LETTERS",
    "Composition",
    "check_deck",
    "cut_card",
    "most_cards_in_a_round",
    "with_deck",
]


def with_deck(rules: Rules, deck: Composition | None) -> Rules:
    """The rules dealt from another deck; as they are without one."""
    return rules if deck is None else replace(rules, deck=deck)


def most_cards_in_a_round(composition: Composition, rules: Rules) -> int:
    """An upper bound on the cards one round can use: every hand takes the smallest cards there are.

    A hand holds at most `limit` pips before its last card, so all hands and the dealer together hold at most
    `hands * limit` pips plus one card each.
    """
    hands = rules.max_hands + 1
    pips, cards = hands * rules.limit, hands
    for value, count in enumerate(composition.values, start=1):
        taken = min(count, pips // value)
        pips -= taken * value
        cards += taken
    return cards


def check_deck(composition: Composition, rules: Rules) -> None:
    """Refuse a deck that one round can exhaust."""
    needed = most_cards_in_a_round(composition, rules)
    if not rules.is_infinite and composition.size < needed:
        raise CardError(f"one round can use up to {needed} cards and this deck has {composition.size}; add cards")


def cut_card(composition: Composition, rules: Rules) -> int:
    """Cards behind the cut card: with fewer than this many left, a dealt shoe is shuffled before the next round.

    At least one: a shoe dealt to its last card is shuffled too, or it would never end. A penetration is taken as it is
    written: with 65 % of two decks dealt, 36.4 cards are the rest, and 36 are fewer.
    """
    if rules.cut is not None:
        return composition.size - rules.cut + 1
    return max(1, math.ceil(composition.size * (1 - Fraction(str(rules.penetration)))))
