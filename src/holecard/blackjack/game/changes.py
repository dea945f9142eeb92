"""Every single change of a table's rules: one field another value, the rest as it is.

The values come from the fields of `Rules` themselves: both sides of a flag, every choice of a `Literal`. Only numbers
need a list of those that are dealt somewhere. A rule that is added to `Rules` is changed here by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from holecard.blackjack.game.rule_words import INFINITE, word_for
from holecard.blackjack.game.rules import MAX_HANDS, Rules
from holecard.errors import RulesError

DEALING: Final = frozenset({"deck", "shoe", "penetration", "cut"})
"""Fields that say which cards there are and how a shoe is dealt down: they change no rule of a round."""
_NUMBERS: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType(
    {
        "decks": (1, 2, 4, 6, 8, INFINITE),
        "bj": (Fraction(2), Fraction(3, 2), Fraction(7, 5), Fraction(6, 5), Fraction(1), None),
        "max_hands": tuple(range(1, MAX_HANDS + 1)),
        "charlie": (None, 5, 6, 7),
    }
)
_STEPPED: Final = ("target", "limit", "ace_bonus")
"""Numbers that are changed by one, up and down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleChange:
    """One rule changed, and the table that this makes."""

    rule: str
    """The changed rule as `Rules.from_text` reads it: `S17`, `LS`, `6:5`."""
    rules: Rules
    """The table with the change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A change that the rest of the rules does not allow."""

    rule: str
    """The rule, as in `SingleChange`."""
    reason: str
    """Why not."""


def values_of(name: str, rules: Rules) -> tuple[Any, ...]:
    """The values that a field of `Rules` is changed to, its own among them; none for how a shoe is dealt.

    >>> values_of("surrender", Rules())[:2], values_of("target", Rules())
    (('none', 'late'), (16, 17, 18))
    """
    kind = _kinds()[name]
    if name in DEALING:
        return ()
    if name == "decks" and rules.deck is not None:
        return (rules.decks, INFINITE)  # of the cards given, so many or an endless mixture
    if name in _NUMBERS:
        return _NUMBERS[name]
    if name in _STEPPED:
        now = getattr(rules, name)
        return (now - 1, now, now + 1)
    if kind is bool:
        return (False, True)
    if get_origin(kind) is Literal:
        return get_args(kind)
    raise TypeError(f"say which values of Rules.{name} there are to try")


@cache
def _kinds() -> dict[str, Any]:
    """The types of the fields of `Rules`."""
    return get_type_hints(Rules)


def single_changes(rules: Rules) -> tuple[list[SingleChange], list[Contradiction]]:
    """Every single change of a table's rules, and those that contradict the rest of them.

    >>> changes, _ = single_changes(Rules())
    >>> [change.rule for change in changes if change.rules.surrender != "none"][:2]
    ['LS', 'ES']
    """
    changes: list[SingleChange] = []
    contradictions: list[Contradiction] = []
    for field in fields(Rules):
        for value in values_of(field.name, rules):
            if value == getattr(rules, field.name):
                continue
            rule = word_for(field.name, value)
            try:
                changes.append(SingleChange(rule=rule, rules=replace(rules, **{field.name: value})))
            except RulesError as problem:
                contradictions.append(Contradiction(rule=rule, reason=str(problem)))
    return changes, contradictions
