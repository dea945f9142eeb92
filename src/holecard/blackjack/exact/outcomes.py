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

from holecard.blackjack.exact.best_chart import split_shares
from holecard.blackjack.exact.fixed import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Play, worth_of
from holecard.blackjack.exact.hands import ACE, TEN
from holecard.blackjack.exact.joint import all_visits, joint_laws
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.player import after_a_card
from holecard.blackjack.exact.terms import NETS, terms_of
from holecard.blackjack.game.rules import EARLY_SURRENDER
from holecard.executor import in_order

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
        for (upcard, pair), law in _split_laws(odds, play, shares).items():
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


def _split_laws(odds: Odds, play: Play, shares: NDArray[np.float64]) -> dict[tuple[int, int], tuple[float, ...]]:
    """P(win), P(push) and the expected square of the net of every split that is played, by upcard and pair card."""
    splits = [(int(upcard), int(pair)) for upcard, pair in zip(*np.nonzero(shares), strict=True)]
    visits = all_visits(odds, play)
    terms = {split: terms_of(odds, play.after, split[1], split[0], visits) for split in splits}
    longest_first = sorted(splits, key=lambda split: -len(terms[split].key))

    def laws_of(split: tuple[int, int]) -> NDArray[np.float64]:
        return joint_laws(odds, play, split[1], split[0], terms[split])

    laws = {longest_first[-1]: laws_of(longest_first.pop())}  # loads the kernels, for which threads would wait in turn
    laws |= zip(longest_first, in_order(laws_of, longest_first), strict=True)
    return dict(zip(splits, _results(np.stack([laws[split] for split in splits])), strict=True))


def _results(laws: NDArray[np.float64]) -> list[tuple[float, ...]]:
    """P(win), P(push) and the expected square of the net of each split, from `joint.joint_laws` of all, stacked."""
    win, push, square = np.zeros((3, len(laws)))
    for at in range(laws.shape[1]):
        hands, law = at + 2, laws[:, at]
        total = law.sum(axis=1)
        square += hands * (total.sum(axis=2) * _NET**2).sum(axis=1)
        square += hands * (hands - 1) * np.einsum("i,sij,j->s", _NET, total, _NET)
        nets, sums = _superpose(law, hands), sum(np.meshgrid(*[_NET] * hands, indexing="ij"))
        win += nets[:, sums > 0].sum(axis=1)
        push += nets[:, sums == 0].sum(axis=1)
    return list(zip(win.tolist(), push.tolist(), square.tolist(), strict=True))


def _superpose(law: NDArray[np.float64], hands: int) -> NDArray[np.float64]:
    """The joint laws of so many hands' nets, shape (splits, 5, …, 5), from those of two by end (splits, ends, 5, 5).

    For two hands this is the law itself. For more: Π pairs / Π singles, scaled to each end's probability.
    """
    if hands == 2:
        return law.sum(axis=1)
    chance = law.sum(axis=(2, 3))
    scale = np.where(chance > _NOTHING, chance, 1.0)[:, :, None, None]
    two = np.where(chance[:, :, None, None] > _NOTHING, law / scale, 0.0)
    one = two.sum(axis=3)
    one = np.where(one > _NOTHING, one, 0.0)
    both = one[:, :, :, None] * one[:, :, None, :]
    ratio = np.divide(two, both, out=np.zeros_like(two), where=both > 0.0)
    nets = np.ones(chance.shape + (NETS,) * hands)
    for i in range(hands):
        nets *= one.reshape(chance.shape + tuple(NETS if axis == i else 1 for axis in range(hands)))
        for j in range(i + 1, hands):
            nets *= ratio.reshape(chance.shape + tuple(NETS if axis in (i, j) else 1 for axis in range(hands)))
    weight = nets.reshape(*chance.shape, -1).sum(axis=2)
    factor = np.divide(chance, weight, out=np.zeros_like(chance), where=(chance > _NOTHING) & (weight > 0.0))
    joint: NDArray[np.float64] = np.einsum("se...,se->s...", nets, factor)
    return joint
