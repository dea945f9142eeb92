"""Many rounds side by side, one decision each per step: for players that think in arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.dealing import fill
from holecard.blackjack.game.round import ROUND
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, check_deck
from holecard.blackjack.game.stepping import DEAL_ON, PLACE, VIEW, deal_batch, order_of, rules_record, step_batch
from holecard.errors import HolecardError, IllegalAction
from holecard.seeds import checked_seed


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
        table: TableRules | None = None,
        pace: int = DEAL_ON,
    ) -> None:
        """`pace` is DEAL_ON, SHOW_NATURALS or LINGER of `stepping`; `table` replaces what `rules` says of play."""
        if n < 1:
            raise HolecardError(f"a batch has 1 table or more; got {n}")
        self.rules = rules or Rules()
        deck = deck or Composition.of_rules(self.rules)
        check_deck(deck, self.rules)
        self.states = np.zeros(n, ROUND)
        fill(self.states[0]["shoe"], deck)
        self.states["shoe"] = self.states[0]["shoe"]
        self.views: NDArray[np.void] = np.zeros(n, VIEW)
        """What each player sees, VIEW of shape (n,)."""
        self.finals: NDArray[np.void] = np.zeros(n, VIEW)
        """The last hand of the round that ended in the last step, VIEW of shape (n,); elsewhere an older one."""
        self.record = rules_record(table or self.rules)
        self._places, self._pace = np.zeros(n, PLACE), pace
        self._order = order_of(self.rules, deck, seed, stride=n)
        self._nets, self._ended = np.zeros(n, np.int64), np.zeros(n, np.int64)

    def deal(self, seed: int | None = None) -> NDArray[np.void]:
        """Deal the first rounds; what each player sees. Rounds that naturals ended at once are in `results`.

        A `seed` takes the place of the one before.
        """
        if seed is not None:
            self._order["seed"] = checked_seed(seed)
        work = self._places, self._order, self.views, self._nets, self._ended
        deal_batch(self.states, self.record, *work, self._pace)
        return self.views

    @property
    def results(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Of the last deal or step: base bets won in rounds that ended, and how many ended, each of shape (n,)."""
        return self._nets / self.rules.unit, self._ended.copy()

    def step(self, actions: NDArray[np.integer]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Carry out one action per table (or `stepping.WAIT`) and deal the next round where one has ended; `results`.

        An illegal action anywhere changes nothing and raises `IllegalAction`.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != self.states.shape:
            raise IllegalAction(f"one action per table: shape {self.states.shape}; got {chosen.shape}")
        work = self._places, self._order, self.views, self.finals, self._nets, self._ended
        illegal = step_batch(self.states, self.record, chosen, *work, self._pace)
        if illegal >= 0:
            bits = int(self.views[illegal]["legal"])
            legal = ", ".join(action.name.lower() for action in Action if bits >> action & 1)
            raise IllegalAction(f"table {illegal} cannot take action {chosen[illegal]}; legal there: {legal}")
        return self.results

    def legal(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool of shape (n, 7)."""
        return (self.views["legal"][:, None] >> np.arange(len(Action)) & 1).astype(bool)
