"""What a champion is worth once the luck of its own evaluation is taken away: exactly, and on fresh cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact import ev_of_strategy
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.strategy import Strategy
from holecard.estimate import Estimate

FRESH_ROUNDS: Final = 1_000_000
"""Rounds on which a champion is played again."""
Number = TypeVar("Number", float, NDArray[np.float64])
POINTS, EV = "win + ½ push", "EV"


def is_plain(rules: Rules) -> bool:
    """True for the 260-bit algorithm's kind of game, where a round is won, lost or pushed and nothing more.

    >>> is_plain(Rules.preset("classic")), is_plain(Rules.preset("casino"))
    (True, False)
    """
    return rules.bj is None and rules.double == "none" and rules.max_hands == 1 and rules.surrender == "none"


def measure_of(rules: Rules) -> str:
    """What fitness measures in a game: win + ½ push where the game is plain, else the EV per bet."""
    return POINTS if is_plain(rules) else EV


def fitness_of_ev(ev: Number, rules: Rules) -> Number:
    """An EV in the measure of the game; in a plain game win + ½ push is (1 + EV) / 2."""
    return (1.0 + ev) / 2.0 if is_plain(rules) else ev


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


def exact_fitness(strategy: Strategy, rules: Rules) -> float:
    """The true fitness of a chart."""
    return fitness_of_ev(ev_of_strategy(strategy, rules), rules)


def fresh_fitness(strategy: Strategy, rules: Rules, *, seed: int, threads: int | None) -> Estimate:
    """The fitness of a chart on `FRESH_ROUNDS` rounds of a seed."""
    ev = simulate(strategy, rules, FRESH_ROUNDS, seed=seed, threads=threads).ev
    scale = 0.5 if is_plain(rules) else 1.0
    return Estimate(mean=fitness_of_ev(ev.mean, rules), stderr=scale * ev.stderr, n=ev.n)
