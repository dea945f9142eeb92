"""Ranges of hands as players write them: `QQ+,AKs`, `TT-77`, `A5s-A2s`, `KQo`, `AhKh`, `random`.

`+` raises a pair (`QQ+` is QQ, KK, AA) and otherwise the kicker (`ATs+` is ATs, AJs, AQs, AKs; `T9s+` is T9s alone).
A dash spans two hands of one kind: pairs, one high card with two kickers, or two hands with the same gap (`76s-54s`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

from holecard.cards import RANKS, cards_text, parse_cards
from holecard.errors import CardError

Hole = tuple[int, int]
"""Two different cards, the higher code first."""

_HELP = "a range is a list such as QQ+,AKs,TT-77,A5s-A2s,KQo,AhKh or random"
_KIND = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Range:
    """A set of two-card hands, all equally likely.

    >>> len(parse_range("QQ+,AKs").hands)
    22
    """

    text: str
    """As it was written."""
    hands: tuple[Hole, ...]
    """Its hands, each once."""

    def without(self, dead: set[int]) -> tuple[Hole, ...]:
        """The hands that hold none of the `dead` cards."""
        return tuple(hand for hand in self.hands if not dead.intersection(hand))

    def __str__(self) -> str:
        """As it was written."""
        return self.text


def parse_range(text: str) -> Range:
    """The hands of a range; a part that cannot be read is named.

    >>> [len(parse_range(part).hands) for part in ("AA", "AKo", "AK", "22+", "A2s+", "random", "AhKh")]
    [6, 12, 16, 78, 48, 1326, 1]
    """
    hands: dict[Hole, None] = {}
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    if not parts:
        raise CardError(f"the range is empty; {_HELP}")
    for part in parts:
        hands.update(dict.fromkeys(_hands_of(part.replace("10", "T"), text)))
    return Range(text, tuple(hands))


def _hands_of(part: str, whole: str) -> list[Hole]:
    if part.lower() in ("random", "any"):
        return [(high, low) for low, high in combinations(range(52), 2)]
    if len(part) == 4 and part[1].lower() in "cdhs" and part[3].lower() in "cdhs":
        first, second = parse_cards(part)
        return [(max(first, second), min(first, second))]
    if "-" in part:
        first_kind, _, second_kind = part.partition("-")
        return _span(_kind(first_kind, whole), _kind(second_kind, whole), part)
    if part.endswith("+"):
        high, low, suits = _kind(part[:-1], whole)
        if high == low:
            return [hand for rank in range(high, 13) for hand in _hands(rank, rank, suits)]
        return [hand for kicker in range(low, high) for hand in _hands(high, kicker, suits)]
    return _hands(*_kind(part, whole))


def _kind(text: str, whole: str) -> tuple[int, int, str]:
    """High rank, low rank and `s`, `o` or nothing."""
    match = _KIND.fullmatch(text)
    if match is None:
        raise CardError(f"cannot read {text!r} in the range {whole!r}; {_HELP}")
    first, second = RANKS.index(match[1].upper()), RANKS.index(match[2].upper())
    suits = match[3].lower()
    if first == second and suits:
        raise CardError(f"a pair is neither suited nor offsuit: write {text[:2]!r}, not {text!r}")
    return max(first, second), min(first, second), suits


def _span(first: tuple[int, int, str], second: tuple[int, int, str], part: str) -> list[Hole]:
    (top, top_kicker, suits), (bottom, bottom_kicker, other_suits) = max(first, second), min(first, second)
    same_gap = top - top_kicker == bottom - bottom_kicker
    if suits != other_suits or not (same_gap or top == bottom):
        raise CardError(f"cannot span {part!r}: the ends share neither high card nor gap; such as TT-77 or A5s-A2s")
    if same_gap:
        return [hand for up in range(top - bottom + 1) for hand in _hands(bottom + up, bottom_kicker + up, suits)]
    return [hand for kicker in range(bottom_kicker, top_kicker + 1) for hand in _hands(top, kicker, suits)]


def _hands(high: int, low: int, suits: str) -> list[Hole]:
    if high == low:
        return [(high * 4 + one, low * 4 + other) for other, one in combinations(range(4), 2)]
    return [
        (high * 4 + one, low * 4 + other)
        for one in range(4)
        for other in range(4)
        if suits == "" or (suits == "s") == (one == other)
    ]


def starting_hand_name(hole: Hole) -> str:
    """The kind of a hand, one of 169.

    >>> starting_hand_name((51, 47)), starting_hand_name((44, 51)), starting_hand_name((0, 1))
    ('AKs', 'AKo', '22')
    """
    first, second = max(hole), min(hole)
    ranks = cards_text((first, second))[::2]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if first & 3 == second & 3 else "o")
