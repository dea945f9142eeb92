"""One way to run a study: its configuration says which study it is."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, overload

from holecard.errors import SettingError
from holecard.studies.blueprint_config import BlueprintConfig
from holecard.studies.counter_config import CounterConfig
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.imitation_config import DemonstrationConfig, ImitationConfig
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig

if TYPE_CHECKING:
    from holecard.studies.blueprint import BlueprintOutcome
    from holecard.studies.counter import CounterOutcome
    from holecard.studies.demonstrations import DemonstrationOutcome
    from holecard.studies.genetic import GeneticOutcome
    from holecard.studies.imitation import ImitationOutcome
    from holecard.studies.neuroevolution import NeuroevolutionOutcome
    from holecard.studies.programs import ProgramOutcome

_HOMES: Final[Mapping[type, str]] = {
    GeneticConfig: "genetic",
    CounterConfig: "counter",
    ProgramConfig: "programs",
    NeuroevolutionConfig: "neuroevolution",
    BlueprintConfig: "blueprint",
    DemonstrationConfig: "demonstrations",
    ImitationConfig: "imitation",
}
"""The module whose `run` runs a configuration."""


@overload
def run(config: GeneticConfig, path: Path, **how: Any) -> GeneticOutcome: ...
@overload
def run(config: CounterConfig, path: Path, **how: Any) -> CounterOutcome: ...
@overload
def run(config: ProgramConfig, path: Path, **how: Any) -> ProgramOutcome: ...
@overload
def run(config: NeuroevolutionConfig, path: Path, **how: Any) -> NeuroevolutionOutcome: ...
@overload
def run(config: BlueprintConfig, path: Path, **how: Any) -> BlueprintOutcome: ...
@overload
def run(config: DemonstrationConfig, path: Path, **how: Any) -> DemonstrationOutcome: ...
@overload
def run(config: ImitationConfig, path: Path, **how: Any) -> ImitationOutcome: ...
def run(config: Any, path: Path, **how: Any) -> Any:
    """Run a study to its end; returns its outcome. `path` is the folder of an evolution, the file of other studies.

    `how` is the same for every evolution: `resume` (go on with the run in the folder), `threads`, `executor`, `device`,
    `observer` and `command` (what `config.json` says was typed). Demonstrations and imitation take an `observer`;
    imitation also takes its `data`.
    """
    if type(config) not in _HOMES:
        raise SettingError(f"a study is run by its configuration; got a {type(config).__name__}")
    return import_module(f"holecard.studies.{_HOMES[type(config)]}").run(config, path, **how)
