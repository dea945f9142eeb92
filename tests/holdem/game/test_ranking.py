"""Ranks against the counts of every poker book and against phevaluator."""

from itertools import combinations

import numpy as np
import pytest

from holecard.cards import cards_text, parse_cards
from holecard.errors import CardError
from holecard.holdem.game.rank_tables import build_ranking, ranking_tables
from holecard.holdem.game.ranking import best_five, category_of, rank, rank_many
from holecard.holdem.game.strength import CLASSES, CLASSES_OF, RANKING, Category, strength_of
from tests.holdem.peers import EVALUATE

FIVE_CARD_HANDS = {  # https://en.wikipedia.org/wiki/Poker_probability, 5-card hands
    Category.HIGH_CARD: 1_302_540,
    Category.PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.THREE_OF_A_KIND: 54_912,
    Category.STRAIGHT: 10_200,
    Category.FLUSH: 5_108,
    Category.FULL_HOUSE: 3_744,
    Category.FOUR_OF_A_KIND: 624,
    Category.STRAIGHT_FLUSH: 40,
}


def random_hands(n, size, seed):
    keys = np.random.default_rng(seed).random((n, 52), dtype=np.float32)
    return keys.argpartition(size, axis=1)[:, :size].astype(np.uint8)


def phevaluator_strengths(hands):
    evaluate = EVALUATE[hands.shape[1]]
    return np.array([CLASSES + 1 - evaluate(*hand) for hand in hands.tolist()])


def test_all_five_card_hands_by_category_and_class():
    hands = np.fromiter(
        (card for hand in combinations(range(52), 5) for card in hand), np.uint8, count=2_598_960 * 5
    ).reshape(-1, 5)
    strengths = rank_many(hands)
    assert np.array_equal(np.unique(strengths), np.arange(1, CLASSES + 1))
    by_strength = np.bincount(strengths, minlength=CLASSES + 1)[1:]
    ends = np.cumsum(CLASSES_OF)
    counts = {
        category: int(by_strength[end - n : end].sum())
        for category, n, end in zip(Category, CLASSES_OF, ends, strict=True)
    }
    assert counts == FIVE_CARD_HANDS


def test_a_million_seven_card_hands_as_phevaluator_ranks_them():
    hands = random_hands(1_000_000, 7, seed=7)
    assert np.array_equal(rank_many(hands), phevaluator_strengths(hands))


@pytest.mark.parametrize("size", [5, 6])
def test_five_and_six_cards_as_phevaluator_ranks_them(size):
    hands = random_hands(50_000, size, seed=size)
    assert np.array_equal(rank_many(hands), phevaluator_strengths(hands))


def test_flushes_of_five_six_and_seven_cards():
    for size in (5, 6, 7):
        suited = np.array(list(combinations(range(2, 52, 4), size)), np.uint8)[:2000]
        assert np.array_equal(rank_many(suited), phevaluator_strengths(suited))


def test_kernel_equals_plain_python():
    hands = random_hands(300, 7, seed=3)
    ranking = ranking_tables()[0]
    plain = [int(strength_of(ranking, hand, 7)) for hand in hands]
    assert plain == rank_many(hands).tolist()


def test_the_stored_tables_are_those_we_build():
    built = np.zeros(1, RANKING)
    build_ranking(built)
    assert built.tobytes() == ranking_tables().tobytes()


@pytest.mark.parametrize(
    ("cards", "category", "five"),
    [
        ("AhKhQhJhTh9h8h", "straight flush", "AhKhQhJhTh"),
        ("5h4h3h2hAhKsKd", "straight flush", "5h4h3h2hAh"),
        ("AsAhAdAcKhKdKc", "four of a kind", "AsAhAdAcKh"),
        ("AsAhAdKcKhKdQc", "full house", "AsAhAdKhKd"),
        ("2s4s6s8sTsJsQh", "flush", "JsTs8s6s4s"),
        ("Ac2d3h4s5cKdKh", "straight", "5c4s3h2dAc"),
        ("Ts9s8h7d6c2h2d", "straight", "Ts9s8h7d6c"),
        ("QsQhQd9h7c3d2s", "three of a kind", "QsQhQd9h7c"),
        ("AsAhKdKcQhQd2c", "two pair", "AsAhKdKcQh"),
        ("AsAh9d7c5h3d2c", "pair", "AsAh9d7c5h"),
        ("As9h8d7c5h3d2c", "high card", "As9h8d7c5h"),
    ],
)
def test_category_and_best_five_for_people(cards, category, five):
    held = parse_cards(cards)
    assert str(category_of(rank(held))) == category
    best = best_five(held)
    assert rank(best) == rank(held)
    assert [text[0] for text in zip(cards_text(best)[::2], strict=True)] == list(five[::2])


@pytest.mark.parametrize(
    ("cards", "message"),
    [([0, 1, 2, 3], "5, 6 or 7"), ([0, 0, 1, 2, 3], "different"), (list(range(8)), "5, 6 or 7")],
)
def test_hands_that_cannot_be_are_refused(cards, message):
    with pytest.raises(CardError, match=message):
        rank(cards)


def test_cards_beyond_the_deck_are_refused():
    with pytest.raises(CardError, match="got 52"):
        rank_many(np.array([[0, 1, 2, 3, 52]], np.uint8))
    with pytest.raises(CardError, match="shape"):
        rank_many(np.zeros((2, 4), np.uint8))
    with pytest.raises(CardError, match="7462"):
        category_of(7463)
