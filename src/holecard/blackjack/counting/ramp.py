"""What a counter wins: bets by the count, and what they make of the rounds of dealt shoes.

EV and deviation are per round dealt, in lowest bets. N0 = (deviation / EV)² rounds are needed for the EV to equal one
deviation; DI = 1000 · EV / deviation; SCORE = DI² = 10⁶ / N0. Errors are a jackknife over groups of shoes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.ruin import Results
from holecard.blackjack.counting.shoes import CountedShoes
from holecard.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ramp:
    """What bets by the count make of a game."""

    bets: NDArray[np.float64]
    """(c,): units by count."""
    ev: Estimate
    """Per round, in lowest bets."""
    stdev: Estimate
    """Of a round's result."""
    average_bet: Estimate
    """Per round."""
    n0: Estimate
    di: Estimate
    score: Estimate
    shoes: CountedShoes
    """The rounds it was computed from."""

    def results(self) -> Results:
        """The distribution of a round's result, rounds that are only watched included."""
        played, watched = self.shoes.by_count, self.shoes.tally[:, 0].sum()
        values = np.append((self.bets[:, None] * self.shoes.results).ravel(), 0.0)
        return Results.of(values, np.append(played.ravel(), watched).astype(np.float64))

    def by_count(self) -> list[dict[str, Any]]:
        """What each count brings with one unit bet: share of rounds, EV, deviation; two rounds or more."""
        played = self.shoes.by_count
        rows = []
        for at, count in enumerate(self.shoes.counts):
            rounds = int(played[at].sum())
            if rounds >= 2:
                net = Estimate.from_sums(
                    float((played[at] * self.shoes.results).sum()),
                    float((played[at] * self.shoes.results**2).sum()),
                    rounds,
                )
                rows.append(
                    {
                        "count": int(count),
                        "share": rounds / self.shoes.rounds,
                        "ev": net.mean,
                        "stderr": net.stderr,
                        "stdev": net.stderr * rounds**0.5,
                        "bet": float(self.bets[at]),
                    }
                )
        return rows


def ramp(shoes: CountedShoes, bets: NDArray[np.float64]) -> Ramp:
    """What these bets, (c,) units by count, make of the rounds of dealt shoes."""
    rounds, net, squares, staked = _sums(shoes, bets)

    def estimate(measure: Callable[[Any, Any, Any, Any], Any]) -> Estimate:
        whole = float(measure(rounds.sum(), net.sum(), squares.sum(), staked.sum()))
        used = np.flatnonzero(rounds)
        if len(used) < 2:
            return Estimate(mean=whole, stderr=float("inf"), n=shoes.rounds)
        without = measure(*(total.sum() - total[used] for total in (rounds, net, squares, staked)))
        spread = ((without - without.mean()) ** 2).sum() * (len(used) - 1) / len(used)
        return Estimate(mean=whole, stderr=float(spread**0.5), n=shoes.rounds)

    return Ramp(
        bets=bets,
        ev=estimate(lambda n, s, q, w: s / n),
        stdev=estimate(lambda n, s, q, w: np.sqrt(q / n - (s / n) ** 2)),
        average_bet=estimate(lambda n, s, q, w: w / n),
        n0=estimate(lambda n, s, q, w: _ratio(q / n - (s / n) ** 2, (s / n) ** 2)),
        di=estimate(lambda n, s, q, w: 1e3 * _ratio(s / n, np.sqrt(q / n - (s / n) ** 2))),
        score=estimate(lambda n, s, q, w: 1e6 * np.sign(s) * _ratio((s / n) ** 2, q / n - (s / n) ** 2)),
        shoes=shoes,
    )


def _ratio(above: Any, below: Any) -> Any:
    """One by the other; nan where the other is 0, as the deviation of a single round is."""
    return np.divide(above, below, out=np.full(np.shape(below), np.nan), where=np.asarray(below) != 0)


def _sums(shoes: CountedShoes, bets: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """By group of shoes: rounds, net results, their squares, units staked."""
    played = shoes.tally[:, 1].astype(np.float64)
    rounds = shoes.tally.sum(axis=(1, 2, 3)).astype(np.float64)
    net = (played @ shoes.results) @ bets
    squares = (played @ shoes.results**2) @ bets**2
    return rounds, net, squares, played.sum(axis=2) @ bets


def optimal_bets(shoes: CountedShoes, spread: float) -> NDArray[np.float64]:
    """The bets of the highest SCORE within 1 … spread units: proportional to EV / variance of their count (Kelly).

    The EV is taken to rise with the count: what chance makes fall is levelled out, or rare counts would get wild bets.
    """
    played = shoes.by_count.astype(np.float64)
    rounds = played.sum(axis=1)
    seen = rounds > 0
    mean = _rising((played @ shoes.results)[seen] / rounds[seen], rounds[seen])
    variance = float((played @ shoes.results**2).sum() / max(rounds.sum(), 1.0))
    edge = np.interp(shoes.counts, shoes.counts[seen], mean) / max(variance, 1e-9)

    won, won_squared = played @ shoes.results, played @ shoes.results**2

    def bets(scale: float) -> NDArray[np.float64]:
        return np.clip(scale * edge, 1.0, spread)

    def score(scale: float) -> float:
        units = bets(scale)
        net, squares = float(units @ won), float(units**2 @ won_squared)
        return net * abs(net) / max(squares * shoes.rounds - net**2, 1e-12)

    scales = np.geomspace(1.0, 1e5, 400)
    best = int(np.argmax([score(scale) for scale in scales]))
    finer = np.linspace(scales[max(best - 1, 0)], scales[min(best + 1, len(scales) - 1)], 200)
    return bets(float(max(finer, key=score)))


def _rising(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rising values nearest to some by weighted squares: neighbours that fall are pooled.

    >>> _rising(np.array([1.0, 3.0, 2.0]), np.ones(3))
    array([1. , 2.5, 2.5])
    """
    pools: list[list[float]] = []  # mean, weight, members
    for value, weight in zip(values, weights, strict=True):
        pools.append([float(value), float(weight), 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            last, before = pools.pop(), pools.pop()
            total = last[1] + before[1]
            pools.append([(last[0] * last[1] + before[0] * before[1]) / total, total, last[2] + before[2]])
    return np.repeat([pool[0] for pool in pools], [int(pool[2]) for pool in pools])
