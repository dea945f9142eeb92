"""Deck sets: distinct deals, and equities and chances that are those of the deals."""

import numpy as np

from holecard.holdem.arena.deck_sets import deck_chances, deck_equities, hand_key
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.ranges import Range
from holecard.holdem.equities.runout import SURE
from holecard.holdem.game.betting import HAND, deal


def test_deals_differ_within_a_session_and_between_decks():
    with np.errstate(over="ignore"):
        keys = {int(hand_key(np.uint64(1), deck, number)) for deck in range(20) for number in range(500)}
    assert len(keys) == 10_000


def test_deals_are_distinct_and_equities_are_those_of_the_deals():
    equities = deck_equities(seed=7, number=3, hands=300)
    sampled = deck_equities(seed=7, number=3, hands=300, samples=2000)
    assert np.abs(equities - sampled).max() < 5.5 * 0.5 / np.sqrt(2000)
    assert abs((equities - sampled).mean()) < 0.002
    hand, dealt = np.zeros(1, HAND)[0], set()
    with np.errstate(over="ignore"):
        for number in range(300):
            deal(hand, hand_key(np.uint64(7), 3, number))
            cards = [int(card) for card in hand["card"]]
            dealt.add(tuple(cards))
            if number < 5:
                for seat in (0, 1):
                    for street, board in enumerate((0, 3, 4, 5)):
                        exact = equity(cards[2 * seat : 2 * seat + 2], cards[4 : 4 + board]).equity
                        assert equities[number, seat, street] == exact
    assert len(dealt) == 300


def test_chances_of_known_hands_are_exact_from_the_flop_on_and_end_with_the_result():
    chances = deck_chances(seed=7, number=3, hands=200)
    assert set(chances[:, 3].tolist()) <= {0, SURE // 2, SURE}
    hand = np.zeros(1, HAND)[0]
    with np.errstate(over="ignore"):
        for number in range(4):
            deal(hand, hand_key(np.uint64(7), 3, number))
            cards = [int(card) for card in hand["card"]]
            other = Range("the other's", ((cards[2], cards[3]),))
            for street, board in ((1, 3), (2, 4), (3, 5)):
                exact = equity(cards[:2], cards[4 : 4 + board], against=other).equity
                assert abs(chances[number, street] / SURE - exact) < 1e-6
    drift = np.diff(chances, axis=1) / SURE
    assert (np.abs(drift.mean(axis=0)) < 4 * drift.std(axis=0) / np.sqrt(len(drift))).all(), "no street is foreseen"
