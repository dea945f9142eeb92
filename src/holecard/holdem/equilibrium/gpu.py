"""Monte-Carlo counterfactual regret minimisation on a GPU: one thread a deal and player, the same rules as on a CPU.

Threads add whole numbers to the same sums, in whatever order they come: the bits are those of `training.Cores`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from holecard._jit import cuda_kernel, is_simulated, rule
from holecard.device import gpu
from holecard.holdem.equilibrium.clusters import CardTables, Clusters, deal_one
from holecard.holdem.equilibrium.public_tree import Deals, PublicTree
from holecard.holdem.equilibrium.sampling import (
    DEPTH,
    MOST_ACTIONS,
    Batch,
    Walk,
    match_regrets,
    play_deal,
    walk_deal,
)
from holecard.holdem.equilibrium.training import Lesson, allowed_actions, in_units
from holecard.holdem.equities.lookup import RIVER_WORK
from holecard.holdem.game.betting import HAND
from holecard.seeds import key_of

_ROWS: Final = DEPTH + 1
"""Strategies that a walk keeps."""
_THREADS: Final = 4 if is_simulated() else 64

DeviceDealer = Callable[[int, int], Deals]
"""Deals number first … first + count − 1 of a game, in a GPU's memory."""


@rule
def _add(array: Any, at: Any, amount: Any) -> None:
    cuda.atomic.add(array, at, amount)


@lru_cache(maxsize=1)
def _walk_kernel() -> Any:
    """The kernel that walks through deals, one thread a deal and player."""

    def walk_deals(tree: PublicTree, batch: Batch, deals: Deals, who: int) -> None:
        """Walk through all deals, for both players or for `who` (0, 1)."""
        walk = Walk(
            cuda.local.array(DEPTH, np.int32),
            cuda.local.array(DEPTH, np.int32),
            cuda.local.array(DEPTH, np.int64),
            cuda.local.array(DEPTH, np.int64),
            cuda.local.array((_ROWS, MOST_ACTIONS), np.int32),
            cuda.local.array((DEPTH, MOST_ACTIONS), np.int32),
        )
        count = deals.sign.shape[0]
        for at in range(cuda.grid(1), count if who >= 0 else 2 * count, cuda.gridsize(1)):
            walk_deal(tree, batch, deals, at % count, who if who >= 0 else at // count, walk, _add)

    return cuda_kernel(walk_deals)


@lru_cache(maxsize=1)
def _match_kernel() -> Any:
    """The kernel that finds strategies from weights, one thread an information set."""

    def match_all(weight: Any, allowed: Any, width: int, share: Any) -> None:
        """Fill share int32 from weight int64; `allowed` (information sets) has bits for actions."""
        for at in range(cuda.grid(1), allowed.shape[0], cuda.gridsize(1)):
            match_regrets(weight, at * width, allowed[at], width, share)

    return cuda_kernel(match_all)


@lru_cache(maxsize=1)
def _play_kernel() -> Any:
    """The kernel that plays deals, one thread a deal."""

    def play_deals(tree: PublicTree, batch: Batch, deals: Deals, player: int, won: Any) -> None:
        """Fill won int64 (deals) with what `player` wins."""
        here = cuda.local.array(MOST_ACTIONS, np.int32)
        for deal in range(cuda.grid(1), deals.sign.shape[0], cuda.gridsize(1)):
            won[deal] = play_deal(tree, batch, deals, deal, player, here)

    return cuda_kernel(play_deals)


@lru_cache(maxsize=1)
def _deal_kernel() -> Any:
    """The kernel that deals hold'em and finds clusters, one thread a deal."""

    def deal_clusters(tables: CardTables, clusters: Clusters, seed: np.uint64, first: int, deals: Deals) -> None:
        """Fill deals with those of number first, first + 1, …"""
        hand, work = cuda.local.array(1, HAND), cuda.local.array(1, RIVER_WORK)
        for row in range(cuda.grid(1), deals.sign.shape[0], cuda.gridsize(1)):
            key = key_of(seed, np.uint64(first + row))
            deal_one(tables, clusters, key, hand[0], work[0], deals, row)

    return cuda_kernel(deal_clusters)


def _grid(jobs: int) -> tuple[int, int]:
    """Blocks and threads of a kernel that gives every job a thread."""
    return min(-(-jobs // _THREADS), 64 * gpu().multiprocessors), _THREADS


def device_dealer(tables: CardTables, clusters: Clusters, seed: int) -> DeviceDealer:
    """Who deals what `clusters.deal_clusters` deals, to the bit, in a GPU's memory."""
    on_device = CardTables(*(cuda.to_device(np.array(each)) for each in tables))
    edges = Clusters(*(cuda.to_device(each) for each in clusters))

    def deals(first: int, count: int) -> Deals:
        dealt = Deals(cuda.device_array((count, 2, 4), np.int32), cuda.device_array(count, np.int8))
        _deal_kernel()[_grid(count)](on_device, edges, np.uint64(seed), first, dealt)
        return dealt

    return deals


class OnGpu:
    """Threads of a GPU, as `training.Engine` has it."""

    def __init__(self, tree: PublicTree, dealer: DeviceDealer) -> None:
        self._dealer = dealer
        self._tree = PublicTree(*(cuda.to_device(each) for each in in_units(tree)))
        self._width = tree.child.shape[1]
        self._allowed = cuda.to_device(allowed_actions(tree))

    def learn(self, lesson: Lesson, regret: Any, average: Any, other: Any | None) -> None:
        """As `Engine` says."""
        regrets = cuda.to_device(regret)
        averages = cuda.to_device(average) if len(average) else cuda.device_array(0, np.int64)
        share = cuda.device_array(len(regret), np.int32)
        others = share if other is None else self._matched(cuda.to_device(other))
        walks = lesson.size if lesson.who >= 0 else 2 * lesson.size
        for number in range(lesson.batches):
            self._match(regrets, share)
            first = lesson.first + number * lesson.size
            deals = self._dealer(first, lesson.size)
            batch = Batch(share, others, regrets, averages, lesson.before + number + 1, lesson.seed, first)
            _walk_kernel()[_grid(walks)](self._tree, batch, deals, lesson.who)
        regret[:] = regrets.copy_to_host()
        if len(average):
            average[:] = averages.copy_to_host()

    def play(self, lesson: Lesson, walker: Any, other: Any) -> NDArray[np.int64]:
        """As `Engine` says."""
        shares = [self._matched(cuda.to_device(weight)) for weight in (walker, other)]
        nothing, won = cuda.device_array(0, np.int64), cuda.device_array(lesson.size, np.int64)
        deals = self._dealer(lesson.first, lesson.size)
        batch = Batch(shares[0], shares[1], nothing, nothing, 0, lesson.seed, lesson.first)
        _play_kernel()[_grid(lesson.size)](self._tree, batch, deals, lesson.who, won)
        return np.asarray(won.copy_to_host())

    def _matched(self, weight: Any) -> Any:
        share = cuda.device_array(len(weight), np.int32)
        self._match(weight, share)
        return share

    def _match(self, weight: Any, share: Any) -> None:
        _match_kernel()[_grid(len(self._allowed))](weight, self._allowed, self._width, share)
