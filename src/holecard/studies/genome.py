"""Blackjack strategies as genomes: a letter for every total and upcard, of the letters that a player may use.

The order is the 260-bit algorithm's: hard totals from the lowest, then soft ones, then (with splits) pairs, ten upcards
A … 10 each. With hit and stand alone and a limit of 21 these are its 260 loci.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.hand import is_doubling_total
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.cell import SHAPE, UPCARDS, Kind, reachable_rows
from holecard.blackjack.strategy.letters import (
    ACTION_OF,
    DOUBLE_LETTERS,
    LETTERS,
    MAY_SPLIT,
    OPTIONS,
    SURRENDER_LETTERS,
    Letter,
)
from holecard.blackjack.strategy.strategy import Strategy, pairs_by_total
from holecard.evolve.genetic import Alphabet

Genomes = NDArray[np.uint8]
"""One genome per row: cell codes of a strategy chart (see `strategy.LETTERS`), or `FOLLOW`."""
FOLLOW: Final = len(LETTERS)
"""At a pair's locus: play the pair as the total it makes."""


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """How genomes of one game and one set of actions become strategy charts and back."""

    rules: Rules
    """The game as it is played with these actions; see `studies.game`."""

    @cached_property
    def rows(self) -> tuple[tuple[Kind, int], ...]:
        """Kind and total of every row of ten loci."""
        kinds = (Kind.HARD, Kind.SOFT, Kind.PAIR) if self.rules.max_hands > 1 else (Kind.HARD, Kind.SOFT)
        return tuple((kind, row) for kind in kinds for row in reachable_rows(kind, *self._limits))

    @cached_property
    def alphabet(self) -> Alphabet:
        """The letters allowed at every locus: none that the rules forbid there."""
        return tuple(self._letters(kind, row) for kind, row in self.rows for _ in range(UPCARDS))

    def cells(self, genomes: Genomes) -> NDArray[np.uint8]:
        """The strategy charts of genomes, uint8 of shape (n, 3, 4, 32, 10)."""
        return self._spread(genomes).reshape(-1, *SHAPE)

    def plays(self, genomes: Genomes) -> NDArray[np.uint8]:
        """The charts as kernels take them, shape (n, options × cells); without options beyond hit and stand, one set.

        What `Strategy.plays` makes of each, all at once.
        """
        if all(letters == (Letter.STAND, Letter.HIT) for letters in self.alphabet):
            return self._spread(ACTION_OF[0][genomes])
        cells = self.cells(genomes)
        by_total = cells.copy()
        pairs = by_total[:, :, Kind.PAIR]
        pairs[:] = np.where(pairs == Letter.SPLIT, self._totals_of_pairs(genomes), pairs)
        plays = np.empty((len(genomes), OPTIONS, *SHAPE), np.uint8)
        for options in range(OPTIONS):
            plays[:, options] = ACTION_OF[options][cells if options & MAY_SPLIT else by_total]
        return plays.reshape(len(genomes), -1)

    def strategy(self, genome: Genomes, name: str = "") -> Strategy:
        """The chart of one genome."""
        limit, ace_bonus = self._limits
        return Strategy(self.cells(genome[None])[0], name=name, limit=limit, ace_bonus=ace_bonus)

    def genome(self, strategy: Strategy) -> Genomes:
        """The genome of a chart that plays by total and upcard alone; a pair that plays as its total follows it."""
        letters = np.array([strategy.cells[0, kind, row] for kind, row in self.rows], np.uint8)
        totals = pairs_by_total(strategy.cells, *self._limits)[0]
        for at, (kind, row) in enumerate(self.rows):
            if kind == Kind.PAIR:
                letters[at] = np.where(letters[at] == totals[row], FOLLOW, letters[at])
        return letters.ravel()

    @property
    def _limits(self) -> tuple[int, int]:
        return self.rules.limit, self.rules.ace_bonus

    def _letters(self, kind: Kind, row: int) -> tuple[int, ...]:
        table_rules = self.rules.table()
        may_surrender = SURRENDER_LETTERS if self.rules.surrender != "none" else ()
        if kind == Kind.PAIR:
            return (FOLLOW, Letter.SPLIT, *may_surrender[:1])
        may_double = is_doubling_total(row, kind == Kind.SOFT, table_rules)
        return (Letter.STAND, Letter.HIT, *(DOUBLE_LETTERS if may_double else ()), *may_surrender)

    def _spread(self, genomes: Genomes) -> Genomes:
        """Each genome's letter at every cell of the chart, shape (n, cells); cells no hand reaches hit."""
        padded = np.concatenate([genomes, np.full((len(genomes), 1), Letter.HIT, np.uint8)], axis=1)
        spread: Genomes = np.take(padded, self._locus_of_cells.ravel(), axis=1)
        if self.rules.max_hands > 1:
            pairs = spread.reshape(-1, *SHAPE)[:, :, Kind.PAIR]
            pairs[:] = np.where(pairs == FOLLOW, self._totals_of_pairs(genomes), pairs)
        return spread

    def _totals_of_pairs(self, genomes: Genomes) -> Genomes:
        """What each pair would play if it were only its total, shape (n, 3, 32, 10)."""
        padded = np.concatenate([genomes, np.full((len(genomes), 1), Letter.HIT, np.uint8)], axis=1)
        return np.asarray(padded[:, self._locus_of_totals])

    @cached_property
    def _row_of_cells(self) -> NDArray[np.uint8]:
        """The row that decides each cell if pairs follow their totals, shape (3, 4, 32, 10)."""
        rows = np.full(SHAPE, len(self.rows), np.uint8)
        for number, (kind, row) in enumerate(self.rows):
            if kind != Kind.PAIR:
                rows[:, kind, row] = number
        with_ace = list(reachable_rows(Kind.HARD_ACE, *self._limits))
        rows[:, Kind.HARD_ACE, with_ace] = rows[:, Kind.HARD, with_ace]
        pairs = list(reachable_rows(Kind.PAIR, *self._limits))
        rows[0, Kind.PAIR, pairs] = pairs_by_total(rows, *self._limits)[0, pairs]
        return rows

    @cached_property
    def _locus_of_totals(self) -> NDArray[np.int64]:
        return self._loci(self._row_of_cells)[:, Kind.PAIR]

    @cached_property
    def _locus_of_cells(self) -> NDArray[np.int64]:
        """The locus that decides each cell, shape (3, 4, 32, 10); one past the last for cells that none decides."""
        rows = self._row_of_cells.copy()
        for number, (kind, row) in enumerate(self.rows):
            if kind == Kind.PAIR:
                rows[0, kind, row] = number
        return self._loci(rows)

    def _loci(self, rows: NDArray[np.uint8]) -> NDArray[np.int64]:
        loci = rows.astype(np.int64) * UPCARDS + np.arange(len(VALUES))
        return np.minimum(loci, len(self.rows) * UPCARDS)
