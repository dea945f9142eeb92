"""The results: profit, shares, the last rounds, the bankroll's line, the costliest mistakes, and where to go next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pygame

from holecard.blackjack.arena.session_file import save_session
from holecard.blackjack.arena.watched import WatchedSession
from holecard.errors import FileProblem
from holecard.ui.session.agents import agent_choice
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import rules_title
from holecard.ui.session.summary import LAST_ROUNDS, Summary, free_path
from holecard.ui.session.wording import money
from holecard.ui.window.charts import draw_chart
from holecard.ui.window.screens import HINT_BAR, LEAVE, Again, Back, Hint, HintBar, Quit, ToMenu, Transition
from holecard.ui.window.theme import (
    GOLD,
    LINE,
    LOSS,
    MUTED,
    PANEL,
    PUSH,
    TEXT,
    WIN,
    Theme,
    cost_colour,
    outcome_colour,
)
from holecard.ui.window.widgets import Button, FocusRing, ease

ROUND_HEADINGS: Final = ("#", "PLAYER", "DEALER", "RESULT")
"""What stands over the last rounds."""
_SLIDE: Final = 0.55
"""Seconds a panel takes to slide in."""
_STAGGER: Final = 0.12
"""Seconds between two panels."""
_LINE_STARTS, _LINE_GROWS = 0.4, 0.8
"""Seconds until the bankroll's line begins to grow, and how long that takes."""


class Results:
    """The last screen of a session."""

    def __init__(self, session: WatchedSession, preferences: Preferences, *, again: str = "Play Again") -> None:
        self.session, self.preferences = session, preferences
        self.theme = Theme((1280, 800))
        self.message = ""
        self._time = 0.0
        self._at_rest = False
        self._move: Transition | None = None
        self.summary = Summary.of(session)
        self.buttons = [
            Button(again, self._going(Again()), main=True),
            Button("Main Menu", self._going(ToMenu())),
            Button("Save", self.save),
            Button("Quit", self._going(Quit())),
        ]
        self.ring = FocusRing(self.buttons)
        self.hints = HintBar(
            [
                Hint("Enter", "press the button", pygame.K_RETURN),
                Hint("Tab", "next button", pygame.K_TAB),
                Hint("←", "back to the table", pygame.K_LEFT),
                Hint("S", "save", pygame.K_s),
                Hint("R", "menu", pygame.K_r),
                Hint("Q", "quit", pygame.K_q),
                Hint("F1", "help", pygame.K_F1),
            ]
        )

    def _going(self, move: Transition) -> Callable[[], None]:
        def go() -> None:
            self._move = move

        return go

    def save(self) -> None:
        """Save the session beside the caller under a name that is free."""
        path = free_path(self.session)
        try:
            save_session(self.session, path)
        except FileProblem as problem:
            self.message = str(problem)
        else:
            self.message = f"saved; show it again with: holecard watch --replay {path}"

    def layout(self, theme: Theme) -> None:
        """Three columns above a row of buttons."""
        self.theme = theme
        px, (width, height) = theme.px, theme.size
        edge, gap = px(28), px(18)
        top, bottom = px(84), height - px(HINT_BAR) - px(98)
        room = width - 2 * edge - 2 * gap
        widths = (room * 27 // 100, room * 36 // 100, room - room * 27 // 100 - room * 36 // 100)
        lefts = (edge, edge + widths[0] + gap, edge + widths[0] + widths[1] + 2 * gap)
        tall = bottom - top
        chart = tall * 46 // 100
        self._summary = pygame.Rect(lefts[0], top, widths[0], tall)
        self._list = pygame.Rect(lefts[1], top, widths[1], tall)
        self._chart = pygame.Rect(lefts[2], top, widths[2], chart)
        self._leaks = pygame.Rect(lefts[2], top + chart + gap, widths[2], tall - chart - gap)
        each = min(px(220), (width - 2 * edge - 3 * gap) // 4)
        left = (width - 4 * each - 3 * gap) // 2
        for at, button in enumerate(self.buttons):
            button.rect = pygame.Rect(left + at * (each + gap), bottom + px(38), each, px(50))
        self.hints.layout(theme)

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """Buttons by mouse or keyboard, and the keys of the hint bar."""
        if event.type == pygame.KEYDOWN:
            if event.key in LEAVE:
                return Quit()
            if event.key == pygame.K_r:
                return ToMenu()
            if event.key == pygame.K_LEFT:
                return Back()
            if event.key == pygame.K_s:
                self.save()
                return None
        self.ring.handle(event)
        move, self._move = self._move, None
        return move

    def update(self, seconds: float) -> Transition | None:
        """Let the panels slide in."""
        self._time += seconds
        return None

    @property
    def moves(self) -> bool:
        """True while panels slide."""
        return not self.preferences.less_motion and self._time < _SLIDE + 3 * _STAGGER + 0.6

    @property
    def stale(self) -> bool:
        """True until it was drawn with everything at rest."""
        return not self._at_rest

    def _slid(self, number: int) -> int:
        """How far the `number`-th panel still has to go, in pixels downwards."""
        if self.preferences.less_motion:
            return 0
        return round((1.0 - ease((self._time - number * _STAGGER) / _SLIDE)) * self.theme.size[1])

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything, sliding in from below."""
        self._at_rest = not self.moves
        theme, px = self.theme, self.theme.px
        surface.blit(theme.felt(theme.size), (0, 0))
        title = f"{agent_choice(self.session.agent).title}: {len(self.session.rounds):,} rounds"
        heading = theme.write(surface, title, (px(28), px(24)), 30, TEXT, bold=True, width=theme.size[0] * 3 // 5)
        terms = f"{rules_title(self.session.rules)} · seed {self.session.seed} · base bet {money(self.session.bet)}"
        room = theme.size[0] - heading.right - px(60)
        theme.write(surface, terms, (theme.size[0] - px(28), px(38)), 14, GOLD, anchor="topright", width=room)
        for number, (rect, draw) in enumerate(
            (
                (self._summary, self._draw_summary),
                (self._list, self._draw_list),
                (self._chart, self._draw_chart),
                (self._leaks, self._draw_leaks),
            )
        ):
            moved = rect.move(0, self._slid(number))
            if moved.top < theme.size[1]:
                theme.panel(surface, moved, PANEL, alpha=238)
                draw(surface, moved)
        if self.message:
            at = (theme.size[0] // 2, self.buttons[0].rect.top - px(6))
            theme.write(surface, self.message, at, 14, GOLD, anchor="midbottom", width=theme.size[0] - px(56))
        self.ring.draw(surface, theme)
        self.hints.draw(surface, theme)

    def _head(self, surface: pygame.Surface, rect: pygame.Rect, title: str) -> int:
        px = self.theme.px
        self.theme.write(surface, title, (rect.left + px(18), rect.top + px(14)), 14, GOLD, bold=True)
        return rect.top + px(42)

    def _draw_summary(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        theme, px, session = self.theme, self.theme.px, self.session
        left, width = rect.left + px(18), rect.width - px(36)
        y = self._head(surface, rect, "NET PROFIT")
        theme.write(
            surface, money(session.net, signed=True), (left, y), 42, outcome_colour(session.net), bold=True, width=width
        )
        y += px(62)
        theme.write(
            surface, f"{money(session.bankroll)} → {money(session.final_bankroll)}", (left, y), 17, TEXT, width=width
        )
        theme.write(surface, "starting → final bankroll", (left, y + px(24)), 13, MUTED, width=width)
        y += px(64)
        counts = self.summary.outcomes
        self._draw_shares(surface, pygame.Rect(left, y, width, px(16)), counts)
        y += px(26)
        for word, count, colour in zip(("won", "push", "lost"), counts, (WIN, PUSH, LOSS), strict=True):
            theme.write(surface, word, (left, y), 16, colour, bold=True)
            theme.write(
                surface, f"{count:,}  ({self.summary.share(count):.1%})", (left + width, y), 16, TEXT, anchor="topright"
            )
            y += px(26)
        y += px(12)
        theme.write(surface, f"Win rate {session.win_rate:.1%}", (left, y), 20, TEXT, bold=True, width=width)
        y += px(48)
        theme.write(surface, "EV GIVEN AWAY", (left, y), 14, GOLD, bold=True)
        given = session.given_away
        text = f"{given:.3f} bets = {money(given * session.bet)}"
        theme.write(surface, text, (left, y + px(24)), 20, cost_colour(given), bold=True, width=width)
        for line in theme.wrapped("best EV − chosen EV, summed over every decision", 13, width, 2):
            y += px(20)
            theme.write(surface, line, (left, y + px(34)), 13, MUTED)

    def _draw_shares(self, surface: pygame.Surface, rect: pygame.Rect, counts: tuple[int, ...]) -> None:
        at, total = float(rect.left), max(sum(counts), 1)
        for count, colour in zip(counts, (WIN, PUSH, LOSS), strict=True):
            width = rect.width * count / total
            pygame.draw.rect(
                surface, colour, pygame.Rect(round(at), rect.top, round(at + width) - round(at), rect.height)
            )
            at += width

    def _draw_list(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        theme, px = self.theme, self.theme.px
        last = self.summary.last
        y = self._head(surface, rect, f"THE LAST {len(last)} ROUNDS" if len(last) > 1 else "THE ROUND")
        left, right = rect.left + px(18), rect.right - px(18)
        widths = [px(44), px(74)]
        middle = (right - left - sum(widths)) * 11 // 20
        for heading, x in zip(ROUND_HEADINGS, (left, left + widths[0], left + widths[0] + middle), strict=False):
            theme.write(surface, heading, (x, y), 12, MUTED, bold=True)
        theme.write(surface, ROUND_HEADINGS[-1], (right, y), 12, MUTED, bold=True, anchor="topright")
        y += px(22)
        step = min((rect.bottom - y - px(10)) / LAST_ROUNDS, px(34))
        for line in last:
            theme.write(surface, f"{line.number}", (left, y), 14, MUTED)
            theme.write(surface, line.hands, (left + widths[0], y), 14, TEXT, width=middle - px(10))
            room = right - left - widths[0] - middle - widths[1]
            theme.write(surface, line.dealer, (left + widths[0] + middle, y), 14, MUTED, width=room)
            text = money(line.net, signed=True) if line.net else "push"
            theme.write(surface, text, (right, y), 14, outcome_colour(line.net), bold=True, anchor="topright")
            y += round(step)

    def _draw_chart(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        px, session = self.theme.px, self.session
        y = self._head(surface, rect, "BANKROLL")
        area = pygame.Rect(rect.left + px(18), y, rect.width - px(40), rect.bottom - y - px(20))
        shown = 1.0 if self.preferences.less_motion else ease((self._time - _LINE_STARTS) / _LINE_GROWS)
        draw_chart(surface, self.theme, area, self.summary.bankrolls, total=len(session.rounds), shown=shown)

    def _draw_leaks(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        theme, px = self.theme, self.theme.px
        y = self._head(surface, rect, "COSTLIEST MISTAKES")
        left, right = rect.left + px(18), rect.right - px(18)
        if not self.summary.mistakes:
            theme.write(surface, "none: every decision was the best one", (left, y), 15, WIN, width=right - left)
            return
        row = px(42)
        fits = max((rect.bottom - y - px(24)) // row, 1)
        for mistake in self.summary.mistakes[:fits]:
            times = f" · {mistake.times} times" if mistake.times > 1 else ""
            cost = theme.write(surface, f"−{mistake.cost:.3f}", (right, y), 15, LOSS, bold=True, anchor="topright")
            room = cost.left - left - px(10)
            theme.write(surface, mistake.spot, (left, y), 15, TEXT, bold=True, width=room)
            words = f"{mistake.action.label.lower()}, not {mistake.best.label.lower()}{times}"
            theme.write(surface, words, (left, y + px(19)), 13, MUTED, width=right - left)
            y += row
        rest = self.summary.mistakes[fits:]
        if rest:
            text = f"and {len(rest)} more: −{sum(each.cost for each in rest):.3f}"
            pygame.draw.line(surface, LINE, (left, rect.bottom - px(26)), (right, rect.bottom - px(26)))
            theme.write(surface, text, (left, rect.bottom - px(22)), 13, MUTED, width=right - left)
