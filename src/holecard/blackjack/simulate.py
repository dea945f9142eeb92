"""Play a strategy table for as many rounds as anybody likes: one fused kernel, on all cores, the same on any number.

Round i of a seed is the same round whatever came before it: with a fresh shoe its random numbers are counted by
round, with a dealt shoe by (shoe, round of the shoe).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import exp
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.dealing import begin_shoe, clear_stamps, collect, fill, is_cut_card_out
from holecard.blackjack.hand import BUST, is_pair, value_of
from holecard.blackjack.round import (
    DEALER,
    INSURING,
    NOBODY,
    ROUND,
    UNLIMITED,
    apply,
    cards_on_table,
    deal,
    hands_held,
    has_natural,
    legal_actions,
)
from holecard.blackjack.rules import NO_CHARLIE, NO_SURRENDER, Rules, TableRules
from holecard.blackjack.shoe import Composition, check_deck, cut_card
from holecard.blackjack.strategy import PLAY_ANY, Strategy
from holecard.errors import HolecardError
from holecard.estimate import Estimate
from holecard.executor import in_order
from holecard.seeds import below, checked_seed, key_of

ROUNDS, WINS, PUSHES, NET, NET_SQUARED, NATURALS, BUSTS, TRIPS, RUINS = range(9)
TALLY: Final = 9
CHUNK: Final = 1 << 20
"""Rounds to a job: some 80 ms of work."""
MAX_ROUNDS: Final = 10**13
_STAND: Final = 1
_DECLINE: Final = 6
_CHOICES: Final = 1 << 12
"""Counters for the choices of `?` cells, beyond those of all cards."""


@rule
def table_action(plays: Any, round: Any, seat: int, rules: TableRules) -> int:
    """What a table of plays does now; see `Strategy.plays`."""
    if round["phase"] == INSURING:
        return _DECLINE
    hand = round["hands"][np.uint64(seat)]
    legal = legal_actions(round, seat, rules)
    kind, row = 0, hand["total"]
    if is_pair(hand, rules):
        kind, row = 3, hand["hard"]
    elif hand["soft"]:
        kind = 2
    elif hand["has_ace"]:
        kind = 1
    held = min(hand["n_cards"], 4) - 2
    column = value_of(round["hands"][DEALER]["cards"][0]) - 1
    action = int(plays[np.uint64(((((legal >> 2) * 3 + held) * 4 + kind) * 32 + row) * 10 + column)])
    if action == PLAY_ANY:
        return _any_action(round, legal)
    return action if legal >> action & 1 else _STAND


@rule
def _any_action(round: Any, legal: int) -> int:
    """A legal action chosen uniformly, by the round's key and the number of the decision."""
    count = 0
    for action in range(5):
        count += legal >> action & 1
    chosen = int(below(round["shoe"]["key"], np.uint64(_CHOICES + round["decisions"]), np.uint64(count)))
    for action in range(5):
        if legal >> action & 1:
            if chosen == 0:
                return action
            chosen -= 1
    return _STAND


@rule
def play_round(round: Any, key: np.uint64, purse: int, plays: Any, rules: TableRules) -> int:
    """Deal the round of `key` and play it out by a table; the net result in chips."""
    seat = deal(round, key, purse, rules)
    while seat != NOBODY:
        seat = apply(round, seat, table_action(plays, round, seat, rules), rules)
    return round["net"]


class Counts(NamedTuple):
    """What a kernel adds up, held in registers while it runs."""

    rounds: int
    wins: int
    pushes: int
    net: int
    net_squared: int
    naturals: int
    busts: int


@rule
def _counted(counts: Counts, round: Any, net: int, rules: TableRules) -> Counts:
    """The counts with one more round."""
    bust = False
    for seat in range(1, hands_held(round, rules) + 1):
        bust = bust or round["hands"][np.uint64(seat)]["status"] == BUST
    return Counts(
        counts.rounds + 1,
        counts.wins + int(net > 0),
        counts.pushes + int(net == 0),
        counts.net + net,
        counts.net_squared + net * net,
        counts.naturals + int(has_natural(round, rules)),
        counts.busts + int(bust),
    )


@rule
def _add_to(tally: Any, counts: Counts) -> None:
    tally[ROUNDS] += counts.rounds
    tally[WINS] += counts.wins
    tally[PUSHES] += counts.pushes
    tally[NET] += counts.net
    tally[NET_SQUARED] += counts.net_squared
    tally[NATURALS] += counts.naturals
    tally[BUSTS] += counts.busts


@rule
def _play_fresh(round: Any, first: int, count: int, seed: np.uint64, plays: Any, tally: Any, rules: TableRules) -> None:
    clear_stamps(round["shoe"])
    counts = Counts(0, 0, 0, 0, 0, 0, 0)
    for number in range(first, first + count):
        begin_shoe(round["shoe"])
        net = play_round(round, key_of(seed, np.uint64(number)), UNLIMITED, plays, rules)
        counts = _counted(counts, round, net, rules)
    _add_to(tally, counts)


@rule
def _is_plain_hit_or_stand(rules: TableRules) -> bool:
    return (
        rules.limit == 21
        and rules.ace_bonus == 10
        and not rules.naturals
        and rules.double_low > rules.double_high
        and rules.max_hands == 1
        and rules.surrender == NO_SURRENDER
        and not rules.insurance
        and rules.charlie == NO_CHARLIE
        and not rules.infinite
    )


@rule
def _plain_hit_or_stand(rules: TableRules) -> TableRules:
    """The same rules with all that a plain hit-or-stand game lacks written as constants, for the compiler to drop."""
    return TableRules(
        21, rules.target, 10, rules.hits_soft_target, False, False, False, False,
        1, 0, False, False, 1, False, False, False, NO_SURRENDER, False, NO_CHARLIE, False, 2, 2,
    )  # fmt: skip


@kernel
def play_fresh(state: Any, first: int, count: int, seed: np.uint64, plays: Any, tally: Any, rules: TableRules) -> None:
    """Rounds first … first + count − 1, each from a fresh shoe.

    `state` is a one-element ROUND array, `plays` uint8, flat; `tally` int64 of shape (TALLY,) is added to.
    """
    if _is_plain_hit_or_stand(rules):
        _play_fresh(state[0], first, count, seed, plays, tally, _plain_hit_or_stand(rules))
    else:
        _play_fresh(state[0], first, count, seed, plays, tally, rules)


@kernel
def play_dealt(
    state: Any, first: int, count: int, most: int, cut: int, seed: np.uint64, plays: Any, tally: Any, rules: TableRules
) -> None:
    """Shoes first … first + count − 1, each dealt until fewer than `cut` cards are left; at most `most` rounds."""
    round = state[0]
    shoe = round["shoe"]
    clear_stamps(shoe)
    counts = Counts(0, 0, 0, 0, 0, 0, 0)
    for number in range(first, first + count):
        shoe_key = key_of(seed, np.uint64(number))
        begin_shoe(shoe)
        in_shoe = 0
        while counts.rounds < most and not is_cut_card_out(shoe, cut):
            net = play_round(round, key_of(shoe_key, np.uint64(in_shoe)), UNLIMITED, plays, rules)
            counts = _counted(counts, round, net, rules)
            collect(shoe, cards_on_table(round, rules))
            in_shoe += 1
    _add_to(tally, counts)


@kernel
def play_trips(
    state: Any,
    first: int,
    count: int,
    length: int,
    bankroll: int,
    cut: int,
    seed: np.uint64,
    plays: Any,
    tally: Any,
    rules: TableRules,
) -> None:
    """Trips first … first + count − 1: up to `length` rounds each, ended when `bankroll` chips no longer pay a bet.

    `cut` is the number of cards left at which a dealt shoe is shuffled; the full size or more means a fresh shoe.
    """
    round = state[0]
    shoe = round["shoe"]
    clear_stamps(shoe)
    counts = Counts(0, 0, 0, 0, 0, 0, 0)
    for number in range(first, first + count):
        trip_key = key_of(seed, np.uint64(number))
        purse = bankroll
        begin_shoe(shoe)
        for played in range(length):
            if purse < rules.unit:
                tally[RUINS] += 1
                break
            if is_cut_card_out(shoe, cut):
                begin_shoe(shoe)
            net = play_round(round, key_of(trip_key, np.uint64(played)), purse - rules.unit, plays, rules)
            counts = _counted(counts, round, net, rules)
            collect(shoe, cards_on_table(round, rules))
            purse += net
        tally[TRIPS] += 1
    _add_to(tally, counts)


@kernel
def play_many(state: Any, first: int, count: int, seed: np.uint64, many: Any, tallies: Any, rules: TableRules) -> None:
    """Several tables on the same fresh rounds: `many` uint8 (n, cells), `tallies` int64 (n, TALLY), added to."""
    for table in range(many.shape[0]):
        if _is_plain_hit_or_stand(rules):
            _play_fresh(state[0], first, count, seed, many[table], tallies[table], _plain_hit_or_stand(rules))
        else:
            _play_fresh(state[0], first, count, seed, many[table], tallies[table], rules)


@kernel
def play_pairs(
    state: Any, first: int, count: int, seed: np.uint64, plays: Any, others: Any, sums: Any, rules: TableRules
) -> None:
    """Two tables on the same fresh rounds; adds to `sums` (int64) the rounds, the net differences and their squares."""
    round = state[0]
    shoe = round["shoe"]
    clear_stamps(shoe)
    for number in range(first, first + count):
        key = key_of(seed, np.uint64(number))
        begin_shoe(shoe)
        difference = play_round(round, key, UNLIMITED, plays, rules)
        begin_shoe(shoe)
        difference -= play_round(round, key, UNLIMITED, others, rules)
        sums[0] += 1
        sums[1] += difference
        sums[2] += difference * difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What a strategy did over so many rounds. Shares are of rounds; money is in base bets."""

    rounds: int
    """Rounds played."""
    ev: Estimate
    """Net result per round, in base bets."""
    win: float
    """Share of rounds with a net win."""
    push: float
    """Share of rounds that came out even."""
    lose: float
    """Share of rounds with a net loss."""
    natural: float
    """Share of rounds in which the player was dealt a natural."""
    bust: float
    """Share of rounds in which a hand of the player went over the limit."""
    stdev: float
    """Standard deviation of one round's result."""
    ruin: Estimate | None = None
    """With a bankroll: the share of trips that lost it."""
    long_run_ruin: float | None = None
    """With a bankroll: the chance to lose it some day, exp(−2·EV·bankroll / variance); 1 unless the EV is positive."""
    seconds: float
    """Wall-clock time."""
    complete: bool = True
    """False if it was interrupted; the rounds counted are then the first ones, all of them."""

    @property
    def fitness(self) -> float:
        """Win + ½ push, seed 000's measure."""
        return self.win + self.push / 2

    @property
    def rounds_per_second(self) -> float:
        """Rounds played per second of wall-clock time."""
        return self.rounds / self.seconds if self.seconds else 0.0


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
) -> Simulation:
    """Play `rounds` rounds of a strategy; the same seed gives the same result on any number of threads.

    With a `bankroll` (in base bets) the rounds are cut into trips of `trip` rounds that each start with it; a trip
    ends when it no longer pays a bet, so fewer rounds may be played. Ctrl-C ends early with what is done so far.

    >>> from holecard.blackjack.named import named_strategy
    >>> rules = Rules.preset("classic")
    >>> simulate(named_strategy("mimic-dealer", rules), rules, 100_000, seed=1).rounds
    100000
    """
    _check_request(strategy, rules, rounds, bankroll, trip)
    work = _Work(strategy.plays().ravel(), rules, deck or Composition.of_rules(rules), checked_seed(seed))
    check_deck(work.deck, rules)
    tally = np.zeros(TALLY, np.int64)
    for _ in _parts(work, 1, bankroll, 1, 1, None):
        pass  # compiles, where it must, before the clock starts
    complete, start = True, time.perf_counter()
    try:
        for part in _parts(work, rounds, bankroll, trip, threads, executor):
            tally += part
            if progress:
                progress(int(tally[ROUNDS]))
    except KeyboardInterrupt:
        complete = False
    return _summary(tally, rules, bankroll, time.perf_counter() - start, complete)


def simulate_many(
    many: NDArray[np.uint8],
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
) -> NDArray[np.int64]:
    """Tallies of many tables of plays on the same fresh rounds, int64 of shape (n, TALLY).

    `many` stacks `Strategy.plays()`; the first axis is the table.
    """
    flat = many.reshape(len(many), -1)
    work = _Work(np.empty(0, np.uint8), rules, Composition.of_rules(rules), checked_seed(seed))

    def job(tables: NDArray[np.uint8]) -> NDArray[np.int64]:
        tallies = np.zeros((len(tables), TALLY), np.int64)
        play_many(work.state(), 0, rounds, np.uint64(work.seed), tables, tallies, rules.table())
        return tallies

    size = max(1, min(len(flat), CHUNK // max(rounds, 1)))
    jobs = (flat[at : at + size] for at in range(0, len(flat), size))
    return np.concatenate(list(in_order(job, jobs, threads=threads, executor=executor)))


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
    others = other.plays().ravel()

    def job(part: tuple[int, int]) -> NDArray[np.int64]:
        sums = np.zeros(3, np.int64)
        play_pairs(work.state(), *part, np.uint64(work.seed), work.plays, others, sums, rules.table())
        return sums

    sums = list(in_order(job, _chunks(rounds, CHUNK), threads=threads, executor=executor))
    n, total, squares = np.sum(sums, axis=0)
    return Estimate.from_sums(total / rules.unit, squares / rules.unit**2, int(n))


def _parts(
    work: _Work, rounds: int, bankroll: float | None, trip: int, threads: int | None, executor: Executor | None
) -> Iterator[NDArray[np.int64]]:
    if bankroll is not None:
        return in_order(_trip_job(work, bankroll, trip), _chunks(max(1, rounds // trip), max(1, CHUNK // trip)),
                        threads=threads, executor=executor)  # fmt: skip
    if work.rules.shoe == "dealt":
        return _dealt_parts(work, rounds, threads, executor)
    return in_order(_fresh_job(work), _chunks(rounds, CHUNK), threads=threads, executor=executor)


def _chunks(total: int, size: int) -> Iterator[tuple[int, int]]:
    """(first, count) of jobs that cover 0 … total − 1."""
    for first in range(0, total, size):
        yield first, min(size, total - first)


def _fresh_job(work: _Work) -> Callable[[tuple[int, int]], NDArray[np.int64]]:
    def job(part: tuple[int, int]) -> NDArray[np.int64]:
        tally = np.zeros(TALLY, np.int64)
        play_fresh(work.state(), *part, np.uint64(work.seed), work.plays, tally, work.rules.table())
        return tally

    return job


def _trip_job(work: _Work, bankroll: float, trip: int) -> Callable[[tuple[int, int]], NDArray[np.int64]]:
    chips = int(bankroll * work.rules.unit)
    cut = cut_card(work.deck, work.rules) if work.rules.shoe == "dealt" else work.deck.size

    def job(part: tuple[int, int]) -> NDArray[np.int64]:
        tally = np.zeros(TALLY, np.int64)
        play_trips(work.state(), *part, trip, chips, cut, np.uint64(work.seed), work.plays, tally, work.rules.table())
        return tally

    return job


def _dealt_parts(
    work: _Work, rounds: int, threads: int | None, executor: Executor | None
) -> Iterator[NDArray[np.int64]]:
    """Blocks of whole shoes in shoe order; the block that passes `rounds` is played again up to that round."""
    cut = cut_card(work.deck, work.rules)
    block = max(1, CHUNK // 2 // work.deck.size)

    def job(first: int, most: int = MAX_ROUNDS) -> NDArray[np.int64]:
        tally = np.zeros(TALLY, np.int64)
        play_dealt(work.state(), first, block, most, cut, np.uint64(work.seed), work.plays, tally, work.rules.table())
        return tally

    done = 0
    firsts = range(0, MAX_ROUNDS, block)
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


def _summary(
    tally: NDArray[np.int64], rules: Rules, bankroll: float | None, seconds: float, complete: bool
) -> Simulation:
    counts: Sequence[int] = [int(count) for count in tally]
    rounds, unit = counts[ROUNDS], rules.unit
    ev = Estimate.from_sums(counts[NET] / unit, counts[NET_SQUARED] / unit**2, rounds)
    variance = ev.stderr**2 * rounds if rounds > 1 else 0.0
    ruin = long_run = None
    if bankroll is not None:
        ruin = Estimate.from_sums(counts[RUINS], counts[RUINS], counts[TRIPS])
        long_run = 1.0 if ev.mean <= 0 or not variance else min(1.0, exp(-2 * ev.mean * bankroll / variance))
    shares = [counts[which] / max(rounds, 1) for which in (WINS, PUSHES, NATURALS, BUSTS)]
    return Simulation(
        rounds=rounds,
        ev=ev,
        win=shares[0],
        push=shares[1],
        lose=(rounds - counts[WINS] - counts[PUSHES]) / max(rounds, 1),
        natural=shares[2],
        bust=shares[3],
        stdev=variance**0.5,
        ruin=ruin,
        long_run_ruin=long_run,
        seconds=seconds,
        complete=complete,
    )
