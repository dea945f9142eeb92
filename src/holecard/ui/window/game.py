"""The game screen: a session step by step, forwards and back, by itself or key by key; or yours to play.

`Stepper` knows where the session stands, `TableView` draws it; here are the keys and the clock.
"""

from __future__ import annotations

from typing import Final

import pygame

from holecard.blackjack.arena.scene import Kind
from holecard.blackjack.arena.watched import WatchedSession
from holecard.blackjack.game.actions import Action
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import Settings
from holecard.ui.session.stepper import Stepper
from holecard.ui.window.action_bar import KEYS
from holecard.ui.window.screens import ENTER, LEAVE, Finish, Hint, HintBar, Quit, ToMenu, Transition
from holecard.ui.window.table_view import TableView
from holecard.ui.window.theme import Theme

REST: Final = {Kind.DEAL: 0.6, Kind.DECIDE: 1.1, Kind.ACT: 0.5, Kind.DEALER: 0.6, Kind.RESULT: 1.6}
"""Seconds a step stands when steps follow by themselves, at speed 1."""


class GameScreen:
    """A session on the table: a finished one, or one that you play."""

    def __init__(self, stepper: Stepper, preferences: Preferences, theme: Theme) -> None:
        self.stepper, self.preferences = stepper, preferences
        self.hints = HintBar(_hints(stepper.table is not None))
        self.view = TableView(stepper, preferences, theme, self.hints)
        self._leaving: Quit | ToMenu | None = None

    @classmethod
    def of(cls, session: WatchedSession, preferences: Preferences, theme: Theme) -> GameScreen:
        """A finished session from its first card."""
        return cls(Stepper.of(session), preferences, theme)

    @classmethod
    def yours(cls, settings: Settings, preferences: Preferences, theme: Theme) -> GameScreen:
        """A session that you play."""
        return cls(Stepper.yours(settings), preferences, theme)

    @property
    def session(self) -> WatchedSession:
        """The session; of one you play, the rounds finished so far."""
        return self.stepper.session

    @property
    def theme(self) -> Theme:
        """The measures it is drawn with."""
        return self.view.theme

    @property
    def stale(self) -> bool:
        """True until the step was drawn with everything at rest."""
        return self.view.stale

    def layout(self, theme: Theme) -> None:
        """Take the measures."""
        self.view.layout(theme)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the table."""
        self.view.draw(surface)

    def go(self, at: int, *, animate: bool) -> None:
        """Turn to a step; cards that are new on it fly in if that is wanted."""
        before, self.stepper.at = self.stepper.at, at
        self.view.turn_from(before, animate=animate)

    def to_last_step(self) -> None:
        """Stand at the end of the session, as when coming back from the results."""
        self.preferences.automatic = False
        self.go(self.stepper.last, animate=False)

    def update(self, seconds: float) -> Transition | None:
        """Let time pass; a step that has stood long enough gives way to the next."""
        if self._leaving is not None:
            return None
        self.view.update(seconds)
        rest = REST[self.stepper.playback.step(self.stepper.at).kind]
        if self.preferences.automatic and not self.stepper.asks and self.view.rested >= rest:
            return self._forward()
        return None

    def _forward(self) -> Transition | None:
        """The next step, the next round, or the results."""
        at = self.stepper.following()
        if at is not None:
            self.go(at, animate=True)
        return Finish(self.session) if self.stepper.is_at_end and at is None else None

    def _back(self) -> None:
        """The step before, at once; the first one stays."""
        self.preferences.automatic = False
        if self.stepper.at > 0:
            self.go(self.stepper.at - 1, animate=False)

    def _decide(self, action: Action) -> None:
        at = self.stepper.decide(action)
        if at is not None:
            self.go(at, animate=True)

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """Keys as the hint bar says; a click on an action when it is your turn."""
        if self._leaving is not None:
            return self._answered(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.stepper.asks:
            actions = self.stepper.bar().actions
            for action, rect in zip(actions, self.view.action_rects(len(actions)), strict=True):
                if rect.collidepoint(event.pos):
                    self._decide(action)
        if event.type != pygame.KEYDOWN:
            return None
        if event.key in LEAVE or event.key == pygame.K_r:
            return self._leave(Quit() if event.key in LEAVE else ToMenu())
        return self._press(event)

    def _leave(self, where: Quit | ToMenu) -> Transition | None:
        """Leave at the end; before it a session is not left by a slip of the finger."""
        is_lost = self.stepper.would_be_lost
        if not (is_lost or (isinstance(where, Quit) and not self.stepper.is_at_end)):
            return where
        self._leaving = where
        key = "Q" if isinstance(where, Quit) else "R"
        loss = "What you have played is lost. " if is_lost else ""
        self.view.question = f"Leave this session? {loss}{key} or Enter leaves, any other key stays"
        self.view.layout(self.theme)
        return None

    def _answered(self, event: pygame.event.Event) -> Transition | None:
        """The answer to whether to leave."""
        where, self._leaving, self.view.question = self._leaving, None, ""
        self.view.layout(self.theme)
        key = pygame.K_q if isinstance(where, Quit) else pygame.K_r
        return where if event.type == pygame.KEYDOWN and event.key in (key, *ENTER) else None

    def _press(self, event: pygame.event.Event) -> Transition | None:
        key, preferences, stepper = event.key, self.preferences, self.stepper
        if key == pygame.K_SPACE:
            preferences.automatic = not preferences.automatic
        elif key == pygame.K_RIGHT:
            preferences.automatic = preferences.automatic and stepper.table is not None
            return self._forward()
        elif key == pygame.K_LEFT:
            self._back()
        elif key in (pygame.K_PLUS, pygame.K_KP_PLUS, pygame.K_EQUALS) or event.unicode == "+":
            preferences.faster(1)
        elif key in (pygame.K_MINUS, pygame.K_KP_MINUS) or event.unicode in ("-", "−"):
            preferences.faster(-1)
        elif key in ENTER:
            return self._to_end()
        elif key == pygame.K_e:
            preferences.shows_evs = not preferences.shows_evs
        elif key == pygame.K_c:
            preferences.shows_count = not preferences.shows_count
            self.view.layout(self.theme)
        elif stepper.table is not None and key in KEYS:
            if stepper.asks:
                self._decide(KEYS[key])
            elif stepper.at < stepper.last and stepper.table.view is not None:
                self.go(stepper.last, animate=False)
        return None

    def _to_end(self) -> Transition | None:
        if not self.session.rounds:
            self.stepper.message = "finish a round first"
            return None
        return Finish(self.session)


def _hints(yours: bool) -> list[Hint]:
    play = [
        Hint("Space", "auto / step", pygame.K_SPACE),
        Hint("→", "next", pygame.K_RIGHT),
        Hint("←", "back", pygame.K_LEFT),
    ]
    speed = [Hint("+", "faster", pygame.K_PLUS), Hint("−", "slower", pygame.K_MINUS)]
    ends = [Hint("Enter", "to the end", pygame.K_RETURN), Hint("R", "menu", pygame.K_r), Hint("Q", "quit", pygame.K_q)]
    evs = [Hint("E", "EVs", pygame.K_e)] if yours else []
    count = Hint("C", "count", pygame.K_c)
    return [*play, *speed, *ends, *evs, count, Hint("M", "less motion", pygame.K_m), Hint("F1", "help", pygame.K_F1)]
