"""A round as the player may know it: the hole card back in the shoe, the unseen cards in an order that tells nothing.

Whoever thinks ahead starts from this record, so that nobody can look at what is hidden: it is not there.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule, step_kernel
from holecard.blackjack.game.dealing import Shoe, take
from holecard.blackjack.game.hand import Hand, open_hand, receive
from holecard.blackjack.game.round import DEALER, Round, Rounds, is_peek_past, peek_ends_round
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.stepping import RulesArray, rules_of

Counts: TypeAlias = NDArray[np.int64]
"""Cards counted by code in the last axis."""
CODES: Final = 52
PILES: Final = 4
_MAY_BE_HOLE_CARD, _UNSEEN, _DISCARDED, _ON_TABLE = range(PILES)
_IN, _OUT, _SERIAL = range(3)
"""Stamps of a concealed shoe: what is in it, what is out, and what lies on the table of its one round."""


@step_kernel
def conceal(state: Rounds, packs: Counts, piles: Counts, concealed: Rounds, record: RulesArray) -> int:
    """Write into `concealed` what the player may know of `state`; how many unseen cards may be the hole card.

    Those lie in the first places of the concealed shoe, by code. `state` and `concealed` are one-element ROUND arrays,
    `packs` int64 (52,) counts the cards of the full shoe, `piles` int64 (PILES, 52) is scratch space, `record` RULES.
    """
    rules = rules_of(record[0])
    concealed[0] = state[0]
    concealed[0]["net"] = 0
    _sort_cards(concealed[0], packs, piles, rules)
    _hide_hole_card(concealed[0]["hands"][DEALER], rules)
    _lay_out(concealed[0]["shoe"], piles)
    possible = 0
    for code in range(CODES):
        possible += piles[_MAY_BE_HOLE_CARD, code]
    return possible


@rule
def _sort_cards(round: Round, packs: Counts, piles: Counts, rules: TableRules) -> None:
    """Count the cards by pile and code; an infinite shoe stays full."""
    shoe = round["shoe"]
    for code in range(CODES):
        piles[_DISCARDED, code] = 0
        piles[_ON_TABLE, code] = 0
    if not rules.infinite:
        _count_table(round, piles)
        if not shoe["stacked"]:
            for place in range(np.int64(shoe["size"])):
                if shoe["since"] <= shoe["stamps"][place] < shoe["serial"]:
                    piles[_DISCARDED, shoe["cards"][place]] += 1
    for code in range(CODES):
        unseen = max(packs[code] - piles[_DISCARDED, code] - piles[_ON_TABLE, code], 0)
        possible = _may_be_hole_card(round, code, rules)
        piles[_MAY_BE_HOLE_CARD, code] = unseen if possible else 0
        piles[_UNSEEN, code] = 0 if possible else unseen


@rule
def _count_table(round: Round, piles: Counts) -> None:
    piles[_ON_TABLE, round["hands"][DEALER]["cards"][0]] += 1
    for index in range(1, round["n_hands"] + 1):
        hand = round["hands"][np.uint64(index)]
        for at in range(hand["n_cards"]):
            piles[_ON_TABLE, hand["cards"][at]] += 1


@rule
def _may_be_hole_card(round: Round, code: int, rules: TableRules) -> bool:
    """False for a card that would have ended the round at the peek. Leaves it in the dealer's hand."""
    dealer = round["hands"][DEALER]
    open_hand(dealer, dealer["cards"][0], code, rules)
    return not (is_peek_past(round, rules) and peek_ends_round(round, rules))


@rule
def _hide_hole_card(dealer: Hand, rules: TableRules) -> None:
    upcard = dealer["cards"][0]
    for at in range(dealer["n_cards"]):
        dealer["cards"][at] = 0
    dealer["n_cards"] = 0
    dealer["hard"] = 0
    dealer["has_ace"] = False
    receive(dealer, upcard, rules)


@rule
def _lay_out(shoe: Shoe, piles: Counts) -> None:
    """Fill the shoe pile by pile, each sorted by code, so that places depend on nothing hidden."""
    place = 0
    for pile in range(PILES):
        stamp = _SERIAL if pile == _ON_TABLE else _OUT if pile == _DISCARDED else _IN
        for code in range(CODES):
            for _ in range(piles[pile, code]):
                shoe["cards"][place] = code
                shoe["stamps"][place] = stamp
                place += 1
    shoe["size"] = place
    shoe["key"] = 0
    shoe["since"] = _OUT
    shoe["serial"] = _SERIAL
    shoe["stacked"] = False
    shoe["dealt"] = False
    shoe["next"] = 0


@rule
def imagine(world: Rounds, concealed: Rounds, place: int, rules: TableRules) -> None:
    """Make `world`, a one-element ROUND array, the round in which the card at this concealed place is the hole card."""
    world[0] = concealed[0]
    dealer = world[0]["hands"][DEALER]
    hole_card = take(world[0]["shoe"], place, rules.infinite)
    open_hand(dealer, dealer["cards"][0], hole_card, rules)
