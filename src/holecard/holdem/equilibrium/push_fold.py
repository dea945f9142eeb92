"""Push or fold before the flop: the small blind goes all-in or folds, the big blind calls or folds. Solved exactly.

With x the frequencies of pushing and y those of calling, by starting hand, the small blind wins

    f + Σ (a − f) wᵢ xᵢ + Σ xᵢ Mᵢⱼ yⱼ        Mᵢⱼ = pᵢⱼ (S (2 eᵢⱼ − 1) − a)

where S is the stack, f what a fold gives (the small blind is lost), a what a push gives that nobody calls (the big
blind is won), pᵢⱼ the probability that the two are dealt i and j, wᵢ its sum over j, and eᵢⱼ the exact equity.
Predictive CFR+ comes near the equilibrium; which hands are mixed is seen by then, and their frequencies follow from
linear equations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import RulesError
from holecard.holdem.equities.starting_hands import (
    STARTING_HANDS,
    disjoint_combinations,
    matchup_equities,
)
from holecard.settings import check_settings, setting

Frequencies = NDArray[np.float64]
"""By starting hand, (169)."""
EXACT: Final = 1e-12
"""Exploitability at which the search ends, in big blinds; rounding leaves about 1e-16."""
_MOST_ITERATIONS: Final = 50_000
_LOOK_EVERY: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PushFold:
    """Stacks and blinds of push or fold, in big blinds."""

    stack: float = setting(10.0, above=0, high=10_000, help="Each player's stack before the blinds, in big blinds.")
    ante: float = setting(0.0, low=0, high=1_000, help="Each player's ante, in big blinds.")
    small_blind: float = setting(0.5, low=0, high=1, help="The small blind, in big blinds.")

    def __post_init__(self) -> None:
        check_settings(self)
        least = self.ante + self.small_blind
        if self.stack <= least:
            raise RulesError(
                f"stack must be above {least:g} big blinds, the small blind and the ante, or nothing is left to push; "
                f"got {self.stack:g}"
            )

    @property
    def small_blind_paid(self) -> float:
        """What the small blind loses by folding."""
        return self.ante + self.small_blind

    @property
    def big_blind_paid(self) -> float:
        """What the big blind loses by folding; all of a short stack."""
        return min(self.ante + 1.0, self.stack)

    @property
    def in_words(self) -> str:
        """The game in a line.

        >>> PushFold(stack=10, ante=0.1).in_words
        '10 big blinds each, small blind 0.5, ante 0.1'
        """
        ante = f", ante {self.ante:g}" if self.ante else ""
        return f"{self.stack:g} big blinds each, small blind {self.small_blind:g}{ante}"


class _Matrix:
    """The game as a matrix, and what both players gain in it."""

    def __init__(self, game: PushFold) -> None:
        deals = disjoint_combinations()
        chances = deals / deals.sum()
        self.fold, won = -game.small_blind_paid, game.big_blind_paid
        self.weights = chances.sum(axis=1)
        self.uncalled = (won - self.fold) * self.weights
        self.called = chances * (game.stack * (2 * matchup_equities() - 1) - won)
        self.turned = np.ascontiguousarray(self.called.T)

    def push_gains(self, call: Frequencies) -> Frequencies:
        """What a push wins more than a fold, weighted by how often the hand is dealt."""
        return self.uncalled + self.called @ call

    def call_gains(self, push: Frequencies) -> Frequencies:
        """What a call wins more than a fold, weighted by how often the hand faces a push."""
        return -(self.turned @ push)

    def judge(self, push: Frequencies, call: Frequencies) -> tuple[float, float]:
        """The small blind's value, and the exploitability: the mean of what both best responses gain."""
        gains, answers = self.push_gains(call), self.call_gains(push)
        best = self.fold + np.maximum(gains, 0).sum()
        worst = self.fold + self.uncalled @ push - np.maximum(answers, 0).sum()
        return float(self.fold + gains @ push), float(best - worst) / 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PushFoldSolution:
    """The equilibrium of push or fold."""

    game: PushFold
    """What was solved."""
    push: Frequencies
    """How often each starting hand pushes."""
    call: Frequencies
    """How often each calls a push."""
    value: float
    """What the small blind wins a hand, in big blinds."""
    exploitability: float
    """The mean of what best responses gain, in big blinds a hand."""

    @property
    def push_ev(self) -> Frequencies:
        """What a push wins with each hand, in big blinds."""
        matrix = _Matrix(self.game)
        return matrix.fold + matrix.push_gains(self.call) / matrix.weights

    @property
    def call_ev(self) -> Frequencies:
        """What a call of a push wins with each hand, in big blinds."""
        matrix = _Matrix(self.game)
        deals = disjoint_combinations()
        faced = (deals / deals.sum()).T @ self.push
        return self.fold_to_push_ev + matrix.call_gains(self.push) / faced

    @property
    def fold_ev(self) -> float:
        """What folding wins the small blind, in big blinds."""
        return -self.game.small_blind_paid

    @property
    def fold_to_push_ev(self) -> float:
        """What folding to a push wins the big blind, in big blinds."""
        return -self.game.big_blind_paid

    @property
    def push_cost(self) -> Frequencies:
        """What the wrong choice costs the small blind with each hand, in big blinds; 0 where both are right."""
        return np.abs(self.push_ev - self.fold_ev)

    @property
    def call_cost(self) -> Frequencies:
        """What the wrong answer to a push costs the big blind with each hand, in big blinds."""
        return np.abs(self.call_ev - self.fold_to_push_ev)


def solve_push_fold(game: PushFold) -> PushFoldSolution:
    """The equilibrium, exploitable by less than 1e-6 big blinds a hand and as a rule by nothing but rounding.

    >>> solution = solve_push_fold(PushFold(stack=10))
    >>> round(solution.value, 6), solution.exploitability < 1e-12
    (-0.045371, True)
    """
    matrix = _Matrix(game)
    search = _Search(matrix)
    best: tuple[float, float, Frequencies, Frequencies] | None = None
    while search.iterations < _MOST_ITERATIONS:
        search.go_on(_LOOK_EVERY)
        for push, call in search.candidates():
            value, exploitability = matrix.judge(push, call)
            if best is None or exploitability < best[0]:
                best = exploitability, value, push, call
            if best[0] < EXACT:
                break
        if best is not None and best[0] < EXACT:
            break
    assert best is not None
    assert best[0] < 1e-6, f"{game} is exploitable by {best[0]} after {search.iterations} iterations"
    return PushFoldSolution(game=game, push=best[2], call=best[3], value=best[1], exploitability=max(best[0], 0.0))


class _Search:
    """Predictive CFR+ with alternating updates and quadratic averaging, one regret a hand and action."""

    def __init__(self, matrix: _Matrix) -> None:
        self.iterations = 0
        self._matrix = matrix
        self._push = self._call = np.full(STARTING_HANDS, 0.5)
        self._push_regrets, self._call_regrets = np.zeros((2, STARTING_HANDS)), np.zeros((2, STARTING_HANDS))
        self._push_sum, self._call_sum, self._weights = np.zeros(STARTING_HANDS), np.zeros(STARTING_HANDS), 0.0

    def go_on(self, iterations: int) -> None:
        """So many iterations more."""
        matrix = self._matrix
        for _ in range(iterations):
            self.iterations += 1
            weight = float(self.iterations) ** 2
            self._weights += weight
            self._push_sum += weight * self._push
            self._push = _matched(self._push_regrets, self._push, matrix.push_gains(self._call))
            self._call_sum += weight * self._call
            self._call = _matched(self._call_regrets, self._call, matrix.call_gains(self._push))

    def candidates(self) -> Iterator[tuple[Frequencies, Frequencies]]:
        """Pairs that may be the equilibrium: the average, and others near it with few mixed hands."""
        push, call = self._push_sum / self._weights, self._call_sum / self._weights
        yield push, call
        matrix = self._matrix
        pushes = _least(matrix.push_gains(call) / matrix.weights)
        calls = _least(matrix.call_gains(push) / matrix.weights)
        for mixed in range(_MOST_MIXED + 1):
            for mixed_pushes in combinations(pushes, mixed):
                for mixed_calls in combinations(calls, mixed):
                    yield from _indifferent(matrix, call, mixed_pushes, mixed_calls)


def _matched(regrets: NDArray[np.float64], played: Frequencies, gains: Frequencies) -> Frequencies:
    """Add the regrets of acting and folding to `regrets` (2, 169); the next frequencies, the same expected again."""
    last = np.stack([(1 - played) * gains, -played * gains])
    np.maximum(regrets + last, 0, out=regrets)
    act, fold = np.maximum(regrets + last, 0)
    both = act + fold
    return np.divide(act, both, out=np.full(STARTING_HANDS, 0.5), where=both > 0)


def _least(gains: Frequencies) -> list[int]:
    """The few hands nearest to indifference."""
    return [int(hand) for hand in np.argsort(np.abs(gains))[:_NEAR]]


def _indifferent(
    matrix: _Matrix, call: Frequencies, pushes: tuple[int, ...], calls: tuple[int, ...]
) -> Iterator[tuple[Frequencies, Frequencies]]:
    """Pairs in which the hands `pushes` and `calls` mix so that each other's are indifferent, and all others are pure.

    Every round the pure hands answer best to the round before; where that comes to rest is the equilibrium.
    """
    pushing, calling = list(pushes), list(calls)
    square = matrix.called[np.ix_(pushing, calling)]
    if pushes and abs(np.linalg.det(square / np.abs(square).max())) < _SINGULAR:
        return
    for _ in range(_ROUNDS):
        call = np.where(call > 0.5, 1.0, 0.0)
        call[calling] = 0.0
        call[calling] = np.linalg.solve(square, -matrix.push_gains(call)[pushing]).clip(0, 1)
        push = np.where(matrix.push_gains(call) > 0, 1.0, 0.0)
        push[pushing] = 0.0
        push[pushing] = np.linalg.solve(square.T, matrix.call_gains(push)[calling]).clip(0, 1)
        yield push, call
        call = np.where(matrix.call_gains(push) > 0, 1.0, 0.0)


_NEAR: Final = 4
"""Hands nearest to indifference that are tried as mixed ones."""
_MOST_MIXED: Final = 3
_ROUNDS: Final = 3
_SINGULAR: Final = 1e-12
