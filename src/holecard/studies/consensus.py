"""What most of a population plays, locus by locus, and how many of it do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.strategy.letters import LETTERS, Letter
from holecard.studies.genome import Encoding, Genomes

_TEXT: Final = f"{LETTERS}="
"""Letters of a genome as text; `=` is a pair that plays as its total."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Consensus:
    """The most common letter of every locus."""

    letters: Genomes
    """Shape (loci,); of equally common letters the first of the locus' alphabet."""
    shares: NDArray[np.float64]
    """The share of the population that has it, shape (loci,)."""

    @property
    def hits(self) -> NDArray[np.float64]:
        """The share that hits, shape (loci,), where hit and stand are the only letters."""
        return np.where(self.letters == Letter.HIT, self.shares, 1.0 - self.shares)

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON, shares in whole percent; `from_dict` reads it back."""
        letters = "".join(_TEXT[letter] for letter in self.letters)
        return {"letters": letters, "percent": np.rint(100 * self.shares).astype(int).tolist()}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Consensus:
        """The consensus of a record."""
        letters = np.array([_TEXT.index(letter) for letter in record["letters"]], np.uint8)
        return cls(letters=letters, shares=np.array(record["percent"]) / 100)


def consensus_of(population: Genomes, encoding: Encoding) -> Consensus:
    """The consensus of a population."""
    letters = np.arange(len(_TEXT), dtype=np.uint8)
    counts = (population[:, :, None] == letters).sum(axis=0)
    first = [
        max(allowed, key=lambda letter: line[letter]) for allowed, line in zip(encoding.alphabet, counts, strict=True)
    ]
    chosen = np.array(first, np.uint8)
    shares = counts[np.arange(len(chosen)), chosen] / len(population)
    return Consensus(letters=chosen, shares=shares)
