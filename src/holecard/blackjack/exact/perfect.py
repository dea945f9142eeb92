"""Splits with perfect memory: two hands, every card seen, each decision the best for both hands together.

While the second hand draws, the chance of each dealer's end given all cards seen is a martingale. So what the first
hand will bring is known once it is over, however the second is played: the second hand plays for itself, with the first
hand's cards gone. The first hand plays for both. With M its cards once it is over,

    return of the split = its own return beside M + J(M),

where J(M) is what the best play of a hand from the pair card returns with M gone. J is worked out for every M, a bust
one included, by one dynamic program each; one more, over the first hand, has J at its ends. Returns are those of
`returns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import fused_kernel, rule
from holecard.blackjack.exact.hands import BUST, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.returns import TIE
from holecard.blackjack.exact.split_play import may_double_split, may_hit_split
from holecard.blackjack.exact.two_hands import (
    DOUBLE,
    HIT,
    NEVER,
    STAND,
    FirstOfTwo,
    TwoHands,
    fill_unions,
    naturals,
    stand_returns,
    two_hands_of,
)
from holecard.blackjack.game.hand import natural_takes_one_bet
from holecard.blackjack.game.rules import Rules
from holecard.errors import RulesError
from holecard.executor import in_order

_BLOCK: Final = 256
"""First hands of one call of a kernel: some tenths of a second."""


class Space(NamedTuple):
    """Working space for the hands of one pair card, m' slots."""

    union: NDArray[np.int64]
    """(m',): the cards of both hands, by the slot of one."""
    stand: NDArray[np.float64]
    """(m', 10): what standing returns, by upcard."""
    best: NDArray[np.float64]
    """(m', 10): what the best action returns."""
    action: NDArray[np.int64]
    """(m', 10): which it is: `STAND`, `HIT`, `DOUBLE`."""
    live: NDArray[np.float64]
    """(m', 10): P(play counts)."""
    chances: NDArray[np.float64]
    """(10,): of a dealer's natural."""
    hit: NDArray[np.float64]
    """(10,): what a hit returns."""
    double: NDArray[np.float64]
    """(10,): what a double returns."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PerfectSplits:
    """One split with perfect memory: what it brings, and how the first hand is played."""

    game: TwoHands
    """What the kernels know of the game."""
    firsts: Sequence[FirstOfTwo]
    """The first hands, by pair card."""
    actions: Mapping[int, NDArray[np.int64]]
    """By pair card that may be split: (m', 10), what the first hand does, by slot and upcard."""
    net: NDArray[np.float64]
    """(10, 10): by upcard and pair card, the net of splitting in live rounds."""


def remembers_more(rules: Rules) -> bool:
    """True if perfect memory is more than the memory of one hand: not without splits, nor with an endless deck.

    Refuses rules that split again: all hands would have to be remembered jointly.
    """
    if rules.max_hands > 2:
        raise RulesError(
            f"perfect memory is worked out for one split; got max_hands {rules.max_hands}: "
            "use --max-hands 2, or remember less: pair-count"
        )
    return rules.max_hands == 2 and not rules.is_infinite


def perfect_splits(odds: Odds) -> PerfectSplits:
    """The best play of one split when every card is remembered."""
    game, firsts = two_hands_of(odds)

    def solve_pair(pair: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        first = firsts[pair]
        space, second = new_space(len(first.set_of)), np.zeros((len(first.overs), N_VALUES))
        for block in blocks(len(first.overs)):
            fill_second(game, first.overs[block], pair, space, second[block])
        returns = np.zeros(N_VALUES)
        play_first(game, first, pair, second, space, returns)
        return returns, space.action

    net, actions = np.zeros((N_VALUES, N_VALUES)), {}
    pairs = [pair for pair in range(N_VALUES) if odds.first_hands.can_split[:, pair].any()]
    for pair, (returns, played) in zip(pairs, in_order(solve_pair, pairs), strict=True):
        net[:, pair] = returns - 2.0 * odds.returns.live[odds.hands.find((pair, pair))]
        actions[pair] = played
    return PerfectSplits(game=game, firsts=firsts, actions=actions, net=net)


def blocks(count: int) -> Iterator[slice]:
    """So many first hands in blocks, a call of a kernel each, so that Ctrl-C is heard between them.

    >>> list(blocks(300))
    [slice(0, 256, None), slice(256, 300, None)]
    """
    for start in range(0, count, _BLOCK):
        yield slice(start, min(start + _BLOCK, count))


def new_space(slots: int) -> Space:
    """Working space for so many slots."""
    stand, best, live = np.zeros((3, slots, N_VALUES))
    union, action = np.zeros(slots, np.int64), np.zeros((slots, N_VALUES), np.int64)
    return Space(union, stand, best, action, live, *np.zeros((3, N_VALUES)))


@fused_kernel
def fill_second(game: TwoHands, overs: NDArray[np.int64], pair: int, space: Space, second: NDArray[np.float64]) -> None:
    """J of first hands that are over, which hold the sets `overs`, into `second` (as many, 10)."""
    for at in range(len(overs)):
        play_second(game, pair, overs[at], space)
        _mean_of_second_card(game, pair, game.sets.grown[overs[at], pair], space.best, second[at])


@rule
def play_second(game: TwoHands, pair: int, over: int, space: Space) -> None:
    """The best play of the second hand with a first hand's cards gone, for every upcard, into `space`."""
    slots, start = game.slots, game.slots.first[pair]
    fill_unions(game, pair, over, space.union)
    for slot in range(slots.first[pair + 1] - 1, start - 1, -1):  # the largest hands first: they grow from the others
        at, hand = slot - start, slots.hand[slot]
        union = space.union[at]
        if not game.possible[union]:
            space.best[at], space.stand[at] = 0.0, 0.0
            continue
        _set_live(game, union, space, at)
        if game.stands[slot]:
            stand_returns(game, union, slot, space.chances, space.stand[at])
        total, soft, size = game.hands.total[hand], game.hands.soft[hand], game.hands.size[hand]
        hits = may_hit_split(pair, total, size, game.rules)
        doubles = may_double_split(pair, total, soft, size, game.rules)
        if hits:
            _mean_of_card(game, slot, start, union, space.best, space.hit)
        if doubles:
            _mean_of_card(game, slot, start, union, space.stand, space.double)
        for upcard in range(N_VALUES):
            double = 2.0 * space.double[upcard] - space.live[at, upcard]
            _choose(game.stands[slot], hits, doubles, space.stand[at, upcard], double, upcard, at, space)


@rule
def _set_live(game: TwoHands, union: int, space: Space, at: int) -> None:
    """P(play counts) beside a set of cards, for every upcard."""
    naturals(game, union, space.chances)
    one_bet = 1.0 if natural_takes_one_bet(game.rules) else 0.0
    for upcard in range(N_VALUES):
        space.live[at, upcard] = 1.0 - one_bet * space.chances[upcard]


@rule
def _choose(
    stands: bool, hits: bool, doubles: bool, stand: float, double: float, upcard: int, at: int, space: Space
) -> None:
    """Take the best of what a hand may do; a later action needs more than a tie to be better."""
    best, action = (stand, STAND) if stands or not hits else (-np.inf, STAND)
    if hits and space.hit[upcard] > best + TIE:
        best, action = space.hit[upcard], HIT
    if doubles and double > best + TIE:
        best, action = double, DOUBLE
    space.best[at, upcard], space.action[at, upcard] = best, action


@rule
def _mean_of_card(
    game: TwoHands, slot: int, start: int, union: int, values: NDArray[np.float64], mean: NDArray[np.float64]
) -> None:
    """The mean of `values` (m', 10) over the next card of the second hand, into `mean` (10,); a bust returns 0."""
    depletion, unseen = game.supply.depletion, game.supply.size - game.supply.depletion * (game.sets.size[union] + 1)
    for upcard in range(N_VALUES):
        mean[upcard] = 0.0
    for value in range(N_VALUES):
        grown = game.slots.grown[slot, value]
        left = game.supply.counts[value] - depletion * game.sets.cards[union, value]
        if grown != BUST and left > 0.5:
            for upcard in range(N_VALUES):
                mean[upcard] += left * values[grown - start, upcard]
            mean[value] -= depletion * values[grown - start, value]  # the upcard is one of them
    for upcard in range(N_VALUES):
        mean[upcard] /= unseen


@rule
def _mean_of_second_card(
    game: TwoHands, pair: int, alone: int, values: NDArray[np.float64], mean: NDArray[np.float64]
) -> None:
    """The mean of `values` (m', 10) over a hand's second card, beside the set of cards `alone`, into `mean` (10,)."""
    depletion, start = game.supply.depletion, game.slots.first[pair]
    unseen = game.supply.size - depletion * (game.sets.size[alone] + 1)
    mean[:] = 0.0
    for value in range(N_VALUES):
        slot = game.slots.opened[pair, value]
        left = game.supply.counts[value] - depletion * game.sets.cards[alone, value]
        if slot != BUST and left > 0.5:
            for upcard in range(N_VALUES):
                mean[upcard] += left * values[slot - start, upcard]
            mean[value] -= depletion * values[slot - start, value]
    for upcard in range(N_VALUES):
        mean[upcard] /= unseen


@fused_kernel
def play_first(
    game: TwoHands,
    first: FirstOfTwo,
    pair: int,
    second: NDArray[np.float64],
    space: Space,
    returns: NDArray[np.float64],
) -> None:
    """The best play of the first hand, for both hands, into `space`; what the split returns, into `returns` (10,)."""
    slots, start = game.slots, game.slots.first[pair]
    for at in range(slots.first[pair + 1] - start):
        space.union[at] = game.sets.grown[first.set_of[at], pair]
    for slot in range(slots.first[pair + 1] - 1, start - 1, -1):
        at, hand = slot - start, slots.hand[slot]
        union = space.union[at]
        if not game.possible[union]:
            space.best[at], space.stand[at] = 0.0, 0.0
            continue
        _set_live(game, union, space, at)
        if game.stands[slot]:
            stand_returns(game, union, slot, space.chances, space.stand[at])
        total, soft, size = game.hands.total[hand], game.hands.soft[hand], game.hands.size[hand]
        hits = may_hit_split(pair, total, size, game.rules)
        doubles = may_double_split(pair, total, soft, size, game.rules)
        if hits or doubles:
            _draw_first(game, first, slot, start, second, space)
        for upcard in range(N_VALUES):
            stand = space.stand[at, upcard]
            if game.stands[slot]:
                stand += second[first.over[at], upcard]
            double = space.double[upcard] - space.live[at, upcard]
            _choose(game.stands[slot], hits, doubles, stand, double, upcard, at, space)
    alone = game.sets.grown[1 + pair, pair]
    _mean_of_second_card(game, pair, alone, space.best, returns)
    unseen = game.supply.size - game.supply.depletion * (game.sets.size[alone] + 1)
    for value in range(N_VALUES):
        if first.over_opened[value] != NEVER:
            for upcard in range(N_VALUES):
                gone = game.sets.cards[alone, value] + (value == upcard)
                left = max(game.supply.counts[value] - game.supply.depletion * gone, 0.0)
                returns[upcard] += left / unseen * second[first.over_opened[value], upcard]


@rule
def _draw_first(
    game: TwoHands, first: FirstOfTwo, slot: int, start: int, second: NDArray[np.float64], space: Space
) -> None:
    """Means over the next card of the first hand: of the best that follows, and of a doubled stand with J after it."""
    union, depletion = space.union[slot - start], game.supply.depletion
    unseen = game.supply.size - depletion * (game.sets.size[union] + 1)
    space.hit[:] = 0.0
    space.double[:] = 0.0
    for value in range(N_VALUES):
        left = game.supply.counts[value] - depletion * game.sets.cards[union, value]
        if left < 0.5:
            continue
        grown = game.slots.grown[slot, value]
        for upcard in range(N_VALUES):
            weight = left - depletion * (upcard == value)
            if grown == BUST:
                over = second[first.over_after[slot - start, value], upcard]
                space.hit[upcard] += weight * over
                space.double[upcard] += weight * over
            else:
                space.hit[upcard] += weight * space.best[grown - start, upcard]
                over = second[first.over[grown - start], upcard] if first.over[grown - start] != NEVER else 0.0
                space.double[upcard] += weight * (2.0 * space.stand[grown - start, upcard] + over)
    for upcard in range(N_VALUES):
        space.hit[upcard] /= unseen
        space.double[upcard] /= unseen
