"""Strategy charts as text: what people print, read strictly and written without loss.

    # a comment
    hard    A 2 3 4 5 6 7 8 9 10
    4-8     H H H H H H H H H H
    …
    soft    A 2 3 4 5 6 7 8 9 10
    A2      H H H H D D H H H H
    …
    pair    A 2 3 4 5 6 7 8 9 10
    88      P P P P P P P P P P

Sections are `hard`, `soft`, `pair` and `hard+ace`, each but `pair` also for a number of cards held (`hard@2`, `soft@3`,
`hard+ace@4+`). A section that is missing falls back: `hard+ace@3` to `hard+ace`, then `hard@3`, then `hard`; without
`pair`, pairs follow their total. The row `A1` (soft 12) may be left out: hit.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.cell import (
    CARDS_HELD,
    ROWS,
    SECTIONS,
    SHAPE,
    UPCARDS,
    Kind,
    reachable_rows,
    row_label,
    row_of,
)
from holecard.blackjack.strategy.letters import LETTERS, Letter
from holecard.blackjack.strategy.strategy import Strategy, pairs_by_total
from holecard.errors import ChartError, FileProblem

_HEADER: Final = re.compile(r"(hard\+ace|hard|soft|pair)(?:@(2|3|4\+))?(?=\s|$)", re.IGNORECASE)
_SETTING: Final = re.compile(r"(limit|ace)\s+(\d+)\s*$", re.IGNORECASE)
_MISSING: Final = 255
Section = tuple[Kind, str]


def chart_rows(strategy: Strategy, held: int = 0) -> dict[str, dict[str, str]]:
    """A strategy as `{hard, soft, pair}`, each from row label to ten letters for upcards A, 2 … 10.

    `held` is 0, 1 or 2 for two, three, four or more cards.
    """
    return {
        section: {
            row_label(kind, row, strategy.ace_bonus): "".join(LETTERS[code] for code in strategy.cells[at, kind, row])
            for row in strategy.rows(kind)
        }
        for section, kind, at in (("hard", Kind.HARD, held), ("soft", Kind.SOFT, held), ("pair", Kind.PAIR, 0))
    }


def write_chart(strategy: Strategy) -> str:
    """The chart text of a strategy; `read_chart` gives the same strategy back."""
    cells = strategy.cells
    lines = [f"# {strategy.name}"] if strategy.name else []
    if (strategy.limit, strategy.ace_bonus) != (21, 10):
        lines += [f"limit {strategy.limit}", f"ace {strategy.ace_bonus}"]
    for section, kind in SECTIONS.items():
        rows = list(strategy.rows(kind))
        section_cells = cells[:, kind, rows]
        if kind == Kind.HARD_ACE and np.array_equal(section_cells, cells[:, Kind.HARD, rows]):
            continue
        if kind == Kind.PAIR:
            if not np.array_equal(cells[0, kind], pairs_by_total(cells, strategy.limit, strategy.ace_bonus)[0]):
                lines += _section_lines("pair", strategy, kind, 0)
        elif (section_cells == section_cells[0]).all():
            lines += _section_lines(section, strategy, kind, 0)
        else:
            for held, name in enumerate(CARDS_HELD):
                lines += _section_lines(f"{section}@{name}", strategy, kind, held)
    return "\n".join(lines) + "\n"


def _section_lines(heading: str, strategy: Strategy, kind: Kind, held: int) -> list[str]:
    width = max(len(heading), 5)
    lines = ["", f"{heading:<{width}}  {' '.join(VALUES)}"]
    for row in strategy.rows(kind):
        letters = " ".join(LETTERS[code] for code in strategy.cells[held, kind, row])
        lines.append(f"{row_label(kind, row, strategy.ace_bonus):<{width}}  {letters}")
    return lines


def read_chart(text: str, *, name: str = "") -> Strategy:
    """The strategy of a chart text; anything missing, impossible or unknown is refused with line and column.

    >>> read_chart("hard A 2 3\\n")
    Traceback (most recent call last):
    holecard.errors.ChartError: line 1, column 6: a section is headed by the upcards A 2 3 4 5 6 7 8 9 10; got 'A 2 3'
    """
    return _Reader(text).strategy(name)


def load_strategy(path: Path | str) -> Strategy:
    """The strategy of a chart file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileProblem(f"no strategy chart at {path}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise FileProblem(f"cannot read {path} as a chart: {problem}") from None
    try:
        return read_chart(text, name=path.stem)
    except ChartError as problem:
        raise ChartError(f"{path}: {problem}") from None


class _Reader:
    """Reads one chart; holds where in the text it is, for its error messages."""

    def __init__(self, text: str) -> None:
        self.limit, self.ace_bonus = 21, 10
        self.sections: dict[Section, NDArray[np.uint8]] = {}
        self.number = 0
        kind, cells, columns = Kind.HARD, None, list(range(UPCARDS))
        for self.number, line in enumerate(text.splitlines(), start=1):
            content = line.split("#", 1)[0].rstrip()
            start = len(content) - len(content.lstrip())
            if not content.strip():
                continue
            if setting := _SETTING.match(content, start):
                self._set(setting[1].lower(), int(setting[2]), start)
            elif header := _HEADER.match(content, start):
                kind, columns, cells = self._open(header, content)
            elif cells is None:
                raise self._refusal(start, "a row before any section; start with 'hard A 2 3 4 5 6 7 8 9 10'")
            else:
                self._row(kind, columns, cells, content, start)

    def _refusal(self, column: int, reason: str) -> ChartError:
        return ChartError(f"line {self.number}, column {column + 1}: {reason}")

    def _set(self, name: str, value: int, column: int) -> None:
        if self.sections:
            raise self._refusal(column, f"'{name} {value}' must stand before the first section")
        if name == "limit":
            self.limit = value
        else:
            self.ace_bonus = value
        if not (12 <= self.limit < ROWS and 0 <= self.ace_bonus <= self.limit - 2):
            raise self._refusal(column, f"limit is 12 to {ROWS - 1} and ace 0 to limit − 2; got {name} {value}")

    def _open(self, header: re.Match[str], content: str) -> tuple[Kind, list[int], NDArray[np.uint8]]:
        kind, held = SECTIONS[header[1].lower()], header[2] or ""
        if kind == Kind.PAIR and held:
            raise self._refusal(header.start(2), "a pair is two cards; write plain 'pair'")
        words = content[header.end() :].upper().replace("T", "10").replace("1010", "10").split()
        if sorted(words) != sorted(VALUES):
            found = content[header.end() :].strip()
            raise self._refusal(
                header.end() + 1, f"a section is headed by the upcards {' '.join(VALUES)}; got {found!r}"
            )
        if (kind, held) in self.sections:
            raise self._refusal(header.start(), f"section {header[0]} stands twice")
        cells = np.full((ROWS, UPCARDS), _MISSING, np.uint8)
        self.sections[kind, held] = cells
        return kind, [VALUES.index(word) for word in words], cells

    def _row(self, kind: Kind, columns: list[int], cells: NDArray[np.uint8], content: str, start: int) -> None:
        label, *_ = content[start:].split(maxsplit=1)
        at = start + len(label)
        letters = [(column, letter) for column, letter in enumerate(content[at:], at) if letter not in " \t|,"]
        codes = [self._letter(column, letter) for column, letter in letters]
        if len(letters) != UPCARDS:
            where = letters[UPCARDS][0] if len(letters) > UPCARDS else len(content)
            raise self._refusal(where, f"row {label} needs {UPCARDS} letters, one per upcard; got {len(letters)}")
        for row in self._rows_of(kind, label, start):
            if cells[row, 0] != _MISSING:
                raise self._refusal(start, f"row {row_label(kind, row, self.ace_bonus)} stands twice in its section")
            cells[row, columns] = codes

    def _letter(self, column: int, text: str) -> Letter:
        try:
            return Letter.parse(text)
        except KeyError:
            raise self._refusal(column, f"unknown letter {text!r}; letters are {' '.join(LETTERS)}") from None

    def _rows_of(self, kind: Kind, label: str, start: int) -> range:
        possible = reachable_rows(kind, self.limit, self.ace_bonus)
        rows = _rows_named(kind, label, possible, self.ace_bonus)
        if rows is None or rows.start not in possible or rows[-1] not in possible:
            first, last = (row_label(kind, row, self.ace_bonus) for row in (possible[0], possible[-1]))
            raise self._refusal(start, f"no such row {label!r} in this section; its rows are {first} to {last}")
        return rows

    def strategy(self, name: str) -> Strategy:
        """The finished cells; refuses a chart that lacks a cell."""
        cells = np.zeros(SHAPE, np.uint8)
        for held, cards in enumerate(CARDS_HELD):
            for kind in (Kind.HARD, Kind.HARD_ACE, Kind.SOFT):
                cells[held, kind] = self._filled(kind, cards)
        if (Kind.PAIR, "") in self.sections:
            cells[0, Kind.PAIR] = self._filled(Kind.PAIR, "")
        else:
            cells[:, Kind.PAIR] = pairs_by_total(cells, self.limit, self.ace_bonus)
        return Strategy(cells, name=name, limit=self.limit, ace_bonus=self.ace_bonus)

    def _filled(self, kind: Kind, held: str) -> NDArray[np.uint8]:
        kinds = [kind, Kind.HARD] if kind == Kind.HARD_ACE else [kind]
        for candidate in [(each, cards) for each in kinds for cards in (held, "")]:
            if candidate in self.sections:
                cells = self.sections[candidate].copy()
                break
        else:
            section = next(name for name, each in SECTIONS.items() if each == kinds[-1])
            raise ChartError(f"the chart ends without a section '{section}'; add one")
        rows = reachable_rows(kind, self.limit, self.ace_bonus)
        if kind == Kind.SOFT and rows and cells[rows[0], 0] == _MISSING:
            cells[rows[0]] = Letter.HIT
        if kind == Kind.HARD_ACE and candidate[0] == Kind.HARD:
            cells[:4] = Letter.HIT  # A-A and A-2, where they are hard, have no row without an ace
        for row in rows:
            if cells[row, 0] == _MISSING:
                section = next(name for name, each in SECTIONS.items() if each == kind)
                raise ChartError(
                    f"the chart ends without row {row_label(kind, row, self.ace_bonus)} of section '{section}'"
                )
        cells[cells == _MISSING] = 0
        return cells


def _rows_named(kind: Kind, label: str, possible: range, ace_bonus: int) -> range | None:
    """The rows a label names, or None if it is none: `16`, `13-16`, `17+`, `A7`, `A2-A5`, `88`, `8-8`, `10,10`."""
    if kind == Kind.PAIR:
        pair = row_of(kind, label)
        return None if pair is None else range(pair, pair + 1)
    match = re.fullmatch(r"([^+-]+)(?:(\+)|-([^+-]+))?", label.replace(",", ""))
    if match is None:
        return None
    first = row_of(kind, match[1], ace_bonus)
    last = possible[-1] if match[2] else row_of(kind, match[3], ace_bonus) if match[3] else first
    return None if first is None or last is None or first > last else range(first, last + 1)
