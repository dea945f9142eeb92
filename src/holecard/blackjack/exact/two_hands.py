"""Every set of cards that the two hands of a split can hold between them, and where the dealer ends beside it.

The dealer's cards come from what both hands have left, whoever holds which. So sets of cards are numbered once, as one
hand of up to twice the pips would be, and the dealer is worked out once for each set that a split can come to.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.exact.dealer import standings
from holecard.blackjack.exact.dealer_totals import dealer_totals
from holecard.blackjack.exact.hands import ACE, BUST, EMPTY, N_VALUES, TEN, Hands, all_hands
from holecard.blackjack.exact.memory import may_stand
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.split_play import may_double_split, may_hit_split
from holecard.blackjack.exact.supply import Supply, falling_factorials, natural_probability
from holecard.blackjack.game.hand import natural_takes_one_bet
from holecard.blackjack.game.rules import TableRules
from holecard.errors import CardError

STAND, HIT, DOUBLE = 0, 1, 2
"""What a split hand does, in the order in which ties are broken."""
_NOTHING: Final = np.zeros((0, 0, 0))
NEVER: Final = -1
"""In place of a set of cards that the supply does not hold."""


class TwoHands(NamedTuple):
    """What the kernels know of a split into two hands that remember every card."""

    hands: Hands
    """The hands of one player's hand, n of them."""
    slots: Slots
    """Split hands, m of them."""
    previous: NDArray[np.int64]
    """(m,): a slot that each one grows from, `NEVER` for two cards."""
    card: NDArray[np.int64]
    """(m,): the card that makes a slot of that one, or of the pair card."""
    sets: Hands
    """Sets of cards that two hands can hold, numbered as hands are; N of them."""
    possible: NDArray[np.bool_]
    """(N,): sets that the shoe holds."""
    dealer: NDArray[np.float64]
    """(N, 10, bins): where the dealer stands beside a set of cards, see `dealer_totals.dealer_totals`."""
    lost: NDArray[np.float64]
    """(limit + 1, bins): what a dealer's end takes from the two units that a stand on a total may return."""
    stands: NDArray[np.bool_]
    """(m,): split hands on which a stand can be best, or a double end."""
    supply: Supply
    """The cards of the shoe."""
    rules: TableRules
    """The rules."""


class FirstOfTwo(NamedTuple):
    """The first of two hands split from one pair card, k ways for it to be over."""

    set_of: NDArray[np.int64]
    """(m',): the set of cards that each slot of the pair card holds."""
    overs: NDArray[np.int64]
    """(k,): the sets of cards of a hand that is over: stood on, doubled or bust."""
    over: NDArray[np.int64]
    """(m',): a slot's place in `overs`, or `NEVER`."""
    over_after: NDArray[np.int64]
    """(m', 10): the place in `overs` of a slot and one more card that ends it, or `NEVER`."""
    over_opened: NDArray[np.int64]
    """(10,): the same of the pair card and a second card, where two cards can be a bust."""


def two_hands_of(odds: Odds) -> tuple[TwoHands, list[FirstOfTwo]]:
    """The game of two hands for every pair card; refuses a deck that they could run out."""
    _refuse_exhaustion(odds)
    most = 2 * odds.table_rules.limit + N_VALUES - 1  # pips: a bust from limit − 1, and a hand beside it
    sets = all_hands(most, odds.table_rules.ace_bonus)
    possible = np.all(odds.supply.depletion * sets.cards <= odds.supply.counts, axis=1)
    stands = may_stand(odds)[0]
    set_of_hand = _sets_of_hands(odds.hands, sets)
    firsts = [_first_of_two(odds, sets, set_of_hand, possible, stands, pair) for pair in range(N_VALUES)]
    factorials = falling_factorials(odds.supply, most)
    lost = 1.0 - standings(odds.table_rules)
    previous, card = _previous_slots(odds.slots)
    game = TwoHands(
        odds.hands, odds.slots, previous, card, sets, possible, _NOTHING, lost, stands, odds.supply, odds.table_rules
    )
    wanted = np.zeros(len(sets.size), np.bool_)
    for pair, first in enumerate(firsts):
        _mark_sets(game, first, pair, wanted)
    dealer = dealer_totals(most, factorials, odds.table_rules, wanted & possible)
    return game._replace(dealer=dealer), firsts


def _previous_slots(slots: Slots) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A slot that each one grows from, `NEVER` for two cards, and the card that it takes; shape (m,) each."""
    previous, card = np.full((2, len(slots.hand)), NEVER, np.int64)
    slot, value = np.nonzero(slots.grown != BUST)
    previous[slots.grown[slot, value]], card[slots.grown[slot, value]] = slot, value
    pair, second = np.nonzero(slots.opened != BUST)
    card[slots.opened[pair, second]] = second
    return previous, card


def _refuse_exhaustion(odds: Odds) -> None:
    rules, pips = odds.table_rules, float(odds.supply.counts @ np.arange(1, N_VALUES + 1))
    # A first hand busts from limit − 1; beside it the second draws, with upcard and hole card gone, or the dealer does.
    needed = 2 * rules.limit + N_VALUES - 1 + max(rules.target, 2 * N_VALUES - 1)
    if pips <= needed:
        raise CardError(
            f"two split hands and the dealer could run this deck out: its cards sum to {pips:.0f} and perfect memory "
            f"needs more than {needed}; add cards or use pair-aware"
        )


def _sets_of_hands(hands: Hands, sets: Hands) -> NDArray[np.int64]:
    """The number of every hand among the sets of cards, shape (n,)."""
    set_of = np.zeros(len(hands.size), np.int64)
    for hand in range(1, len(set_of)):
        set_of[hand] = sets.grown[set_of[hands.parent[hand]], hands.highest[hand]]
    set_of[EMPTY] = EMPTY
    return set_of


def _first_of_two(
    odds: Odds,
    sets: Hands,
    set_of_hand: NDArray[np.int64],
    possible: NDArray[np.bool_],
    stands: NDArray[np.bool_],
    pair: int,
) -> FirstOfTwo:
    slots = odds.slots
    mine = slice(int(slots.first[pair]), int(slots.first[pair + 1]))
    hand = slots.hand[mine]
    set_of = set_of_hand[hand]
    draws = np.array([_may_draw(odds, pair, int(each)) for each in hand], np.bool_)
    busts = (slots.grown[mine] == BUST) & draws[:, None] & possible[set_of][:, None]
    bust_sets = np.where(busts, sets.grown[set_of], NEVER)
    bust_sets[~possible[bust_sets]] = NEVER
    stood = np.where(stands[mine] & possible[set_of], set_of, NEVER)
    opened = np.where(slots.opened[pair] == BUST, sets.grown[1 + pair], NEVER)
    opened[~possible[opened]] = NEVER
    ends = (stood, bust_sets, opened)
    overs = np.unique(np.concatenate([each.ravel() for each in ends]))
    overs = overs[overs != NEVER]
    places = (np.where(each == NEVER, NEVER, np.searchsorted(overs, each)) for each in ends)
    return FirstOfTwo(set_of, overs, *places)


def _may_draw(odds: Odds, pair: int, hand: int) -> bool:
    """True if a split hand may take a card by any action."""
    hands, rules = odds.hands, odds.table_rules
    total, soft, size = int(hands.total[hand]), bool(hands.soft[hand]), int(hands.size[hand])
    return may_hit_split(pair, total, size, rules) or may_double_split(pair, total, soft, size, rules)


@kernel
def _mark_sets(game: TwoHands, first: FirstOfTwo, pair: int, wanted: NDArray[np.bool_]) -> None:
    """Mark the sets of cards beside which a stand is valued: the first hand's own, and those of both hands."""
    start, end = game.slots.first[pair], game.slots.first[pair + 1]
    union = np.zeros(end - start, np.int64)
    all_of_them = False
    for value in range(N_VALUES):
        all_of_them |= game.slots.opened[pair, value] == BUST  # a bust of two cards is told by what is no bust
    for at in range(end - start):
        if game.stands[start + at]:
            wanted[game.sets.grown[first.set_of[at], pair]] = True
    for over in first.overs:
        fill_unions(game, pair, over, union)
        wanted[game.sets.grown[over, pair]] |= all_of_them
        for at in range(end - start):
            if game.stands[start + at] or all_of_them:
                wanted[union[at]] = True


@rule
def fill_unions(game: TwoHands, pair: int, over: int, union: NDArray[np.int64]) -> None:
    """The set of cards of a first hand that is over and a second hand in every slot of the pair card, into `union`."""
    start = game.slots.first[pair]
    alone = game.sets.grown[over, pair]
    for at in range(game.slots.first[pair + 1] - start):
        previous = game.previous[start + at]
        union[at] = game.sets.grown[alone if previous < 0 else union[previous - start], game.card[start + at]]


@rule
def naturals(game: TwoHands, union: int, chances: NDArray[np.float64]) -> None:
    """P(the hole card makes ace-ten beside a set of cards) for every upcard, into `chances` (10,)."""
    unseen = game.supply.size - game.supply.depletion * (game.sets.size[union] + 1)
    aces = game.supply.counts[ACE] - game.supply.depletion * game.sets.cards[union, ACE]
    tens = game.supply.counts[TEN] - game.supply.depletion * game.sets.cards[union, TEN]
    for upcard in (ACE, TEN):
        chances[upcard] = natural_probability(upcard, max(aces, 0.0), max(tens, 0.0), unseen) if unseen > 0.5 else 0.0


@rule
def stand_returns(
    game: TwoHands, union: int, slot: int, chances: NDArray[np.float64], stand: NDArray[np.float64]
) -> None:
    """What a stand on a slot returns beside a set of cards, for every upcard, into `stand` (10,).

    `chances` (10,) are those of a dealer's natural, as `naturals` gives them.
    """
    hand = game.slots.hand[slot]
    total, is_charlie = game.hands.total[hand], game.hands.size[hand] >= game.rules.charlie
    counts = 1.0 if game.rules.dealer_naturals else 0.0
    takes_one = 1.0 if natural_takes_one_bet(game.rules) else 0.0
    for upcard in range(N_VALUES):
        if is_charlie:
            stand[upcard] = 2.0 * (1.0 - takes_one * chances[upcard])
            continue
        value = 2.0 * (1.0 - counts * chances[upcard])
        for at in range(game.dealer.shape[2]):
            value -= game.dealer[union, upcard, at] * game.lost[total, at]
        stand[upcard] = value
