"""Many rounds side by side, one decision each per step: for players that think in arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.dealing import fill
from holecard.blackjack.round import ROUND
from holecard.blackjack.rules import Rules
from holecard.blackjack.shoe import Composition, check_deck
from holecard.blackjack.stepping import PLACE, VIEW, deal_batch, order_of, rules_record, step_batch
from holecard.blackjack.strategy import Action
from holecard.errors import HolecardError, IllegalAction


class Batch:
    """`n` tables of one seed: with fresh shoes, table i plays rounds i, i + n, i + 2n … of `simulate`'s.

    >>> batch = Batch(Rules.preset("casino"), n=4, seed=1)
    >>> views = batch.deal()
    >>> nets, ended = batch.step(np.where(views["total"] < 17, Action.HIT, Action.STAND))
    >>> nets.shape, ended.shape
    ((4,), (4,))
    """

    def __init__(
        self, rules: Rules | None = None, n: int = 1024, seed: int = 0, *, deck: Composition | None = None
    ) -> None:
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
        self._places, self._record = np.zeros(n, PLACE), rules_record(self.rules)
        self._order = order_of(self.rules, deck, seed, stride=n)
        self._nets, self._ended = np.zeros(n, np.int64), np.zeros(n, np.int64)

    def deal(self) -> NDArray[np.void]:
        """Deal the first rounds; what each player sees. Rounds that naturals ended at once are in `results`."""
        deal_batch(self.states, self._record, self._places, self._order, self.views, self._nets, self._ended)
        return self.views

    @property
    def results(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Of the last deal or step: base bets won in rounds that ended, and how many ended, each of shape (n,)."""
        return self._nets / self.rules.unit, self._ended.copy()

    def step(self, actions: NDArray[np.integer]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Carry out one action per table and deal the next round where one has ended; `results`.

        An illegal action anywhere changes nothing and raises `IllegalAction`.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != self.states.shape:
            raise IllegalAction(f"one action per table: shape {self.states.shape}; got {chosen.shape}")
        illegal = step_batch(
            self.states, self._record, chosen, self._places, self._order, self.views, self._nets, self._ended
        )
        if illegal >= 0:
            bits = int(self.views[illegal]["legal"])
            legal = ", ".join(action.name.lower() for action in Action if bits >> action & 1)
            raise IllegalAction(f"table {illegal} cannot take action {chosen[illegal]}; legal there: {legal}")
        return self.results

    def legal(self) -> NDArray[np.bool_]:
        """Which actions are legal, bool of shape (n, 7)."""
        return (self.views["legal"][:, None] >> np.arange(len(Action)) & 1).astype(bool)
