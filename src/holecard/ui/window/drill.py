"""The drill in the window: cards flash by one at a time, an answer is typed, the verdict says what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from holecard.errors import HolecardError
from holecard.ui.session.drill import (
    BetQuestion,
    CountQuestion,
    Drill,
    DrillKind,
    DrillVerdict,
    PlayQuestion,
    Question,
    parse_number,
    parse_play,
    signed,
)
from holecard.ui.session.preferences import Preferences
from holecard.ui.window.cards import card_picture
from holecard.ui.window.screens import ENTER, LEAVE, Hint, HintBar, Quit, Transition
from holecard.ui.window.theme import FELT_EDGE, GOLD, LOSS, MUTED, TEXT, WIN, Theme

_LONGEST: Final = 12
"""Letters of an answer."""


class DrillScreen:
    """One question after another."""

    def __init__(
        self,
        drill: Drill,
        kinds: Sequence[DrillKind],
        preferences: Preferences,
        *,
        questions: int = 10,
        cards: int = 8,
        pace: float = 0.8,
    ) -> None:
        self.drill, self.kinds, self.preferences = drill, kinds, preferences
        self.questions, self.cards, self.pace = questions, cards, pace
        self.hints = HintBar(
            [
                Hint("Enter", "answer, next", pygame.K_RETURN),
                Hint("Q", "quit", pygame.K_q),
                Hint("F1", "help", pygame.K_F1),
            ]
        )
        self.verdicts: list[DrillVerdict] = []
        self.theme = Theme((1024, 640))
        self._begin()

    def _begin(self) -> None:
        number = len(self.verdicts)
        self.question: Question = self.drill.question(self.kinds[number % len(self.kinds)], number, self.cards)
        self.answer, self.problem, self.time = "", "", 0.0
        self.verdict: DrillVerdict | None = None
        self._drawn = False

    @property
    def shown(self) -> int | None:
        """The card that is shown now; None once all have gone by, or where none flash by."""
        if not isinstance(self.question, CountQuestion):
            return None
        at = int(self.time / self.pace)
        return self.question.cards[at] if at < len(self.question.cards) else None

    @property
    def asks(self) -> bool:
        """True while an answer is wanted."""
        return self.verdict is None and self.shown is None

    @property
    def is_over(self) -> bool:
        """True after the last verdict."""
        return len(self.verdicts) == self.questions

    @property
    def stale(self) -> bool:
        """True while cards flash by."""
        return not self._drawn or self.shown is not None

    def layout(self, theme: Theme) -> None:
        """Take the measures."""
        self.theme, self._drawn = theme, False
        self.hints.layout(theme)

    def update(self, seconds: float) -> Transition | None:
        """Let time pass: the next card."""
        before = self.shown
        self.time += seconds * self.preferences.speed
        self._drawn = self._drawn and before is None
        return None

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """Letters and digits are the answer, Enter gives it, then goes on."""
        if event.type != pygame.KEYDOWN:
            return None
        self._drawn = False
        if event.key in LEAVE:
            return Quit()
        if event.key in ENTER:
            return self._enter()
        if event.key == pygame.K_BACKSPACE:
            self.answer = self.answer[:-1]
        elif self.asks and event.unicode.isprintable():
            self.answer = (self.answer + event.unicode)[:_LONGEST]
        return None

    def _enter(self) -> Transition | None:
        if self.verdict is not None:
            if self.is_over:
                return Quit()
            self._begin()
        elif self.asks:
            try:
                typed = self.answer
                if isinstance(self.question, PlayQuestion):
                    self.verdict = self.question.verdict(parse_play(typed))
                else:
                    self.verdict = self.question.verdict(parse_number(typed))
                self.verdicts.append(self.verdict)
            except HolecardError as problem:
                self.problem, self.answer = str(problem), ""
        return None

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the question, the card that flashes by, the answer, the verdict."""
        theme, px, (width, height) = self.theme, self.theme.px, self.theme.size
        surface.fill(FELT_EDGE)
        middle, y = width // 2, px(48)
        done = len(self.verdicts) + (self.verdict is None)
        title = f"{self.drill.counter.system.name} · question {done} of {self.questions}"
        theme.write(surface, title, (middle, y), 16, GOLD, bold=True, anchor="midtop")
        theme.write(surface, self._known(), (middle, y + px(36)), 22, TEXT, bold=True, anchor="midtop", width=width)
        card, wide = self.shown, px(170)
        if card is not None:
            surface.blit(card_picture(card, wide), (middle - wide // 2, px(130)))
            at = f"card {int(self.time / self.pace) + 1} of {self.cards}"
            theme.write(surface, at, (middle, height - px(110)), 15, MUTED, anchor="midtop")
        elif self.verdict is None:
            theme.write(
                surface, f"{self._asked()} {self.answer}_", (middle, px(230)), 26, TEXT, bold=True, anchor="midtop"
            )
            theme.write(surface, self.problem, (middle, px(280)), 15, LOSS, anchor="midtop", width=width - px(40))
        else:
            self._draw_verdict(surface, self.verdict)
        right, price = sum(each.right for each in self.verdicts), sum(each.price for each in self.verdicts)
        standing = f"{right} of {len(self.verdicts)} right · given away {price:+.4f} units"
        theme.write(surface, standing, (middle, height - px(76)), 15, MUTED, anchor="midtop")
        self.hints.draw(surface, theme)
        self._drawn = True

    def _draw_verdict(self, surface: pygame.Surface, verdict: DrillVerdict) -> None:
        theme, px, (width, _) = self.theme, self.theme.px, self.theme.size
        words = "right" if verdict.right else f"wrong: {verdict.expected}, and yours costs {verdict.price:+.4f} units"
        colour = WIN if verdict.right else LOSS
        theme.write(surface, words, (width // 2, px(200)), 26, colour, bold=True, anchor="midtop")
        y = px(256)
        for line in theme.wrapped(verdict.words, 16, min(px(760), width - px(60)), 5):
            theme.write(surface, line, (width // 2, y), 16, TEXT, anchor="midtop")
            y += px(24)

    def _known(self) -> str:
        question = self.question
        shoe = question.before if isinstance(question, CountQuestion) else question.shoe
        known = f"running count {signed(shoe.running)}, {shoe.left} cards left"
        if isinstance(question, PlayQuestion):
            return f"{' '.join(question.hand)} against {question.upcard} · {known}"
        return known

    def _asked(self) -> str:
        if isinstance(self.question, CountQuestion):
            return "The running count now?"
        if isinstance(self.question, BetQuestion):
            return "How many units?"
        return f"{', '.join(self.question.evs)}?"
