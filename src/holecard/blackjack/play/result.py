"""What a simulation says: shares, money and their errors, from the tally of a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.kernels import BUSTS, NATURALS, NET, NET_SQUARED, PUSHES, ROUNDS, RUINS, TRIPS, WINS, Tally
from holecard.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What a strategy did over so many rounds. Shares are of rounds; money is in base bets."""

    rounds: int
    """Rounds played."""
    ev: Estimate
    """Net result per round, in base bets."""
    win: Estimate
    """Share of rounds with a net win."""
    push: Estimate
    """Share of rounds that came out even."""
    lose: Estimate
    """Share of rounds with a net loss."""
    natural: Estimate
    """Share of rounds in which the player was dealt a natural."""
    bust: Estimate
    """Share of rounds in which a hand of the player went over the limit."""
    stdev: Estimate
    """Standard deviation of one round's result. Its error is the most that the largest possible result allows."""
    fitness: Estimate
    """Win + ½ push, the measure of the 260-bit algorithm."""
    ruin: Estimate | None = None
    """With a bankroll: the share of trips that lost it."""
    long_run_ruin: Estimate | None = None
    """With a bankroll: the chance to lose it some day, exp(−2·EV·bankroll / variance); 1 unless the EV is positive.
    Its error is how far one standard error of the EV moves it."""
    seconds: float
    """Wall-clock time."""
    complete: bool = True
    """False if it was interrupted; the rounds counted are then the first ones, all of them."""

    @property
    def rounds_per_second(self) -> float:
        """Rounds played per second of wall-clock time."""
        return self.rounds / self.seconds if self.seconds else 0.0


def summary(tally: Tally, rules: Rules, bankroll: float | None, seconds: float, complete: bool) -> Simulation:
    """The result of so many rounds, from their tally."""
    counts = [int(count) for count in tally]
    rounds, unit = counts[ROUNDS], rules.unit
    ev = Estimate.from_sums(counts[NET] / unit, counts[NET_SQUARED] / unit**2, rounds)
    variance = ev.stderr**2 * rounds if rounds > 1 else 0.0
    win, push, natural, bust = (Estimate.of_share(counts[at], rounds) for at in (WINS, PUSHES, NATURALS, BUSTS))
    points = Estimate.from_sums(counts[WINS] + counts[PUSHES] / 2, counts[WINS] + counts[PUSHES] / 4, rounds)
    return Simulation(
        rounds=rounds,
        ev=ev,
        win=win,
        push=push,
        lose=Estimate.of_share(rounds - counts[WINS] - counts[PUSHES], rounds),
        natural=natural,
        bust=bust,
        stdev=_stdev(variance, rounds, abs(ev.mean) + most_bets(rules)),
        fitness=Estimate(mean=win.mean + push.mean / 2, stderr=points.stderr, n=rounds),
        ruin=Estimate.of_share(counts[RUINS], counts[TRIPS]) if bankroll is not None else None,
        long_run_ruin=_long_run_ruin(ev, variance, bankroll) if bankroll is not None else None,
        seconds=seconds,
        complete=complete,
    )


def most_bets(rules: Rules) -> float:
    """The most base bets that a round can win or lose.

    >>> most_bets(Rules()), most_bets(Rules.preset("classic")), most_bets(Rules(bj=None, max_hands=1, double="none"))
    (8.0, 1.0, 1.0)
    """
    doubled = 2 if rules.double != "none" else 1
    split = rules.max_hands * (doubled if rules.das else 1)
    return float(max(split, doubled, rules.bj or 0) + (1 if rules.insurance else 0))


def _stdev(variance: float, n: int, reach: float) -> Estimate:
    """The standard deviation of n results that lie within `reach` of their mean.

    The error of a sample's variance is √((m₄ − variance²) / n); the fourth moment m₄ is at most reach² · variance.
    """
    spread = variance**0.5
    if n < 2:
        return Estimate(mean=spread, stderr=float("inf"), n=n)
    return Estimate(mean=spread, stderr=sqrt(max(reach**2 - variance, 0.0) / (4 * n)), n=n)


def _long_run_ruin(ev: Estimate, variance: float, bankroll: float) -> Estimate:
    def chance(mean: float) -> float:
        return 1.0 if mean <= 0 or not variance else min(1.0, exp(-2 * mean * bankroll / variance))

    moved = [abs(chance(ev.mean + sign * ev.stderr) - chance(ev.mean)) for sign in (-1, 1)]
    return Estimate(mean=chance(ev.mean), stderr=max(moved), n=ev.n)
