"""The program of the window: which screen is on, how one leads to the next, and the loop that keeps it alive.

The menu opens without the engine, which takes as long to load as everything else; the other screens bring it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pygame

from holecard.errors import HolecardError
from holecard.ui.session.agents import YOU
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import Settings
from holecard.ui.window.help_overlay import draw_help
from holecard.ui.window.menu import Menu
from holecard.ui.window.screens import Again, Back, Finish, Quit, Screen, Show, Start, ToMenu, Transition, as_key
from holecard.ui.window.theme import Theme
from holecard.ui.window.window import Window

if TYPE_CHECKING:
    from holecard.blackjack.arena.watched import WatchedSession
    from holecard.ui.window.game import GameScreen
    from holecard.ui.window.loading import Loading

FRAMES: Final = 60
"""Frames a second while something moves."""
_LONGEST: Final = 0.1
"""Seconds that one frame may move things by, however long it took."""


class App:
    """Menu → loading → game → results, and back."""

    def __init__(
        self,
        window: Window,
        settings: Settings,
        *,
        preferences: Preferences | None = None,
        replay: WatchedSession | None = None,
    ) -> None:
        self.window, self.settings = window, settings
        self.preferences = preferences or Preferences()
        self.running, self.shows_help, self._drawn = True, False, False
        self.theme = Theme(window.surface.get_size())
        self.replay = replay
        self._game: GameScreen | None = None
        self._loading: Loading | None = None
        self.screen: Screen = Menu(settings, self.preferences)
        if replay is not None:
            self.go(Show(replay))
        self.screen.layout(self.theme)

    def go(self, transition: Transition | None) -> None:
        """Go to another screen, if one is given."""
        match transition:
            case None:
                return
            case Quit():
                self.running = False
                return
            case Start(settings):
                self.settings, self.replay = settings, None
                self._start(settings)
            case Show(session):
                self._show(session)
            case Finish(session):
                self._finish(session)
            case Back():
                assert self._game is not None
                self._game.to_last_step()
                self.screen = self._game
            case Again():
                self.preferences.automatic = True
                self.go(Show(self.replay) if self.replay is not None else Start(self.settings.again()))
            case ToMenu(message):
                self.screen = Menu(self.settings, self.preferences, message)
        self._drawn = False
        self.screen.layout(self.theme)

    def _show(self, session: WatchedSession) -> None:
        from holecard.ui.window.game import GameScreen

        self.screen = self._game = GameScreen.of(session, self.preferences, self.theme)

    def _finish(self, session: WatchedSession) -> None:
        from holecard.ui.window.results import Results

        again = "Show Again" if self.replay is not None else "Play Again"
        self.screen = Results(session, self.preferences, again=again)

    def _start(self, settings: Settings) -> None:
        self.preferences.automatic = True
        try:
            if settings.agent == YOU:
                from holecard.ui.window.game import GameScreen

                self.screen = self._game = GameScreen.yours(settings, self.preferences, self.theme)
            else:
                from holecard.ui.window.loading import Loading

                self.screen = self._loading = Loading(settings, self.preferences)
        except HolecardError as problem:
            self.screen = Menu(settings, self.preferences, str(problem))

    def handle(self, event: pygame.event.Event) -> None:
        """Take one event: the window's own ones here, the rest goes to the screen."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
            self.resize()
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED, pygame.WINDOWSHOWN):
            self.screen.layout(self.theme)  # what was drawn may be lost
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION):
            event = self.window.in_pixels(event)
            self.theme.pointer = event.pos
            if event.type == pygame.MOUSEBUTTONDOWN:
                self._to_screen(event)
        elif event.type == pygame.KEYDOWN:
            self._to_screen(event)

    def _to_screen(self, event: pygame.event.Event) -> None:
        if self.shows_help:
            self.shows_help = False
            self.screen.layout(self.theme)
            return
        event = as_key(event, self.screen.hints)
        typing = isinstance(self.screen, Menu) and self.screen.typing
        if event.type == pygame.KEYDOWN and not (typing and event.unicode):
            if event.key == pygame.K_F1 or event.unicode == "?":
                self.shows_help = True
                return
            if event.key == pygame.K_F11:
                self.window.toggle_full_screen()
                self.resize()
                return
            if event.key == pygame.K_m:
                self.preferences.less_motion = not self.preferences.less_motion
                return
        self.go(self.screen.handle(event))

    def resize(self) -> None:
        """Take the window's new measures."""
        size = self.window.surface.get_size()
        if size != self.theme.size:
            self.theme = Theme(size)
            self._drawn = False
            self.screen.layout(self.theme)
            if self._game is not None and self._game is not self.screen:
                self._game.layout(self.theme)

    def update(self, seconds: float) -> None:
        """Let time pass; while help lies over the screen it stands still."""
        if not self.shows_help:
            self.go(self.screen.update(min(seconds, _LONGEST)))

    def draw(self) -> None:
        """Draw the screen, and the help over it."""
        self.resize()
        self._drawn = True
        surface = self.window.surface
        self.screen.draw(surface)
        if self.shows_help:
            draw_help(surface, self.theme)

    def pump(self) -> None:
        """Take all events that have come."""
        for event in pygame.event.get():
            if self.running:
                self.handle(event)
                self._drawn = False

    def run(self) -> None:
        """Until somebody quits."""
        clock = pygame.time.Clock()
        while self.running:
            self.pump()
            self.update(clock.tick(FRAMES) / 1000)
            if self.screen.stale or not self._drawn:
                self.draw()
                self.window.show()
        if self._loading is not None:
            self._loading.background.stop()
