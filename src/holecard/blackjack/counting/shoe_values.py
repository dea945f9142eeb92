"""What the next round of a shoe in play is worth, exactly, three ways: by the chart, by the full shoe's best play, and
by the best play of the cards that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart_play import Play, play_of
from holecard.blackjack.exact.memory import solve_splits, value_play
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.exact.worth import overall_ev
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import CardError
from holecard.executor import in_order


class ShoeValue(NamedTuple):
    """The exact EV of the next round, in bets."""

    chart: float
    """By the chart."""
    full: float
    """By the best play of a full shoe."""
    best: float
    """By the best play of the cards left, insurance included where it is offered."""


def shoe_values(
    strategy: Strategy,
    rules: Rules,
    left: NDArray[np.int64],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[ShoeValue | None]:
    """The values of many shoes in play, (n, 10) cards left of each value; None where a round can run the shoe out."""
    fresh = replace(rules, shoe="fresh")
    job = partial(_value, fresh, strategy, solve(fresh).play)
    decks = [Composition.of_values(tuple(int(count) for count in row)) for row in left]
    for done, value in enumerate(in_order(job, decks, threads=threads, executor=executor), start=1):
        if progress:
            progress(done)
        yield value


def _value(rules: Rules, strategy: Strategy, full: Play, deck: Composition) -> ShoeValue | None:
    try:
        odds = Odds.of(rules, deck)
    except CardError:
        return None
    _, best_net = solve_splits(odds, "zero-memory")
    full_net = value_play(odds, full.after_split) if rules.max_hands > 1 else best_net
    return ShoeValue(
        chart=value_of_play(odds, play_of(odds, strategy.cells)).ev,
        full=value_of_play(odds, full, full_net).ev,
        best=overall_ev(odds, odds.with_splits(best_net)),
    )
