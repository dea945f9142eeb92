"""Everything about a game that does not depend on how the player plays it, computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.dealer import dealer_table
from holecard.blackjack.exact.hands import ACE, BUST, FIRST_PAIRING, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.player import NOT_ALLOWED, Returns, action_returns, deal_chances, has_ended, may_double
from holecard.blackjack.exact.reach import refuse_exhaustion
from holecard.blackjack.exact.slots import Slots, all_slots, split_stands
from holecard.blackjack.exact.split import PairChances, can_split, pair_chances, removals
from holecard.blackjack.exact.supply import Draws, Supply, draws_of, supply_of
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition

ACTIONS = 5
"""Hit, stand, double, split, surrender: the actions of a first hand, by `Action`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Odds:
    """A game's cards, its dealer and what one unsplit hand can bring.

    First hands have one row each in the order of `Hands`; where tens split by rank only, two different tens have an
    extra last row, because they may not be split. n hands, m slots, o = `hands.openings` + 1 rows of first hands.
    """

    rules: Rules
    table: TableRules
    supply: Supply
    draws: Draws
    hands: Hands
    slots: Slots
    dealer: NDArray[np.float64]
    """(n, 10, bins): where the dealer stands, see `dealer.dealer_table`."""
    returns: Returns
    chances: PairChances
    can_split: NDArray[np.bool_]
    """(10, 10): by upcard and pair card."""
    deal: NDArray[np.float64]
    """(o, 10): P(first hand, upcard)."""
    first: NDArray[np.float64]
    """(o, 10, 5): what each `Action` returns on a first hand, `NOT_ALLOWED` where it is not; no splits yet."""
    pair_of: NDArray[np.int64]
    """(o,): the pair card of a first hand that is a pair, else −1."""
    hand_of: NDArray[np.int64]
    """(o,): the hand of a row."""

    @classmethod
    def of(cls, rules: Rules, deck: Composition | None = None) -> Odds:
        """The odds of a full shoe of these rules, or of a given deck; refuses a deck that can run out."""
        table, supply = rules.table(), supply_of(rules, deck)
        hands, slots = all_hands(rules.limit, rules.ace_bonus), all_slots(rules.limit, rules.ace_bonus)
        refuse_exhaustion(hands, supply, table)
        draws = draws_of(supply, rules.limit)
        dealer = dealer_table(hands, supply, table)
        returns = action_returns(hands, supply, table, dealer)
        chances = pair_chances(supply, draws, table)
        hand_of = np.append(np.arange(hands.openings), max(hands.find((TEN, TEN)), 0))
        pair_of = np.full(len(hand_of), -1, np.int64)
        for pair in range(N_VALUES):
            if hands.find((pair, pair)) != BUST:
                pair_of[hands.find((pair, pair))] = pair
        return cls(
            rules=rules,
            table=table,
            supply=supply,
            draws=draws,
            hands=hands,
            slots=slots,
            dealer=dealer,
            returns=returns,
            chances=chances,
            can_split=can_split(hands, supply, chances, table),
            deal=_deal(hands, supply, chances),
            first=_first_returns(rules, hands, returns, hand_of),
            pair_of=pair_of,
            hand_of=hand_of,
        )

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """(n, 10): P(the upcard, then a hand's cards in one given order)."""
        cards, draws = self.hands.cards, self.draws
        chance = np.empty((len(cards), N_VALUES))
        for upcard in range(N_VALUES):
            gone = (np.arange(N_VALUES) == upcard).astype(np.int64)
            ways = draws.ways[np.arange(N_VALUES), gone, cards].prod(axis=1)
            chance[:, upcard] = ways * draws.inverse[1, self.hands.size] * self.supply.counts[upcard] / self.supply.size
        return chance

    @cached_property
    def push(self) -> NDArray[np.float64]:
        """(n, 10): P(the dealer ends on the hand's own total); a charlie is paid at once."""
        level = self.hands.total - self.table.target
        may = (level >= 0) & (self.hands.size < self.table.charlie)
        push = np.zeros((len(level), N_VALUES))
        push[may] = self.dealer[np.flatnonzero(may), :, level[may]]
        return push

    @cached_property
    def stands(self) -> NDArray[np.float64]:
        """(10, m, removals): what standing returns on every split hand, see `slots.split_stands`."""
        wanted = np.full((N_VALUES, len(self.slots.hand)), self.table.max_hands > 1)
        return split_stands(self.slots, self.supply, self.draws, self.table, wanted, removals(self.table))

    def with_splits(self, nets: NDArray[np.float64]) -> NDArray[np.float64]:
        """`first` with splits in it, whose nets of live rounds are given by upcard and pair card."""
        first = self.first.copy()
        for row in np.flatnonzero(self.pair_of >= 0):
            pair = self.pair_of[row]
            split = nets[:, pair] + self.returns.live[row]
            first[row, :, Action.SPLIT] = np.where(self.can_split[:, pair], split, NOT_ALLOWED)
        return first


@lru_cache(maxsize=4)
def odds_of(rules: Rules, deck: Composition | None = None) -> Odds:
    """`Odds.of`, kept for the last few games."""
    return Odds.of(rules, deck)


def _deal(hands: Hands, supply: Supply, chances: PairChances) -> NDArray[np.float64]:
    deal = np.vstack([deal_chances(hands, supply), np.zeros(N_VALUES)])
    tens = hands.find((TEN, TEN))
    if tens != BUST:
        deal[-1] = deal[tens] * (1.0 - chances.dealt[:, TEN])
        deal[tens] *= chances.dealt[:, TEN]
    return deal


def _first_returns(rules: Rules, hands: Hands, returns: Returns, hand_of: NDArray[np.int64]) -> NDArray[np.float64]:
    table = rules.table()
    first = np.full((len(hand_of), N_VALUES, ACTIONS), NOT_ALLOWED)
    for row, hand in enumerate(hand_of):
        if hand < FIRST_PAIRING:
            continue
        total, soft = int(hands.total[hand]), bool(hands.soft[hand])
        first[row, :, Action.STAND] = returns.stand[hand]
        if has_ended(total, 2, table):
            continue
        first[row, :, Action.HIT] = returns.hit[hand]
        first[row, :, Action.SURRENDER] = returns.surrender[hand]
        if may_double(total, soft, table):
            first[row, :, Action.DOUBLE] = returns.double[hand]
    if rules.bj is not None:
        natural = hands.find((ACE, TEN))
        first[natural, :, Action.STAND] = 1.0 + float(rules.bj) * (1.0 - returns.natural[natural])
    return first
