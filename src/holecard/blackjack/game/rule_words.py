"""The words of rules: how a line such as `6d H17 DAS LS 3:2` is written and read."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from fractions import Fraction
from typing import Any, Final

from holecard.blackjack.game.composition import MAX_DECKS, Composition
from holecard.errors import RulesError

INFINITE: Final = math.inf
"""Decks of an endless shoe."""


def parse_ratio(text: str) -> Fraction | None:
    """The payout of a natural: `3:2`, `6:5`, `1:1`, or `plain` for none.

    >>> parse_ratio("6:5")
    Fraction(6, 5)
    """
    if text.strip().lower() == "plain":
        return None
    match = re.fullmatch(r"\s*(\d{1,3})\s*[:/]\s*(\d{1,3})\s*", text)
    if not match or int(match[1]) == 0 or int(match[2]) == 0:
        raise RulesError(f"a natural pays A:B such as 3:2 or 6:5, or is plain; got {text!r}")
    return Fraction(int(match[1]), int(match[2]))


def parse_decks(text: str) -> float:
    """A number of decks: 1 to 8, or `inf`."""
    if text.strip().lower() in ("inf", "infinite", "∞"):
        return INFINITE
    try:
        return int(text)
    except ValueError:
        raise RulesError(f"decks must be 1 to {MAX_DECKS} or inf; got {text!r}") from None


_FLAG_WORDS: Final = {
    "h17": ("S17", "H17"),
    "peek": ("ENHC", "PEEK"),
    "obo": ("NOBO", "OBO"),
    "dealer_natural": ("SAB", "NSAB"),
    "das": ("NDAS", "DAS"),
    "dsa": ("NDSA", "DSA"),
    "rsa": ("NRSA", "RSA"),
    "hsa": ("NHSA", "HSA"),
    "insurance": ("NINS", "INS"),
}
CHOICE_WORDS: Final = {
    "double": {"any": "DOA", "9-11": "D9", "10-11": "D10", "none": "ND"},
    "double_cards": {"2": "double-2", "any": "double-any"},
    "surrender": {"none": "NS", "late": "LS", "early": "ES", "early-10": "ES10"},
    "dealer_22": {"bust": "bust-22", "push": "push-22"},
    "ties": {"push": "ties-push", "lose": "ties-lose"},
    "split": {"rank": "rank", "value": "value"},
    "shoe": {"fresh": "fresh", "dealt": "dealt"},
}
_NUMBER_WORDS: Final = {
    "target": "target",
    "limit": "limit",
    "ace_bonus": "ace",
    "penetration": "cut",
    "cut": "cut-card",
}


def word_for(name: str, value: Any) -> str:
    """The word of a field's value, as `Rules.from_text` reads it.

    >>> word_for("h17", False), word_for("surrender", "late"), word_for("decks", INFINITE)
    ('S17', 'LS', 'inf')
    """
    if name == "decks":
        return "inf" if value == INFINITE else f"{value:.0f}d"
    if name == "deck":
        return "full-packs" if value is None else f"deck:{str(value).replace(',', '/')}"
    if name == "bj":
        return "plain" if value is None else f"{value.numerator}:{value.denominator}"
    if name == "max_hands":
        return f"{value}-hands"
    if name == "charlie":
        return f"{value}-charlie" if value else "no-charlie"
    if name in _FLAG_WORDS:
        return _FLAG_WORDS[name][value]
    if name in CHOICE_WORDS:
        return CHOICE_WORDS[name][value]
    if value is None:
        return "no-cut-card"
    return f"{_NUMBER_WORDS[name]}={value:g}"


def meaning_of(word: str) -> dict[str, Any]:
    """The fields that a word of a line of rules sets.

    >>> meaning_of("LS"), meaning_of("cut-card=234")
    ({'surrender': 'late'}, {'cut': 234})
    """
    lower = word.lower()
    for name, (off, on) in _FLAG_WORDS.items():
        if lower in (off.lower(), on.lower()):
            value = lower == on.lower()
            return {"obo": True, "peek": False} if name == "obo" and value else {name: value}
    for name, words in CHOICE_WORDS.items():
        for choice, short in words.items():
            if lower == short.lower():
                return {name: choice}
    if lower in ("inf", "plain") or re.fullmatch(r"\d+:\d+", lower):
        return {"decks": INFINITE} if lower == "inf" else {"bj": parse_ratio(lower)}
    if match := re.fullmatch(r"(\d+)(d|-hands|-charlie)", lower):
        return {{"d": "decks", "-hands": "max_hands", "-charlie": "charlie"}[match[2]]: int(match[1])}
    if lower in ("no-charlie", "no-cut-card"):
        return {"charlie" if lower == "no-charlie" else "cut": None}
    if lower == "full-packs" or lower.startswith("deck:"):
        return {"deck": Composition.from_text(lower[5:].replace("/", ",")) if lower.startswith("deck:") else None}
    if match := re.fullmatch(r"(target|limit|ace|cut|cut-card)=([\d.]+)", lower):
        name = next(field for field, short in _NUMBER_WORDS.items() if short == match[1])
        with suppress(ValueError, OverflowError):
            return {name: float(match[2]) if name == "penetration" else int(float(match[2]))}
    raise RulesError(
        f"unknown rule {word!r}; words are 6d or inf, deck:A=4/2=4, S17 H17, PEEK ENHC OBO, 3:2 plain SAB, "
        "push-22 bust-22, ties-lose ties-push, DOA D9 D10 ND, double-any double-2, DAS NDAS, DSA NDSA, 4-hands, "
        "RSA NRSA, HSA NHSA, rank value, LS ES ES10 NS, INS NINS, 5-charlie, target=17 limit=21 ace=10, "
        "fresh dealt cut=0.75 cut-card=234"
    )
