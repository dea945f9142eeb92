"""A round in as little room as its game needs, for kernels that keep it in registers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from holecard.blackjack.game.dealing import MOST_PACKS, PACK, SHOE, fill
from holecard.blackjack.game.hand import HAND
from holecard.blackjack.game.round import ROUND, Rounds
from holecard.blackjack.game.rules import MAX_HANDS, TableRules
from holecard.blackjack.game.shoe import Composition

LISTED: Final = 10
"""Cards of a round that is kept in registers; one in a thousand has more."""


def _retyped(record: np.dtype[np.void], **changes: Any) -> np.dtype[np.void]:
    """The same fields in the same order, some of them of another type."""
    assert record.names is not None
    fields = [(name, *changes.get(name, (record[name].base, record[name].shape))) for name in record.names]
    return np.dtype(fields, align=True)


def small_round(rules: TableRules, deck: Composition) -> np.dtype[np.void]:
    """The `ROUND` of a game dealt from fresh shoes; see `dealing` and `hand` for what each short field means."""
    cards = deck.size // PACK if is_full_packs(deck) else max(deck.size, MOST_PACKS + 1)
    shoe = _retyped(
        SHOE,
        cards=(np.uint8, (cards,)),
        stamps=(np.uint64, (-(-deck.size // 64),)),
        left=(np.int8,),
        **dict.fromkeys(("ranks", "ranks_before", "ranks_full"), (np.uint8, (1,))),
    )
    return _round(rules.max_hands, shoe)


def listing_round(rules: TableRules, deck: Composition) -> np.dtype[np.void]:
    """The `ROUND` of full packs dealt fresh, one hand and few cards of it: what fits registers.

    One pack is a word of bits; of more packs the shoe lists the places of its cards, see `dealing.has_forgotten`.
    """
    record = small_round(rules._replace(max_hands=1), deck)
    if deck.size == PACK:
        return record
    return _retyped(record, shoe=(_retyped(record["shoe"], stamps=(np.uint32, (LISTED,))),))


def small_dealt_round(max_hands: int = MAX_HANDS) -> np.dtype[np.void]:
    """The `ROUND` of any game whose shoes are dealt down: they know how many cards of each rank are left."""
    return _round(max_hands, _retyped(SHOE, cards=(np.uint8, (1,)), stamps=(np.uint8, (1,))))


def _round(max_hands: int, shoe: np.dtype[np.void]) -> np.dtype[np.void]:
    hand = _retyped(HAND, cards=(np.uint8, (2,)))
    counters = dict.fromkeys(("phase", "n_hands", "active", "split_cards", "decisions"), (np.int16,))
    return _retyped(ROUND, hands=(hand, (max_hands + 1,)), shoe=(shoe,), **counters)


DEALT_ROUND: Final = small_dealt_round()


def dealt_state(deck: Composition) -> Rounds:
    """DEALT_ROUND of shape (1,), nothing dealt yet, its shoe full."""
    return _full_shoe(deck).copy()


@lru_cache(maxsize=16)
def _full_shoe(deck: Composition) -> Rounds:
    state = np.zeros(1, DEALT_ROUND)
    fill(state[0]["shoe"], deck, dealt=True)
    return state


def is_full_packs(deck: Composition) -> bool:
    """True if a shoe is made of whole packs, whose cards can be told from their places."""
    return len(set(deck.ranks)) == 1 and deck.ranks[0] % 4 == 0
