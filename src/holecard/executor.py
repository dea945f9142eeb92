"""Work on threads or on an executor of yours, answered in order: the seam through which every parallel loop goes.

A job is a value (seeds, ranges, tables), a function turns it into a result, and results come back in the order of
the jobs, so that what a loop computes does not depend on how many threads ran it. Functions and jobs are picklable, so
that any `concurrent.futures.Executor` will do: a process pool, `mpi4py.futures`, or `holecard.cluster` (Dask).
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future
from itertools import chain, islice
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar, cast

from holecard.errors import HolecardError

Job = TypeVar("Job")
Result = TypeVar("Result")


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as asked, else one per core."""
    if threads is not None and threads < 1:
        raise HolecardError(f"threads must be 1 or more; got {threads}")
    return threads or os.cpu_count() or 1


def width_of(executor: Executor) -> int:
    """How many jobs an executor works on at a time: as it says, else one per core here."""
    for name in ("width", "num_workers", "_max_workers"):  # ours, mpi4py's, the standard pools'
        width = getattr(executor, name, None)
        if isinstance(width, int):
            return max(1, width)
    return os.cpu_count() or 1


def job_size(total: int, least: int, executor: Executor) -> int:
    """How many of `total` pieces to put into a job: `least` or more, so that scheduling them costs little beside the
    work, up to four times as many, and so that everybody gets about the same number of jobs.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> pool = ThreadPoolExecutor(2)
    >>> job_size(50, 4, pool), job_size(10**9, 1000, pool), job_size(7, 4, pool)
    (7, 4000, 7)
    """
    width = width_of(executor)
    jobs = max(-(-total // (4 * least)), min(4 * width, total // least), 1)
    if jobs > width:
        jobs = -(-jobs // width) * width
    return -(-total // jobs)


def in_order(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """The results of `function` over `jobs`, in order, computed a few jobs ahead on threads or on a given executor.

    A single job needs no scheduling: it is done here. When the loop over the results is left early, by Ctrl-C say, no
    further job begins, neither here nor in loops of this kind that jobs on its threads are at.

    >>> list(in_order(abs, [-1, 2, -3], threads=2))
    [1, 2, 3]
    """
    count = thread_count(threads)
    queue = iter(jobs)
    first = list(islice(queue, 1 if count == 1 and executor is None else 2))
    ahead = _unless_left(chain(first, queue))
    if len(first) < 2:
        yield from map(function, ahead)
    elif executor is None:
        yield from _on_threads(function, ahead, count)
    else:
        yield from _elsewhere(function, ahead, executor)


def _elsewhere(function: Callable[[Job], Result], jobs: Iterable[Job], executor: Executor) -> Iterator[Result]:
    """The results of jobs on an executor of the caller's."""
    waiting: deque[Future[Result]] = deque()
    try:
        for job in jobs:
            waiting.append(executor.submit(function, job))
            if len(waiting) > 2 * width_of(executor):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


_Answer = tuple[int, Any, BaseException | None]
"""The number of a job, its result, or what it raised; a number of −1 says that a thread has ended."""


class _Loop(NamedTuple):
    """What threads share that work on the jobs of one loop.

    Queues of C, and nothing else, stand between them and whoever waits. `threading.Condition`, on which the standard
    pools are built, takes its lock in Python: an interrupt that comes just then leaves it locked, and everybody waits
    forever.
    """

    asked: SimpleQueue[tuple[int, Any] | None]
    """Jobs by number; None, which stays there, once there is nothing more to do."""
    answered: SimpleQueue[_Answer]
    left: list[bool]
    """Not empty once nobody waits for results any more."""


def _on_threads(function: Callable[[Job], Result], jobs: Iterable[Job], count: int) -> Iterator[Result]:
    """The results of jobs on so many threads, which have ended when this ends."""
    loop = _Loop(SimpleQueue(), SimpleQueue(), [])
    early: dict[int, _Answer] = {}
    asked, given, threads = 0, 0, 0

    def result() -> Result:
        while given not in early:
            answer = loop.answered.get()
            early[answer[0]] = answer
        _, found, problem = early.pop(given)
        if problem is not None:
            raise problem
        return cast(Result, found)

    try:
        for job in jobs:
            loop.asked.put((asked, job))
            asked += 1
            if threads < count:
                threading.Thread(target=_work, args=(loop, function), daemon=True).start()
                threads += 1
            if asked - given > 2 * count:
                yield result()
                given += 1
        while given < asked:
            yield result()
            given += 1
    finally:
        loop.left.append(True)
        loop.asked.put(None)
        while threads > 0:
            threads -= loop.answered.get()[0] < 0


def _work(loop: _Loop, function: Callable[[Any], Any]) -> None:
    """What a thread does: one job after another, until there is nothing more to do or nobody waits for it."""
    _place.left = loop.left
    while (job := loop.asked.get()) is not None and not loop.left:
        try:
            loop.answered.put((job[0], function(job[1]), None))
        except BaseException as problem:
            loop.answered.put((job[0], None, problem))
    loop.asked.put(None)
    loop.answered.put((-1, None, None))


class _Place(threading.local):
    """What a thread knows of the loop it works for."""

    left: Sequence[bool] = ()
    """Not empty once nobody waits for the loop's results any more."""


_place = _Place()


def _unless_left(jobs: Iterable[Job]) -> Iterator[Job]:
    """The jobs, until the loop that this thread works for is left."""
    for job in jobs:
        if _place.left:
            raise CancelledError
        yield job
