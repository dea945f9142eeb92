"""Sessions: so many rounds at one table, one player after another on the same shoes.

Session i of a seed deals the shoes of `Game(seed=session_seed(seed, i))`, whoever plays it and however: in a batch,
step by step, or at a `Game`, decision by decision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.dealing import clear_stamps, collect, fill
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.round import NOBODY, ROUND, UNLIMITED, apply, cards_on_table, deal, legal_actions
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.game.stepping import PLACE, next_key, order_of, rules_of, rules_record
from holecard.errors import HolecardError, IllegalAction
from holecard.seeds import checked_seed, key_of

RESULT = np.dtype(
    [
        ("net", np.int64),  # chips, `unit` to a base bet
        ("rounds", np.int64),
        ("wins", np.int64),
        ("pushes", np.int64),
        ("decisions", np.int64),
    ]
)
"""What became of one session."""


def session_seed(seed: int, number: int) -> int:
    """The seed of a session's `Game`."""
    with np.errstate(over="ignore"):
        return int(key_of(np.uint64(checked_seed(seed)), np.uint64(number)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """What is played: the sessions of a seed under the same terms."""

    rules: Rules
    rounds: int = 100
    """Rounds to a session; fewer if the bankroll runs out."""
    seed: int = 0
    bankroll: float = math.inf
    """Money at the start of each."""
    bet: float = 1.0
    """The base bet."""

    def __post_init__(self) -> None:
        checked_seed(self.seed)
        if self.rounds < 1:
            raise HolecardError(f"rounds must be 1 or more; got {self.rounds}")
        if not 0 < self.bet < math.inf:
            raise HolecardError(f"bet must be above 0; got {self.bet:g}")
        if not self.bankroll >= self.bet:
            raise HolecardError(f"the bankroll must pay a bet of {self.bet:g}; got {self.bankroll:g}")

    @property
    def chips(self) -> int:
        """The bankroll in chips, `rules.unit` to a base bet."""
        return UNLIMITED if self.bankroll == math.inf else int(self.bankroll / self.bet * self.rules.unit)

    def game(self, number: int) -> Game:
        """The table of one session."""
        seed = session_seed(self.seed, number)
        return Game(self.rules, seed, bankroll=self.bankroll, bet=self.bet)


class SessionBatch:
    """Sessions first … first + n − 1 side by side, one decision each per step.

    >>> batch = SessionBatch(Sessions(rules=Rules(), rounds=2), first=0, n=3)
    >>> while batch.playing.any():
    ...     batch.step(np.ones(3, np.int64))
    >>> batch.results["rounds"]
    array([2, 2, 2])
    """

    def __init__(self, sessions: Sessions, first: int, n: int) -> None:
        deck = Composition.of_rules(sessions.rules)
        self.sessions = sessions
        self.states = np.zeros(n, ROUND)
        fill(self.states[0]["shoe"], deck)
        self.states["shoe"] = self.states[0]["shoe"]
        self.results: NDArray[np.void] = np.zeros(n, RESULT)
        """What became of each session so far, RESULT of shape (n,)."""
        self.to_act = np.zeros(n, np.int64)
        """The index of the hand to act at each table; NOBODY where the session is over."""
        self._places, self._orders = np.zeros(n, PLACE), np.repeat(order_of(sessions.rules, deck, 0), n)
        self._orders["seed"] = [session_seed(sessions.seed, number) for number in range(first, first + n)]
        self._record = rules_record(sessions.rules)
        open_sessions(self.states, self._places)
        self.step(np.zeros(n, np.int64))

    @property
    def playing(self) -> NDArray[np.bool_]:
        """Where a decision is due, bool of shape (n,)."""
        return self.to_act != NOBODY

    def legal(self) -> NDArray[np.int64]:
        """The legal actions of each table as bits `1 << Action`, 0 where its session is over."""
        return legal_bits(self.states, self.to_act, self._record)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Carry out one action per table, those of finished sessions ignored; an illegal one changes nothing."""
        terms = self.sessions.rounds, self.sessions.chips, self._record
        work = self._places, self._orders, self.results, self.to_act
        illegal = advance_sessions(self.states, actions, *work, *terms)
        if illegal >= 0:
            raise IllegalAction(f"table {illegal} cannot take action {actions[illegal]}")


@lean_kernel
def open_sessions(states: Any, places: Any) -> None:
    """A new shoe at every table, due to be shuffled, as where nobody has played; ROUND and PLACE arrays."""
    for at in range(states.size):
        clear_stamps(states[at]["shoe"])
        states[at]["shoe"]["out"] = states[at]["shoe"]["size"]
        places[at]["shoe"] = -1
        places[at]["round"] = 0


@lean_kernel
def advance_sessions(
    states: Any,
    actions: Any,
    places: Any,
    orders: Any,
    results: Any,
    to_act: Any,
    length: int,
    bankroll: int,
    record: Any,
) -> int:
    """Carry out one action where a decision is due and go on to every session's next; the first illegal one, or −1.

    All arrays have one element per session: `states` ROUND, `actions` and `to_act` int64, `places` PLACE, `orders`
    ORDER, `results` RESULT; `record` is RULES (1,). Nothing changes if any action is illegal.
    """
    rules = rules_of(record[0])
    for at in range(states.size):
        legal = legal_actions(states[at], to_act[at], rules) if to_act[at] != NOBODY else -1
        if actions[at] < 0 or not legal >> actions[at] & 1:
            return at
    for at in range(states.size):
        active = to_act[at]
        if active != NOBODY:
            results[at]["decisions"] += 1
            active = apply(states[at], active, actions[at], rules)
            if active == NOBODY:
                _settle(states[at], results[at], rules)
        while active == NOBODY and _goes_on(results[at], length, bankroll, rules):
            purse = bankroll + results[at]["net"] - rules.unit
            active = deal(states[at], next_key(states[at]["shoe"], places[at], orders[at]), purse, rules)
            if active == NOBODY:
                _settle(states[at], results[at], rules)
        to_act[at] = active
    return -1


@rule
def _goes_on(result: Any, length: int, bankroll: int, rules: TableRules) -> bool:
    """True if there is a round to play and money to bet on it."""
    return result["rounds"] < length and bankroll + result["net"] >= rules.unit


@lean_kernel
def _legal_bits(states: Any, to_act: Any, record: Any, bits: Any) -> None:
    rules = rules_of(record[0])
    for at in range(states.size):
        bits[at] = legal_actions(states[at], to_act[at], rules) if to_act[at] != NOBODY else 0


def legal_bits(states: NDArray[np.void], to_act: NDArray[np.int64], record: NDArray[np.void]) -> NDArray[np.int64]:
    """The legal actions of each state as bits, int64 of shape (n,)."""
    bits = np.zeros(states.size, np.int64)
    _legal_bits(states, to_act, record, bits)
    return bits


@rule
def _settle(round: Any, result: Any, rules: TableRules) -> None:
    result["net"] += round["net"]
    result["rounds"] += 1
    result["wins"] += int(round["net"] > 0)
    result["pushes"] += int(round["net"] == 0)
    collect(round["shoe"], cards_on_table(round, rules))
