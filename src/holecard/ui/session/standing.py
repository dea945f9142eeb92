"""How a session stands at one step: money, rounds, outcomes, and what was given away."""

from __future__ import annotations

import math
from dataclasses import dataclass

from holecard.ui.session.playback import Playback


@dataclass(frozen=True, slots=True)
class Standing:
    """How a session stands."""

    bankroll: float
    start: float
    """The bankroll before the first round."""
    bet: float
    """On the table now."""
    round: int
    """The round in play, 1 for the first."""
    rounds: int
    """Rounds of the whole session."""
    bankrolls: tuple[float, ...]
    """Before any round and after each."""
    wins: int
    pushes: int
    losses: int
    given_away: float
    """In initial bets."""

    @property
    def net(self) -> float:
        """Money won or lost since the start; 0 where the bankroll has no limit."""
        return self.bankroll - self.start if self.start != math.inf else 0.0


def standing_at(playback: Playback, at: int, rounds: int) -> Standing:
    """How a session of so many rounds stands at a step."""
    number, paid = playback.round_of(at), playback.is_paid(at)
    finished = playback.rounds[: number + 1] if paid else playback.rounds[:number]
    outcomes = [each.outcome for each in finished]
    return Standing(
        bankroll=playback.bankroll(at),
        start=playback.start,
        bet=playback.bet_at(at) * sum(hand.bets for hand in playback.scene(at).hands),
        round=number + 1,
        rounds=rounds,
        bankrolls=(playback.start, *(each.bankroll for each in finished)),
        wins=outcomes.count("win"),
        pushes=outcomes.count("push"),
        losses=outcomes.count("loss"),
        given_away=playback.given_away(at),
    )
