"""What a fixed play is worth (policy evaluation), splits included, and how it gets where it gets.

P(a play reaches a hand) = sequences of cards that lead it there × P(one of them), `Odds.sequence_probability`. The
second factor is the same for every play, so only sequences are counted anew.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, lean_kernel
from holecard.blackjack.exact.chart_play import HIT, SPLIT, Play
from holecard.blackjack.exact.first_hands import FirstHands
from holecard.blackjack.exact.hands import BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.returns import Returns, mean_of_draw
from holecard.blackjack.exact.split_net import net_coefficients, split_net
from holecard.blackjack.exact.supply import Supply


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlayValue:
    """What a fixed play is worth, and how it gets there."""

    by_upcard: NDArray[np.float64]
    """(10,): the return of each upcard's rounds, times the upcard's probability; ev is the sum − 1."""
    sequences: NDArray[np.float64]
    """(n, 10): sequences of cards that lead to an unsplit hand of three or more cards, times shares of play."""

    @property
    def ev(self) -> float:
        """Expected net result per initial bet."""
        return float(self.by_upcard.sum()) - 1.0


def value_of_play(odds: Odds, play: Play, net: NDArray[np.float64] | None = None) -> PlayValue:
    """What a fixed play is worth; `net` of its splits, shape (10, 10), where it is known already."""
    if net is None:
        net = np.zeros((N_VALUES, N_VALUES))
        if odds.table_rules.max_hands > 1 and (play.first[:, :, SPLIT] > 0).any():
            coefficients = net_coefficients(odds, odds.stands, play.after_split.resplit)
            net = split_net(odds, play.after_split, coefficients)
    sequences, hit = np.zeros((2, len(odds.hands.size), N_VALUES))
    _count_sequences(odds.hands, odds.first_hands, odds.sequence_probability, play, sequences)
    hit_returns(odds.hands, odds.supply, odds.returns, play.hit, play.double, hit)
    returns = odds.with_splits(net)
    returns[:, :, HIT] = hit[odds.first_hands.hand]
    probability = odds.first_hands.probability
    played = (play.first > 0) & (probability > 0)[:, :, None]  # a pair that the deck has no more may not be split
    first = np.multiply(play.first, returns, out=np.zeros_like(returns), where=played).sum(axis=2)
    return PlayValue(by_upcard=(probability * first).sum(axis=0), sequences=sequences)


@kernel
def hit_returns(
    hands: Hands,
    supply: Supply,
    returns: Returns,
    hit: NDArray[np.float64],
    double: NDArray[np.float64],
    after_hit: NDArray[np.float64],
) -> None:
    """Returns of a hit on hands of two or more cards, played on by the shares `hit` and `double`; all (n, 10)."""
    played_on = np.zeros_like(hit)
    for hand in range(len(hands.size) - 1, FIRST_PAIRING - 1, -1):
        unseen = supply.size - supply.depletion * (hands.size[hand] + 1)
        if unseen > 0.5:
            mean_of_draw(hands, supply, hand, unseen, played_on, (0, N_VALUES), after_hit[hand])
        for upcard in range(N_VALUES):
            hits, doubles = hit[hand, upcard], double[hand, upcard]
            ends = (1.0 - hits - doubles) * returns.stand[hand, upcard] + doubles * returns.double[hand, upcard]
            played_on[hand, upcard] = hits * after_hit[hand, upcard] + ends


@lean_kernel
def _count_sequences(
    hands: Hands,
    first_hands: FirstHands,
    sequence_probability: NDArray[np.float64],
    play: Play,
    sequences: NDArray[np.float64],
) -> None:
    """Fill `PlayValue.sequences`, from the first hands up.

    A first hand has P(hand) / P(one sequence) sequences: 2, or 1 for a pair, which two rows share where tens split by
    rank.
    """
    for row in range(FIRST_PAIRING, len(first_hands.hand)):
        hand = first_hands.hand[row]
        for upcard in range(N_VALUES):
            hit, probability = play.first[row, upcard, HIT], first_hands.probability[row, upcard]
            if hit > 0.0 and probability > 0.0:
                for value in range(N_VALUES):
                    grown = hands.grown[hand, value]
                    if grown != BUST:
                        sequences[grown, upcard] += hit * probability / sequence_probability[hand, upcard]
    for hand in range(hands.openings, len(hands.size)):
        for value in range(N_VALUES):
            grown = hands.grown[hand, value]
            if grown != BUST:
                for upcard in range(N_VALUES):
                    sequences[grown, upcard] += sequences[hand, upcard] * play.hit[hand, upcard]


def split_probability(odds: Odds, play: Play) -> NDArray[np.float64]:
    """P(a round begins with a split of this pair), shape (10, 10) by upcard and pair card."""
    probability = np.zeros((N_VALUES, N_VALUES))
    for row in np.flatnonzero(odds.first_hands.pair >= 0):
        pair = odds.first_hands.pair[row]
        probability[:, pair] += odds.first_hands.probability[row] * play.first[row, :, SPLIT]
    return probability
