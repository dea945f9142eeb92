"""What splits add to the scores of many charts: every pair that a chart splits is followed in one compiled loop.

A chart that splits a pair splits it again where it may, and one that leaves a pair to chance (`?`) splits it again in a
share that the rules fix, so that all charts share two sets of coefficients of `split_net`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.chart_play import ACTION_SHARES, DOUBLE, HIT, SPLIT, STUCK_SHARES, ChartLines, chart_lines
from holecard.blackjack.exact.first_hands import FirstHands, first_options
from holecard.blackjack.exact.hands import BUST, N_VALUES, Hands
from holecard.blackjack.exact.memory import ALWAYS
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.returns import has_ended
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split_net import SplitCoefficients, net_coefficients
from holecard.blackjack.exact.split_play import may_double_split, may_hit_split
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.strategy.letters import MAY_DOUBLE, MAY_SPLIT, Letter

_SPLIT_LETTER, _ANY_LETTER = int(Letter.SPLIT), int(Letter.ANY)
_SHARES = (STUCK_SHARES, ACTION_SHARES)
"""Of hands that may take no card, and of others."""


class SplitGame(NamedTuple):
    """What is the same for every chart."""

    hands: Hands
    """All unsplit hands."""
    slots: Slots
    """All split hands."""
    rules: TableRules
    """The rules of the table."""
    first_hands: FirstHands
    """First hands, how likely they are and what they may do."""
    live: NDArray[np.float64]
    """(n, 10): as `Returns.live`."""
    lines: ChartLines
    """The lines of a chart that decide."""
    coefficients: SplitCoefficients
    """Those of the net of a split, with one more index in front: 0 where every pair is split again, 1 by chance."""
    options: NDArray[np.int64]
    """(m,): MAY_DOUBLE where a split hand may be doubled, else 0."""
    stuck: NDArray[np.bool_]
    """(m,): split hands that may take no card."""


class SplitSpace(NamedTuple):
    """Working space for the split hands of one pair card: sequences of cards that lead to each by hitting."""

    others: NDArray[np.float64]
    """Where the second card is no pair card."""
    paired: NDArray[np.float64]
    """Where it is one."""


def split_game(odds: Odds, charts: NDArray[np.uint8]) -> SplitGame:
    """What is the same for all of the charts (t, 384, 10)."""
    slots, hands, rules = odds.slots, odds.hands, odds.table_rules
    options, stuck = np.zeros(len(slots.hand), np.int64), np.zeros(len(slots.hand), np.bool_)
    _mark_slots(hands, slots, rules, options, stuck)
    lines = chart_lines(hands)
    always = by_chance = net_coefficients(odds, odds.stands, ALWAYS)
    if (charts[:, lines.of_pair] == _ANY_LETTER).any():
        pairs = np.diagonal(slots.opened)
        shares = np.where(stuck[pairs], *(each[options[pairs] | MAY_SPLIT, _ANY_LETTER, SPLIT] for each in _SHARES))
        shares = np.where(pairs == BUST, 0.0, shares)
        by_chance = net_coefficients(odds, odds.stands, np.tile(shares, (N_VALUES, 1)))
    return SplitGame(
        hands=hands,
        slots=slots,
        rules=rules,
        first_hands=odds.first_hands,
        live=odds.returns.live,
        lines=lines,
        coefficients=SplitCoefficients(*(np.stack(both) for both in zip(always, by_chance, strict=True))),
        options=options,
        stuck=stuck,
    )


def split_returns(
    game: SplitGame, charts: NDArray[np.uint8], chosen: NDArray[np.int64], upcard: int
) -> NDArray[np.float64]:
    """What splits bring to c chosen charts of (t, 384, 10) against an upcard, times its probability, shape (c,)."""
    space = SplitSpace(*np.zeros((2, int(np.diff(game.slots.first).max()))))
    returns = np.zeros(len(chosen))
    _add_splits(game, charts, chosen, upcard, space, returns)
    return returns


@lean_kernel
def _mark_slots(
    hands: Hands, slots: Slots, rules: TableRules, options: NDArray[np.int64], stuck: NDArray[np.bool_]
) -> None:
    """Fill `SplitGame.options` and `SplitGame.stuck`."""
    for slot in range(len(slots.hand)):
        hand, pair = slots.hand[slot], slots.pair[slot]
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        stuck[slot] = not may_hit_split(pair, total, size, rules)
        options[slot] = MAY_DOUBLE if may_double_split(pair, total, soft, size, rules) else 0


@lean_kernel
def _add_splits(
    game: SplitGame,
    charts: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    upcard: int,
    space: SplitSpace,
    returns: NDArray[np.float64],
) -> None:
    first_hands = game.first_hands
    for at in range(len(chosen)):
        column = charts[chosen[at], :, upcard]
        pair_before, net = -1, 0.0
        for row in range(len(first_hands.hand)):
            pair, probability = first_hands.pair[row], first_hands.probability[row, upcard]
            if pair < 0 or probability == 0.0 or has_ended(game.hands.total[first_hands.hand[row]], 2, game.rules):
                continue
            options = first_options(game.hands, game.rules, first_hands, row, upcard)
            share = ACTION_SHARES[options, column[game.lines.of_pair[pair]], SPLIT] if options & MAY_SPLIT else 0.0
            if share == 0.0:
                continue
            if pair != pair_before:  # tens that are split by rank share what their splits bring
                pair_before, net = pair, _net_of(game, column, upcard, pair, space)
            returns[at] += share * probability * (net + game.live[row, upcard])


@rule
def _net_of(game: SplitGame, column: NDArray[np.uint8], upcard: int, pair: int, space: SplitSpace) -> float:
    """The net of splitting a pair card against an upcard; as `split_net.split_net` of the chart's play."""
    slots, rules, again = game.slots, game.rules, int(column[game.lines.of_pair[pair]] != _SPLIT_LETTER)
    of_other, of_pair = game.coefficients.other_card[again, upcard], game.coefficients.pair_card[again, upcard]
    bets, first, end = game.coefficients.double_bet[again], slots.first[pair], slots.first[pair + 1]
    others, paired, net = space.others, space.paired, -game.coefficients.bet[again, upcard, pair]
    for at in range(end - first):
        others[at] = paired[at] = 0.0
    for value in range(N_VALUES):
        slot = slots.opened[pair, value]
        if slot != BUST:
            others[slot - first] = 0.0 if value == pair else 1.0
            paired[slot - first] = 1.0 if value == pair else 0.0
    for slot in range(first, end):
        other, pair_card = others[slot - first], paired[slot - first]
        if other == 0.0 and pair_card == 0.0:
            continue
        hit, double = _shares(game, column, slot)
        net += (1.0 - hit - double) * (other * of_other[slot] + pair_card * of_pair[slot])
        for value in range(N_VALUES if hit > 0.0 or double > 0.0 else 0):
            grown = slots.grown[slot, value]
            if grown != BUST:
                others[grown - first] += other * hit
                paired[grown - first] += pair_card * hit
                net += 2.0 * double * (other * of_other[grown] + pair_card * of_pair[grown])
        if double > 0.0 and rules.double_any_cards:
            net -= double * (other * bets[0, upcard, slot] + pair_card * bets[1, upcard, slot])
    if not rules.double_any_cards:
        for value in range(N_VALUES):
            if slots.opened[pair, value] != BUST:
                _, double = _shares(game, column, slots.opened[pair, value])
                net -= double * bets[0, upcard, N_VALUES * pair + value]
    return net


@rule
def _shares(game: SplitGame, column: NDArray[np.uint8], slot: int) -> tuple[float, float]:
    """The shares of hits and doubles of a split hand; a pair that is not split again goes by its total."""
    slots = game.slots
    code = column[game.lines.of_hand[slots.hand[slot]]]
    if slot == slots.opened[slots.pair[slot], slots.pair[slot]]:
        pair_code = column[game.lines.of_pair[slots.pair[slot]]]
        code = code if pair_code == _SPLIT_LETTER else pair_code
    if game.stuck[slot]:
        return STUCK_SHARES[game.options[slot], code, HIT], STUCK_SHARES[game.options[slot], code, DOUBLE]
    return ACTION_SHARES[game.options[slot], code, HIT], ACTION_SHARES[game.options[slot], code, DOUBLE]
