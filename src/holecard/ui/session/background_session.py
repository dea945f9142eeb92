"""A session computed on a thread of its own, round by round, so that a front end stays awake."""

from __future__ import annotations

import threading
from enum import Enum
from typing import TYPE_CHECKING

from holecard.errors import HolecardError
from holecard.ui.session.settings import Settings

if TYPE_CHECKING:
    from holecard.blackjack.arena.watched import WatchedSession


class Phase(Enum):
    """What a background session is busy with; the value says it to people."""

    STARTING = "waking the player"
    COMPILING = "compiling for this machine, once; under a minute"
    PLAYING = "playing, and pricing every decision"


class BackgroundSession:
    """An agent that plays a session in the background; it can be stopped between rounds."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.done = 0
        """Rounds played so far."""
        self.phase = Phase.STARTING
        self.error: str | None = None
        """Why there will be no session, in a line."""
        self._session: WatchedSession | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Ask it to end after the round in play."""
        self._stop.set()

    def join(self, seconds: float | None = None) -> None:
        """Wait for its end."""
        self._thread.join(seconds)

    @property
    def session(self) -> WatchedSession | None:
        """What was played, once it is finished or stopped; None before, and if nothing was."""
        return self._session

    @property
    def share(self) -> float:
        """The part of the rounds that is played, 0 to 1."""
        return min(self.done / self.settings.rounds, 1.0)

    def _run(self) -> None:
        try:
            self._play()
        except HolecardError as problem:
            self.error = str(problem)
        except Exception as problem:  # an agent from outside may raise anything; the front end must not die of it
            self.error = f"{self.settings.agent} failed: {type(problem).__name__}: {problem}"

    def _play(self) -> None:
        from holecard._jit import must_compile
        from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
        from holecard.blackjack.exact import KERNELS

        if must_compile(KERNELS[0]):
            self.phase = Phase.COMPILING
        terms = self.settings.terms()
        agent = seated_agent(self.settings.agent, terms, self.settings.options)
        table = WatchedTable(terms, self.settings.agent)
        for each in play_ahead(agent, table):
            self.phase = Phase.PLAYING
            self.done = each.number
            if self._stop.is_set():
                break
        self._session = table.session()
