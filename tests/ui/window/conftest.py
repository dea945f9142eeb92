"""A window in memory, driven by the events that a keyboard and a mouse send."""

import os
import time

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
from holecard.ui.session.settings import Settings
from holecard.ui.window.app import App
from holecard.ui.window.loading import Loading
from holecard.ui.window.screens import Show
from holecard.ui.window.window import OffscreenWindow


class Player:
    """Somebody at the window."""

    def __init__(self, settings=None, size=(1024, 640), replay=None):
        self.window = OffscreenWindow(size)
        self.app = App(self.window, settings or Settings(rounds=3), replay=replay)
        self.app.draw()

    @property
    def screen(self):
        return self.app.screen

    def press(self, *keys, mod=0):
        for key in keys:
            text = key if isinstance(key, str) else ""
            code = pygame.key.key_code(key) if isinstance(key, str) and key not in "+-?.:_/~" else key
            if isinstance(key, str) and key in "+-?.:_/~":
                code = {"+": pygame.K_PLUS, "-": pygame.K_MINUS, "?": pygame.K_QUESTION}.get(key, pygame.K_PERIOD)
            event = pygame.event.Event(pygame.KEYDOWN, key=code, mod=mod, unicode=text, scancode=0)
            assert pygame.event.post(event)
            self.app.pump()
        self.app.draw()

    def type(self, text):
        for letter in text:
            event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_UNKNOWN, mod=0, unicode=letter, scancode=0)
            pygame.event.post(event)
        self.app.pump()
        self.app.draw()

    def click(self, at):
        at = getattr(at, "center", at)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0)))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=at, button=1))
        self.app.pump()
        self.app.draw()

    def wait(self, seconds, step=0.05):
        """Let time pass at the window, frame by frame."""
        for _ in range(round(seconds / step)):
            self.app.update(step)
            self.app.draw()

    def load(self):
        """Wait until a session is computed."""
        end = time.monotonic() + 60
        while isinstance(self.screen, Loading):
            assert time.monotonic() < end
            time.sleep(0.002)
            self.app.update(0.01)
            self.app.draw()
        return self.screen

    def resize(self, size):
        self.window.sdl_window.size = size
        self.app.pump()
        self.app.draw()

    def show(self, session):
        self.app.go(Show(session))
        self.app.draw()
        return self.screen


@pytest.fixture
def at_window(tmp_path, monkeypatch):
    """Opens windows, in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    opened = []

    def opening(*arguments, **options):
        opened.append(Player(*arguments, **options))
        return opened[-1]

    yield opening
    for player in opened:
        player.window.sdl_window.destroy()
    pygame.event.clear()


def played(settings):
    """A session of these settings, played at once."""
    table = WatchedTable(settings.terms(), settings.agent)
    for _ in play_ahead(seated_agent(settings.agent, settings.terms(), settings.options), table):
        pass
    return table.session()
