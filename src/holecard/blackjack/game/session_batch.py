"""Many sessions side by side, one decision each per step: `Batch` with an end and a bankroll to every table."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.actions import words_of
from holecard.blackjack.game.dealing import clear_stamps, collect
from holecard.blackjack.game.round import NOBODY, Round, Rounds, apply, cards_on_table, deal, legal_actions, new_rounds
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.game.stepping import PLACE, RulesArray, next_key, order_of, rules_of, rules_record
from holecard.errors import IllegalAction

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
Result: TypeAlias = Any
"""One RESULT record."""


class SessionTables(NamedTuple):
    """The tables of a batch of sessions, one element of every array to a session."""

    states: Rounds
    places: NDArray[np.void]
    """PLACE (n,)."""
    orders: NDArray[np.void]
    """ORDER (n,)."""
    results: NDArray[np.void]
    """RESULT (n,): what became of the session so far."""
    to_act: NDArray[np.int64]
    """The index of the hand to act; NOBODY where the session is over."""


class SessionBatch:
    """Sessions first … first + n − 1 side by side, one decision each per step.

    >>> from holecard.blackjack.game.rules import Rules
    >>> batch = SessionBatch(SessionTerms(rules=Rules(), rounds=2), first=0, n=3)
    >>> while batch.playing.any():
    ...     batch.step(np.ones(3, np.int64))
    >>> batch.results["rounds"]
    array([2, 2, 2])
    """

    def __init__(self, terms: SessionTerms, first: int, n: int) -> None:
        deck = Composition.of_rules(terms.rules)
        self.terms = terms
        self.states = new_rounds(n, deck)
        self.results: NDArray[np.void] = np.zeros(n, RESULT)
        """What became of each session so far, RESULT of shape (n,)."""
        self.to_act = np.zeros(n, np.int64)
        """The index of the hand to act at each table; NOBODY where the session is over."""
        places, orders = np.zeros(n, PLACE), np.repeat(order_of(terms.rules, deck, 0), n)
        orders["seed"] = [session_seed(terms.seed, number) for number in range(first, first + n)]
        self._record = rules_record(terms.rules)
        self._tables = tuple(SessionTables(self.states, places, orders, self.results, self.to_act))
        open_sessions(self.states, places)
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
        illegal = advance_sessions(self._tables, actions, self.terms.rounds, self.terms.chips, self._record)
        if illegal >= 0:
            legal = words_of(int(self.legal()[illegal])) or "none"
            raise IllegalAction(f"table {illegal} cannot take action {actions[illegal]}; legal there: {legal}")


@lean_kernel
def open_sessions(states: Rounds, places: NDArray[np.void]) -> None:
    """A new shoe at every table, due to be shuffled, as where nobody has played; ROUND and PLACE arrays."""
    for at in range(states.size):
        clear_stamps(states[at]["shoe"])
        states[at]["shoe"]["out"] = states[at]["shoe"]["size"]
        places[at]["shoe"] = -1
        places[at]["round"] = 0


@lean_kernel
def advance_sessions(
    tables: tuple[Any, ...], actions: NDArray[np.int64], length: int, bankroll: int, record: RulesArray
) -> int:
    """Carry out one action where a decision is due and go on to every session's next; the first illegal one, or −1.

    `tables` is a plain tuple of the fields of SessionTables, which numba takes faster than a named one; `actions` is
    int64 (n,), `record` RULES (1,). Nothing changes if any action is illegal.
    """
    states, places, orders, results, to_act = SessionTables(*tables)
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
def _goes_on(result: Result, length: int, bankroll: int, rules: TableRules) -> bool:
    """True if there is a round to play and money to bet on it."""
    return result["rounds"] < length and bankroll + result["net"] >= rules.unit


@lean_kernel
def _legal_bits(states: Rounds, to_act: NDArray[np.int64], record: RulesArray, bits: NDArray[np.int64]) -> None:
    rules = rules_of(record[0])
    for at in range(states.size):
        bits[at] = legal_actions(states[at], to_act[at], rules) if to_act[at] != NOBODY else 0


def legal_bits(states: Rounds, to_act: NDArray[np.int64], record: RulesArray) -> NDArray[np.int64]:
    """The legal actions of each state as bits, int64 of shape (n,)."""
    bits = np.zeros(states.size, np.int64)
    _legal_bits(states, to_act, record, bits)
    return bits


@rule
def _settle(round: Round, result: Result, rules: TableRules) -> None:
    result["net"] += round["net"]
    result["rounds"] += 1
    result["wins"] += int(round["net"] > 0)
    result["pushes"] += int(round["net"] == 0)
    collect(round["shoe"], cards_on_table(round, rules))
