"""A strategy chart as a value: what to play by cards held × kind of hand × total × upcard. All charts have this form.

A genome, a voted tree, a published chart and an exact solution all become a `Strategy` before anything plays them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.strategy.cell import (
    CARDS_HELD,
    ROWS,
    SHAPE,
    UPCARDS,
    Cell,
    Kind,
    cells_of_chart,
    reachable_rows,
)
from holecard.blackjack.strategy.letters import ACTION_OF, LETTERS, MAY_SPLIT, OPTIONS, Letter
from holecard.errors import ChartError

GENOME_BITS: Final = 260
"""Bits of the 260-bit algorithm: one hit or stand for every total, hard and soft, and every upcard."""


@dataclass(frozen=True, slots=True, eq=False)
class Strategy:
    """A strategy chart. `strategy[cell]` is the `Letter` that it plays there.

    >>> Strategy.from_genome([1] * 80 + [0] * 180).genome().sum()
    np.uint64(80)
    """

    cells: NDArray[np.uint8]
    """Codes of letters, uint8 of shape (cards held 2 / 3 / 4+, kind, row, upcard A … 10)."""
    name: str = field(default="", kw_only=True)
    limit: int = field(default=21, kw_only=True)
    """The highest total that is no bust, where a game has another than 21: it decides which rows there are."""
    ace_bonus: int = field(default=10, kw_only=True)

    def __post_init__(self) -> None:
        if self.cells.shape != SHAPE or self.cells.dtype != np.uint8:
            raise ChartError(f"a strategy chart is uint8 of shape {SHAPE}; got {self.cells.dtype} {self.cells.shape}")
        if self.cells.max() >= len(LETTERS):
            raise ChartError(f"cell codes are 0 to {len(LETTERS) - 1}; got {self.cells.max()}")
        cells = np.zeros(SHAPE, np.uint8)
        for kind in Kind:
            rows = list(self.rows(kind))
            held = slice(0, 1) if kind == Kind.PAIR else slice(None)
            cells[held, kind, rows] = self.cells[held, kind, rows]
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Strategy)
            and (self.limit, self.ace_bonus) == (other.limit, other.ace_bonus)
            and bool(np.array_equal(self.cells, other.cells))
        )

    def __hash__(self) -> int:
        return hash((self.cells.tobytes(), self.limit, self.ace_bonus))

    def __getitem__(self, cell: Cell) -> Letter:
        return Letter(int(self.cells.flat[cell.index]))

    def rows(self, kind: Kind) -> range:
        """The rows of a kind on which a decision can arise; all others are 0, so that equal play means equal charts.

        >>> list(Strategy.from_genome([0] * 260).rows(Kind.SOFT))
        [12, 13, 14, 15, 16, 17, 18, 19, 20]
        """
        return reachable_rows(kind, self.limit, self.ace_bonus)

    @classmethod
    def from_rows(
        cls,
        hard: NDArray[np.uint8],
        soft: NDArray[np.uint8],
        pair: NDArray[np.uint8] | None = None,
        *,
        name: str = "",
        limit: int = 21,
        ace_bonus: int = 10,
    ) -> Strategy:
        """The chart that plays `hard`, `soft` and `pair`, each codes of shape (32, 10), whatever the number of cards.

        Without `pair`, pairs follow their total.
        """
        cells = np.zeros(SHAPE, np.uint8)
        cells[:, Kind.HARD] = cells[:, Kind.HARD_ACE] = hard
        cells[:, Kind.SOFT] = soft
        cells[:, Kind.PAIR] = pairs_by_total(cells, limit, ace_bonus) if pair is None else pair
        return cls(cells, name=name, limit=limit, ace_bonus=ace_bonus)

    @classmethod
    def from_letters(
        cls, letters: Mapping[Cell, Letter], *, name: str = "", limit: int = 21, ace_bonus: int = 10
    ) -> Strategy:
        """The chart that plays these letters; every cell of the game must have one, see `cells_of_chart`."""
        missing = [cell for cell in cells_of_chart(limit, ace_bonus) if cell not in letters]
        if missing:
            raise ChartError(f"{len(missing)} cells of the chart have no letter; the first is {missing[0]}")
        cells = np.zeros(SHAPE, np.uint8)
        for cell, letter in letters.items():
            cells.flat[cell.index] = letter
        return cls(cells, name=name, limit=limit, ace_bonus=ace_bonus)

    @classmethod
    def from_genome(cls, bits: Sequence[int] | NDArray[np.uint8], name: str = "") -> Strategy:
        """The 260-bit algorithm's genome (1 = hit): hard 4 … 20, then soft 12 … 20, ten upcards A … 10 each."""
        genome = np.asarray(bits, np.uint8)
        if genome.shape != (GENOME_BITS,) or genome.max(initial=0) > 1:
            raise ChartError(
                f"a genome is {GENOME_BITS} zeros and ones; got {genome.size} values up to {genome.max(initial=0)}"
            )
        codes = np.where(genome == 1, Letter.HIT, Letter.STAND).astype(np.uint8).reshape(26, UPCARDS)
        hard, soft = np.zeros((2, ROWS, UPCARDS), np.uint8)
        hard[4:21], soft[12:21] = codes[:17], codes[17:]
        return cls.from_rows(hard, soft, name=name)

    def genome(self) -> NDArray[np.uint8]:
        """The 260 bits of a hit-or-stand chart (1 = hit), uint8 of shape (260,)."""
        hard, soft = self.cells[0, Kind.HARD, 4:21], self.cells[0, Kind.SOFT, 12:21]
        bits: NDArray[np.uint8] = (np.concatenate([hard, soft]).ravel() == Letter.HIT).astype(np.uint8)
        if Strategy.from_genome(bits) != self:
            raise ChartError("a 260-bit genome is hit or stand by total and upcard alone; this strategy says more")
        return bits

    def plays(self) -> NDArray[np.uint8]:
        """The chart as kernels take it: an `Action` (or `PLAY_ANY`) for every cell and set of options.

        uint8 of shape (8, 3, 4, 32, 10); the first index is the sum of `MAY_DOUBLE`, `MAY_SPLIT` and `MAY_SURRENDER`.
        """
        by_total = self.cells.copy()
        pairs = self.cells[:, Kind.PAIR]
        by_total[:, Kind.PAIR] = np.where(
            pairs == Letter.SPLIT, pairs_by_total(self.cells, self.limit, self.ace_bonus), pairs
        )
        plays = np.empty((OPTIONS, *SHAPE), np.uint8)
        for options in range(OPTIONS):
            plays[options] = ACTION_OF[options][self.cells if options & MAY_SPLIT else by_total]
        return plays


def pairs_by_total(cells: NDArray[np.uint8], limit: int = 21, ace_bonus: int = 10) -> NDArray[np.uint8]:
    """What each pair would play if it were only its total, uint8 of shape (3, 32, 10)."""
    rows = np.zeros((len(CARDS_HELD), ROWS, UPCARDS), np.uint8)
    for total in reachable_rows(Kind.PAIR, limit, ace_bonus):
        if total > 2:
            rows[:, total] = cells[:, Kind.HARD, total]
        elif 2 + ace_bonus <= limit:
            rows[:, total] = cells[:, Kind.SOFT, 2 + ace_bonus]
        else:
            rows[:, total] = cells[:, Kind.HARD_ACE, 2]
    return rows
