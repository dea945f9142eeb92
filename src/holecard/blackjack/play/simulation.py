"""What a strategy did over many rounds: shares, money and their errors, from the counts of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.playing import BUSTS, NATURALS, NET, NET_SQUARED, PUSHES, ROUNDS, RUINS, TRIPS, WINS
from holecard.estimate import Estimate


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
        """Win + ½ push, the 260-bit algorithm's measure."""
        return self.win + self.push / 2

    @property
    def rounds_per_second(self) -> float:
        """Rounds played per second of wall-clock time."""
        return self.rounds / self.seconds if self.seconds else 0.0


def summary(
    tally: NDArray[np.int64], rules: Rules, bankroll: float | None, seconds: float, complete: bool
) -> Simulation:
    """The result of so many rounds, from their tally, int64 (TALLY)."""
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
