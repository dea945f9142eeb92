"""Heads-up no-limit betting as a state machine on one record.

    deal(hand, key)                             → nine cards: two, two and the whole board
    post(hand, button, stack_0, stack_1, stakes) → antes and blinds; the first decision, or SHOWDOWN if all are all-in
    apply(hand, move, stakes)                   → the next decision, a fold, or SHOWDOWN
    show_down(hand, ranking)                    → the pot is paid

A *move* is one integer: FOLD, CALL (a check when free), or the chips to `raise_to`, which a bet is too. Plain Python
and kernels run these same functions. Callers have checked that a move is legal (`hand.HandState` does, and `fit` makes
any wish legal).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import rule
from holecard.holdem.game.rules import Stakes
from holecard.holdem.game.strength import RankingTables, card_bit, strength_of_sum
from holecard.seeds import below

FOLD: Final = -1
CALL: Final = 0
NOBODY: Final = -1
SHOWDOWN: Final = 4
_RIVER: Final = 3
BOARD: Final = 4
"""Where the board starts in hand["card"]; seat s holds cards 2s and 2s + 1."""
_DEALT: Final = (0, 3, 4, 5, 5)

HAND = np.dtype(
    [
        ("card", np.uint8, (9,)),
        ("start", np.int64, (2,)),  # stacks before antes and blinds
        ("stack", np.int64, (2,)),  # behind
        ("bet", np.int64, (2,)),  # in front, on this street
        ("paid", np.int64, (2,)),  # into the pot over the whole hand, bets included, returned chips not
        ("net", np.int64, (2,)),  # the result, once the hand is over
        ("raises", np.int64, (2,)),  # bets and raises on this street, by seat
        ("last_raise", np.int64),  # the size of the last full raise on this street
        ("led", np.int64, (3,)),  # the seat that raised last on each street before, NOBODY if none did
        ("button", np.int64),
        ("street", np.int64),
        ("actor", np.int64),  # the seat to act; NOBODY once betting is over
        ("to_speak", np.int64),  # players who must still act before the street closes
        ("folded", np.int64),  # the seat that folded, or NOBODY
        ("over", np.bool_),  # paid out
    ],
    align=True,
)

Hand: TypeAlias = Any
"""A `HAND` record."""


@rule
def deal(hand: Hand, key: np.uint64) -> None:
    """Put the nine cards of `key` into the hand; the same key deals each seat the same cards."""
    seen = np.uint64(0)
    counter = np.uint64(0)
    dealt = np.uint64(0)
    while dealt < np.uint64(9):
        card = below(key, counter, np.uint64(52))
        counter += np.uint64(1)
        if (seen >> card) & np.uint64(1) == np.uint64(0):
            seen |= np.uint64(1) << card
            hand["card"][dealt] = card
            dealt += np.uint64(1)


@rule
def other_seat(seat: int) -> int:
    """The seat across the table."""
    return 1 - seat


@rule
def ante_of(stack: int, stakes: Stakes) -> int:
    """The ante that a stack posts: as far as it goes."""
    return min(stakes.ante, stack)


@rule
def blind_of(stack: int, has_button: bool, stakes: Stakes) -> int:
    """The blind that a stack posts after its ante: the small one on the button, as far as the stack goes."""
    return min(stakes.small_blind if has_button else stakes.big_blind, stack - ante_of(stack, stakes))


@rule
def post(hand: Hand, button: int, stack_0: int, stack_1: int, stakes: Stakes) -> None:
    """Post antes and blinds, each as far as the stack goes, and open the betting."""
    hand["start"][0] = stack_0
    hand["start"][1] = stack_1
    hand["button"] = button
    hand["street"] = 0
    hand["folded"] = NOBODY
    hand["over"] = False
    for seat in range(2):
        ante = ante_of(hand["start"][seat], stakes)
        blind = blind_of(hand["start"][seat], seat == button, stakes)
        hand["bet"][seat] = blind
        hand["paid"][seat] = ante + blind
        hand["stack"][seat] = hand["start"][seat] - ante - blind
        hand["net"][seat] = 0
        hand["raises"][seat] = 0
    for street in range(_RIVER):
        hand["led"][street] = NOBODY
    hand["last_raise"] = 0
    big = other_seat(button)
    if hand["stack"][button] == 0 or (hand["stack"][big] == 0 and hand["bet"][big] <= hand["bet"][button]):
        _close_street(hand)
    else:
        hand["actor"] = button
        hand["to_speak"] = 1 if hand["stack"][big] == 0 else 2


@rule
def pot(hand: Hand) -> int:
    """Chips in the middle and in front of both."""
    return hand["paid"][0] + hand["paid"][1]


@rule
def highest_bet(hand: Hand) -> int:
    """The larger of the two bets on this street."""
    return max(hand["bet"][0], hand["bet"][1])


@rule
def to_call(hand: Hand) -> int:
    """Chips the actor needs to stay in: 0 when a check is free, at most the stack."""
    seat = hand["actor"]
    return min(hand["stack"][seat], highest_bet(hand) - hand["bet"][seat])


@rule
def can_raise(hand: Hand) -> bool:
    """True if the actor has chips beyond the call and the other player could still call more."""
    seat = hand["actor"]
    highest = highest_bet(hand)
    covers = hand["stack"][seat] > highest - hand["bet"][seat]
    other = other_seat(seat)
    return covers and hand["stack"][other] + hand["bet"][other] > highest


@rule
def max_raise_to(hand: Hand) -> int:
    """The actor's bet when all-in."""
    seat = hand["actor"]
    return hand["stack"][seat] + hand["bet"][seat]


@rule
def min_raise_to(hand: Hand, stakes: Stakes) -> int:
    """The smallest legal raise: by the last raise, at least the big blind; all-in if the stack is short of that."""
    return min(max_raise_to(hand), highest_bet(hand) + max(hand["last_raise"], stakes.big_blind))


@rule
def fit(hand: Hand, move: int, stakes: Stakes) -> int:
    """The legal move nearest to a wish: a fold where checking is free checks, a raise is brought between its limits."""
    if move == FOLD:
        return FOLD if to_call(hand) > 0 else CALL
    if move == CALL or not can_raise(hand):
        return CALL
    return min(max(move, min_raise_to(hand, stakes)), max_raise_to(hand))


@rule
def apply(hand: Hand, move: int, stakes: Stakes) -> None:
    """Make the actor's legal move."""
    seat = hand["actor"]
    if move == FOLD:
        hand["folded"] = seat
        _return_uncalled(hand)
        _pay_out(hand, other_seat(seat))
    elif move == CALL:
        _put_in(hand, seat, to_call(hand))
        hand["to_speak"] -= 1
        if hand["to_speak"] == 0 or hand["stack"][seat] == 0:
            _close_street(hand)
        else:
            hand["actor"] = other_seat(seat)
    else:
        by = move - highest_bet(hand)
        hand["last_raise"] = max(hand["last_raise"], by)  # a short all-in does not lower the next minimum
        hand["raises"][seat] += 1
        _put_in(hand, seat, move - hand["bet"][seat])
        hand["to_speak"] = 1
        hand["actor"] = other_seat(seat)


@rule
def _put_in(hand: Hand, seat: int, chips: int) -> None:
    hand["stack"][seat] -= chips
    hand["bet"][seat] += chips
    hand["paid"][seat] += chips


@rule
def _return_uncalled(hand: Hand) -> None:
    """Give back what one seat put in beyond the other, antes included; clear the bets."""
    for seat in range(2):
        beyond = hand["paid"][seat] - hand["paid"][other_seat(seat)]
        if beyond > 0:
            hand["stack"][seat] += beyond
            hand["paid"][seat] -= beyond
        hand["bet"][seat] = 0
        hand["raises"][seat] = 0


@rule
def _close_street(hand: Hand) -> None:
    """Go on to the next street; to the showdown after the river or once someone is all-in."""
    if hand["street"] < _RIVER and hand["raises"][0] + hand["raises"][1] > 0:
        hand["led"][hand["street"]] = other_seat(hand["actor"])  # the actor has called
    _return_uncalled(hand)
    hand["last_raise"] = 0
    hand["to_speak"] = 2
    if hand["street"] == _RIVER or hand["stack"][0] == 0 or hand["stack"][1] == 0:
        hand["street"] = SHOWDOWN
        hand["actor"] = NOBODY
    else:
        hand["street"] += 1
        hand["actor"] = other_seat(hand["button"])


@rule
def _pay_out(hand: Hand, winner: int) -> None:
    """Pay the pot to the winner; with NOBODY, to each its own half (both have paid the same)."""
    for seat in range(2):
        if winner == NOBODY:
            hand["stack"][seat] += hand["paid"][seat]
        elif winner == seat:
            hand["stack"][seat] += pot(hand)
        hand["net"][seat] = hand["stack"][seat] - hand["start"][seat]
    hand["actor"] = NOBODY
    hand["over"] = True


@rule
def seat_strength(hand: Hand, ranking: RankingTables, seat: int) -> int:
    """The strength of a seat's hand with the whole board."""
    total, bits = np.uint64(0), np.uint64(0)
    for at in range(7):
        card = hand["card"][np.uint64(2 * seat + at if at < 2 else BOARD - 2 + at)]
        total += ranking["card_key"][card]
        bits |= card_bit(card)
    return strength_of_sum(ranking, total, bits)


@rule
def show_down(hand: Hand, ranking: RankingTables) -> None:
    """Compare the hands and pay the pot; call once the street is SHOWDOWN."""
    mine, other = seat_strength(hand, ranking, 0), seat_strength(hand, ranking, 1)
    if mine == other:
        _pay_out(hand, NOBODY)
    else:
        _pay_out(hand, 0 if mine > other else 1)


@rule
def cards_dealt(street: int) -> int:
    """Board cards on the table on a street; all five at the showdown."""
    return _DEALT[street]
