"""What a player may do."""

from __future__ import annotations

from enum import IntEnum


class Action(IntEnum):
    """What a player may do. The first four are numbered as in the agents' original.

    >>> Action.DOUBLE.letter, Action.DOUBLE.word, Action.DECLINE.label
    ('D', 'double', 'No insurance')
    """

    letter: str
    """The letter that people write in a chart; empty for insurance, which no chart decides."""
    word: str
    """What files, JSON and messages call it."""

    HIT = 0, "H", "hit"
    STAND = 1, "S", "stand"
    DOUBLE = 2, "D", "double"
    SPLIT = 3, "P", "split"
    SURRENDER = 4, "R", "surrender"
    INSURE = 5, "", "insure"
    DECLINE = 6, "", "decline"

    def __new__(cls, value: int, letter: str = "", word: str = "") -> Action:
        """The action of a number, with its letter and its word."""
        action = int.__new__(cls, value)
        action._value_ = value
        action.letter, action.word = letter, word
        return action

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
