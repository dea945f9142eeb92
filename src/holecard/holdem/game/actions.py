"""What a player may do and what has happened: actions, the legal ones of a spot, and the events of a hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from holecard.cards import card_sign, cards_text
from holecard.errors import IllegalAction
from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.game.ranking import best_five, category_of
from holecard.holdem.game.rules import Street


class Kind(IntEnum):
    """The kinds of action; a bet is a raise from nothing."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    RAISE = 3

    def __str__(self) -> str:
        """The kind in lower case."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Action:
    """Fold, check, call, or raise to a number of chips in front of the player on this street."""

    kind: Kind
    raise_to: int = 0
    """The whole bet after the raise; 0 for the other kinds."""

    @property
    def move(self) -> int:
        """The action as the betting rules take it."""
        return {Kind.FOLD: FOLD, Kind.RAISE: self.raise_to}.get(self.kind, CALL)

    def __str__(self) -> str:
        """The action in words: `raise to 300`."""
        return f"raise to {self.raise_to}" if self.kind == Kind.RAISE else str(self.kind)


FOLDS = Action(Kind.FOLD)
CHECKS = Action(Kind.CHECK)
CALLS = Action(Kind.CALL)


def raises_to(chips: int) -> Action:
    """A raise (or bet) to `chips` in front of the player."""
    return Action(Kind.RAISE, chips)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalActions:
    """What the actor may do; prints as a card room says it.

    >>> LegalActions(to_call=50, min_raise_to=200, max_raise_to=1000)
    fold, call 50, raise to 200 … 1000
    """

    to_call: int
    """Chips needed to stay in; 0 where a check is free, and then a fold is refused."""
    min_raise_to: int
    """The smallest raise, 0 where none is allowed."""
    max_raise_to: int
    """The largest raise: all-in; 0 where none is allowed."""

    @property
    def can_raise(self) -> bool:
        """True if any raise is allowed."""
        return self.max_raise_to > 0

    def verify(self, action: Action) -> None:
        """Refuse an action that is not legal here, saying what is."""
        legal = f"; legal here: {self}"
        if action.kind == Kind.FOLD and self.to_call == 0:
            raise IllegalAction(f"cannot fold when checking is free{legal}")
        if action.kind == Kind.CHECK and self.to_call > 0:
            raise IllegalAction(f"cannot check with {self.to_call} to call{legal}")
        if action.kind == Kind.CALL and self.to_call == 0:
            raise IllegalAction(f"cannot call, there is nothing to call{legal}")
        if action.kind == Kind.RAISE:
            if not self.can_raise:
                raise IllegalAction(f"cannot raise to {action.raise_to}: nobody could call more{legal}")
            if action.raise_to < self.min_raise_to:
                raise IllegalAction(f"cannot raise to {action.raise_to}, the minimum is {self.min_raise_to}{legal}")
            if action.raise_to > self.max_raise_to:
                raise IllegalAction(f"cannot raise to {action.raise_to}, all-in is {self.max_raise_to}{legal}")

    def allows(self, action: Action) -> bool:
        """True if the action is legal here."""
        try:
            self.verify(action)
        except IllegalAction:
            return False
        return True

    def of_move(self, move: int) -> Action:
        """The action that a (legal) move of the betting rules is here."""
        if move == FOLD:
            return FOLDS
        if move == CALL:
            return CALLS if self.to_call else CHECKS
        return raises_to(move)

    def parse(self, text: str) -> Action:
        """The action of a text such as `f`, `call`, `raise to 300`, `r300`, `all-in`.

        >>> LegalActions(to_call=50, min_raise_to=200, max_raise_to=1000).parse("r 300")
        Action(kind=<Kind.RAISE: 3>, raise_to=300)
        """
        words = text.strip().lower()
        if words in ("a", "all-in", "all in", "allin", "shove"):
            return raises_to(self.max_raise_to) if self.can_raise else self.of_move(CALL)
        if words in ("f", "fold"):
            return FOLDS
        if words in ("c", "cc", "k", "x", "call", "check"):
            return self.of_move(CALL)
        match = re.fullmatch(r"(?:r|b|raise|bet)(?:\s*to)?\s*(\d+)", words)
        if match is None:
            raise IllegalAction(f"cannot read {text.strip()!r}; legal here: {self}")
        return raises_to(int(match[1]))

    def __repr__(self) -> str:
        """The legal actions as a card room says them."""
        parts = ["fold", f"call {self.to_call}"] if self.to_call else ["check"]
        if self.can_raise:
            span = f"{self.min_raise_to} … {self.max_raise_to}"
            parts.append(f"raise to {self.max_raise_to if self.min_raise_to == self.max_raise_to else span}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Posted:
    """Antes and blinds put in by a seat."""

    seat: int
    ante: int
    blind: int

    def __str__(self) -> str:
        """`seat 0 posts 50`, with an ante where there is one."""
        return f"seat {self.seat} posts {self.blind}" + (f" and an ante of {self.ante}" if self.ante else "")


@dataclass(frozen=True, slots=True)
class HoleDealt:
    """Two cards dealt to a seat; None where they are not for these eyes."""

    seat: int
    cards: tuple[int, int] | None

    def hidden(self) -> Self:
        """The same event as the other seat sees it."""
        return type(self)(self.seat, None)

    def __str__(self) -> str:
        """`seat 0 is dealt A♥ K♥`."""
        return f"seat {self.seat} is dealt " + ("two cards" if self.cards is None else signs(self.cards))


@dataclass(frozen=True, slots=True)
class Acted:
    """An action, the chips it put in, whether they were the last ones, and whether it opened the street's betting."""

    seat: int
    action: Action
    chips: int
    all_in: bool
    opens: bool

    def __str__(self) -> str:
        """`seat 1 calls 50`."""
        words = {Kind.FOLD: "folds", Kind.CHECK: "checks", Kind.CALL: f"calls {self.chips}"}
        said = words.get(self.action.kind, f"{'bets' if self.opens else 'raises to'} {self.action.raise_to}")
        return f"seat {self.seat} {said}" + (", all-in" if self.all_in else "")


@dataclass(frozen=True, slots=True)
class BoardDealt:
    """The cards of a street, turned over."""

    street: Street
    cards: tuple[int, ...]

    def __str__(self) -> str:
        """`flop: 2♣ 7♥ 9♠`."""
        return f"{self.street}: {signs(self.cards)}"


@dataclass(frozen=True, slots=True)
class Returned:
    """Chips nobody called, given back."""

    seat: int
    chips: int

    def __str__(self) -> str:
        """`30 uncalled chips return to seat 0`."""
        return f"{self.chips} uncalled chips return to seat {self.seat}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand turned over at the showdown, with its strength."""

    seat: int
    cards: tuple[int, int]
    board: tuple[int, ...]
    strength: int

    def __str__(self) -> str:
        """`seat 0 shows A♥ K♥: pair (A♥ A♣ …)`."""
        five = signs(best_five([*self.cards, *self.board]))
        return f"seat {self.seat} shows {signs(self.cards)}: {category_of(self.strength)} ({five})"


@dataclass(frozen=True, slots=True)
class Won:
    """Chips of the pot paid to a seat."""

    seat: int
    chips: int

    def __str__(self) -> str:
        """`seat 0 wins 300`."""
        return f"seat {self.seat} wins {self.chips}"


Event = Posted | HoleDealt | Acted | BoardDealt | Returned | Shown | Won


def signs(cards: tuple[int, ...]) -> str:
    """Cards as people draw them, spaced; `??` for what is not known."""
    return " ".join(card_sign(card) if card < 52 else "??" for card in cards)


def hole_text(cards: tuple[int, int] | None) -> str:
    """Two cards as letters, `????` where unknown."""
    return "????" if cards is None else cards_text(cards)
