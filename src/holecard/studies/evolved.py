"""What studies that evolve blackjack players share: the places of their random numbers, and the shape of an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from holecard.evolve.run_directory import RunDirectory
from holecard.seeds import drawn_seed, stream

DEALING: Final = 1
"""The place of a generation's cards in the random numbers of a run."""
AGAIN: Final = 2
"""The place of the cards of the champion's last test."""
BREEDING: Final = 3
"""The place of what is drawn to breed, where populations breed apart."""

C = TypeVar("C")


def card_seed(seed: int, generation: int, *place: int) -> int:
    """The seed of the cards of a generation of a run, at one of the places above."""
    return drawn_seed(stream(seed, generation, *place))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolvedOutcome(Generic[C]):
    """How a study ended, whatever it evolved."""

    config: C
    """What was asked for."""
    run: RunDirectory
    """Its folder."""
    generations: int
    """Generations evaluated."""
