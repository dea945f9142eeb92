"""Play a strategy for as many rounds as anybody likes, on all cores or a GPU, with the same result on any.

Round i of a seed is the same round whatever came before it: with a fresh shoe its random numbers are counted by
round, with a dealt shoe by (shoe, round of the shoe). `kernels` are the loops that this calls, `result` is what it
answers with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard._jit import must_compile
from holecard.blackjack.game.round import Rounds, new_rounds
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, check_deck, cut_card, with_deck
from holecard.blackjack.play.dealt import Trip, dealt_kernel, play_trips
from holecard.blackjack.play.fresh import FreshKernel, fresh_kernel
from holecard.blackjack.play.kernels import (
    ROUNDS,
    TALLY,
    Block,
    Plays,
    Tally,
    play_each,
    play_pairs,
)
from holecard.blackjack.play.result import Simulation, summary
from holecard.blackjack.play.small_round import dealt_state
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import chosen_device
from holecard.errors import SettingError
from holecard.estimate import Estimate
from holecard.executor import in_order, job_size, thread_count
from holecard.seeds import checked_seed

if TYPE_CHECKING:
    from holecard.blackjack.play.gpu import LinkedRounds

CHUNK: Final = 1 << 20
"""Rounds to a job: some 50 ms of work."""
THREAD_CHUNK: Final = 1 << 18
"""Fresh rounds to a job on a thread: some 10 ms, so that no thread is idle for long when the last jobs are done."""
GPU_CHUNK: Final = 1 << 31
"""Rounds to a launch on a GPU: a second or less, so that progress shows and Ctrl-C is heard."""
WORTH_A_GPU: Final = 1 << 30
"""Rounds from which `auto` starts a GPU: below, starting it and compiling for it takes longer than playing."""
MAX_ROUNDS: Final = 10**13
Range = tuple[int, int]
"""First number and count."""
Played = TypeVar("Played")
"""What a block of shoes brought."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What every job of a simulation shares; travels to a thread or another machine as values."""

    plays: Plays
    rules: Rules
    deck: Composition
    seed: int
    rounds: int = 0
    """Rounds in all, by which kernels are chosen; results do not depend on it."""

    def state(self) -> Rounds:
        """For fresh rounds, whatever the rules say of the shoe."""
        return new_rounds(1, self.deck)

    def linked_state(self) -> Rounds:
        """For rounds that follow from each other, from the shoe that the rules say."""
        return dealt_state(self.deck) if self.rules.shoe == "dealt" else self.state()

    def block(self, first: int, count: int) -> Block:
        return Block(np.uint64(self.seed), first, count)

    def fresh_kernel(self) -> FreshKernel:
        return fresh_kernel(self.rules.table(), self.deck, self.rounds)

    @property
    def cut(self) -> int:
        """Cards left at which a shoe is shuffled; all of them where every round has a fresh one."""
        return cut_card(self.deck, self.rules) if self.rules.shoe == "dealt" else self.deck.size


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
    work = _Work(
        strategy.plays().ravel(), rules, Composition.of_rules(with_deck(rules, deck)), checked_seed(seed), rounds
    )
    check_deck(work.deck, rules)
    tour = None if bankroll is None else Trip(trip, int(bankroll * rules.unit), work.cut)
    if _is_for_gpu(device, rounds, executor):
        parts = _gpu_parts(work, rounds, tour, threads)
    else:
        for _ in _parts(work, 1, tour and tour._replace(length=1), 1, None):
            pass  # compiles, where it must, before the clock starts
        parts = _parts(work, rounds, tour, threads, executor)
    tally, complete, start = np.zeros(TALLY, np.int64), True, time.perf_counter()
    try:
        for part in parts:
            tally += part
            if progress:
                progress(int(tally[ROUNDS]))
    except KeyboardInterrupt:
        complete = False
    return summary(tally, rules, bankroll, time.perf_counter() - start, complete)


def will_compile(
    rules: Rules,
    rounds: int,
    *,
    bankroll: float | None = None,
    executor: Executor | None = None,
    device: str = "auto",
) -> bool:
    """True if `simulate`, called with the same, compiles for a minute before it plays; a GPU takes a few seconds.

    A deck that `simulate` refuses is refused here.
    """
    check_deck(Composition.of_rules(rules), rules)
    return not _is_for_gpu(device, rounds, executor) and must_compile(
        _kernel_of(rules, rounds, on_trips=bankroll is not None)
    )


def _is_for_gpu(device: str, rounds: int, executor: Executor | None) -> bool:
    """True if a GPU plays so many rounds: asked for, or there and worth starting."""
    return chosen_device(device, worthwhile=executor is None and rounds >= WORTH_A_GPU) == "cuda"


def _kernel_of(rules: Rules, rounds: int, *, on_trips: bool) -> Callable[..., Any]:
    """The loop that plays a game on a processor."""
    if on_trips:
        return play_trips
    if rules.shoe == "dealt":
        return dealt_kernel(rules.table(), rounds)
    return fresh_kernel(rules.table(), Composition.of_rules(rules), rounds).loop


def simulate_many(
    plays: NDArray[np.uint8],
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    own_cards: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
) -> NDArray[np.int64]:
    """Tallies of many strategies on fresh rounds, int64 of shape (n, TALLY), the same on any device.

    `plays` stacks `Strategy.plays()`. All play the same rounds, or with `own_cards` strategy i plays the i-th `rounds`
    rounds of the seed.
    """
    flat = plays.reshape(len(plays), -1)
    work = _Work(np.empty(0, np.uint8), rules, Composition.of_rules(rules), checked_seed(seed), len(flat) * rounds)
    apart = rounds if own_cards else 0
    tallies = np.zeros((len(flat), TALLY), np.int64)
    if _is_for_gpu(device, len(flat) * rounds, executor):
        from holecard.blackjack.play.gpu import FreshRounds

        fresh = FreshRounds(flat, rules, work.deck, work.seed)
        for first, count in _chunks(rounds, max(1, GPU_CHUNK // len(flat))):
            tallies += fresh.play(first, count, apart)
        return tallies
    size = min(-(-len(flat) // thread_count(threads)), CHUNK // max(rounds, 1))
    if executor:
        size = job_size(len(flat), -(-CHUNK // rounds), executor)
    jobs = (
        (at, flat[at : at + count], work.block(at * apart + first, n))
        for at, count in _chunks(len(flat), max(1, size))
        for first, n in _chunks(rounds, CHUNK)
    )
    for at, part in in_order(partial(_many_part, work, apart), jobs, threads=threads, executor=executor):
        tallies[at : at + len(part)] += part
    return tallies


def _many_part(work: _Work, apart: int, job: tuple[int, Plays, Block]) -> tuple[int, NDArray[np.int64]]:
    """The number of the first of some strategies, and their tallies on a block of rounds."""
    at, strategies, block = job
    tallies = np.zeros((len(strategies), TALLY), np.int64)
    work.fresh_kernel()(block, apart, strategies, tallies)
    return at, tallies


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


def _each_part(work: _Work, first: int, part: Range) -> NDArray[np.int64]:
    nets = np.empty(part[1], np.int64)
    play_each(work.state(), work.block(first + part[0], part[1]), work.plays, nets, work.rules.table())
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


def _pairs_part(work: _Work, others: Plays, part: Range) -> NDArray[np.int64]:
    sums = np.zeros(3, np.int64)
    play_pairs(work.state(), work.block(*part), work.plays, others, sums, work.rules.table())
    return sums


def _parts(
    work: _Work, rounds: int, trip: Trip | None, threads: int | None, executor: Executor | None
) -> Iterator[Tally]:
    """Tallies of chunks on a processor or an executor."""
    if trip is not None:
        trips = _chunks(max(1, rounds // trip.length), max(1, CHUNK // trip.length))
        return in_order(partial(_trip_part, work, trip), trips, threads=threads, executor=executor)
    if work.rules.shoe == "dealt":
        return _dealt_parts(work, rounds, threads, executor)
    size = job_size(rounds, CHUNK, executor) if executor else THREAD_CHUNK
    return in_order(partial(_fresh_part, work), _chunks(rounds, size), threads=threads, executor=executor)


def _chunks(total: int, size: int) -> Iterator[Range]:
    """(first, count) of jobs that cover 0 … total − 1."""
    for first in range(0, total, size):
        yield first, min(size, total - first)


def _fresh_part(work: _Work, part: Range) -> Tally:
    tallies = np.zeros((1, TALLY), np.int64)
    work.fresh_kernel()(work.block(*part), 0, work.plays[None], tallies)
    return tallies[0]


def _trip_part(work: _Work, trip: Trip, part: Range) -> Tally:
    tally = np.zeros(TALLY, np.int64)
    play_trips(work.linked_state(), work.block(*part), trip, work.plays, tally, work.rules.table())
    return tally


def _dealt_part(work: _Work, block: int, first: int, most: int = MAX_ROUNDS) -> Tally:
    tally = np.zeros(TALLY, np.int64)
    rules = work.rules.table()
    kernel = dealt_kernel(rules, work.rounds)
    kernel(work.linked_state(), work.block(first, block), most, work.cut, work.plays, tally, rules)
    return tally


def shoes_to_a_job(deck: Composition) -> int:
    """Shoes that make a job of some 80 ms."""
    return max(1, CHUNK // 2 // deck.size)


def _dealt_parts(
    work: _Work, rounds: int, threads: int | None, executor: Executor | None, start: int = 0
) -> Iterator[Tally]:
    """Tallies of shoes dealt on a processor or an executor."""
    block = min(rounds, 4 * shoes_to_a_job(work.deck) if executor else shoes_to_a_job(work.deck))
    shoes = whole_shoes(partial(_dealt_part, work, block), range(start, MAX_ROUNDS, block), threads, executor)
    return up_to(rounds, shoes, _rounds_of, partial(_dealt_part, work, block))


def _rounds_of(tally: Tally) -> int:
    return int(tally[ROUNDS])


def whole_shoes(
    job: Callable[[int], Played], firsts: range, threads: int | None, executor: Executor | None
) -> Iterator[tuple[int, Played]]:
    """What a job makes of blocks of shoes in shoe order, each with the number of its first shoe."""
    return zip(firsts, in_order(job, firsts, threads=threads, executor=executor), strict=False)


def up_to(
    rounds: int, blocks: Iterator[tuple[int, Played]], rounds_of: Callable[[Played], int], again: Callable[..., Played]
) -> Iterator[Played]:
    """Blocks of shoes until so many rounds are played; the block that passes them is played again up to that round."""
    done = 0
    for first, played in blocks:
        if done + rounds_of(played) >= rounds:
            yield again(first, rounds - done)
            return
        done += rounds_of(played)
        yield played


def _gpu_parts(work: _Work, rounds: int, trip: Trip | None, threads: int | None) -> Iterator[Tally]:
    """Tallies of chunks on a GPU; compiles, where it must, before it returns."""
    from holecard.blackjack.play.gpu import FreshRounds, LinkedRounds

    if trip is None and work.rules.shoe == "fresh":
        fresh = FreshRounds(work.plays[None], work.rules, work.deck, work.seed)
        fresh.play(0, 1)
        return (fresh.play(first, count)[0] for first, count in _chunks(rounds, GPU_CHUNK))
    linked = LinkedRounds(work.plays, work.rules, work.deck, work.seed, work.cut)
    if trip is None:
        linked.play(0, 1)
        return _gpu_dealt_parts(work, rounds, linked, threads)
    linked.play(0, 1, trip._replace(length=1))
    trips = _chunks(max(1, rounds // trip.length), max(1, GPU_CHUNK // trip.length))
    return (linked.play(first, count, trip) for first, count in trips)


def _gpu_dealt_parts(work: _Work, rounds: int, linked: LinkedRounds, threads: int | None) -> Iterator[Tally]:
    """Blocks of whole shoes, smaller ones towards the end; the last few shoes are dealt by the processor."""
    first, done, block = 0, 0, max(1, GPU_CHUNK // work.deck.size)
    while block > shoes_to_a_job(work.deck):
        tally = linked.play(first, block)
        if done + tally[ROUNDS] < rounds:
            first, done = first + block, done + int(tally[ROUNDS])
            yield tally
        else:
            block //= 8
    yield from _dealt_parts(work, rounds - done, threads, None, first)


def _check_request(strategy: Strategy, rules: Rules, rounds: int, bankroll: float | None, trip: int) -> None:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise SettingError(f"rounds must be 1 to {MAX_ROUNDS:,}; got {rounds:,}")
    if bankroll is not None and not 1 <= bankroll <= 1e9:
        raise SettingError(f"bankroll must be 1 to 1,000,000,000 base bets; got {bankroll:g}")
    if not 1 <= trip <= 10**7:
        raise SettingError(f"a trip must be 1 to 10,000,000 rounds; got {trip:,}")
    if (strategy.limit, strategy.ace_bonus) != (rules.limit, rules.ace_bonus):
        raise SettingError(
            f"this strategy is for limit {strategy.limit} and ace bonus {strategy.ace_bonus}, "
            f"the rules have {rules.limit} and {rules.ace_bonus}"
        )
