"""The rules of a heads-up no-limit game as people state them, and the few numbers of them that kernels need."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Final, NamedTuple

from holecard.errors import RulesError

MOST_CHIPS: Final = 10**12
"""No stack or blind may exceed this, so that no sum of chips overflows."""


class Street(IntEnum):
    """Where a hand stands; SHOWDOWN once no more bets are possible."""

    PREFLOP = 0
    FLOP = 1
    TURN = 2
    RIVER = 3
    SHOWDOWN = 4

    def __str__(self) -> str:
        """The street in lower case."""
        return self.name.lower()


class Stakes(NamedTuple):
    """What the betting rules need to know, in chips; enters kernels as it is."""

    small_blind: int
    big_blind: int
    ante: int


class SessionTerms(NamedTuple):
    """What the loop of a session needs to know; enters kernels as it is."""

    stakes: Stakes
    carried: bool
    """Stacks carry over from hand to hand, and the session ends when one is gone."""
    rebuys: bool
    """It does not end then: both begin the next hand with full stacks, and know as little as at first."""
    buy_in: int
    """Chips both players start the session with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemRules:
    """The rules of a heads-up no-limit game; prints only what differs from the defaults.

    >>> HoldemRules(stack=1000, small_blind=5, big_blind=10)
    HoldemRules(small_blind=5, big_blind=10, stack=1000)
    """

    small_blind: int = 50
    """Posted by the button, who acts first before the flop and last after."""
    big_blind: int = 100
    """Posted by the other seat; the smallest bet, and the smallest raise until a larger one."""
    ante: int = 0
    """Posted by both before the blinds."""
    stack: int = 20_000
    """Chips each player starts a session with."""
    carried: bool = False
    """Stacks carry over from hand to hand and a session ends when one is gone; otherwise every hand starts afresh."""
    rebuys: bool = False
    """Where stacks carry over: when one is gone both buy in again and begin anew, in the same session."""
    hands: int = 500
    """Hands in a session, unless someone goes broke."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not 1 <= self.big_blind <= MOST_CHIPS:
            raise RulesError(f"big_blind must be 1 to {MOST_CHIPS:,} chips; got {self.big_blind}")
        if not 0 <= self.small_blind <= self.big_blind:
            raise RulesError(f"small_blind must be 0 to the big blind, {self.big_blind}; got {self.small_blind}")
        if not 0 <= self.ante <= MOST_CHIPS:
            raise RulesError(f"ante must be 0 to {MOST_CHIPS:,} chips; got {self.ante}")
        if not 1 <= self.stack <= MOST_CHIPS:
            raise RulesError(f"stack must be 1 to {MOST_CHIPS:,} chips; got {self.stack}")
        if self.rebuys and not self.carried:
            raise RulesError("rebuys need stacks that carry over; drop rebuys, or set carried")
        if self.hands < 1:
            raise RulesError(f"hands must be 1 or more; got {self.hands}")

    def __repr__(self) -> str:
        """Only what differs from the defaults."""
        changed = (
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return f"HoldemRules({', '.join(changed)})"

    @property
    def in_words(self) -> str:
        """The game in a line.

        >>> HoldemRules(ante=5).in_words
        'blinds 50/100, ante 5, 20,000 chips, reset every hand'
        """
        ante = f", ante {self.ante:,}" if self.ante else ""
        until = " until one is gone, then reset" if self.rebuys else ""
        stacks = f"carried from hand to hand{until}" if self.carried else "reset every hand"
        return f"blinds {self.small_blind:,}/{self.big_blind:,}{ante}, {self.stack:,} chips, {stacks}"

    @property
    def stakes(self) -> Stakes:
        """Blinds and ante for the kernels."""
        return Stakes(self.small_blind, self.big_blind, self.ante)

    @property
    def session_terms(self) -> SessionTerms:
        """The terms of a session for the kernels."""
        return SessionTerms(self.stakes, self.carried, self.rebuys, self.stack)
