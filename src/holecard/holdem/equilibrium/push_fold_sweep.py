"""Push or fold over many stacks: for every hand the stacks at which it is a push and at which it is a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.holdem.equilibrium.push_fold import PushFold, PushFoldSolution, solve_push_fold
from holecard.holdem.equities.starting_hands import STARTING_HAND_NAMES

MOST_STACKS: Final = 5_000
Span = tuple[float, float]
"""The lowest and the highest of neighbouring stacks."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PushFoldSweep:
    """The equilibria at many stacks."""

    stacks: NDArray[np.float64]
    """The stacks in big blinds, ascending, (n)."""
    solutions: tuple[PushFoldSolution, ...]
    """The equilibrium at each."""

    def push_spans(self) -> dict[str, list[Span]]:
        """By starting hand, the stacks at which it pushes more often than not; several spans where there are gaps."""
        return self._spans(np.array([solution.push for solution in self.solutions]))

    def call_spans(self) -> dict[str, list[Span]]:
        """By starting hand, the stacks at which it calls a push more often than not."""
        return self._spans(np.array([solution.call for solution in self.solutions]))

    def _spans(self, frequencies: NDArray[np.float64]) -> dict[str, list[Span]]:
        return {name: spans_of(self.stacks, frequencies[:, at] > 0.5) for at, name in enumerate(STARTING_HAND_NAMES)}


def spans_of(stacks: Sequence[float] | NDArray[np.float64], chosen: NDArray[np.bool_]) -> list[Span]:
    """The runs of neighbouring stacks that are chosen.

    >>> spans_of([1, 2, 3, 4, 5], np.array([True, True, False, True, False]))
    [(1.0, 2.0), (4.0, 4.0)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(int)))
    return [
        (float(stacks[first]), float(stacks[last - 1])) for first, last in zip(edges[::2], edges[1::2], strict=True)
    ]


def sweep_push_fold(
    game: PushFold, stacks: Sequence[float], *, progress: Callable[[int], None] | None = None
) -> PushFoldSweep:
    """The equilibrium at every one of these stacks, with the blinds and the ante of `game`."""
    solutions = []
    for at, stack in enumerate(stacks):
        solutions.append(solve_push_fold(replace(game, stack=stack)))
        if progress is not None:
            progress(at + 1)
    return PushFoldSweep(stacks=np.array(stacks, np.float64), solutions=tuple(solutions))


def parse_stacks(text: str) -> list[float]:
    """The stacks of `1:20` (every tenth of a big blind) or `1:20:0.5`, ascending.

    >>> parse_stacks("1:2:0.25")
    [1.0, 1.25, 1.5, 1.75, 2.0]
    >>> len(parse_stacks("1:20"))
    191
    """
    parts = text.split(":")
    try:
        first, last, step = (float(part) for part in (parts if len(parts) == 3 else [*parts, "0.1"]))
    except ValueError:
        raise SettingError(f"--sweep must be LOW:HIGH or LOW:HIGH:STEP, such as 1:20; got {text!r}") from None
    if not (0 < first <= last <= 10_000 and step > 0):
        raise SettingError(f"--sweep must go up from above 0 to at most 10,000 big blinds; got {text!r}")
    count = int((last - first) / step + 1e-9) + 1
    if count > MOST_STACKS:
        raise SettingError(f"--sweep has at most {MOST_STACKS:,} stacks; {text!r} has {count:,}")
    return [round(first + at * step, 9) for at in range(count)]
