"""Where answers are worked out: threads, answers that are kept, and jobs that a newer request makes needless."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, TypeVar

Answer = TypeVar("Answer")

LONGEST_WAIT: Final = 240.0
"""Seconds after which an answer is given up: a first one may wait for kernels to be compiled."""
MOST_WAITING: Final = 400
"""Jobs that wait or run at once."""
KEPT_BYTES: Final = 32 * 1024 * 1024
"""Bytes of answers that are kept."""


_LONGEST_ASIDE: Final = 0.5
"""Seconds for which slow work stands aside at a time, so that it comes to its end however much else is asked."""


class Superseded(Exception):  # noqa: N818
    """A newer request has come, or nobody waits any more."""


class Busy(Exception):  # noqa: N818
    """Too many jobs wait."""


class Job:
    """Work for one request. It cannot be stopped from outside; it asks whether it is still wanted.

    A slow one is given `calm`, which is set while no quick work is done: it waits for that where it asks.
    """

    __slots__ = ("_calm", "_over")

    def __init__(self, calm: threading.Event | None = None) -> None:
        self._over, self._calm = threading.Event(), calm

    @property
    def is_over(self) -> bool:
        """True if nobody wants the answer any more."""
        return self._over.is_set()

    def give_up(self) -> None:
        """Nobody wants the answer any more."""
        self._over.set()

    def check(self) -> None:
        """Raise if nobody wants the answer any more; for loops that take long. Slow work lets quick work go first."""
        if self._calm is not None and not self._over.is_set():
            self._calm.wait(_LONGEST_ASIDE)
        if self._over.is_set():
            raise Superseded

    def progress(self, _: int) -> None:
        """The same for work that tells how far it is."""
        self.check()


class Pool:
    """Threads for quick and for slow work; kernels release Python's lock, so they use all cores."""

    def __init__(self) -> None:
        cores = max(2, os.cpu_count() or 2)
        self._quick = ThreadPoolExecutor(cores, thread_name_prefix="quick")
        self._slow = ThreadPoolExecutor(max(1, cores // 2), thread_name_prefix="slow", initializer=_step_back)
        self._latest: dict[str, Job] = {}
        self._waiting, self._quick_ones = 0, 0
        self._calm = threading.Event()
        self._calm.set()

    async def run(
        self, work: Callable[[Job], Answer], *, slot: str | None, slow: bool, gone: Callable[[], Awaitable[None]]
    ) -> Answer:
        """What the work answers. A newer job of the same slot supersedes it, and so does a client that is `gone`."""
        if self._waiting >= MOST_WAITING:
            raise Busy
        job = self.open(slot, slow=slow)
        self._waiting += 1
        self._count_quick(0 if slow else 1)
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(self._slow if slow else self._quick, _unless_over, work, job)
        leaving = asyncio.ensure_future(gone())
        try:
            both: set[asyncio.Future[Any]] = {answer, leaving}
            done, _ = await asyncio.wait(both, timeout=LONGEST_WAIT, return_when=asyncio.FIRST_COMPLETED)
            if answer in done:
                return answer.result()
            if not done:
                raise TimeoutError
            raise Superseded
        finally:
            self._waiting -= 1
            self._count_quick(0 if slow else -1)
            job.give_up()
            leaving.cancel()
            answer.add_done_callback(_forget)
            self.close(slot, job)

    def _count_quick(self, more: int) -> None:
        """Note that quick work has begun or ended; called on the thread of the loop only."""
        self._quick_ones += more
        if self._quick_ones:
            self._calm.clear()
        else:
            self._calm.set()

    def open(self, slot: str | None, *, slow: bool = False) -> Job:
        """A job, which supersedes an older one of its slot."""
        job = Job(self._calm if slow else None)
        if slot is not None:
            if older := self._latest.get(slot):
                older.give_up()
            self._latest[slot] = job
        return job

    def close(self, slot: str | None, job: Job) -> None:
        """A job has ended."""
        if slot is not None and self._latest.get(slot) is job:
            del self._latest[slot]

    def shut(self) -> None:
        """Let go of the threads; what waits is not begun."""
        for job in list(self._latest.values()):
            job.give_up()
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)


def _step_back() -> None:
    """Let quick work go before that of this thread, where the system can do so for a single thread."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def _unless_over(work: Callable[[Job], Answer], job: Job) -> Answer:
    job.check()
    return work(job)


def _forget(answer: asyncio.Future[Answer]) -> None:
    """Take the outcome of work that nobody waits for, so that no warning is made of it."""
    if not answer.cancelled():
        answer.exception()


class Kept:
    """Answers by what was asked, the least recently used ones dropped beyond so many bytes."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most, self._bytes = most_bytes, 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """The answer, or None."""
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, answer: bytes) -> None:
        """Keep an answer."""
        self._bytes += len(answer) + len(key) - (len(self._answers[key]) + len(key) if key in self._answers else 0)
        self._answers[key] = answer
        self._answers.move_to_end(key)
        while self._bytes > self._most:
            dropped, content = self._answers.popitem(last=False)
            self._bytes -= len(content) + len(dropped)
