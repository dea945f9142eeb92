"""Many sessions side by side, one decision each per step: `Batch` with an end and a bankroll to every table."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule, step_kernel
from holecard.blackjack.game.actions import words_of
from holecard.blackjack.game.dealing import clear_stamps, collect
from holecard.blackjack.game.round import (
    NOBODY,
    UNLIMITED,
    Round,
    Rounds,
    apply,
    cards_on_table,
    deal,
    legal_actions,
    new_rounds,
)
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.game.stepping import PLACE, RulesArray, next_key, order_of, rules_of, rules_record
from holecard.blackjack.game.table_view import MOST_BETS, TableViews, cards_out, checked_bets
from holecard.errors import IllegalAction, SettingError

RESULT = np.dtype(
    [
        ("net", np.float64),  # chips, `unit` to a base bet; whole where every bet is the base bet
        ("rounds", np.int64),
        ("wins", np.int64),
        ("pushes", np.int64),
        ("decisions", np.int64),
        ("staked", np.float64),  # base bets made before the deals
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
    """The index of the hand to act; NOBODY where a bet is due or the session is over."""
    bets: NDArray[np.float64]
    """Base bets on the round in play, or on the next one."""
    betting: NDArray[np.bool_]
    """Where a bet is due."""


class SessionBatch:
    """Sessions first … first + n − 1 side by side, one decision each per step.

    >>> from holecard.blackjack.game.rules import Rules
    >>> batch = SessionBatch(SessionTerms(rules=Rules(), rounds=2), first=0, n=3)
    >>> while batch.playing.any():
    ...     batch.step(np.ones(3, np.int64))
    >>> batch.results["rounds"]
    array([2, 2, 2])
    """

    def __init__(self, terms: SessionTerms, first: int, n: int, *, asks_bets: bool = False) -> None:
        """With `asks_bets` every round waits for `bet`; else every bet is the base bet."""
        deck = Composition.of_rules(terms.rules)
        self.terms = terms
        self.states = new_rounds(n, deck, dealt=terms.rules.shoe == "dealt")
        self.results: NDArray[np.void] = np.zeros(n, RESULT)
        """What became of each session so far, RESULT of shape (n,)."""
        self.to_act = np.zeros(n, np.int64)
        """The index of the hand to act at each table; NOBODY where a bet is due or the session is over."""
        self.betting = np.zeros(n, np.bool_)
        """Where a bet is due, bool of shape (n,)."""
        self._asks_bets = asks_bets
        places, orders = np.zeros(n, PLACE), np.repeat(order_of(terms.rules, deck, 0), n)
        self._orders, self._bets = orders, np.ones(n)
        orders["seed"] = [session_seed(terms.seed, number) for number in range(first, first + n)]
        self._record = rules_record(terms.rules)
        self._tables = tuple(
            SessionTables(self.states, places, orders, self.results, self.to_act, self._bets, self.betting)
        )
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
        """Carry out one action per table, those where none is due ignored; an illegal one changes nothing."""
        illegal = advance_sessions(self._tables, actions, self._money, self._record, self._asks_bets)
        if illegal >= 0:
            legal = words_of(int(self.legal()[illegal])) or "none"
            raise IllegalAction(f"table {illegal} cannot take action {actions[illegal]}; legal there: {legal}")

    @property
    def _money(self) -> tuple[int, int]:
        return self.terms.rounds, self.terms.chips

    def table_views(self) -> TableViews:
        """What players see between rounds, for the tables where a bet is due, in their order."""
        due = np.flatnonzero(self.betting)
        seen = cards_out(self.states[due], self._orders[due])
        unit = self.terms.rules.unit
        return TableViews(
            rules=self.terms.rules,
            seen=seen,
            cards_left=self.states["shoe"]["size"][due].astype(np.int64) - seen.sum(axis=1),
            bankrolls=self.terms.bankroll / self.terms.bet + self.results["net"][due] / unit,
            round_numbers=self.results["rounds"][due] + 1,
        )

    def bet(self, bets: NDArray[np.float64]) -> None:
        """Deal where a bet is due, for so many base bets at each of those tables; what money does not pay is left out.

        A round that naturals end at once is settled, and its table asks again.
        """
        due = np.flatnonzero(self.betting)
        made = np.asarray(bets, np.float64)
        if made.shape != due.shape:
            raise SettingError(f"one bet for each table where one is due: shape {due.shape}; got {made.shape}")
        wrong = np.flatnonzero(~((made >= 0) & (made <= MOST_BETS)))
        if wrong.size:
            checked_bets(float(made[wrong[0]]))
        self._bets[due] = made
        deal_sessions(self._tables, self._money, self._record)


@step_kernel
def open_sessions(states: Rounds, places: NDArray[np.void]) -> None:
    """A new shoe at every table, due to be shuffled, as where nobody has played; ROUND and PLACE arrays."""
    for at in range(states.size):
        clear_stamps(states[at]["shoe"])
        states[at]["shoe"]["out"] = states[at]["shoe"]["size"]
        places[at]["shoe"] = -1
        places[at]["round"] = 0


@step_kernel
def advance_sessions(
    tables: tuple[Any, ...], actions: NDArray[np.int64], money: tuple[int, int], record: RulesArray, asks_bets: bool
) -> int:
    """Carry out one action where a decision is due and go on to every session's next; the first illegal one, or −1.

    `tables` is a plain tuple of the fields of SessionTables, which numba takes faster than a named one; `actions` is
    int64 (n,), `money` the rounds of a session and its bankroll in chips, `record` RULES (1,). Nothing changes if any
    action is illegal. With `asks_bets` the next round waits for `deal_sessions`.
    """
    all_tables = SessionTables(*tables)
    states, results, to_act = all_tables.states, all_tables.results, all_tables.to_act
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
                _settle(states[at], results[at], all_tables.bets[at], rules)
        if asks_bets:
            all_tables.betting[at] = active == NOBODY and _goes_on(results[at], money, rules)
        else:
            while active == NOBODY and _goes_on(results[at], money, rules):
                active = _deal_next(all_tables, at, money[1], rules)
        to_act[at] = active
    return -1


@step_kernel
def deal_sessions(tables: tuple[Any, ...], money: tuple[int, int], record: RulesArray) -> None:
    """Deal one round where a bet is due, for `tables.bets`; arguments as in `advance_sessions`."""
    all_tables = SessionTables(*tables)
    rules = rules_of(record[0])
    for at in range(all_tables.states.size):
        if all_tables.betting[at]:
            active = _deal_next(all_tables, at, money[1], rules)
            all_tables.to_act[at] = active
            all_tables.betting[at] = active == NOBODY and _goes_on(all_tables.results[at], money, rules)


@rule
def _deal_next(tables: SessionTables, at: int, bankroll: int, rules: TableRules) -> int:
    """Deal a session's next round; who decides. A round that naturals end at once is settled."""
    state, result = tables.states[at], tables.results[at]
    behind = bankroll + result["net"]
    bets = min(tables.bets[at], behind / rules.unit)
    tables.bets[at] = bets
    result["staked"] += bets
    purse = UNLIMITED if bets == 0.0 else int((behind - bets * rules.unit) / bets)
    active = deal(state, next_key(state["shoe"], tables.places[at], tables.orders[at]), purse, rules)
    if active == NOBODY:
        _settle(state, result, bets, rules)
    return active


@rule
def _goes_on(result: Result, money: tuple[int, int], rules: TableRules) -> bool:
    """True if there is a round to play and money to bet on it."""
    return result["rounds"] < money[0] and money[1] + result["net"] >= rules.unit


@step_kernel
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
def _settle(round: Round, result: Result, bets: float, rules: TableRules) -> None:
    net = round["net"] * bets
    result["net"] += net
    result["rounds"] += 1
    result["wins"] += int(net > 0)
    result["pushes"] += int(net == 0)
    collect(round["shoe"], cards_on_table(round, rules))
