"""Many tables side by side, one decision each per step: for players that think in arrays.

`Batch` deals rounds without end; `SessionBatch` gives every table an end and a bankroll.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule, step_kernel
from holecard.blackjack.game.actions import Action, words_of
from holecard.blackjack.game.dealing import clear_stamps, collect
from holecard.blackjack.game.round import NOBODY, UNLIMITED, Rounds, apply, cards_on_table, deal, new_rounds
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, check_deck, with_deck
from holecard.blackjack.game.stepping import (
    PLACE,
    VIEW,
    Order,
    RulesArray,
    look,
    next_key,
    order_of,
    rules_of,
    rules_record,
)
from holecard.blackjack.game.table_view import MOST_BETS, TableViews, cards_out, checked_bets
from holecard.errors import IllegalAction, SettingError
from holecard.seeds import checked_seed

WAIT: Final = -1
"""In place of an action: this table of a batch stays as it is."""
DEAL_ON, SHOW_NATURALS, LINGER = range(3)
"""What a batch does where a round is over: deals on, naturals settled on the way; deals on, but a round that naturals
end at once is shown and waits for a stand; shows that too, and the end of every round until the next step."""


class BatchTables(NamedTuple):
    """The tables of a batch, one element of every array to a table."""

    states: Rounds
    places: NDArray[np.void]
    """PLACE (n,)."""
    views: NDArray[np.void]
    """VIEW (n,): what each player sees. Legal bits of 0 say that a round has ended and the next step deals on."""
    finals: NDArray[np.void]
    """VIEW (n,): the last hand of a round that ended in this step."""
    nets: NDArray[np.float64]
    """Chips won in rounds that ended in this step."""
    ended: NDArray[np.int64]
    """How many rounds did; more than one only where naturals are settled on the way."""
    bets: NDArray[np.float64]
    """Base bets on the round in play."""


class Batch:
    """`n` tables of one seed: with fresh shoes, table i plays rounds i, i + n, i + 2n … of `simulate`'s.

    >>> batch = Batch(Rules.preset("casino"), n=4, seed=1)
    >>> views = batch.deal()
    >>> nets, ended = batch.step(np.where(views["total"] < 17, Action.HIT, Action.STAND))
    >>> nets.shape, ended.shape
    ((4,), (4,))
    """

    def __init__(
        self,
        rules: Rules | None = None,
        n: int = 1024,
        seed: int = 0,
        *,
        deck: Composition | None = None,
        table_rules: TableRules | None = None,
        pace: int = DEAL_ON,
    ) -> None:
        """`pace` is DEAL_ON, SHOW_NATURALS or LINGER; `table_rules` replace what `rules` say of play."""
        if n < 1:
            raise SettingError(f"a batch has 1 table or more; got {n}")
        self.rules = with_deck(rules or Rules(), deck)
        deck = Composition.of_rules(self.rules)
        check_deck(deck, self.rules)
        self.states = new_rounds(n, deck, dealt=self.rules.shoe == "dealt")
        self.views: NDArray[np.void] = np.zeros(n, VIEW)
        """What each player sees, VIEW of shape (n,)."""
        self.finals: NDArray[np.void] = np.zeros(n, VIEW)
        """The last hand of the round that ended in the last step, VIEW of shape (n,); elsewhere an older one."""
        self.record = rules_record(table_rules or self.rules)
        self._pace = pace
        self._order = order_of(self.rules, deck, seed, stride=n)
        self._nets, self._ended = np.zeros(n), np.zeros(n, np.int64)
        self._base_bets, self._bets = np.ones(n), np.ones(n)
        self._tables = tuple(
            BatchTables(self.states, np.zeros(n, PLACE), self.views, self.finals, self._nets, self._ended, self._bets)
        )

    def deal(self, seed: int | None = None) -> NDArray[np.void]:
        """Deal the first rounds; what each player sees. Rounds that naturals ended at once are in `results`.

        A `seed` takes the place of the one before.
        """
        self.open(seed)
        self.step(np.zeros(self.states.size, np.int64))
        return self.views

    def open(self, seed: int | None = None) -> None:
        """Put a full shoe on every table and deal nothing: the next step deals the first rounds, for its bets."""
        if seed is not None:
            self._order["seed"] = checked_seed(seed)
        open_batch(self._tables, self._order)

    @property
    def results(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Of the last deal or step: base bets won in rounds that ended, and how many ended, each of shape (n,)."""
        return self._nets / self.rules.unit, self._ended.copy()

    @property
    def bets(self) -> NDArray[np.float64]:
        """Base bets on the round in play at each table, or on its last one."""
        return self._bets.copy()

    def table_views(self) -> TableViews:
        """What players see between rounds, for all tables; it holds where `views["legal"]` is 0."""
        seen = cards_out(self.states, self._order)
        return TableViews(
            rules=self.rules,
            seen=seen,
            cards_left=self.states["shoe"]["size"].astype(np.int64) - seen.sum(axis=1),
            bankrolls=np.full(self.states.size, np.inf),
            round_numbers=np.ones(self.states.size, np.int64),
        )

    def step(
        self, actions: NDArray[np.integer], bets: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Carry out one action per table (or WAIT) and deal the next round where one has ended; `results`.

        `bets` are the base bets of rounds that this step deals, 1 each without them. A batch that shows the end of
        every round (LINGER) lets players look before they bet: where `views["legal"]` is 0 the step only deals.
        An illegal action anywhere changes nothing and raises `IllegalAction`.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != self.states.shape:
            raise IllegalAction(f"one action per table: shape {self.states.shape}; got {chosen.shape}")
        made = self._base_bets if bets is None else np.ascontiguousarray(bets, np.float64)
        if made.shape != chosen.shape:
            raise SettingError(f"one bet per table: shape {chosen.shape}; got {made.shape}")
        if bets is not None and not ((made >= 0) & (made <= MOST_BETS)).all():
            checked_bets(float(made[~((made >= 0) & (made <= MOST_BETS))][0]))
        illegal = step_batch(self._tables, chosen, made, self._order, self.record, self._pace)
        if illegal >= 0:
            legal = words_of(int(self.views[illegal]["legal"]))
            raise IllegalAction(f"table {illegal} cannot take action {chosen[illegal]}; legal there: {legal}")
        return self.results

    def legal(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool of shape (n, 7)."""
        return (self.views["legal"][:, None] >> np.arange(len(Action)) & 1).astype(bool)


@step_kernel
def open_batch(given: tuple[Any, ...], order: NDArray[np.void]) -> None:
    """A full shoe and no round at every table; arguments as in `step_batch`."""
    tables = BatchTables(*given)
    for at in range(tables.states.size):
        shoe = tables.states[at]["shoe"]
        clear_stamps(shoe)
        tables.places[at]["shoe"] = at - order[0]["stride"]
        shoe["out"] = shoe["size"]
        tables.views[at]["hand"] = 0
        tables.views[at]["legal"] = 0


@step_kernel
def step_batch(
    given: tuple[Any, ...],
    actions: NDArray[np.int64],
    bets: NDArray[np.float64],
    order: NDArray[np.void],
    record: RulesArray,
    pace: int,
) -> int:
    """Carry out one action per table; finished rounds are settled and the next dealt. The first illegal table, or −1.

    `given` are the fields of BatchTables as a plain tuple, which numba takes faster than a named one; `actions` is
    int64 (n,), `bets` float64 (n,) for the rounds that are dealt, `order` ORDER (1,), `record` RULES (1,). Nothing
    changes if any action is illegal.
    """
    tables, rules = BatchTables(*given), rules_of(record[0])
    states, views = tables.states, tables.views
    for at in range(states.size):
        legal = int(views[at]["legal"])
        if legal != 0 and (actions[at] < WAIT or (actions[at] >= 0 and not legal >> actions[at] & 1)):
            return at
    for at in range(states.size):
        tables.nets[at] = 0
        tables.ended[at] = 0
        if actions[at] == WAIT:
            continue
        if views[at]["legal"] == 0:
            tables.bets[at] = bets[at]
            _deal_on(tables, at, order[0], pace, rules)
            continue
        before = int(states[at]["active"])
        active = apply(states[at], before, actions[at], rules) if before != NOBODY else NOBODY
        if active == NOBODY:
            look(states[at], max(before, 1), views[at] if pace == LINGER else tables.finals[at], rules)
            _settle_into(tables, at, rules)
            if pace != LINGER:
                tables.bets[at] = bets[at]
                _deal_on(tables, at, order[0], pace, rules)
        else:
            look(states[at], active, views[at], rules)
    return -1


@rule
def _settle_into(tables: BatchTables, at: int, rules: TableRules) -> None:
    round = tables.states[at]
    tables.nets[at] += round["net"] * tables.bets[at]
    tables.ended[at] += 1
    collect(round["shoe"], cards_on_table(round, rules))


@rule
def _deal_on(tables: BatchTables, at: int, order: Order, pace: int, rules: TableRules) -> None:
    """Deal rounds until one needs a decision; those that naturals end at once are settled on the way, or shown."""
    round, place, view = tables.states[at], tables.places[at], tables.views[at]
    active = deal(round, next_key(round["shoe"], place, order), UNLIMITED, rules)
    while active == NOBODY and pace == DEAL_ON:
        _settle_into(tables, at, rules)
        active = deal(round, next_key(round["shoe"], place, order), UNLIMITED, rules)
    look(round, active, view, rules)
    if active == NOBODY:
        view["legal"] = 1 << Action.STAND
