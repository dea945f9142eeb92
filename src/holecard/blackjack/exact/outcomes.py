"""How a round's net result is distributed under a fixed play: wins, pushes, losses and the standard deviation.

Everything is exact but one thing: the sign of a round that ends with three or four split hands. The joint distribution
of its hands is put together from the exact ones of one and of two hands, given the dealer's end (Kirkwood's
superposition closure); listing triples and fours of final hands would take minutes. Such rounds are 0.3 % of all, and
`Outcomes.error` says how far off the shares can be at most. The standard deviation needs pairs only and is exact.
Insurance is left out of both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.chart_play import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Play
from holecard.blackjack.exact.hands import ACE, TEN
from holecard.blackjack.exact.joint import JointSpace, joint_distribution, joint_space
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.outcome_bounds import ManyHands, error_of
from holecard.blackjack.exact.play_value import split_probability, value_of_play
from holecard.blackjack.exact.returns import before_peek
from holecard.blackjack.exact.split_play import reached_sequences
from holecard.blackjack.exact.terms import NETS, terms_of
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
    many_hands: ManyHands | None = field(default=None, repr=False, compare=False)
    """Rounds that end with more than two hands, if their shares are not exact."""

    @property
    def error(self) -> float:
        """The most by which `win`, `push` or `lose` can be off, proven; 0 where they are exact."""
        return 0.0 if self.many_hands is None else error_of(self.many_hands)


class _SplitOutcome(NamedTuple):
    """How rounds that begin with a split end, in live rounds."""

    win: float
    push: float
    square: float
    """The expected square of the net."""


class SplitLaw(NamedTuple):
    """The law of two hands that remember every card, for splits that no `SplitPlay` can tell."""

    net: NDArray[np.float64]
    """(10, 10): by upcard and pair card, the net of splitting in live rounds."""
    law: NDArray[np.float64]
    """(10, 10, 9): P(the net of both hands, −4 … 4) in live rounds."""


def outcomes_of(odds: Odds, play: Play, splits: SplitLaw | None = None) -> Outcomes:
    """How rounds end under a fixed play: by a first hand's own action, by a stand after hits, or split.

    Splits are played as `play` says, or end as `splits` says.
    """
    win, push = first_outcomes(odds)
    square = _first_squares(odds, push)
    ends = odds.first_hands.probability[:, :, None] * play.first
    ends[:, :, [HIT, SPLIT]] = 0.0
    value = value_of_play(odds, play, splits.net if splits else None)
    reached = value.sequences * odds.sequence_probability
    stood = reached * (1.0 - play.hit - play.double)
    stand_win, stand_push = odds.stand_outcomes
    won = float((ends * win).sum() + (stood * stand_win).sum())
    pushed = float((ends * push).sum() + (stood * stand_push).sum())
    hit = odds.first_hands.probability * play.first[:, :, HIT]
    squares = float((ends * square).sum()) + float(hit.sum() - (stood * stand_push).sum())  # one bet: 1 but for a push
    if odds.table_rules.double_any_cards:
        (double_win, double_push), doubled = odds.double_outcomes, reached * play.double
        won += float((doubled * double_win).sum())
        pushed += float((doubled * double_push).sum())
        # Two bets: 4 but for a push, in live rounds; the 1 that `hit` has counted stays where a natural takes one bet.
        squares += float((doubled * (3.0 * odds.returns.live - 4.0 * double_push)).sum())
    split, many = split_probability(odds, play), None
    if split.any():
        if splits:
            of_splits = _outcomes_of_law(splits.law, split)
        else:
            of_splits, many = _split_outcomes(odds, play, split)
        for (upcard, pair), outcome in of_splits.items():
            row = odds.hands.find((pair, pair))
            won += split[upcard, pair] * outcome.win
            pushed += split[upcard, pair] * outcome.push
            squares += split[upcard, pair] * (outcome.square + 1.0 - odds.returns.live[row, upcard])
    stdev = sqrt(max(squares - value.ev**2, 0.0))
    lost = float(1.0 - won - pushed)
    return Outcomes(win=float(won), push=float(pushed), lose=lost, stdev=stdev, many_hands=many)


def first_outcomes(odds: Odds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """P(win) and P(push) of actions that end a first hand (stand, double, surrender), two arrays (o, 10, 5)."""
    win, push = np.zeros((2, *odds.first_returns.shape))
    win[:, :, STAND], push[:, :, STAND] = (of[odds.first_hands.hand] for of in odds.stand_outcomes)
    win[:, :, DOUBLE], push[:, :, DOUBLE] = (of[odds.first_hands.hand] for of in odds.double_outcomes)
    if odds.table_rules.naturals:
        natural = odds.hands.find((ACE, TEN))
        win[natural, :, STAND] = 1.0 - odds.returns.natural[natural]
        push[natural, :, STAND] = odds.returns.natural[natural]
    return win, push


def _first_squares(odds: Odds, push: NDArray[np.float64]) -> NDArray[np.float64]:
    """The expected square of the net of actions that end a first hand, shape (o, 10, 5)."""
    square = 1.0 - push
    live = odds.returns.live[odds.first_hands.hand]
    square[:, :, DOUBLE] = 4.0 * (live - push[:, :, DOUBLE]) + (1.0 - live)
    ace_ten = odds.returns.natural[odds.first_hands.hand]
    square[:, :, SURRENDER] = np.where(before_peek(odds.table_rules), 0.25, 0.25 + 0.75 * ace_ten)
    if odds.rules.bj is not None:
        natural = odds.hands.find((ACE, TEN))
        square[natural, :, STAND] = float(odds.rules.bj) ** 2 * (1.0 - odds.returns.natural[natural])
    return square


def _outcomes_of_law(
    law: NDArray[np.float64], probability: NDArray[np.float64]
) -> dict[tuple[int, int], _SplitOutcome]:
    """The outcomes of every split that is played, by upcard and pair card, from the law of both hands' net."""
    net = np.arange(law.shape[2]) - law.shape[2] // 2
    win, push, square = law[:, :, net > 0].sum(axis=2), law[:, :, net == 0].sum(axis=2), law @ net**2
    played = [(int(upcard), int(pair)) for upcard, pair in zip(*np.nonzero(probability), strict=True)]
    return {at: _SplitOutcome(float(win[at]), float(push[at]), float(square[at])) for at in played}


def _split_outcomes(
    odds: Odds, play: Play, probability: NDArray[np.float64]
) -> tuple[dict[tuple[int, int], _SplitOutcome], ManyHands | None]:
    """The outcomes of every split that is played, by upcard and pair card; those of more than two hands together."""
    splits = [(int(upcard), int(pair)) for upcard, pair in zip(*np.nonzero(probability), strict=True)]
    reached = reached_sequences(odds.slots, play.after_split)
    terms = {split: terms_of(odds, play.after_split, *split, reached) for split in splits}
    longest_first = sorted(splits, key=lambda split: -len(terms[split].key))

    spaces = list[JointSpace]()  # one for each thread at work

    def joint_of(split: tuple[int, int]) -> NDArray[np.float64]:
        try:
            space = spaces.pop()
        except IndexError:
            space = joint_space(odds)
        found = joint_distribution(odds, play.after_split.resplit[split], *split, terms[split], space)
        spaces.append(space)
        return found

    joint = {
        longest_first[-1]: joint_of(longest_first.pop())
    }  # loads the kernels, for which threads would wait in turn
    joint |= zip(longest_first, in_order(joint_of, longest_first), strict=True)
    stacked = np.stack([joint[split] for split in splits])
    weights = np.array([probability[split] for split in splits])
    # From an endless deck hands are independent, given the dealer's end: then the closure is exact.
    is_exact = odds.table_rules.max_hands <= 2 or odds.supply.depletion == 0.0
    many = None if is_exact else _many_hands(stacked, weights)
    return dict(zip(splits, _sum_hands(stacked), strict=True)), many


def _many_hands(joint: NDArray[np.float64], weights: NDArray[np.float64]) -> ManyHands:
    """Rounds that end with three and four hands over all splits, whose probabilities are `weights`."""
    of_two = np.einsum("s,skeij->keij", weights, joint[:, 1:])
    shares = np.zeros((2, 3))
    for at in range(2):
        of_all, sums = _superpose(joint[:, 1 + at], at + 3), sum(np.meshgrid(*[_NET] * (at + 3), indexing="ij"))
        for column, sign in enumerate((1, 0, -1)):
            shares[at, column] = weights @ of_all[:, np.sign(sums) == sign].sum(axis=1)
    return ManyHands(of_two, shares)


def _sum_hands(joint: NDArray[np.float64]) -> list[_SplitOutcome]:
    """The outcomes of each split, from `joint.joint_distribution` of all, stacked.

    For h hands that are alike, E (Σ net)² = h E net² + h (h − 1) E (one net × another's).
    """
    win, push, square = np.zeros((3, len(joint)))
    for at in range(joint.shape[1]):
        hands, of_two = at + 2, joint[:, at]
        total = of_two.sum(axis=1)
        square += hands * (total.sum(axis=2) * _NET**2).sum(axis=1)
        square += hands * (hands - 1) * np.einsum("i,sij,j->s", _NET, total, _NET)
        of_all, sums = _superpose(of_two, hands), sum(np.meshgrid(*[_NET] * hands, indexing="ij"))
        win += of_all[:, sums > 0].sum(axis=1)
        push += of_all[:, sums == 0].sum(axis=1)
    return [_SplitOutcome(*each) for each in zip(win.tolist(), push.tolist(), square.tolist(), strict=True)]


def _superpose(of_two: NDArray[np.float64], hands: int) -> NDArray[np.float64]:
    """The joint distribution of so many hands' nets, shape (splits, 5, …, 5), from that of two (splits, ends, 5, 5).

    For two hands this is the sum over the dealer's ends. For more it is, given the end, Kirkwood's superposition
    closure Π over hands of p(i) × Π over pairs of p(i, j) / (p(i) p(j)), scaled to the end's probability.
    """
    if hands == 2:
        return of_two.sum(axis=1)
    of_end = of_two.sum(axis=(2, 3))
    scale = np.where(of_end > _NOTHING, of_end, 1.0)[:, :, None, None]
    two = np.where(of_end[:, :, None, None] > _NOTHING, of_two / scale, 0.0)
    one = two.sum(axis=3)
    one = np.where(one > _NOTHING, one, 0.0)
    independent = one[:, :, :, None] * one[:, :, None, :]
    ratio = np.divide(two, independent, out=np.zeros_like(two), where=independent > 0.0)
    joint = np.ones(of_end.shape + (NETS,) * hands)
    for i in range(hands):
        joint *= one.reshape(of_end.shape + tuple(NETS if axis == i else 1 for axis in range(hands)))
        for j in range(i + 1, hands):
            joint *= ratio.reshape(of_end.shape + tuple(NETS if axis in (i, j) else 1 for axis in range(hands)))
    mass = joint.reshape(*of_end.shape, -1).sum(axis=2)
    factor = np.divide(of_end, mass, out=np.zeros_like(of_end), where=(of_end > _NOTHING) & (mass > 0.0))
    summed: NDArray[np.float64] = np.einsum("se...,se->s...", joint, factor)
    return summed
