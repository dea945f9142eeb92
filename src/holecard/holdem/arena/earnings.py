"""What a population earns: every individual against every opponent from both seats, as independent jobs on threads.

Earnings are in buy-ins, the sum of both sessions of a deck set: (final stack − buy-in) / buy-in where stacks are
carried, all chips won / buy-in where they are reset. What boards bring beyond their average is taken out unless luck is
counted as dealt: the mean is the same, the spread smaller. Results are sums of whole numbers, so they are the same on
any number of threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.device import Device
from holecard.errors import SettingError
from holecard.evolve.selection import Fitness
from holecard.executor import in_order, job_size
from holecard.holdem.arena.deck_sets import Dealing, DeckSet, Equities, TiesLookedAt, deck_chances, deck_equities
from holecard.holdem.arena.sessions import SessionPairs, SessionSums, play_pairs
from holecard.holdem.equities.runout import SURE
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import TALLY
from holecard.holdem.players.lstm import pack
from holecard.holdem.players.network import Genome, Layout
from holecard.holdem.players.record import PLAYER, fill_network, fill_rule_player
from holecard.holdem.players.rule_players import RulePlayer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Earnings:
    """What every individual did against every opponent in one generation."""

    buy_ins: NDArray[np.float64]
    """Earnings in buy-ins, (individuals, opponents); NaN for a genome that holds one."""
    won: NDArray[np.int64]
    """Sessions won, (individuals, opponents)."""
    lost: NDArray[np.int64]
    """Sessions lost, the same."""
    tied: NDArray[np.int64]
    """Sessions in which no chip changed hands, the same."""
    played: NDArray[np.float64]
    """Hands played to a deck set, both sessions, the same."""
    tallies: NDArray[Any]
    """The individuals' counts over all their hands, (individuals) `TALLY`."""

    @property
    def hands(self) -> int:
        """All hands played."""
        return int(self.tallies["hands"].sum())


def earnings_of(
    population: Genome,
    layout: Layout,
    opponents: Sequence[RulePlayer],
    rules: HoldemRules,
    dealing: Dealing,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    device: Device = "cpu",
) -> Earnings:
    """Play the population against every opponent; earnings are per deck set.

    On an `executor` individuals travel as genomes and cards as the seed, unless sending them would cost more than it
    gains. A GPU deals the same cards and rounds a network's sums otherwise, so that now and then a decision on the edge
    falls the other way.
    """
    if executor is not None:
        play_part = partial(_part, layout, tuple(opponents), rules, dealing)
        seconds = _seconds_of(play_part, population)
        if population[0].nbytes * _SECONDS_PER_BYTE <= _MOST_SENDING * seconds:
            size = job_size(len(population), ceil(_JOB_SECONDS / seconds) or 1, executor)
            parts = ((at, population[at : at + size]) for at in range(0, len(population), size))
            return _together(list(in_order(play_part, parts, executor=executor)))
    if device == "cuda":
        from holecard.holdem.arena.gpu import play_population

        return _earnings(population, play_population(population, layout, opponents, rules, dealing), rules, dealing)
    networks = pack(population, layout)
    return _earnings(population, _on_threads(networks, opponents, rules, dealing, threads), rules, dealing)


def _earnings(population: Genome, sums: SessionSums, rules: HoldemRules, dealing: Dealing) -> Earnings:
    """The earnings of a population from what its sessions came to."""
    shape = (len(population), -1, 2 * dealing.deck_sets)
    chips, board_luck = sums.chips.reshape(shape), sums.board_luck.reshape(shape)
    earned = (chips.sum(axis=2) * SURE - board_luck.sum(axis=2)) / (SURE * rules.stack * dealing.deck_sets)
    return Earnings(
        buy_ins=np.where(_are_finite(population)[:, None], earned, np.nan),
        won=(chips > 0).sum(axis=2),
        lost=(chips < 0).sum(axis=2),
        tied=(chips == 0).sum(axis=2),
        played=sums.tallies["hands"].reshape(*shape[:1], chips.shape[1], -1).sum(axis=2) / dealing.deck_sets,
        tallies=_by_individual(sums.tallies, len(population)),
    )


def _are_finite(population: Genome) -> NDArray[np.bool_]:
    """Which genomes (n, genes) hold numbers only, (n)."""

    def look(first: int) -> NDArray[np.bool_]:
        return np.asarray(np.isfinite(population[first : first + _LOOKED_AT]).all(axis=1))

    return np.concatenate(list(in_order(look, range(0, len(population), _LOOKED_AT))))


def average_normalized_earnings(
    earnings: NDArray[np.floating[Any]], floor: float, records: NDArray[np.float64] | None = None
) -> Fitness:
    """ANE: the mean over opponents of earnings divided by the best earnings against that opponent, at most 1.

    `earnings` has shape (individuals, opponents); the divisor is never below `floor` (the big blind in the unit of the
    earnings), so that a generation which only loses keeps its sign. Nobody gains more than 1 / opponents from one of
    them, however much is won there. With `records`, the best so far (opponents), individuals are divided by the best
    up to and with themselves, in their order; `records` are brought up to date in place.

    >>> average_normalized_earnings(np.array([[4.0, -1.0], [2.0, 1.0]]), floor=0.5)
    array([0.  , 0.75])
    """
    if floor <= 0:
        raise SettingError(f"the floor of the normaliser must be above 0; got {floor}")
    earned = np.asarray(earnings, np.float64)
    sane = np.where(np.isfinite(earned), earned, -np.inf)
    best = np.max(sane, axis=0)
    if records is not None:
        best = np.maximum.accumulate(np.maximum(sane, records), axis=0)
        records[:] = best[-1]
    return np.asarray(np.mean(earned / np.maximum(best, floor), axis=1))


def _on_threads(
    networks: NDArray[Any],
    opponents: Sequence[RulePlayer],
    rules: HoldemRules,
    dealing: Dealing,
    threads: int | None,
    first: int = 0,
) -> SessionSums:
    """Play every network (n) NETWORK against everybody; `first` is the number of the first in a larger population."""
    shared: dict[int, DeckSet] = {}
    looked_at = TiesLookedAt.by(networks, opponents)

    def deck_set_of(number: int) -> DeckSet:
        look_up = _deck_set if rules.hands <= _CACHED_HANDS else _deck_set.__wrapped__
        return look_up(dealing, number, rules.hands, looked_at)

    def play(job: tuple[int, int, int]) -> SessionPairs:
        row, column, which = job
        players = np.zeros(2, PLAYER)
        fill_network(players[0], networks[row])
        fill_rule_player(players[1], opponents[column])
        start = (column if dealing.is_shared else (first + row) * len(opponents) + column) * dealing.deck_sets
        number = start + which
        return play_pairs(players, rules, shared[number] if dealing.is_shared else deck_set_of(number))

    if dealing.is_shared:
        numbers = range(len(opponents) * dealing.deck_sets)
        shared.update(zip(numbers, in_order(deck_set_of, numbers, threads=threads), strict=True))
    jobs = (
        (row, column, which)
        for row in range(len(networks))
        for column in range(len(opponents))
        for which in range(dealing.deck_sets)
    )
    chips, board_luck, tallies = [], [], []
    for pair in in_order(play, jobs, threads=threads):
        chips.append(pair.net.sum(axis=1))
        board_luck.append(pair.board_luck)
        tallies.append(pair.tallies[0])
    return SessionSums(chips=np.array(chips), board_luck=np.array(board_luck), tallies=np.array(tallies, TALLY))


_JOB_SECONDS: Final = 0.3
"""Play to a job on an executor, at least, as the first individual foretells."""
_SECONDS_PER_BYTE: Final = 5e-9
"""What it costs to pack a byte, send it and unpack it."""
_MOST_SENDING: Final = 0.05
"""The share of the time that may go into sending; where it would be more, everybody plays here."""
_CACHED_HANDS: Final = 4_000
_LOOKED_AT: Final = 128
"""Genomes to a job of a thread that looks whether they hold numbers only."""


@lru_cache(maxsize=128)
def _deck_set(dealing: Dealing, number: int, hands: int, looked_at: TiesLookedAt) -> DeckSet:
    """A deck set with what is known of it, kept for the next individuals who are dealt it."""
    cards = {"seed": dealing.seed, "number": number, "hands": hands}
    is_known = dealing.is_shared or dealing.samples > 0

    def equities(*, ties_win: bool) -> Equities | None:
        if not (is_known and (looked_at.win if ties_win else looked_at.half)):
            return None
        return deck_equities(**cards, samples=dealing.samples, ties_win=ties_win)

    return DeckSet.of(
        dealing.seed,
        number,
        equities=equities(ties_win=False),
        chances=deck_chances(**cards) if dealing.averages_luck else None,
        ties_win=equities(ties_win=True),
    )


def _part(
    layout: Layout, opponents: tuple[RulePlayer, ...], rules: HoldemRules, dealing: Dealing, job: tuple[int, Genome]
) -> Earnings:
    """What some individuals of a population earn, the first of which has number `job[0]`."""
    first, genomes = job
    sums = _on_threads(pack(genomes, layout), opponents, rules, dealing, threads=1, first=first)
    return _earnings(genomes, sums, rules, dealing)


def _seconds_of(play_part: Callable[[tuple[int, Genome]], Earnings], population: Genome) -> float:
    """How long an individual plays, as the first one does: random ones bust at once, good ones play all their hands."""
    play_part((0, population[:1]))  # the equities of its cards are computed once, which is no measure of play
    start = time.thread_time()
    play_part((0, population[:1]))
    return max(time.thread_time() - start, 1e-4)


def _together(parts: Sequence[Earnings]) -> Earnings:
    return Earnings(
        buy_ins=np.concatenate([part.buy_ins for part in parts]),
        won=np.concatenate([part.won for part in parts]),
        lost=np.concatenate([part.lost for part in parts]),
        tied=np.concatenate([part.tied for part in parts]),
        played=np.concatenate([part.played for part in parts]),
        tallies=np.concatenate([part.tallies for part in parts]),
    )


def _by_individual(tallies: NDArray[Any], individuals: int) -> NDArray[Any]:
    """Counts of single pairs of sessions summed over opponents and deck sets, (individuals) `TALLY`."""
    each = tallies.reshape(individuals, -1)
    total = np.zeros(individuals, TALLY)
    for name in TALLY.names or ():
        total[name] = each[name].sum(axis=1)
    return total
