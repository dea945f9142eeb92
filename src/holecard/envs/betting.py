"""Tables where the first decision of every round is what to bet: a batch whose actions beyond the engine's are bets.

A round goes from its bet over its decisions to its end. The bet is due where the legal bits name bets; then nothing of
the round is dealt, and all that a player knows are the cards seen since the shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import LINGER, WAIT, Batch
from holecard.blackjack.game.round import DEALER
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.stepping import VIEW
from holecard.blackjack.game.table_view import by_value, cards_out, checked_bets
from holecard.errors import IllegalAction, SettingError

FIRST_BET: Final = len(Action)
"""The action that is the first of the bets."""
MOST_CHOICES: Final = 24


def checked_choices(bets: Sequence[float], rules: Rules) -> tuple[float, ...]:
    """Bets to choose from, in base bets, if they are some and the shoe is one to bet by.

    >>> checked_choices((1, 2, 4, 8), Rules(shoe="dealt"))
    (1.0, 2.0, 4.0, 8.0)
    """
    if rules.shoe != "dealt" or rules.is_infinite:
        raise SettingError('bets follow the cards seen; they need shoe="dealt" and 1 to 8 decks')
    if not isinstance(bets, Sequence) or isinstance(bets, str) or not 1 <= len(bets) <= MOST_CHOICES:
        raise SettingError(f"bets are 1 to {MOST_CHOICES} numbers of base bets, such as (1, 2, 4, 8); got {bets!r}")
    return tuple(checked_bets(each) for each in bets)


class BettingBatch(Batch):
    """A batch whose rounds wait for a bet: action `FIRST_BET + i` bets `choices[i]`.

    Paces are those of `Batch`, except that naturals are always shown: they end a round that has been bet on.
    """

    def __init__(self, rules: Rules, n: int, *, pace: int, choices: tuple[float, ...]) -> None:
        super().__init__(rules, n, pace=LINGER)
        self.choices = np.array(choices)
        self._lingers = pace == LINGER
        self._open_bets = ((1 << len(choices)) - 1) << FIRST_BET

    @property
    def betting(self) -> NDArray[np.bool_]:
        """Where a bet is due, bool of shape (n,)."""
        return self.views["legal"] >= 1 << FIRST_BET

    def deal(self, seed: int | None = None) -> NDArray[np.void]:
        """Open the tables: a bet is due everywhere."""
        self.open(seed)
        self._ask(np.ones(self.views.size, np.bool_))
        return self.views

    def step(
        self, actions: NDArray[np.integer], bets: NDArray[np.float64] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Carry out one action per table, a bet where one is due; `bets` is not used: an action says what is bet."""
        chosen, legal = np.array(actions, np.int64), self.views["legal"].astype(np.int64)
        illegal = np.flatnonzero((legal != 0) & (chosen != WAIT) & ~(legal >> np.maximum(chosen, 0) & 1).astype(bool))
        if illegal.size:
            at = illegal[0]
            raise IllegalAction(f"table {at} cannot take action {chosen[at]}; legal there: {self.words(int(at))}")
        betting, over = self.betting & (chosen != WAIT), legal == 0
        made = np.where(betting, self.choices[np.where(betting, chosen - FIRST_BET, 0)], 1.0)
        self.views["legal"][self.betting] = 0
        waits = self.views["legal"] == 0
        nets, ended = super().step(np.where(waits & ~betting, WAIT, np.where(betting, 0, chosen)), made)
        self._ask(over | (waits & ~betting))
        if not self._lingers:
            done = ended > 0
            self.finals[done] = self.views[done]
            self._ask(done)
        return nets, ended

    def _ask(self, where: NDArray[np.bool_]) -> None:
        """Show nothing but the bets there."""
        self.views[where] = np.zeros(1, VIEW)
        self.views["legal"][where] = self._open_bets

    def words(self, at: int) -> str:
        """What is legal at a table, in words."""
        legal = int(self.views[at]["legal"])
        words = [action.word for action in Action if legal >> action & 1]
        words += [f"bet {bets:g}" for number, bets in enumerate(self.choices) if legal >> FIRST_BET + number & 1]
        return ", ".join(words)

    def seen_by_value(self) -> NDArray[np.int64]:
        """Cards seen since the shuffle by value A 2 … 10, int64 (n, 10); a hole card that lies face down is not."""
        seen = cards_out(self.states, self._order)
        hidden = np.flatnonzero((self.views["legal"] != 0) & ~self.betting)
        seen[hidden, self.states["hands"][hidden, DEALER]["cards"][:, 1]] -= 1
        return by_value(seen)
