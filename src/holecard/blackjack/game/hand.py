"""One hand, the player's or the dealer's: what it counts, what it may do, when the dealer draws, and who wins.

The functions from `end_of` down are the rules of play. Each is the only place where its rule is written: rounds and the
exact solver call the same ones.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import rule
from holecard.blackjack.game.rules import EARLY_SURRENDER, EARLY_TEN_SURRENDER, MAX_LIMIT, TableRules

MAX_CARDS: Final = MAX_LIMIT + 1
"""A hand of aces counted 1 each, and the card that busts it."""
HAND = np.dtype(
    [
        ("n_cards", np.int32),
        ("hard", np.int32),  # with every ace counted 1
        ("total", np.int32),
        ("bet", np.int32),  # in chips, `unit` to a base bet
        ("soft", np.bool_),  # an ace counts 1 + ace_bonus
        ("has_ace", np.bool_),
        ("from_aces", np.bool_),  # made by splitting aces
        ("status", np.uint8),
        ("cards", np.uint8, (MAX_CARDS,)),
    ],
    align=True,
)
Hand: TypeAlias = Any
"""One HAND record."""
_VALUE_BY_RANK: Final = 0x1AAAA98765432  # nibbles from rank 2 up to the ace; a card is rank * 4 + suit
PLAYING, STOOD, BUST, SURRENDERED, CHARLIE = range(5)


@rule
def value_of(card: int) -> int:
    """What a card counts: an ace 1, court cards 10. Read from a row of nibbles: a branch guesses wrong too often."""
    return int(_VALUE_BY_RANK >> (np.int64(card) & 60) & 15)


@rule
def _count(hand: Hand, hard: int, has_ace: bool, rules: TableRules) -> None:
    soft = has_ace and hard + rules.ace_bonus <= rules.limit
    hand["hard"] = hard
    hand["total"] = hard + rules.ace_bonus if soft else hard
    hand["soft"] = soft
    hand["has_ace"] = has_ace


@rule
def open_hand(hand: Hand, first: int, second: int, rules: TableRules) -> None:
    """Start a hand with two cards."""
    one, two = value_of(first), value_of(second)
    hand["n_cards"] = 2
    hand["cards"][0] = first
    hand["cards"][1] = second
    _count(hand, one + two, one == 1 or two == 1, rules)


@rule
def open_split_hand(hand: Hand, card: int, rules: TableRules) -> None:
    """Start a hand with one card of a split pair."""
    value = value_of(card)
    hand["n_cards"] = 1
    hand["cards"][0] = card
    _count(hand, value, value == 1, rules)
    place_bet(hand, value == 1, rules)


@rule
def place_bet(hand: Hand, from_aces: bool, rules: TableRules) -> None:
    """Stake a base bet on a player's new hand."""
    hand["bet"] = rules.unit
    hand["from_aces"] = from_aces
    hand["status"] = PLAYING


@rule
def receive(hand: Hand, card: int, rules: TableRules) -> None:
    """Add a card and count again."""
    value = value_of(card)
    if hand["cards"].shape[0] == MAX_CARDS:
        hand["cards"][np.uint64(hand["n_cards"])] = card
    elif hand["n_cards"] == 1:  # in little room only the two cards that may be a pair are kept
        hand["cards"][1] = card
    hand["n_cards"] += 1
    _count(hand, hand["hard"] + value, hand["has_ace"] or value == 1, rules)


@rule
def is_ace_ten(hand: Hand) -> bool:
    """True for an ace and a ten as the first two cards: a natural where the rules have naturals."""
    return (hand["n_cards"] == 2) & hand["has_ace"] & (hand["hard"] == 11)


@rule
def is_pair(hand: Hand, rules: TableRules) -> bool:
    """True for two cards of one value, or of one rank where the rules split by rank."""
    if hand["n_cards"] != 2:
        return False
    first, second = hand["cards"][0], hand["cards"][1]
    if rules.split_by_rank:
        return first >> 2 == second >> 2
    return value_of(first) == value_of(second)


@rule
def end_of(n_cards: int, total: int, rules: TableRules) -> int:
    """How a player's hand ends by itself: a charlie, a bust, STOOD at the limit; PLAYING if it does not."""
    if n_cards >= rules.charlie and total <= rules.limit:
        return CHARLIE
    if total > rules.limit:
        return BUST
    if total == rules.limit and not rules.plays_at_limit:
        return STOOD
    return PLAYING


@rule
def may_hit(from_aces: bool, rules: TableRules) -> bool:
    """True if a hand may take cards: split aces get one only unless the rules let them be hit."""
    return not from_aces or rules.hit_split_aces


@rule
def is_doubling_total(total: int, soft: bool, rules: TableRules) -> bool:
    """True if the rules let a hand of this total be doubled."""
    return rules.double_low <= total <= rules.double_high and (rules.double_soft or not soft)


@rule
def may_double_after_split(from_aces: bool, rules: TableRules) -> bool:
    """True if hands of a split may be doubled at all."""
    return rules.double_after_split and (rules.double_split_aces or not from_aces)


@rule
def may_double(n_cards: int, total: int, soft: bool, is_split: bool, from_aces: bool, rules: TableRules) -> bool:
    """True if a hand may be doubled: its cards, its total, and after a split only where the rules allow that too."""
    return (
        (n_cards == 2 or rules.double_any_cards)
        and is_doubling_total(total, soft, rules)
        and (not is_split or may_double_after_split(from_aces, rules))
    )


@rule
def most_hands(of_aces: bool, rules: TableRules) -> int:
    """The hands that a pair may be split into: aces are split once unless the rules let them be split again."""
    return min(rules.max_hands, 2) if of_aces and not rules.resplit_aces else rules.max_hands


@rule
def comes_before_peek(upcard: int, rules: TableRules) -> bool:
    """True if the first decision against an upcard of this value (ace 1) is taken before the dealer may look.

    That is early surrender. Whoever gives up then loses half a bet whatever the hole card is.
    """
    return rules.surrender == EARLY_SURRENDER or (rules.surrender == EARLY_TEN_SURRENDER and upcard == 10)


@rule
def has_looked(upcard: int, is_first: bool, rules: TableRules) -> bool:
    """True if the dealer has had his chance to look when a decision is taken, the round's first or a later one."""
    return rules.peek and not (is_first and comes_before_peek(upcard, rules))


@rule
def natural_takes_one_bet(rules: TableRules) -> bool:
    """True if a dealer's natural takes one bet and nothing more, seen (peek) or settled so (original bets only)."""
    return rules.dealer_naturals and (rules.peek or rules.original_bets_only)


@rule
def dealer_must_hit(total: int, soft: bool, rules: TableRules) -> bool:
    """The whole of the dealer's strategy."""
    return (total < rules.target) | ((total == rules.target) & soft & rules.hits_soft_target)


@rule
def showdown(total: int, dealer_total: int, rules: TableRules) -> int:
    """Who wins: 1 if a hand that stands beats where the dealer ends, 0 for a push, −1 if it loses.

    A dealer's total above the limit is his bust. Naturals and charlies are settled before.
    """
    if rules.pushes_22 and dealer_total == rules.limit + 1:
        return 0
    stands_at = dealer_total if dealer_total <= rules.limit else 0
    if rules.dealer_wins_ties and total == stands_at:
        return -1
    return int(total > stands_at) - int(total < stands_at)
