"""A counting strategy as a value: a chart, where it departs from it by the count, and what it bets.

Departures are kept as people write them, `16 v 10 stand from 0`: at or above the index the second action, below it the
first. They replace the chart's cell at every count. A hand that may surrender by the chart goes on to surrender.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.bets import bets_by_count
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import CARDS_HELD, Cell, Kind, reachable_rows
from holecard.blackjack.strategy.letters import SURRENDER_LETTERS, Letter
from holecard.blackjack.strategy.strategy import Strategy, pairs_by_total
from holecard.errors import SettingError

Word: TypeAlias = Literal["hit", "stand", "double", "split", "surrender"]
Rounding: TypeAlias = Literal["floor", "truncate", "round", "exact"]
_LETTERS: Final[dict[str, Letter]] = {
    "hit": Letter.HIT,
    "stand": Letter.STAND,
    "double": Letter.DOUBLE_ELSE_HIT,
    "split": Letter.SPLIT,
    "surrender": Letter.SURRENDER_ELSE_HIT,
}
LOWEST, HIGHEST = -40, 40
"""Counts are told apart from here to there; what lies beyond plays and bets as the last one."""


ONE_UNIT: Final = ((0, 1.0),)
"""Bets that do not follow the count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """A cell that is played by the count: `action` at or above `index`, `otherwise` below it."""

    cell: Cell
    """The cell, for any number of cards."""
    action: Word
    """What is played at or above the index."""
    otherwise: Word
    """What is played below it."""
    index: int
    """The count from which."""

    def __post_init__(self) -> None:
        for word in (self.action, self.otherwise):
            if word not in _LETTERS:
                raise SettingError(f"a departure plays {', '.join(_LETTERS)}; got {word!r}")
        if not LOWEST <= self.index <= HIGHEST:
            raise SettingError(f"indices are {LOWEST} to {HIGHEST}; got {self.index} for {self.cell.short}")

    def __str__(self) -> str:
        return f"{self.cell.short} {self.otherwise}, {self.action} from {self.index:+d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingStrategy:
    """What a counter does: by this count, this chart, these departures, these bets."""

    system: CountSystem
    chart: Strategy
    departures: tuple[Departure, ...] = ()
    insurance: int | None = None
    """The count from which insurance is taken; None: never."""
    rounding: Rounding = "floor"
    """How a true count becomes a whole one; exact: not, which whole indices do not notice (it is floored)."""
    deck_estimate: Literal["card", "half", "full"] = "card"
    """How finely the cards left are estimated."""
    bets: tuple[tuple[int, float], ...] = ONE_UNIT
    """Units by the count before the deal, counts in order; the first also below its count, the last above."""

    def bets_by_row(self) -> NDArray[np.float64]:
        """Units for every count LOWEST … HIGHEST."""
        return bets_by_count(dict(self.bets), np.arange(LOWEST, HIGHEST + 1))

    def chart_at(self, count: int) -> Strategy:
        """The chart that is played at a count."""
        cells = self.chart.cells.copy()
        hard = [departure for departure in self.departures if departure.cell.kind != Kind.PAIR]
        # Surrender is asked first, so it is laid over what the same cell else plays.
        for departure in sorted(hard, key=lambda departure: departure.action == "surrender"):
            _lay(cells, departure, count, self.chart)
        for departure in self.departures:
            if departure.cell.kind == Kind.PAIR:
                word = departure.action if count >= departure.index else departure.otherwise
                cells[0, Kind.PAIR, departure.cell.row, departure.cell.upcard] = _LETTERS[word]
        return replace(self.chart, cells=cells)

    def steps(self) -> list[int]:
        """The counts from which another chart is played, LOWEST first."""
        indices = sorted({departure.index for departure in self.departures})
        return [LOWEST, *(index for index in indices if index > LOWEST)]

    def plays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The charts as kernels take them, uint8 (charts, cells), and the chart of each count LOWEST … HIGHEST."""
        steps = self.steps()
        charts = np.stack([self.chart_at(step).plays().ravel() for step in steps])
        counts = np.arange(LOWEST, HIGHEST + 1)
        return charts, np.searchsorted(steps, counts, side="right").astype(np.int64) - 1


def _lay(cells: NDArray[np.uint8], departure: Departure, count: int, chart: Strategy) -> None:
    """Write what a departure plays at a count into its cells: every number of cards, and pairs of that total."""
    cell, taken = departure.cell, count >= departure.index
    kinds = (Kind.HARD, Kind.HARD_ACE) if cell.kind == Kind.HARD else (cell.kind,)
    for kind in kinds:
        if cell.row not in reachable_rows(kind, chart.limit, chart.ace_bonus):
            continue
        for held in range(len(CARDS_HELD)):
            cells[held, kind, cell.row, cell.upcard] = _letter(
                departure, taken, Letter(int(cells[held, kind, cell.row, cell.upcard]))
            )
    pair = chart.cells[0, Kind.PAIR, :, cell.upcard]
    by_total = pairs_by_total(cells, chart.limit, chart.ace_bonus)[0, :, cell.upcard]
    if cell.kind == Kind.HARD and cell.row % 2 == 0 and 4 <= cell.row <= 20 and pair[cell.row] != Letter.SPLIT:
        cells[0, Kind.PAIR, cell.row, cell.upcard] = by_total[cell.row]


def _letter(departure: Departure, taken: bool, present: Letter) -> Letter:
    """The letter that stands for what is played now, where the cell had `present`."""
    stands = present in (Letter.STAND, Letter.DOUBLE_ELSE_STAND, Letter.SURRENDER_ELSE_STAND)
    if departure.action == "surrender":  # below the index the hand is played without surrender
        return (
            Letter.SURRENDER_ELSE_STAND
            if taken and stands
            else (Letter.SURRENDER_ELSE_HIT if taken else (Letter.STAND if stands else Letter.HIT))
        )
    letter = _LETTERS[departure.action if taken else departure.otherwise]
    if present in SURRENDER_LETTERS:
        return Letter.SURRENDER_ELSE_STAND if letter == Letter.STAND else Letter.SURRENDER_ELSE_HIT
    return letter


_UPCARDS: Final = {"A": 0, "10": 9, **{str(value): value - 1 for value in range(2, 10)}}


def _hard(rows: dict[str, int], action: Word, otherwise: Word) -> tuple[Departure, ...]:
    found = []
    for text, index in rows.items():
        row, _, up = text.partition("v")
        kind, number = (Kind.PAIR, 20) if row == "TT" else (Kind.HARD, int(row))
        cell = Cell(kind=kind, row=number, upcard=_UPCARDS[up])
        found.append(Departure(cell=cell, action=action, otherwise=otherwise, index=index))
    return tuple(found)


ILLUSTRIOUS: Final = (
    *_hard(
        {
            **{"16v9": 5, "16v10": 0, "15v10": 4, "13v2": -1, "13v3": -2},
            **{"12v2": 4, "12v3": 2, "12v4": 0, "12v5": -1, "12v6": -1},
        },
        "stand",
        "hit",
    ),
    *_hard({"11vA": 1, "10v10": 4, "10vA": 4, "9v2": 1, "9v7": 4}, "double", "hit"),
    *_hard({"TTv5": 5, "TTv6": 5}, "split", "stand"),
)
"""The Illustrious 18 of Hi-Lo by Blackjack Attack's third edition, insurance aside."""
ILLUSTRIOUS_INSURANCE: Final = 3
FAB: Final = _hard({"15v10": 0, "15v9": 2, "15vA": 2, "14v10": 3}, "surrender", "hit")
"""The Fab 4 surrenders; 15 against an ace where the dealer stands on soft 17 only."""


def illustrious_18(rules: Rules) -> tuple[Departure, ...]:
    """The Illustrious 18 but insurance, and where late surrender is on the Fab 4."""
    fab = (
        [departure for departure in FAB if not (rules.h17 and departure.cell.short == "15 v A")]
        if rules.surrender == "late"
        else []
    )
    return (*ILLUSTRIOUS, *fab)


def of_the_illustrious(found: Iterable[Departure], rules: Rules) -> tuple[Departure, ...]:
    """Those departures of another count whose cells and actions are the Illustrious 18's and the Fab 4's."""
    places = {(each.cell, each.action, each.otherwise) for each in illustrious_18(rules)}
    return tuple(each for each in found if (each.cell, each.action, each.otherwise) in places)


def parse_departures(lines: Iterable[str]) -> tuple[tuple[Departure, ...], int | None]:
    """Departures as people write them, a line each: `hard 16 v 10: hit, stand from 0`; `insurance from 3`.

    >>> departures, insurance = parse_departures(["hard 16 v 10: hit, stand from 0", "insurance from 3"])
    >>> str(departures[0]), insurance
    ('16 v 10 hit, stand from +0', 3)
    """
    found: list[Departure] = []
    insurance: int | None = None
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            if text.startswith("insurance"):
                insurance = int(text.removeprefix("insurance").replace("from", "").strip())
                continue
            place, _, words = text.partition(":")
            otherwise, _, rest = words.partition(",")
            action, _, index = rest.partition("from")
            found.append(
                Departure(
                    cell=Cell.parse(place.strip()),
                    action=action.strip(),  # type: ignore[arg-type]
                    otherwise=otherwise.strip(),  # type: ignore[arg-type]
                    index=int(index),
                )
            )
        except ValueError:
            raise SettingError(
                f"line {number}: a departure reads 'hard 16 v 10: hit, stand from 0' or 'insurance from 3'; "
                f"got {text!r}"
            ) from None
    return tuple(found), insurance


def departures_text(departures: Sequence[Departure], insurance: int | None) -> str:
    """Departures as `parse_departures` reads them."""
    lines = [f"insurance from {insurance}"] if insurance is not None else []
    lines += [f"{each.cell}: {each.otherwise}, {each.action} from {each.index}" for each in departures]
    return "".join(f"{line}\n" for line in lines)
