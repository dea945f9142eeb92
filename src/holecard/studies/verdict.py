"""What a champion is worth once the luck of its own evaluation is taken away: exactly, and on fresh cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from holecard.blackjack.exact import ev_of_strategy
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.strategy import Strategy
from holecard.estimate import Estimate
from holecard.studies.game import Measure

FRESH_ROUNDS: Final = 1_000_000
"""Rounds on which a champion is played again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A champion's fitness three times: as it was chosen by, exactly, and on cards it had no part in choosing."""

    measure: str
    """What the numbers are: win + ½ push, or the EV per initial bet."""
    observed: float
    """The fitness that made it champion."""
    exact: float
    """Its true fitness."""
    fresh: Estimate
    """Its fitness on fresh cards."""
    consensus: float
    """The true fitness of what most of the last generation plays."""
    optimum: float
    """The true fitness of the best chart of the same form."""

    @property
    def gap(self) -> float:
        """The winner's curse: by how much the champion looked better than it is."""
        return self.observed - self.exact

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain JSON."""
        return {
            "measure": self.measure,
            "observed": self.observed,
            "exact": self.exact,
            "fresh": self.fresh.as_json(),
            "gap": self.gap,
            "consensus": self.consensus,
            "optimum": self.optimum,
        }


def judged(
    winner: Strategy,
    *,
    consensus: Strategy,
    best: Strategy,
    rules: Rules,
    measure: Measure,
    observed: float,
    seed: int,
    threads: int | None,
) -> Verdict:
    """What a winner is worth beside the consensus and the best chart; `seed` deals its fresh cards."""
    return Verdict(
        measure=measure.value,
        observed=observed,
        exact=exact_fitness(winner, rules, measure),
        fresh=fresh_fitness(winner, rules, measure, seed=seed, threads=threads),
        consensus=exact_fitness(consensus, rules, measure),
        optimum=exact_fitness(best, rules, measure),
    )


def exact_fitness(strategy: Strategy, rules: Rules, measure: Measure) -> float:
    """The true fitness of a chart."""
    return measure.of_ev(ev_of_strategy(strategy, rules))


def fresh_fitness(strategy: Strategy, rules: Rules, measure: Measure, *, seed: int, threads: int | None) -> Estimate:
    """The fitness of a chart on `FRESH_ROUNDS` rounds of a seed."""
    ev = simulate(strategy, rules, FRESH_ROUNDS, seed=seed, threads=threads).ev
    return Estimate(mean=measure.of_ev(ev.mean), stderr=measure.scale * ev.stderr, n=ev.n)
