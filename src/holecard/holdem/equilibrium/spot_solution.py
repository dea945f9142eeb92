"""Spots solved by discounted regret minimisation in vector form, judged by exact best responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.holdem.equilibrium.regret import Step
from holecard.holdem.equilibrium.spot import Spot
from holecard.holdem.equilibrium.spot_kernels import (
    JUDGE,
    LEARN,
    MOST_ACTIONS,
    RESPOND,
    Pass,
    SpotHands,
    SpotRegrets,
    SpotWork,
    walk,
)
from holecard.holdem.equilibrium.spot_tree import DECISION, SpotTree, showdown_tree, tree_of_spot
from holecard.holdem.equities.ranges import Hole
from holecard.holdem.game.ranking import rank_many

_JUDGE_EVERY: Final = 20
_SHOWN_ACTIONS: Final = 2
"""Decisions after at most so many actions are told one by one."""
Vector = NDArray[np.float64]
"""One number for each hand of a spot."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decision:
    """One decision of a solved spot, hand by hand."""

    path: tuple[str, ...]
    """What has happened before."""
    player: int
    """Who acts: 0 is the first player, 1 the one in position."""
    actions: tuple[str, ...]
    """What may be done."""
    chance: float
    """How often play comes here."""
    weights: Vector
    """How likely each hand is here, in all 1; (h)."""
    shares: NDArray[np.float64]
    """How often each action is taken with each hand, (actions, h)."""
    evs: NDArray[np.float64]
    """What each action wins with each hand in chips since the spot began, the pot included; (actions, h).

    0 for hands that cannot be held here.
    """

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """How often each action is taken over all hands, (actions)."""
        frequencies: NDArray[np.float64] = self.shares @ self.weights
        return frequencies

    @property
    def ev(self) -> Vector:
        """What each hand wins, in chips."""
        ev: Vector = (self.shares * self.evs).sum(axis=0)
        return ev


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedSpot:
    """A spot with strategies near its equilibrium."""

    spot: Spot
    """What was solved."""
    holes: tuple[Hole, ...]
    """The hands, h in all."""
    value: float
    """What the first player wins of the pot on average, in chips."""
    exploitability: float
    """The mean of what best responses gain, in chips."""
    iterations: int
    """Iterations of the solver."""
    steps: tuple[Step, ...]
    """How it came there."""
    equities: NDArray[np.float64]
    """The equity of every hand for each player against the other's range, NaN where it cannot be held; (2, h)."""
    decisions: tuple[Decision, ...]
    """The decisions after at most two actions, on the street of the spot."""


def solve_spot(
    spot: Spot,
    *,
    accuracy: float = 0.001,
    iterations: int = 10_000,
    progress: Callable[[float], None] | None = None,
) -> SolvedSpot:
    """The spot solved until its exploitability is `accuracy` of the pot, or after so many iterations at most.

    `progress` is called with the exploitability as a share of the pot. Ctrl-C ends with the iterations done so far.
    """
    if iterations < 1:
        raise SettingError(f"iterations must be 1 or more; got {iterations}")
    if not 0 <= accuracy <= 1:
        raise SettingError(f"accuracy must be 0 to 1 of the pot; got {accuracy:g}")
    solver = _Solver(spot)
    steps: list[Step] = []
    interrupted = False
    while True:
        try:
            solver.go_on(min(_JUDGE_EVERY if solver.iterations else 1, iterations - solver.iterations))
        except KeyboardInterrupt:
            if not steps:
                raise
            interrupted = True
        value, exploitability = solver.judged()
        steps.append(Step(iterations=solver.iterations, value=value, exploitability=exploitability))
        if progress is not None:
            progress(exploitability / spot.pot)
        if interrupted or exploitability <= accuracy * spot.pot or solver.iterations >= iterations:
            break
    return SolvedSpot(
        spot=spot,
        holes=tuple(solver.holes),
        value=value,
        exploitability=exploitability,
        iterations=solver.iterations,
        steps=tuple(steps),
        equities=solver.equities(),
        decisions=tuple(solver.decisions()),
    )


def hands_of(spot: Spot) -> tuple[SpotHands, int]:
    """The hands of a spot with their order on every river, and how many rivers there are."""
    holes = np.array(spot.holes(), np.int64)
    rivers = [card for card in range(52) if card not in spot.board] if len(spot.board) == 4 else [-1]
    shape = (len(rivers), len(holes))
    order, group, count = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(len(rivers), np.int64)
    allowed = np.ones(shape, np.float32)
    for at, river in enumerate(rivers):
        board = [*spot.board, river] if river >= 0 else list(spot.board)
        free = np.flatnonzero((holes != river).all(axis=1))
        cards = np.hstack([holes[free], np.tile(board, (len(free), 1))]).astype(np.uint8)
        strengths = rank_many(cards).astype(np.int64)
        ranked = np.argsort(strengths, kind="stable")
        order[at, : len(free)], group[at, : len(free)], count[at] = free[ranked], strengths[ranked], len(free)
        allowed[at] = (holes != river).all(axis=1)
    hands = SpotHands(holes[:, 0].copy(), holes[:, 1].copy(), order, group, count, allowed)
    return hands, len(rivers)


class _Solver:
    """The arrays of a spot that is being solved."""

    def __init__(self, spot: Spot) -> None:
        self.spot, self.holes, self.iterations = spot, spot.holes(), 0
        self._hands, self._rivers = hands_of(spot)
        self._tree = tree_of_spot(spot, self._rivers)
        held = (spot.first, spot.other)
        self._weights = [np.array([each.get(hole, 0.0) for hole in self.holes], np.float32) for each in held]
        count = len(self.holes)
        self._state = SpotRegrets(*(np.zeros((self._tree.size, count), np.float32) for _ in range(2)))
        self._work = self._scratch(self._tree)
        self._nothing = np.zeros((0, MOST_ACTIONS, count), np.float32)
        self._deals = float(self._weights[0] @ self.against(self._weights[1].astype(np.float64)))

    def _scratch(self, tree: SpotTree) -> SpotWork:
        depth, count = tree.depth, len(self.holes)
        vectors = [np.zeros((depth, count), np.float32) for _ in range(3)]
        blocks = [np.zeros((depth, MOST_ACTIONS, count), np.float32) for _ in range(2)]
        return SpotWork(np.zeros(depth, np.int64), np.zeros(depth, np.int64), *vectors, *blocks)

    def against(self, reach: Vector) -> Vector:
        """For every hand the sum of the other's probabilities over hands that share no card with it."""
        sums = np.zeros(52)
        np.add.at(sums, self._hands.first, reach)
        np.add.at(sums, self._hands.second, reach)
        return reach.sum() - sums[self._hands.first] - sums[self._hands.second] + reach

    def go_on(self, iterations: int) -> None:
        """So many iterations more, each for both players."""
        for _ in range(iterations):
            self.iterations += 1
            grown = float(self.iterations) ** 1.5
            for player in (0, 1):
                goal = Pass(player, LEARN, grown / (grown + 1), 0.5, float(self.iterations) ** 2)
                self._walk(player, goal)

    def _walk(self, player: int, goal: Pass, results: NDArray[np.float32] | None = None) -> Vector:
        own, other = self._weights[player], self._weights[1 - player]
        walk(
            self._tree.arrays,
            self._hands,
            self._state,
            self._work,
            own,
            other,
            goal,
            self._nothing if results is None else results,
        )
        return self._work.value[0].astype(np.float64)

    def judged(self) -> tuple[float, float]:
        """What the first player wins in chips, and the exploitability."""
        average = self._walk(0, Pass(0, JUDGE, 0.0, 0.0, 0.0))
        best = [self._walk(player, Pass(player, RESPOND, 0.0, 0.0, 0.0)) for player in (0, 1)]
        gains = [float(self._weights[player] @ best[player]) / self._deals for player in (0, 1)]
        value = float(self._weights[0] @ average) / self._deals
        return value + self.spot.pot / 2, sum(gains) / 2

    def equities(self) -> NDArray[np.float64]:
        """Equities of both players' hands, (2, h)."""
        tree = showdown_tree(self.spot, self._rivers)
        work, found = self._scratch(tree), np.full((2, len(self.holes)), np.nan)
        for player in (0, 1):
            own, other = self._weights[player], self._weights[1 - player]
            goal = Pass(player, JUDGE, 0.0, 0.0, 0.0)
            walk(tree.arrays, self._hands, self._state, work, own, other, goal, self._nothing)
            met = self.against(other.astype(np.float64))
            held = (own > 0) & (met > 1e-9)
            found[player, held] = 0.5 + work.value[0][held] / (2 * met[held])
        return found

    def decisions(self) -> list[Decision]:
        """The first decisions, hand by hand."""
        shown = self._shown()
        results = np.zeros((max(shown) + 1, MOST_ACTIONS, len(self.holes)), np.float32)
        for player in (0, 1):
            self._walk(player, Pass(player, JUDGE, 0.0, 0.0, 0.0), results)
        return [self._decision(node, reach, results[node]) for node, reach in shown.items()]

    def _shown(self) -> dict[int, list[Vector]]:
        """Nodes of the first decisions, each with the two players' probabilities to come there, by hand."""
        arrays = self._tree.arrays
        found = {0: [weights.astype(np.float64) for weights in self._weights]}
        for node in list(found):
            self._add_below(node, found, arrays.river[0])
        return found

    def _add_below(self, node: int, found: dict[int, list[Vector]], river: int) -> None:
        arrays, shares = self._tree.arrays, self.shares(node)
        for action in range(arrays.children[node]):
            child = int(arrays.first[node]) + action
            if arrays.kind[child] == DECISION and arrays.river[child] == river:
                if len(self._tree.paths[child]) > _SHOWN_ACTIONS:
                    continue
                reach = list(found[node])
                reach[arrays.actor[node]] = reach[arrays.actor[node]] * shares[action]
                found[child] = reach
                self._add_below(child, found, river)

    def shares(self, node: int) -> NDArray[np.float64]:
        """The average strategy of a decision, (actions, h)."""
        actions, offset = len(self._tree.actions[node]), int(self._tree.arrays.offset[node])
        total = self._state.total[offset : offset + actions].astype(np.float64)
        sums = total.sum(axis=0)
        return np.divide(total, sums, out=np.full(total.shape, 1 / actions), where=sums > 0)

    def _decision(self, node: int, reach: list[Vector], results: NDArray[np.float32]) -> Decision:
        player, actions = int(self._tree.arrays.actor[node]), self._tree.actions[node]
        met = self.against(reach[1 - player])
        weights = reach[player] * met
        chance = float(weights.sum()) / self._deals
        evs = np.zeros((len(actions), len(self.holes)))
        held = (self._weights[player] > 0) & (met > 1e-9)
        evs[:, held] = results[: len(actions), held] / met[held] + self.spot.pot / 2
        return Decision(
            path=self._tree.paths[node],
            player=player,
            actions=actions,
            chance=chance,
            weights=weights / weights.sum() if weights.sum() > 0 else weights,
            shares=self.shares(node),
            evs=evs,
        )
