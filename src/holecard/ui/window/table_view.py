"""How a session looks: the felt with its cards in the air, the action bar, the panel, the line above."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pygame

from holecard.ui.session.agents import agent_choice
from holecard.ui.session.count import count_at, system_of
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import rules_title
from holecard.ui.session.stepper import Stepper
from holecard.ui.window.action_bar import chip_rects, draw_action_bar
from holecard.ui.window.cards import card_picture
from holecard.ui.window.felt import draw_banner, draw_cards, draw_felt, draw_labels
from holecard.ui.window.motion import FeltLayout, Motion, felt_layout, places
from holecard.ui.window.panel import draw_panel
from holecard.ui.window.screens import HINT_BAR, HintBar
from holecard.ui.window.theme import GOLD, MUTED, PANEL, RAIL, TEXT, Theme
from holecard.ui.window.widgets import ease

_OPENING: Final = 0.25
"""Seconds the banner takes to open."""


class TableView:
    """Draws where a stepper stands. It moves cards, never the session."""

    def __init__(self, stepper: Stepper, preferences: Preferences, theme: Theme, hints: HintBar) -> None:
        self.stepper, self.preferences, self.theme, self.hints = stepper, preferences, theme, hints
        self.question = ""
        """Something to answer before anything goes on."""
        self.time = 0.0
        """Seconds since the step was turned to, at the chosen speed."""
        self._around: tuple[object, ...] = ()
        self._at_rest = False
        self._warming: Iterator[object] = iter(())
        self.layout(theme)
        self.turn_from(None)

    def layout(self, theme: Theme) -> None:
        """Take the measures; where they have changed, cards in the air land."""
        resized, self.theme = theme.size != self.theme.size, theme
        width, height = theme.size
        px = theme.px
        side, foot = px(300), height - px(HINT_BAR)
        self._top = pygame.Rect(0, 0, width - side, px(50))
        self.side = pygame.Rect(width - side, 0, side, foot)
        self.actions = pygame.Rect(0, foot - px(162), width - side, px(162))
        self._area = pygame.Rect(0, self._top.bottom, width - side, self.actions.top - self._top.bottom)
        self.hints.layout(theme)
        self._around = ()
        self._warming = (card_picture(card, self.felt(0).card) for card in range(52))
        if resized:
            felt = self.felt(self.stepper.at)
            now = places(self.stepper.playback.scene(self.stepper.at), felt)
            self.motion = Motion(now, now, felt)

    def felt(self, at: int) -> FeltLayout:
        """Where hands lie at a step."""
        hands = self.stepper.playback.scene(at).hands
        return felt_layout(self._area, len(hands), self.theme.scale, max(len(hand.cards) for hand in hands))

    def turn_from(self, before: int | None, *, animate: bool = True) -> None:
        """Show the step that the stepper stands at now; cards that were not there at `before` fly in, if wanted."""
        at, playback = self.stepper.at, self.stepper.playback
        felt = self.felt(at)
        after = places(playback.scene(at), felt)
        start = after
        if animate and not self.preferences.less_motion:
            same = before is not None and before < at and playback.round_of(before) == playback.round_of(at)
            start = places(playback.scene(before), self.felt(before)) if before is not None and same else {}
        self.motion, self.time = Motion(start, after, felt), 0.0
        self._at_rest = False

    def update(self, seconds: float) -> None:
        """Let time pass. Idle, it draws cards in advance."""
        if self._at_rest:
            next(self._warming, None)
        self.time += seconds * self.preferences.speed

    @property
    def rested(self) -> float:
        """Seconds since the last card came to rest; below 0 while one is in the air."""
        return self.time - self.motion.seconds

    @property
    def moves(self) -> bool:
        """True while cards are in the air or the banner opens."""
        opens = self.stepper.playback.is_paid(self.stepper.at) and not self.preferences.less_motion
        return self.rested < (_OPENING if opens else 0.0)

    @property
    def stale(self) -> bool:
        """True until the step was drawn with everything at rest."""
        return not self._at_rest

    def action_rects(self, count: int) -> list[pygame.Rect]:
        """Where so many actions of the bar are."""
        return chip_rects(self.theme, self.actions, count)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything; while cards move, only what moves."""
        self._draw_felt(surface)
        self._at_rest = not self.moves
        if self.moves and self._around == self._key():
            return  # only the felt has changed
        self._around = self._key()
        self._draw_top(surface)
        bar = self.stepper.bar(shows_evs=self.preferences.shows_evs)
        draw_action_bar(surface, self.theme, self.actions, bar)
        draw_panel(surface, self.theme, self.side, self.stepper.standing())
        self.hints.draw(surface, self.theme)
        if self.question:
            self._draw_question(surface)

    def _key(self) -> tuple[object, ...]:
        """What the picture around the felt depends on while cards move."""
        stepper = self.stepper
        shown = stepper.at, len(stepper.playback), stepper.message, self.question
        return *shown, self.theme, self.theme.pointer, replace(self.preferences)

    def _draw_felt(self, surface: pygame.Surface) -> None:
        theme, playback = self.theme, self.stepper.playback
        scene, felt = playback.scene(self.stepper.at), self.felt(self.stepper.at)
        landed, bet = self.rested >= 0, playback.bet_at(self.stepper.at)
        draw_felt(surface, theme, felt, playback.rules, marked=not landed or scene.net is None)
        draw_cards(surface, self.motion, self.time)
        if landed:
            draw_labels(surface, theme, felt, scene, bet)
            if scene.net is not None:
                opened = 1.0 if self.preferences.less_motion else ease(self.rested / _OPENING)
                draw_banner(surface, theme, felt, scene.net * bet, opened)

        if self.preferences.shows_count:
            self._draw_count(surface)

    def _draw_count(self, surface: pygame.Surface) -> None:
        """A small panel in the corner of the felt."""
        theme, px = self.theme, self.theme.px
        count = count_at(self.stepper.playback, self.stepper.at, system_of(self.stepper.session.agent))
        lines = ("no shoe", "to count") if count is None else count.lines
        box = pygame.Rect(self._area.left + px(12), self._area.top + px(12), px(132), px(16 + 21 * len(lines)))
        theme.panel(surface, box, RAIL, edge=GOLD, radius=8)
        for at, line in enumerate(lines):
            y = box.top + px(8 + 21 * at)
            theme.write(surface, line, (box.left + px(12), y), 15, TEXT if at else GOLD, bold=True, width=px(112))

    def _draw_top(self, surface: pygame.Surface) -> None:
        theme, px, top, session = self.theme, self.theme.px, self._top, self.stepper.session
        pygame.draw.rect(surface, RAIL, top)
        y = top.centery
        mode = "auto" if self.preferences.automatic else "step by step"
        speed = f"{mode} · speed {self.preferences.speed:g}×" + (
            " · less motion" if self.preferences.less_motion else ""
        )
        right = theme.write(surface, speed, (top.right - px(16), y), 14, MUTED, anchor="midright")
        title = agent_choice(session.agent).title
        name = theme.write(
            surface, title, (px(16), y), 19, TEXT, bold=True, anchor="midleft", width=top.width // 2 - px(20)
        )
        rules = f"{rules_title(session.rules)} · seed {session.seed}"
        room = right.left - name.right - px(32)
        theme.write(surface, rules, (name.right + px(16), y), 14, GOLD, anchor="midleft", width=max(room, px(20)))

    def _draw_question(self, surface: pygame.Surface) -> None:
        theme, px = self.theme, self.theme.px
        box = pygame.Rect(0, 0, min(px(620), self._area.width - px(40)), px(76))
        box.center = self._area.center
        theme.panel(surface, box, PANEL, edge=GOLD)
        theme.write(surface, self.question, box.center, 17, TEXT, bold=True, anchor="center", width=box.width - px(32))
