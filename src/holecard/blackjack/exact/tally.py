"""Which cell of a strategy chart decides what, how often, and what each letter in it would bring.

The *played* play says which decisions come up; the *reference* play says how the hand is played on afterwards.

With the same play in both roles this is the slope of that play's EV in every cell: a cell comes up at most once in a
hand, so changing one cell changes the EV by exactly the difference of two letters' returns. With the optimum as
reference this is the performance difference lemma: the regret of a play is the sum, over the decisions that it gets
to, of what the optimum's action gains there over the play's own if both are followed by the optimum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, lean_kernel, rule
from holecard.blackjack.exact.chart_play import DOUBLE, HIT, STAND, ChartLines, Play, chart_lines
from holecard.blackjack.exact.first_hands import ACTIONS, FirstHands, first_options
from holecard.blackjack.exact.hands import BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import hit_returns
from holecard.blackjack.exact.returns import Returns, has_ended
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split_net import SplitCoefficients, second_bet
from holecard.blackjack.exact.split_play import SplitPlay, may_double_split, may_hit_split, reached_sequences
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.strategy.cell import LINES
from holecard.blackjack.strategy.letters import ACTION_OF, LETTERS, MAY_DOUBLE, Letter

_ANY_LETTER = int(Letter.ANY)


class Tally(NamedTuple):
    """Decisions by line of the chart (384) and upcard; returns are weighted by how often the decision comes up."""

    letter_returns: NDArray[np.float64]
    """(384, 10, 8): what each cell code would return."""
    played_returns: NDArray[np.float64]
    """(384, 10): what the actions of the play that is played return."""
    reference_returns: NDArray[np.float64]
    """(384, 10): what the actions of the reference play return on the same decisions."""
    frequency: NDArray[np.float64]
    """(384, 10): how often a round brings the decision, split hands counted each."""


class Decisions(NamedTuple):
    """Decisions whose last axis are the five actions: what each returns, and how often both plays take it."""

    returns: NDArray[np.float64]
    """What each action returns, the reference play going on."""
    played: NDArray[np.float64]
    """Shares of the play that is played."""
    reference: NDArray[np.float64]
    """Shares of the reference play."""


class LaterDecisions(NamedTuple):
    """Decisions of hands of three or more cards, by hand and upcard."""

    hit: NDArray[np.float64]
    """(n, 10): what a hit returns, the reference play going on."""
    returns: Returns
    """What a stand returns and a double."""
    doubles: NDArray[np.bool_]
    """(n,): hands that may be doubled."""
    played: Play
    """The play that is played."""
    reference: Play
    """The reference play."""
    probability: NDArray[np.float64]
    """(n, 10): P(the play that is played gets there)."""


class SplitReturns(NamedTuple):
    """What split hands count when hit and when doubled, in the unit of `SplitCoefficients`.

    The first index is 1 where the second card is a pair card.
    """

    hit: NDArray[np.float64]
    """(2, 10, m)."""
    double: NDArray[np.float64]
    """(2, 10, m)."""


class SplitDecisions(NamedTuple):
    """Decisions of split hands: what is needed to weigh hit, stand and double on each."""

    returns: SplitReturns
    """What hit and double count."""
    coefficients: SplitCoefficients
    """What a stand counts."""
    frequencies: SplitCoefficients
    """What coming up counts."""
    sequences: NDArray[np.float64]
    """(2, 10, m): sequences that reach the hand, times P(the split)."""
    played: SplitPlay
    """The play that is played."""
    reference: SplitPlay
    """The reference play."""


def empty_tally() -> Tally:
    """No decisions."""
    return Tally(np.zeros((LINES, N_VALUES, len(LETTERS))), *np.zeros((3, LINES, N_VALUES)))


def tally_hands(
    odds: Odds, played: Play, reference: Play, sequences: NDArray[np.float64], first_returns: NDArray[np.float64]
) -> Tally:
    """The decisions of unsplit hands.

    `sequences` as in the `PlayValue` of what is played, `first_returns` (o, 10, 5) those of the reference.
    """
    tally, lines = empty_tally(), chart_lines(odds.hands)
    in_play, first_in_play = odds.in_play
    hit = np.zeros_like(odds.returns.stand)
    hit_returns(odds.hands, odds.supply, odds.returns, reference.hit, reference.double, hit)
    returns = np.where(first_returns == -np.inf, 0.0, first_returns)
    returns[:, :, HIT] = np.where(first_returns[:, :, HIT] == -np.inf, 0.0, hit[odds.first_hands.hand])
    first = Decisions(returns, played.first, reference.first)
    _tally_first(odds.hands, odds.table_rules, odds.first_hands, lines, first_in_play, first, tally)
    reached = sequences * odds.sequence_probability
    later = LaterDecisions(hit, odds.returns, odds.standing.doubles, played, reference, reached)
    _tally_later(odds.hands, lines, in_play, later, tally)
    return tally


def tally_splits(
    odds: Odds,
    played: Play,
    reference: Play,
    split_probability: NDArray[np.float64],
    coefficients: SplitCoefficients,
    frequencies: SplitCoefficients | None = None,
) -> Tally:
    """The decisions of split hands, where `split_probability` (10, 10) says how often each pair is split.

    `coefficients` are those of the net, `frequencies` those of coming up (`split_net.frequency_coefficients`); without
    them the tally's frequencies mean nothing.
    """
    frequencies = coefficients if frequencies is None else frequencies
    tally, slots = empty_tally(), odds.slots
    returns = SplitReturns(*np.zeros((2, 2, N_VALUES, len(slots.hand))))
    _fill_split_returns(odds.hands, slots, odds.table_rules, reference.after_split, coefficients, returns)
    sequences = reached_sequences(slots, played.after_split)
    sequences *= split_probability[None, :, slots.pair]
    decisions = SplitDecisions(returns, coefficients, frequencies, sequences, played.after_split, reference.after_split)
    _tally_after_split(odds.hands, slots, odds.table_rules, chart_lines(odds.hands), decisions, tally)
    return tally


@rule
def _add(
    tally: Tally, line: int, upcard: int, options: int, weight: float, frequency: float, decision: Decisions
) -> None:
    """Add one decision, whose arrays are (5,) by action."""
    returns = decision.returns
    tally.frequency[line, upcard] += frequency
    for action in range(ACTIONS):
        tally.played_returns[line, upcard] += weight * decision.played[action] * returns[action]
        tally.reference_returns[line, upcard] += weight * decision.reference[action] * returns[action]
    for code in range(_ANY_LETTER):
        tally.letter_returns[line, upcard, code] += weight * returns[ACTION_OF[options, code]]


@lean_kernel
def _tally_first(
    hands: Hands,
    rules: TableRules,
    first_hands: FirstHands,
    lines: ChartLines,
    in_play: NDArray[np.float64],
    decisions: Decisions,
    tally: Tally,
) -> None:
    """Add the decisions of first hands, arrays of shape (o, 10, 5); a hand that has ended decides nothing."""
    for row in range(FIRST_PAIRING, len(first_hands.hand)):
        hand, pair = first_hands.hand[row], first_hands.pair[row]
        if has_ended(hands.total[hand], 2, rules):
            continue
        line = lines.of_pair[pair] if pair >= 0 else lines.of_hand[hand]
        for upcard in range(N_VALUES):
            probability = first_hands.probability[row, upcard]
            if probability > 0.0:
                options = first_options(hands, rules, first_hands, row, upcard)
                one = Decisions(
                    decisions.returns[row, upcard], decisions.played[row, upcard], decisions.reference[row, upcard]
                )
                _add(tally, line, upcard, options, probability, probability * in_play[hand, upcard], one)


@kernel
def _tally_later(
    hands: Hands, lines: ChartLines, in_play: NDArray[np.float64], decisions: LaterDecisions, tally: Tally
) -> None:
    """Add the decisions of unsplit hands of three or more cards."""
    one = Decisions(np.zeros(ACTIONS), np.zeros(ACTIONS), np.zeros(ACTIONS))
    for hand in range(hands.openings, len(hands.size)):
        for upcard in range(N_VALUES):
            probability = decisions.probability[hand, upcard]
            if probability > 0.0:
                one.returns[HIT] = decisions.hit[hand, upcard]
                one.returns[STAND] = decisions.returns.stand[hand, upcard]
                one.returns[DOUBLE] = decisions.returns.double[hand, upcard]
                _set_shares(decisions.played.hit[hand, upcard], decisions.played.double[hand, upcard], one.played)
                _set_shares(
                    decisions.reference.hit[hand, upcard], decisions.reference.double[hand, upcard], one.reference
                )
                options, frequency = MAY_DOUBLE * decisions.doubles[hand], probability * in_play[hand, upcard]
                _add(tally, lines.of_hand[hand], upcard, options, probability, frequency, one)


@kernel
def _fill_split_returns(
    hands: Hands,
    slots: Slots,
    rules: TableRules,
    play: SplitPlay,
    coefficients: SplitCoefficients,
    returns: SplitReturns,
) -> None:
    """Fill `SplitReturns` under a play, from the largest hands down.

    Coefficients hold the probability of their sequence, so a hit counts the plain sum over the next card.
    """
    played_on = np.zeros((2, len(slots.hand)))
    for upcard in range(N_VALUES):
        for slot in range(len(slots.hand) - 1, -1, -1):
            hand, pair = slots.hand[slot], slots.pair[slot]
            hit, double = play.hit[upcard, slot], play.double[upcard, slot]
            may_double = may_double_split(pair, hands.total[hand], hands.soft[hand], hands.size[hand], rules)
            for paired in range(2):
                stand = coefficients.other_card if paired == 0 else coefficients.pair_card
                hits = doubles = 0.0
                for value in range(N_VALUES):
                    grown = slots.grown[slot, value]
                    if grown != BUST:
                        hits += played_on[paired, grown]
                        doubles += 2.0 * stand[upcard, grown]
                returns.hit[paired, upcard, slot] = hits
                if may_double:
                    bet = second_bet(hands, slots, rules, coefficients, upcard, slot, paired)
                    returns.double[paired, upcard, slot] = doubles - bet
                doubled = double * returns.double[paired, upcard, slot]
                played_on[paired, slot] = (1.0 - hit - double) * stand[upcard, slot] + hit * hits + doubled


@kernel
def _tally_after_split(
    hands: Hands, slots: Slots, rules: TableRules, lines: ChartLines, decisions: SplitDecisions, tally: Tally
) -> None:
    """Add the decisions of split hands; one that may only stand decides nothing, and one that may not hit stands."""
    one = Decisions(np.zeros(ACTIONS), np.zeros(ACTIONS), np.zeros(ACTIONS))
    stand, frequency = decisions.coefficients, decisions.frequencies
    for slot in range(len(slots.hand)):
        hand, pair = slots.hand[slot], slots.pair[slot]
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        may_hit = may_hit_split(pair, total, size, rules)
        options = MAY_DOUBLE if may_double_split(pair, total, soft, size, rules) else 0
        if not may_hit and options == 0:
            continue
        for upcard in range(N_VALUES):
            _set_shares(decisions.played.hit[upcard, slot], decisions.played.double[upcard, slot], one.played)
            _set_shares(decisions.reference.hit[upcard, slot], decisions.reference.double[upcard, slot], one.reference)
            for paired in range(2):
                weight = decisions.sequences[paired, upcard, slot]
                if weight > 0.0:
                    one.returns[STAND] = _of_second_card(stand, paired, upcard, slot)
                    one.returns[HIT] = decisions.returns.hit[paired, upcard, slot] if may_hit else one.returns[STAND]
                    one.returns[DOUBLE] = decisions.returns.double[paired, upcard, slot]
                    often = weight * _of_second_card(frequency, paired, upcard, slot)
                    _add(tally, lines.of_hand[hand], upcard, options, weight, often, one)


@rule
def _set_shares(hit: float, double: float, shares: NDArray[np.float64]) -> None:
    """The shares of a hand that hits and doubles so often and else stands, into `shares` (5,)."""
    shares[HIT], shares[DOUBLE], shares[STAND] = hit, double, 1.0 - hit - double


@rule
def _of_second_card(coefficients: SplitCoefficients, paired: int, upcard: int, slot: int) -> float:
    """The coefficient of a split hand whose second card is a pair card, or is none."""
    return coefficients.other_card[upcard, slot] if paired == 0 else coefficients.pair_card[upcard, slot]
