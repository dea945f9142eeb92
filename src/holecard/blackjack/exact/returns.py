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

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.dealer import standings
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands
from holecard.blackjack.exact.supply import Supply, natural_probability
from holecard.blackjack.game.hand import PLAYING, comes_before_peek, end_of, may_double, natural_takes_one_bet
from holecard.blackjack.game.rules import NO_SURRENDER, TableRules

NOT_ALLOWED: Final = -np.inf
TIE: Final = 1e-12
"""Returns closer than this are equal: the plainer action (stand, then hit, then double) is then the best one."""


class Returns(NamedTuple):
    """Returns of one hand's actions under best play; n hands, the first `openings` of at most two cards."""

    stand: NDArray[np.float64]
    """(n, 10): by hand and upcard."""
    hit: NDArray[np.float64]
    """(n, 10): one more card, then the best of hit and stand, and of double where any cards may be doubled."""
    double: NDArray[np.float64]
    """(n, 10): one more card on a second bet, whether allowed or not; 0 beyond two cards if that is never allowed."""
    surrender: NDArray[np.float64]
    """(openings, 10): `NOT_ALLOWED` where there is none."""
    natural: NDArray[np.float64]
    """(n, 10): P(the hole card makes ace-ten)."""
    live: NDArray[np.float64]
    """(n, 10): P(play counts); 1 where a dealer's natural takes every bet."""


@rule
def has_ended(total: int, size: int, rules: TableRules) -> bool:
    """True if nothing can be done with a hand any more: it reached the limit or the charlie."""
    return end_of(size, total, rules) != PLAYING


@rule
def may_double_unsplit(total: int, soft: bool, size: int, rules: TableRules) -> bool:
    """True if a hand may be doubled before a split."""
    return not has_ended(total, size, rules) and may_double(size, total, soft, False, False, rules)


class Standing(NamedTuple):
    """What the rules say of every unsplit hand, n of them, whatever the cards left."""

    ended: NDArray[np.bool_]
    """(n,): nothing can be done any more, see `has_ended`."""
    doubles: NDArray[np.bool_]
    """(n,): it may be doubled, see `may_double_unsplit`."""


def standing_of(hands: Hands, rules: TableRules) -> Standing:
    """What the rules say of every unsplit hand."""
    standing = Standing(*np.zeros((2, len(hands.size)), np.bool_))
    _mark_hands(hands, rules, standing)
    return standing


@lean_kernel
def _mark_hands(hands: Hands, rules: TableRules, standing: Standing) -> None:
    """Fill `Standing`."""
    for hand in range(len(hands.size)):
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        standing.ended[hand] = has_ended(total, size, rules)
        standing.doubles[hand] = may_double_unsplit(total, soft, size, rules)


def action_returns(hands: Hands, supply: Supply, rules: TableRules, dealer: NDArray[np.float64]) -> Returns:
    """The returns of every action but split; `dealer` is `dealer_totals.dealer_totals`."""
    stand, hit, double, natural, live, best = np.zeros((6, len(hands.size), N_VALUES))
    returns = Returns(stand, hit, double, np.empty((hands.openings, N_VALUES)), natural, live)
    _fill_returns(hands, supply, rules, 1.0 - standings(rules), dealer, best, returns)
    return returns._replace(surrender=surrender_returns(rules, natural[: hands.openings]))


def surrender_returns(rules: TableRules, natural: NDArray[np.float64]) -> NDArray[np.float64]:
    """Half the bet; after the peek, or where there is none, all of it is lost to an ace-ten."""
    if rules.surrender == NO_SURRENDER:
        return np.full_like(natural, NOT_ALLOWED)
    return np.where(before_peek(rules), 0.5, 0.5 * (1.0 - natural))


def before_peek(rules: TableRules) -> NDArray[np.bool_]:
    """Which upcards' first decisions come before the peek, bool of shape (10,); see `hand.comes_before_peek`."""
    return np.array([comes_before_peek(upcard + 1, rules) for upcard in range(N_VALUES)])


@lean_kernel
def _fill_returns(
    hands: Hands,
    supply: Supply,
    rules: TableRules,
    lost: NDArray[np.float64],
    dealer: NDArray[np.float64],
    best: NDArray[np.float64],
    returns: Returns,
) -> None:
    """Fill `Returns` but for surrender, from the largest hands down."""
    for hand in range(len(hands.size) - 1, -1, -1):
        fill_hand(hands, supply, rules, (lost, dealer), hand, (0, N_VALUES), best, returns)


@rule
def fill_hand(
    hands: Hands,
    supply: Supply,
    rules: TableRules,
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    hand: int,
    upcards: tuple[int, int],
    best: NDArray[np.float64],
    returns: Returns,
) -> None:
    """Fill `Returns` of a hand but for surrender, from one upcard up to another.

    All larger hands are filled; its own hits and doubles hold zeros. `ends` are what the dealer's totals take of a bet,
    (limit + 1, bins) by total and bin, and `dealer_totals`; `best` (n, 10) is working space. A hit is the mean of what
    is best after the next card. The two bets of a double fare alike: net = 2 × (return − live), and a return is
    net + live.
    """
    stand, hit, double = returns.stand, returns.hit, returns.double
    total, size = hands.total[hand], hands.size[hand]
    ended, doubles = has_ended(total, size, rules), may_double_unsplit(total, hands.soft[hand], size, rules)
    for upcard in range(upcards[0], upcards[1]):
        _set_stand(hands, supply, rules, ends, hand, upcard, returns)
    unseen = supply.size - supply.depletion * (size + 1)
    if size > 0 and unseen > 0.5:
        mean_of_draw(hands, supply, hand, unseen, best, upcards, hit[hand])
        if size >= 2 and (size == 2 or rules.double_any_cards):
            mean_of_draw(hands, supply, hand, unseen, stand, upcards, double[hand])
    for upcard in range(upcards[0], upcards[1]):
        best[hand, upcard] = stand[hand, upcard] if ended else max(stand[hand, upcard], hit[hand, upcard])
        if size == 2 or rules.double_any_cards:
            double[hand, upcard] = 2.0 * double[hand, upcard] - returns.live[hand, upcard]
            if rules.double_any_cards and doubles:
                best[hand, upcard] = max(best[hand, upcard], double[hand, upcard])


@rule
def _set_stand(
    hands: Hands,
    supply: Supply,
    rules: TableRules,
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    hand: int,
    upcard: int,
    returns: Returns,
) -> None:
    """Set what a stand returns: 2, less 2 for a dealer's total that wins and 1 for a push; a charlie always gets 2."""
    aces = max(supply.counts[ACE] - supply.depletion * hands.cards[hand, ACE], 0.0)
    tens = max(supply.counts[TEN] - supply.depletion * hands.cards[hand, TEN], 0.0)
    unseen = max(supply.size - supply.depletion * (hands.size[hand] + 1), 1.0)
    natural = natural_probability(upcard, aces, tens, unseen)
    live = 1.0 - natural if natural_takes_one_bet(rules) else 1.0
    lost, dealer = ends
    taken = 0.0
    for bin in range(lost.shape[1]):
        taken += dealer[hand, upcard, bin] * lost[hands.total[hand], bin]
    kept = 2.0 * (1.0 - natural) - taken if rules.dealer_naturals else 2.0 - taken
    returns.stand[hand, upcard] = 2.0 * live if hands.size[hand] >= rules.charlie else kept
    returns.natural[hand, upcard] = natural
    returns.live[hand, upcard] = live


@rule
def mean_of_draw(
    hands: Hands,
    supply: Supply,
    hand: int,
    unseen: float,
    values: NDArray[np.float64],
    upcards: tuple[int, int],
    mean: NDArray[np.float64],
) -> None:
    """The mean of `values` (n, 10) over the next card of a hand, into `mean` (10,), which holds zeros; a bust counts 0.

    It is made from one upcard up to another. The next card is one of `unseen` cards. The sum is that of all cards
    beside the hand; the upcard, which is one of them, is then taken out of its own column.
    """
    for value in range(N_VALUES):
        grown = hands.grown[hand, value]
        left = supply.counts[value] - supply.depletion * hands.cards[hand, value]
        if grown != BUST and left > 0.5:
            for upcard in range(upcards[0], upcards[1]):
                mean[upcard] += left * values[grown, upcard]
            if upcards[0] <= value < upcards[1]:
                mean[value] -= supply.depletion * values[grown, value]
    for upcard in range(upcards[0], upcards[1]):
        mean[upcard] /= unseen


def mean_after_card(hands: Hands, supply: Supply, values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """The mean of `values` (all hands, 10) after one more card on each of the first n hands, shape (n, 10).

    A bust counts 0. Hands of fewer than two cards are no hands to draw to: what they hold means nothing.
    """
    cards, grown = hands.cards[:n], hands.grown[:n]
    left = supply.counts[:, None] - supply.depletion * (cards[:, :, None] + np.eye(N_VALUES))
    grown_values = np.where((grown == BUST)[:, :, None], 0.0, values[grown])
    unseen = np.maximum(supply.size - supply.depletion * (np.maximum(hands.size[:n], 2) + 1.0), 1.0)
    mean: NDArray[np.float64] = (np.maximum(left, 0.0) * grown_values).sum(axis=1) / unseen[:, None]
    return mean
