"""Several evolutions side by side, one generation of each at a time: one program per upcard, say.

All their populations are asked for together, so that a fitness function can evaluate them in one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from holecard.errors import FileProblem, SettingError
from holecard.evolve.engine import Evolution, Generation, Population
from holecard.evolve.selection import Fitness

JointFitness = Callable[[Mapping[str, Population], int], Mapping[str, Fitness]]
"""The fitness of several named populations in the generation of that number."""


class Lockstep:
    """Named evolutions that advance together; one that stops early waits for the others."""

    def __init__(self, evolutions: Mapping[str, Evolution]) -> None:
        if not evolutions:
            raise SettingError("a lockstep needs one evolution or more")
        self.evolutions = dict(evolutions)
        self.generation = 0

    @property
    def finished(self) -> bool:
        """True once every evolution is."""
        return all(evolution.finished for evolution in self.evolutions.values())

    def ask(self) -> dict[str, Population]:
        """The populations whose fitness is wanted now: those of the evolutions still going."""
        return {name: each.ask() for name, each in self.evolutions.items() if not each.finished}

    def tell(self, fitness: Mapping[str, Fitness]) -> dict[str, Generation]:
        """Take the fitness of everything that `ask` returned."""
        records = {name: self.evolutions[name].tell(fitness[name]) for name in self.ask()}
        self.generation += 1
        return records

    def step(self, fitness: JointFitness) -> dict[str, Generation]:
        """Ask, evaluate and tell: one generation of all."""
        return self.tell(fitness(self.ask(), self.generation))

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything a checkpoint needs: each evolution's state under its name and a full stop."""
        return {f"{name}.{key}": array for name, each in self.evolutions.items() for key, array in each.state().items()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up a state."""
        for name, evolution in self.evolutions.items():
            own = {key.removeprefix(f"{name}."): array for key, array in state.items() if key.startswith(f"{name}.")}
            if not own:
                raise FileProblem(f"the checkpoint has nothing about {name}")
            evolution.restore(own)
        self.generation = max(
            evolution.generation + evolution.finished for evolution in self.evolutions.values()
        )  # an unfinished evolution counts the generation it is about to evaluate, a finished one its last
