"""What splits bring under a fixed play, as one sum over final hands."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split import SplitOrders, SplitPlay, follow_splits, removals, split_live, split_weights
from holecard.blackjack.exact.supply import Draws, Supply, takes_one_bet
from holecard.blackjack.game.rules import TableRules


class SplitOdds(NamedTuple):
    """A split's net, ready to be summed over any play: every order of every final hand counts one entry.

    net = Σ orders × bets × `other` (`pair`, if the second card is a pair card) − `bet` − Σ doubles × `double_bet`.
    """

    other: NDArray[np.float64]
    """(10, m)."""
    pair: NDArray[np.float64]
    """(10, m)."""
    bet: NDArray[np.float64]
    """(10, 10): by upcard and pair card."""
    double_bet: NDArray[np.float64]
    """(10, 10, 10): by upcard, pair card and second card."""


def split_odds(odds: Odds, stands: NDArray[np.float64], resplit: NDArray[np.float64]) -> SplitOdds:
    """A split's net as a sum over final hands, for given shares of resplits; `stands` as `Odds.stands`."""
    any_card, pair_card = split_weights(odds.chances, odds.table, resplit)
    m = len(odds.slots.hand)
    other, pair = np.empty((2, N_VALUES, m))
    ready = SplitOdds(other, pair, np.zeros((N_VALUES,) * 2), np.zeros((N_VALUES,) * 3))
    _fill_finals(odds.hands, odds.slots, odds.draws, stands, any_card, pair_card, ready.other, ready.pair)
    _fill_bets(odds.supply, odds.table, stands.shape[2], any_card, pair_card, ready)
    return ready


@kernel
def _fill_finals(
    hands: Hands,
    slots: Slots,
    draws: Draws,
    values: NDArray[np.float64],
    any_card: NDArray[np.float64],
    pair_card: NDArray[np.float64],
    other: NDArray[np.float64],
    paired: NDArray[np.float64],
) -> None:
    """Weigh `values` (10, m, removals) by the chance of one order of a split hand's cards, summed over removals."""
    ways = np.ones(len(hands.size))
    for upcard in range(N_VALUES):
        for hand in range(1, len(ways)):
            value = hands.highest[hand]
            gone = hands.cards[hand, value] - 1 + (value == upcard)
            ways[hand] = ways[hands.parent[hand]] * draws.ways[value, gone, 1]
        for slot in range(len(slots.hand)):
            hand, pair = slots.hand[slot], slots.pair[slot]
            pairs, size = hands.cards[hand, pair] - 1, hands.size[hand] - 1
            any_worth = pair_worth = 0.0
            for r in range(values.shape[2]):
                worth = values[upcard, slot, r]
                if worth != 0.0:  # most hands have none: the play does not reach them
                    chance = draws.ways[pair, 2 + r + (upcard == pair), pairs] * draws.inverse[3 + r, size]
                    any_worth += any_card[upcard, pair, r] * chance * worth
                    pair_worth += pair_card[upcard, pair, r] * chance * worth
            other[upcard, slot] = ways[slots.rest[slot]] * any_worth
            paired[upcard, slot] = ways[slots.rest[slot]] * (any_worth + pair_worth)


@kernel
def _fill_bets(
    supply: Supply,
    rules: TableRules,
    removals: int,
    any_card: NDArray[np.float64],
    pair_card: NDArray[np.float64],
    ready: SplitOdds,
) -> None:
    """Fill the bets of `SplitOdds`: live rounds only."""
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES):
            for r in range(removals):
                weight = any_card[upcard, pair, r]
                ready.bet[upcard, pair] += weight * split_live(supply, pair, upcard, r, -1, rules)
                unseen = supply.size - supply.step * (3 + r)
                for value in range(N_VALUES):
                    gone = (value == upcard) + (2 + r) * (value == pair)
                    left = supply.counts[value] - supply.step * gone
                    if left > 0.5 and unseen > 0.5:
                        drawn = left / unseen * split_live(supply, pair, upcard, r, value, rules)
                        ready.double_bet[upcard, pair, value] += weight * drawn
                        if value == pair:
                            ready.bet[upcard, pair] += pair_card[upcard, pair, r] * drawn
                            ready.double_bet[upcard, pair, value] += pair_card[upcard, pair, r] * drawn


def split_visits(odds: Odds, resplit: NDArray[np.float64]) -> SplitOdds:
    """`split_odds` where every final hand is worth 1 in a live round: counts how often hands come up."""
    hands, slots, table = odds.hands, odds.slots, odds.table
    live = np.ones((N_VALUES, len(slots.hand), removals(table)))
    if takes_one_bet(table):
        for upcard, other in ((ACE, TEN), (TEN, ACE)):
            gone = hands.cards[slots.hand, other][:, None] + (slots.pair == other)[:, None] * (
                1 + np.arange(live.shape[2])
            )
            left = np.maximum(odds.supply.counts[other] - odds.supply.step * gone, 0.0)
            unseen = odds.supply.size - odds.supply.step * (
                hands.size[slots.hand][:, None] + 2 + np.arange(live.shape[2])
            )
            live[upcard] = 1.0 - left / np.maximum(unseen, 1.0)
    return split_odds(odds, live, resplit)


def split_net(odds: Odds, play: SplitPlay, ready: SplitOdds) -> NDArray[np.float64]:
    """The net of splitting under a fixed play, shape (10, 10) by upcard and pair card."""
    return net_of_orders(odds, play, orders_of(odds, play), ready)


def orders_of(odds: Odds, play: SplitPlay) -> SplitOrders:
    """The orders in which a fixed play ends on split hands."""
    orders = SplitOrders(*np.zeros((2, N_VALUES, len(odds.slots.hand))))
    follow_splits(odds.slots, odds.supply, play, orders)
    return orders


def net_of_orders(odds: Odds, play: SplitPlay, orders: SplitOrders, ready: SplitOdds) -> NDArray[np.float64]:
    """`split_net` of a play whose orders are known."""
    nets = -ready.bet
    for pair, (start, end) in enumerate(pairwise(odds.slots.first)):
        nets[:, pair] += np.einsum("us,us->u", orders.other[:, start:end], ready.other[:, start:end])
        nets[:, pair] += np.einsum("us,us->u", orders.pair[:, start:end], ready.pair[:, start:end])
    doubled = np.where(odds.slots.opened == BUST, 0.0, play.double[:, odds.slots.opened])
    result: NDArray[np.float64] = nets - (doubled * ready.double_bet).sum(axis=2)
    return result
