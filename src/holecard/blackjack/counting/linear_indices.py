"""Indices from effects of removal alone: eleven solved decks instead of a thousand.

The lead of one action over another is close to linear in the cards left. What each card's absence does to it is known
exactly, and the part of that which follows the tags says how the lead moves with the count (Griffin). Such indices lie
within about one count of those of `indices`, and cost a fraction of a second.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.effects import WEIGHTS, above_mean, per_tag
from holecard.blackjack.counting.indices import plainer_action, whole_index
from holecard.blackjack.counting.solved_shoes import CELLS, FAMILIES, choices_in, places_of
from holecard.blackjack.counting.strategy import HIGHEST, LOWEST, Departure
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.cell import ROWS, Cell, Kind


class _Choices(NamedTuple):
    """The choices that a full shoe has."""

    whole: Solution
    place: NDArray[np.int64]
    """(u,): family · CELLS + cell."""
    lead: NDArray[np.float64]
    """(u,): how much the action of the family leads."""
    held: NDArray[np.float64]
    """(u, 10): the cards of hand and upcard, on average."""
    effects: NDArray[np.float64]
    """(u, 10): what the removal of one card adds to the lead; the weighted means are 0."""


@lru_cache(maxsize=8)
def _choices(rules: Rules) -> _Choices:
    whole, deck = solve(rules), Composition.of_rules(rules)
    places = places_of(whole)
    full = choices_in(places, whole).reshape(-1, 2 + N_VALUES)
    place = np.flatnonzero(full[:, 1])
    effects = np.empty((len(place), N_VALUES))
    for value in range(N_VALUES):
        less = list(deck.values)
        less[value] -= 1
        solution = solve(rules, deck=Composition.of_values(tuple(less)))
        effects[:, value] = choices_in(places, solution).reshape(-1, 2 + N_VALUES)[place, 0] - full[place, 0]
    effects -= (effects * WEIGHTS).sum(axis=1, keepdims=True)
    return _Choices(whole, place, full[place, 0], full[place, 2:], effects)


def linear_indices(system: CountSystem, rules: Rules, dealt: float = 0.75) -> list[Departure]:
    """The departures of a count at a table with full packs, floored; own cards are seen half way to the cut."""
    choices, cards = _choices(rules), 52 * rules.packs
    tags = np.array([float(tag) for tag in system.tags])
    slope = per_tag(choices.effects, tags) * (cards - 1)
    wanted = -np.divide(choices.lead, slope, out=np.full_like(slope, np.inf), where=slope != 0)
    # The count before the round at which a lead is 0, and the same with the hand and the upcard seen.
    counts = np.arange(LOWEST, HIGHEST + 1.0)
    above = np.maximum.accumulate(above_mean(system, counts, rules.packs, dealt))
    before = np.interp(wanted, above, counts, left=-np.inf, right=np.inf)
    left = cards * (1.0 - dealt / 2)
    seen, held = choices.held @ tags, choices.held.sum(axis=1)
    crossings = before + seen if system.used_as == "running" else (before * left + 52 * seen) / (left - held)
    return [
        _departure(choices.whole, int(place), whole_index(float(crossing), system, "floor"), bool(rising))
        for place, crossing, rising in zip(choices.place, crossings, slope > 0, strict=True)
        if LOWEST <= crossing <= HIGHEST
    ]


def _departure(whole: Solution, place: int, index: int, rising: bool) -> Departure:
    family, number = divmod(place, CELLS)
    kind, row, upcard = (int(at) for at in np.unravel_index(number, (len(Kind), ROWS, N_VALUES)))
    cell = Cell(kind=Kind(kind), row=row, upcard=upcard)
    special, plain = FAMILIES[family], plainer_action(whole, family, cell)
    action, otherwise = (special, plain) if rising else (plain, special)
    return Departure(cell=cell, action=action, otherwise=otherwise, index=index)
