"""A table's rules in words, for headings that people read; `str(rules)` is the short form that commands read."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from holecard.blackjack.game.rules import Rules
from holecard.errors import RulesError

_USUAL: Final[Mapping[str, tuple[Any, str]]] = MappingProxyType(
    {
        "peek": (True, "the dealer peeks"),
        "obo": (False, "a dealer's natural takes all bets"),
        "bj": (Fraction(3, 2), "naturals pay 3:2"),
        "dealer_natural": (True, "the dealer's natural beats other 21s"),
        "dealer_22": ("bust", "a dealer's 22 is a bust"),
        "ties": ("push", "ties push"),
        "double": ("any", "double any two cards"),
        "double_cards": ("2", "double two cards only"),
        "das": (True, "double after a split"),
        "dsa": (False, "no double on split aces"),
        "max_hands": (4, "split to 4 hands"),
        "rsa": (False, "split aces only once"),
        "hsa": (False, "one card on each split ace"),
        "split": ("value", "any two tens are a pair"),
        "surrender": ("none", "no surrender"),
        "insurance": (False, "no insurance"),
        "charlie": (None, "no Charlie"),
        "limit": (21, "bust above 21"),
        "ace_bonus": (10, "aces count 1 or 11"),
    }
)
"""What `in_words` leaves out because it is usual, by field: the value, and how to say it."""
_SURRENDERS = {"late": "late surrender", "early": "early surrender", "early-10": "early surrender against a ten"}
_DOUBLES = {"9-11": "double hard 9 to 11 only", "10-11": "double hard 10 and 11 only", "none": "no doubling"}


def in_words(rules: Rules) -> str:
    """The rules as a player would ask for them, most important first; what is usual is left out.

    >>> in_words(Rules.preset("classic"))
    '1 deck, dealer stands on soft 17, naturals are plain 21s, no doubling, no splitting'
    >>> in_words(Rules.from_text("6d S17 DAS LS value"))
    '6 decks, dealer stands on soft 17, late surrender'
    """
    words = [_decks(rules), f"dealer {'hits' if rules.h17 else 'stands on'} soft {rules.target}"]
    words += [*_naturals(rules), *_showdowns(rules), *_doubles_and_splits(rules)]
    words += [_SURRENDERS[rules.surrender]] if rules.surrender in _SURRENDERS else []
    words += ["insurance"] * rules.insurance
    if rules.charlie:
        words.append(f"{rules.charlie}-card Charlie")
    if rules.limit != 21:
        words.append(f"bust above {rules.limit}")
    if rules.ace_bonus != 10:
        words.append(f"aces count 1 or {1 + rules.ace_bonus}")
    if rules.shoe == "dealt":
        how_far = f"to {100 * rules.penetration:g} %" if rules.cut is None else f"to card {rules.cut}"
        words.append(f"shoe dealt {how_far}")
    return ", ".join(words)


def change_in_words(before: Rules, after: Rules) -> str:
    """The one rule by which the second table differs from the first, as a player would say it.

    >>> change_in_words(Rules(), Rules(h17=False)), change_in_words(Rules(das=False), Rules())
    ('dealer stands on soft 17', 'double after a split')
    >>> no_split = Rules(das=False, max_hands=1)
    >>> change_in_words(no_split, Rules(das=False, max_hands=3)), change_in_words(no_split, replace(no_split, dsa=True))
    ('split to 3 hands', 'double split aces')
    """
    name = next(field.name for field in fields(Rules) if getattr(before, field.name) != getattr(after, field.name))
    value = getattr(after, name)
    if name == "target":
        return f"the dealer stands on {value} and above"
    if name in _USUAL and value == _USUAL[name][0]:
        return _USUAL[name][1]
    usual = Rules(split="value")
    for table in (usual, replace(usual, peek=False), before):  # at a usual table the rule alone is what is new
        with suppress(RulesError):
            said, changed = in_words(table).split(", "), in_words(replace(table, **{name: value})).split(", ")
            new = [words for words in changed if words not in said]
            if new:
                return new[0]
    return f"{name.replace('_', ' ')}: {value}"


def _decks(rules: Rules) -> str:
    if rules.is_infinite:
        return "endless deck"
    if rules.deck is not None:
        return f"a shoe of {rules.deck.size} cards"
    return "1 deck" if rules.decks == 1 else f"{rules.decks:g} decks"


def _naturals(rules: Rules) -> list[str]:
    if rules.bj is None:
        return ["naturals are plain 21s"]
    words = []
    if rules.bj != Fraction(3, 2):
        words.append(f"naturals pay {rules.bj.numerator}:{rules.bj.denominator}")
    if not rules.dealer_natural:
        words.append("the dealer's natural is a plain 21")
    elif not rules.peek:
        words.append("no peek, original bets only" if rules.obo else "no peek")
    return words


def _showdowns(rules: Rules) -> list[str]:
    words = ["the dealer wins ties"] * (rules.ties == "lose")
    return words + [f"a dealer's {rules.limit + 1} pushes"] * (rules.dealer_22 == "push")


def _doubles_and_splits(rules: Rules) -> list[str]:
    words = [_DOUBLES[rules.double]] if rules.double in _DOUBLES else []
    words += ["double on any number of cards"] * (rules.double_cards == "any")
    if rules.max_hands == 1:
        return [*words, "no splitting"]
    if rules.double != "none" and not rules.das:
        words.append("no double after a split")
    if rules.max_hands != 4:
        words.append(f"split to {rules.max_hands} hands")
    words += ["split aces again"] * rules.rsa + ["hit split aces"] * rules.hsa
    words += ["double split aces"] * (rules.dsa and rules.das and rules.double != "none")
    return words + ["only identical ranks are pairs"] * (rules.split == "rank")
