"""Which configuration a study runs: the one it is given, or the one that lies in the folder it goes on with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from holecard.errors import SettingError
from holecard.evolve.run_directory import RunDirectory


class Stored(Protocol):
    """A configuration that a run directory can hold."""

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The configuration of a run directory's options."""


Config = TypeVar("Config", bound=Stored)


def configuration(given: Config | None, folder: Path, kind: type[Config], *, resume: bool) -> Config:
    """The configuration in `folder` for a run that goes on, else the one that is given."""
    if resume:
        return kind.from_options(RunDirectory.open(folder).options)
    if given is None:
        raise SettingError("a new run needs a configuration")
    return given
