"""The moment between two rounds: what a player sees before the deal, when he says what he bets.

A bet is a number of base bets: 1 is the base bet, 0 watches the round. A round is linear in its bet and nothing in it
depends on the bet but what the bankroll pays, so bets weigh results and cards are the same whatever is bet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import step_kernel
from holecard.blackjack.game.composition import VALUES
from holecard.blackjack.game.dealing import is_cut_card_out
from holecard.blackjack.game.round import Rounds
from holecard.blackjack.game.rules import Rules
from holecard.cards import ACE_RANK
from holecard.errors import SettingError

MOST_BETS: Final = 1_000_000
"""Base bets on a round, at most."""
_VALUES_OF_RANKS: Final = np.eye(len(VALUES), dtype=np.int64)[[*range(1, 10), 9, 9, 9, 0]]
"""(13, 10): 1 where a rank 2 … K, A has a value A 2 … 10."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableView:
    """What a player sees between rounds. Where the shoe is about to be shuffled, no card of it has been seen."""

    rules: Rules
    seen: NDArray[np.int64]
    """How many of each of the 52 cards have been seen since the shuffle, int64 of shape (52,)."""
    cards_left: int
    """Cards of the shoe that have not been seen."""
    bankroll: float = math.inf
    """Money; infinite where there is no limit."""
    bet: float = 1.0
    """The base bet in money."""
    round_number: int = 1
    """Of the round that is about to be dealt, from 1."""

    @property
    def seen_by_value(self) -> tuple[int, ...]:
        """Cards seen by value, A 2 … 10."""
        return tuple(by_value(self.seen).tolist())

    @property
    def most_bets(self) -> float:
        """Base bets that the bankroll pays."""
        return self.bankroll / self.bet


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableViews:
    """What players at several tables see between rounds: the fields of TableView as arrays."""

    rules: Rules
    seen: NDArray[np.int64]
    """Cards seen by code since the shuffle, int64 (n, 52)."""
    cards_left: NDArray[np.int64]
    """(n,)."""
    bankrolls: NDArray[np.float64]
    """In base bets, (n,); infinite where there is no limit."""
    round_numbers: NDArray[np.int64]
    """(n,), from 1."""


def by_value(seen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cards by value A 2 … 10, (…, 10), of cards by code, (…, 52).

    >>> by_value(np.ones(52, np.int64)).tolist()
    [4, 4, 4, 4, 4, 4, 4, 4, 4, 16]
    """
    ranks = seen.reshape(*seen.shape[:-1], ACE_RANK + 1, -1).sum(axis=-1)
    values: NDArray[np.int64] = ranks @ _VALUES_OF_RANKS
    return values


def checked_bets(bets: Any) -> float:
    """A number of base bets, if it is one.

    >>> checked_bets(8)
    8.0
    """
    is_number = isinstance(bets, int | float | np.number) and not isinstance(bets, bool)
    if not is_number or not 0 <= bets <= MOST_BETS:
        raise SettingError(f"a round's bet is 0 to {MOST_BETS:,} base bets; got {bets!r}")
    return float(bets)


def cards_out(states: Rounds, orders: NDArray[np.void]) -> NDArray[np.int64]:
    """How many of each card have been seen between rounds, int64 (n, 52); `orders` is ORDER of shape (n,) or (1,)."""
    seen = np.zeros((states.size, 52), np.int64)
    _count_out(states, orders, seen)
    return seen


@step_kernel
def _count_out(states: Rounds, orders: NDArray[np.void], seen: NDArray[np.int64]) -> None:
    for at in range(states.size):
        shoe, order = states[at]["shoe"], orders[at if orders.size > 1 else 0]
        if order["fresh"] or is_cut_card_out(shoe, order["cut"]):
            continue
        for place in range(np.int64(shoe["size"])):
            if shoe["stamps"][place] >= shoe["since"]:
                seen[at, shoe["cards"][place]] += 1
