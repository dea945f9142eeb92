"""The perfect counter: it bets and plays by the exact EV of the cards that are left.

Shoes in play are recorded by the hundred thousand. What effects of removal alone say of their EV is known for all of
them; the exact EV is computed for a sample spread evenly over it, and a curve through the sample, with the sample's own
residuals beside it, gives the exact EV's distribution over all.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.compositions import NOT_KEPT, solved_rows
from holecard.blackjack.counting.kept import Kept
from holecard.blackjack.counting.recorded import record_shoes
from holecard.blackjack.exact.removal import effects_of_removal
from holecard.blackjack.exact.solution import Solution
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import CardError, SettingError
from holecard.estimate import Estimate

SOLVED: Final = 800
"""Shoes in play that are solved by default."""
_RECORDED: Final = 20_000
"""Shoes that are recorded."""
_LEAST: Final = 100
_BINS: Final = 60
GROUPS: Final = 20
"""Groups of whole shoes, by which errors are estimated."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PerfectCounter:
    """What the perfect counter wins within a spread."""

    ev: Estimate
    """Per round, in lowest bets."""
    stdev: float
    """Of a round's result."""
    average_bet: float
    score: Estimate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactShoes:
    """Shoes in play, some of them solved."""

    guess: NDArray[np.float64]
    """(n,): what effects of removal alone say of the EV of each."""
    group: NDArray[np.int64]
    """(n,): groups of whole shoes, by which errors are estimated."""
    solved: NDArray[np.int64]
    """(k,): which are solved."""
    ev: NDArray[np.float64]
    """(k,): their exact EV, of the best play of the cards left."""

    def evs(self, without: int | None = None) -> NDArray[np.float64]:
        """The exact EV of every shoe as the curve and its residuals have it, one group of shoes left out."""
        kept = self.group != without if without is not None else np.ones(len(self.guess), np.bool_)
        inside = kept[self.solved]
        x, y = self.guess[self.solved[inside]], self.ev[inside]
        curve = np.polyfit(x, y, 3)
        order = np.argsort(x, kind="stable")
        residual = (y - np.polyval(curve, x))[order]
        guess = self.guess[kept]
        near = np.searchsorted(x[order], guess) + np.arange(len(guess)) % 11 - 5
        found: NDArray[np.float64] = np.polyval(curve, guess) + residual[np.clip(near, 0, len(residual) - 1)]
        return found


def _ev_of(solution: Solution) -> NDArray[np.float64]:
    return np.array(solution.ev)


def exact_shoes(
    strategy: Strategy,
    rules: Rules,
    *,
    solved: int = SOLVED,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    progress: Callable[[int], None] | None = None,
    kept: Kept = NOT_KEPT,
) -> ExactShoes:
    """The exact EV over the rounds of dealt shoes, played by a chart."""
    if solved < _LEAST:
        raise SettingError(f"a perfect counter takes {_LEAST} solved shoes or more; got {solved}")
    fresh = replace(rules, shoe="fresh")
    recorded = record_shoes(strategy, rules, _RECORDED, seed=seed)
    guess = linear_evs(fresh, recorded.left)
    chosen = _spread_out(guess, solved, seed)
    decks = [Composition.of_values(tuple(int(count) for count in recorded.left[at])) for at in chosen]
    try:
        work: dict[str, Any] = {"threads": threads, "executor": executor, "device": device}
        ev = solved_rows(decks, fresh, _ev_of, **work, progress=progress, kept=kept)
    except CardError:
        raise CardError(
            "a round can run so small a shoe out, and then its exact EV is not known; lower --penetration"
        ) from None
    return ExactShoes(guess=guess, group=recorded.shoe % GROUPS, solved=chosen, ev=ev)


def _spread_out(guess: NDArray[np.float64], wanted: int, seed: int) -> NDArray[np.int64]:
    """Shoes so that guesses come up equally often: what is rare is bet on most."""
    low, high = np.quantile(guess, (0.0005, 0.9995))
    bins = np.clip(((guess - low) / (high - low) * _BINS).astype(np.int64), 0, _BINS - 1)
    order = np.random.default_rng([seed, 2]).permutation(len(guess))
    rank = np.empty(len(guess))
    for each in range(_BINS):
        members = order[bins[order] == each]
        rank[members] = np.arange(len(members))
    chosen: NDArray[np.int64] = np.sort(np.argsort(rank, kind="stable")[:wanted])
    return chosen


def linear_evs(rules: Rules, left: NDArray[np.int64]) -> NDArray[np.float64]:
    """What effects of removal alone say of the EV of shoes in play."""
    removal = effects_of_removal(rules)
    effects = np.array([removal.effect(value) for value in VALUES])
    whole = np.array(Composition.of_rules(rules).values)
    cards = left.sum(axis=1)
    # Removing one card at a time from N cards changes a mean by its effect; with n left it counts (N − 1) / n as much.
    return removal.base_ev + ((whole - left) @ effects) * (whole.sum() - 1) / np.maximum(cards, 1)


def perfect_counter(shoes: ExactShoes, variance: float, spread: float) -> PerfectCounter:
    """What bets by the exact EV win, proportional to it within 1 … spread units, of the highest SCORE.

    `variance` is that of a round with one unit bet, which changes little with the cards.
    """

    def sums(ev: NDArray[np.float64], scale: float) -> tuple[float, float, float]:
        bets = np.clip(scale * ev / variance, 1.0, spread)
        mean = float((bets * ev).mean())
        return mean, float((bets**2 * (variance + ev**2)).mean()) - mean**2, float(bets.mean())

    def score(ev: NDArray[np.float64], scale: float) -> float:
        mean, square, _ = sums(ev, scale)
        return 1e6 * mean * abs(mean) / square

    ev = shoes.evs()
    scale = float(max(np.geomspace(10.0, 1e5, 120), key=lambda each: score(ev, each)))
    mean, square, average = sums(ev, scale)
    others = [shoes.evs(without=group) for group in range(GROUPS)]
    return PerfectCounter(
        ev=Estimate(mean=mean, stderr=_jackknife([sums(each, scale)[0] for each in others]), n=len(ev)),
        stdev=square**0.5,
        average_bet=average,
        score=Estimate(mean=score(ev, scale), stderr=_jackknife([score(each, scale) for each in others]), n=len(ev)),
    )


def _jackknife(without: list[float]) -> float:
    values = np.array(without)
    return float((((values - values.mean()) ** 2).sum() * (len(values) - 1) / len(values)) ** 0.5)
