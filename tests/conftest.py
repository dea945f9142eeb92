"""Shared by all tests: Hypothesis without deadlines (kernels compile on first use), rules to draw from."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from holecard.blackjack.game.rule_words import INFINITE
from holecard.blackjack.game.rules import Rules
from holecard.errors import RulesError

settings.register_profile("house", deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
settings.load_profile("house")

REFERENCE = Path(__file__).parent / "reference"


@pytest.fixture(scope="session")
def blackjack_reference():
    return json.loads((REFERENCE / "blackjack.json").read_text(encoding="utf-8"))


@st.composite
def any_rules(draw, decks=(1, 2, 6, 8, INFINITE)):
    """Rules that are allowed: every field drawn, contradictions drawn again."""
    while True:
        fields = {
            "decks": draw(st.sampled_from(decks)),
            "h17": draw(st.booleans()),
            "peek": draw(st.booleans()),
            "obo": draw(st.booleans()),
            "bj": draw(st.sampled_from([None, Fraction(3, 2), Fraction(6, 5), Fraction(1)])),
            "double": draw(st.sampled_from(["any", "9-11", "10-11", "none"])),
            "das": draw(st.booleans()),
            "max_hands": draw(st.integers(1, 4)),
            "rsa": draw(st.booleans()),
            "hsa": draw(st.booleans()),
            "split": draw(st.sampled_from(["rank", "value"])),
            "surrender": draw(st.sampled_from(["none", "late", "early", "early-10"])),
            "dealer_22": draw(st.sampled_from(["bust", "push"])),
            "ties": draw(st.sampled_from(["push", "lose"])),
            "double_cards": draw(st.sampled_from(["2", "any"])),
            "dsa": draw(st.booleans()),
            "insurance": draw(st.booleans()),
            "charlie": draw(st.sampled_from([None, 5, 6, 7])),
            "shoe": draw(st.sampled_from(["fresh", "dealt"])),
        }
        try:
            return Rules(**fields)
        except RulesError:
            continue
