"""The rows of a race's table: one for every strategy, with its EV, what it used and what each chart cell costs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from holecard.blackjack.exact import Leak, Score
from holecard.blackjack.strategy.cell import Cell, chart_by_total
from holecard.blackjack.strategy.strategy import Strategy
from holecard.estimate import Estimate

OPTIMUM: Final = "exact optimum"
"""The row that every regret is measured from."""
RANDOM: Final = "random"
"""The row at which the way to the optimum begins."""
BASIC: Final = "basic"
"""The row whose exact EV players on common cards are measured from."""
Cells = dict[str, dict[str, list[list[Any]]]]
"""Section, row, then for each upcard A … 10 the letter played and what it costs per round."""
NEVER: Final = "·"
"""The letter of a cell that never came up."""
_LISTED: Final = 10
"""Leaks that a row keeps."""
_SHOWN: Final = 3
"""Leaks that the table shows."""
_LEAST_COST: Final = 1e-12
"""Bets per round from which on a leak is more than rounding."""


class Way(StrEnum):
    """How a strategy was found."""

    SOLVED = "solved"
    PUBLISHED = "published"
    EVOLVED = "evolved"
    TRAINED = "trained"
    SEARCHED = "searched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One strategy of the race, as plain JSON holds it."""

    name: str
    way: str
    """How it was found, a `Way`."""
    ev: float
    stderr: float
    """Standard error of the EV; 0 where it is exact."""
    exact: bool
    used: int
    """How much of `unit` was used to find it."""
    unit: str
    """Hands, demonstrations, tables or programs bred, simulations a decision."""
    seconds: float
    """CPU seconds that finding it took; of a search, thinking during the rounds it played."""
    leaks: list[dict[str, Any]]
    """Costliest first."""
    cells: Cells
    """What it plays and what that costs, chart cell by chart cell; empty for the optimum, which is no chart."""

    def in_table(self, random: float, optimum: float) -> dict[str, Any]:
        """The row as the table has it: with its regret, and its share of the way from random play to the optimum."""
        return {
            "name": self.name,
            "way": self.way,
            "ev": self.ev,
            "stderr": self.stderr,
            "exact": self.exact,
            "regret": optimum - self.ev,
            "share": (self.ev - random) / (optimum - random),
            "used": {"number": self.used, "unit": self.unit},
            "seconds": self.seconds,
            "leaks": self.leaks[:_SHOWN],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a row's strategy comes from and what it cost to find."""

    name: str
    """The name of the row."""
    way: Way
    used: int = 0
    """How much of `unit` was used."""
    unit: str = ""
    seconds: float
    """CPU seconds."""


def row_of_optimum(ev: float, seconds: float) -> Row:
    """The row of the exact optimum, which is no chart."""
    return _row(Origin(name=OPTIMUM, way=Way.SOLVED, seconds=seconds), ev, None, (), {})


def row_of_chart(origin: Origin, strategy: Strategy, score: Score) -> Row:
    """The row of a strategy chart, exact."""
    return _row(origin, score.ev, None, score.leaks, chart_cells(strategy, score.leaks))


def row_of_estimate(origin: Origin, ev: Estimate, leaks: Sequence[Leak], shape: Strategy) -> Row:
    """The row of a player that is no chart, whose EV was measured; `shape` is any chart of the game."""
    return _row(origin, ev.mean, ev.stderr, leaks, judged_cells(leaks, shape))


def _row(origin: Origin, ev: float, stderr: float | None, leaks: Sequence[Leak], cells: Cells) -> Row:
    """A row; the standard error of an exact EV is None."""
    return Row(
        **asdict(origin),
        ev=ev,
        stderr=0.0 if stderr is None else stderr,
        exact=stderr is None,
        leaks=[leak.as_json() for leak in leaks[:_LISTED] if leak.cost > _LEAST_COST],
        cells=cells,
    )


def chart_cells(strategy: Strategy, leaks: Iterable[Leak]) -> Cells:
    """What a strategy plays with two cards, and what each cell costs with any number of cards."""
    costs: dict[Cell, float] = defaultdict(float)
    for leak in leaks:
        if isinstance(leak.cell, Cell):
            costs[leak.cell.by_total] += leak.cost
    return _cells(strategy, lambda cell: [strategy[cell].letter, costs.get(cell, 0.0)])


def judged_cells(leaks: Iterable[Leak], shape: Strategy) -> Cells:
    """What an agent mostly played in every cell of the chart, and what that cost; `shape` is any chart of the game."""
    known = {leak.cell: leak for leak in leaks}
    return _cells(shape, lambda cell: [known[cell].plays, known[cell].cost] if cell in known else [NEVER, 0.0])


def _cells(shape: Strategy, tell: Callable[[Cell], list[Any]]) -> Cells:
    return {
        section: {label: [tell(cell) for cell in cells] for label, cells in rows.items()}
        for section, rows in chart_by_total(shape.limit, shape.ace_bonus).items()
    }


def ranked(rows: Sequence[Row], optimum: float) -> list[Row]:
    """The rows, best first; of equals the optimum first, then exact ones.

    Nobody truly beats the optimum, so an estimate above it counts as equal to it.
    """
    return sorted(
        rows, key=lambda row: (-round(min(row.ev, optimum), 12), not row.exact, bool(row.cells), row.stderr, row.name)
    )


def as_json(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Rows as a part's result keeps them."""
    return [asdict(row) for row in rows]
