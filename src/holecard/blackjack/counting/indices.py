"""Indices: the counts at which one action overtakes another, by the exact EVs of shoes in play.

In every cell of the chart the lead of one action over another is a smooth function of the count at the decision; where
it crosses 0 is the index. Errors are a jackknife over groups of shoes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.compositions import running_counts, used_count
from holecard.blackjack.counting.solved_shoes import CELLS, FAMILIES, GROUPS, SolvedShoes
from holecard.blackjack.counting.strategy import HIGHEST, LOWEST, Departure, Rounding, Word
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.returns import NOT_ALLOWED
from holecard.blackjack.exact.solution import Solution
from holecard.blackjack.game.actions import Action
from holecard.blackjack.strategy.cell import ROWS, Cell, Kind

_NEAR: Final = 0.2
"""The share of the range of counts, on either side, through which a crossing's straight line is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """A cell that is played by the count."""

    departure: Departure
    """The cell, both actions and the whole index."""
    crossing: float
    """The count, not rounded, at which both actions are worth the same."""
    stderr: float
    """Of that."""
    frequency: float
    """How often the cell comes up in a round with this choice open."""
    gain: float
    """What the departure adds to the EV of a round, one unit bet at every count."""


def find_indices(system: CountSystem, shoes: SolvedShoes, rounding: Rounding = "floor") -> list[Index]:
    """The indices of every cell that has one, the most valuable first; `rounding` is that of the count they are for."""
    counts, weights = shoes.at_decision(system), shoes.weights(system)
    natural = used_count(system, running_counts(system, shoes.whole.rules, shoes.natural), shoes.natural.sum(axis=1))
    found = []
    for at, place in enumerate(shoes.place):
        fit = _crossing(shoes.lead[:, at], counts[:, at], weights * shoes.chance[:, at])
        if fit is not None:
            index = whole_index(fit.crossing, system, rounding)
            found.append(
                _index(shoes.whole, divmod(int(place), CELLS), fit, index, natural, float(shoes.frequency[at]))
            )
    return sorted(found, key=lambda each: -each.gain)


def whole_index(crossing: float, system: CountSystem, rounding: Rounding) -> int:
    """The lowest whole count whose mean, before it was made whole, is not below the crossing."""
    width = 1.0 if system.used_as == "true" else 1.0 - 1.0 / system.scale
    if rounding == "round":
        index = np.ceil(crossing)
    elif rounding == "truncate":  # 1 stands for 1 to 2, 0 for −1 to 1, −1 for −2 to −1
        index = max(np.ceil(crossing - width / 2), 1) if crossing > 0 else min(np.ceil(crossing + width / 2), 0)
    else:  # floored, t stands for t to t + 1
        index = np.ceil(crossing - width / 2)
    return int(np.clip(index, LOWEST, HIGHEST))


class _Fit(NamedTuple):
    """The lead as a function of the count, and where it crosses 0."""

    crossing: float
    stderr: float
    rising: bool
    coefficients: NDArray[np.float64]


def _crossing(leads: NDArray[np.float64], counts: NDArray[np.float64], weights: NDArray[np.float64]) -> _Fit | None:
    """Where a lead crosses 0 within the counts seen; None if it does not."""
    known = weights > 0
    if known.sum() < 5 * GROUPS:
        return None
    x, y, w = counts[known], leads[known], np.sqrt(weights[known])
    whole = _root(x, y, w, None)
    if whole is None:
        return None
    group = np.arange(len(x)) % GROUPS
    others = [_root(x[group != each], y[group != each], w[group != each], whole[0]) for each in range(GROUPS)]
    roots = np.array([other[0] for other in others if other is not None])
    if len(roots) < GROUPS:
        return None
    spread = float(np.sqrt(((roots - roots.mean()) ** 2).sum() * (GROUPS - 1) / GROUPS))
    return _Fit(whole[0], spread, whole[1] > 0, whole[2])


def _root(
    x: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], near: float | None
) -> tuple[float, float, NDArray[np.float64]] | None:
    """Where a curve through the points crosses 0 (the crossing nearest to `near`, or to 0), and its slope there."""
    low, high = np.quantile(x, (0.01, 0.99))
    whole = np.polyfit(x, y, 3, w=w)
    roots = [float(root.real) for root in np.roots(whole) if abs(root.imag) < 1e-9 and low <= root.real <= high]
    if not roots:
        return None
    root = min(roots, key=lambda each: abs(each - (near or 0.0)))
    for _ in range(2):  # a straight line near the crossing says it better than a curve through everything
        close = np.abs(x - root) <= _NEAR * (high - low)
        if close.sum() < 20:
            break
        slope, at_zero = np.polyfit(x[close], y[close], 1, w=w[close])
        if slope == 0 or not low <= -at_zero / slope <= high:
            return None
        root = float(-at_zero / slope)
    return root, float(np.polyval(np.polyder(whole), root)), whole


def _index(
    whole: Solution,
    place: tuple[int, int],
    fit: _Fit,
    index: int,
    natural: NDArray[np.float64],
    frequency: float,
) -> Index:
    """A crossing as people use it: the whole count from which the action is taken."""
    family, number = place
    kind, row, upcard = (int(at) for at in np.unravel_index(number, (len(Kind), ROWS, N_VALUES)))
    cell = Cell(kind=Kind(kind), row=row, upcard=upcard)
    special, plain = FAMILIES[family], plainer_action(whole, family, cell)
    action, otherwise = (special, plain) if fit.rising else (plain, special)
    usual = np.polyval(fit.coefficients, float(np.median(natural))) > 0
    lead = np.polyval(fit.coefficients, natural)
    gain = float(np.maximum(-lead if usual else lead, 0.0).mean()) * frequency
    return Index(
        departure=Departure(cell=cell, action=action, otherwise=otherwise, index=index),
        crossing=fit.crossing,
        stderr=fit.stderr,
        frequency=frequency,
        gain=gain,
    )


def plainer_action(whole: Solution, family: int, cell: Cell) -> Word:
    """What the action of a family is compared with: the best of the plainer actions with a full shoe."""
    if FAMILIES[family] == "stand":
        return "hit"
    words: tuple[Word, ...] = ("hit", "stand") if FAMILIES[family] == "double" else ("hit", "stand", "double")
    hands, first = whole.odds.hands, whole.odds.first_hands
    total = np.zeros(len(words))
    for at, hand in enumerate(first.hand):
        is_here = (
            first.pair[at] >= 0 and 2 * (first.pair[at] + 1) == cell.row
            if cell.kind == Kind.PAIR
            else hands.total[hand] == cell.row and bool(hands.soft[hand]) == (cell.kind == Kind.SOFT)
        )
        if is_here and first.probability[at, cell.upcard] > 0:
            for number, word in enumerate(words):
                value = whole.first_returns[at, cell.upcard, Action[word.upper()]]
                total[number] += first.probability[at, cell.upcard] * (value if value != NOT_ALLOWED else -10.0)
    return words[int(total.argmax())]
