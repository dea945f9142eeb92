"""Draw the pictures of docs/pictures: menu, game, a hand split four ways, and results, at two sizes.

    python scripts/pictures.py [FOLDER]

Everything is drawn in memory by real key presses; the same commit draws the same pictures.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
import pygame

from holecard.arena.scene import Kind
from holecard.arena.watched import Decision, WatchedRound, WatchedSession
from holecard.blackjack.events import Over, play_stacked
from holecard.blackjack.rules import Rules
from holecard.blackjack.strategy import Action
from holecard.ui.table_view.app import App
from holecard.ui.table_view.game import GameScreen
from holecard.ui.table_view.loading import Loading
from holecard.ui.table_view.screens import Show
from holecard.ui.table_view.settings import Settings
from holecard.ui.table_view.stage import Canvas
from holecard.ui.table_view.viewing import Viewing

SIZES = ((1024, 640), (1920, 1080))


def press(app: App, *keys: int) -> None:
    """Press keys, one after the other."""
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        app.pump()


def settle(app: App, seconds: float = 4.0) -> None:
    """Let motion come to rest."""
    app.viewing.playing = False
    for _ in range(round(seconds * 30)):
        app.update(1 / 30)


def four_hands() -> WatchedSession:
    """A pair of eights split to four hands, each hit or doubled: what must fit on the cloth."""
    rules = Rules(shoe="dealt")
    cards = [24, 17, 25, 10, 26, 27, 4, 5, 12, 3, 6, 9, 16, 14, 8, 0, 1, 22, 15, 44, 30, 40, 41, 42]
    wanted = [Action.SPLIT, Action.SPLIT, Action.SPLIT]
    actions: list[Action] = []
    while True:
        events = play_stacked(cards, actions, rules)
        if isinstance(events[-1], Over):
            break
        actions.append(wanted.pop(0) if wanted else Action.HIT if len(actions) % 3 else Action.STAND)
    decisions = tuple(
        Decision(seat=event.seat, spot="pair 88 against 6", action=event.action, evs=((event.action, 0.0),))
        for event in events
        if hasattr(event, "action")
    )
    net = events[-1].net
    played = WatchedRound(
        number=1, events=events, decisions=decisions, net=net * 10, bankroll=1000 + net * 10, purse=1 << 40
    )
    return WatchedSession(agent="heuristic", rules=rules, seed=0, bet=10, bankroll=1000, rounds=(played,))


def draw(folder: Path, size: tuple[int, int]) -> None:
    """All pictures of one size."""
    name = f"{size[0]}x{size[1]}"
    canvas = Canvas(size)
    app = App(canvas, Settings(agent="mcts", rounds=60, seed=4), viewing=Viewing())

    def keep(what: str) -> None:
        app.draw()
        pygame.image.save(canvas.surface, folder / f"{what}-{name}.png")

    settle(app)
    keep("menu")
    press(app, pygame.K_RETURN)
    while isinstance(app.screen, Loading):
        pygame.time.wait(5)
        app.update(0.01)
    game = app.screen
    assert isinstance(game, GameScreen)
    app.viewing.playing = False
    mistakes = [at for at in range(len(game.tape)) if game.tape.step(at).kind == Kind.DECIDE]
    dearest = max(mistakes, key=lambda at: game.tape.decision(at).cost)
    while game.at < dearest:
        press(app, pygame.K_RIGHT)
    settle(app)
    keep("game")
    press(app, pygame.K_RETURN)
    settle(app)
    keep("results")
    app.go(Show(four_hands()))
    game = app.screen
    for _ in range(len(game.tape) - 1):
        press(app, pygame.K_RIGHT)
    settle(app)
    keep("four-hands")
    canvas.close()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    target.mkdir(parents=True, exist_ok=True)
    for each in SIZES:
        draw(target, each)
    for path in sorted(target.glob("*.png")):
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
