import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given

from holecard.blackjack.game.rule_words import INFINITE, parse_decks, parse_ratio
from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.errors import RulesError
from tests.conftest import any_rules


def test_the_default_is_seed_003s_table():
    rules = Rules()
    assert rules == Rules.preset("casino")
    assert (rules.decks, rules.h17, rules.bj, rules.peek, rules.das) == (6, True, Fraction(3, 2), True, True)
    assert (rules.max_hands, rules.split, rules.surrender, rules.insurance) == (4, "rank", "none", False)
    assert rules.penetration == 0.75


def test_classic_is_seed_000s_game_and_textbook_adds_surrender():
    classic = Rules.preset("classic")
    assert (classic.decks, classic.h17, classic.bj, classic.double, classic.max_hands) == (1, False, None, "none", 1)
    assert Rules.preset("textbook") == dataclasses.replace(classic, surrender="early")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_reads_back_from_its_text(name):
    rules = Rules.preset(name)
    assert Rules.from_text(str(rules)) == rules
    assert Rules.from_text(name) == rules


@given(any_rules())
def test_text_loses_nothing(rules):
    assert Rules.from_text(str(rules)) == rules


def test_text_prints_only_what_differs():
    assert str(Rules()) == "casino"
    assert str(Rules(h17=False)) == "S17"
    assert str(Rules.from_text("6d H17 DAS LS 3:2")) == "LS"
    assert str(Rules(peek=False, obo=True)) == "OBO"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("decks", 0, ["decks", "1 to 8", "got 0"]),
        ("decks", 9, ["decks", "1 to 8", "got 9"]),
        ("decks", 1.5, ["decks", "got 1.5"]),
        ("max_hands", 5, ["max_hands", "1 to 4", "got 5"]),
        ("double", "some", ["double", "9-11", "got some"]),
        ("split", "suit", ["split", "rank or value"]),
        ("surrender", "now", ["surrender", "late"]),
        ("charlie", 4, ["charlie", "5, 6 or 7", "got 4"]),
        ("bj", Fraction(0), ["bj", "got 0"]),
        ("limit", 40, ["limit", "12 to 31"]),
        ("target", 1, ["target", "2 or more"]),
        ("ace_bonus", -1, ["ace_bonus", "0 to"]),
        ("penetration", 0.01, ["penetration", "0.1 to 1"]),
        ("shoe", "half", ["shoe", "fresh or dealt"]),
    ],
)
def test_a_wrong_field_is_refused_with_value_and_limit(field, value, words):
    with pytest.raises(RulesError) as caught:
        Rules(**{field: value})
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"rsa": True, "max_hands": 2}, "3 hands or more"),
        ({"hsa": True, "max_hands": 1}, "takes a split"),
        ({"target": 22}, "above the limit"),
        ({"double_cards": "any", "double": "none"}, "drop double_cards or allow it"),
        ({"obo": True}, "without a peek"),
        ({"limit": 22}, "use plain"),
        ({"insurance": True, "bj": None}, "drop insurance"),
        ({"dealer_natural": False, "bj": None}, "plain"),
        ({"decks": INFINITE, "shoe": "dealt"}, "never dealt down"),
    ],
)
def test_rules_that_contradict_each_other_are_refused_with_a_reason(fields, word):
    with pytest.raises(RulesError, match=word):
        Rules(**fields)


@pytest.mark.parametrize("text", ["3:0", "3-2", "even", "", "0:1"])
def test_a_payout_that_is_none(text):
    with pytest.raises(RulesError, match="3:2"):
        parse_ratio(text)


def test_words_that_are_no_rules():
    with pytest.raises(RulesError, match="unknown rule 'H18'"):
        Rules.from_text("6d H18")
    with pytest.raises(RulesError, match="decks must be"):
        parse_decks("many")
    with pytest.raises(RulesError, match="choose casino"):
        Rules.preset("qqqq")


@pytest.mark.parametrize(("bj", "unit", "natural"), [("3:2", 2, 3), ("6:5", 10, 12), ("1:1", 2, 2), ("7:5", 10, 14)])
def test_every_payout_is_a_whole_number_of_chips(bj, unit, natural):
    table = dataclasses.replace(Rules(), bj=parse_ratio(bj)).table()
    assert (table.unit, table.natural_pays) == (unit, natural)
