"""What split hands bring under a fixed play, summed over the hands on which it ends.

P(r further pair cards are gone, a hand draws its cards, the dealer draws his) is a product of falling factorials. Those
of the pair card and of all cards are the only ones in which r stands, and they depend on how many cards hand and dealer
draw together. So the sum over r, with the weights of `resplits`, is made once for an upcard and a pair card, as a table
(`_set_joint`), and no hand is looked at for each r. Families (`end_rows`) are hands that differ in their pair cards.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_fused_kernel, rule
from holecard.blackjack.exact.dealer import bins_of, dealer_ends, dealer_hands, highest_end
from holecard.blackjack.exact.end_rows import (
    LANES,
    VECTOR,
    EndRows,
    FinalHands,
    Lanes,
    LaneSpace,
    lane_space,
    put_in_rows,
    set_products,
    sum_rows,
    whole_vectors,
)
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN, Hands, all_hands, families_of, heads_of
from holecard.blackjack.exact.resplits import SplitWeights
from holecard.blackjack.exact.slots import N_REMOVED, Slots, all_slots, stand_return
from holecard.blackjack.exact.split_play import FinalSequences, ends_on
from holecard.blackjack.exact.supply import FallingFactorials, Supply
from holecard.blackjack.game.hand import showdown
from holecard.blackjack.game.rules import TableRules


class SplitHands(NamedTuple):
    """Split hands and the dealer's: what the rules say of both."""

    hands: Hands
    """All hands."""
    slots: Slots
    """All split hands."""
    first: NDArray[np.int64]
    """(11,): where the families of each pair card begin."""
    head: NDArray[np.int64]
    """(f,): the hand of a family that holds no pair card; by pips, for each pair card."""
    slot: NDArray[np.int64]
    """(f, …): the slot with so many pair cards, or `BUST`: with none, with one if that is all, with too many."""
    rows: EndRows
    """What the dealer draws after an upcard, in groups by `10 * upcard + pair`."""


@lru_cache(maxsize=16)
def split_hands(rules: TableRules) -> SplitHands:
    """The split hands of a table and its dealer's."""
    hands, slots = all_hands(rules.limit, rules.ace_bonus), all_slots(rules.limit, rules.ace_bonus)
    slot_of = np.full((N_VALUES, len(hands.size) + 1), BUST, np.int64)
    slot_of[slots.pair, slots.hand] = np.arange(len(slots.hand))
    heads, slot = [], []
    for pair in range(N_VALUES):
        head, member = families_of(hands, pair)
        order = np.argsort(hands.pips[head], kind="stable")
        order = order[member[order, 1] != BUST] if member.shape[1] > 1 else order[:0]
        heads.append(head[order])
        slot.append(np.full((len(order), rules.limit + 2), BUST, np.int64))
        slot[-1][:, : member.shape[1]] = slot_of[pair, member[order]]  # a bust (−1) reads the last column
    first = np.append(0, np.cumsum([len(head) for head in heads]))
    rows = drawn_ends(rules, by_total=False)
    return SplitHands(hands, slots, first, np.concatenate(heads), np.concatenate(slot), rows)


def drawn_ends(rules: TableRules, *, by_total: bool) -> EndRows:
    """What the dealer draws after each upcard, in rows for each pair card.

    Rows are in groups by `10 * upcard + pair`, or by `(10 * upcard + pair) * bins + total − target`.
    """
    hands, ends = dealer_hands(rules), dealer_ends(rules)
    upcard, whole = np.nonzero(ends)
    without = np.zeros((N_VALUES, len(hands.size)), np.int64)
    hand, value = np.nonzero(hands.grown != BUST)
    without[value, hands.grown[hand, value]] = hand
    drawn, bin = without[upcard, whole], hands.total[whole] - rules.target
    kinds = [np.stack([hands.size[drawn], hands.cards[drawn, pair], bin]) for pair in range(N_VALUES)]
    group = np.concatenate([N_VALUES * upcard + pair for pair in range(N_VALUES)])
    bins, total = (bins_of(rules), np.tile(bin, N_VALUES)) if by_total else (1, np.zeros_like(group))
    finals = FinalHands(
        group=group,
        row_group=group * bins + total,
        head=np.concatenate([heads_of(hands, pair)[drawn] for pair in range(N_VALUES)]),
        kind=np.concatenate(kinds, axis=1),
        sequences=np.tile(ends[upcard, whole], N_VALUES),
    )
    return put_in_rows(finals, hands, highest_end(rules), N_VALUES**2, N_VALUES**2 * bins)


class SplitLanes(NamedTuple):
    """Working space for the split hands of a pair card against an upcard."""

    lanes: LaneSpace
    """A block of families."""
    family: NDArray[np.int64]
    """(`LANES`,): the family of each lane."""
    joint: NDArray[np.float64]
    """(2, …, …): by pair cards and cards that hand and dealer draw, P(they are those) × weight, over their sequences.

    The first index is 1 where the second card is a pair card. What other values bring is left out."""
    inverse: NDArray[np.float64]
    """(`N_REMOVED`, …): one over all sequences of so many cards, with so many pair cards gone."""
    end_weight: NDArray[np.float64]
    """(bins, `LANES`): what a dealer's total takes of a hand's return."""
    lost: NDArray[np.float64]
    """(2, `LANES`): what all his totals take, by `joint`."""
    brought: NDArray[np.float64]
    """(`LANES`,): what the hands of a family bring."""


def split_lanes(game: SplitHands, rules: TableRules) -> SplitLanes:
    """Working space for split hands."""
    most = 2 * rules.limit + 4
    return SplitLanes(
        lane_space(game.rows, rules),
        np.zeros(LANES, np.int64),
        np.zeros((2, most, most)),
        np.zeros((N_REMOVED, most)),
        np.zeros((bins_of(rules), LANES)),
        np.zeros((2, LANES)),
        np.zeros(LANES),
    )


def returns_of_splits(
    factorials: FallingFactorials, rules: TableRules, weights: SplitWeights, sequences: FinalSequences
) -> NDArray[np.float64]:
    """What the hands of a split return in live rounds, with all their bets, shape (10, 10) by upcard and pair card."""
    game = split_hands(rules)
    returns = np.zeros((N_VALUES, N_VALUES))
    _fill_returns(game, factorials, rules, weights, sequences, split_lanes(game, rules), returns)
    return returns


@lean_fused_kernel
def _fill_returns(
    game: SplitHands,
    factorials: FallingFactorials,
    rules: TableRules,
    weights: SplitWeights,
    sequences: FinalSequences,
    space: SplitLanes,
    returns: NDArray[np.float64],
) -> None:
    """Fill `returns_of_splits`, in blocks of families that have a hand on which the play ends."""
    set_inverse(factorials.supply, (0, N_REMOVED), space.inverse)
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES):
            set_joint(factorials.supply, weights, (upcard, pair), (0, space.joint.shape[2]), space)
            filled = 0
            for family in range(game.first[pair], game.first[pair + 1]):
                if _is_final(game, sequences, upcard, family):
                    space.family[filled] = family
                    filled += 1
                if filled == LANES or (filled and family == game.first[pair + 1] - 1):
                    lanes = Lanes(0, filled, VECTOR)
                    _set_brought(game, factorials, rules, sequences, (upcard, pair), lanes, space)
                    for lane in range(filled):
                        returns[upcard, pair] += space.brought[lane]
                    filled = 0


@rule
def _is_final(game: SplitHands, sequences: FinalSequences, upcard: int, family: int) -> bool:
    """True if the play ends on a hand of a family."""
    pairs = 1
    while pairs == 1 or game.slot[family, pairs] != BUST:
        slot = game.slot[family, pairs]
        if slot != BUST and ends_on(sequences, upcard, slot):
            return True
        pairs += 1
    return False


@rule
def set_inverse(supply: Supply, pairs_gone: tuple[int, int], inverse: NDArray[np.float64]) -> None:
    """Set `SplitLanes.inverse` from one number of pair cards gone up to another."""
    for removed in range(pairs_gone[0], pairs_gone[1]):
        inverse[removed, 0] = 1.0
        for drawn in range(inverse.shape[1] - 1):
            left = supply.size - supply.depletion * (3 + removed + drawn)
            inverse[removed, drawn + 1] = inverse[removed, drawn] / left if left > 0.5 else 0.0


@rule
def set_joint(
    supply: Supply, weights: SplitWeights, place: tuple[int, int], cards: tuple[int, int], space: SplitLanes
) -> None:
    """Set `SplitLanes.joint` for an upcard and a pair card, from one number of cards drawn up to another."""
    (upcard, pair), joint, inverse = place, space.joint, space.inverse
    most_pairs = min(joint.shape[1], joint.shape[1] // (pair + 1) + 2)
    for pairs in range(most_pairs):
        for drawn in range(cards[0], cards[1]):
            joint[0, pairs, drawn] = joint[1, pairs, drawn] = 0.0
    for removed in range(len(inverse)):
        of_pair = weights.any_card[upcard, pair, removed]
        of_both = of_pair + weights.pair_card[upcard, pair, removed]
        for pairs in range(most_pairs if of_pair != 0.0 or of_both != 0.0 else 0):
            for drawn in range(cards[0], cards[1]):
                joint[0, pairs, drawn] += of_pair * inverse[removed, drawn]
                joint[1, pairs, drawn] += of_both * inverse[removed, drawn]
            gone = 2 + removed + (upcard == pair) + pairs
            left = max(supply.counts[pair] - supply.depletion * gone, 0.0)
            of_pair *= left
            of_both *= left


@rule
def _set_brought(
    game: SplitHands,
    factorials: FallingFactorials,
    rules: TableRules,
    sequences: FinalSequences,
    place: tuple[int, int],
    lanes: Lanes,
    space: SplitLanes,
) -> None:
    """Set what the families of some lanes bring; `place` is the upcard and the pair card."""
    hands, group, (upcard, pair) = game.hands, N_VALUES * place[0] + place[1], place
    for lane in range(lanes.first, lanes.last):
        space.lanes.head[lane], space.brought[lane] = game.head[space.family[lane]], 0.0
    set_products(hands.cards, game.rows, factorials.supply, group, upcard, lanes, space.lanes)
    sum_rows(game.rows, group, lanes, space.lanes)
    for pairs in range(1, rules.limit // (pair + 1) + 1):
        filled = lanes.last
        while filled > lanes.first and game.slot[space.family[filled - 1], pairs] == BUST:
            filled -= 1
        if filled > lanes.first:
            _weigh_ends(game, rules, pairs, Lanes(lanes.first, filled, lanes.vector), space)
            _sum_lost(game.rows, hands, group, pairs, filled, lanes, space)
            for lane in range(lanes.first, filled):
                slot = game.slot[space.family[lane], pairs]
                if slot != BUST:
                    add_hand(hands, factorials, rules, sequences, (upcard, pair, slot), pairs, lane, space)
    for lane in range(lanes.first, lanes.last):
        space.brought[lane] = times_others(hands, factorials, place, space.lanes.head[lane], space.brought[lane])


@rule
def add_hand(
    hands: Hands,
    factorials: FallingFactorials,
    rules: TableRules,
    sequences: FinalSequences,
    place: tuple[int, int, int],
    pairs: int,
    lane: int,
    space: SplitLanes,
) -> None:
    """Add what a lane's hand with so many pair cards brings, but for its cards of other values.

    `place` is the upcard, the pair card and the slot.
    """
    upcard, pair, slot = place
    other, paired = sequences.other_card[upcard, slot], sequences.pair_card[upcard, slot]
    if other > 0.0 or paired > 0.0:
        any_card = _kept(hands, factorials, rules, (upcard, pair), pairs, 0, lane, space)
        pair_card = _kept(hands, factorials, rules, (upcard, pair), pairs, 1, lane, space)
        space.brought[lane] += other * any_card + paired * pair_card


@rule
def times_others(
    hands: Hands, factorials: FallingFactorials, place: tuple[int, int], head: int, amount: float
) -> float:
    """An amount times the sequences of a family's cards of other values than the pair card."""
    for value in range(N_VALUES):
        if value != place[1]:
            amount *= factorials.of_value[value, int(value == place[0]), hands.cards[head, value]]
    return amount


@rule
def _weigh_ends(game: SplitHands, rules: TableRules, pairs: int, lanes: Lanes, space: SplitLanes) -> None:
    """Set what a dealer's total takes of the return of hands with so many pair cards."""
    for lane in range(lanes.first, lanes.last):
        slot = game.slot[space.family[lane], pairs]
        for bin in range(len(space.end_weight)):
            space.end_weight[bin, lane] = 0.0
            if slot != BUST:
                space.end_weight[bin, lane] = end_weight(game.hands.total[game.slots.hand[slot]], bin, rules)


@rule
def end_weight(total: int, bin: int, rules: TableRules) -> int:
    """What a dealer's total takes of the return of a hand that stands on another: 2 if it wins, 1 for a push."""
    return max(1 - showdown(total, rules.target + bin, rules), 0)


@rule
def _sum_lost(
    rows: EndRows, hands: Hands, group: int, pairs: int, filled: int, lanes: Lanes, space: SplitLanes
) -> None:
    """Sum what the dealer's totals take of hands with so many pair cards, into `space.lost`."""
    sums, last = space.lanes.sums, whole_vectors(lanes, filled)
    for lane in range(lanes.first, last):
        space.lost[0, lane] = space.lost[1, lane] = 0.0
    first, at, end = rows.first_row[group], rows.first_row[group], rows.first_row[group + 1]
    while at < end:
        drawn, held = rows.row_size[at], rows.row_held[at]
        for lane in range(lanes.first, last):
            sums[lane] = 0.0
        while at < end and rows.row_size[at] == drawn and rows.row_held[at] == held:
            bin = rows.row_bin[at]
            for lane in range(lanes.first, last):
                sums[lane] += space.end_weight[bin, lane] * space.lanes.rows[at - first, lane]
            at += 1
        for lane in range(lanes.first, filled):
            cards = hands.size[space.lanes.head[lane]] + pairs - 1 + drawn
            space.lost[0, lane] += space.joint[0, pairs - 1 + held, cards] * sums[lane]
            space.lost[1, lane] += space.joint[1, pairs - 1 + held, cards] * sums[lane]


@rule
def _kept(
    hands: Hands,
    factorials: FallingFactorials,
    rules: TableRules,
    place: tuple[int, int],
    pairs: int,
    paired: int,
    lane: int,
    space: SplitLanes,
) -> float:
    """What a stand on a lane's hand with so many pair cards returns, times the joint probability of its cards."""
    (upcard, pair), joint, head = place, space.joint, space.lanes.head[lane]
    size = hands.size[head] + pairs
    natural = 0.0
    if upcard in (ACE, TEN):
        other = TEN if upcard == ACE else ACE
        if pair == other:
            natural = joint[paired, pairs, size]
        else:
            natural = factorials.of_value[other, hands.cards[head, other], 1] * joint[paired, pairs - 1, size]
    return stand_return(size, joint[paired, pairs - 1, size - 1], space.lost[paired, lane], natural, rules)
