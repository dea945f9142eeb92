"""What every cell of a game's best chart is about: how often it comes up, and what each letter in it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart_play import play_of
from holecard.blackjack.exact.play_value import split_probability, value_of_play
from holecard.blackjack.exact.score import makes_sense
from holecard.blackjack.exact.solution import Solution
from holecard.blackjack.exact.split_net import frequency_coefficients, net_coefficients
from holecard.blackjack.exact.tally import tally_hands, tally_splits
from holecard.blackjack.strategy.cell import CARDS_HELD, UPCARDS, Cell, Kind, line_index
from holecard.blackjack.strategy.letters import Letter

_ALIKE: Final = {
    Letter.DOUBLE_ELSE_HIT: Letter.HIT,
    Letter.DOUBLE_ELSE_STAND: Letter.STAND,
    Letter.SURRENDER_ELSE_HIT: Letter.HIT,
    Letter.SURRENDER_ELSE_STAND: Letter.STAND,
}
"""What a letter plays on hands that may not do what it asks for first."""
_FAMILIES: Final = (
    (Letter.HIT,),
    (Letter.STAND,),
    (Letter.DOUBLE_ELSE_HIT, Letter.DOUBLE_ELSE_STAND),
    (Letter.SPLIT,),
    (Letter.SURRENDER_ELSE_HIT, Letter.SURRENDER_ELSE_STAND),
)
"""Letters that ask for the same action first; the better one of each family is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellValue:
    """What one cell of the best chart is about. EVs are per initial bet, as the player faces the hand."""

    cell: Cell
    """Which."""
    plays: Letter
    """What the best chart plays."""
    frequency: float
    """How often a round brings the decision, split hands counted each."""
    evs: Mapping[Letter, float]
    """The EV of every letter that can be played, the best first: the mean over the cell's unsplit hands as they come
    up, played on as well as possible. Empty where no unsplit hand gets there."""

    @property
    def margin(self) -> float | None:
        """What the second best letter costs each time; None where there is no choice."""
        best, *others = self.evs.values() or (0.0,)
        return best - others[0] if others else None

    @property
    def runner_up(self) -> Letter | None:
        """The second best letter."""
        return list(self.evs)[1] if len(self.evs) > 1 else None


def value_cells(solution: Solution) -> list[CellValue]:
    """Every cell of a game's best chart that comes up when it is played, in the chart's order."""
    odds, chart = solution.odds, solution.strategy()
    play = play_of(odds, chart.cells)
    unsplit = tally_hands(odds, play, solution.play, value_of_play(odds, play).sequences, solution.first_returns)
    frequency, split = unsplit.frequency, split_probability(odds, play)
    if split.any():
        resplit = play.after_split.resplit
        coefficients = net_coefficients(odds, odds.stands, resplit)
        after = tally_splits(odds, play, solution.play, split, coefficients, frequency_coefficients(odds, resplit))
        frequency = frequency + after.frequency
    found = []
    for kinds in ((Kind.HARD, Kind.HARD_ACE), (Kind.SOFT,), (Kind.PAIR,)):
        allowed = [letter for letter in Letter if makes_sense(letter, kinds[0], solution.rules)]
        for row, upcard in product(chart.rows(kinds[0]), range(UPCARDS)):
            lines = [line_index(held, kind, row) for held, kind in product(range(len(CARDS_HELD)), kinds)]
            often = float(frequency[lines, upcard].sum())
            if often <= 0.0:
                continue
            cell = Cell(kind=kinds[0], row=row, upcard=upcard, ace_bonus=solution.rules.ace_bonus)
            here = float(unsplit.frequency[lines, upcard].sum())
            returns = unsplit.letter_returns[lines, upcard].sum(axis=0)
            evs = _evs(returns / here - 1.0, allowed) if here > 0.0 else {}
            found.append(CellValue(cell=cell, plays=chart[cell], frequency=often, evs=evs))
    return found


def _evs(values: NDArray[np.float64], allowed: list[Letter]) -> dict[Letter, float]:
    """The better letter of every family that can be played, best first; one that is never legal is left out."""
    found = {}
    for family in _FAMILIES:
        members = [
            letter for letter in family if letter in allowed and values[letter] != values[_ALIKE.get(letter, letter)]
        ] or [letter for letter in family if letter in allowed and letter not in _ALIKE]
        if members:
            best = max(members, key=lambda letter: values[letter])
            found[best] = float(values[best])
    return dict(sorted(found.items(), key=lambda each: -each[1]))
