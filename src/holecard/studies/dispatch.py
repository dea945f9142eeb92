"""One way to run a study: its configuration says which study it is."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

from holecard.errors import SettingError
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig

if TYPE_CHECKING:
    from holecard.studies.genetic import GeneticOutcome
    from holecard.studies.neuroevolution import NeuroevolutionOutcome
    from holecard.studies.programs import ProgramOutcome

_HOMES: Final[Mapping[type, str]] = {
    GeneticConfig: "genetic",
    ProgramConfig: "programs",
    NeuroevolutionConfig: "neuroevolution",
}
"""The module whose `run` runs a configuration."""


@overload
def run(config: GeneticConfig, folder: Path, **how: Any) -> GeneticOutcome: ...
@overload
def run(config: ProgramConfig, folder: Path, **how: Any) -> ProgramOutcome: ...
@overload
def run(config: NeuroevolutionConfig, folder: Path, **how: Any) -> NeuroevolutionOutcome: ...
def run(config: Any, folder: Path, **how: Any) -> Any:
    """Run a study in `folder` to its end; returns its outcome.

    `how` is the same for every study: `resume` (go on with the run in the folder), `threads`, `executor`, `device`,
    `observer` and `command` (what `config.json` says was typed).
    """
    if type(config) not in _HOMES:
        raise SettingError(f"a study is run by its configuration; got a {type(config).__name__}")
    return import_module(f"holecard.studies.{_HOMES[type(config)]}").run(config, folder, **how)
