"""A round in as little room as its game needs, for kernels that keep it in registers."""

from __future__ import annotations

from typing import Any

import numpy as np

from holecard.blackjack.game.dealing import BIT_WORDS, PACK, SHOE
from holecard.blackjack.game.hand import HAND
from holecard.blackjack.game.round import ROUND
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.shoe import Composition


def small_round(
    rules: TableRules, deck: Composition, runs_out: bool = False, whole_hands: bool = False
) -> np.dtype[np.void]:
    """The `ROUND` of a game in as little room as it needs; see `dealing` and `hand` for what each short field means.

    A shoe that `runs_out` in a round has a second set of bits for its discards. `whole_hands` keep all their cards: a
    counter looks at them.
    """
    hand = HAND if whole_hands else _retyped(HAND, cards=(np.uint8, (2,)))
    cards = deck.size // PACK if is_full_packs(deck) else deck.size
    stamps = (np.uint64, (2 * BIT_WORDS if runs_out else -(-deck.size // 64),))
    shoe = _retyped(SHOE, cards=(np.uint8, (cards,)), stamps=stamps)
    counters = dict.fromkeys(("phase", "n_hands", "active", "split_cards", "decisions"), (np.int16,))
    return _retyped(ROUND, hands=(hand, (rules.max_hands + 1,)), shoe=(shoe,), **counters)


def is_full_packs(deck: Composition) -> bool:
    """True if a shoe is made of whole packs, whose cards can be told from their places."""
    return len(set(deck.ranks)) == 1 and deck.ranks[0] % 4 == 0


def _retyped(record: np.dtype[np.void], **changes: Any) -> np.dtype[np.void]:
    """The same fields in the same order, some of them of another type."""
    assert record.names is not None
    fields = [(name, *changes.get(name, (record[name].base, record[name].shape))) for name in record.names]
    return np.dtype(fields, align=True)
