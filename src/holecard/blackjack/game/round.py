"""A round of blackjack as a state machine on one record: deal, peek, insurance, actions, dealer, settle.

    deal(round, key, purse, rules)            → the hand that decides first, or NOBODY
    legal_actions(round, active, rules)       → bits, 1 << Action
    apply(round, active, action, rules)       → the hand that decides next, or NOBODY; then round["net"] is settled

A hand is named by its index in `round["hands"]`: DEALER, or 1 to 4 for the player's. `active` is the index of the hand
to act. Plain Python, CPU kernels and CUDA kernels run these same functions. Callers have checked that an action is
legal.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.dealing import SHOE, begin_round, bits_of, draw, draw_by, fill
from holecard.blackjack.game.hand import (
    CHARLIE,
    HAND,
    PLAYING,
    STOOD,
    SURRENDERED,
    Hand,
    comes_before_peek,
    dealer_must_hit,
    end_of,
    has_looked,
    is_ace_ten,
    is_pair,
    may_double,
    may_hit,
    most_hands,
    natural_takes_one_bet,
    open_hand,
    open_split_hand,
    place_bet,
    receive,
    showdown,
    value_of,
)
from holecard.blackjack.game.rules import MAX_HANDS, NO_SURRENDER, TableRules
from holecard.blackjack.game.shoe import Composition

OVER, INSURING, PLAYING_HANDS = range(3)
DEALER: Final = 0
"""The index of the dealer's hand in `round["hands"]`; the player's hands follow, 1 to 4."""
NOBODY: Final = 0
"""In place of an active hand: nobody decides, the round is over."""
UNLIMITED: Final = 1 << 40
"""A purse that pays every double and split."""
_HAND_CARDS: Final = 64
"""Counters set aside for each hand's cards; those dealt after a split follow the last hand's."""
_SPLIT_CARDS: Final = _HAND_CARDS * (MAX_HANDS + 1)

ROUND = np.dtype(
    [
        ("phase", np.int32),
        ("n_hands", np.int32),  # the player's
        ("active", np.int32),  # index of the hand to act
        ("split_cards", np.int32),  # second cards dealt to split hands so far
        ("decisions", np.int32),
        ("insured", np.bool_),
        ("purse", np.int64),  # chips for doubles, splits and insurance beyond the bets on the table
        ("net", np.int64),  # the round's result in chips, once it is over
        ("hands", HAND, (MAX_HANDS + 1,)),
        ("shoe", SHOE),
    ],
    align=True,
)
Round: TypeAlias = Any
"""One ROUND record, or a smaller one with the same fields: `play.gpu` makes those."""
OpeningBits: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""The random bits of the first four cards in the order they are dealt: player, upcard, player, hole card."""
Rounds: TypeAlias = NDArray[np.void]
"""ROUND of shape (n,); a state is an array of one."""


def new_rounds(n: int, deck: Composition, *, dealt: bool = False) -> Rounds:
    """ROUND of shape (n,), nothing dealt yet, every shoe full, to be fresh each round or `dealt` down."""
    states = np.zeros(n, ROUND)
    fill(states[0]["shoe"], deck, dealt=dealt)
    states["shoe"] = states[0]["shoe"]
    return states


@rule
def deal(round: Round, key: np.uint64, purse: int, rules: TableRules) -> int:
    """Deal the round of `key` and open play; the hand that decides first, or NOBODY where the round is over already."""
    return _unless_over(round, open_round(round, key, opening_bits(key), purse, rules), rules)


@rule
def _unless_over(round: Round, turn: int, rules: TableRules) -> int:
    """The hand whose turn it is; where it is the dealer's he plays, the round is settled and NOBODY decides."""
    if turn != DEALER:
        round["active"] = turn
        return turn
    round["net"] = finish(round, rules)
    round["phase"] = OVER
    round["active"] = NOBODY
    return NOBODY


@rule
def finish(round: Round, rules: TableRules) -> int:
    """The dealer's turn: he plays his hand if he has to, and every bet is settled; the net result in chips."""
    if dealer_plays(round, rules):
        while dealer_draws(round, rules):
            hit_dealer(round, next_bits(round, round["hands"][DEALER], DEALER), rules)
    return settle(round, rules)


@rule
def opening_bits(key: np.uint64) -> OpeningBits:
    """The random bits of the first four cards of the round of `key`."""
    return card_bits(key, 1, 0), card_bits(key, DEALER, 0), card_bits(key, 1, 1), card_bits(key, DEALER, 1)


@rule
def open_round(round: Round, key: np.uint64, bits: OpeningBits, purse: int, rules: TableRules) -> int:
    """Deal the round of `key`: player, upcard, player, hole card; the hand that decides first, or DEALER for none."""
    begin_round(round["shoe"], key)
    round["n_hands"] = 1
    round["split_cards"] = 0
    round["decisions"] = 0
    round["insured"] = False
    round["purse"] = purse
    shoe = round["shoe"]
    first = draw_by(shoe, bits[0], rules.infinite)
    upcard = draw_by(shoe, bits[1], rules.infinite)
    second = draw_by(shoe, bits[2], rules.infinite)
    hole_card = draw_by(shoe, bits[3], rules.infinite)
    open_hand(round["hands"][1], first, second, rules)
    place_bet(round["hands"][1], False, rules)
    open_hand(round["hands"][DEALER], upcard, hole_card, rules)
    if rules.insurance and value_of(upcard) == 1:
        round["phase"] = INSURING
        return 1
    return _open_play(round, rules)


@rule
def card_bits(key: np.uint64, index: int, number: int) -> np.uint64:
    """The random bits of the `number`-th card to a hand: the same whatever the other hands have taken."""
    return bits_of(key, index * _HAND_CARDS + number)


@rule
def next_bits(round: Round, hand: Hand, index: int) -> np.uint64:
    """The random bits of the next card to a hand."""
    return card_bits(round["shoe"]["key"], index, hand["n_cards"])


@rule
def _holds_one(round: Round, rules: TableRules) -> bool:
    """True where nobody may split, or the record has no room for a second hand: the compiler knows it."""
    return rules.max_hands == 1 or round["hands"].shape[0] == 2


@rule
def hands_held(round: Round, rules: TableRules) -> int:
    """How many hands the player holds; where it cannot be more, the compiler learns that it is one."""
    return 1 if _holds_one(round, rules) else round["n_hands"]


@rule
def hand_in(round: Round, index: int, rules: TableRules) -> Hand:
    """The player's hand of that index; where there is but one the compiler learns that it is the first."""
    return round["hands"][np.uint64(1 if _holds_one(round, rules) else index)]


@rule
def peek_ends_round(round: Round, rules: TableRules) -> bool:
    """True if the dealer looks and has a natural."""
    return rules.peek and rules.dealer_naturals and is_ace_ten(round["hands"][DEALER])


@rule
def surrenders_early(round: Round, rules: TableRules) -> bool:
    """True if the decision now to be taken is the first one and comes before the dealer may look."""
    return round["decisions"] == 0 and comes_before_peek(value_of(round["hands"][DEALER]["cards"][0]), rules)


@rule
def is_peek_past(round: Round, rules: TableRules) -> bool:
    """True if the dealer has looked: a round still in play means no natural."""
    upcard = value_of(round["hands"][DEALER]["cards"][0])
    return round["phase"] == PLAYING_HANDS and has_looked(upcard, round["decisions"] == 0, rules)


@rule
def has_natural(round: Round, rules: TableRules) -> bool:
    """True if the player was dealt a natural that the rules honour."""
    return rules.naturals and hands_held(round, rules) == 1 and is_ace_ten(round["hands"][1])


@rule
def _open_play(round: Round, rules: TableRules) -> int:
    """After the deal and any insurance: naturals and the peek may bring the dealer's turn before a decision."""
    round["phase"] = PLAYING_HANDS
    natural_ends = has_natural(round, rules) and not rules.plays_at_limit
    if natural_ends or (peek_ends_round(round, rules) and not surrenders_early(round, rules)):
        return DEALER
    return _next_turn(round, 1, rules)


@rule
def _can_pay(round: Round, rules: TableRules) -> bool:
    return round["purse"] >= rules.unit


@rule
def can_hit(hand: Hand, rules: TableRules) -> bool:
    """True if the hand may take another card; see `may_hit`."""
    return rules.max_hands == 1 or may_hit(hand["from_aces"], rules)


@rule
def can_double(round: Round, hand: Hand, rules: TableRules) -> bool:
    """True if the hand may be doubled, see `may_double`, and that can be paid."""
    is_split = hands_held(round, rules) > 1
    may = may_double(hand["n_cards"], hand["total"], hand["soft"], is_split, hand["from_aces"], rules)
    return may and _can_pay(round, rules)


@rule
def can_split(round: Round, hand: Hand, rules: TableRules) -> bool:
    """True if the hand is a pair, there is room for one more hand, see `most_hands`, and that can be paid."""
    return (
        hands_held(round, rules) < rules.max_hands
        and is_pair(hand, rules)
        and hands_held(round, rules) < most_hands(value_of(hand["cards"][0]) == 1, rules)
        and _can_pay(round, rules)
    )


@rule
def can_surrender(round: Round, rules: TableRules) -> bool:
    """The round's first decision on an unsplit hand."""
    return rules.surrender != NO_SURRENDER and round["decisions"] == 0


@rule
def hand_actions(round: Round, hand: Hand, rules: TableRules) -> int:
    """What may be done with the hand to act, as bits `1 << Action`."""
    legal = 1 << Action.STAND
    if can_hit(hand, rules):
        legal |= 1 << Action.HIT
    if can_double(round, hand, rules):
        legal |= 1 << Action.DOUBLE
    if can_split(round, hand, rules):
        legal |= 1 << Action.SPLIT
    if can_surrender(round, rules):
        legal |= 1 << Action.SURRENDER
    return legal


@rule
def legal_actions(round: Round, active: int, rules: TableRules) -> int:
    """The actions allowed now, as bits `1 << Action`; 0 when the round is over."""
    if round["phase"] == PLAYING_HANDS:
        return hand_actions(round, round["hands"][np.uint64(active)], rules)
    if round["phase"] == INSURING:
        return 1 << Action.DECLINE | (1 << Action.INSURE if 2 * round["purse"] >= rules.unit else 0)
    return 0


@rule
def apply(round: Round, active: int, action: int, rules: TableRules) -> int:
    """Carry out a legal action of the active hand; the hand that decides next, or NOBODY when the round is over."""
    return _unless_over(round, act(round, active, action, rules), rules)


@rule
def act(round: Round, active: int, action: int, rules: TableRules) -> int:
    """Carry out a legal action of the active hand; the hand that decides next, or DEALER when it is his turn."""
    return act_by(round, active, action, next_bits(round, hand_in(round, active, rules), active), rules)


@rule
def act_by(round: Round, active: int, action: int, bits: np.uint64, rules: TableRules) -> int:
    """As `act`, with the bits of the hand's next card known already."""
    if action >= Action.INSURE:
        round["insured"] = action == Action.INSURE
        return _open_play(round, rules)
    over = _ends_round(round, action, rules)
    round["decisions"] += 1
    if over:
        return DEALER
    hand = hand_in(round, active, rules)
    if action == Action.STAND:
        hand["status"] = STOOD
        return _next_turn(round, active + 1, rules)
    if not _holds_one(round, rules) and action == Action.SPLIT:
        _split(round, hand, rules)
    elif rules.surrender != NO_SURRENDER and action == Action.SURRENDER:
        hand["status"] = SURRENDERED
    else:
        doubles = rules.double_low <= rules.double_high and action == Action.DOUBLE
        _take_card(round, hand, bits, doubles, rules)
    return _next_turn(round, active, rules)


@rule
def _ends_round(round: Round, action: int, rules: TableRules) -> bool:
    """True if a natural stands, or the first action is no early surrender and the dealer looks and has a natural."""
    if action == Action.STAND and rules.plays_at_limit and not rules.natural_ties and has_natural(round, rules):
        return True
    return action != Action.SURRENDER and surrenders_early(round, rules) and peek_ends_round(round, rules)


@rule
def _take_card(round: Round, hand: Hand, bits: np.uint64, doubles: bool, rules: TableRules) -> None:
    """Hit, or double: one path for both, since a processor guesses badly which of them comes."""
    raised = rules.unit if doubles else 0
    hand["bet"] += raised
    round["purse"] -= raised
    receive(hand, draw_by(round["shoe"], bits, rules.infinite), rules)
    if doubles:
        end = end_of(hand["n_cards"], hand["total"], rules)
        hand["status"] = STOOD if end == PLAYING else end


@rule
def _split(round: Round, hand: Hand, rules: TableRules) -> None:
    """Move the second card to a new hand; each gets its next card when its turn comes."""
    round["n_hands"] += 1
    round["purse"] -= rules.unit
    other = round["hands"][np.uint64(round["n_hands"])]
    open_split_hand(other, hand["cards"][1], rules)
    open_split_hand(hand, hand["cards"][0], rules)


@rule
def _next_turn(round: Round, index: int, rules: TableRules) -> int:
    """The first hand from `index` on that must decide; DEALER when none is left."""
    if _holds_one(round, rules):
        return 1 if index == 1 and _must_decide(round, hand_in(round, 1, rules), rules) else DEALER
    while index <= round["n_hands"]:
        hand = hand_in(round, index, rules)
        if hand["n_cards"] == 1:
            receive(hand, draw(round["shoe"], _SPLIT_CARDS + round["split_cards"], rules.infinite), rules)
            round["split_cards"] += 1
        if _must_decide(round, hand, rules):
            return index
        index += 1
    return DEALER


@rule
def _must_decide(round: Round, hand: Hand, rules: TableRules) -> bool:
    """True if a hand has not ended; one that ends by itself is marked as it ended."""
    if hand["status"] == PLAYING:
        hand["status"] = _status(round, hand, rules)
    return hand["status"] == PLAYING


@rule
def _status(round: Round, hand: Hand, rules: TableRules) -> int:
    """How a hand ends by itself, see `end_of`; a split ace that may do nothing but stand has STOOD."""
    end = end_of(hand["n_cards"], hand["total"], rules)
    if end != PLAYING or can_hit(hand, rules):
        return end
    return PLAYING if can_split(round, hand, rules) or can_double(round, hand, rules) else STOOD


@rule
def dealer_plays(round: Round, rules: TableRules) -> bool:
    """True if the dealer plays his hand: one of the player's still stands against it and it is no natural."""
    stands = False
    for index in range(1, hands_held(round, rules) + 1):
        stands = stands or hand_in(round, index, rules)["status"] == STOOD
    return stands & (not (rules.dealer_naturals and is_ace_ten(round["hands"][DEALER])))


@rule
def dealer_draws(round: Round, rules: TableRules) -> bool:
    """True if the dealer, where he plays, takes another card; see `dealer_must_hit`."""
    dealer = round["hands"][DEALER]
    return dealer_must_hit(dealer["total"], dealer["soft"], rules)


@rule
def hit_dealer(round: Round, bits: np.uint64, rules: TableRules) -> None:
    """Give the dealer his next card, the one of these bits."""
    receive(round["hands"][DEALER], draw_by(round["shoe"], bits, rules.infinite), rules)


@rule
def cards_on_table(round: Round, rules: TableRules) -> int:
    """Cards dealt in this round."""
    cards = round["hands"][DEALER]["n_cards"]
    for index in range(1, hands_held(round, rules) + 1):
        cards += hand_in(round, index, rules)["n_cards"]
    return cards


@rule
def settle(round: Round, rules: TableRules) -> int:
    """The player's net result of a finished round, in chips."""
    net = insurance_result(round, rules)
    for index in range(1, hands_held(round, rules) + 1):
        net += hand_result(round, index, rules)
    return net


@rule
def insurance_result(round: Round, rules: TableRules) -> int:
    """What the insurance bet of half a bet wins at 2:1 or loses, in chips."""
    if rules.insurance and round["insured"]:
        return rules.unit if is_ace_ten(round["hands"][DEALER]) else -(rules.unit // 2)
    return 0


@rule
def hand_result(round: Round, index: int, rules: TableRules) -> int:
    """What one hand of a finished round wins or loses, in chips."""
    hand, dealer = hand_in(round, index, rules), round["hands"][DEALER]
    bet, status = int(hand["bet"]), hand["status"]
    dealer_ace_ten = is_ace_ten(dealer)
    dealer_natural = rules.dealer_naturals and dealer_ace_ten
    if status == STOOD and not dealer_natural:
        won = showdown(hand["total"], dealer["total"], rules)
        if rules.natural_ties and won > 0 and has_natural(round, rules):
            return rules.natural_pays
        return bet * won
    if has_natural(round, rules):
        return 0 if dealer_ace_ten else rules.natural_pays
    if rules.surrender != NO_SURRENDER and status == SURRENDERED:
        lost_whole = dealer_ace_ten and not comes_before_peek(value_of(dealer["cards"][0]), rules)
        return -bet if lost_whole else -(bet // 2)
    if dealer_natural and natural_takes_one_bet(rules):
        return -rules.unit if index == 1 else 0
    return bet if status == CHARLIE else -bet
