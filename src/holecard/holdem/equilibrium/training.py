"""The loop of Monte-Carlo counterfactual regret minimisation: batches, averages, a learned best response.

All iterations of a batch play by the same strategies; then those are found anew from the regrets. Batch t weighs t, in
regrets and in the average (linear weighting, Brown and Sandholm 2019). Sums are whole numbers, so whoever walks,
threads of a CPU (`Cores`) or of a GPU (`gpu.OnGpu`), comes to the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor, log2
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from holecard.errors import HolecardError
from holecard.estimate import Estimate
from holecard.executor import in_order, thread_count
from holecard.holdem.equilibrium.public_tree import END, NO_CHILD, Deals, PublicTree
from holecard.holdem.equilibrium.sampling import Batch, match_all, new_walk, play_deals, walk_deals
from holecard.seeds import key_of

Dealer = Callable[[int, int], Deals]
"""Deals number first … first + count − 1 of a game."""

_CHUNK: Final = 256
"""Deals of a job."""
_TRUST: Final = 0.3
"""What a learned best response begins with: so much of the regrets of training, as if it had found them itself."""
_PAYOFF_BITS: Final = 20
"""The largest payoff of a game has so many bits in sums: more would be more exact, fewer leave room for iterations."""
_ROOM: Final = 1 << 62
"""No sum may grow beyond this."""


class Lesson(NamedTuple):
    """Batches to be walked one after another."""

    first: int
    """The number of the first deal."""
    size: int
    """Deals of a batch."""
    before: int
    """Batches that were walked before: the next one weighs one more."""
    batches: int
    seed: np.uint64
    """Of what is drawn beside the cards."""
    who: int = -1
    """The player who learns (0, 1); −1 for both."""


class Engine(Protocol):
    """Who walks."""

    def learn(self, lesson: Lesson, regret: Any, average: Any, other: Any | None) -> None:
        """Add what the batches of a lesson find to regret and average.

        The other player plays by `other` (weights of its actions), by the regrets too where that is None. An average
        without places is not added to.
        """

    def play(self, lesson: Lesson, walker: Any, other: Any) -> NDArray[np.int64]:
        """What `who` wins in every deal of one batch, both playing in proportion to these weights, (size)."""


def unit_of(tree: PublicTree) -> int:
    """How often a chip counts in sums: a power of two by which the largest payoff has its bits."""
    largest = float(max(np.abs(tree.fixed).max(), np.abs(tree.swing).max()))
    return 1 << max(0, floor(_PAYOFF_BITS - log2(largest)))


def in_units(tree: PublicTree) -> PublicTree:
    """The tree with payoffs as sums count them."""
    unit = unit_of(tree)
    return tree._replace(fixed=tree.fixed * unit, swing=tree.swing * unit)


def allowed_actions(tree: PublicTree) -> NDArray[np.uint8]:
    """A bit for every action that some node of an information set offers, (information sets)."""
    width = tree.child.shape[1]
    bits = ((tree.child != NO_CHILD) << np.arange(width)).sum(axis=1)
    rows = np.zeros(len(tree.offset) - 1, np.uint8)
    deciding = tree.actor != END
    np.bitwise_or.at(rows, tree.row[deciding], bits[deciding].astype(np.uint8))
    return np.repeat(rows, np.diff(tree.offset) // width)


class Cores:
    """Threads of a CPU."""

    def __init__(self, tree: PublicTree, dealer: Dealer, threads: int | None = None) -> None:
        self._tree = in_units(tree)
        self._dealer = dealer
        self._threads = threads
        self._allowed = allowed_actions(tree)

    def learn(self, lesson: Lesson, regret: Any, average: Any, other: Any | None) -> None:
        """As `Engine` says."""
        share = np.zeros(len(regret), np.int32)
        others = share if other is None else self._matched(other, np.zeros_like(share))
        for number in range(lesson.batches):
            self._matched(regret, share)
            batch = Batch(share, others, regret, average, lesson.before + number + 1, lesson.seed, 0)
            first = lesson.first + number * lesson.size

            def walk(start: int, batch: Batch = batch, after: int = first + lesson.size) -> None:
                deals = self._dealer(start, min(_CHUNK, after - start))
                walk_deals(self._tree, batch._replace(first=start), deals, new_walk(), lesson.who)

            list(in_order(walk, range(first, first + lesson.size, _CHUNK), threads=self._threads))

    def play(self, lesson: Lesson, walker: Any, other: Any) -> NDArray[np.int64]:
        """As `Engine` says."""
        shares = [self._matched(weight, np.zeros(len(weight), np.int32)) for weight in (walker, other)]
        nothing, after = np.zeros(0, np.int64), lesson.first + lesson.size

        def played(start: int) -> NDArray[np.int64]:
            deals = self._dealer(start, min(_CHUNK, after - start))
            batch = Batch(shares[0], shares[1], nothing, nothing, 0, lesson.seed, start)
            won = np.zeros(len(deals.sign), np.int64)
            play_deals(self._tree, batch, deals, lesson.who, new_walk(), won)
            return won

        return np.concatenate(list(in_order(played, range(lesson.first, after, _CHUNK), threads=self._threads)))

    def _matched(self, weight: Any, share: NDArray[np.int32]) -> NDArray[np.int32]:
        """Fill share in proportion to positive weights, every thread a part of it."""
        width = self._tree.child.shape[1]
        parts = thread_count(self._threads)
        edges = np.linspace(0, len(self._allowed), parts + 1).astype(int)

        def match(part: int) -> None:
            match_all(weight, self._allowed, width, share, int(edges[part]), int(edges[part + 1]))

        list(in_order(match, range(parts), threads=self._threads))
        return share


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
    """Iterations by the same strategies."""
    engine: Engine | None = None
    """Who walks; the cores of this machine where nobody is named."""
    regret: NDArray[np.int64] = field(init=False)
    """One number for every action of every information set; `unit_of` the tree is a chip."""
    average: NDArray[np.int64] = field(init=False)
    """Strategies played, weighted and summed."""
    batches: int = 0
    """Batches done."""

    def __post_init__(self) -> None:
        self.regret = np.zeros(int(self.tree.offset[-1]), np.int64)
        self.average = np.zeros(int(self.tree.offset[-1]), np.int64)

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return self.batches * self.batch

    def run(self, batches: int, *, threads: int | None = None) -> None:
        """Do so many batches more; the same on any number of threads."""
        lesson = Lesson(self.iterations, self.batch, self.batches, batches, self._seed)
        self._engine(threads).learn(lesson, self.regret, self.average, None)
        self.batches += batches
        if max(self.regret.max(), -self.regret.min(), self.average.max()) > _ROOM:
            raise HolecardError(
                f"sums leave 64 bits after {self.iterations:,} iterations; use batches larger than {self.batch}"
            )

    @property
    def regret_per_iteration(self) -> float:
        """Positive regrets of both players in chips an iteration, the largest of every information set, summed.

        Where players forget nothing, the mean of what the two best responses gain is at most half of it.
        """
        if self.batches == 0:
            return float("nan")
        largest = self.regret.reshape(-1, self.tree.child.shape[1]).max(axis=1)
        return float(np.maximum(largest, 0).sum(dtype=np.float64) / self._weights(self.batches) / unit_of(self.tree))

    def respond(self, player: int, *, batches: int, hands: int, threads: int | None = None) -> Estimate:
        """What a best response of `player`, learned in so many batches, wins from the other's average, in chips.

        It sees what the strategy sees, clusters and rows, so this is a lower bound on the exploitability inside the
        abstraction.
        """
        share = _TRUST * self._weights(batches) / self._weights(self.batches)
        learner = np.rint(self.regret * share).astype(np.int64)  # decides where the learner never comes
        away = 1 << 40  # deals that training does not come to
        engine, lesson = self._engine(threads), Lesson(away, self.batch, 0, batches, self._seed, player)
        engine.learn(lesson, learner, np.zeros(0, np.int64), self.average)
        judged = lesson._replace(first=2 * away, size=hands, batches=1)
        won = engine.play(judged, learner, self.average) / unit_of(self.tree)
        return Estimate.from_sums(float(won.sum()), float((won**2).sum()), len(won))

    def _weights(self, batches: int) -> float:
        """What the iterations of the first batches weigh together."""
        return self.batch * batches * (batches + 1) / 2

    @property
    def _seed(self) -> np.uint64:
        """The seed of what is drawn beside the cards, which have another."""
        with np.errstate(over="ignore"):
            return key_of(np.uint64(self.seed) ^ np.uint64(0x5DEECE66D), np.uint64(0))

    def _engine(self, threads: int | None) -> Engine:
        return self.engine or Cores(self.tree, self.dealer, threads)
