"""Everything about a game that does not depend on how the player plays it, computed once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.dealer import standings
from holecard.blackjack.exact.dealer_totals import dealer_totals
from holecard.blackjack.exact.exhaustion import refuse_exhaustion
from holecard.blackjack.exact.first_hands import FirstHands, first_hands_of, first_returns_of
from holecard.blackjack.exact.hands import N_VALUES, Hands, all_hands
from holecard.blackjack.exact.resplits import PairProbabilities, count_removed, pair_probabilities
from holecard.blackjack.exact.returns import (
    NOT_ALLOWED,
    Returns,
    Standing,
    action_returns,
    mean_after_card,
    standing_of,
)
from holecard.blackjack.exact.slots import Slots, all_slots, split_stands
from holecard.blackjack.exact.supply import FallingFactorials, Supply, falling_factorials, supply_of
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.hand import has_looked
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition


@dataclass(frozen=True, kw_only=True, eq=False)
class Odds:
    """A game's cards, its dealer and what one unsplit hand can bring: n hands, m slots, o rows of first hands.

    First hands of many decks may be had together (`many`): then arrays that depend on the deck have one more axis.
    """

    rules: Rules
    """The rules as a player names them."""
    table_rules: TableRules
    """The same as kernels take them."""
    factorials: FallingFactorials
    """The probabilities of draws from the shoe."""
    hands: Hands
    """All unsplit hands."""
    slots: Slots
    """All split hands."""
    dealer: NDArray[np.float64]
    """(n, 10, bins): where the dealer stands, see `dealer_totals.dealer_totals`."""
    returns: Returns
    """What the actions of every unsplit hand return."""
    pairs: PairProbabilities
    """How likely pairs are and further cards like them."""
    first_hands: FirstHands
    """First hands, how likely they are and what they may do."""
    first_returns: NDArray[np.float64]
    """(o, 10, 5): what each `Action` returns on a first hand, `NOT_ALLOWED` where it is not; no splits yet."""

    @classmethod
    def of(cls, rules: Rules, deck: Composition | None = None) -> Odds:
        """The odds of a full shoe of these rules, or of a given deck; refuses a deck that can run out."""
        table_rules, supply = rules.table(), supply_of(rules, deck)
        hands, slots = all_hands(rules.limit, rules.ace_bonus), all_slots(rules.limit, rules.ace_bonus)
        refuse_exhaustion(hands, supply, table_rules)
        factorials = falling_factorials(supply, rules.limit)
        dealer = dealer_totals(rules.limit, factorials, table_rules)
        returns = action_returns(hands, supply, table_rules, dealer)
        pairs = pair_probabilities(factorials, table_rules)
        first_hands = first_hands_of(hands, supply, pairs, table_rules)
        return cls(
            rules=rules,
            table_rules=table_rules,
            factorials=factorials,
            hands=hands,
            slots=slots,
            dealer=dealer,
            returns=returns,
            pairs=pairs,
            first_hands=first_hands,
            first_returns=first_returns_of(rules, returns, first_hands),
        )

    @property
    def supply(self) -> Supply:
        """The cards of the shoe."""
        return self.factorials.supply

    @cached_property
    def sequence_probability(self) -> NDArray[np.float64]:
        """(n, 10): P(the upcard, then a hand's cards in one given sequence)."""
        cards, factorials, supply = self.hands.cards, self.factorials, self.supply
        probability = np.empty((len(cards), N_VALUES))
        for upcard in range(N_VALUES):
            gone = (np.arange(N_VALUES) == upcard).astype(np.int64)
            of_hand = factorials.of_value[np.arange(N_VALUES), gone, cards].prod(axis=1)
            inverse = factorials.inverse[1, self.hands.size]
            probability[:, upcard] = of_hand * inverse * supply.counts[upcard] / supply.size
        return probability

    @cached_property
    def push(self) -> NDArray[np.float64]:
        """(n, 10): P(the hand pushes if it stands); a charlie is paid at once."""
        pushes = (standings(self.table_rules) == 0.0)[self.hands.total]
        pushes &= (self.hands.size < self.table_rules.charlie)[:, None]
        push: NDArray[np.float64] = np.einsum("hub,hb->hu", self.dealer, pushes)
        return push

    @cached_property
    def stand_outcomes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """P(win) and P(push) of a stand, (n, 10) each."""
        return (self.returns.stand - self.push) / 2.0, self.push

    @cached_property
    def double_outcomes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """P(win) and P(push) of a double on hands of two cards, or of any number where the rules allow that."""
        n = len(self.hands.size) if self.table_rules.double_any_cards else self.hands.openings
        won, pushed = (mean_after_card(self.hands, self.supply, outcome, n) for outcome in self.stand_outcomes)
        return won, pushed

    @cached_property
    def standing(self) -> Standing:
        """What the rules say of every unsplit hand: whether it has ended, whether it may be doubled."""
        return standing_of(self.hands, self.table_rules)

    @cached_property
    def stands(self) -> NDArray[np.float64]:
        """(10, m, numbers of pair cards gone): what standing returns on every split hand, see `slots.split_stands`."""
        return _stands_of(_Dealing.of(self.factorials, self.table_rules))

    @cached_property
    def in_play(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """P(the round is still in play) at a later decision and at the first, (n, 10) each; see `worth`.

        Below 1 where the dealer has looked: a natural would have ended it.
        """
        later, first = (
            [has_looked(upcard + 1, is_first, self.table_rules) for upcard in range(N_VALUES)]
            for is_first in (False, True)
        )
        return np.where(later, self.returns.live, 1.0), np.where(first, self.returns.live, 1.0)

    def with_splits(self, split_net: NDArray[np.float64]) -> NDArray[np.float64]:
        """`first_returns` with splits in it, whose net of live rounds is given by upcard and pair card."""
        returns = self.first_returns.copy()
        rows = np.flatnonzero(self.first_hands.pair >= 0)
        pairs = self.first_hands.pair[rows]
        split = np.swapaxes(split_net[..., pairs], -1, -2) + self.returns.live[..., rows, :]
        can_split = np.swapaxes(self.first_hands.can_split[..., pairs], -1, -2)
        returns[..., Action.SPLIT][..., rows, :] = np.where(can_split, split, NOT_ALLOWED)
        return returns


_OF_PLAY: Final[dict[str, Any]] = {
    **dict.fromkeys(("double_low", "double_high", "surrender", "unit", "natural_pays"), 0),
    **dict.fromkeys(("double_soft", "double_any_cards", "double_after_split", "double_split_aces"), False),
    **dict.fromkeys(("resplit_aces", "hit_split_aces", "insurance"), False),
}
"""Rules that say what a player may do and is paid: what standing returns is the same whatever they are."""


@dataclass(frozen=True, slots=True)
class _Dealing:
    """A shoe and the rules that the dealer goes by: equal for tables that differ in what players may do."""

    cards: tuple[float, ...]
    rules: TableRules
    factorials: FallingFactorials = field(compare=False)

    @classmethod
    def of(cls, factorials: FallingFactorials, rules: TableRules) -> _Dealing:
        supply = factorials.supply
        cards = (*supply.counts.tolist(), *supply.tens.tolist(), supply.size, supply.depletion)
        return cls(cards, rules._replace(**_OF_PLAY), factorials)


@lru_cache(maxsize=4)
def _stands_of(dealing: _Dealing) -> NDArray[np.float64]:
    """`Odds.stands`, kept for the last few shoes and dealers: nearly half of the work on a chart."""
    rules = dealing.rules
    slots = all_slots(rules.limit, rules.ace_bonus)
    wanted = np.full((N_VALUES, len(slots.hand)), rules.max_hands > 1)
    return split_stands(slots, dealing.factorials, rules, wanted, count_removed(rules))
