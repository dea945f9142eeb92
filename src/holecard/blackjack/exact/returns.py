"""What each action brings back, for every hand and upcard, before splits.

The unit is the *return*: what comes back of an initial bet of one, 2 for a win, 1 for a push, 0 for a loss, so that
ev = return − 1. Where a dealer's natural takes one bet and nothing more (peek, original bets only), returns count
only what happens without a natural; the natural's own part of the return is 0. That spares all conditioning: a draw
is a plain average over the unseen cards, a bust is worth 0, and the best action is the same either way.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.dealer import natural_probabilities
from holecard.blackjack.exact.hands import BUST, N_VALUES, Hands
from holecard.blackjack.exact.supply import Supply, takes_one_bet
from holecard.blackjack.game.hand import is_doubling_total
from holecard.blackjack.game.rules import EARLY_SURRENDER, LATE_SURRENDER, TableRules

NOT_ALLOWED: Final = -np.inf
TIE: Final = 1e-12
"""Returns closer than this are equal: the plainer action (stand, then hit, then double) is then the best one."""


class Returns(NamedTuple):
    """Returns of one hand's actions under best play; n hands, the first `openings` of at most two cards."""

    stand: NDArray[np.float64]
    """(n, 10): by hand and upcard."""
    hit: NDArray[np.float64]
    """(n, 10): one more card, then the best of hit and stand."""
    double: NDArray[np.float64]
    """(openings, 10): one more card on a second bet, whether allowed or not."""
    surrender: NDArray[np.float64]
    """(openings, 10): `NOT_ALLOWED` where there is none."""
    natural: NDArray[np.float64]
    """(n, 10): P(the hole card makes ace-ten)."""
    live: NDArray[np.float64]
    """(n, 10): P(play counts); 1 where a dealer's natural takes every bet."""


@rule
def has_ended(total: int, size: int, rules: TableRules) -> bool:
    """True if nothing can be done with a hand any more: it reached the limit or the charlie."""
    return total == rules.limit or size >= rules.charlie


@rule
def may_double(total: int, soft: bool, rules: TableRules) -> bool:
    """True if a two-card hand of this total may be doubled (before a split)."""
    return total < rules.limit and is_doubling_total(total, soft, rules)


def action_returns(hands: Hands, supply: Supply, rules: TableRules, dealer: NDArray[np.float64]) -> Returns:
    """The returns of every action but split; `dealer` is `dealer.dealer_totals`."""
    natural = natural_probabilities(hands, supply)
    live = 1.0 - natural if takes_one_bet(rules) else np.ones_like(natural)
    counted = 1.0 - natural if rules.dealer_naturals else np.ones_like(natural)
    stand = _stand_returns(hands, rules, dealer, counted, live)
    hit = np.zeros_like(stand)
    _fill_hit(hands, supply, rules, stand, hit)
    # Two bets fare alike: net = 2 × (return − live), and a return is net + live.
    double = 2.0 * mean_after_card(hands, supply, stand) - live[: hands.openings]
    return Returns(stand, hit, double, _surrender_returns(rules, natural[: hands.openings]), natural, live)


def _stand_returns(
    hands: Hands,
    rules: TableRules,
    dealer: NDArray[np.float64],
    counted: NDArray[np.float64],
    live: NDArray[np.float64],
) -> NDArray[np.float64]:
    """2, less 2 for a better dealer's total and 1 for an equal one; a charlie always gets 2."""
    level = (hands.total - rules.target)[:, None]
    bins = np.arange(dealer.shape[2])
    lost = np.where(bins > level, 2.0, np.where(bins == level, 1.0, 0.0))
    stand = 2.0 * counted - np.einsum("hub,hb->hu", dealer, lost)
    return np.where((hands.size >= rules.charlie)[:, None], 2.0 * live, stand)


def _surrender_returns(rules: TableRules, natural: NDArray[np.float64]) -> NDArray[np.float64]:
    if rules.surrender == EARLY_SURRENDER:
        return np.full_like(natural, 0.5)
    if rules.surrender == LATE_SURRENDER:
        return 0.5 * (1.0 - natural)
    return np.full_like(natural, NOT_ALLOWED)


@kernel
def _fill_hit(
    hands: Hands, supply: Supply, rules: TableRules, stand: NDArray[np.float64], hit: NDArray[np.float64]
) -> None:
    """Fill `Returns.hit`, from the largest hands down: the mean of max(stand, hit) over the next card."""
    best = np.empty_like(stand)
    for hand in range(len(hands.size) - 1, 0, -1):
        unseen = supply.size - supply.depletion * (hands.size[hand] + 1)
        if unseen > 0.5:
            mean_of_draw(hands, supply, hand, unseen, best, hit[hand])
        ended = has_ended(hands.total[hand], hands.size[hand], rules)
        for upcard in range(N_VALUES):
            best[hand, upcard] = stand[hand, upcard] if ended else max(stand[hand, upcard], hit[hand, upcard])


@rule
def mean_of_draw(
    hands: Hands, supply: Supply, hand: int, unseen: float, values: NDArray[np.float64], mean: NDArray[np.float64]
) -> None:
    """The mean of `values` (n, 10) over the next card of a hand, into `mean` (10,), which holds zeros; a bust counts 0.

    The next card is one of `unseen` cards. The sum is that of all cards beside the hand; the upcard, which is one of
    them, is then taken out of its own column.
    """
    for value in range(N_VALUES):
        grown = hands.grown[hand, value]
        left = supply.counts[value] - supply.depletion * hands.cards[hand, value]
        if grown != BUST and left > 0.5:
            for upcard in range(N_VALUES):
                mean[upcard] += left * values[grown, upcard]
            mean[value] -= supply.depletion * values[grown, value]
    for upcard in range(N_VALUES):
        mean[upcard] /= unseen


def mean_after_card(hands: Hands, supply: Supply, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of `values` (n, 10) after one more card on a two-card hand, shape (openings, 10); a bust counts 0."""
    cards, grown = hands.cards[: hands.openings], hands.grown[: hands.openings]
    left = supply.counts[:, None] - supply.depletion * (cards[:, :, None] + np.eye(N_VALUES))
    grown_values = np.where((grown == BUST)[:, :, None], 0.0, values[grown])
    unseen = max(supply.size - 3.0 * supply.depletion, 1.0)
    mean: NDArray[np.float64] = (np.maximum(left, 0.0) * grown_values).sum(axis=1) / unseen
    return mean
