"""A table as the studio's pages speak of it: rules as one line of text, the switches that change it, its solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache, lru_cache
from typing import Any, Final

from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.changes import DEALING, values_of
from holecard.blackjack.game.composition import MAX_DECKS
from holecard.blackjack.game.rule_words import INFINITE, word_for
from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.game.wording import change_in_words, in_words
from holecard.errors import RulesError
from holecard.ui.options import rules_words
from holecard.ui.session.settings import rules_title
from holecard.ui.studio.body import Body

LONGEST: Final = 400
"""Characters of a line of rules."""
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "The deal": ("decks", "h17", "bj", "peek", "obo"),
    "Doubling": ("double", "das", "double_cards", "dsa"),
    "Splitting": ("max_hands", "split", "rsa", "hsa"),
    "Ways out": ("surrender", "insurance"),
    "Rare rules": ("dealer_22", "ties", "charlie", "dealer_natural", "target", "limit", "ace_bonus"),
}
"""The rules that a page offers, by heading; every rule of a round is in one of them."""
TITLES: Final[Mapping[str, str]] = {
    "decks": "Decks",
    "h17": "Soft 17",
    "bj": "A natural pays",
    "peek": "Hole card",
    "obo": "Original bets only",
    "double": "Double",
    "das": "Double after a split",
    "double_cards": "Double on",
    "dsa": "Double split aces",
    "max_hands": "Hands by splitting",
    "split": "Tens make a pair",
    "rsa": "Split aces again",
    "hsa": "Hit split aces",
    "surrender": "Surrender",
    "insurance": "Insurance",
    "dealer_22": "The dealer's 22",
    "ties": "Ties",
    "charlie": "Charlie",
    "dealer_natural": "The dealer's natural",
    "target": "The dealer stands on",
    "limit": "Bust above",
    "ace_bonus": "An ace counts 1 or",
}
_LABELS: Final[Mapping[str, Mapping[Any, str]]] = {
    "h17": {False: "stands", True: "hits"},
    "peek": {True: "peek", False: "no peek"},
    "split": {"rank": "same rank", "value": "any tens"},
    "double": {"any": "any two", "9-11": "9–11", "10-11": "10–11", "none": "none"},
    "double_cards": {"2": "two cards", "any": "any number"},
    "dealer_22": {"bust": "bust", "push": "push"},
    "ties": {"push": "push", "lose": "lose"},
    "dealer_natural": {True: "beats 21", False: "ties 21"},
    "surrender": {"none": "none", "late": "late", "early": "early", "early-10": "early v 10"},
}
"""What a value is called on its switch, where its own name would not do."""


def read_table(body: Body) -> Rules:
    """The rules of a request; exact values are those of a fresh shoe."""
    rules = Rules.from_text(body.text("rules", longest=LONGEST))
    if rules.shoe == "dealt":
        raise RulesError("these values are exact for a fresh shoe each round; drop the word dealt")
    return replace(rules, penetration=Rules().penetration, cut=None)


def table_json(rules: Rules) -> dict[str, Any]:
    """A table as pages show it: its line, its name, its words, the options of the command line that choose it."""
    return {
        "rules": str(rules),
        "title": rules_title(rules),
        "words": in_words(rules),
        "options": rules_words(rules),
    }


def switches(rules: Rules) -> list[dict[str, Any]]:
    """Every rule with the values that it can take: what each is called, and the line of rules that choosing it makes.

    A value that the other rules do not allow has a `problem` in place of the line.
    """
    return [{"title": group, "switches": [_switch(rules, name) for name in names]} for group, names in GROUPS.items()]


@cache
def presets() -> list[dict[str, str]]:
    """The named games, each with its line of rules."""
    return [{"name": name, "rules": str(Rules.preset(name)), "words": in_words(Rules.preset(name))} for name in PRESETS]


def _switch(rules: Rules, name: str) -> dict[str, Any]:
    values = _values(name, rules)
    now = getattr(rules, name)
    kind = "slider" if name in ("decks", "max_hands", "target", "limit", "ace_bonus") else "switch"
    return {
        "name": name,
        "title": TITLES[name],
        "kind": kind,
        "values": [_value(rules, name, value, value == now) for value in values],
    }


def _values(name: str, rules: Rules) -> tuple[Any, ...]:
    if name == "decks" and rules.deck is None:
        return (*range(1, MAX_DECKS + 1), INFINITE)
    values = values_of(name, rules)
    now = getattr(rules, name)
    return values if now in values else (now, *values)


def _value(rules: Rules, name: str, value: Any, chosen: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"word": word_for(name, value), "label": label_of(name, value), "chosen": chosen}
    try:
        changed = replace(rules, **{name: value})
    except RulesError as problem:
        return {**found, "problem": str(problem)}
    found["unusual"] = value != getattr(Rules(), name)
    return {**found, "rules": str(changed), "words": "" if chosen else change_in_words(rules, changed)}


def label_of(name: str, value: Any) -> str:
    """What a value is called on its switch.

    >>> label_of("h17", True), label_of("bj", None), label_of("decks", INFINITE), label_of("das", False)
    ('hits', 'plain 21', '∞', 'no')
    """
    if name in _LABELS and value in _LABELS[name]:
        return _LABELS[name][value]
    if name == "bj":
        return "plain 21" if value is None else f"{value.numerator}:{value.denominator}"
    if name == "ace_bonus":
        return str(value + 1)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return "∞" if value == INFINITE else f"{value:g}" if isinstance(value, float) else str(value)


def offered_changes(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Every single change that a switch offers and the other rules allow: its word, and the table that it makes."""
    for name in (name for names in GROUPS.values() for name in names):
        for value in _values(name, rules):
            if value != getattr(rules, name):
                with suppress(RulesError):
                    yield word_for(name, value), replace(rules, **{name: value})


@lru_cache(maxsize=16)
def solution_of(rules: Rules) -> Solution:
    """The solution of a table, kept for the last few tables."""
    return solve(rules)


def offered_fields() -> set[str]:
    """The fields of `Rules` that a page offers: all but those that say how a shoe is dealt."""
    return {field.name for field in fields(Rules)} - DEALING
