"""The loading screen: a session is being computed; how far it is, and how to stop it."""

from __future__ import annotations

import math

import pygame

from holecard.ui.window.background_session import Ahead
from holecard.ui.window.cards import RATIO, card_picture, shadow
from holecard.ui.window.preferences import Viewing
from holecard.ui.window.screens import ENTER, LEAVE, Hint, HintBar, Move, Quit, Show, ToMenu
from holecard.ui.window.settings import Settings, seat_of
from holecard.ui.window.theme import GOLD, MUTED, PANEL, RAISED, TEXT, Theme


class Loading:
    """Shows real progress; Enter watches what is there already, R goes back."""

    def __init__(self, settings: Settings, viewing: Viewing) -> None:
        self.settings, self.viewing = settings, viewing
        self.ahead = Ahead(settings)
        self.ahead.start()
        self.theme = Theme((1280, 800))
        self._time = 0.0
        self._early = False
        self.bar = HintBar(
            [
                Hint("Enter", "watch what is there", pygame.K_RETURN),
                Hint("R", "stop, back to the menu", pygame.K_r),
                Hint("Q", "quit", pygame.K_q),
                Hint("F1", "help", pygame.K_F1),
            ]
        )

    @property
    def share(self) -> float:
        """The part of the rounds that is played, 0 to 1."""
        return min(self.ahead.done / self.settings.rounds, 1.0)

    @property
    def stale(self) -> bool:
        """True: it counts."""
        return True

    def layout(self, theme: Theme) -> None:
        """Take the measures."""
        self.theme = theme
        self.bar.layout(theme)

    def handle(self, event: pygame.event.Event) -> Move | None:
        """R stops and leaves, Enter stops and watches."""
        if event.type != pygame.KEYDOWN:
            return None
        if event.key in LEAVE:
            self.ahead.stop()
            return Quit()
        if event.key == pygame.K_r:
            self.ahead.stop()
            return ToMenu()
        if event.key in ENTER:
            self._early = True
            if self.ahead.done:
                self.ahead.stop()
        return None

    def update(self, seconds: float) -> Move | None:
        """Go on when the session is there, or back if it cannot be."""
        self._time += seconds
        if self._early and self.ahead.done:
            self.ahead.stop()
        if self.ahead.error is not None:
            return ToMenu(self.ahead.error)
        if self.ahead.session is not None:
            return Show(self.ahead.session)
        return None

    def draw(self, surface: pygame.Surface) -> None:
        """A fan of cards, the bar and the count."""
        theme, px = self.theme, self.theme.px
        width, height = theme.size
        surface.blit(theme.felt(theme.size), (0, 0))
        card = px(84)
        for number in range(5):
            wave = 0.0 if self.viewing.still else math.sin(3.2 * self._time - 0.7 * number)
            at = (
                width // 2 + (number - 2) * round(card * 0.62) - card // 2,
                height // 2 - px(180) + round(px(9) * wave),
            )
            surface.blit(shadow(card), (at[0] - card // 14, at[1] - card // 20))
            surface.blit(card_picture(None, card), at)
        y = height // 2 - px(180) + round(card * RATIO) + px(46)
        title = f"{seat_of(self.settings.agent).title} takes a seat"
        theme.write(surface, title, (width // 2, y), 28, TEXT, bold=True, anchor="midtop", width=width - px(80))
        theme.write(surface, self.ahead.stage, (width // 2, y + px(44)), 16, MUTED, anchor="midtop")
        bar = pygame.Rect(0, 0, px(520), px(18))
        bar.midtop = (width // 2, y + px(84))
        theme.panel(surface, bar, PANEL, radius=9)
        if self.share > 0:
            filled = pygame.Rect(bar.left, bar.top, max(round(bar.width * self.share), bar.height), bar.height)
            pygame.draw.rect(surface, GOLD, filled, border_radius=px(9))
        pygame.draw.rect(surface, RAISED, bar, width=1, border_radius=px(9))
        count = f"{self.ahead.done:,} of {self.settings.rounds:,} rounds"
        theme.write(surface, count, (width // 2, bar.bottom + px(14)), 16, TEXT, anchor="midtop")
        self.bar.draw(surface, theme)
