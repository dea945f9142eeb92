"""Boards still to come: a hand's chances by sampling what is unseen, or by dealing every card that is left.

Cards are the nine of a `HAND` record. Wins are counted in halves, two for a win and one for a tie, so that sums stay
whole numbers and the other seat's are what is missing.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import Int, rare_rule, rule
from holecard.holdem.game.betting import BOARD, Hand, cards_dealt
from holecard.holdem.game.strength import Cards, RankingTables, card_bit, strength_of_sum
from holecard.seeds import below, key_of

PREFLOP_BOARDS: Final = 1000
"""Boards sampled for an all-in before the flop, where dealing all 1,712,304 would take too long."""
QUICK_BOARDS: Final = 200
"""Boards sampled instead where luck is taken out of many sessions; what they miss is small beside what is left."""
SURE: Final = 1_000_000
"""A chance of 1: chances of known hands are whole millionths, so that luck sums to the same number in any order."""
HandChances: TypeAlias = Any
"""Seat 0's chances on each street in millionths, (4) int64."""


@rule
def _bit(card: Int) -> Int:
    return np.uint64(1) << np.uint64(card)


@rule
def _draw(key: np.uint64, counter: Int, seen: Int) -> tuple[Int, Int]:
    """A card not yet seen, and the counter after it."""
    card = below(key, counter, np.uint64(52))
    while seen & _bit(card):
        counter += np.uint64(1)
        card = below(key, counter, np.uint64(52))
    return card, counter + np.uint64(1)


@rare_rule
def _half_wins(ranking: RankingTables, a: Int, b: Int, c: Int, d: Int, total: Int, bits: Int) -> int:
    """2, 1 or 0 for a, b against c, d on a whole board of that sum and those bits."""
    keys = ranking["card_key"]
    mine = strength_of_sum(ranking, total + keys[a] + keys[b], bits | card_bit(a) | card_bit(b))
    other = strength_of_sum(ranking, total + keys[c] + keys[d], bits | card_bit(c) | card_bit(d))
    return 2 if mine > other else 1 if mine == other else 0


@rare_rule
def sampled_half_wins(
    ranking: RankingTables, cards: Cards, seat: int, dealt: int, against_known: bool, samples: int, key: np.uint64
) -> int:
    """Half wins of a seat, of 2 × samples: the board completed at random, against the other's hand or a random one."""
    a, b, c, d = cards[2 * seat], cards[2 * seat + 1], cards[2 - 2 * seat], cards[3 - 2 * seat]
    start, start_total, start_bits = _bit(a) | _bit(b), np.uint64(0), np.uint64(0)
    for at in range(dealt):
        card = cards[BOARD + at]
        start |= _bit(card)
        start_total += ranking["card_key"][card]
        start_bits |= card_bit(card)
    won = 0
    for sample in range(samples):
        own, counter = key_of(key, np.uint64(sample)), np.uint64(0)
        seen, total, bits = start, start_total, start_bits
        e, f = np.uint64(c), np.uint64(d)
        if not against_known:
            e, counter = _draw(own, counter, seen)
            f, counter = _draw(own, counter, seen | _bit(e))
        seen |= _bit(e) | _bit(f)
        for _ in range(dealt, 5):
            drawn, counter = _draw(own, counter, seen)
            seen |= _bit(drawn)
            total += ranking["card_key"][drawn]
            bits |= card_bit(drawn)
        won += _half_wins(ranking, a, b, e, f, total, bits)
    return won


@rare_rule
def all_half_wins(ranking: RankingTables, cards: Cards, dealt: int) -> tuple[int, int]:
    """Half wins of seat 0 against seat 1 over every board to come from three cards or more, and their number."""
    keys = ranking["card_key"]
    seen, total, bits = np.uint64(0), np.uint64(0), np.uint64(0)
    for at in range(BOARD + dealt):
        seen |= _bit(cards[at])
    for at in range(dealt):
        total += keys[cards[BOARD + at]]
        bits |= card_bit(cards[BOARD + at])
    if dealt == 5:
        return _half_wins(ranking, cards[0], cards[1], cards[2], cards[3], total, bits), 1
    won, boards = 0, 0
    for last in range(52):
        if seen & _bit(last):
            continue
        with_last, last_bits = total + keys[last], bits | card_bit(last)
        if dealt == 4:
            won += _half_wins(ranking, cards[0], cards[1], cards[2], cards[3], with_last, last_bits)
            boards += 1
            continue
        for turn in range(last):
            if not seen & _bit(turn):
                whole, whole_bits = with_last + keys[turn], last_bits | card_bit(turn)
                won += _half_wins(ranking, cards[0], cards[1], cards[2], cards[3], whole, whole_bits)
                boards += 1
    return won, boards


@rule
def known_chances(ranking: RankingTables, cards: Cards, key: np.uint64, chances: HandChances) -> None:
    """Fill chances (4) with seat 0's to beat seat 1's hand as the board stands on each street, in millionths."""
    won = sampled_half_wins(ranking, cards, 0, 0, True, QUICK_BOARDS, key)
    chances[0] = won * SURE // (2 * QUICK_BOARDS)
    for street in range(1, 4):
        won, boards = all_half_wins(ranking, cards, cards_dealt(street))
        chances[street] = won * SURE // (2 * boards)


@rare_rule
def all_in_net(hand: Hand, last_street: int, ranking: RankingTables, key: np.uint64) -> float:
    """What seat 0 should win on average from a showdown whose last decision fell on `last_street`, in chips.

    Before the river the cards to come are averaged over: all of them from the flop on, 1,000 boards before it.
    """
    if last_street >= 3:
        return float(hand["net"][0])
    if last_street == 0:
        boards = PREFLOP_BOARDS
        won = sampled_half_wins(ranking, hand["card"], 0, 0, True, boards, key)
    else:
        won, boards = all_half_wins(ranking, hand["card"], cards_dealt(last_street))
    return hand["paid"][0] * (won - boards) / boards
