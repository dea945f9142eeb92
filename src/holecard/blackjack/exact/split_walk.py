"""What one split hand brings under a fixed play, by walks through the dealer's hands: for a thread of a GPU.

`split_value` does families of split hands at once. A thread does one hand, and leaves out the dealer's totals that lose
to it; threads side by side have hands of like totals.
"""

from __future__ import annotations

from typing import NamedTuple

from holecard._jit import rule
from holecard.blackjack.exact.dealer import bins_of, highest_end
from holecard.blackjack.exact.end_rows import EndRows
from holecard.blackjack.exact.end_walk import EndWalk, set_left, walk_of, walk_rows
from holecard.blackjack.exact.hands import N_VALUES, Hands, all_hands
from holecard.blackjack.exact.slots import Slots, all_slots
from holecard.blackjack.exact.split_play import FinalSequences
from holecard.blackjack.exact.split_value import SplitLanes, add_hand, drawn_ends, end_weight, times_others
from holecard.blackjack.exact.supply import FallingFactorials
from holecard.blackjack.game.rules import TableRules


class SplitWalks(NamedTuple):
    """Split hands and the dealer's: what the rules say of both."""

    hands: Hands
    """All hands."""
    slots: Slots
    """All split hands."""
    rows: EndRows
    """What the dealer draws after an upcard, in groups by `(10 * upcard + pair) * bins + total − target`."""
    walk: EndWalk
    """The same as walks."""


def split_walks(rules: TableRules) -> SplitWalks:
    """The split hands of a table and its dealer's."""
    rows = drawn_ends(rules, by_total=True)
    hands, slots = all_hands(rules.limit, rules.ace_bonus), all_slots(rules.limit, rules.ace_bonus)
    return SplitWalks(hands, slots, rows, walk_of(rows, highest_end(rules)))


@rule
def set_brought_by(
    game: SplitWalks,
    factorials: FallingFactorials,
    rules: TableRules,
    sequences: FinalSequences,
    upcard: int,
    slot: int,
    lane: int,
    space: SplitLanes,
) -> None:
    """Set what a split hand brings on which the play ends."""
    hands, hand, pair = game.hands, game.slots.hand[slot], game.slots.pair[slot]
    head, pairs, bins = game.slots.rest[slot], hands.cards[hand, pair], bins_of(rules)
    space.lanes.head[lane], space.brought[lane] = head, 0.0
    space.lost[0, lane] = space.lost[1, lane] = 0.0
    set_left(hands, factorials.supply, upcard, lane, space.lanes)
    for bin in range(bins):
        weight = end_weight(hands.total[hand], bin, rules)
        if weight > 0:
            group = (N_VALUES * upcard + pair) * bins + bin
            rows = game.rows.first_row[group + 1] - game.rows.first_row[group]
            walk_rows(game.walk, factorials.supply, group, rows, lane, space.lanes)
            _add_lost(game, group, weight, (pairs - 1, hands.size[hand] - 1), lane, space)
    add_hand(hands, factorials, rules, sequences, (upcard, pair, slot), pairs, lane, space)
    space.brought[lane] = times_others(hands, factorials, (upcard, pair), head, space.brought[lane])


@rule
def _add_lost(game: SplitWalks, group: int, weight: int, drawn: tuple[int, int], lane: int, space: SplitLanes) -> None:
    """Add what a dealer's total takes of a hand that has drawn so many pair cards and cards in all."""
    first, rows = game.rows.first_row[group], game.rows
    any_card = pair_card = 0.0
    for at in range(first, rows.first_row[group + 1]):
        pairs, cards = drawn[0] + rows.row_held[at], drawn[1] + rows.row_size[at]
        any_card += space.joint[0, pairs, cards] * space.lanes.rows[at - first, lane]
        pair_card += space.joint[1, pairs, cards] * space.lanes.rows[at - first, lane]
    space.lost[0, lane] += weight * any_card
    space.lost[1, lane] += weight * pair_card
