"""The loop of Monte-Carlo counterfactual regret minimisation: batches on threads, averages, a learned best response.

All iterations of a batch play against the same regrets; then what they found is added in order. Batch t weighs t, in
regrets and in the average (linear weighting, Brown and Sandholm 2019).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.estimate import Estimate
from holecard.executor import in_order, thread_count
from holecard.holdem.equilibrium.public_tree import Deals, PublicTree
from holecard.holdem.equilibrium.sampling import (
    Found,
    Strategies,
    add_between,
    new_found,
    new_walk,
    play_deals,
    walk_deals,
)
from holecard.seeds import key_of

Dealer = Callable[[int, int], Deals]
"""Deals number first … first + count − 1 of a game."""

_CHUNK: Final = 256
"""Deals of a job."""
_TRUST: Final = 0.3
"""What a learned best response begins with: so much of the regrets of training, as if it had found them itself."""
_PLACES: Final = 1 << 16
"""Places of a job's lists to begin with."""


@dataclass(slots=True, kw_only=True, eq=False)
class Trainer:
    """A game being trained: regrets, averages, and how many iterations they stand for."""

    tree: PublicTree
    """The betting."""
    dealer: Dealer
    """The cards."""
    seed: int
    """Whatever is drawn follows from it."""
    batch: int
    """Iterations against the same regrets."""
    regret: NDArray[np.float64] = field(init=False)
    """One number for every action of every information set."""
    average: NDArray[np.float64] = field(init=False)
    """Strategies played, weighted and summed."""
    batches: int = 0
    """Batches done."""
    nodes: int = 0
    """Nodes met so far by this object."""

    def __post_init__(self) -> None:
        self.regret = np.zeros(int(self.tree.offset[-1]))
        self.average = np.zeros(int(self.tree.offset[-1]))

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.batches * self.batch

    def run(self, batches: int, *, threads: int | None = None) -> None:
        """Do so many batches more; the same on any number of threads. An interrupted batch leaves no trace."""
        for _ in range(batches):
            found = _walk(self, Strategies(self.regret, self.regret), self.batches * self.batch, -1, threads)
            weight = float(self.batches + 1)
            _add(self.regret, [(one.regret_at, one.regret) for one in found], weight, threads)
            _add(self.average, [(one.average_at, one.average) for one in found], weight, threads)
            self.batches += 1
            self.nodes += sum(int(one.used[2]) for one in found)

    @property
    def regret_per_iteration(self) -> float:
        """Positive regrets of both players in chips an iteration, the largest of every information set, summed.

        Where players forget nothing, the mean of what the two best responses gain is at most half of it.
        """
        if self.batches == 0:
            return float("nan")
        width = self.tree.child.shape[1]
        weights = self.batch * self.batches * (self.batches + 1) / 2
        largest = self.regret.reshape(-1, width).max(axis=1)
        return float(np.maximum(largest, 0.0).sum() / weights)

    def respond(self, player: int, *, batches: int, hands: int, threads: int | None = None) -> Estimate:
        """What a best response of `player`, learned in so many batches, wins from the other's average, in chips.

        It sees what the strategy sees, clusters and rows, so this is a lower bound on the exploitability inside the
        abstraction.
        """
        learned, trained = (self.batch * n * (n + 1) / 2 for n in (batches, self.batches))
        learner = self.regret * (_TRUST * learned / trained)  # decides where the learner never comes
        away = 1 << 40  # deals that training does not come to
        for number in range(batches):
            found = _walk(self, Strategies(learner, self.average), away + number * self.batch, player, threads)
            _add(learner, [(one.regret_at, one.regret) for one in found], float(number + 1), threads)
        won = _play(self, Strategies(learner, self.average), 2 * away, hands, player, threads)
        return Estimate.from_sums(float(won.sum()), float((won**2).sum()), len(won))


def _walk(game: Trainer, strategies: Strategies, first: int, who: int, threads: int | None) -> list[Found]:
    """What a batch of iterations from number `first` on finds, in order; for both players or for `who`."""

    def walked(start: int) -> list[Found]:
        deals = game.dealer(start, min(_CHUNK, first + game.batch - start))
        return _walked(game.tree, strategies, deals, _seed_of(game.seed, start), who)

    parts = in_order(walked, range(first, first + game.batch, _CHUNK), threads=threads)
    return [one for part in parts for one in part]


def _add(target: NDArray[np.float64], lists: list[tuple[Any, Any]], weight: float, threads: int | None) -> None:
    """Add lists to an array in order, every thread to a part of the array."""
    parts = thread_count(threads)
    edges = np.linspace(0, len(target), parts + 1).astype(int)

    def add_part(part: int) -> None:
        for where, amount in lists:
            add_between(target, where, amount, weight, int(edges[part]), int(edges[part + 1]))

    list(in_order(add_part, range(parts), threads=threads))


def _play(
    game: Trainer, strategies: Strategies, first: int, count: int, player: int, threads: int | None
) -> NDArray[np.float64]:
    """What a player wins in so many deals, (count)."""

    def played(start: int) -> NDArray[np.float64]:
        deals = game.dealer(start, min(_CHUNK, first + count - start))
        won = np.zeros(len(deals.sign))
        play_deals(game.tree, strategies, deals, _seed_of(game.seed, start), player, new_walk(), won)
        return won

    return np.concatenate(list(in_order(played, range(first, first + count, _CHUNK), threads=threads)))


def _seed_of(seed: int, start: int) -> np.uint64:
    """The seed of what is drawn in a chunk of deals; cards have others."""
    with np.errstate(over="ignore"):
        return key_of(np.uint64(seed) ^ np.uint64(0x5DEECE66D), np.uint64(start))


def _walked(tree: PublicTree, strategies: Strategies, deals: Deals, seed: np.uint64, who: int) -> list[Found]:
    """What all deals of a chunk find, in lists that have no place left over."""
    done, places, lists = 0, _PLACES, list[Found]()
    walk = new_walk()
    while done < len(deals.sign):
        found = new_found(places)
        after = walk_deals(tree, strategies, deals, done, seed, walk, found, who)
        if after == done:
            places *= 2
        regrets, averages = int(found.used[0]), int(found.used[1])
        lists.append(
            Found(
                found.regret_at[:regrets],
                found.regret[:regrets],
                found.average_at[:averages],
                found.average[:averages],
                found.used,
            )
        )
        done = after
    return lists
