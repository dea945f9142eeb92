"""The parts of a race, one file each. A file says which parts of its kind a configuration asks for, and runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from holecard.studies.race.config import RaceConfig
from holecard.studies.race.part import Part, PartId
from holecard.studies.race.parts import (
    bits,
    champion,
    charts,
    duels,
    holdem,
    letters,
    network,
    search,
    solve,
    trees,
)

PARTS: Final[Mapping[PartId, Callable[[RaceConfig], Sequence[Part]]]] = {
    PartId.SOLVE: solve.parts,
    PartId.CHARTS: charts.parts,
    PartId.BITS: bits.parts,
    PartId.LETTERS: letters.parts,
    PartId.TREES: trees.parts,
    PartId.NETWORK: network.parts,
    PartId.SEARCH: search.parts,
    PartId.HOLDEM: holdem.parts,
    PartId.DUELS: duels.parts,
    PartId.CHAMPION: champion.parts,
}
"""What makes the parts of each identifier from a configuration."""


def parts_of(config: RaceConfig) -> list[Part]:
    """The parts of a race, in the order in which they run."""
    return [part for each in PartId for part in PARTS[each](config)]
