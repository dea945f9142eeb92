"""One table without a batch: the compiled steps that `Game` stands on, for environments of a single table.

It deals and shows what a `Batch` of one table does that lingers at the end of every round, some ten times as fast.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action, words_of
from holecard.blackjack.game.dealing import clear_stamps, fill
from holecard.blackjack.game.hand import is_pair
from holecard.blackjack.game.round import NOBODY, UNLIMITED
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, check_deck
from holecard.blackjack.game.stepping import VIEW, Seen, deal_one, order_of, step_one, table_record
from holecard.errors import IllegalAction
from holecard.seeds import checked_seed

_STAND, _DECLINE = int(Action.STAND), int(Action.DECLINE)
_ACTIVE, _LEGAL, _N_HANDS = (VIEW.names.index(name) for name in ("hand", "legal", "n_hands"))  # type: ignore[union-attr]
_NEVER: Final = -1
"""In place of legal bits: no round has been dealt yet."""


class OneTable:
    """A table of the environments: rounds of a seed in their order, shown to their end.

    >>> table = OneTable(Rules.preset("casino"))
    >>> table.open(3)
    >>> table.deal()
    >>> table.step(1), table.legal
    (-1.0, 0)
    """

    def __init__(self, rules: Rules, table_rules: TableRules | None = None) -> None:
        self.rules = rules
        deck = Composition.of_rules(rules)
        check_deck(deck, rules)
        table = table_record(table_rules or rules)
        self._memory = table.view(np.uint8)
        self.states, self.record, self._place, self._order = (
            table[name] for name in ("round", "rules", "place", "order")
        )
        fill(self.states[0]["shoe"], deck, dealt=rules.shoe == "dealt")
        table["order"] = order_of(rules, deck, 0)
        self._nets, self._unit = self.states["net"], rules.unit
        self.seen: Seen = (0,) * len(VIEW.names or ())
        """What the player sees, the fields of VIEW; of a finished round, the hand that acted last."""
        self.legal = _NEVER
        """The legal actions as bits `1 << Action`; 0 where the round has ended."""

    def open(self, seed: int) -> None:
        """Begin the rounds of a seed, with a full shoe."""
        self._order["seed"] = checked_seed(seed)
        shoe = self.states[0]["shoe"]
        clear_stamps(shoe)
        shoe["out"] = shoe["size"]
        self._place["shoe"] = -1

    def deal(self) -> None:
        """Deal the next round. One that naturals end at once waits for a stand."""
        self.seen = deal_one(self._memory, UNLIMITED)
        self.legal = self.seen[_LEGAL] or 1 << _STAND

    def step(self, action: int) -> float:
        """Carry out an action; base bets won if that ends the round, else 0. An illegal one changes nothing."""
        if action < 0 or not self.legal >> action & 1:
            raise IllegalAction(f"table 0 cannot take action {action}; legal there: {words_of(self.legal)}")
        hand = self.seen[_ACTIVE]
        if hand != NOBODY:
            self.seen = seen = step_one(self._memory, action)
            if seen[_ACTIVE] != NOBODY:
                self.legal = seen[_LEGAL]
                return 0.0
        self.seen, self.legal = self._last(hand or 1), 0
        net: int = self._nets.item()
        return net / self._unit

    def _last(self, hand: int) -> Seen:
        """What is seen of a finished round: the hand that acted last."""
        seen = self.seen
        if seen[_N_HANDS] > 1:
            last = self.states[0]["hands"][hand]
            names = ("total", "hard", "n_cards", "soft", "has_ace")
            fields = (*(last[name].item() for name in names), bool(is_pair(last, self._table_rules)))
            return (hand, 0, *fields, *seen[8:])
        return (hand, *seen[1:])

    @property
    def _table_rules(self) -> TableRules:
        return TableRules(*self.record[0].tolist())

    def stand_out(self) -> None:
        """Play a round that was left in the middle to its end."""
        while self.legal > 0:
            self.step(self.way_out)

    @property
    def way_out(self) -> int:
        """What ends a hand's decisions: to stand, or first to decline insurance."""
        return _STAND if self.legal >> _STAND & 1 else _DECLINE

    @property
    def views(self) -> NDArray[np.void]:
        """The same as a VIEW array of one element, with the legal actions of this table."""
        shown: list[Any] = list(self.seen)
        shown[_LEGAL] = self.legal
        return np.array([tuple(shown)], VIEW)
