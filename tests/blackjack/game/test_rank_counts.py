"""Counts of ranks in two words, against a list of cards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.blackjack.game.rank_counts import cards_of, cards_up_to, packed, sum_by_rank, take_card

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")
compositions = st.lists(st.integers(0, 32), min_size=13, max_size=13).filter(lambda counts: sum(counts) > 0)


def counts_in(words, cards):
    return [int(cards_of(words, cards, rank)) for rank in range(13)]


@given(compositions)
def test_counts_read_back(counts):
    assert counts_in(packed(counts), sum(counts)) == counts
    assert cards_up_to(packed(counts), sum(counts), -1) == 0
    assert cards_up_to(packed(counts), sum(counts), 12) == sum(counts)


@given(compositions, st.data())
def test_a_place_has_the_rank_that_lies_there_and_loses_one_card(counts, data):
    """All cards are taken one after another, from places that any chance may choose."""
    words, cards = packed(counts), [rank for rank, count in enumerate(counts) for _ in range(count)]
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    while cards:
        place = int(random.integers(len(cards)))
        assert take_card(words, np.uint64(place)) == cards.pop(place)
        assert counts_in(words, len(cards)) == np.bincount(cards, minlength=13).tolist()


def test_the_largest_shoe_of_a_single_rank_fits():
    for rank in range(13):
        counts = [416 if at == rank else 0 for at in range(13)]
        words = packed(counts)
        assert all(take_card(words, np.uint64(place)) == rank for place in range(415, -1, -1))
        assert counts_in(words, 0) == [0] * 13


@given(compositions, st.lists(st.integers(-3, 3), min_size=13, max_size=13))
def test_worth_is_summed_over_all_cards(counts, worth):
    low, high = packed(counts)
    assert sum_by_rank((low, high), sum(counts), np.array(worth)) == np.dot(counts, worth)
