import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, check_deck, cut_card, most_cards_in_a_round
from holecard.errors import CardError


def test_a_pack_has_four_of_each_and_sixteen_tens():
    pack = Composition.of_decks(1)
    assert pack.size == 52
    assert pack.values == (4,) * 9 + (16,)
    assert sorted(pack.cards()) == list(range(52))


def test_tens_are_spread_evenly():
    assert Composition.from_text("10=15").ranks[8:12] == (4, 4, 4, 3)
    assert Composition.from_text("10=2").ranks[8:12] == (1, 1, 0, 0)


def test_text_reads_back():
    deck = Composition.from_text("A=3,2=4,3=4,4=4,5=4,6=4,7=4,8=4,9=4,10=15")
    assert Composition.from_text(str(deck)) == deck


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("A=-1", "counts start at 0"),
        ("X=3", "unknown rank 'X'"),
        ("A4", "A=4,2=4"),
        ("A=2,A=3", "twice"),
        ("10=4,J=1", "not both"),
        ("A=500", "at most 416"),
        ("", "is written"),
    ],
)
def test_a_deck_that_cannot_be(text, word):
    with pytest.raises(CardError, match=word):
        Composition.from_text(text)


def test_a_round_can_not_exhaust_a_pack_but_can_a_small_deck():
    for preset in ("casino", "single-deck", "classic"):
        rules = Rules.preset(preset)
        deck = Composition.of_rules(rules)
        assert most_cards_in_a_round(deck, rules) <= deck.size
        check_deck(deck, rules)
    with pytest.raises(CardError, match="add cards"):
        check_deck(Composition.from_text("A=8,2=8"), Rules())


def test_the_cut_card_of_seed_003_lies_a_quarter_from_the_end():
    assert cut_card(Composition.of_decks(6), Rules()) == 78


@pytest.mark.parametrize(
    ("penetration", "decks", "left"),
    [(0.65, 2, 37), (0.9, 1, 6), (0.7, 5, 78), (0.625, 1, 20), (0.8, 6, 63), (1.0, 8, 1)],
)
def test_a_shoe_is_shuffled_where_fewer_than_the_rest_are_left(penetration, decks, left):
    """Of 36.4 cards 36 are fewer; 78 of 78 are not, whatever binary fractions say."""
    assert cut_card(Composition.of_decks(decks), Rules(decks=decks, penetration=penetration)) == left
