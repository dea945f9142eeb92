"""The loading screen: a session is being computed; how far it is, and how to stop it."""

from __future__ import annotations

import math

import pygame

from holecard.ui.session.agents import agent_choice
from holecard.ui.session.background_session import BackgroundSession
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import Settings
from holecard.ui.window.cards import RATIO, card_picture, draw_shadow
from holecard.ui.window.screens import ENTER, LEAVE, Hint, HintBar, Quit, Show, ToMenu, Transition
from holecard.ui.window.theme import GOLD, MUTED, PANEL, RAISED, TEXT, Theme


class Loading:
    """Shows real progress; Enter watches what is there already, R goes back."""

    def __init__(self, settings: Settings, preferences: Preferences) -> None:
        self.settings, self.preferences = settings, preferences
        self.background = BackgroundSession(settings)
        self.background.start()
        self.theme = Theme((1280, 800))
        self._time = 0.0
        self._early = False
        self.hints = HintBar(
            [
                Hint("Enter", "watch what is there", pygame.K_RETURN),
                Hint("R", "stop, back to the menu", pygame.K_r),
                Hint("Q", "quit", pygame.K_q),
                Hint("F1", "help", pygame.K_F1),
            ]
        )

    @property
    def stale(self) -> bool:
        """True: it counts."""
        return True

    def layout(self, theme: Theme) -> None:
        """Take the measures."""
        self.theme = theme
        self.hints.layout(theme)

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """R stops and leaves, Enter stops and watches."""
        if event.type != pygame.KEYDOWN:
            return None
        if event.key in LEAVE:
            self.background.stop()
            return Quit()
        if event.key == pygame.K_r:
            self.background.stop()
            return ToMenu()
        if event.key in ENTER:
            self._early = True
            if self.background.done:
                self.background.stop()
        return None

    def update(self, seconds: float) -> Transition | None:
        """Go on when the session is there, or back if it cannot be."""
        self._time += seconds
        if self._early and self.background.done:
            self.background.stop()
        if self.background.error is not None:
            return ToMenu(self.background.error)
        if self.background.session is not None:
            return Show(self.background.session)
        return None

    def draw(self, surface: pygame.Surface) -> None:
        """A fan of cards, the bar and the count."""
        theme, px = self.theme, self.theme.px
        width, height = theme.size
        surface.blit(theme.felt(theme.size), (0, 0))
        card = px(84)
        for number in range(5):
            wave = 0.0 if self.preferences.less_motion else math.sin(3.2 * self._time - 0.7 * number)
            at = (
                width // 2 + (number - 2) * round(card * 0.62) - card // 2,
                height // 2 - px(180) + round(px(9) * wave),
            )
            draw_shadow(surface, card, at)
            surface.blit(card_picture(None, card), at)
        y = height // 2 - px(180) + round(card * RATIO) + px(46)
        title = f"{agent_choice(self.settings.agent).title} takes a seat"
        theme.write(surface, title, (width // 2, y), 28, TEXT, bold=True, anchor="midtop", width=width - px(80))
        theme.write(surface, self.background.phase.value, (width // 2, y + px(44)), 16, MUTED, anchor="midtop")
        bar = pygame.Rect(0, 0, px(520), px(18))
        bar.midtop = (width // 2, y + px(84))
        theme.panel(surface, bar, PANEL, radius=9)
        if self.background.share > 0:
            filled = pygame.Rect(
                bar.left, bar.top, max(round(bar.width * self.background.share), bar.height), bar.height
            )
            pygame.draw.rect(surface, GOLD, filled, border_radius=px(9))
        pygame.draw.rect(surface, RAISED, bar, width=1, border_radius=px(9))
        count = f"{self.background.done:,} of {self.settings.rounds:,} rounds"
        theme.write(surface, count, (width // 2, bar.bottom + px(14)), 16, TEXT, anchor="midtop")
        self.hints.draw(surface, theme)
