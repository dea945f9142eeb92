"""Counters as genomes of 294 bits: 260 say how to play, 22 how to count, 12 how to bet.

Bits 0 … 259 are those of the 260-bit algorithm (1 = hit). Bits 260 … 281 are eleven slots of two bits, the tags of
A, 2 … 10 and a slot that nothing uses: 00 is −1, 01 is 0, 10 is +1 and 11 is 0. Bits 282 … 293 are four bets of three
bits, 000 = 1 … 111 = 8 units, for true counts up to −2, −1 … +1, +2 … +4 and from +5.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.bankrolls import BANDS, Gamblers
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy
from holecard.errors import SettingError
from holecard.studies.genome import Encoding

Bits = NDArray[np.uint8]
TAG_BITS: Final = 2 * (len(VALUES) + 1)
BET_BITS: Final = 3 * BANDS
BITS: Final = GENOME_BITS + TAG_BITS + BET_BITS
_TAG_OF: Final = np.array([-1, 0, 1, 0], np.int64)
"""The tag of a slot by its two bits."""
_BITS_OF: Final = {-1: (0, 0), 0: (0, 1), 1: (1, 0)}
BAND_NAMES: Final = ("≤ −2", "−1 … +1", "+2 … +4", "≥ +5")


def letters_of(genomes: Bits) -> NDArray[np.uint8]:
    """(n, 260): the letters of the charts, as `studies.genome.Encoding` takes them."""
    return np.where(genomes[:, :GENOME_BITS] == 1, Letter.HIT, Letter.STAND).astype(np.uint8)


def tags_of(genomes: Bits) -> NDArray[np.int64]:
    """(n, 10): the tags of A, 2 … 10."""
    slots = genomes[:, GENOME_BITS : GENOME_BITS + TAG_BITS].reshape(len(genomes), -1, 2).astype(np.int64)
    tags: NDArray[np.int64] = _TAG_OF[2 * slots[:, :, 0] + slots[:, :, 1]][:, : len(VALUES)]
    return tags


def bets_of(genomes: Bits) -> NDArray[np.int64]:
    """(n, 4): units by band of the true count."""
    bits = genomes[:, GENOME_BITS + TAG_BITS :].reshape(len(genomes), BANDS, 3).astype(np.int64)
    bets: NDArray[np.int64] = 1 + bits @ np.array([4, 2, 1])
    return bets


def gamblers_of(genomes: Bits, encoding: Encoding) -> Gamblers:
    """Genomes as players of sessions."""
    tags = tags_of(genomes)
    by_rank = np.concatenate([tags[:, 1:], np.repeat(tags[:, -1:], 3, axis=1), tags[:, :1]], axis=1)
    return Gamblers(encoding.plays(letters_of(genomes)), by_rank, bets_of(genomes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """A genome as people read it."""

    chart: Strategy
    """What it plays."""
    tags: tuple[int, ...]
    """What it counts, A, 2 … 10."""
    bets: tuple[int, ...]
    """What it bets, in units, by band of the true count."""

    @classmethod
    def of(cls, genome: Bits, name: str = "") -> Counter:
        """The counter of one genome.

        >>> counter = Counter.of(np.zeros(294, np.uint8))
        >>> counter.tags, counter.bets
        ((-1, -1, -1, -1, -1, -1, -1, -1, -1, -1), (1, 1, 1, 1))
        """
        if genome.shape != (BITS,) or genome.max(initial=0) > 1:
            raise SettingError(f"a counter's genome is {BITS} zeros and ones; got {genome.size} values")
        return cls(
            chart=Strategy.from_genome(genome[:GENOME_BITS], name=name),
            tags=tuple(int(tag) for tag in tags_of(genome[None])[0]),
            bets=tuple(int(bet) for bet in bets_of(genome[None])[0]),
        )

    def genome(self) -> Bits:
        """The 294 bits; 0 stands as 01, and in the slot that nothing uses."""
        tags = [bit for tag in (*self.tags, 0) for bit in _BITS_OF[tag]]
        bets = [(units - 1) >> shift & 1 for units in self.bets for shift in (2, 1, 0)]
        return np.concatenate([self.chart.genome(), np.array([*tags, *bets], np.uint8)])

    def system(self, name: str = "evolved") -> CountSystem | None:
        """The count, where it tells cards apart."""
        if len(set(self.tags)) == 1:
            return None
        return CountSystem(name=name, tags=tuple(Fraction(tag) for tag in self.tags))

    def text(self) -> str:
        """Tags and bets as people write them, two lines."""
        tags = ",".join(f"{value}={tag}" for value, tag in zip(VALUES, self.tags, strict=True))
        bets = ", ".join(f"{units} at {name}" for name, units in zip(BAND_NAMES, self.bets, strict=True))
        return f"count {tags}\nbets {bets}\n"
