"""A session step by step, to be shown forwards and back: what lies on the table at each step."""

from __future__ import annotations

from functools import lru_cache

from holecard.blackjack.arena.scene import Kind, Scene, Step, scene_after, steps_of
from holecard.blackjack.arena.watched import Decision, WatchedRound, WatchedSession
from holecard.blackjack.game.events import Event
from holecard.blackjack.game.rules import Rules


class Playback:
    """The steps of a session; a round in play is its last and grows."""

    def __init__(self, rules: Rules, bet: float, bankroll: float) -> None:
        self.rules, self.bet, self.start = rules, bet, bankroll
        self.rounds: list[WatchedRound] = []
        self._steps: list[tuple[int, Step]] = []
        self._open: tuple[tuple[Event, ...], tuple[Decision, ...]] | None = None
        self._closed_steps = 0
        self._given_before = [0.0]

    @classmethod
    def of(cls, session: WatchedSession) -> Playback:
        """The steps of a finished session."""
        playback = cls(session.rules, session.bet, session.bankroll)
        for each in session.rounds:
            playback.add(each)
        return playback

    def add(self, each: WatchedRound) -> None:
        """A round is finished."""
        del self._steps[self._closed_steps :]
        self._open = None
        number = len(self.rounds)
        self.rounds.append(each)
        self._steps += [(number, step) for step in steps_of(each.events)]
        self._closed_steps = len(self._steps)
        self._given_before.append(self._given_before[-1] + each.given_away)

    def grow(self, events: tuple[Event, ...], decisions: tuple[Decision, ...]) -> None:
        """The round in play is this far."""
        del self._steps[self._closed_steps :]
        self._open = events, decisions
        self._steps += [(len(self.rounds), step) for step in steps_of(events)]

    def __len__(self) -> int:
        return len(self._steps)

    def step(self, at: int) -> Step:
        """A step."""
        return self._steps[at][1]

    def round_of(self, at: int) -> int:
        """Which round a step is of, 0 for the first."""
        return self._steps[at][0]

    def events(self, at: int) -> tuple[Event, ...]:
        """The events of the round that a step is of."""
        number = self.round_of(at)
        if number < len(self.rounds):
            return self.rounds[number].events
        assert self._open is not None
        return self._open[0]

    def decisions(self, at: int) -> tuple[Decision, ...]:
        """The decisions of the round that a step is of."""
        number = self.round_of(at)
        if number < len(self.rounds):
            return self.rounds[number].decisions
        assert self._open is not None
        return self._open[1]

    def decision(self, at: int) -> Decision | None:
        """The decision that a step shows or has just carried out."""
        number = self.step(at).decision
        return None if number is None else self.decisions(at)[number]

    def scene(self, at: int) -> Scene:
        """The table at a step."""
        return _scene(self.events(at)[: self.step(at).upto], self.rules)

    def is_paid(self, at: int) -> bool:
        """True if the round is over at this step."""
        return self.step(at).kind == Kind.RESULT

    def bankroll(self, at: int) -> float:
        """Money before the round of a step, or after it once it is paid."""
        number = self.round_of(at)
        if self.is_paid(at):
            return self.rounds[number].bankroll
        return self.rounds[number - 1].bankroll if number else self.start

    def bet_at(self, at: int) -> float:
        """Money on a hand of the round of a step that is neither doubled nor split."""
        number = self.round_of(at)
        return self.bet * (self.rounds[number].bets if number < len(self.rounds) else 1.0)

    def given_away(self, at: int) -> float:
        """Initial bets given away up to a step."""
        step, decisions = self.step(at), self.decisions(at)
        taken = 0 if step.kind == Kind.DEAL else len(decisions) if step.decision is None else step.decision + 1
        return self._given_before[self.round_of(at)] + sum(decision.cost for decision in decisions[:taken])


@lru_cache(maxsize=64)
def _scene(events: tuple[Event, ...], rules: Rules) -> Scene:
    return scene_after(events, rules)
