"""The law of a round's net result under a fixed play: wins, pushes, losses and the standard deviation.

Everything is exact but one thing: the sign of a round that ends with three or four split hands. Its hands' joint law is
put together from the exact laws of one and of two hands, given the dealer's end (a superposition of pairs); listing
triples and fours of final hands would take minutes. Such rounds are 0.4 % of all; see `docs/exact-solver.md` for how
little this moves. The standard deviation needs pairs only and is exact. Insurance is left out of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart import split_shares
from holecard.blackjack.exact.fixed import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Play, worth_of
from holecard.blackjack.exact.hands import ACE, TEN
from holecard.blackjack.exact.joint import all_visits, joint_laws
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.player import after_a_card
from holecard.blackjack.exact.terms import NETS
from holecard.blackjack.rules import EARLY_SURRENDER

_NET: Final = np.arange(NETS) - 2.0
_NOTHING: Final = 1e-12
"""Probabilities below this are rounding: they must not be divided by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """How rounds end: shares by the sign of a round's net result, and its spread in initial bets."""

    win: float
    push: float
    lose: float
    stdev: float
    """The standard deviation of a round's net result."""


def outcomes_of(odds: Odds, play: Play) -> Outcomes:
    """How rounds end under a fixed play."""
    win, push = first_outcomes(odds)
    square = _first_squares(odds, push)
    ends = odds.deal[:, :, None] * play.first
    ends[:, :, [HIT, SPLIT]] = 0.0
    worth = worth_of(odds, play)
    stood = worth.orders * odds.chance * (1.0 - play.hit)
    won = float((ends * win).sum() + (stood * (odds.returns.stand - odds.push) / 2.0).sum())
    pushed = float((ends * push).sum() + (stood * odds.push).sum())
    hit = odds.deal * play.first[:, :, HIT]
    squares = float((ends * square).sum()) + float(hit.sum() - (stood * odds.push).sum())
    shares = split_shares(odds, play)
    if shares.any():
        visits = all_visits(odds, play)
        for upcard, pair in zip(*np.nonzero(shares), strict=True):
            law = _split_law(joint_laws(odds, play, int(pair), int(upcard), visits))
            row = odds.hands.find((pair, pair))
            won += shares[upcard, pair] * law[0]
            pushed += shares[upcard, pair] * law[1]
            squares += shares[upcard, pair] * (law[2] + 1.0 - odds.returns.live[row, upcard])
    stdev = sqrt(max(squares - worth.ev**2, 0.0))
    return Outcomes(win=float(won), push=float(pushed), lose=float(1.0 - won - pushed), stdev=stdev)


def first_outcomes(odds: Odds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(win) and P(push) of actions that end a first hand (stand, double, surrender), two arrays (o, 10, 5)."""
    win, push = np.zeros((2, *odds.first.shape))
    won = (odds.returns.stand - odds.push) / 2.0
    win[:, :, STAND], push[:, :, STAND] = won[odds.hand_of], odds.push[odds.hand_of]
    doubled = np.zeros((2, *odds.deal.shape))
    doubled[0] = after_a_card(odds.hands, odds.supply, won)[odds.hand_of]
    doubled[1] = after_a_card(odds.hands, odds.supply, odds.push)[odds.hand_of]
    win[:, :, DOUBLE], push[:, :, DOUBLE] = doubled
    if odds.table.naturals:
        natural = odds.hands.find((ACE, TEN))
        win[natural, :, STAND] = 1.0 - odds.returns.natural[natural]
        push[natural, :, STAND] = odds.returns.natural[natural]
    return win, push


def _first_squares(odds: Odds, push: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected square of the net of actions that end a first hand, shape (o, 10, 5)."""
    square = 1.0 - push
    live = odds.returns.live[odds.hand_of]
    square[:, :, DOUBLE] = 4.0 * (live - push[:, :, DOUBLE]) + (1.0 - live)
    ace_ten = odds.returns.natural[odds.hand_of]
    square[:, :, SURRENDER] = 0.25 if odds.table.surrender == EARLY_SURRENDER else 0.25 + 0.75 * ace_ten
    if odds.rules.bj is not None:
        natural = odds.hands.find((ACE, TEN))
        square[natural, :, STAND] = float(odds.rules.bj) ** 2 * (1.0 - odds.returns.natural[natural])
    return square


def _split_law(laws: NDArray[np.float64]) -> tuple[float, float, float]:
    """P(win), P(push) and the expected square of a split's net, from `joint.joint_laws`."""
    win = push = square = 0.0
    for at, law in enumerate(laws):
        hands = at + 2
        if np.abs(law).max() == 0.0:
            continue
        total = law.sum(axis=0)
        square += hands * float((total.sum(axis=1) * _NET**2).sum())
        square += hands * (hands - 1) * float(_NET @ total @ _NET)
        nets = _superpose(law, hands)
        sums = sum(np.meshgrid(*[_NET] * hands, indexing="ij"))
        win += float(nets[sums > 0].sum())
        push += float(nets[sums == 0].sum())
    return win, push, square


def _superpose(law: NDArray[np.float64], hands: int) -> NDArray[np.float64]:
    """The joint law of so many hands' nets, shape (5,) * hands, from that of two given the dealer's end (ends, 5, 5).

    For two hands this is the law itself. For more: Π pairs / Π singles, scaled to each end's probability.
    """
    if hands == 2:
        return law.sum(axis=0)
    chance = law.sum(axis=(1, 2))
    joint = np.zeros((NETS,) * hands)
    for end in np.flatnonzero(chance > _NOTHING):
        two = law[end] / chance[end]
        one = two.sum(axis=1)
        one = np.where(one > _NOTHING, one, 0.0)
        both = np.outer(one, one)
        ratio = np.divide(two, both, out=np.zeros_like(two), where=both > 0.0)
        nets = np.ones((NETS,) * hands)
        for i in range(hands):
            nets = nets * one.reshape([-1 if axis == i else 1 for axis in range(hands)])
            for j in range(i + 1, hands):
                nets = nets * ratio.reshape([NETS if axis in (i, j) else 1 for axis in range(hands)])
        joint += nets * (chance[end] / nets.sum())
    return joint
