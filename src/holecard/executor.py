"""Work on threads or on an executor of yours, answered in order: the seam through which every parallel loop goes.

A job is a value (seeds, ranges, tables), a function turns it into a result, and results come back in the order of
the jobs, so that what a loop computes does not depend on how many threads ran it. Functions and jobs are picklable, so
that any `concurrent.futures.Executor` will do: a process pool, `mpi4py.futures`, or `holecard.cluster` (Dask).
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

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
    if len(first) < 2:
        yield from map(function, _unless_left(chain(first, queue)))
        return
    pool, left = executor or ThreadPoolExecutor(count), threading.Event()
    waiting: deque[Future[Result]] = deque()
    try:
        for job in _unless_left(chain(first, queue)):
            waiting.append(pool.submit(function, job) if executor else pool.submit(_done_for, left, function, job))
            if len(waiting) > 2 * (count if executor is None else width_of(executor)):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        left.set()
        for future in waiting:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)


class _Place(threading.local):
    """What a thread knows of the loop it works for."""

    left: threading.Event | None = None
    """Set once nobody waits for the loop's results any more."""


_place = _Place()


def _done_for(left: threading.Event, function: Callable[[Job], Result], job: Job) -> Result:
    """A job on a thread of a loop that may be left."""
    _place.left = left
    return function(job)


def _unless_left(jobs: Iterable[Job]) -> Iterator[Job]:
    """The jobs, until the loop that this thread works for is left."""
    for job in jobs:
        if _place.left is not None and _place.left.is_set():
            raise CancelledError
        yield job
