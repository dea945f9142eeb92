"""Where one stands in a session, finished or yours to play, and the ways on from there. Nothing here is drawn."""

from __future__ import annotations

from dataclasses import replace

from holecard.blackjack.arena.scene import Kind
from holecard.blackjack.arena.watched import WatchedSession, WatchedTable
from holecard.blackjack.game.actions import Action
from holecard.ui.session.action_bar import ActionBar, is_good, verdict_on
from holecard.ui.session.playback import Playback
from holecard.ui.session.settings import Settings
from holecard.ui.session.standing import Standing, standing_at


class Stepper:
    """A session and the step one looks at: `at`, of `playback`."""

    def __init__(self, playback: Playback, session: WatchedSession, table: WatchedTable | None = None) -> None:
        self.playback, self.table = playback, table
        self._session = session
        self.rounds = table.terms.rounds if table else len(session.rounds)
        self.at = 0
        self.message = ""
        """Why the last decision was refused."""
        if table is not None:
            self._deal()

    @classmethod
    def of(cls, session: WatchedSession) -> Stepper:
        """A finished session, at its first card."""
        return cls(Playback.of(session), session)

    @classmethod
    def yours(cls, settings: Settings) -> Stepper:
        """A session that you play."""
        terms = settings.terms()
        table = WatchedTable(terms, settings.agent)
        return cls(Playback(terms.rules, terms.bet, terms.bankroll), table.session(), table)

    @property
    def session(self) -> WatchedSession:
        """The session; of one you play, the rounds finished so far."""
        return self.table.session() if self.table else self._session

    @property
    def asks(self) -> bool:
        """True if the next decision is yours."""
        return self.table is not None and self.table.view is not None and self.at == self.last

    @property
    def last(self) -> int:
        """The last step there is so far."""
        return len(self.playback) - 1

    @property
    def is_at_end(self) -> bool:
        """True if nothing can follow."""
        return self.at == self.last and (self.table is None or (self.table.view is None and self.table.is_over))

    @property
    def would_be_lost(self) -> bool:
        """True if you have decided something and the session is not over."""
        played = self.playback.rounds or self.playback.decisions(self.last)
        return self.table is not None and not self.is_at_end and bool(played)

    def following(self) -> int | None:
        """The step to go to next, of a round that is dealt for it where that is needed; None if there is none now."""
        if self.at == self.last:
            if self.asks or self.is_at_end:
                return None
            self._deal()
        return self.at + 1

    def decide(self, action: Action) -> int | None:
        """Your decision: the step that carries it out; None if it is not legal, and `message` says why."""
        assert self.table is not None
        view = self.table.view
        if view is None or action not in view.legal:
            legal = ", ".join(each.word for each in view.legal) if view else "nothing"
            self.message = f"cannot {action.word} here; legal: {legal}"
            return None
        self.message = ""
        self.table.decide(action)
        self._take_over()
        following = range(self.at + 1, len(self.playback))
        return next(at for at in following if self.playback.step(at).kind == Kind.ACT)

    def _deal(self) -> None:
        assert self.table is not None
        self.table.deal()
        self._take_over()

    def _take_over(self) -> None:
        """Put what happened at your table onto the playback."""
        assert self.table is not None
        if self.table.view is None and self.table.last is not None:
            self.playback.add(self.table.last)
        else:
            self.playback.grow(*self.table.current())

    def bar(self, *, shows_evs: bool = False) -> ActionBar:
        """What the action bar says at this step; before your decision, EVs only where they are wanted."""
        if self.asks:
            return self._question(shows_evs)
        decision = self.playback.decision(self.at)
        if decision is not None:
            return ActionBar.of(decision)
        taken = self.playback.decisions(self.at)
        if taken and self.playback.step(self.at).kind != Kind.DEAL:
            return ActionBar.of(taken[-1], past=True)
        return ActionBar(title="the deal", reason="two cards each, the dealer's second face down")

    def _question(self, shows_evs: bool) -> ActionBar:
        assert self.table is not None
        assert self.table.view is not None
        bar = ActionBar(title=f"Your turn: {self.table.spot()}", actions=self.table.view.legal, asks=True)
        if shows_evs:
            valuation = self.table.valuation()
            bar = replace(bar, evs=valuation.evs, best=valuation.best, fresh=valuation.fresh)
        last = self.playback.decisions(self.at)
        if self.message:
            return replace(bar, verdict=self.message, good=False)
        if last:
            return replace(bar, verdict=f"before: {verdict_on(last[-1])}", good=is_good(last[-1]))
        keys = "E hides the EVs" if shows_evs else "E shows what each action is worth"
        return replace(bar, reason=f"click an action or press its key; {keys}")

    def standing(self) -> Standing:
        """How the session stands at this step."""
        return standing_at(self.playback, self.at, self.rounds)
