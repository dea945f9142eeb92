"""What a player may do."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class Lettered(IntEnum):
    """A number with the letter that a chart has for it and its words."""

    letter: str
    """The letter that people write in a chart; empty where there is none."""
    word: str
    """What messages and legends call it."""

    def __new__(cls, value: int, letter: str = "", word: str = "") -> Self:
        """The member of a number, with its letter and its words."""
        member = int.__new__(cls, value)
        member._value_ = value
        member.letter, member.word = letter, word
        return member


class Action(Lettered):
    """What a player may do. The first four are numbered as in the agents' original; insurance has no letter.

    >>> Action.DOUBLE.letter, Action.DOUBLE.word, Action.DECLINE.label
    ('D', 'double', 'No insurance')
    """

    HIT = 0, "H", "hit"
    STAND = 1, "S", "stand"
    DOUBLE = 2, "D", "double"
    SPLIT = 3, "P", "split"
    SURRENDER = 4, "R", "surrender"
    INSURE = 5, "", "insure"
    DECLINE = 6, "", "decline"

    @property
    def label(self) -> str:
        """What a button shows."""
        return "No insurance" if self == Action.DECLINE else self.word.capitalize()

    @classmethod
    def parse(cls, word: str) -> Action:
        """The action of a word; KeyError if there is none.

        >>> Action.parse("split")
        <Action.SPLIT: 3>
        """
        return _BY_WORD[word]


_BY_WORD = {action.word: action for action in Action}


def words_of(bits: int) -> str:
    """The actions whose bits `1 << Action` are set, by their words.

    >>> words_of(1 << Action.STAND | 1 << Action.HIT)
    'hit, stand'
    """
    return ", ".join(action.word for action in Action if bits >> action & 1)
