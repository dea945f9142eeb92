"""A count as data: a tag for every value, where it starts, and whether it is divided by the decks left."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from holecard.blackjack.game.shoe import VALUES
from holecard.errors import SettingError, unknown_name

PACK: Final = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
"""Cards of each value A … 10 in a pack of 52."""
HIGHEST_TAG: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSystem:
    """A count. Seen cards are added up by their tags.

    >>> find_system("hi-lo").level, find_system("ko").starts_at(6), find_system("Halves").scale
    (1, Fraction(-20, 1), 2)
    """

    name: str
    """What people call it."""
    tags: tuple[Fraction, ...]
    """What a seen card adds, by value A … 10."""
    start: Fraction = Fraction(0)
    """The running count after a shuffle, before what `start_per_deck` adds."""
    start_per_deck: Fraction = Fraction(0)
    """What each deck of the shoe adds to that."""
    used_as: Literal["true", "running"] = "true"
    """Divided by the decks left (true), or as it is (running)."""

    def __post_init__(self) -> None:
        if len(self.tags) != len(VALUES):
            raise SettingError(f"a count has ten tags, for A 2 … 10; got {len(self.tags)}")
        for value, tag in zip(VALUES, self.tags, strict=True):
            if abs(tag) > HIGHEST_TAG:
                raise SettingError(f"tags are -{HIGHEST_TAG} to {HIGHEST_TAG}; got {float(tag):g} for {value}")
        if len(set(self.tags)) == 1:
            raise SettingError(f"a count tells cards apart; every tag of this one is {float(self.tags[0]):g}")

    @property
    def scale(self) -> int:
        """The smallest number that makes every tag whole."""
        scale = 1
        for tag in (*self.tags, self.start, self.start_per_deck):
            scale = scale * tag.denominator // _gcd(scale, tag.denominator)
        return scale

    @property
    def level(self) -> int:
        """The largest tag without its sign, in whole tags."""
        return int(max(abs(tag) for tag in self.tags) * self.scale)

    @property
    def is_balanced(self) -> bool:
        """True if a whole pack adds up to 0."""
        return sum(tag * cards for tag, cards in zip(self.tags, PACK, strict=True)) == 0

    def starts_at(self, decks: int) -> Fraction:
        """The running count after a shuffle of so many decks."""
        return self.start + decks * self.start_per_deck

    def tags_by_value(self) -> dict[str, float]:
        """The tags under the names of their values, A to 10; whole ones as whole numbers."""
        return {
            value: int(tag) if tag.denominator == 1 else float(tag)
            for value, tag in zip(VALUES, self.tags, strict=True)
        }


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _system(name: str, tags: str, **more: object) -> CountSystem:
    return CountSystem(name=name, tags=tuple(Fraction(tag) for tag in tags.split()), **more)  # type: ignore[arg-type]


SYSTEMS: Final = {
    system.name: system
    for system in (
        _system("Hi-Lo", "-1 1 1 1 1 1 0 0 0 -1"),
        _system("KO", "-1 1 1 1 1 1 1 0 0 -1", start=Fraction(4), start_per_deck=Fraction(-4), used_as="running"),
        _system("Red 7", "-1 1 1 1 1 1 1/2 0 0 -1", start_per_deck=Fraction(-2), used_as="running"),
        _system("Hi-Opt I", "0 0 1 1 1 1 0 0 0 -1"),
        _system("Hi-Opt II", "0 1 1 2 2 1 1 0 0 -2"),
        _system("Omega II", "0 1 1 2 2 2 1 0 -1 -2"),
        _system("Zen", "-1 1 1 2 2 2 1 0 0 -2"),
        _system("Halves", "-1 1/2 1 1 3/2 1 1/2 0 -1/2 -1"),
        _system("Uston APC", "0 1 2 2 3 2 2 1 -1 -3"),
        _system("Ace-Five", "-1 0 0 0 1 0 0 0 0 0", used_as="running"),
    )
}
"""The known counts. A red seven counts 1 and a black one 0: here every seven counts ½."""


def find_system(text: str) -> CountSystem:
    """A count by its name, in any case and with hyphens for spaces, or by its ten tags: `A=-1,2=1,…,10=-1`.

    >>> find_system("uston-apc").name
    'Uston APC'
    """
    if "=" in text:
        return parse_tags(text)
    for name, system in SYSTEMS.items():
        if _plain(name) == _plain(text):
            return system
    raise SettingError(unknown_name("count", text, tuple(SYSTEMS)) + "; or ten tags, A=-1,2=1,…,10=-1")


def parse_tags(text: str, name: str = "own count") -> CountSystem:
    """A count of one's own from `A=-1,2=1,…,10=-1`; every value must have its tag, and fractions may be 1/2 or 0.5.

    >>> float(parse_tags("A=-1,2=0.5,3=1,4=1,5=1.5,6=1,7=0.5,8=0,9=-0.5,10=-1").tags[1])
    0.5
    """
    tags: dict[str, Fraction] = {}
    for item in text.split(","):
        value, equals, number = (part.strip() for part in item.partition("="))
        value = {"T": "10", "1": "A"}.get(value.upper(), value.upper())
        if not equals or value not in VALUES:
            raise SettingError(f"tags are written A=-1,2=1,…,10=-1; got {item.strip()!r}")
        if value in tags:
            raise SettingError(f"{value} has two tags")
        tags[value] = _number(number, value)
    missing = [value for value in VALUES if value not in tags]
    if missing:
        raise SettingError(f"a count has a tag for each of A 2 … 10; {', '.join(missing)} has none")
    return CountSystem(name=name, tags=tuple(tags[value] for value in VALUES))


def _number(text: str, value: str) -> Fraction:
    try:
        tag = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise SettingError(f"the tag of {value} must be a number such as -1, 0.5 or 1/2; got {text!r}") from None
    return tag.limit_denominator(1000)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "-")
