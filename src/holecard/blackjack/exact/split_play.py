"""How split hands are played: what they may do, the zero-memory play, and the sequences of cards that a play leads to.

How many sequences of cards end on a split hand depends on the play alone, not on the cards left. So a play is followed
once, and the probability of one sequence comes in later, for every number of pair cards gone (`split_net`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, Hands
from holecard.blackjack.exact.returns import TIE, Returns, has_ended
from holecard.blackjack.exact.slots import Slots
from holecard.blackjack.exact.supply import Supply
from holecard.blackjack.game.hand import may_double, may_hit
from holecard.blackjack.game.rules import TableRules


class SplitPlay(NamedTuple):
    """How split hands are played: shares of each action by upcard and slot; the rest stands."""

    hit: NDArray[np.float64]
    """(10, m)."""
    double: NDArray[np.float64]
    """(10, m)."""
    resplit: NDArray[np.float64]
    """(10, 10): by upcard and pair card, the share of pairs that are split again where that is allowed."""


class FinalSequences(NamedTuple):
    """Sequences of cards after which a play stands on each split hand, times the bets on it."""

    other_card: NDArray[np.float64]
    """(10, m): by upcard and slot, where the second card is no pair card."""
    pair_card: NDArray[np.float64]
    """(10, m): where it is one."""
    doubled: NDArray[np.float64]
    """(2, 10, m): sequences after which it doubles a hand; the first index is 1 if the second card is a pair card.

    No hands where only two cards may be doubled: those have one sequence."""


@rule
def may_hit_split(pair: int, total: int, size: int, rules: TableRules) -> bool:
    """True if a split hand may take another card."""
    return not has_ended(total, size, rules) and may_hit(pair == ACE, rules)


@rule
def may_double_split(pair: int, total: int, soft: bool, size: int, rules: TableRules) -> bool:
    """True if a split hand may be doubled."""
    return not has_ended(total, size, rules) and may_double(size, total, soft, True, pair == ACE, rules)


def zero_memory_play(slots: Slots, hands: Hands, rules: TableRules, returns: Returns) -> SplitPlay:
    """The play that is best before a split, kept after it (CDZ-)."""
    hit, double = np.zeros((2, N_VALUES, len(slots.hand)))
    play = SplitPlay(hit, double, np.ones((N_VALUES, N_VALUES)))
    _fill_zero_memory(slots, hands, rules, returns, play)
    return play


@lean_kernel
def _fill_zero_memory(slots: Slots, hands: Hands, rules: TableRules, returns: Returns, play: SplitPlay) -> None:
    for slot in range(len(slots.hand)):
        play_as_before(slots, hands, rules, returns, slot, play)


@rule
def play_as_before(slots: Slots, hands: Hands, rules: TableRules, returns: Returns, slot: int, play: SplitPlay) -> None:
    """Set the play of a split hand from the returns before a split; a later action needs more than a tie to be better.

    `play` holds zeros there.
    """
    hand, pair = slots.hand[slot], slots.pair[slot]
    total, soft, size = hands.total[hand], hands.soft[hand], hands.size[hand]
    hits, doubles = may_hit_split(pair, total, size, rules), may_double_split(pair, total, soft, size, rules)
    for upcard in range(N_VALUES):
        best = returns.stand[hand, upcard]
        if hits and returns.hit[hand, upcard] > best + TIE:
            best = returns.hit[hand, upcard]
            play.hit[upcard, slot] = 1.0
        if doubles and returns.double[hand, upcard] > best + TIE:
            play.hit[upcard, slot] = 0.0
            play.double[upcard, slot] = 1.0


def final_sequences(slots: Slots, supply: Supply, play: SplitPlay, rules: TableRules) -> FinalSequences:
    """The sequences after which a play stands on split hands."""
    other_card, pair_card = np.zeros((2, N_VALUES, len(slots.hand)))
    doubled = np.zeros((2, N_VALUES, len(slots.hand) if rules.double_any_cards else 0))
    sequences = FinalSequences(other_card, pair_card, doubled)
    _count_final(slots, supply, play, np.zeros((2, N_VALUES, len(slots.hand))), sequences)
    return sequences


@lean_kernel
def _count_final(
    slots: Slots, supply: Supply, play: SplitPlay, reached: NDArray[np.float64], sequences: FinalSequences
) -> None:
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES if supply.counts[upcard] > 0.5 else 0):
            count_final_of(slots, play, upcard, pair, reached, sequences)


@rule
def count_final_of(
    slots: Slots, play: SplitPlay, upcard: int, pair: int, reached: NDArray[np.float64], sequences: FinalSequences
) -> None:
    """Fill `FinalSequences` for an upcard and a pair card, from the two-card hands up.

    `reached`, working space of shape (2, 10, m) with zeros in it, are the sequences that lead to each hand.
    """
    others, paired = reached[0, upcard], reached[1, upcard]
    for value in range(N_VALUES):
        if slots.opened[pair, value] != BUST:
            others[slots.opened[pair, value]] = 0.0 if value == pair else 1.0
            paired[slots.opened[pair, value]] = 1.0 if value == pair else 0.0
    for slot in range(slots.first[pair], slots.first[pair + 1]):
        if others[slot] == 0.0 and paired[slot] == 0.0:
            continue
        hit, double = play.hit[upcard, slot], play.double[upcard, slot]
        sequences.other_card[upcard, slot] += others[slot] * (1.0 - hit - double)
        sequences.pair_card[upcard, slot] += paired[slot] * (1.0 - hit - double)
        if double > 0.0 and sequences.doubled.shape[2] > 0:
            sequences.doubled[0, upcard, slot] = others[slot] * double
            sequences.doubled[1, upcard, slot] = paired[slot] * double
        for value in range(N_VALUES if hit > 0.0 or double > 0.0 else 0):
            grown = slots.grown[slot, value]
            if grown != BUST:
                others[grown] += others[slot] * hit
                paired[grown] += paired[slot] * hit
                sequences.other_card[upcard, grown] += 2.0 * others[slot] * double
                sequences.pair_card[upcard, grown] += 2.0 * paired[slot] * double


@rule
def ends_on(sequences: FinalSequences, upcard: int, slot: int) -> bool:
    """True if the play ends on a split hand."""
    return sequences.other_card[upcard, slot] > 0.0 or sequences.pair_card[upcard, slot] > 0.0


def reached_sequences(slots: Slots, play: SplitPlay) -> NDArray[np.float64]:
    """Sequences of cards that lead a play to each split hand by hitting, shape (2, 10, m) by upcard and slot.

    The first index is 1 where the second card is a pair card.
    """
    sequences = np.zeros((2, N_VALUES, len(slots.hand)))
    _count_reached(slots, play, sequences)
    return sequences


@lean_kernel
def _count_reached(slots: Slots, play: SplitPlay, sequences: NDArray[np.float64]) -> None:
    """Fill `reached_sequences`, from the two-card hands up."""
    for upcard in range(N_VALUES):
        for pair in range(N_VALUES):
            for value in range(N_VALUES):
                if slots.opened[pair, value] != BUST:
                    sequences[int(value == pair), upcard, slots.opened[pair, value]] = 1.0
        for paired in range(2):
            for slot in range(len(slots.hand)):
                hit = sequences[paired, upcard, slot] * play.hit[upcard, slot]
                if hit > 0.0:
                    for value in range(N_VALUES):
                        if slots.grown[slot, value] != BUST:
                            sequences[paired, upcard, slots.grown[slot, value]] += hit
