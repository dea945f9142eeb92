"""Dealt shoes played by a counter: how rounds end by the count at which they began."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.kernels import (
    BY_COUNT,
    FLOOR,
    ROUND_OFF,
    TRUNCATE,
    Counting,
    Seat,
    Table,
    counting_kernel,
)
from holecard.blackjack.counting.strategy import HIGHEST, LOWEST, CountingStrategy
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, check_deck, cut_card
from holecard.blackjack.play.kernels import Block
from holecard.blackjack.play.result import most_bets
from holecard.blackjack.play.simulate import GPU_CHUNK, MAX_ROUNDS, WORTH_A_GPU, shoes_to_a_job, up_to, whole_shoes
from holecard.blackjack.play.small_round import dealt_state
from holecard.cards import ACE_RANK
from holecard.device import chosen_device
from holecard.errors import RulesError, SettingError
from holecard.seeds import checked_seed

BATCHES: Final = 200
"""Groups of shoes by which errors are estimated: what happens in a shoe hangs together, shoes do not."""
_ROUNDING: Final = {"floor": FLOOR, "exact": FLOOR, "truncate": TRUNCATE, "round": ROUND_OFF}
_ESTIMATE: Final = {"card": 1, "half": 26, "full": 52}
NEVER: Final = HIGHEST - LOWEST + 1
"""A row that no count reaches."""
ALWAYS: Final = Seat(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountedShoes:
    """How rounds of dealt shoes end, by the count before the deal."""

    counts: NDArray[np.int64]
    """(c,): the counts; the first stands for all below it too, the last for all above."""
    results: NDArray[np.float64]
    """(r,): net results of a round in bets."""
    tally: NDArray[np.int64]
    """(batches, 2, c, r): rounds watched and rounds played, in groups of whole shoes."""
    complete: bool = True
    """False if it was interrupted."""

    @property
    def rounds(self) -> int:
        """Rounds dealt."""
        return int(self.tally.sum())

    @property
    def by_count(self) -> NDArray[np.int64]:
        """(c, r): rounds played by count and result."""
        played: NDArray[np.int64] = self.tally[:, 1].sum(axis=0)
        return played


@dataclass(frozen=True, slots=True)
class _Work:
    """What every job shares; travels to a thread or another machine as values."""

    plays: NDArray[np.uint8]
    counting: Counting
    seat: Seat
    rules: Rules
    deck: Composition
    seed: int
    block: int
    rounds: int
    """Rounds in all, by which the kernel is chosen; results do not depend on it."""

    def play(self, first: int, most: int = MAX_ROUNDS) -> NDArray[np.int64]:
        """The tally of a block of shoes."""
        tally = np.zeros((2, len(self.counting.charts), 2 * _reach(self.rules) + 1), np.int64)
        block = Block(np.uint64(self.seed), first, self.block)
        table = Table(most, cut_card(self.deck, self.rules), self.seat)
        rules = self.rules.table()
        kernel = counting_kernel(rules, self.rounds)
        kernel(dealt_state(self.deck), block, table, self.plays, tally, self.counting, rules)
        return tally


def _reach(rules: Rules) -> int:
    """The most chips that a round can win or lose."""
    return int(most_bets(rules) * rules.unit)


def counting_of(strategy: CountingStrategy, decks: int, charts: NDArray[np.int64]) -> Counting:
    """A counting strategy's count as kernels take it; `charts` are the charts by count."""
    system, scale = strategy.system, strategy.system.scale
    insurance = NEVER if strategy.insurance is None else strategy.insurance - LOWEST
    return Counting(
        tags=tags_by_rank(system),
        scale=scale,
        start=int(system.starts_at(decks) * scale),
        is_true=system.used_as == "true",
        rounding=_ROUNDING[strategy.rounding],
        estimate=_ESTIMATE[strategy.deck_estimate],
        lowest=LOWEST,
        insurance=insurance,
        charts=charts,
    )


def plays_by_count(strategy: CountingStrategy) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The charts as kernels take them, uint8 (1 + charts, cells), and which of them is played at each count.

    The first says what is played at every count, and BY_COUNT where the charts differ.
    """
    charts, by_count = strategy.plays()
    common = np.where((charts == charts[0]).all(axis=0), charts[0], BY_COUNT).astype(np.uint8)
    return np.vstack([common, charts]), by_count + 1


def tags_by_rank(system: CountSystem) -> NDArray[np.int64]:
    """The tags of the ranks 2 … K, A, times the scale, int64 (13,)."""
    tags = [int(tag * system.scale) for tag in system.tags]
    by_rank = np.array([*tags[1:], *tags[-1:] * 3, tags[0]], np.int64)
    assert by_rank[ACE_RANK] == tags[0]
    return by_rank


class SeatedCounter(NamedTuple):
    """A counter who sits down and leaves by the count; else he watches."""

    strategy: CountingStrategy
    seat: Seat


def play_shoes(
    player: CountingStrategy | SeatedCounter,
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    device: str = "auto",
) -> CountedShoes:
    """Play `rounds` rounds of dealt shoes by a counting strategy; the same on any number of threads and any device.

    The cards are those of `simulate` with the same rules and seed. Ctrl-C ends early with what is done so far.
    """
    strategy, seat = player if isinstance(player, SeatedCounter) else SeatedCounter(player, ALWAYS)
    if rules.shoe != "dealt" or rules.is_infinite:
        raise RulesError("counting needs a shoe that is dealt down; use --shoe dealt and 1 to 8 decks")
    if not 1 <= rounds <= MAX_ROUNDS:
        raise SettingError(f"rounds must be 1 to {MAX_ROUNDS:,}; got {rounds:,}")
    deck = Composition.of_rules(rules)
    check_deck(deck, rules)
    block = shoes_to_a_job(deck)
    plays, charts = plays_by_count(strategy)
    counting = counting_of(strategy, rules.packs, charts)
    work = _Work(plays, counting, seat, rules, deck, checked_seed(seed), block, rounds)
    tally = np.zeros((BATCHES, 2, len(charts), 2 * _reach(rules) + 1), np.int64)
    done, complete, jobs = 0, True, 0
    try:
        if chosen_device(device, worthwhile=executor is None and rounds >= WORTH_A_GPU) == "cuda":
            for part, jobs in _gpu_parts(work, rounds, tally.shape[-1]):  # noqa: B007 (the last one is used)
                tally += part
                done = _rounds_of(tally)
                if progress:
                    progress(done)
        shoes = whole_shoes(work.play, range(jobs * block, MAX_ROUNDS, block), threads, executor)
        for number, part in enumerate(up_to(rounds - done, shoes, _rounds_of, work.play), start=jobs):
            tally[number % BATCHES] += part
            if progress:
                progress(_rounds_of(tally))
    except KeyboardInterrupt:
        complete = False
    return counted_shoes(tally, rules, complete=complete)


def counted_shoes(tally: NDArray[np.int64], rules: Rules, *, complete: bool = True) -> CountedShoes:
    """What a tally (batches, 2, counts, results) of some rules says."""
    reach = _reach(rules)
    return CountedShoes(
        counts=np.arange(LOWEST, HIGHEST + 1),
        results=np.arange(-reach, reach + 1) / rules.unit,
        tally=tally,
        complete=complete,
    )


def _gpu_parts(work: _Work, rounds: int, columns: int) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Tallies by group of shoes that a GPU plays, and the jobs done so far: fewer than `rounds`, but nearly all."""
    from holecard.blackjack.counting.gpu import CountedOnGpu

    counter = CountedOnGpu(work.plays, work.counting, work.rules, work.deck, columns)
    table = Table(MAX_ROUNDS, cut_card(work.deck, work.rules), work.seat)
    jobs, done, size = 0, 0, 1
    while True:
        block = Block(np.uint64(work.seed), jobs * work.block, work.block)
        tally = counter.play(block, size, BATCHES, table)
        if done + _rounds_of(tally) >= rounds:
            return
        jobs, done = jobs + size, done + _rounds_of(tally)
        yield tally, jobs
        each = done / jobs
        size = int(min((rounds - done) / each * 0.98, GPU_CHUNK / 2 / each, 64 * size))
        if size < 1:
            return


def _rounds_of(tally: NDArray[np.int64]) -> int:
    return int(tally.sum())
