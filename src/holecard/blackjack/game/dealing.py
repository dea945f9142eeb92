"""Dealing cards: a shoe as a record, from which any card not yet out is drawn by counting.

No card is moved and nothing is shuffled. A draw hashes (key, hand, card number), so the n-th card to a hand hardly
depends on what other hands took, which keeps paired comparisons close. What the hash says depends on the shoe:

- Fresh each round, it is a place in the shoe, which is stamped with the round's serial number; a place stamped since
  the last shuffle is out and the hash goes on to another. A shuffle is one assignment: forget the stamps before a
  serial.
- Dealt down, where most places would be out, it is a place among the cards left, in the order of their ranks; how many
  are left of each rank says which rank that is (`rank_counts`). Shoes whose cards are looked at stamp a place of that
  rank too; those in little room know ranks only. Both deal the same ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rare_rule, rule
from holecard.blackjack.game.rank_counts import WORDS, cards_of, cards_up_to, packed, take_card
from holecard.blackjack.game.shoe import MAX_SHOE, Composition
from holecard.errors import CardError
from holecard.seeds import GOLDEN, mix, scaled

SHOE = np.dtype(
    [
        ("key", np.uint64),  # of the round being dealt
        ("size", np.uint64),  # cards in the full shoe
        ("serial", np.uint32),  # of the round being dealt; grows with every round
        ("since", np.uint32),  # places stamped with this serial or a later one are out
        ("out", np.int32),  # cards of finished rounds that are out
        ("next", np.int32),  # of a stacked shoe, the place of the next card
        ("stacked", np.bool_),  # cards come in the order they lie, not by chance
        ("dealt", np.bool_),  # dealt down: drawn from the counts below
        ("left", np.int64),  # cards that are not out, and those up to each rank: now,
        ("ranks", np.uint64, (WORDS,)),
        ("ranks_before", np.uint64, (WORDS,)),  # when the round began,
        ("ranks_full", np.uint64, (WORDS,)),  # and in the full shoe
        ("cards", np.uint8, (MAX_SHOE,)),
        ("stamps", np.uint32, (MAX_SHOE,)),
    ],
    align=True,
)
Shoe: TypeAlias = Any
"""One SHOE record, or a smaller one with the same fields: `play.gpu` makes those."""
Card: TypeAlias = Any
"""A card as a small number, uint8 in kernels; see `holecard.cards`."""
_SUITS, _SUIT_MASK = np.uint64(4), np.uint64(3)
_WORD_SHIFT, _BIT_MASK = np.uint64(6), np.uint64(63)
"""Where places are bits: place >> 6 is the word of 64 bits, place & 63 the bit in it."""
_HALF_WORD = np.uint64(32)
_BIT, _NO_BIT, _FIRST_WORD = np.uint64(1), np.uint64(0), np.uint64(0)
_MISSES: Final = 64
"""Places found empty in a row before somebody looks whether the shoe has run out; an even number."""
MOST_LISTED: Final = 16
"""Places on the longest list, see `_lists_places`; fewer than any shoe's own stamps."""
_NO_PLACE = np.uint32(1 << 31)
"""On a list, in place of a card that has not been drawn."""
PACK: Final = 52
"""Cards in a pack."""
MOST_PACKS: Final = 8
"""Packs in the largest shoe: no more bytes than these for the cards are no cards, see `is_packs`."""


def fill(shoe: Shoe, composition: Composition, *, dealt: bool = False) -> None:
    """Put the cards of a composition into an empty shoe record that is fresh each round, or `dealt` down."""
    cards: NDArray[np.uint8] = composition.cards()
    shoe["size"] = cards.size
    shoe["dealt"] = dealt
    shoe["ranks_full"] = packed(composition.ranks)
    if not _knows_ranks_only(shoe):
        shoe["cards"][: cards.size] = cards


def stack(shoe: Shoe, cards: Sequence[int]) -> None:
    """Make the shoe deal exactly these cards in this order: for replays, lessons and tests."""
    if not 4 <= len(cards) <= MAX_SHOE:
        raise CardError(f"a stacked shoe holds 4 to {MAX_SHOE} cards; got {len(cards)}")
    shoe["cards"][: len(cards)] = cards
    shoe["size"] = len(cards)
    shoe["stacked"] = True
    shoe["dealt"] = False
    shoe["since"] = 0
    shoe["next"] = 0


@rule
def begin_round(shoe: Shoe, key: np.uint64) -> None:
    """Start to deal the round of `key` from what is left in the shoe."""
    shoe["serial"] += np.uint32(1)
    shoe["key"] = key
    if is_dealt_down(shoe):
        shoe["ranks_before"][0] = shoe["ranks"][0]
        shoe["ranks_before"][1] = shoe["ranks"][1]


@rule
def begin_shoe(shoe: Shoe) -> None:
    """Shuffle between rounds: from the next round on, every card is in again."""
    shoe["since"] = shoe["serial"] + np.uint32(1)
    shoe["out"] = 0
    if is_dealt_down(shoe):
        shoe["left"] = np.int64(shoe["size"])
        shoe["ranks"][0] = shoe["ranks_full"][0]
        shoe["ranks"][1] = shoe["ranks_full"][1]
    elif _marks_bits(shoe):
        shoe["stamps"][0] = 0  # out of the loop, so that a single word can be kept in a register
        for word in range(1, shoe["stamps"].shape[0]):
            shoe["stamps"][word] = 0
    elif _lists_places(shoe):
        for at in range(shoe["stamps"].shape[0]):
            shoe["stamps"][at] = _NO_PLACE


@rule
def clear_stamps(shoe: Shoe) -> None:
    """Start the serials again, so that they never run over and a chunk of rounds does not depend on the one before."""
    shoe["serial"] = 0
    for place in range(shoe["stamps"].shape[0]):
        shoe["stamps"][place] = 0
    begin_shoe(shoe)


@rule
def draw(shoe: Shoe, counter: int, infinite: bool) -> Card:
    """The card of this round's `counter`; where the shoe has run out, the discards are shuffled in first."""
    return draw_by(shoe, bits_of(shoe["key"], counter), infinite)


@rule
def bits_of(key: np.uint64, counter: int) -> np.uint64:
    """The random bits by which a round of `key` draws the card of a counter."""
    return mix(key + np.uint64(counter) * GOLDEN)


@rule
def draw_by(shoe: Shoe, bits: np.uint64, infinite: bool) -> Card:
    """As `draw`, by bits that are known already."""
    if is_dealt_down(shoe):
        return _draw_rank(shoe, bits) if _knows_ranks_only(shoe) else _draw_card(shoe, bits)
    place = scaled(bits, _size(shoe))
    if not infinite:
        if is_out(shoe, place):
            place = _another_near(shoe, bits) if _is_near(shoe) else _another_place(shoe, bits)
        _take_out(shoe, place)
    return _card_at(shoe, place)


@rule
def is_packs(shoe: Shoe) -> bool:
    """True for full packs with no room for their cards, a byte to a pack instead; known when compiling."""
    return shoe["cards"].shape[0] <= MOST_PACKS


@rule
def _size(shoe: Shoe) -> np.uint64:
    """The cards in the full shoe; of full packs with no room for their cards a compiler knows it."""
    return np.uint64(PACK * shoe["cards"].shape[0]) if is_packs(shoe) else shoe["size"]


@rule
def is_dealt_down(shoe: Shoe) -> bool:
    """True for a shoe that is drawn from by rank; known when compiling but where cards are looked at."""
    return _knows_ranks_only(shoe) or (shoe["ranks"].shape[0] == WORDS and shoe["dealt"])


@rule
def _knows_ranks_only(shoe: Shoe) -> bool:
    """True for a shoe in little room that is dealt down: it has no places; known when compiling."""
    return shoe["stamps"].itemsize == 1


@rule
def _draw_rank(shoe: Shoe, bits: np.uint64) -> Card:
    """The card drawn from a shoe that is dealt down, as the first of its rank's suits."""
    if shoe["left"] == 0:
        _shuffle_discards(shoe)
    place = scaled(bits, np.uint64(shoe["left"]))
    shoe["left"] -= 1
    return np.uint8(take_card(shoe["ranks"], place) << 2)


@rare_rule
def _draw_card(shoe: Shoe, bits: np.uint64) -> Card:
    """`_draw_rank` where cards are looked at: the card itself, as likely as any other of its rank that is left."""
    rank, size = np.int64(_draw_rank(shoe, bits)) >> 2, np.int64(shoe["size"])
    first = np.uint64(cards_up_to(shoe["ranks_full"], size, rank - 1))
    of_rank = np.uint64(cards_of(shoe["ranks_full"], size, rank))
    place = first + scaled(bits << _HALF_WORD, of_rank)  # the half of the bits that has not said the rank
    while is_out(shoe, place):
        bits = mix(bits + GOLDEN)
        place = first + scaled(bits, of_rank)
    _take_out(shoe, place)
    return shoe["cards"][place]


@rule
def _marks_bits(shoe: Shoe) -> bool:
    """True for a shoe in little room that is fresh each round, where a place is one bit; known when compiling."""
    return shoe["stamps"].itemsize == 8


@rule
def _lists_places(shoe: Shoe) -> bool:
    """True for a shoe that is fresh each round and lists the places of the last few cards; known when compiling.

    The list is short and read whole, so that it can be kept in registers. A round of more cards needs another shoe:
    see `has_forgotten`.
    """
    return shoe["stamps"].itemsize == 4 and shoe["stamps"].shape[0] <= MOST_LISTED


@rule
def has_forgotten(shoe: Shoe, on_table: int) -> bool:
    """True if so many cards of a round are more than the shoe lists, so that one may have been drawn twice."""
    return _lists_places(shoe) and on_table > shoe["stamps"].shape[0]


@rule
def is_out(shoe: Shoe, place: np.uint64) -> bool:
    """True if the card at that place has left the shoe since the last shuffle."""
    if _marks_bits(shoe):
        return shoe["stamps"][_word_of(shoe, place)] >> (place & _BIT_MASK) & _BIT != _NO_BIT
    if _lists_places(shoe):
        listed = False
        for at in range(shoe["stamps"].shape[0]):
            listed |= shoe["stamps"][at] == np.uint32(place)
        return listed
    return shoe["stamps"][place] >= shoe["since"]


@rule
def _take_out(shoe: Shoe, place: np.uint64) -> None:
    if _marks_bits(shoe):
        shoe["stamps"][_word_of(shoe, place)] |= _BIT << (place & _BIT_MASK)
    elif _lists_places(shoe):
        for at in range(shoe["stamps"].shape[0] - 1, 0, -1):
            shoe["stamps"][at] = shoe["stamps"][at - 1]
        shoe["stamps"][0] = np.uint32(place)
    else:
        shoe["stamps"][place] = shoe["serial"]


@rule
def _word_of(shoe: Shoe, place: np.uint64) -> np.uint64:
    return _FIRST_WORD if shoe["stamps"].shape[0] == 1 else place >> _WORD_SHIFT


@rule
def _card_at(shoe: Shoe, place: np.uint64) -> Card:
    """The card that lies at a place; of full packs with no room for their cards, those of a rank lie side by side."""
    if not is_packs(shoe):
        return shoe["cards"][place]
    of_a_rank = np.uint32(4 * shoe["cards"].shape[0])
    return np.uint8(np.uint32(place) // of_a_rank * _SUITS + (place & _SUIT_MASK))


@rule
def take(shoe: Shoe, place: int, infinite: bool) -> Card:
    """The card at a place of the shoe, taken out as if it had been drawn."""
    if not infinite:
        shoe["stamps"][np.uint64(place)] = shoe["serial"]
    return shoe["cards"][np.uint64(place)]


@rule
def _is_near(shoe: Shoe) -> bool:
    """True for what may be kept in registers: a list of places, or one pack's, the bits of one word."""
    return _lists_places(shoe) or (_marks_bits(shoe) and shoe["stamps"].shape[0] == 1)


@rule
def _another_near(shoe: Shoe, bits: np.uint64) -> np.uint64:
    """`_another_place` compiled where it is called, so that registers can be looked through."""
    while True:
        bits = mix(bits + GOLDEN)
        place = scaled(bits, _size(shoe))
        if not is_out(shoe, place):
            return place


@rare_rule
def _another_place(shoe: Shoe, bits: np.uint64) -> np.uint64:
    """The next place by the same hash whose card is in; after many misses it looks whether there is one.

    A stacked shoe counts every place as out, so that all its draws come here and take the cards as they lie.
    """
    if shoe["stacked"]:
        shoe["next"] += 1
        return np.uint64(min(np.int64(shoe["next"]), np.int64(shoe["size"])) - 1)
    misses, size = 0, _size(shoe)
    while True:  # two places at a time: which of them is in, a processor cannot guess
        first = mix(bits + GOLDEN)
        bits = mix(first + GOLDEN)
        place, other = scaled(first, size), scaled(bits, size)
        place ^= (place ^ other) * np.uint64(is_out(shoe, place))
        if not is_out(shoe, place):
            return place
        misses += 2
        if misses % _MISSES == 0 and not _marks_bits(shoe) and _has_run_out(shoe):
            _shuffle_discards(shoe)


@rare_rule
def _has_run_out(shoe: Shoe) -> bool:
    left = 0
    for place in range(np.int64(shoe["size"])):
        left += int(not is_out(shoe, np.uint64(place)))
    return left == 0


@rare_rule
def _shuffle_discards(shoe: Shoe) -> None:
    """Put all but what lies on the table back into the shoe: where none is left, what was left before the round."""
    shoe["since"] = shoe["serial"]
    if is_dealt_down(shoe):
        shoe["left"] = shoe["out"]
        shoe["ranks"][0] = shoe["ranks_full"][0] - shoe["ranks_before"][0]
        shoe["ranks"][1] = shoe["ranks_full"][1] - shoe["ranks_before"][1]


@rule
def collect(shoe: Shoe, on_table: int) -> None:
    """After a round, count its cards as out (alone, if the discards were shuffled in during it)."""
    if is_dealt_down(shoe):
        shoe["out"] = np.int64(shoe["size"]) - shoe["left"]
    else:
        shoe["out"] = on_table if shoe["since"] == shoe["serial"] else shoe["out"] + on_table


@rule
def is_cut_card_out(shoe: Shoe, cut: int) -> bool:
    """True if fewer than `cut` cards are left, so that the shoe is shuffled before the next round."""
    return bool(np.int64(shoe["size"]) - np.int64(shoe["out"]) < cut)
