"""Which decks are too small: those in which a hand can need a card that is not there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.hands import BUST, EMPTY, N_VALUES, Hands
from holecard.blackjack.exact.resplits import count_removed
from holecard.blackjack.exact.returns import has_ended
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.game.hand import dealer_must_hit
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.shoe import VALUES
from holecard.errors import CardError


def refuse_exhaustion(hands: Hands, supply: Supply, rules: TableRules) -> None:
    """Refuse a supply from which one hand and the dealer, both played out, could need more cards than there are.

    A split hand is played out with the other pair cards gone. Several split hands may still run a very small deck out
    between them; their value is then the one that exchangeable cards give each hand alone.
    """
    if supply.depletion == 0.0:
        if supply.size == 0.0:
            raise CardError("the deck is empty; an infinite shoe needs at least one rank")
        return
    if supply.size < 4:
        raise CardError(f"a round takes at least 4 cards; the deck has {supply.size:.0f}")
    pips = float(supply.counts @ np.arange(1, N_VALUES + 1))
    if pips - N_VALUES * count_removed(rules) > rules.limit + rules.target:
        return  # whatever pair is split: see `_refuse`
    _refuse(hands, supply.counts, rules, "")
    for pair in range(N_VALUES if rules.max_hands > 1 else 0):
        for gone in range(1, count_removed(rules) + 1):
            if supply.counts[pair] > gone:
                counts = supply.counts.copy()
                counts[pair] -= gone
                _refuse(hands, counts, rules, f" after splitting {VALUES[pair]}s")


def _refuse(hands: Hands, counts: NDArray[np.float64], rules: TableRules, when: str) -> None:
    pips = float(counts @ np.arange(1, N_VALUES + 1))
    if pips > rules.limit + rules.target:
        return  # the dealer's last hand before a draw has at most `target` pips, the player's at most `limit`
    waiting = _dealer_waits(hands, rules)
    for hand in np.flatnonzero(_player_reaches(hands, rules)):
        rest = counts - hands.cards[hand]
        if (rest < 0).any():
            continue
        dealer = hands.find(tuple(np.repeat(np.arange(N_VALUES), rest.astype(np.int64))))
        if dealer not in (BUST, EMPTY) and waiting[dealer]:
            raise CardError(f"the deck can run out{when}: {int(counts.sum())} cards are too few; add cards")


def _player_reaches(hands: Hands, rules: TableRules) -> NDArray[np.bool_]:
    """Hands of two or more cards that some play leads to, bool of shape (n,)."""
    reached = hands.size == 2
    for hand in range(len(reached)):
        if reached[hand] and not has_ended(int(hands.total[hand]), int(hands.size[hand]), rules):
            grown = hands.grown[hand]
            reached[grown[grown != BUST]] = True
    return reached


def _dealer_waits(hands: Hands, rules: TableRules) -> NDArray[np.bool_]:
    """Hands on which a dealer draws, bool of shape (n,)."""
    waits = hands.size == 1
    for hand in range(1, len(waits)):
        if waits[hand]:
            for grown in hands.grown[hand]:
                if grown != BUST and dealer_must_hit(int(hands.total[grown]), bool(hands.soft[grown]), rules):
                    waits[grown] = True
    return waits
