"""What a strategy chart does with every hand of a game, as shares of actions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel
from holecard.blackjack.exact.first_hands import ACTIONS, FirstHands, first_options
from holecard.blackjack.exact.hands import ACE, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.returns import has_ended
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split_play import SplitPlay, may_double_split, may_hit_split
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.strategy.cell import Kind, held_index, line_index
from holecard.blackjack.strategy.letters import ACTION_OF, MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER, PLAY_ANY, Letter

HIT, STAND, DOUBLE, SPLIT, SURRENDER = (int(action) for action in tuple(Action)[:ACTIONS])
_SPLIT_LETTER = int(Letter.SPLIT)


def _action_shares(hit: bool = True) -> NDArray[np.float64]:
    """How a cell code spreads over actions, shape (8, 8, 5) by options and code: one of them, or all that are legal."""
    shares = np.zeros((*ACTION_OF.shape, ACTIONS))
    for options, code in np.ndindex(ACTION_OF.shape):
        legal = [HIT, STAND] if hit else [STAND]
        legal += [
            a for a, may in ((DOUBLE, MAY_DOUBLE), (SPLIT, MAY_SPLIT), (SURRENDER, MAY_SURRENDER)) if options & may
        ]
        action = STAND if ACTION_OF[options, code] == HIT and not hit else ACTION_OF[options, code]
        shares[options, code, legal if action == PLAY_ANY else action] = 1.0 / len(legal) if action == PLAY_ANY else 1.0
    return shares


ACTION_SHARES = _action_shares()
STUCK_SHARES = _action_shares(hit=False)
"""The same of a hand that may take no card: it stands instead."""


class ChartLines(NamedTuple):
    """Which line of a strategy chart, flattened to (384, 10), decides each hand."""

    of_hand: NDArray[np.int64]
    """(n,): by cards held, kind and total; never a pair's."""
    of_pair: NDArray[np.int64]
    """(10,): the line of each pair."""


class Play(NamedTuple):
    """What a player does, as shares of actions: the probability with which a hand takes each."""

    first: NDArray[np.float64]
    """(o, 10, 5): first hands, by `Action`."""
    hit: NDArray[np.float64]
    """(n, 10): hands of three or more cards; the rest stands."""
    double: NDArray[np.float64]
    """(n, 10): the same; 0 unless any number of cards may be doubled."""
    after_split: SplitPlay
    """Split hands."""


def chart_lines(hands: Hands) -> ChartLines:
    """The lines that decide each hand of a game."""
    ace = np.where(hands.cards[:, ACE] > 0, int(Kind.HARD_ACE), int(Kind.HARD))
    kind = np.where(hands.soft, int(Kind.SOFT), ace)
    pairs = line_index(0, int(Kind.PAIR), 2 * np.arange(1, N_VALUES + 1))
    return ChartLines(line_index(held_index(hands.size), kind, hands.total), pairs)


def play_of(odds: Odds, cells: NDArray[np.uint8]) -> Play:
    """What a strategy chart, uint8 of shape (3, 4, 32, 10), does in a game."""
    hands, rules, lines = odds.hands, odds.table_rules, chart_lines(odds.hands)
    m = len(odds.slots.hand)
    after_split = SplitPlay(np.zeros((N_VALUES, m)), np.zeros((N_VALUES, m)), np.zeros((N_VALUES, N_VALUES)))
    chart = np.ascontiguousarray(cells).reshape(-1, N_VALUES)
    codes, going = chart[lines.of_hand], ((hands.size > 2) & ~odds.standing.ended)[:, None]
    hit, double = np.where(going, ACTION_SHARES[0, codes, HIT], 0.0), np.zeros(codes.shape)
    if rules.double_any_cards:
        options = np.where(odds.standing.doubles, MAY_DOUBLE, 0)[:, None]
        hit, double = (np.where(going, ACTION_SHARES[options, codes, action], 0.0) for action in (HIT, DOUBLE))
    play = Play(np.zeros_like(odds.first_returns), hit, double, after_split)
    _fill_first(hands, rules, odds.first_hands, lines, chart, play.first)
    if rules.max_hands > 1:
        _fill_after_split(hands, odds.slots, rules, lines, chart, after_split)
    return play


@lean_kernel
def _fill_first(
    hands: Hands,
    rules: TableRules,
    first_hands: FirstHands,
    lines: ChartLines,
    chart: NDArray[np.uint8],
    first: NDArray[np.float64],
) -> None:
    """Fill `Play.first`; a pair that its row splits where it may not follows its total."""
    for row in range(FIRST_PAIRING, len(first_hands.hand)):
        hand, pair = first_hands.hand[row], first_hands.pair[row]
        ended = has_ended(hands.total[hand], 2, rules)
        for upcard in range(N_VALUES):
            options = first_options(hands, rules, first_hands, row, upcard)
            code = chart[lines.of_hand[hand], upcard]
            if pair >= 0 and (chart[lines.of_pair[pair], upcard] != _SPLIT_LETTER or options & MAY_SPLIT):
                code = chart[lines.of_pair[pair], upcard]
            if ended:
                first[row, upcard, STAND] = 1.0
            else:
                for action in range(ACTIONS):
                    first[row, upcard, action] = ACTION_SHARES[options, code, action]


@lean_kernel
def _fill_after_split(
    hands: Hands, slots: Slots, rules: TableRules, lines: ChartLines, chart: NDArray[np.uint8], play: SplitPlay
) -> None:
    """Fill `Play.after_split`: a hand goes by its total, a pair card and another one by the pair's row first."""
    for slot in range(len(slots.hand)):
        hand, pair = slots.hand[slot], slots.pair[slot]
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        shares = ACTION_SHARES if may_hit_split(pair, total, size, rules) else STUCK_SHARES
        options = MAY_DOUBLE if may_double_split(pair, total, soft, size, rules) else 0
        for upcard in range(N_VALUES):
            code = chart[lines.of_hand[hand], upcard]
            if slot == slots.opened[pair, pair]:
                pair_code = chart[lines.of_pair[pair], upcard]
                code = code if pair_code == _SPLIT_LETTER else pair_code
                play.resplit[upcard, pair] = shares[options | MAY_SPLIT, pair_code, SPLIT]
            play.hit[upcard, slot] = shares[options, code, HIT]
            play.double[upcard, slot] = shares[options, code, DOUBLE]
