"""Rounds and sessions at a table after they are over, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from holecard.blackjack.game.actions import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """One hand of a finished round."""

    cards: tuple[int, ...]
    """Card codes in the order they came."""
    bet: float
    """Money staked on it."""
    result: str
    """`stood`, `bust`, `surrendered`, `charlie` or `natural`."""
    net: float
    """Money won or lost on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """A finished round. Money is in the units of the bet."""

    number: int
    """1 for the first round at the table."""
    bet: float
    """Money bet on it before the deal."""
    hands: tuple[HandRecord, ...]
    """The player's hands, in the order of their indices 1 to 4."""
    dealer: tuple[int, ...]
    """The dealer's cards, the hole card second."""
    actions: tuple[Action, ...]
    """What the player did, in order."""
    insured: bool
    """Whether insurance was taken."""
    net: float
    """Money won or lost in all."""
    bankroll: float
    """Money after the round."""

    @property
    def outcome(self) -> str:
        """`win`, `push` or `loss`, by the sign of the net result."""
        return "win" if self.net > 0 else "loss" if self.net < 0 else "push"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    """What a player did in a session at one table."""

    rounds: int
    """Rounds played; fewer than asked for if the bankroll ran out."""
    wins: int
    pushes: int
    losses: int
    net: float
    """Money won or lost."""
    staked: float
    """Money bet before the deals: `rounds * bet` where every bet is the base bet."""
    bankroll: float
    """Money at the end."""
    decisions: int
    """Decisions taken."""
    records: tuple[RoundRecord, ...] = ()
    """The rounds themselves, if they were kept."""

    @property
    def win_rate(self) -> float:
        """Wins over rounds."""
        return self.wins / self.rounds if self.rounds else 0.0
