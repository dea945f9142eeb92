"""Where the composition-dependent optimum departs from the total-dependent chart, in words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart_play import DOUBLE, HIT, Play
from holecard.blackjack.exact.hands import FIRST_PAIRING, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.returns import TIE
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.shoe import VALUE_LETTERS
from holecard.blackjack.strategy.cell import Cell, Kind, cell_index

SHOWN: Final = 6
"""Hands that a line lists before it counts the rest."""
_Group = tuple[int, int, int]
"""The index of a cell, what the chart does there, and what the optimum does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Hands of one chart cell that the optimum plays otherwise."""

    cell: Cell
    chart: Action
    """What the chart does with them."""
    best: Action
    """What the optimum does with them."""
    hands: tuple[str, ...]
    """The hands, costliest first."""
    which: str
    """The hands in words: `with 4+ cards`, or a list."""
    gain: float
    """What following the optimum here adds per round."""

    def __str__(self) -> str:
        return f"{self.cell.short}: {self.chart.word}, but {self.best.word} {self.which}"


def departures(odds: Odds, best: Play, chart: Play, first_returns: NDArray[np.float64]) -> list[Departure]:
    """All departures of the optimum's play from a chart's, costliest first; `first_returns` (o, 10, 5), optimum's."""
    groups: dict[_Group, list[tuple[float, int]]] = defaultdict(list)
    rivals: dict[tuple[int, int], set[int]] = defaultdict(set)
    reach = value_of_play(odds, best).sequences * odds.sequence_probability
    later_returns = np.stack([odds.returns.hit, odds.returns.stand, odds.returns.double], axis=2)  # by `Action`
    by_total = _cells_by_total(odds)
    for row in range(FIRST_PAIRING, len(odds.first_hands.hand)):
        pair, hand = int(odds.first_hands.pair[row]), int(odds.first_hands.hand[row])
        has_row = pair >= 0 and odds.table_rules.max_hands > 1  # where nothing is split, a pair is only its total
        first_cell = cell_index(0, Kind.PAIR, 2 * (pair + 1), 0) if has_row else by_total[hand]
        does, should = (play.first[row].argmax(axis=1).tolist() for play in (best, chart))
        for upcard in np.flatnonzero(odds.first_hands.probability[row] > 0).tolist():
            gain = first_returns[row, upcard, does[upcard]] - first_returns[row, upcard, should[upcard]]
            cell = first_cell + upcard
            rivals[cell, should[upcard]].add(hand)
            if gain > TIE:
                groups[cell, should[upcard], does[upcard]].append(
                    (gain * odds.first_hands.probability[row, upcard], hand)
                )
    later = np.arange(len(reach))[:, None] >= odds.hands.openings
    played, charted = (
        np.select([play.hit > 0, play.double > 0], [HIT, DOUBLE], int(Action.STAND)) for play in (best, chart)
    )
    at = np.nonzero((reach > 0) & later)
    gains = later_returns[(*at, played[at])] - later_returns[(*at, charted[at])]
    cells, departs = np.array(by_total)[at[0]] + at[1], gains > TIE
    columns = (cells, charted[at], played[at], gains * reach[at], at[0])
    for cell, chart_play, best_play, weighted, hand in zip(*(each[departs].tolist() for each in columns), strict=True):
        groups[cell, chart_play, best_play].append((weighted, hand))
    for cell, chart_play, _ in groups:
        rivals[cell, chart_play].update(at[0][(cells == cell) & (charted[at] == chart_play)].tolist())
    found = [_departure(odds, group, members, rivals[group[:2]]) for group, members in groups.items()]
    return sorted(found, key=lambda departure: -departure.gain)


def _cells_by_total(odds: Odds) -> list[int]:
    """Where each hand's cells begin if it is looked up by its total alone: the index of its cell against an ace."""
    kinds = np.where(odds.hands.soft, int(Kind.SOFT), int(Kind.HARD))
    cells: list[int] = cell_index(0, kinds, odds.hands.total, 0).tolist()
    return cells


def _departure(odds: Odds, group: _Group, members: list[tuple[float, int]], rivals: set[int]) -> Departure:
    members = sorted(members, reverse=True)
    hands = tuple(hand_label(odds, hand) for _, hand in members)
    which = "with " + " or ".join(hands[:SHOWN]) + (f" and {len(hands) - SHOWN} more" if len(hands) > SHOWN else "")
    departing = {hand for _, hand in members}
    fewest = min(int(odds.hands.size[hand]) for hand in departing)
    large = {hand for hand in rivals if odds.hands.size[hand] >= fewest}
    spared = large - departing
    if len(departing) > 2 and fewest > 2 and len(spared) < SHOWN:
        kept = " or ".join(hand_label(odds, hand) for hand in sorted(spared))
        which = f"with {fewest}+ cards" + (f" except {kept}" if kept else "")
    elif len(departing) > 2 and rivals == departing:
        which = "always"
    gain = float(sum(weighted for weighted, _ in members))
    cell = Cell.at(group[0], ace_bonus=odds.table_rules.ace_bonus).by_total
    return Departure(cell=cell, chart=Action(group[1]), best=Action(group[2]), hands=hands, which=which, gain=gain)


def hand_label(odds: Odds, hand: int) -> str:
    """A hand's cards, high ones first: `T,4,2`."""
    return ",".join(
        VALUE_LETTERS[value] for value in reversed(range(N_VALUES)) for _ in range(odds.hands.cards[hand, value])
    )
