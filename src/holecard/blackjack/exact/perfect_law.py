"""How rounds end that were split and played with perfect memory: the net of both hands together, exactly.

The play of `perfect` is followed forwards. Each way for the first hand to be over has its probability, and after it
each way for the second. The cards of both, with the dealer's end beside them, say what both hands bring.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import BUST, N_VALUES, TEN
from holecard.blackjack.exact.perfect import PerfectSplits, Space, blocks, new_space, play_second
from holecard.blackjack.exact.two_hands import DOUBLE, HIT, NEVER, STAND, FirstOfTwo, TwoHands, naturals
from holecard.blackjack.game.hand import natural_takes_one_bet
from holecard.executor import in_order

NETS: Final = 9
"""The net of two hands: −4 … 4."""
BUSTED: Final = -1
"""In place of the slot on which a hand ends."""


class _Law(NamedTuple):
    """Working space: where the second hand gets with the first one's cards gone, against one upcard."""

    reach: NDArray[np.float64]
    """(m',): P(the second hand gets to a slot)."""
    ends: NDArray[np.float64]
    """(bins + 2,): P(the dealer's end): totals, a bust, a natural that takes all bets."""
    child: NDArray[np.float64]
    """(bins + 2,): the same after one more card."""
    first: NDArray[np.float64]
    """(2,): P(the first hand ends so on one bet, on two)."""


def law_of_splits(splits: PerfectSplits, wanted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """P(the net of both hands, −4 … 4) in live rounds, shape (10, 10, 9), where `wanted` (10, 10); else zeros.

    The first indices are the upcard and the pair card.
    """
    law = np.zeros((N_VALUES, N_VALUES, NETS))
    pairs = [pair for pair in splits.actions if wanted[:, pair].any()]

    def law_of(pair: int) -> NDArray[np.float64]:
        return _law_of_pair(splits.game, splits.firsts[pair], pair, splits.actions[pair], wanted[:, pair])

    for pair, of_pair in zip(pairs, in_order(law_of, pairs), strict=True):
        law[:, pair] = of_pair
    return law


def _law_of_pair(
    game: TwoHands, first: FirstOfTwo, pair: int, actions: NDArray[np.int64], wanted: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """`law_of_splits` of one pair card, shape (10, 9)."""
    ends = game.dealer.shape[2] + 2
    over_slot = np.full(len(first.overs), BUSTED)
    known = first.over != NEVER
    over_slot[first.over[known]] = np.flatnonzero(known) + game.slots.first[pair]
    weights = np.zeros((len(first.overs), 2, N_VALUES))
    end_first(game, first, pair, actions, weights)
    weights[:, :, ~wanted] = 0.0
    law = _Law(np.zeros(len(first.set_of)), np.zeros(ends), np.zeros(ends), np.zeros(2))
    nets = np.zeros((N_VALUES, NETS))
    space = new_space(len(first.set_of))
    for block in blocks(len(first.overs)):
        end_second(game, first.overs[block], pair, over_slot[block], weights[block], space, law, nets)
    return nets


@rule
def _chance(game: TwoHands, union: int, value: int, upcard: int) -> float:
    """P(the next card is of a value), beside a set of cards and an upcard."""
    depletion = game.supply.depletion
    left = game.supply.counts[value] - depletion * (game.sets.cards[union, value] + (value == upcard))
    unseen = game.supply.size - depletion * (game.sets.size[union] + 1)
    return max(left, 0.0) / unseen


@kernel
def end_first(
    game: TwoHands, first: FirstOfTwo, pair: int, actions: NDArray[np.int64], weights: NDArray[np.float64]
) -> None:
    """P(the first hand is over so), into `weights` (k, 2, 10) by its cards, its bets and the upcard."""
    slots, start = game.slots, game.slots.first[pair]
    reach = np.zeros(len(first.set_of))
    for upcard in range(N_VALUES):
        reach[:] = 0.0
        alone = game.sets.grown[1 + pair, pair]
        for value in range(N_VALUES):
            if slots.opened[pair, value] != BUST:
                reach[slots.opened[pair, value] - start] = _chance(game, alone, value, upcard)
            elif first.over_opened[value] != NEVER:
                weights[first.over_opened[value], 0, upcard] += _chance(game, alone, value, upcard)
        for at in range(len(reach)):
            if reach[at] == 0.0:
                continue
            action = actions[at, upcard]
            if action == STAND:
                weights[first.over[at], 0, upcard] += reach[at]
                continue
            union = game.sets.grown[first.set_of[at], pair]
            for value in range(N_VALUES):
                chance = reach[at] * _chance(game, union, value, upcard)
                grown = slots.grown[start + at, value]
                if chance == 0.0:
                    continue
                if grown == BUST:
                    weights[first.over_after[at, value], action - HIT, upcard] += chance
                elif action == HIT:
                    reach[grown - start] += chance
                else:
                    weights[first.over[grown - start], 1, upcard] += chance


@kernel
def end_second(
    game: TwoHands,
    overs: NDArray[np.int64],
    pair: int,
    over_slot: NDArray[np.int64],
    weights: NDArray[np.float64],
    space: Space,
    law: _Law,
    nets: NDArray[np.float64],
) -> None:
    """Add P(the net of both hands) to `nets` (10, 9), for first hands that are over, which hold the sets `overs`."""
    for over in range(len(overs)):
        if weights[over].max() == 0.0:
            continue
        play_second(game, pair, overs[over], space)
        for upcard in range(N_VALUES):
            law.first[0], law.first[1] = weights[over, 0, upcard], weights[over, 1, upcard]
            if law.first[0] + law.first[1] > 0.0:
                _follow(game, pair, overs[over], over_slot[over], upcard, space, law, nets[upcard])


@rule
def _follow(
    game: TwoHands,
    pair: int,
    over: int,
    over_slot: int,
    upcard: int,
    space: Space,
    law: _Law,
    nets: NDArray[np.float64],
) -> None:
    """Follow the second hand against one upcard, and add what both hands bring to `nets` (9,)."""
    slots, start = game.slots, game.slots.first[pair]
    _open(game, pair, over, over_slot, upcard, space, law, nets)
    for at in range(len(law.reach)):
        if law.reach[at] == 0.0:
            continue
        action, union = space.action[at, upcard], space.union[at]
        if action == STAND:
            _set_ends(game, union, upcard, law.reach[at], space, law.ends)
            _add(game, over_slot, start + at, 1, law, law.ends, nets)
            continue
        may_bust = slots.grown[start + at, TEN] == BUST
        if may_bust:
            _set_ends(game, union, upcard, law.reach[at], space, law.ends)
        for value in range(N_VALUES):
            grown, chance = slots.grown[start + at, value], law.reach[at] * _chance(game, union, value, upcard)
            if grown == BUST or chance == 0.0:
                continue
            if action == HIT:
                law.reach[grown - start] += chance
            if may_bust or action == DOUBLE:
                _set_ends(game, space.union[grown - start], upcard, chance, space, law.child)
            if may_bust:
                for end in range(len(law.ends)):
                    law.ends[end] -= law.child[end]  # what is left are the ends beside a bust
            if action == DOUBLE:
                _add(game, over_slot, grown, 2, law, law.child, nets)
        if may_bust:
            _add(game, over_slot, BUSTED, 2 if action == DOUBLE else 1, law, law.ends, nets)


@rule
def _open(
    game: TwoHands,
    pair: int,
    over: int,
    over_slot: int,
    upcard: int,
    space: Space,
    law: _Law,
    nets: NDArray[np.float64],
) -> None:
    """Give the second hand its second card; where that can be a bust, add what both hands bring then."""
    start, alone, may_bust = game.slots.first[pair], game.sets.grown[over, pair], False
    law.reach[:] = 0.0
    for value in range(N_VALUES):
        slot = game.slots.opened[pair, value]
        if slot == BUST:
            may_bust = True
        else:
            law.reach[slot - start] = _chance(game, alone, value, upcard)
    if may_bust:
        _set_ends(game, alone, upcard, 1.0, space, law.ends)
        for value in range(N_VALUES):
            slot = game.slots.opened[pair, value]
            if slot != BUST and law.reach[slot - start] > 0.0:
                _set_ends(game, space.union[slot - start], upcard, law.reach[slot - start], space, law.child)
                for end in range(len(law.ends)):
                    law.ends[end] -= law.child[end]
        _add(game, over_slot, BUSTED, 1, law, law.ends, nets)


@rule
def _set_ends(game: TwoHands, union: int, upcard: int, weight: float, space: Space, ends: NDArray[np.float64]) -> None:
    """P(the dealer's end) beside a set of cards, times a weight, into `ends`; live rounds only."""
    naturals(game, union, space.chances)
    natural = space.chances[upcard] if game.rules.dealer_naturals else 0.0
    bins = game.dealer.shape[2]
    rest = 1.0 - natural
    for at in range(bins):
        ends[at] = weight * game.dealer[union, upcard, at]
        rest -= game.dealer[union, upcard, at]
    ends[bins] = weight * rest
    ends[bins + 1] = 0.0 if natural_takes_one_bet(game.rules) else weight * natural


@rule
def _result(game: TwoHands, slot: int, end: int) -> int:
    """Who wins, 1, 0 or −1: a hand that is over on a slot, or busted, against the dealer's end."""
    if slot == BUSTED:
        return -1
    bins, hand = game.dealer.shape[2], game.slots.hand[slot]
    if end == bins or game.hands.size[hand] >= game.rules.charlie:
        return 1
    return -1 if end > bins else int(1.0 - game.lost[game.hands.total[hand], end])


@rule
def _add(
    game: TwoHands,
    over_slot: int,
    slot: int,
    bets: int,
    law: _Law,
    ends: NDArray[np.float64],
    nets: NDArray[np.float64],
) -> None:
    """Add what both hands bring at every end of the dealer's, by their bets, to `nets` (9,)."""
    for end in range(len(ends)):
        one, other = _result(game, over_slot, end), bets * _result(game, slot, end)
        nets[4 + one + other] += law.first[0] * ends[end]
        nets[4 + 2 * one + other] += law.first[1] * ends[end]
