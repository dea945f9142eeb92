"""Work on threads, answered in order: the seam through which every parallel loop goes.

A job is a value (seeds, ranges, tables), a function turns it into a result, and results come back in the order of
the jobs, so that what a loop computes does not depend on how many threads ran it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TypeVar

from holecard.errors import HolecardError

Job = TypeVar("Job")
Result = TypeVar("Result")


def thread_count(threads: int | None) -> int:
    """The number of threads to use: as asked, else one per core."""
    if threads is not None and threads < 1:
        raise HolecardError(f"threads must be 1 or more; got {threads}")
    return threads or os.cpu_count() or 1


def in_order(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """The results of `function` over `jobs`, in order, computed a few jobs ahead on threads or on a given executor.

    >>> list(in_order(abs, [-1, 2, -3], threads=2))
    [1, 2, 3]
    """
    count = thread_count(threads)
    if count == 1 and executor is None:
        yield from map(function, jobs)
        return
    pool = executor or ThreadPoolExecutor(count)
    waiting: deque[Future[Result]] = deque()
    try:
        for job in jobs:
            waiting.append(pool.submit(function, job))
            if len(waiting) > 2 * count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)
