"""How long a frame of the table takes and how soon the menu opens: `python benchmarks/watch.py [--frames N]`.

Drawn by SDL's dummy driver, validated first: the frames differ while cards move, and the session is the engine's own.
The aim is 60 frames a second on two cores: a median under 8 ms in the game screen leaves half the time to others.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
import pygame
from results import record

from holecard.blackjack.arena.watched import WatchedSession, WatchedTable, play_ahead, seated_agent
from holecard.blackjack.game.events import replay
from holecard.ui.session.settings import Settings
from holecard.ui.window.app import FRAMES, App
from holecard.ui.window.game import GameScreen
from holecard.ui.window.screens import Show
from holecard.ui.window.window import OffscreenWindow

SIZES = ((1024, 640), (1280, 800), (1920, 1080), (2560, 1440), (3840, 2160))
MOST_MS = 8.0
"""A frame of the game screen, median."""
MOST_SECONDS = 1.5
"""From the command to the menu's first frame, kernels in the cache."""
OPENING = (
    "import sys, time, os; start = time.perf_counter();"
    "from holecard.ui.window.app import App;"
    "App.pump = lambda app: setattr(app, 'running', False);"
    "from holecard.ui.cli import main\n"
    "try: main(['watch'])\n"
    "except SystemExit: pass\n"
    "print(time.perf_counter() - start)"
)


def played(rounds: int) -> tuple[WatchedSession, float]:
    """A session and the seconds a round of it took."""
    settings = Settings(rounds=rounds, bankroll=100_000)
    sessions = settings.terms()
    table = WatchedTable(sessions, settings.agent)
    agent = seated_agent(settings.agent, sessions)
    ahead = play_ahead(agent, table)
    next(ahead)
    start = time.perf_counter()
    for each in ahead:
        assert replay(each.events, sessions.rules, each.purse) == each.events
    return table.session(), (time.perf_counter() - start) / (rounds - 1)


def frame_times(session: WatchedSession, size: tuple[int, int], n: int) -> tuple[list[float], list[float], float]:
    """Milliseconds of the frames drawn in the game, by the clock and of CPU, and of the very first.

    The loop is `App.run`'s: a frame in which nothing has changed is not drawn, and not counted here.
    """
    window = OffscreenWindow(size)
    app = App(window, Settings(), replay=session)
    start = time.perf_counter()
    app.draw()
    first = 1000 * (time.perf_counter() - start)
    clock: list[float] = []
    cpu: list[float] = []
    pictures = set()
    while len(clock) < n:
        if not isinstance(app.screen, GameScreen):
            app.go(Show(session))
        start, before = time.perf_counter(), time.thread_time()
        app.pump()
        app.update(1 / FRAMES)
        if app.screen.stale:
            app.draw()
            window.show()
            clock.append(1000 * (time.perf_counter() - start))
            cpu.append(1000 * (time.thread_time() - before))
            if len(clock) <= 60:
                pictures.add(hash(pygame.image.tobytes(window.surface, "RGB")))
    assert len(pictures) > 20, "cards move"
    window.close()
    return clock, cpu, first


def opening_seconds(times: int = 5) -> tuple[float, float]:
    """Seconds from the start of the program to the menu's first frame, interpreter included: by the clock, of CPU."""
    clock, cpu = [], []
    for _ in range(times):
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", OPENING], check=True, capture_output=True)
        clock.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(clock), statistics.median(cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=900)
    parser.add_argument("--quick", action="store_true", help="100 frames each")
    options = parser.parse_args()
    frames = 100 if options.quick else options.frames
    session, seconds = played(100)
    print("validated: every round replays to the same events, and frames differ while cards move\n")
    print(f"computed ahead, every decision priced: {1000 * seconds:.1f} ms a round\n")
    print(f"{'window':>11}  {'median':>9}  {'of CPU':>9}  {'95 %':>9}  {'slowest':>9}  {'first':>8}   median of 8 ms")
    for size in SIZES:
        clock, cpu, first = frame_times(session, size, frames)
        median, tail = statistics.median(clock), statistics.quantiles(clock, n=20)[-1]
        print(
            f"{f'{size[0]}×{size[1]}':>11}  {median:6.2f} ms  {statistics.median(cpu):6.2f} ms  {tail:6.2f} ms  "
            f"{max(clock):6.1f} ms  {first:5.0f} ms  {median / MOST_MS:6.2f}×"
        )
        record(f"a frame of the table, {size[0]}×{size[1]}, median", median, "ms")
    opened, used = opening_seconds()
    record("from the command to the menu", opened, "s")
    print(f"\nopening the menu: {opened:.2f} s ({used:.2f} s of CPU), {opened / MOST_SECONDS:.2f}× of {MOST_SECONDS} s")


if __name__ == "__main__":
    main()
