"""How the dealer ends, exactly, for every hand the player may hold and every upcard.

Let n(v) cards of value v and N cards in all be left beside the player's hand. Given the upcard u, a final hand of c(v)
cards of each value, s in all, has the probability

    sequences × Π n(v) (n(v) − 1) … [c(v) factors] / n(u) / ((N − 1) (N − 2) … [s − 1 factors]),

so nothing recurses, and the product over the *whole* final hand serves all its upcards. Families (`end_rows`) are hands
that differ in their aces: there are 653 of them for 3,083 hands.
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
    NO_UPCARD,
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
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, Families, Hands, all_hands, families_of, heads_of
from holecard.blackjack.exact.supply import FallingFactorials, Supply
from holecard.blackjack.game.rules import TableRules


class Facing(NamedTuple):
    """The player's hands and the dealer's: what the rules say of both."""

    hands: Hands
    """The player's."""
    families: Families
    """The same by their aces."""
    rows: EndRows
    """The dealer's final hands, all in one group of nodes; rows in groups by `upcard * bins + total − target`."""


@lru_cache(maxsize=16)
def facing(limit: int, rules: TableRules) -> Facing:
    """The player's hands of at most so many pips, and the dealer's."""
    hands = all_hands(limit, rules.ace_bonus)
    return Facing(hands, families_of(hands, ACE), _whole_ends(rules))


@lru_cache(maxsize=16)
def _whole_ends(rules: TableRules) -> EndRows:
    hands, ends = dealer_hands(rules), dealer_ends(rules)
    upcard, hand = np.nonzero(ends)
    bin = hands.total[hand] - rules.target
    kind = np.stack([hands.size[hand], hands.cards[hand, ACE], bin])
    finals = FinalHands(
        np.zeros_like(hand), upcard * bins_of(rules) + bin, heads_of(hands, ACE)[hand], kind, ends[upcard, hand]
    )
    return put_in_rows(finals, hands, highest_end(rules), 1, N_VALUES * bins_of(rules))


def dealer_totals(
    limit: int, factorials: FallingFactorials, rules: TableRules, wanted: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """P(the dealer ends on each total of `bins_of` | the player's hand, the upcard), before any peek; (n, 10, bins).

    The hands are all those of at most `limit` pips. A natural that is more than a 21 and a bust are in no bin.
    Impossible situations hold zeros, and so do hands that are not `wanted`, bool of shape (n,).
    """
    game = facing(limit, rules)
    totals = np.zeros((len(game.hands.size), N_VALUES, bins_of(rules)))
    if wanted is None:
        wanted = np.ones(len(game.hands.size), np.bool_)
    else:
        members = game.families.member
        some = np.any(wanted[members] & (members != BUST), axis=1)
        game = game._replace(families=Families(game.families.head[some], members[some]))
    fill_totals(game, factorials, wanted, lane_space(game.rows, rules), totals)
    return totals


@lean_fused_kernel
def fill_totals(
    game: Facing,
    factorials: FallingFactorials,
    wanted: NDArray[np.bool_],
    space: LaneSpace,
    totals: NDArray[np.float64],
) -> None:
    """Fill `dealer_totals` for the `wanted` hands, one block of families of a size at a time."""
    start = 0
    while start < len(game.families.head):
        filled = _block_of_a_size(game, start)
        lanes = Lanes(0, filled, VECTOR)
        _fill_block(game, factorials, wanted, start, lanes, space, totals)
        start += filled


@rule
def _block_of_a_size(game: Facing, start: int) -> int:
    """How many families from `start` on, `LANES` at most, have their number of cards."""
    head, size, filled = game.families.head, game.hands.size, 1
    while filled < LANES and start + filled < len(head) and size[head[start + filled]] == size[head[start]]:
        filled += 1
    return filled


@rule
def _fill_block(
    game: Facing,
    factorials: FallingFactorials,
    wanted: NDArray[np.bool_],
    start: int,
    lanes: Lanes,
    space: LaneSpace,
    totals: NDArray[np.float64],
) -> None:
    """Fill `dealer_totals` for some lanes of a block of families of a size, which begins at family `start`."""
    for lane in range(lanes.first, lanes.last):
        space.head[lane] = game.families.head[start + lane]
    set_products(game.hands.cards, game.rows, factorials.supply, 0, NO_UPCARD, lanes, space)
    for end in range(len(game.rows.first_row) - 1):
        sum_rows(game.rows, end, lanes, space)
        store_end(game, factorials, wanted, (start, end), lanes, space, totals)


@rule
def store_end(
    game: Facing,
    factorials: FallingFactorials,
    wanted: NDArray[np.bool_],
    place: tuple[int, int],
    lanes: Lanes,
    space: LaneSpace,
    totals: NDArray[np.float64],
) -> None:
    """Multiply the rows of one end by the factors of each member, divided by the upcard's count, into `totals`.

    `place` is the block's first family and the end.
    """
    hands, member, rows, (start, end) = game.hands, game.families.member, game.rows, place
    supply, sums, size = factorials.supply, space.sums, hands.size[space.head[lanes.first]]
    upcard, bin, filled = end // totals.shape[2], end % totals.shape[2], lanes.last
    first_row, last_row = rows.first_row[end], rows.first_row[end + 1]
    for aces in range(member.shape[1]):
        # Within a size, families of fewer pips come first: the last lanes run out of members before the others.
        while filled > lanes.first and member[start + filled - 1, aces] == BUST:
            filled -= 1
        last = whole_vectors(lanes, filled)
        for lane in range(lanes.first, last):
            sums[lane] = 0.0
        for at in range(first_row, last_row if filled > lanes.first else first_row):
            of_aces = factorials.of_value[ACE, aces, rows.row_held[at]]
            weight = of_aces * factorials.inverse[size + aces + 1, rows.row_size[at] - 1]
            for lane in range(lanes.first, last):
                sums[lane] += weight * space.rows[at - first_row, lane]
        for lane in range(lanes.first, filled):
            hand = member[start + lane, aces]
            left = supply.counts[upcard] - supply.depletion * hands.cards[hand, upcard]
            if wanted[hand] and left > 0.5 and _holds(supply, hands, hand):
                totals[hand, upcard, bin] = sums[lane] / left


@rule
def _holds(supply: Supply, hands: Hands, hand: int) -> bool:
    """True if a shoe holds the cards of a hand."""
    enough = True
    for value in range(N_VALUES):
        enough &= supply.depletion * hands.cards[hand, value] <= supply.counts[value]
    return enough
