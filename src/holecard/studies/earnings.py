"""What a population earns: every individual against every opponent from both seats, as independent jobs on threads.

Earnings are in buy-ins, the sum of both sessions of a deck set: (final stack − buy-in) / buy-in where stacks are
carried, all chips won / buy-in where they are reset. Results are sums of whole chips, so they are the same on any
number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from holecard.agents.lstm import pack
from holecard.agents.minds import MIND
from holecard.agents.network import Genome, Layout
from holecard.arena.sessions import Equities, SessionPair, deck_equities, play_pair
from holecard.device import Device
from holecard.executor import in_order
from holecard.holdem.players import Player
from holecard.holdem.rules import HoldemRules
from holecard.holdem.statistics import TALLY

Decks = Literal["shared", "fresh"]
"""Whether the whole population is dealt the same cards, or each individual its own."""


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


def earnings_of(
    population: Genome,
    layout: Layout,
    opponents: Sequence[Player],
    rules: HoldemRules,
    *,
    seed: int,
    deck_sets: int = 1,
    decks: Decks = "shared",
    samples: int = 0,
    threads: int | None = None,
    device: Device = "cpu",
) -> Earnings:
    """Play the population on so many deck sets per opponent, earnings per deck set.

    `seed` names the generation's cards, `samples` is for Monte Carlo equity (0: exact). A GPU deals the same cards and
    rounds a network's sums otherwise, so that now and then a decision on the edge falls the other way.
    """
    networks = pack(population, layout)
    if device == "cuda":
        from holecard.arena.gpu import play_population

        chips, tallies = play_population(
            networks, opponents, rules, seed=seed, deck_sets=deck_sets, own_decks=decks == "fresh", samples=samples
        )
    else:
        chips, tallies = _on_threads(networks, opponents, rules, seed, deck_sets, decks, samples, threads)
    chips = chips.reshape(len(population), len(opponents), 2 * deck_sets)
    sane = np.isfinite(population).all(axis=1, keepdims=True)
    return Earnings(
        buy_ins=np.where(sane, chips.sum(axis=2) / (rules.stack * deck_sets), np.nan),
        won=(chips > 0).sum(axis=2),
        lost=(chips < 0).sum(axis=2),
        tallies=_by_individual(tallies, len(population)),
    )


def _on_threads(
    networks: NDArray[Any],
    opponents: Sequence[Player],
    rules: HoldemRules,
    seed: int,
    deck_sets: int,
    decks: Decks,
    samples: int,
    threads: int | None,
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Chips of every session and counts of every pair of them, individual by individual."""
    shape = (len(networks), len(opponents))
    each = range(deck_sets)
    known: dict[int, Equities] = {}

    def equities(deck: int) -> Equities:
        return deck_equities(seed=seed, deck=deck, hands=rules.hands, samples=samples)

    def play(job: tuple[int, int]) -> list[SessionPair]:
        row, column = job
        minds = np.zeros(2, MIND)
        minds[0]["is_network"] = True
        minds[0]["network"] = networks[row]
        minds[1]["rule"] = int(opponents[column])
        if decks == "shared":
            shared = [column * deck_sets + number for number in each]
            return [play_pair(minds, rules, seed=seed, deck=deck, equities=known[deck]) for deck in shared]
        own = [(row * shape[1] + column) * deck_sets + number for number in each]
        return [
            play_pair(minds, rules, seed=seed, deck=deck, equities=equities(deck) if samples else None) for deck in own
        ]

    if decks == "shared":
        numbers = range(shape[1] * deck_sets)
        known.update(zip(numbers, in_order(equities, numbers, threads=threads), strict=True))
    jobs = [(row, column) for row in range(shape[0]) for column in range(shape[1])]
    played = list(in_order(play, jobs, threads=threads))
    chips = np.array([[pair.net.sum(axis=1) for pair in pairs] for pairs in played])
    return chips, np.array([[pair.tallies[0] for pair in pairs] for pairs in played], TALLY)


def _by_individual(tallies: NDArray[Any], individuals: int) -> NDArray[Any]:
    """Counts of single pairs of sessions summed over opponents and deck sets, (individuals) `TALLY`."""
    each = tallies.reshape(individuals, -1)
    total = np.zeros(individuals, TALLY)
    for name in TALLY.names or ():
        total[name] = each[name].sum(axis=1)
    return total
