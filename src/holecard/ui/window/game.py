"""The game screen: a session step by step, forwards and back, by itself or key by key; or yours to play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pygame

from holecard.blackjack.arena.scene import Kind
from holecard.blackjack.arena.watched import WatchedSession, WatchedTable
from holecard.blackjack.game.actions import Action
from holecard.ui.window.action_bar import KEYS, Bar, bar_of, chip_rects, draw_bar, verdict_on
from holecard.ui.window.cards import card_picture
from holecard.ui.window.felt import draw_banner, draw_cards, draw_cloth, draw_labels
from holecard.ui.window.motion import Felt, Motion, felt_of, places
from holecard.ui.window.panel import Standing, draw_panel
from holecard.ui.window.playback import Tape
from holecard.ui.window.preferences import Viewing
from holecard.ui.window.screens import BAR, ENTER, LEAVE, Finish, Hint, HintBar, Move, Quit, ToMenu
from holecard.ui.window.settings import Settings, rules_title, seat_of
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
        tape: Tape,
        session: WatchedSession,
        viewing: Viewing,
        theme: Theme,
        table: WatchedTable | None = None,
    ) -> None:
        self.tape, self.viewing, self.table = tape, viewing, table
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
        self.bar = HintBar(_hints(table is not None))
        if table is not None:
            self._deal()
        self.layout(theme)
        self._go(0, animate=True)

    @classmethod
    def of(cls, session: WatchedSession, viewing: Viewing, theme: Theme) -> GameScreen:
        """A finished session from its first card."""
        return cls(Tape.of(session), session, viewing, theme)

    @classmethod
    def yours(cls, settings: Settings, viewing: Viewing, theme: Theme) -> GameScreen:
        """A session that you play."""
        sessions = settings.sessions()
        table = WatchedTable(sessions, settings.agent)
        return cls(Tape(sessions.rules, sessions.bet, sessions.bankroll), table.session(), viewing, theme, table)

    @property
    def session(self) -> WatchedSession:
        """The session; of one you play, the rounds finished so far."""
        return self.table.session() if self.table else self._session

    @property
    def asks(self) -> bool:
        """True if the next decision is yours."""
        return self.table is not None and self.table.view is not None and self.at == len(self.tape) - 1

    def layout(self, theme: Theme) -> None:
        """Take the measures; where they have changed, cards in the air land."""
        resized, self.theme = theme.size != self.theme.size, theme
        width, height = theme.size
        px = theme.px
        side, foot = px(300), height - px(BAR)
        self._top = pygame.Rect(0, 0, width - side, px(50))
        self._side = pygame.Rect(width - side, 0, side, foot)
        self._actions = pygame.Rect(0, foot - px(162), width - side, px(162))
        self._area = pygame.Rect(0, self._top.bottom, width - side, self._actions.top - self._top.bottom)
        self.bar.layout(theme)
        self._around = ()
        self._warming = (card_picture(card, self._felt(0).card) for card in range(52))
        if self._motion is not None and resized:
            felt = self._felt(self.at)
            now = places(self.tape.scene(self.at), felt)
            self._motion = Motion(now, now, felt)

    def _felt(self, at: int) -> Felt:
        hands = self.tape.scene(at).hands
        return felt_of(self._area, len(hands), self.theme.scale, max(len(hand.cards) for hand in hands))

    def _go(self, at: int, *, animate: bool) -> None:
        """Show a step; cards that are new on it fly in if that is wanted."""
        felt = self._felt(at)
        after = places(self.tape.scene(at), felt)
        before = after
        if animate and not self.viewing.still:
            same = self.at < at and self.tape.round_of(self.at) == self.tape.round_of(at)
            before = places(self.tape.scene(self.at), self._felt(self.at)) if same else {}
        self.at, self._motion, self._time = at, Motion(before, after, felt), 0.0
        self._at_rest = False

    def _deal(self) -> None:
        assert self.table is not None
        self.table.deal()
        self._take_over()

    def _take_over(self) -> None:
        """Put what happened at your table onto the tape."""
        assert self.table is not None
        if self.table.view is None and self.table.last is not None:
            self.tape.add(self.table.last)
        else:
            self.tape.grow(*self.table.current())

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
        following = range(self.at + 1, len(self.tape))
        self._go(next(at for at in following if self.tape.step(at).kind == Kind.ACT), animate=True)

    def forward(self) -> Move | None:
        """The next step, the next round, or the results."""
        if self.at + 1 < len(self.tape):
            self._go(self.at + 1, animate=True)
        elif self.table is not None and not self.asks and not self.table.is_over:
            self._deal()
            self._go(self.at + 1, animate=True)
        elif not self.asks:
            return Finish(self.session)
        return None

    def back(self) -> None:
        """The step before, at once; the first one stays."""
        self.viewing.playing = False
        if self.at > 0:
            self._go(self.at - 1, animate=False)

    def handle(self, event: pygame.event.Event) -> Move | None:
        """Keys as the hint bar says; a click on an action when it is your turn."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self.asks:
            bar = self.bar_now()
            for action, rect in zip(bar.actions, chip_rects(self.theme, self._actions, len(bar.actions)), strict=True):
                if rect.collidepoint(event.pos):
                    self.decide(action)
        if event.type != pygame.KEYDOWN:
            return None
        return self._press(event)

    def _press(self, event: pygame.event.Event) -> Move | None:
        key, viewing = event.key, self.viewing
        if key in LEAVE:
            return Quit()
        if key == pygame.K_r:
            return ToMenu()
        if key == pygame.K_SPACE:
            viewing.playing = not viewing.playing
        elif key == pygame.K_RIGHT:
            viewing.playing = viewing.playing and self.table is not None
            return self.forward()
        elif key == pygame.K_LEFT:
            self.back()
        elif key in (pygame.K_PLUS, pygame.K_KP_PLUS, pygame.K_EQUALS) or event.unicode == "+":
            viewing.faster(1)
        elif key in (pygame.K_MINUS, pygame.K_KP_MINUS) or event.unicode in ("-", "−"):
            viewing.faster(-1)
        elif key in ENTER:
            return self._to_end()
        elif key == pygame.K_e:
            viewing.shows_evs = not viewing.shows_evs
        elif self.table is not None and key in KEYS:
            if self.asks:
                self.decide(KEYS[key])
            elif self.at < len(self.tape) - 1 and self.table.view is not None:
                self._go(len(self.tape) - 1, animate=False)
        return None

    def _to_end(self) -> Move | None:
        if not self.session.rounds:
            self.message = "finish a round first"
            return None
        return Finish(self.session)

    def to_last_step(self) -> None:
        """Stand at the end of the session, as when coming back from the results."""
        self.viewing.playing = False
        self._go(len(self.tape) - 1, animate=False)

    @property
    def moves(self) -> bool:
        """True while cards are in the air or the banner opens."""
        opening = _OPENING if self.tape.is_paid(self.at) and not self.viewing.still else 0.0
        return self._motion is not None and self._time < self._motion.seconds + opening

    @property
    def stale(self) -> bool:
        """True until the step was drawn with everything at rest."""
        return not self._at_rest

    def update(self, seconds: float) -> Move | None:
        """Let time pass; a step that has stood long enough gives way to the next. Idle, it draws cards in advance."""
        if self._at_rest:
            next(self._warming, None)
        self._time += seconds * max(self.viewing.speed, 0.01)
        assert self._motion is not None
        rest = REST[self.tape.step(self.at).kind]
        if self.viewing.playing and not self.asks and self._time >= self._motion.seconds + rest:
            return self.forward()
        return None

    def bar_now(self) -> Bar:
        """What the action bar says at this step."""
        if self.asks:
            return self._question()
        decision = self.tape.decision(self.at)
        if decision is not None:
            return bar_of(decision)
        taken = self.tape.decisions(self.at)
        if taken and self.tape.step(self.at).kind != Kind.DEAL:
            return bar_of(taken[-1], dim=True)
        return Bar(title="the deal", reason="two cards each, the dealer's second face down")

    def _question(self) -> Bar:
        assert self.table is not None
        assert self.table.view is not None
        bar = Bar(title=f"Your turn: {self.table.spot()}", actions=self.table.view.legal, asks=True)
        if self.viewing.shows_evs:
            valuation = self.table.valuation()
            bar = replace(bar, evs=valuation.evs, best=valuation.best, fresh=valuation.fresh)
        last = self.tape.decisions(self.at)
        if self.message:
            return replace(bar, verdict=self.message, good=False)
        if last:
            return replace(bar, verdict=f"before: {verdict_on(last[-1])}", good=last[-1].cost <= 1e-9)
        keys = "E hides the EVs" if self.viewing.shows_evs else "E shows what each action is worth"
        return replace(bar, reason=f"click an action or press its key; {keys}")

    def standing(self) -> Standing:
        """How the session stands at this step."""
        tape, at = self.tape, self.at
        number, paid = tape.round_of(at), tape.is_paid(at)
        finished = tape.rounds[: number + 1] if paid else tape.rounds[:number]
        outcomes = [each.outcome for each in finished]
        return Standing(
            bankroll=tape.bankroll(at),
            start=tape.start,
            bet=tape.bet * sum(hand.bets for hand in tape.scene(at).hands),
            round=number + 1,
            rounds=self.rounds,
            bankrolls=(tape.start, *(each.bankroll for each in finished)),
            wins=outcomes.count("win"),
            pushes=outcomes.count("push"),
            losses=outcomes.count("loss"),
            given_away=tape.given_away(at),
        )

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything; while cards move, only what moves."""
        self._draw_cloth(surface)
        self._at_rest = not self.moves
        if self.moves and self._around == self._key():
            return  # only the cloth has changed
        self._around = self._key()
        self._draw_top(surface)
        draw_bar(surface, self.theme, self._actions, self.bar_now())
        draw_panel(surface, self.theme, self._side, self.standing())
        self.bar.draw(surface, self.theme)

    def _key(self) -> tuple[object, ...]:
        """What the picture around the cloth depends on while cards move."""
        viewing = self.viewing
        return self.at, len(self.tape), self.theme, self.theme.pointer, self.message, replace(viewing)

    def _draw_cloth(self, surface: pygame.Surface) -> None:
        theme, scene, felt = self.theme, self.tape.scene(self.at), self._felt(self.at)
        assert self._motion is not None
        landed = self._time >= self._motion.seconds
        draw_cloth(surface, theme, felt, self.tape.rules, marked=not landed or scene.net is None)
        draw_cards(surface, self._motion, self._time)
        if landed:
            draw_labels(surface, theme, felt, scene, self.tape.bet)
            if scene.net is not None:
                opened = 1.0 if self.viewing.still else ease((self._time - self._motion.seconds) / _OPENING)
                draw_banner(surface, theme, felt, scene.net * self.tape.bet, opened)

    def _draw_top(self, surface: pygame.Surface) -> None:
        theme, px, top = self.theme, self.theme.px, self._top
        pygame.draw.rect(surface, RAIL, top)
        y = top.centery
        mode = "auto" if self.viewing.playing else "step by step"
        speed = f"{mode} · speed {self.viewing.speed:g}×" + (" · less motion" if self.viewing.still else "")
        right = theme.write(surface, speed, (top.right - px(16), y), 14, MUTED, anchor="midright")
        title = seat_of(self._session.agent).title
        name = theme.write(
            surface, title, (px(16), y), 19, TEXT, bold=True, anchor="midleft", width=top.width // 2 - px(20)
        )
        rules = f"{rules_title(self.tape.rules)} · seed {self._session.seed}"
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
