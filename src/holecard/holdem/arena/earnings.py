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
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from math import ceil
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from holecard.device import Device
from holecard.errors import SettingError
from holecard.evolve.selection import Fitness
from holecard.executor import in_order, job_size
from holecard.holdem.arena.sessions import Chances, Equities, SessionPair, deck_chances, deck_equities, play_pair
from holecard.holdem.equities.runout import SURE
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import TALLY
from holecard.holdem.players.lstm import pack
from holecard.holdem.players.network import Genome, Layout
from holecard.holdem.players.record import network_record, rule_record
from holecard.holdem.players.rule_players import RulePlayer

Decks = Literal["shared", "fresh"]
"""Whether the whole population is dealt the same cards, or each individual its own."""
Luck = Literal["averaged", "dealt"]
"""Whether what the boards bring is averaged over, or counts as it was dealt."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Earnings:
    """What every individual did against every opponent in one generation."""

    buy_ins: NDArray[np.float64]
    """Earnings in buy-ins, (individuals, opponents); NaN for a genome that holds one."""
    won: NDArray[np.int64]
    """Sessions won, (individuals, opponents)."""
    lost: NDArray[np.int64]
    """Sessions lost, the same."""
    tallies: NDArray[Any]
    """The individuals' counts over all their hands, (individuals) `TALLY`."""

    @property
    def hands(self) -> int:
        """All hands played."""
        return int(self.tallies["hands"].sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deal:
    """How a generation is dealt: the terms that `earnings_of` explains, together."""

    seed: int
    deck_sets: int
    decks: Decks
    samples: int
    luck: Luck


def earnings_of(
    population: Genome,
    layout: Layout,
    opponents: Sequence[RulePlayer],
    rules: HoldemRules,
    *,
    seed: int,
    deck_sets: int = 1,
    decks: Decks = "shared",
    samples: int = 0,
    luck: Luck = "averaged",
    threads: int | None = None,
    executor: Executor | None = None,
    device: Device = "cpu",
    first: int = 0,
) -> Earnings:
    """Play the population on so many deck sets per opponent, earnings per deck set.

    `seed` names the generation's cards, `samples` is for Monte Carlo equity (0: exact). On an `executor` individuals
    travel as genomes and cards as the seed, unless sending them would cost more than it gains. A GPU deals the same
    cards and rounds a network's sums otherwise, so that now and then a decision on the edge falls the other way.
    `first` is the number of the first individual in a larger population.
    """
    deal = _Deal(seed=seed, deck_sets=deck_sets, decks=decks, samples=samples, luck=luck)
    if executor is not None:
        play_part = partial(_part, layout, tuple(opponents), rules, deal)
        seconds = _seconds_of(play_part, population)
        if population[0].nbytes * _SECONDS_PER_BYTE <= _MOST_SENDING * seconds:
            size = job_size(len(population), ceil(_JOB_SECONDS / seconds) or 1, executor)
            parts = ((at, population[at : at + size]) for at in range(0, len(population), size))
            return _together(list(in_order(play_part, parts, executor=executor)))
    networks = pack(population, layout)
    play = _on_gpu if device == "cuda" else partial(_on_threads, threads=threads, first=first)
    chips, brought, tallies = play(networks, opponents, rules, deal)
    shape = (len(population), len(opponents), 2 * deck_sets)
    chips = chips.reshape(shape)
    earned = (chips.sum(axis=2) * SURE - brought.reshape(shape).sum(axis=2)) / (SURE * rules.stack * deck_sets)
    sane = np.isfinite(population).all(axis=1, keepdims=True)
    return Earnings(
        buy_ins=np.where(sane, earned, np.nan),
        won=(chips > 0).sum(axis=2),
        lost=(chips < 0).sum(axis=2),
        tallies=_by_individual(tallies, len(population)),
    )


def average_normalized_earnings(earnings: NDArray[np.floating[Any]], floor: float) -> Fitness:
    """ANE: the mean over opponents of earnings divided by the best earnings against that opponent, at most 1.

    `earnings` has shape (individuals, opponents); the divisor is never below `floor` (the big blind in the unit of the
    earnings), so that a generation which only loses keeps its sign. Nobody gains more than 1 / opponents from one of
    them, however much is won there.

    >>> average_normalized_earnings(np.array([[4.0, -1.0], [2.0, 1.0]]), floor=0.5)
    array([0.  , 0.75])
    """
    if floor <= 0:
        raise SettingError(f"the floor of the normaliser must be above 0; got {floor}")
    known = np.asarray(earnings, np.float64)
    best = np.max(np.where(np.isfinite(known), known, -np.inf), axis=0)
    return np.asarray(np.mean(known / np.maximum(best, floor), axis=1))


_Played = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]
"""Chips won and luck (millionths of chips) of every session, and counts of sessions, individual by individual."""


def _on_gpu(networks: NDArray[Any], opponents: Sequence[RulePlayer], rules: HoldemRules, deal: _Deal) -> _Played:
    from holecard.holdem.arena.gpu import play_population

    return play_population(
        networks,
        opponents,
        rules,
        seed=deal.seed,
        deck_sets=deal.deck_sets,
        own_decks=deal.decks == "fresh",
        samples=deal.samples,
        averaged=deal.luck == "averaged",
    )


def _on_threads(
    networks: NDArray[Any],
    opponents: Sequence[RulePlayer],
    rules: HoldemRules,
    deal: _Deal,
    *,
    threads: int | None,
    first: int,
) -> _Played:
    shared = deal.decks == "shared"
    known: dict[int, _Known] = {}

    def known_of(deck: int) -> _Known:
        looked_up = _known if rules.hands <= _CACHED_HANDS else _known.__wrapped__
        return looked_up(deal, deck, rules.hands)

    def play(job: tuple[int, int]) -> list[SessionPair]:
        row, column = job
        players = np.stack([network_record(networks[row]), rule_record(opponents[column])])
        start = (column if shared else (first + row) * len(opponents) + column) * deal.deck_sets
        pairs = []
        for deck in range(start, start + deal.deck_sets):
            equities, chances = known[deck] if shared else known_of(deck)
            pairs.append(play_pair(players, rules, seed=deal.seed, deck=deck, equities=equities, chances=chances))
        return pairs

    if shared:
        numbers = range(len(opponents) * deal.deck_sets)
        known.update(zip(numbers, in_order(known_of, numbers, threads=threads), strict=True))
    jobs = [(row, column) for row in range(len(networks)) for column in range(len(opponents))]
    played = list(in_order(play, jobs, threads=threads))
    chips = np.array([[pair.net.sum(axis=1) for pair in pairs] for pairs in played])
    brought = np.array([[pair.luck for pair in pairs] for pairs in played])
    return chips, brought, np.array([[pair.tallies[0] for pair in pairs] for pairs in played], TALLY)


_JOB_SECONDS: Final = 0.3
"""Play to a job on an executor, at least, as the first individual foretells."""
_SECONDS_PER_BYTE: Final = 5e-9
"""What it costs to pack a byte, send it and unpack it."""
_MOST_SENDING: Final = 0.05
"""The share of the time that may go into sending; where it would be more, everybody plays here."""
_CACHED_HANDS: Final = 4_000


_Known = tuple[Equities | None, Chances | None]
"""What is known of a deck set before it is played; no equities: they are computed when somebody looks."""


@lru_cache(maxsize=128)
def _known(deal: _Deal, deck: int, hands: int) -> _Known:
    """What is known of a deck set, kept for the next individuals who are dealt it."""
    looked_at = deal.decks == "shared" or deal.samples
    equities = deck_equities(seed=deal.seed, deck=deck, hands=hands, samples=deal.samples) if looked_at else None
    chances = deck_chances(seed=deal.seed, deck=deck, hands=hands) if deal.luck == "averaged" else None
    return equities, chances


def _part(
    layout: Layout, opponents: tuple[RulePlayer, ...], rules: HoldemRules, deal: _Deal, job: tuple[int, Genome]
) -> Earnings:
    """What some individuals of a population earn, the first of which has number `job[0]`."""
    at, genomes = job
    return earnings_of(genomes, layout, opponents, rules, **asdict(deal), threads=1, first=at)


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
        tallies=np.concatenate([part.tallies for part in parts]),
    )


def _by_individual(tallies: NDArray[Any], individuals: int) -> NDArray[Any]:
    """Counts of single pairs of sessions summed over opponents and deck sets, (individuals) `TALLY`."""
    each = tallies.reshape(individuals, -1)
    total = np.zeros(individuals, TALLY)
    for name in TALLY.names or ():
        total[name] = each[name].sum(axis=1)
    return total
