"""The game screen: a session step by step, forwards and back, by itself or key by key; or yours to play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pygame

from holecard.blackjack.arena.scene import Kind
from holecard.blackjack.arena.watched import WatchedSession, WatchedTable
from holecard.blackjack.game.actions import Action
from holecard.ui.session.action_bar import ActionBar, is_good, verdict_on
from holecard.ui.session.agents import agent_choice
from holecard.ui.session.playback import Playback
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import Settings, rules_title
from holecard.ui.session.standing import Standing, standing_at
from holecard.ui.window.action_bar import KEYS, chip_rects, draw_action_bar
from holecard.ui.window.cards import card_picture
from holecard.ui.window.felt import draw_banner, draw_cards, draw_felt, draw_labels
from holecard.ui.window.motion import FeltLayout, Motion, felt_layout, places
from holecard.ui.window.panel import draw_panel
from holecard.ui.window.screens import ENTER, HINT_BAR, LEAVE, Finish, Hint, HintBar, Quit, ToMenu, Transition
from holecard.ui.window.theme import GOLD, MUTED, RAIL, TEXT, Theme
from holecard.ui.window.widgets import ease

REST: Final = {Kind.DEAL: 0.6, Kind.DECIDE: 1.1, Kind.ACT: 0.5, Kind.DEALER: 0.6, Kind.RESULT: 1.6}
"""Seconds a step stands when steps follow by themselves, at speed 1."""
_OPENING: Final = 0.25
"""Seconds the banner takes to open."""


class GameScreen:
    """A session on the table: a finished one, or one that you play."""

    def __init__(
        self,
        playback: Playback,
        session: WatchedSession,
        preferences: Preferences,
        theme: Theme,
        table: WatchedTable | None = None,
    ) -> None:
        self.playback, self.preferences, self.table = playback, preferences, table
        self._session = session
        self.rounds = table.terms.rounds if table else len(session.rounds)
        self.at = 0
        self.theme = theme
        self.message = ""
        self._motion: Motion | None = None
        self._time = 0.0
        self._around: tuple[object, ...] = ()
        self._at_rest = False
        self._warming: Iterator[object] = iter(())
        self.hints = HintBar(_hints(table is not None))
        if table is not None:
            self._deal()
        self.layout(theme)
        self._go(0, animate=True)

    @classmethod
    def of(cls, session: WatchedSession, preferences: Preferences, theme: Theme) -> GameScreen:
        """A finished session from its first card."""
        return cls(Playback.of(session), session, preferences, theme)

    @classmethod
    def yours(cls, settings: Settings, preferences: Preferences, theme: Theme) -> GameScreen:
        """A session that you play."""
        terms = settings.terms()
        table = WatchedTable(terms, settings.agent)
        return cls(Playback(terms.rules, terms.bet, terms.bankroll), table.session(), preferences, theme, table)

    @property
    def session(self) -> WatchedSession:
        """The session; of one you play, the rounds finished so far."""
        return self.table.session() if self.table else self._session

    @property
    def asks(self) -> bool:
        """True if the next decision is yours."""
        return self.table is not None and self.table.view is not None and self.at == len(self.playback) - 1

    def layout(self, theme: Theme) -> None:
        """Take the measures; where they have changed, cards in the air land."""
        resized, self.theme = theme.size != self.theme.size, theme
        width, height = theme.size
        px = theme.px
        side, foot = px(300), height - px(HINT_BAR)
        self._top = pygame.Rect(0, 0, width - side, px(50))
        self._side = pygame.Rect(width - side, 0, side, foot)
        self._actions = pygame.Rect(0, foot - px(162), width - side, px(162))
        self._area = pygame.Rect(0, self._top.bottom, width - side, self._actions.top - self._top.bottom)
        self.hints.layout(theme)
        self._around = ()
        self._warming = (card_picture(card, self._felt(0).card) for card in range(52))
        if self._motion is not None and resized:
            felt = self._felt(self.at)
            now = places(self.playback.scene(self.at), felt)
            self._motion = Motion(now, now, felt)

    def _felt(self, at: int) -> FeltLayout:
        hands = self.playback.scene(at).hands
        return felt_layout(self._area, len(hands), self.theme.scale, max(len(hand.cards) for hand in hands))

    def _go(self, at: int, *, animate: bool) -> None:
        """Show a step; cards that are new on it fly in if that is wanted."""
        felt = self._felt(at)
        after = places(self.playback.scene(at), felt)
        before = after
        if animate and not self.preferences.less_motion:
            same = self.at < at and self.playback.round_of(self.at) == self.playback.round_of(at)
            before = places(self.playback.scene(self.at), self._felt(self.at)) if same else {}
        self.at, self._motion, self._time = at, Motion(before, after, felt), 0.0
        self._at_rest = False

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

    def decide(self, action: Action) -> None:
        """Your decision."""
        assert self.table is not None
        view = self.table.view
        if view is None or action not in view.legal:
            legal = ", ".join(each.word for each in view.legal) if view else "nothing"
            self.message = f"cannot {action.word} here; legal: {legal}"
            return
        self.message = ""
        self.table.decide(action)
        self._take_over()
        following = range(self.at + 1, len(self.playback))
        self._go(next(at for at in following if self.playback.step(at).kind == Kind.ACT), animate=True)

    def forward(self) -> Transition | None:
        """The next step, the next round, or the results."""
        if self.at + 1 < len(self.playback):
            self._go(self.at + 1, animate=True)
        elif self.table is not None and not self.asks and not self.table.is_over:
            self._deal()
            self._go(self.at + 1, animate=True)
        elif not self.asks:
            return Finish(self.session)
        return None

    def back(self) -> None:
        """The step before, at once; the first one stays."""
        self.preferences.automatic = False
        if self.at > 0:
            self._go(self.at - 1, animate=False)

    def handle(self, event: pygame.event.Event) -> Transition | None:
        """Keys as the hint bar says; a click on an action when it is your turn."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.asks:
            bar = self.bar_now()
            for action, rect in zip(bar.actions, chip_rects(self.theme, self._actions, len(bar.actions)), strict=True):
                if rect.collidepoint(event.pos):
                    self.decide(action)
        if event.type != pygame.KEYDOWN:
            return None
        return self._press(event)

    def _press(self, event: pygame.event.Event) -> Transition | None:
        key, preferences = event.key, self.preferences
        if key in LEAVE:
            return Quit()
        if key == pygame.K_r:
            return ToMenu()
        if key == pygame.K_SPACE:
            preferences.automatic = not preferences.automatic
        elif key == pygame.K_RIGHT:
            preferences.automatic = preferences.automatic and self.table is not None
            return self.forward()
        elif key == pygame.K_LEFT:
            self.back()
        elif key in (pygame.K_PLUS, pygame.K_KP_PLUS, pygame.K_EQUALS) or event.unicode == "+":
            preferences.faster(1)
        elif key in (pygame.K_MINUS, pygame.K_KP_MINUS) or event.unicode in ("-", "−"):
            preferences.faster(-1)
        elif key in ENTER:
            return self._to_end()
        elif key == pygame.K_e:
            preferences.shows_evs = not preferences.shows_evs
        elif self.table is not None and key in KEYS:
            if self.asks:
                self.decide(KEYS[key])
            elif self.at < len(self.playback) - 1 and self.table.view is not None:
                self._go(len(self.playback) - 1, animate=False)
        return None

    def _to_end(self) -> Transition | None:
        if not self.session.rounds:
            self.message = "finish a round first"
            return None
        return Finish(self.session)

    def to_last_step(self) -> None:
        """Stand at the end of the session, as when coming back from the results."""
        self.preferences.automatic = False
        self._go(len(self.playback) - 1, animate=False)

    @property
    def moves(self) -> bool:
        """True while cards are in the air or the banner opens."""
        opening = _OPENING if self.playback.is_paid(self.at) and not self.preferences.less_motion else 0.0
        return self._motion is not None and self._time < self._motion.seconds + opening

    @property
    def stale(self) -> bool:
        """True until the step was drawn with everything at rest."""
        return not self._at_rest

    def update(self, seconds: float) -> Transition | None:
        """Let time pass; a step that has stood long enough gives way to the next. Idle, it draws cards in advance."""
        if self._at_rest:
            next(self._warming, None)
        self._time += seconds * self.preferences.speed
        assert self._motion is not None
        rest = REST[self.playback.step(self.at).kind]
        if self.preferences.automatic and not self.asks and self._time >= self._motion.seconds + rest:
            return self.forward()
        return None

    def bar_now(self) -> ActionBar:
        """What the action bar says at this step."""
        if self.asks:
            return self._question()
        decision = self.playback.decision(self.at)
        if decision is not None:
            return ActionBar.of(decision)
        taken = self.playback.decisions(self.at)
        if taken and self.playback.step(self.at).kind != Kind.DEAL:
            return ActionBar.of(taken[-1], past=True)
        return ActionBar(title="the deal", reason="two cards each, the dealer's second face down")

    def _question(self) -> ActionBar:
        assert self.table is not None
        assert self.table.view is not None
        bar = ActionBar(title=f"Your turn: {self.table.spot()}", actions=self.table.view.legal, asks=True)
        if self.preferences.shows_evs:
            valuation = self.table.valuation()
            bar = replace(bar, evs=valuation.evs, best=valuation.best, fresh=valuation.fresh)
        last = self.playback.decisions(self.at)
        if self.message:
            return replace(bar, verdict=self.message, good=False)
        if last:
            return replace(bar, verdict=f"before: {verdict_on(last[-1])}", good=is_good(last[-1]))
        keys = "E hides the EVs" if self.preferences.shows_evs else "E shows what each action is worth"
        return replace(bar, reason=f"click an action or press its key; {keys}")

    def standing(self) -> Standing:
        """How the session stands at this step."""
        return standing_at(self.playback, self.at, self.rounds)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything; while cards move, only what moves."""
        self._draw_felt(surface)
        self._at_rest = not self.moves
        if self.moves and self._around == self._key():
            return  # only the felt has changed
        self._around = self._key()
        self._draw_top(surface)
        draw_action_bar(surface, self.theme, self._actions, self.bar_now())
        draw_panel(surface, self.theme, self._side, self.standing())
        self.hints.draw(surface, self.theme)

    def _key(self) -> tuple[object, ...]:
        """What the picture around the felt depends on while cards move."""
        preferences = self.preferences
        return self.at, len(self.playback), self.theme, self.theme.pointer, self.message, replace(preferences)

    def _draw_felt(self, surface: pygame.Surface) -> None:
        theme, scene, felt = self.theme, self.playback.scene(self.at), self._felt(self.at)
        assert self._motion is not None
        landed = self._time >= self._motion.seconds
        draw_felt(surface, theme, felt, self.playback.rules, marked=not landed or scene.net is None)
        draw_cards(surface, self._motion, self._time)
        if landed:
            draw_labels(surface, theme, felt, scene, self.playback.bet)
            if scene.net is not None:
                opened = 1.0 if self.preferences.less_motion else ease((self._time - self._motion.seconds) / _OPENING)
                draw_banner(surface, theme, felt, scene.net * self.playback.bet, opened)

    def _draw_top(self, surface: pygame.Surface) -> None:
        theme, px, top = self.theme, self.theme.px, self._top
        pygame.draw.rect(surface, RAIL, top)
        y = top.centery
        mode = "auto" if self.preferences.automatic else "step by step"
        speed = f"{mode} · speed {self.preferences.speed:g}×" + (
            " · less motion" if self.preferences.less_motion else ""
        )
        right = theme.write(surface, speed, (top.right - px(16), y), 14, MUTED, anchor="midright")
        title = agent_choice(self._session.agent).title
        name = theme.write(
            surface, title, (px(16), y), 19, TEXT, bold=True, anchor="midleft", width=top.width // 2 - px(20)
        )
        rules = f"{rules_title(self.playback.rules)} · seed {self._session.seed}"
        room = right.left - name.right - px(32)
        theme.write(surface, rules, (name.right + px(16), y), 14, GOLD, anchor="midleft", width=max(room, px(20)))


def _hints(yours: bool) -> list[Hint]:
    play = [
        Hint("Space", "auto / step", pygame.K_SPACE),
        Hint("→", "next", pygame.K_RIGHT),
        Hint("←", "back", pygame.K_LEFT),
    ]
    speed = [Hint("+", "faster", pygame.K_PLUS), Hint("−", "slower", pygame.K_MINUS)]
    ends = [Hint("Enter", "to the end", pygame.K_RETURN), Hint("R", "menu", pygame.K_r), Hint("Q", "quit", pygame.K_q)]
    evs = [Hint("E", "EVs", pygame.K_e)] if yours else []
    return [*play, *speed, *ends, *evs, Hint("M", "less motion", pygame.K_m), Hint("F1", "help", pygame.K_F1)]
