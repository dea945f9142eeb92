"""What a population earns: every individual against every opponent from both seats, as independent jobs on threads.

Earnings are in buy-ins, the sum of both sessions: (final stack − buy-in) / buy-in where stacks are carried, all chips
won / buy-in where they are reset. Results are sums of whole chips, so they are the same on any number of threads.
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
from holecard.arena.sessions import SessionPair, deck_equities, play_pair
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
    decks: Decks = "shared",
    samples: int = 0,
    threads: int | None = None,
) -> Earnings:
    """Play the population; `seed` names the generation's cards, `samples` is for Monte Carlo equity (0: exact)."""
    networks = pack(population, layout)
    columns = len(opponents)
    jobs = [(row, column) for row in range(len(population)) for column in range(columns)]
    known = [
        deck_equities(seed=seed, deck=column, hands=rules.hands, samples=samples)
        for column in range(columns if decks == "shared" else 0)
    ]

    def play(job: tuple[int, int]) -> SessionPair:
        row, column = job
        minds = np.zeros(2, MIND)
        minds[0]["is_network"] = True
        minds[0]["network"] = networks[row]
        minds[1]["rule"] = int(opponents[column])
        if decks == "shared":
            return play_pair(minds, rules, seed=seed, deck=column, equities=known[column])
        deck = row * columns + column
        own = deck_equities(seed=seed, deck=deck, hands=rules.hands, samples=samples) if samples else None
        return play_pair(minds, rules, seed=seed, deck=deck, equities=own)

    pairs = list(in_order(play, jobs, threads=threads))
    shape = (len(population), columns)
    chips = np.array([pair.net.sum(axis=1) for pair in pairs]).reshape(*shape, 2)
    sane = np.isfinite(population).all(axis=1, keepdims=True)
    return Earnings(
        buy_ins=np.where(sane, chips.sum(axis=2) / rules.stack, np.nan),
        won=(chips > 0).sum(axis=2),
        lost=(chips < 0).sum(axis=2),
        tallies=_by_individual([pair.tallies[0] for pair in pairs], shape),
    )


def _by_individual(tallies: Sequence[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """Counts against single opponents summed over opponents, (individuals) `TALLY`."""
    each = np.array(tallies, TALLY).reshape(shape)
    total = np.zeros(shape[0], TALLY)
    for name in TALLY.names or ():
        total[name] = each[name].sum(axis=1)
    return total
