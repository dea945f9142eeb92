"""Shoes that are dealt down: every card once, every card as likely as any other, with and without places."""

import numpy as np
import pytest
from scipy.stats import chi2

from holecard._jit import lean_kernel
from holecard.blackjack.game.dealing import begin_round, begin_shoe, collect, draw
from holecard.blackjack.game.round import new_rounds
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.small_round import dealt_state
from holecard.seeds import key_of

PACK = Composition.of_decks(1)
A_ROUND = 7
"""Cards to a round here."""


def deal_shoes(state, cards):
    """Fill `cards`, (shoes, cards of each), in rounds of seven cards; `state` is a one-element array."""
    shoe = state[0]["shoe"]
    for number in range(cards.shape[0]):
        key = key_of(np.uint64(1), np.uint64(number))
        begin_shoe(shoe)
        for at in range(cards.shape[1]):
            if at % A_ROUND == 0:
                begin_round(shoe, key_of(key, np.uint64(at)))
            cards[number, at] = draw(shoe, at % A_ROUND, False)
            if at % A_ROUND == A_ROUND - 1:
                collect(shoe, A_ROUND)


compiled = lean_kernel(deal_shoes)


def dealt(deck, shoes, *, ranks_only=False, deal=compiled):
    """So many shoes, each dealt to its end, card by card."""
    state = dealt_state(deck) if ranks_only else new_rounds(1, deck, dealt=True)
    cards = np.zeros((shoes, deck.size), np.int64)
    with np.errstate(over="ignore"):
        deal(state, cards)
    return cards


@pytest.fixture(scope="module")
def packs():
    """(100,000, 52): whole packs, card by card."""
    return dealt(PACK, 100_000)


def assert_uniform(counts):
    """By chi-square, at one in a million."""
    expected = counts.sum() / counts.size
    assert ((counts - expected) ** 2 / expected).sum() < chi2.isf(1e-6, counts.size - 1)


def test_a_shoe_dealt_to_its_end_has_been_dealt_its_cards(packs):
    assert (np.sort(packs, axis=1) == np.arange(52)).all()
    deck = Composition.from_text("A=40,2=1,5=30,9=7,J=12,K=3")
    assert (np.sort(dealt(deck, 500), axis=1) == np.sort(deck.cards())).all()


def test_every_card_is_as_likely_at_every_depth(packs):
    for depth in range(52):
        assert_uniform(np.bincount(packs[:, depth], minlength=52))


def test_the_next_card_is_any_other(packs):
    """Two cards in a row, at the top, in the middle, across two rounds and at the end of a pack."""
    for depth in (0, 5, 6, 25, 40, 50):
        pairs = np.bincount(52 * packs[:, depth] + packs[:, depth + 1], minlength=52 * 52).reshape(52, 52)
        assert (np.diagonal(pairs) == 0).all()
        assert_uniform(pairs[~np.eye(52, dtype=bool)])


def test_the_first_and_the_last_card_know_nothing_of_each_other(packs):
    ranks = np.bincount(13 * (packs[:, 0] >> 2) + (packs[:, 51] >> 2), minlength=169).reshape(13, 13)
    same = np.diagonal(ranks)
    assert_uniform(same)
    assert_uniform(ranks[~np.eye(13, dtype=bool)])
    assert abs(same.sum() / ranks.sum() - 3 / 51) < 5 * np.sqrt(3 / 51 / ranks.sum())


@pytest.mark.parametrize("text", ["A=4,2=4,3=4,5=9,9=3,10=16", "A=40,6=80,8=30,10=101"])
def test_a_shoe_that_knows_ranks_only_deals_the_same_ranks(text):
    deck = Composition.from_text(text)
    with_cards, with_ranks = dealt(deck, 50), dealt(deck, 50, ranks_only=True)
    assert (with_cards >> 2 == with_ranks >> 2).all()
    assert (with_ranks & 3 == 0).all()


def test_plain_python_deals_the_same_cards():
    plain, ranks = dealt(PACK, 40, deal=deal_shoes), dealt(PACK, 40, ranks_only=True, deal=deal_shoes)
    assert (plain == dealt(PACK, 40)).all()
    assert (plain >> 2 == ranks >> 2).all()


def test_discards_come_back_and_what_lies_on_the_table_does_not():
    """Forty cards are out when a round of twenty begins: twelve are left, then eight of the forty come back."""
    for state in (new_rounds(1, PACK, dealt=True), dealt_state(PACK)):
        shoe = state[0]["shoe"]
        with np.errstate(over="ignore"):
            begin_shoe(shoe)
            begin_round(shoe, np.uint64(5))
            discards = [int(draw(shoe, at, False)) for at in range(40)]
            collect(shoe, 40)
            assert shoe["out"] == 40
            begin_round(shoe, np.uint64(6))
            table = [int(draw(shoe, at, False)) for at in range(20)]
            collect(shoe, 20)
        assert shoe["out"] == 20
        ranks = np.bincount(np.array(table[:12] + discards) >> 2, minlength=13)
        assert (ranks == 4).all()
        assert (np.bincount(np.array(table) >> 2, minlength=13) <= 4).all()
        if shoe["cards"].size > 1:
            assert len(set(table)) == 20
            assert set(table[12:]) <= set(discards)
