"""A hand of heads-up hold'em for people and programs: readable state, legal actions, events; the rules are `betting`'s.

Illegal actions raise `IllegalAction` with the value, the limit and what is legal, and change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.cards import card_text
from holecard.errors import CardError, IllegalAction, RulesError
from holecard.holdem.game import betting
from holecard.holdem.game.actions import (
    CALLS,
    CHECKS,
    FOLDS,
    Acted,
    Action,
    BoardDealt,
    Event,
    HoleDealt,
    LegalActions,
    Posted,
    Returned,
    Shown,
    Won,
    raises_to,
)
from holecard.holdem.game.betting import BOARD, HAND, NOBODY
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.rules import MOST_CHIPS, HoldemRules, Stakes, Street
from holecard.holdem.game.view import NO_CARD, SeatView
from holecard.seeds import key_of

UNKNOWN = NO_CARD
"""A card nobody has written down; a hand with such cards can be played until they would have to be shown."""


def deal_cards(seed: int, number: int = 0) -> tuple[int, ...]:
    """The nine cards of the `number`-th hand of a seed: seat 0's two, seat 1's two, the board's five."""
    hand = np.zeros(1, HAND)[0]
    with np.errstate(over="ignore"):
        betting.deal(hand, key_of(np.uint64(seed), np.uint64(number)))
    return tuple(int(card) for card in hand["card"])


class HandState:
    """One hand in progress, seats 0 and 1.

    >>> hand = HandState(HoldemRules(stack=1000), button=0, cards=deal_cards(1))
    >>> hand.actor, hand.legal_actions()
    (0, fold, call 50, raise to 200 … 1000)
    >>> hand.raise_to(350)
    >>> hand.actor, hand.min_raise_to
    (1, 600)
    >>> hand.can(raises_to(500))
    False
    """

    def __init__(
        self,
        rules: HoldemRules | None = None,
        *,
        button: int = 0,
        stacks: tuple[int, int] | None = None,
        cards: Sequence[int],
    ) -> None:
        """Post and deal. `cards`: nine, seat 0's two, seat 1's two, the board's five; UNKNOWN where nobody knows."""
        self.rules = rules if rules is not None else HoldemRules()
        stacks = stacks if stacks is not None else (self.rules.stack, self.rules.stack)
        _verify_deal(button, stacks, cards)
        self._hand: NDArray[Any] = np.zeros(1, HAND)
        self._events: list[Event] = []
        self._moves: list[int] = []
        hand = self._record
        hand["card"] = list(cards)
        betting.post(hand, button, *stacks, self.stakes)
        posted = self._note_start()
        self._note_progress(Street.PREFLOP, posted)

    @property
    def _record(self) -> Any:
        return self._hand[0]

    @property
    def record(self) -> Any:
        """A copy of the hand as a `HAND` record."""
        return self._hand.copy()[0]

    @property
    def stakes(self) -> Stakes:
        """Blinds and ante."""
        return self.rules.stakes

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, in order."""
        return tuple(self._events)

    @property
    def moves(self) -> tuple[int, ...]:
        """The players' moves so far, as the betting rules take them."""
        return tuple(self._moves)

    @property
    def street(self) -> Street:
        """Where the hand stands."""
        return Street(int(self._record["street"]))

    @property
    def button(self) -> int:
        """The seat with the button."""
        return int(self._record["button"])

    @property
    def actor(self) -> int | None:
        """The seat to act, or None once betting is over."""
        seat = int(self._record["actor"])
        return None if seat == NOBODY else seat

    @property
    def is_over(self) -> bool:
        """True once the pot is paid."""
        return bool(self._record["over"])

    @property
    def board(self) -> tuple[int, ...]:
        """Board cards on the table."""
        return self._board(int(self._record["street"]))

    @property
    def pot(self) -> int:
        """Chips in the pot, bets in front included."""
        return int(betting.pot(self._record))

    @property
    def stacks(self) -> tuple[int, int]:
        """Chips behind, by seat."""
        return self._by_seat("stack")

    @property
    def bets(self) -> tuple[int, int]:
        """Chips in front on this street, by seat."""
        return self._by_seat("bet")

    @property
    def payoffs(self) -> tuple[int, int]:
        """What each seat has won or lost, once the hand is over."""
        return self._by_seat("net")

    @property
    def to_call(self) -> int:
        """Chips the actor needs to stay in; 0 when a check is free or nobody is to act."""
        return 0 if self.actor is None else int(betting.to_call(self._record))

    @property
    def min_raise_to(self) -> int | None:
        """The smallest legal raise, or None where no raise is."""
        return self.legal_actions().min_raise_to or None if self.actor is not None else None

    @property
    def max_raise_to(self) -> int | None:
        """The largest legal raise (all-in), or None where no raise is."""
        return self.legal_actions().max_raise_to or None if self.actor is not None else None

    def hole(self, seat: int) -> tuple[int, int]:
        """The two cards of a seat."""
        cards = self._record["card"]
        return int(cards[2 * seat]), int(cards[2 * seat + 1])

    def legal_actions(self) -> LegalActions:
        """What the actor may do."""
        if self.actor is None:
            raise IllegalAction("nobody is to act: the betting is over")
        hand = self._record
        raising = bool(betting.can_raise(hand))
        return LegalActions(
            to_call=int(betting.to_call(hand)),
            min_raise_to=int(betting.min_raise_to(hand, self.stakes)) if raising else 0,
            max_raise_to=int(betting.max_raise_to(hand)) if raising else 0,
        )

    def verify(self, action: Action) -> None:
        """Refuse an action that is not legal now; says what is."""
        self.legal_actions().verify(action)

    def can(self, action: Action) -> bool:
        """True if the action is legal now."""
        return self.actor is not None and self.legal_actions().allows(action)

    def apply(self, action: Action) -> None:
        """Make the actor's action; an illegal one is refused and changes nothing."""
        self.verify(action)
        hand = self._record
        seat, street, opens = int(hand["actor"]), self.street, betting.highest_bet(hand) == 0
        stack, chips = int(hand["stack"][seat]), self._chips_of(action)
        paid = list(self._by_seat("paid"))
        paid[seat] += chips
        betting.apply(hand, action.move, self.stakes)
        self._moves.append(action.move)
        self._events.append(Acted(seat, action, chips, all_in=0 < chips == stack, opens=opens))
        self._note_progress(street, paid)

    def fold(self) -> None:
        """Fold; refused when checking is free."""
        self.apply(FOLDS)

    def check_or_call(self) -> None:
        """Check when it is free, otherwise call."""
        self.apply(CALLS if self.legal_actions().to_call else CHECKS)

    def raise_to(self, chips: int) -> None:
        """Bet or raise to `chips` in front of the actor."""
        self.apply(raises_to(chips))

    def view(self, seat: int) -> SeatView:
        """The hand as a seat sees it: neither the other hand nor undealt cards."""
        legal = self.legal_actions() if self.actor == seat else None
        return SeatView(
            seat=seat,
            hole=self.hole(seat),
            board=self.board,
            street=self.street,
            button=self.button,
            to_act=self.actor == seat,
            legal=legal,
            pot=self.pot,
            stacks=self.stacks,
            bets=self.bets,
            paid=self._by_seat("paid"),
            start=self._by_seat("start"),
            raises=self._by_seat("raises"),
            led=tuple(int(seat) for seat in self._record["led"]),
            last_raise=int(self._record["last_raise"]),
            stakes=self.stakes,
            events=tuple(
                event.hidden() if isinstance(event, HoleDealt) and event.seat != seat else event
                for event in self._events
            ),
        )

    def _by_seat(self, field: str) -> tuple[int, int]:
        pair = self._record[field]
        return int(pair[0]), int(pair[1])

    def _board(self, street: int) -> tuple[int, ...]:
        return tuple(int(card) for card in self._record["card"][BOARD : BOARD + betting.cards_dealt(street)])

    def _chips_of(self, action: Action) -> int:
        """Chips the actor puts in with an action."""
        if action == FOLDS:
            return 0
        if action.raise_to == 0:
            return self.to_call
        return action.raise_to - int(self._record["bet"][int(self._record["actor"])])

    def _note_start(self) -> list[int]:
        """Note what was posted and dealt; returns the chips posted, by seat."""
        posted = [0, 0]
        for seat in (self.button, betting.other_seat(self.button)):
            start = int(self._record["start"][seat])
            ante = betting.ante_of(start, self.stakes)
            blind = betting.blind_of(start, seat == self.button, self.stakes)
            posted[seat] = ante + blind
            self._events.append(Posted(seat, ante, blind))
        for seat in (0, 1):
            hole = self.hole(seat)
            self._events.append(HoleDealt(seat, None if UNKNOWN in hole else hole))
        return posted

    def _note_progress(self, street: Street, put_in: list[int]) -> None:
        """Note what followed an action: uncalled ones of the chips put in, cards turned over, the pot paid."""
        hand = self._record
        for seat in (0, 1):
            returned = put_in[seat] - int(hand["paid"][seat])
            if returned > 0:
                self._events.append(Returned(seat, returned))
        for dealt in range(street + 1, min(int(hand["street"]), int(Street.RIVER)) + 1):
            fresh = self._board(dealt)[len(self._board(dealt - 1)) :]
            self._events.append(BoardDealt(Street(dealt), fresh))
        if hand["street"] == Street.SHOWDOWN:
            self._show_down()
        if hand["over"]:
            for seat in (0, 1):
                won = self.payoffs[seat] + int(hand["paid"][seat])
                if won > 0:
                    self._events.append(Won(seat, won))

    def _show_down(self) -> None:
        hand = self._record
        if UNKNOWN in hand["card"]:
            raise CardError("the hand goes to a showdown, but not all nine cards are known")
        ranking = ranking_tables()[0]
        for seat in (betting.other_seat(self.button), self.button):
            strength = int(betting.seat_strength(hand, ranking, seat))
            self._events.append(Shown(seat, self.hole(seat), self.board, strength))
        betting.show_down(hand, ranking)


def _verify_deal(button: int, stacks: tuple[int, int], cards: Sequence[int]) -> None:
    if button not in (0, 1):
        raise RulesError(f"the button is seat 0 or 1; got {button}")
    if len(stacks) != 2 or not all(1 <= stack <= MOST_CHIPS for stack in stacks):
        raise RulesError(f"stacks are two numbers of chips from 1 to {MOST_CHIPS:,}; got {stacks}")
    if len(cards) != 9:
        raise CardError(f"a hand is dealt 9 cards: two, two and five; got {len(cards)}")
    known = [card for card in cards if card != UNKNOWN]
    if not all(0 <= card < 52 for card in known):
        raise CardError(f"cards are 0 (2c) to 51 (As); got {max(known)}")
    twice = next((card for card in known if known.count(card) > 1), None)
    if twice is not None:
        raise CardError(f"{card_text(twice)} is dealt twice; a deck has one of each card")
