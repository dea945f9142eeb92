"""Which code a machine runs: version, sources and compiler, so that a worker of another kind is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from holecard.errors import ClusterError


class Fingerprint(NamedTuple):
    """What must be the same everywhere, or the same seed would not give the same bits."""

    version: str
    """Of the package."""
    sources: str
    """A digest of all its source files."""
    numba: str
    """The compiler's version."""
    numpy: str


@cache
def fingerprint() -> tuple[str, ...]:
    """The `Fingerprint` of this process, as a plain tuple."""
    folder, digest = Path(__file__).parents[1], hashlib.sha256()
    for source in sorted(folder.rglob("*.py")):
        digest.update(source.relative_to(folder).as_posix().encode())
        digest.update(source.read_bytes().replace(b"\r\n", b"\n"))
    return tuple(Fingerprint(_version("holecard"), digest.hexdigest()[:16], _version("numba"), _version("numpy")))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def fingerprint_there() -> Callable[[], Any]:
    """A function that tells a worker's fingerprint, or in words why it has none.

    It is local to this one, so that it travels as code: a worker may have no or another package of our name.
    """

    def ask() -> Any:
        try:
            from holecard.cluster.fingerprint import fingerprint

            return fingerprint()
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}"

    return ask


def refusal(where: str, found: Any, wanted: tuple[str, ...]) -> str:
    """One line about a worker whose fingerprint is another."""
    if not isinstance(found, tuple) or len(found) != len(wanted):
        return f"the worker at {where} has no holecard of this version ({found}); install {wanted[0]} there"
    names = Fingerprint._fields
    other = [
        f"{name} {theirs}, here {ours}"
        for name, theirs, ours in zip(names, found, wanted, strict=True)
        if theirs != ours
    ]
    return f"the worker at {where} runs another holecard: {'; '.join(other)}; install the same on all machines"


def run_checked(wanted: tuple[str, ...], function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """On a worker: compute, unless this worker's sources are not those of whoever asks; it may have come late."""
    found = fingerprint()
    if found != wanted:
        import socket

        raise ClusterError(refusal(socket.gethostname(), found, wanted))
    return function(*args, **kwargs)
