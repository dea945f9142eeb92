"""Draw the pictures of docs/pictures: every screen, a pair split to four hands, your turn, at two sizes.

    python scripts/pictures.py [FOLDER]

Everything is drawn in memory by real key presses; the same commit draws the same pictures.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
import pygame

from holecard.blackjack.arena.scene import Kind
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import Settings
from holecard.ui.window.app import App
from holecard.ui.window.game import GameScreen
from holecard.ui.window.loading import Loading
from holecard.ui.window.screens import Start
from holecard.ui.window.window import OffscreenWindow

SIZES = ((1024, 640), (1920, 1080))
FOUR_HANDS = 442
"""A seed whose fourth round splits a pair to four hands under basic strategy."""


def press(app: App, *keys: int) -> None:
    """Press keys, one after the other."""
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        app.pump()


def settle(app: App, seconds: float = 4.0) -> None:
    """Let motion come to rest."""
    app.preferences.automatic = False
    for _ in range(round(seconds * 30)):
        app.update(1 / 30)


def load(app: App) -> GameScreen:
    """Wait for the session and stand at its first step."""
    while isinstance(app.screen, Loading):
        pygame.time.wait(5)
        app.update(0.01)
    app.preferences.automatic = False
    assert isinstance(app.screen, GameScreen)
    return app.screen


def step_to(app: App, game: GameScreen, at: int) -> None:
    """Step forward by key until a step, and let it come to rest."""
    while game.stepper.at < at:
        press(app, pygame.K_RIGHT)
    settle(app)


def draw(folder: Path, size: tuple[int, int]) -> None:
    """All pictures of one size."""
    window = OffscreenWindow(size)
    app = App(window, Settings(agent="mcts", rounds=60, seed=4), preferences=Preferences())

    def keep(what: str) -> None:
        app.draw()
        pygame.image.save(window.surface, folder / f"{what}-{size[0]}x{size[1]}.png")

    settle(app)
    keep("menu")
    press(app, pygame.K_RETURN)
    game = load(app)
    decisions = [at for at in range(len(game.stepper.playback)) if game.stepper.playback.step(at).kind == Kind.DECIDE]

    def cost(at: int) -> float:
        decision = game.stepper.playback.decision(at)
        return decision.cost if decision else 0.0

    step_to(app, game, max(decisions, key=cost))
    keep("game")
    press(app, pygame.K_RETURN)
    settle(app)
    keep("results")
    app.go(Start(Settings(agent="heuristic", rounds=4, seed=FOUR_HANDS)))
    game = load(app)
    step_to(app, game, len(game.stepper.playback) - 1)
    keep("four-hands")
    app.go(Start(Settings(agent="you", rounds=4, seed=1)))
    settle(app)
    press(app, pygame.K_h)
    settle(app)
    keep("you")
    window.close()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    target.mkdir(parents=True, exist_ok=True)
    for each in SIZES:
        draw(target, each)
    for path in sorted(target.glob("*.png")):
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
