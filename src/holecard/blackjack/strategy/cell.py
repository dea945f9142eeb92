"""The cells of a strategy chart: what a decision is looked up by. As a value, as text, as an index into an array.

A strategy's array has the shape (cards held 2 / 3 / 4+, kind of hand, row, upcard A … 10). A *line* is one row of one
section, ten cells side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache, total_ordering
from typing import Final

import numpy as np

from holecard._jit import Int, rule
from holecard.blackjack.game.shoe import VALUE_LETTERS, VALUES
from holecard.errors import ChartError


class Kind(IntEnum):
    """The four kinds of hand of a strategy chart; a pair is looked up by its *hard* sum (A-A is 2, 6-6 is 12)."""

    HARD = 0
    """No ace held."""
    HARD_ACE = 1
    """An ace held that counts 1."""
    SOFT = 2
    """An ace that counts `1 + ace_bonus`."""
    PAIR = 3
    """Two cards that the rules call a pair."""

    @property
    def section(self) -> str:
        """What heads its section in a chart text: `hard`, `hard+ace`, `soft` or `pair`."""
        return self.name.lower().replace("_", "+")


SECTIONS: Final = {kind.section: kind for kind in Kind}
CARDS_HELD: Final = ("2", "3", "4+")
KINDS: Final = len(Kind)
ROWS: Final = 32
UPCARDS: Final = 10
SHAPE: Final = (len(CARDS_HELD), KINDS, ROWS, UPCARDS)
"""The shape of a strategy: cards held × kind of hand × row × upcard."""
LINES: Final = len(CARDS_HELD) * KINDS * ROWS
CELLS: Final = LINES * UPCARDS
_MOST_CARDS: Final = 4
_HARD, _HARD_ACE, _SOFT, _PAIR = (int(kind) for kind in Kind)
_TEXT: Final = re.compile(r"(hard\+ace|hard|soft|pair)(?:@(2|3|4\+))? (\S+) v (\S+)")


@rule
def held_index(n_cards: Int) -> Int:
    """The first index of a hand of so many cards: 0, 1, 2 for two, three, four or more. Takes arrays too."""
    return 0 + (n_cards > 2) + (n_cards > 3)


@rule
def line_index(held: Int, kind: Int, row: Int) -> Int:
    """Which line of a strategy's array (3, 4, 32, 10) flattened to (384, 10). Takes arrays too."""
    return (held * KINDS + kind) * ROWS + row


@rule
def cell_of_line(line: Int, upcard: Int) -> Int:
    """The index of a line's cell. Takes arrays too."""
    return line * UPCARDS + upcard


@rule
def cell_index(held: Int, kind: Int, row: Int, upcard: Int) -> Int:
    """Which cell of a strategy's array (3, 4, 32, 10) flattened to (3840,). Takes arrays too."""
    return cell_of_line(line_index(held, kind, row), upcard)


@rule
def kind_and_row(pair: bool, soft: bool, has_ace: bool, total: Int, hard: Int) -> tuple[Int, Int]:
    """Under which kind and row a hand is looked up: a pair by its hard sum, every other hand by its total."""
    ace = _SOFT if soft else (_HARD_ACE if has_ace else _HARD)
    return (_PAIR if pair else ace), (hard if pair else total)


@total_ordering
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cell:
    """A cell of a strategy chart. Cells are ordered as a chart text has them.

    >>> str(Cell(kind=Kind.HARD_ACE, row=16, cards=3, upcard=9))
    'hard+ace@3 16 v 10'
    """

    kind: Kind
    """The kind of hand; `HARD` with `cards` None is any hard hand, whether or not an ace is held."""
    row: int
    """The total; of a pair the hard sum."""
    upcard: int
    """The dealer's upcard, 0 = ace … 9 = ten."""
    cards: int | None = None
    """Cards held: 2, 3, or 4 for four and more; None for any number. A pair is two cards and says None."""
    ace_bonus: int = 10
    """What an ace may count beyond 1: soft rows are named by it."""

    def __post_init__(self) -> None:
        lowest = self.ace_bonus + 2 if self.kind == Kind.SOFT else 2
        highest = 2 * UPCARDS if self.kind == Kind.PAIR else ROWS - 1
        if not lowest <= self.row <= highest or (self.kind == Kind.PAIR and self.row % 2):
            sums = "even sums" if self.kind == Kind.PAIR else "totals"
            raise ChartError(f"rows of {self.kind.section} hands are {sums} {lowest} to {highest}; got {self.row}")
        if not 0 <= self.upcard < UPCARDS:
            raise ChartError(f"upcards are 0 (ace) to {UPCARDS - 1} (ten); got {self.upcard}")
        if self.cards is not None and (self.kind == Kind.PAIR or not 2 <= self.cards <= _MOST_CARDS):
            raise ChartError(f"cards held are 2, 3 or 4, or None for any number and for pairs; got {self.cards}")

    @property
    def section(self) -> str:
        """The section of a chart text that has the cell: `hard`, `soft@2`, `hard+ace@4+`, `pair`."""
        return self.kind.section + (f"@{CARDS_HELD[self.cards - 2]}" if self.cards else "")

    @property
    def label(self) -> str:
        """The row as people name it: `16`, `A7`, `88`."""
        return row_label(self.kind, self.row, self.ace_bonus)

    @property
    def upcard_name(self) -> str:
        """The upcard as people name it: `A`, `2` … `10`."""
        return VALUES[self.upcard]

    @property
    def short(self) -> str:
        """Row and upcard alone: `16 v 10`, `A7 v 2`, `88 v A`."""
        return f"{self.label} v {self.upcard_name}"

    @property
    def by_total(self) -> Cell:
        """The cell of a chart that does not tell hands apart by cards held or by an ace that counts 1."""
        kind = Kind.HARD if self.kind == Kind.HARD_ACE else self.kind
        return (
            self if kind == self.kind and self.cards is None else _by_total(kind, self.row, self.upcard, self.ace_bonus)
        )

    @property
    def index(self) -> int:
        """Its place in a strategy's array, flattened; for any number of cards the place for two."""
        return int(cell_index(held_index(self.cards or 2), self.kind, self.row, self.upcard))

    @classmethod
    def at(cls, index: int, *, ace_bonus: int = 10) -> Cell:
        """The cell at a place of a strategy's array, flattened.

        >>> str(Cell.at(Cell.parse("soft@4+ A7 v 9").index))
        'soft@4+ A7 v 9'
        """
        return _cell_at(index, ace_bonus)

    @classmethod
    def parse(cls, text: str, *, ace_bonus: int = 10) -> Cell:
        """The cell of a text that `str` made.

        >>> Cell.parse("pair 88 v A").row
        16
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ChartError(f"a cell reads 'hard 16 v 10', 'soft@3 A7 v 9' or 'pair 88 v A'; got {text!r}")
        kind, cards = SECTIONS[match[1]], CARDS_HELD.index(match[2]) + 2 if match[2] else None
        row = row_of(kind, match[3], ace_bonus)
        if row is None:
            raise ChartError(f"no row of {kind.section} hands is called {match[3]!r}, in cell {text!r}")
        if match[4] not in VALUES:
            raise ChartError(f"upcards are {' '.join(VALUES)}; got {match[4]!r} in cell {text!r}")
        return cls(kind=kind, row=row, cards=cards, upcard=VALUES.index(match[4]), ace_bonus=ace_bonus)

    def __str__(self) -> str:
        return f"{self.section} {self.short}"

    def __repr__(self) -> str:
        return f"<Cell {self}>"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __lt__(self, other: object) -> bool:
        return self._order < other._order if isinstance(other, Cell) else NotImplemented

    @property
    def _order(self) -> tuple[int, ...]:
        return self.kind, self.cards or 0, self.row, self.upcard, self.ace_bonus


@lru_cache(maxsize=1 << 13)
def _cell_at(index: int, ace_bonus: int) -> Cell:
    held, kind, row, upcard = (int(at) for at in np.unravel_index(index, SHAPE))
    cards = None if kind == Kind.PAIR else held + 2
    return Cell(kind=Kind(kind), row=row, cards=cards, upcard=upcard, ace_bonus=ace_bonus)


@lru_cache(maxsize=1 << 13)
def _by_total(kind: Kind, row: int, upcard: int, ace_bonus: int) -> Cell:
    return Cell(kind=kind, row=row, upcard=upcard, ace_bonus=ace_bonus)


@dataclass(frozen=True, slots=True)
class Insurance:
    """Where insurance is decided, before any cell of a chart: a leak may stand there."""

    def __str__(self) -> str:
        return "insurance v A"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


INSURANCE: Final = Insurance()
"""Where insurance is decided: what `Leak.cell` is for a player who should have insured, or should not have."""


def cells_of_chart(limit: int = 21, ace_bonus: int = 10) -> Iterator[Cell]:
    """Every cell in which a decision can arise, in the order of a chart text.

    >>> sum(1 for _ in cells_of_chart())
    1150
    """
    for kind in Kind:
        for cards in (None,) if kind == Kind.PAIR else (2, 3, 4):
            for row in reachable_rows(kind, limit, ace_bonus):
                for upcard in range(UPCARDS):
                    yield Cell(kind=kind, row=row, cards=cards, upcard=upcard, ace_bonus=ace_bonus)


def chart_by_total(limit: int = 21, ace_bonus: int = 10) -> dict[str, dict[str, tuple[Cell, ...]]]:
    """The cells of a chart as people print it: section, row label, then ten cells for the upcards A, 2 … 10.

    >>> str(chart_by_total()["soft"]["A7"][8])
    'soft A7 v 9'
    """
    return {
        kind.section: {
            row_label(kind, row, ace_bonus): tuple(
                Cell(kind=kind, row=row, upcard=upcard, ace_bonus=ace_bonus) for upcard in range(UPCARDS)
            )
            for row in reachable_rows(kind, limit, ace_bonus)
        }
        for kind in (Kind.HARD, Kind.SOFT, Kind.PAIR)
    }


def reachable_rows(kind: Kind, limit: int = 21, ace_bonus: int = 10) -> range:
    """The rows of a kind on which a decision can arise.

    >>> list(reachable_rows(Kind.PAIR))
    [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    """
    if kind == Kind.PAIR:
        return range(2, min(20, limit - 1) + 1, 2)
    if kind == Kind.HARD:
        return range(4, limit)
    if kind == Kind.SOFT:
        return range(2 + ace_bonus, limit)
    return range(max(2, limit - ace_bonus + 1), limit)


def row_label(kind: Kind, row: int, ace_bonus: int = 10) -> str:
    """What people call a row: `16`, `A7`, `88`, `TT`.

    >>> row_label(Kind.SOFT, 18), row_label(Kind.PAIR, 2), row_label(Kind.PAIR, 20)
    ('A7', 'AA', 'TT')
    """
    if kind == Kind.SOFT:
        return f"A{row - ace_bonus - 1}"
    if kind == Kind.PAIR:
        return 2 * VALUE_LETTERS[row // 2 - 1]
    return str(row)


def row_of(kind: Kind, label: str, ace_bonus: int = 10) -> int | None:
    """The row that people call so, or None; pairs also as `8-8` or `10,10`, soft rows also by their total.

    >>> row_of(Kind.SOFT, "A7"), row_of(Kind.SOFT, "18"), row_of(Kind.PAIR, "10,10"), row_of(Kind.HARD, "A7")
    (18, 18, 20, None)
    """
    word = label.upper()
    if kind == Kind.PAIR:
        pair = re.fullmatch(rf"([{VALUE_LETTERS}])[,-]?\1", word.replace("10", "T"))
        return 2 * (VALUE_LETTERS.index(pair[1]) + 1) if pair else None
    if not re.fullmatch(r"A?\d+" if kind == Kind.SOFT else r"\d+", word, re.ASCII):
        return None
    return int(word[1:]) + ace_bonus + 1 if word.startswith("A") else int(word)
