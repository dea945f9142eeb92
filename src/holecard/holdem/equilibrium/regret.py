"""Counterfactual regret minimisation on a game tree: plain, CFR+, discounted and predictive CFR+.

Every iteration updates one player after the other. An information set plays in proportion to its positive regrets
(*regret matching*); the average of the strategies played goes to an equilibrium.

| method | regrets | average weighted by |
|---|---|---|
| cfr | summed (Zinkevich and others 2007) | 1 |
| cfr+ | never below 0 (Tammelin 2014) | t |
| dcfr | positive ones discounted by t^1.5 / (t^1.5 + 1), negative ones by ½ (Brown and Sandholm 2019) | t² |
| pcfr+ | as cfr+, and the last regret is expected once more (Farina, Kroer and Sandholm 2021) | t² |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.errors import SettingError, unknown_name
from holecard.holdem.equilibrium.best_response import Exploitability, exploitability_of
from holecard.holdem.equilibrium.tree import GameTree, TreeArrays


class Method(IntEnum):
    """The methods by number, as kernels know them."""

    CFR = 0
    CFR_PLUS = 1
    DCFR = 2
    PCFR_PLUS = 3

    @property
    def title(self) -> str:
        """The name people type: `cfr+`."""
        return self.name.lower().replace("_plus", "+")

    @classmethod
    def named(cls, name: str) -> Method:
        """The method of that name.

        >>> Method.named("cfr+")
        <Method.CFR_PLUS: 1>
        """
        by_title = {method.title: method for method in cls}
        if name not in by_title:
            raise SettingError(unknown_name("method", name, by_title))
        return by_title[name]


class Regrets(NamedTuple):
    """What the iterations keep, all (m): one number for every action of every information set."""

    regret: NDArray[np.float64]
    """What each action would have won more, summed."""
    last: NDArray[np.float64]
    """The regret of the last iteration alone."""
    strategy: NDArray[np.float64]
    """What is played now."""
    total: NDArray[np.float64]
    """The strategies played so far, weighted and summed."""


@rule
def _match(tree: TreeArrays, state: Regrets, player: int, method: int) -> None:
    """Let every information set of a player play in proportion to its positive regrets."""
    for number in range(tree.owner.shape[0]):
        if tree.owner[number] != player:
            continue
        first, last = tree.first[number], tree.first[number + 1]
        positive = 0.0
        for at in range(first, last):
            regret = state.regret[at] + (state.last[at] if method == Method.PCFR_PLUS else 0.0)
            state.strategy[at] = max(regret, 0.0)
            positive += state.strategy[at]
        for at in range(first, last):
            state.strategy[at] = state.strategy[at] / positive if positive > 0 else 1.0 / (last - first)


@rule
def _values_of_actions(tree: TreeArrays, state: Regrets, player: int, reach: Any, value: Any, gains: Any) -> None:
    """Fill gains (m) with what each action of a player is worth, weighted by how often chance and the other come there.

    reach (2, n): by the player itself, and by the others.
    """
    nodes = tree.parent.shape[0]
    reach[0, 0] = reach[1, 0] = 1.0
    for node in range(1, nodes):
        parent, slot = tree.parent[node], tree.slot[node]
        own = slot >= 0 and tree.actor[parent] == player
        share = state.strategy[slot] if slot >= 0 else tree.probability[node]
        reach[0, node] = reach[0, parent] * (share if own else 1.0)
        reach[1, node] = reach[1, parent] * (1.0 if own else share)
    value[:] = tree.payoff
    gains[:] = 0.0
    sign = 1.0 if player == 0 else -1.0
    for node in range(nodes - 1, 0, -1):
        parent, slot = tree.parent[node], tree.slot[node]
        share = state.strategy[slot] if slot >= 0 else tree.probability[node]
        value[parent] += share * value[node]
        if slot >= 0 and tree.actor[parent] == player:
            gains[slot] += sign * reach[1, node] * value[node]


@rule
def _add_regrets(tree: TreeArrays, state: Regrets, player: int, gains: Any, method: int, iteration: int) -> None:
    """Add this iteration's regrets of a player to those before, by the method."""
    grown = float(iteration) ** 1.5
    for number in range(tree.owner.shape[0]):
        if tree.owner[number] != player:
            continue
        mean = 0.0
        for at in range(tree.first[number], tree.first[number + 1]):
            mean += state.strategy[at] * gains[at]
        for at in range(tree.first[number], tree.first[number + 1]):
            state.last[at] = gains[at] - mean
            regret = state.regret[at]
            if method == Method.DCFR:
                regret *= grown / (grown + 1.0) if regret > 0 else 0.5
            regret += state.last[at]
            if method in (Method.CFR_PLUS, Method.PCFR_PLUS):
                regret = max(regret, 0.0)
            state.regret[at] = regret


@rule
def _add_to_average(tree: TreeArrays, state: Regrets, player: int, reach: Any, weight: float) -> None:
    """Add the strategy just played, weighted by the player's own probability to come to each information set."""
    for node in range(tree.parent.shape[0]):
        if tree.actor[node] != player:
            continue
        number = tree.information_set[node]
        for at in range(tree.first[number], tree.first[number + 1]):
            state.total[at] += weight * reach[0, node] * state.strategy[at]


@kernel
def iterate(tree: TreeArrays, state: Regrets, method: int, first: int, last: int) -> None:
    """Play iterations `first` up to, not including, `last`; the first of all is 1."""
    nodes = tree.parent.shape[0]
    reach, value, gains = np.empty((2, nodes)), np.empty(nodes), np.empty(state.total.shape[0])
    if first == 1:
        _match(tree, state, 0, method)
        _match(tree, state, 1, method)
    for iteration in range(first, last):
        weight = float(iteration) ** (0 if method == Method.CFR else 1 if method == Method.CFR_PLUS else 2)
        for player in range(2):
            _values_of_actions(tree, state, player, reach, value, gains)
            _add_to_average(tree, state, player, reach, weight)
            _add_regrets(tree, state, player, gains, method, iteration)
            _match(tree, state, player, method)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Where a solver stood after some iterations."""

    iterations: int
    """Iterations so far."""
    value: float
    """What the first player wins, in the average strategies."""
    exploitability: float
    """The mean of what best responses gain."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedGame:
    """A game tree with strategies near its equilibrium."""

    tree: GameTree
    """The game."""
    strategy: NDArray[np.float64]
    """The average strategy of both players, (size)."""
    judged: Exploitability
    """Its value and what best responses gain."""
    steps: tuple[Step, ...]
    """How it came there."""


def solve_tree(
    tree: GameTree,
    *,
    iterations: int,
    method: Method = Method.PCFR_PLUS,
    progress: Callable[[int], None] | None = None,
) -> SolvedGame:
    """The average strategies after so many iterations, judged on the way about ten times in every factor of ten.

    >>> from holecard.holdem.equilibrium.small_games import small_game
    >>> solved = solve_tree(small_game("kuhn"), iterations=1000)
    >>> abs(solved.judged.value + 1 / 18) < 1e-4
    True
    """
    if iterations < 1:
        raise SettingError(f"iterations must be 1 or more; got {iterations}")
    state = Regrets(*(np.zeros(tree.size) for _ in range(4)))
    steps: list[Step] = []
    done = 0
    for stop in _stops(iterations):
        iterate(tree.arrays, state, int(method), done + 1, stop + 1)
        done = stop
        strategy = average_of(tree, state.total)
        judged = exploitability_of(tree, strategy)
        steps.append(Step(iterations=done, value=judged.value, exploitability=judged.exploitability))
        if progress is not None:
            progress(done)
    return SolvedGame(tree=tree, strategy=strategy, judged=judged, steps=tuple(steps))


def average_of(tree: GameTree, total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weighted sums of strategies as a strategy; information sets that were never reached play at random."""
    first = tree.arrays.first
    sums = np.repeat(np.add.reduceat(total, first[:-1]), np.diff(first))
    even = np.repeat(1 / np.diff(first), np.diff(first))
    return np.divide(total, sums, out=even.astype(np.float64), where=sums > 0)


def _stops(iterations: int) -> list[int]:
    """Where to judge: 1, 2, … 10, then ten times in every factor of ten, and at the end.

    >>> _stops(30)
    [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30]
    """
    stops = {iterations}
    power = 0
    while round(10 ** (power / 10)) < iterations:
        stops.add(round(10 ** (power / 10)))
        power += 1
    return sorted(stops)
