"""Play a strategy table for as many rounds as anybody likes, on all cores or a GPU, with the same result on any.

Round i of a seed is the same round whatever came before it: with a fresh shoe its random numbers are counted by
round, with a dealt shoe by (shoe, round of the shoe).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.dealing import fill
from holecard.blackjack.game.round import ROUND
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, check_deck, cut_card
from holecard.blackjack.play.playing import (
    ROUNDS,
    TALLY,
    play_dealt,
    play_each,
    play_fresh,
    play_pairs,
    play_trips,
)
from holecard.blackjack.play.simulation import Simulation, summary
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import chosen_device
from holecard.errors import HolecardError
from holecard.estimate import Estimate
from holecard.executor import in_order, job_size, thread_count
from holecard.seeds import checked_seed

if TYPE_CHECKING:
    from holecard.blackjack.play.gpu import Journeys

CHUNK: Final = 1 << 20
"""Rounds to a job: some 80 ms of work."""
GPU_CHUNK: Final = 1 << 31
"""Rounds to a launch on a GPU: a second or less, so that progress shows and Ctrl-C is heard."""
WORTH_A_GPU: Final = 1 << 30
"""Rounds from which `auto` starts a GPU: below, starting it and compiling for it takes longer than playing."""
MAX_ROUNDS: Final = 10**13


@dataclass(frozen=True, slots=True)
class _Work:
    """What every job of a simulation shares; travels to a thread or another machine as values."""

    plays: NDArray[np.uint8]
    rules: Rules
    deck: Composition
    seed: int

    def state(self) -> NDArray[np.void]:
        state = np.zeros(1, ROUND)
        fill(state[0]["shoe"], self.deck)
        return state


def simulate(
    strategy: Strategy,
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    deck: Composition | None = None,
    bankroll: float | None = None,
    trip: int = 1000,
    progress: Callable[[int], None] | None = None,
    executor: Executor | None = None,
    device: str = "auto",
) -> Simulation:
    """Play `rounds` rounds of a strategy; the same seed gives the same result on any number of threads and any device.

    With a `bankroll` (in base bets) the rounds are cut into trips of `trip` rounds that each start with it; a trip
    ends when it no longer pays a bet, so fewer rounds may be played. Ctrl-C ends early with what is done so far.

    >>> from holecard.blackjack.strategy.named import named_strategy
    >>> rules = Rules.preset("classic")
    >>> simulate(named_strategy("mimic-dealer", rules), rules, 100_000, seed=1).rounds
    100000
    """
    _check_request(strategy, rules, rounds, bankroll, trip)
    work = _Work(strategy.plays().ravel(), rules, deck or Composition.of_rules(rules), checked_seed(seed))
    check_deck(work.deck, rules)
    tally = np.zeros(TALLY, np.int64)
    if chosen_device(device, worthwhile=executor is None and rounds >= WORTH_A_GPU) == "cuda":
        parts = _gpu_parts(work, rounds, bankroll, trip, threads)
    else:
        for _ in _parts(work, 1, bankroll, 1, 1, None):
            pass  # compiles, where it must, before the clock starts
        parts = _parts(work, rounds, bankroll, trip, threads, executor)
    complete, start = True, time.perf_counter()
    try:
        for part in parts:
            tally += part
            if progress:
                progress(int(tally[ROUNDS]))
    except KeyboardInterrupt:
        complete = False
    return summary(tally, rules, bankroll, time.perf_counter() - start, complete)


def simulate_many(
    many: NDArray[np.uint8],
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    own_cards: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
) -> NDArray[np.int64]:
    """Tallies of many tables of plays on fresh rounds, int64 of shape (n, TALLY), the same on any device.

    `many` stacks `Strategy.plays()`; the first axis is the table. All play the same rounds, or with `own_cards` table
    i plays the i-th `rounds` rounds of the seed.
    """
    flat = many.reshape(len(many), -1)
    work = _Work(np.empty(0, np.uint8), rules, Composition.of_rules(rules), checked_seed(seed))

    apart = rounds if own_cards else 0
    if chosen_device(device, worthwhile=executor is None and len(flat) * rounds >= WORTH_A_GPU) == "cuda":
        from holecard.blackjack.play.gpu import Tables

        return Tables(flat, rules, work.deck, work.seed).play(0, rounds, apart)
    size = min(-(-len(flat) // thread_count(threads)), CHUNK // max(rounds, 1))
    if executor:
        size = job_size(len(flat), -(-CHUNK // rounds), executor)
    jobs = ((at, flat[at : at + count]) for at, count in _chunks(len(flat), max(1, size)))
    tallies = in_order(partial(_many_part, work, rounds, apart), jobs, threads=threads, executor=executor)
    return np.concatenate(list(tallies))


def _many_part(work: _Work, rounds: int, apart: int, part: tuple[int, NDArray[np.uint8]]) -> NDArray[np.int64]:
    """Tallies of some of many tables, the first of which has number `part[0]`."""
    at, tables = part
    tallies = np.zeros((len(tables), TALLY), np.int64)
    play_fresh(work.state(), at * apart, rounds, apart, np.uint64(work.seed), tables, tallies, work.rules.table())
    return tallies


def round_results(
    strategy: Strategy,
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
) -> NDArray[np.int64]:
    """The net result of every single round in chips (`rules.unit` to a base bet), int64 of shape (rounds,)."""
    _check_request(strategy, rules, rounds, None, 1)
    work = _Work(strategy.plays().ravel(), rules, Composition.of_rules(rules), checked_seed(seed))
    job = partial(_each_part, work, first)
    return np.concatenate(list(in_order(job, _chunks(rounds, CHUNK), threads=threads, executor=executor)))


def _each_part(work: _Work, first: int, part: tuple[int, int]) -> NDArray[np.int64]:
    nets = np.empty(part[1], np.int64)
    play_each(work.state(), first + part[0], part[1], np.uint64(work.seed), work.plays, nets, work.rules.table())
    return nets


def compare(
    strategy: Strategy,
    other: Strategy,
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Estimate:
    """How much more `strategy` wins per round than `other`, in base bets, both playing the same cards."""
    _check_request(strategy, rules, rounds, None, 1)
    _check_request(other, rules, rounds, None, 1)
    work = _Work(strategy.plays().ravel(), rules, Composition.of_rules(rules), checked_seed(seed))
    job = partial(_pairs_part, work, other.plays().ravel())
    sums = list(in_order(job, _chunks(rounds, CHUNK), threads=threads, executor=executor))
    n, total, squares = np.sum(sums, axis=0)
    return Estimate.from_sums(total / rules.unit, squares / rules.unit**2, int(n))


def _gpu_parts(
    work: _Work, rounds: int, bankroll: float | None, trip: int, threads: int | None
) -> Iterator[NDArray[np.int64]]:
    """Tallies of chunks on a GPU; compiles, where it must, before it returns."""
    from holecard.blackjack.play.gpu import Journeys, Tables

    if bankroll is None and work.rules.shoe == "fresh":
        tables = Tables(work.plays[None], work.rules, work.deck, work.seed)
        tables.play(0, 1)
        return (tables.play(first, count)[0] for first, count in _chunks(rounds, GPU_CHUNK))
    journeys = Journeys(work.plays, work.rules, work.deck, work.seed, _cut_of(work))
    if bankroll is None:
        journeys.play(0, 1)
        return _gpu_dealt_parts(work, rounds, journeys, threads)
    chips = int(bankroll * work.rules.unit)
    journeys.play(0, 1, 1, chips)
    trips = _chunks(max(1, rounds // trip), max(1, GPU_CHUNK // trip))
    return (journeys.play(first, count, trip, chips) for first, count in trips)


def _gpu_dealt_parts(work: _Work, rounds: int, journeys: Journeys, threads: int | None) -> Iterator[NDArray[np.int64]]:
    """Blocks of whole shoes, smaller ones towards the end; the last few shoes are dealt by the processor."""
    first, done, block = 0, 0, max(1, GPU_CHUNK // work.deck.size)
    while block > _shoes_to_a_job(work):
        tally = journeys.play(first, block)
        if done + tally[ROUNDS] < rounds:
            first, done = first + block, done + int(tally[ROUNDS])
            yield tally
        else:
            block //= 8
    yield from _dealt_parts(work, rounds - done, threads, None, first)


def _pairs_part(work: _Work, others: NDArray[np.uint8], part: tuple[int, int]) -> NDArray[np.int64]:
    sums = np.zeros(3, np.int64)
    play_pairs(work.state(), *part, np.uint64(work.seed), work.plays, others, sums, work.rules.table())
    return sums


def _parts(
    work: _Work, rounds: int, bankroll: float | None, trip: int, threads: int | None, executor: Executor | None
) -> Iterator[NDArray[np.int64]]:
    if bankroll is not None:
        trips = _chunks(max(1, rounds // trip), max(1, CHUNK // trip))
        return in_order(partial(_trip_part, work, bankroll, trip), trips, threads=threads, executor=executor)
    if work.rules.shoe == "dealt":
        return _dealt_parts(work, rounds, threads, executor)
    size = job_size(rounds, CHUNK, executor) if executor else CHUNK
    return in_order(partial(_fresh_part, work), _chunks(rounds, size), threads=threads, executor=executor)


def _chunks(total: int, size: int) -> Iterator[tuple[int, int]]:
    """(first, count) of jobs that cover 0 … total − 1."""
    for first in range(0, total, size):
        yield first, min(size, total - first)


def _fresh_part(work: _Work, part: tuple[int, int]) -> NDArray[np.int64]:
    tallies = np.zeros((1, TALLY), np.int64)
    play_fresh(work.state(), *part, 0, np.uint64(work.seed), work.plays[None], tallies, work.rules.table())
    return tallies[0]


def _trip_part(work: _Work, bankroll: float, trip: int, part: tuple[int, int]) -> NDArray[np.int64]:
    chips = int(bankroll * work.rules.unit)
    tally, cut = np.zeros(TALLY, np.int64), _cut_of(work)
    play_trips(work.state(), *part, trip, chips, cut, np.uint64(work.seed), work.plays, tally, work.rules.table())
    return tally


def _dealt_part(work: _Work, block: int, first: int, most: int = MAX_ROUNDS) -> NDArray[np.int64]:
    cut, tally = cut_card(work.deck, work.rules), np.zeros(TALLY, np.int64)
    play_dealt(work.state(), first, block, most, cut, np.uint64(work.seed), work.plays, tally, work.rules.table())
    return tally


def _cut_of(work: _Work) -> int:
    """Cards left at which a shoe is shuffled; all of them where every round has a fresh one."""
    return cut_card(work.deck, work.rules) if work.rules.shoe == "dealt" else work.deck.size


def _shoes_to_a_job(work: _Work) -> int:
    return max(1, CHUNK // 2 // work.deck.size)


def _dealt_parts(
    work: _Work, rounds: int, threads: int | None, executor: Executor | None, start: int = 0
) -> Iterator[NDArray[np.int64]]:
    """Blocks of whole shoes in shoe order; the block that passes `rounds` is played again up to that round."""
    block = 4 * _shoes_to_a_job(work) if executor else _shoes_to_a_job(work)
    job = partial(_dealt_part, work, block)
    done = 0
    firsts = range(start, MAX_ROUNDS, block)
    for first, tally in zip(firsts, in_order(job, firsts, threads=threads, executor=executor), strict=False):
        if done + tally[ROUNDS] >= rounds:
            yield job(first, rounds - done)
            return
        done += int(tally[ROUNDS])
        yield tally


def _check_request(strategy: Strategy, rules: Rules, rounds: int, bankroll: float | None, trip: int) -> None:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise HolecardError(f"rounds must be 1 to {MAX_ROUNDS:,}; got {rounds:,}")
    if bankroll is not None and not 1 <= bankroll <= 1e9:
        raise HolecardError(f"bankroll must be 1 to 1,000,000,000 base bets; got {bankroll:g}")
    if not 1 <= trip <= 10**7:
        raise HolecardError(f"a trip must be 1 to 10,000,000 rounds; got {trip:,}")
    if (strategy.limit, strategy.ace_bonus) != (rules.limit, rules.ace_bonus):
        raise HolecardError(
            f"this strategy is for limit {strategy.limit} and ace bonus {strategy.ace_bonus}, "
            f"the rules have {rules.limit} and {rules.ace_bonus}"
        )
