"""A Dask cluster as a `concurrent.futures.Executor`: the same jobs as on threads, on as many machines as there are.

    with Cluster("tcp://host:8786") as executor:
        simulate(strategy, rules, 10**12, executor=executor)

A worker that dies loses its job to another one. A worker of other sources is refused. When the scheduler is gone, or no
worker is left for a minute, every waiting job raises `ClusterError`; what a study has saved stays good.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, Final, TypeVar

from holecard.cluster.fingerprint import fingerprint, fingerprint_there, refusal, run_checked
from holecard.errors import ClusterError, HolecardError, MissingExtra, SettingError

__all__ = ["Cluster", "connected"]

Result = TypeVar("Result")
CONNECT_SECONDS: Final = 10.0
"""How long a scheduler may take to answer, and the first worker to appear."""
PATIENCE: Final = 60.0
"""How long a run waits while there is no worker."""
_GONE: Final = "what is saved is intact: go on with --resume, here or with --cluster of another one"


class Cluster(Executor):
    """Jobs on the workers of a Dask scheduler; results come back as standard futures."""

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        """Connect to the scheduler at `address`, such as `tcp://host:8786`, and look at its workers."""
        self.address, self._patience = address, patience
        self._client = _client(address)
        self._own = fingerprint()
        self._waiting: set[Future[Any]] = set()
        self._lock, self._closed = threading.Lock(), threading.Event()
        self.width = 1
        """Threads of all workers together, as last seen."""
        try:
            self._inspect()
        except BaseException:
            self._client.close(timeout=1)
            raise
        self._inner = self._client.get_executor(pure=False)
        self._watcher = threading.Thread(target=self._watch, name="holecard-cluster", daemon=True)
        self._watcher.start()

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Have a worker compute `fn(*args, **kwargs)`; everything must be picklable."""
        outer: Future[Result] = Future()
        if self._closed.is_set():
            raise ClusterError(f"the cluster at {self.address} is closed")
        if self._client.status != "running":
            raise ClusterError(f"the scheduler at {self.address} is gone; {_GONE}")
        inner = self._inner.submit(run_checked, self._own, fn, args, kwargs)
        with self._lock:
            self._waiting.add(outer)
        outer.add_done_callback(lambda done: self._settled(done, inner))
        inner.add_done_callback(lambda done: self._pass_on(done, outer))
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; its workers stay for others."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._fail_all(ClusterError(f"the cluster at {self.address} is closed"))
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be told goodbye
            self._client.close(timeout=2)

    def _settled(self, outer: Future[Any], inner: Future[Any]) -> None:
        with self._lock:
            self._waiting.discard(outer)
        if not inner.done():  # cancelled, or given up: nobody waits for it any more
            inner.cancel()

    def _pass_on(self, inner: Future[Any], outer: Future[Any]) -> None:
        """Hand the outcome of Dask's future to the caller's, unless it has one already."""
        if outer.done():
            return
        problem: BaseException | None
        if inner.cancelled():
            problem = ClusterError(f"the scheduler at {self.address} is gone; {_GONE}")
        else:
            problem = inner.exception()
        if problem is None:
            _settle(outer, inner.result())
        else:
            _settle(outer, _in_one_line(problem, self.address))

    def _inspect(self) -> None:
        """Wait for the first worker and refuse workers of other sources."""
        deadline = time.monotonic() + CONNECT_SECONDS
        while not self._client.nthreads():
            if time.monotonic() > deadline:
                raise ClusterError(
                    f"the scheduler at {self.address} has no workers; start one: dask worker {self.address}"
                )
            time.sleep(0.1)
        for worker, found in self._client.run(fingerprint_there(), on_error="return").items():
            if found != self._own:
                raise ClusterError(refusal(worker, found, self._own))
        self.width = sum(self._client.nthreads().values())

    def _watch(self) -> None:
        """Count the workers now and then; give up on a scheduler or on workers that stay away."""
        last_seen = time.monotonic()
        while not self._closed.wait(1.0):
            if self._client.status == "running":
                with contextlib.suppress(Exception):
                    self.width = sum(self._client.nthreads().values())
                    if self.width:
                        last_seen = time.monotonic()
                lost = f"no worker of the cluster at {self.address} was seen for {self._patience:.0f} s; {_GONE}"
            else:
                lost = f"the scheduler at {self.address} is gone; {_GONE}"
            if time.monotonic() - last_seen > self._patience or self._client.status == "closed":
                self._fail_all(ClusterError(lost))

    def _fail_all(self, problem: ClusterError) -> None:
        with self._lock:
            waiting = list(self._waiting)
        for future in waiting:
            _settle(future, problem)


def _settle(future: Future[Any], outcome: Any) -> None:
    """Give a future its outcome, unless somebody was first."""
    with contextlib.suppress(Exception):
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def _in_one_line(problem: BaseException, address: str) -> BaseException:
    """What went wrong on a worker, as a user can read it; a mistake of ours stays what it is."""
    if isinstance(problem, HolecardError):
        return problem
    kind = type(problem).__name__
    if kind == "KilledWorker":
        return ClusterError(f"one job killed several workers of {address}: do they have enough memory? {_GONE}")
    if type(problem).__module__.startswith(("distributed", "dask", "tornado")):
        return ClusterError(f"the cluster at {address} failed with {kind}: {problem}; {_GONE}")
    return problem


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtra("--cluster needs Dask: pip install 'holecard[cluster]'") from None
    scheme, separator, rest = address.partition("://")
    if not separator or not rest or scheme not in ("tcp", "tls", "ws", "wss", "ucx", "inproc"):
        raise SettingError(f"a cluster is the address of a Dask scheduler, such as tcp://host:8786; got {address!r}")
    _hush()
    try:
        client: Any = distributed.Client
        return client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as problem:
        why = str(problem).split("\n", maxsplit=1)[0] or type(problem).__name__
        raise ClusterError(f"no Dask scheduler answers at {address} ({why}); start one: dask scheduler") from None


def _hush() -> None:
    """Keep Dask's logs off the screen: what matters is said in a line of our own."""
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[Executor | None]:
    """The cluster at an address while the block runs; None where there is no address."""
    if address is None:
        yield None
        return
    with Cluster(address) as executor:
        yield executor
