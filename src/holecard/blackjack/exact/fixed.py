"""Fixed play: what a strategy table does with every hand, and what that is worth, splits included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.hands import ACE, BUST, FIRST_PAIRING, N_VALUES, Hands
from holecard.blackjack.exact.nets import split_net, split_odds
from holecard.blackjack.exact.odds import ACTIONS, Odds
from holecard.blackjack.exact.player import average_draw, has_ended, may_double
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split import (
    SplitPlay,
    may_double_split,
    may_hit_split,
)
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import NO_SURRENDER, TableRules
from holecard.blackjack.strategy.cell import ROWS, Kind
from holecard.blackjack.strategy.letters import ACTION_OF, MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER, PLAY_ANY, Letter

HIT, STAND, DOUBLE, SPLIT, SURRENDER = (int(action) for action in tuple(Action)[:ACTIONS])
KINDS = len(Kind)
_SPLIT_LETTER = int(Letter.SPLIT)


def _shares() -> NDArray[np.float64]:
    """How a cell code spreads over actions, shape (8, 8, 5) by options and code: one of them, or all that are legal."""
    shares = np.zeros((*ACTION_OF.shape, ACTIONS))
    for options, code in np.ndindex(ACTION_OF.shape):
        legal = [HIT, STAND]
        legal += [
            a for a, may in ((DOUBLE, MAY_DOUBLE), (SPLIT, MAY_SPLIT), (SURRENDER, MAY_SURRENDER)) if options & may
        ]
        action = ACTION_OF[options, code]
        shares[options, code, legal if action == PLAY_ANY else action] = 1.0 / len(legal) if action == PLAY_ANY else 1.0
    return shares


SHARES = _shares()


class Cells(NamedTuple):
    """Which cell of a strategy table (flattened to (384, 10)) decides each hand."""

    of_hand: NDArray[np.int64]
    """(n,): by cards held, kind and total; never a pair's."""
    of_pair: NDArray[np.int64]
    """(10,): the cell of each pair."""


class Play(NamedTuple):
    """What a player does, as shares of actions."""

    first: NDArray[np.float64]
    """(o, 10, 5): first hands, by `Action`."""
    hit: NDArray[np.float64]
    """(n, 10): hands of three or more cards; the rest stands."""
    after: SplitPlay
    """Split hands."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Worth:
    """What a fixed play is worth, and how it gets there."""

    by_upcard: NDArray[np.float64]
    """(10,): the return of each upcard's rounds, times the upcard's probability; ev is the sum − 1."""
    first: NDArray[np.float64]
    """(o, 10): the return of each first hand as it is played."""
    orders: NDArray[np.float64]
    """(n, 10): orders in which an unsplit hand of three or more cards is reached."""
    nets: NDArray[np.float64]
    """(10, 10): the net of splitting, by upcard and pair card."""

    @property
    def ev(self) -> float:
        """Expected net result per initial bet."""
        return float(self.by_upcard.sum()) - 1.0


def cells_of(hands: Hands) -> Cells:
    """The cells that decide each hand of a game."""
    held = np.clip(hands.size, 2, 4) - 2
    ace = np.where(hands.cards[:, ACE] > 0, int(Kind.HARD_ACE), int(Kind.HARD))
    kind = np.where(hands.soft, int(Kind.SOFT), ace)
    pairs = Kind.PAIR * ROWS + 2 * np.arange(1, N_VALUES + 1)
    return Cells((held * KINDS + kind) * ROWS + hands.total, pairs)


def play_of(odds: Odds, cells: NDArray[np.uint8]) -> Play:
    """What a strategy table, uint8 of shape (3, 4, 32, 10), does in a game."""
    m = len(odds.slots.hand)
    after = SplitPlay(np.zeros((N_VALUES, m)), np.zeros((N_VALUES, m)), np.zeros((N_VALUES, N_VALUES)))
    flat = np.ascontiguousarray(cells).reshape(-1, N_VALUES)
    where, hands = cells_of(odds.hands), odds.hands
    going = (hands.size > 2) & (hands.total < odds.table.limit) & (hands.size < odds.table.charlie)
    hit = np.where(going[:, None], SHARES[0, flat[where.of_hand], HIT], 0.0)
    play = Play(np.zeros_like(odds.first), hit, after)
    _fill_first(odds.hands, odds.table, odds.can_split, odds.hand_of, odds.pair_of, where, flat, play.first)
    if odds.table.max_hands > 1:
        _fill_after(odds.hands, odds.slots, odds.table, where, flat, after)
    return play


@rule
def first_options(
    hands: Hands, rules: TableRules, can_split: NDArray[np.bool_], hand: int, pair: int, upcard: int
) -> int:
    """What a first hand may do beside hit and stand, as a sum of `MAY_…`."""
    options = MAY_DOUBLE if may_double(hands.total[hand], hands.soft[hand], rules) else 0
    if pair >= 0 and can_split[upcard, pair]:
        options |= MAY_SPLIT
    if rules.surrender != NO_SURRENDER:
        options |= MAY_SURRENDER
    return options


@kernel
def _fill_first(
    hands: Hands,
    rules: TableRules,
    can_split: NDArray[np.bool_],
    hand_of: NDArray[np.int64],
    pair_of: NDArray[np.int64],
    where: Cells,
    cells: NDArray[np.uint8],
    first: NDArray[np.float64],
) -> None:
    """Fill `Play.first`."""
    for row in range(FIRST_PAIRING, len(hand_of)):
        hand, pair = hand_of[row], pair_of[row]
        ended = has_ended(hands.total[hand], 2, rules)
        for upcard in range(N_VALUES):
            options = first_options(hands, rules, can_split, hand, pair, upcard)
            code = cells[where.of_hand[hand], upcard]
            if pair >= 0 and (cells[where.of_pair[pair], upcard] != _SPLIT_LETTER or options & MAY_SPLIT):
                code = cells[where.of_pair[pair], upcard]
            if ended:
                first[row, upcard, STAND] = 1.0
            else:
                for action in range(ACTIONS):
                    first[row, upcard, action] = SHARES[options, code, action]


@kernel
def _fill_after(
    hands: Hands, slots: Slots, rules: TableRules, where: Cells, cells: NDArray[np.uint8], after: SplitPlay
) -> None:
    """Fill `Play.after`."""
    for slot in range(len(slots.hand)):
        hand, pair = slots.hand[slot], slots.pair[slot]
        total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
        may_hit = may_hit_split(pair, total, size, rules)
        options = MAY_DOUBLE if may_double_split(pair, total, soft, size, rules) else 0
        for upcard in range(N_VALUES):
            code = cells[where.of_hand[hand], upcard]
            if slot == slots.opened[pair, pair]:
                again = cells[where.of_pair[pair], upcard]
                code = code if again == _SPLIT_LETTER else again
                split = SHARES[options | MAY_SPLIT, again, SPLIT]
                after.resplit[upcard, pair] = 0.5 if 0.0 < split < 1.0 and not may_hit else split
            if may_hit:
                after.hit[upcard, slot] = SHARES[options, code, HIT]
                after.double[upcard, slot] = SHARES[options, code, DOUBLE]


def worth_of(odds: Odds, play: Play, nets: NDArray[np.float64] | None = None) -> Worth:
    """What a fixed play is worth; `nets` of its splits, shape (10, 10), where they are known already."""
    if nets is None:
        nets = np.zeros((N_VALUES, N_VALUES))
        if odds.table.max_hands > 1 and (play.first[:, :, SPLIT] > 0).any():
            nets = split_net(odds, play.after, split_odds(odds, odds.stands, play.after.resplit))
    orders, hit = np.zeros((2, len(odds.hands.size), N_VALUES))
    _follow_hands(odds.hands, odds.hand_of, odds.deal, odds.chance, play, orders)
    hit_values(odds.hands, odds.supply, odds.returns.stand, play.hit, hit)
    returns = odds.with_splits(nets)
    returns[:, :, HIT] = hit[odds.hand_of]
    first = np.multiply(play.first, returns, out=np.zeros_like(returns), where=play.first > 0).sum(axis=2)
    return Worth(by_upcard=(odds.deal * first).sum(axis=0), first=first, orders=orders, nets=nets)


@kernel
def hit_values(
    hands: Hands, supply: Supply, stand: NDArray[np.float64], hit: NDArray[np.float64], values: NDArray[np.float64]
) -> None:
    """Returns of a hit on every hand of two or more cards, played on by `hit` (n, 10), into `values` (n, 10)."""
    worth = np.zeros_like(stand)
    for hand in range(len(hands.size) - 1, FIRST_PAIRING - 1, -1):
        unseen = supply.size - supply.step * (hands.size[hand] + 1)
        if unseen > 0.5:
            average_draw(hands, supply, hand, unseen, worth, values[hand])
        for upcard in range(N_VALUES):
            share = hit[hand, upcard]
            worth[hand, upcard] = share * values[hand, upcard] + (1.0 - share) * stand[hand, upcard]


@kernel
def _follow_hands(
    hands: Hands,
    hand_of: NDArray[np.int64],
    deal: NDArray[np.float64],
    chance: NDArray[np.float64],
    play: Play,
    orders: NDArray[np.float64],
) -> None:
    """Fill `Worth.orders`, from the first hands up."""
    for row in range(FIRST_PAIRING, len(hand_of)):
        hand = hand_of[row]
        for upcard in range(N_VALUES):
            hit = play.first[row, upcard, HIT]
            if hit > 0.0 and deal[row, upcard] > 0.0:
                for value in range(N_VALUES):
                    if hands.grown[hand, value] != BUST:
                        orders[hands.grown[hand, value], upcard] += hit * deal[row, upcard] / chance[hand, upcard]
    for hand in range(hands.openings, len(hands.size)):
        for value in range(N_VALUES):
            grown = hands.grown[hand, value]
            if grown != BUST:
                for upcard in range(N_VALUES):
                    orders[grown, upcard] += orders[hand, upcard] * play.hit[hand, upcard]
