"""What a seat may see: as a record for rules that decide (`look`), and as a value for people and agents (`SeatView`).

Both hold the seat's own cards, the board dealt so far, chips and bets; never the other hand nor an undealt card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import rule
from holecard.holdem.game.actions import Event, LegalActions
from holecard.holdem.game.betting import (
    BOARD,
    HAND,
    NOBODY,
    Hand,
    can_raise,
    cards_dealt,
    max_raise_to,
    min_raise_to,
    other_seat,
    pot,
    to_call,
)
from holecard.holdem.game.rules import Stakes, Street

NO_CARD: Final = 255
NOT_LED: Final = 0
LED: Final = 1
OTHER_LED: Final = 2

VIEW = np.dtype(
    [
        ("hole", np.uint8, (2,)),
        ("board", np.uint8, (5,)),  # NO_CARD where not dealt yet
        ("dealt", np.int64),  # board cards on the table: 0, 3, 4, 5
        ("street", np.int64),
        ("on_button", np.bool_),
        ("to_call", np.int64),
        ("min_raise_to", np.int64),  # 0 where no raise is allowed
        ("max_raise_to", np.int64),
        ("pot", np.int64),  # bets on this street included
        ("stack", np.int64),
        ("other_stack", np.int64),
        ("bet", np.int64),  # in front on this street
        ("other_bet", np.int64),
        ("paid", np.int64),  # into the pot over the whole hand
        ("other_paid", np.int64),
        ("start", np.int64),  # own stack before the hand
        ("raises", np.int64),  # own bets and raises on this street
        ("other_raises", np.int64),
        ("led", np.int64, (3,)),  # who raised last on each street before: NOT_LED, LED or OTHER_LED
        ("small_blind", np.int64),
        ("big_blind", np.int64),
        ("buy_in", np.int64),  # chips both started the session with
        ("hand_number", np.int64),  # within the session, from 0
        ("first_hand", np.int64),  # the hand with which both last bought in: what was before is forgotten
        ("equity", np.float64),  # against a random hand; NaN unless the player asked for it
        ("chance", np.uint64),  # random bits of this decision, unrelated to any card
    ],
    align=True,
)

View: TypeAlias = Any
"""A `VIEW` record."""


@rule
def look(hand: Hand, seat: int, stakes: Stakes, view: View) -> None:
    """Fill the part of `view` that a hand shows to `seat`, which is to act."""
    other = other_seat(seat)
    dealt = cards_dealt(hand["street"])
    for at in range(2):
        view["hole"][at] = hand["card"][2 * seat + at]
    for at in range(5):
        view["board"][at] = hand["card"][BOARD + at] if at < dealt else NO_CARD
    raising = can_raise(hand)
    view["dealt"] = dealt
    view["street"] = hand["street"]
    view["on_button"] = seat == hand["button"]
    view["to_call"] = to_call(hand)
    view["min_raise_to"] = min_raise_to(hand, stakes) if raising else 0
    view["max_raise_to"] = max_raise_to(hand) if raising else 0
    view["pot"] = pot(hand)
    view["stack"] = hand["stack"][seat]
    view["other_stack"] = hand["stack"][other]
    view["bet"] = hand["bet"][seat]
    view["other_bet"] = hand["bet"][other]
    view["paid"] = hand["paid"][seat]
    view["other_paid"] = hand["paid"][other]
    view["start"] = hand["start"][seat]
    view["raises"] = hand["raises"][seat]
    view["other_raises"] = hand["raises"][other]
    for street in range(3):
        led = hand["led"][street]
        view["led"][street] = NOT_LED if led == NOBODY else LED if led == seat else OTHER_LED
    view["small_blind"] = stakes.small_blind
    view["big_blind"] = stakes.big_blind


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """A hand as one seat sees it."""

    seat: int
    """Whose eyes these are."""
    hole: tuple[int, int]
    """The seat's own cards."""
    board: tuple[int, ...]
    """Board cards on the table."""
    street: Street
    """Where the hand stands."""
    button: int
    """The seat with the button."""
    to_act: bool
    """True if it is this seat's turn."""
    legal: LegalActions | None
    """What the seat may do, when it is its turn."""
    pot: int
    """Chips in the pot, bets in front included."""
    stacks: tuple[int, int]
    """Chips behind, by seat."""
    bets: tuple[int, int]
    """Chips in front on this street, by seat."""
    paid: tuple[int, int]
    """Chips put into the pot over the whole hand, by seat."""
    start: tuple[int, int]
    """Stacks before the hand, by seat."""
    raises: tuple[int, int]
    """Bets and raises on this street, by seat."""
    last_raise: int
    """The size of the last full raise on this street."""
    led: tuple[int, ...]
    """The seat that raised last before the flop, on the flop and on the turn; −1 if nobody did, or not yet."""
    stakes: Stakes
    """Blinds and ante."""
    events: tuple[Event, ...]
    """What has happened, the other seat's cards hidden unless shown."""

    def record(self, *, hand_number: int = 0, buy_in: int = 0, chance: int = 0, equity: float = np.nan) -> View:
        """The same as a `VIEW` record, for players that are rules; call on the seat's turn.

        `look` fills it, as in kernels, from a hand that holds what this seat sees and nothing else.
        """
        assert self.legal is not None, "only the seat to act decides"
        hand = np.zeros(1, HAND)[0]
        hand["card"] = NO_CARD
        hand["card"][2 * self.seat : 2 * self.seat + 2] = self.hole
        hand["card"][BOARD : BOARD + len(self.board)] = self.board
        hand["start"], hand["stack"], hand["bet"], hand["paid"] = self.start, self.stacks, self.bets, self.paid
        hand["raises"], hand["last_raise"] = self.raises, self.last_raise
        hand["led"] = self.led
        hand["button"], hand["street"], hand["actor"] = self.button, self.street, self.seat
        view = np.zeros(1, VIEW)[0]
        look(hand, self.seat, self.stakes, view)
        view["hand_number"], view["buy_in"] = hand_number, buy_in or self.start[self.seat]
        view["chance"], view["equity"] = chance, equity
        return view
