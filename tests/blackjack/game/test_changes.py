from dataclasses import fields, replace

import pytest
from hypothesis import given

from holecard.blackjack.game.changes import DEALING, single_changes, values_of
from holecard.blackjack.game.composition import Composition
from holecard.blackjack.game.rule_words import INFINITE
from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.game.wording import change_in_words
from holecard.errors import RulesError

from ...conftest import any_rules


def test_every_field_of_rules_is_changed_or_says_how_a_shoe_is_dealt():
    for field in fields(Rules):
        values = values_of(field.name, Rules())
        assert bool(values) != (field.name in DEALING), field.name
        assert not values or getattr(Rules(), field.name) in values


def test_decks_are_those_that_are_dealt():
    assert values_of("decks", Rules()) == (1, 2, 4, 6, 8, INFINITE)


@given(any_rules())
def test_a_change_is_one_field_and_its_word_is_read_back(rules):
    changes, contradictions = single_changes(rules)
    for change in changes:
        differing = [f.name for f in fields(Rules) if getattr(rules, f.name) != getattr(change.rules, f.name)]
        assert len(differing) == 1
        if differing != ["peek"] and not rules.obo:  # the word OBO says two things, so lines with it are read as such
            assert Rules.from_text(f"{rules} {change.rule}") == change.rules
        assert change_in_words(rules, change.rules)
    named = {change.rule for change in changes}
    assert not named & {each.rule for each in contradictions}


def test_a_pack_of_ones_own_has_no_number_of_decks():
    own = Rules(deck=Composition.from_text("A=4,5=8,6=8,10=16"))
    assert {change.rules.decks for change in single_changes(own)[0]} == {own.decks, INFINITE}


@pytest.mark.parametrize("base", [Rules(), *(Rules.preset(name) for name in PRESETS)], ids=str)
def test_every_change_has_words_of_its_own(base):
    changes, _ = single_changes(base)
    words = [change_in_words(base, change.rules) for change in changes]
    assert len(set(words)) == len(words)
    assert not [said for said in words if ": " in said]


def test_contradictions_say_why():
    _, contradictions = single_changes(Rules(max_hands=2))
    reasons = {each.rule: each.reason for each in contradictions}
    assert "3 hands" in reasons["RSA"]
    with pytest.raises(RulesError, match="3 hands"):
        replace(Rules(max_hands=2), rsa=True)
