"""The letters of a strategy chart, and what each plays where doubling, splitting or surrender may be forbidden."""

from __future__ import annotations

from typing import Final

import numpy as np

from holecard.blackjack.game.actions import Action, Lettered


class Letter(Lettered):
    """What a cell of a strategy chart says. The number is its code in a strategy's array.

    >>> Letter.DOUBLE_ELSE_STAND.letter, Letter.DOUBLE_ELSE_STAND.word
    ('d', 'double, else stand')
    """

    HIT = 0, "H", "hit"
    STAND = 1, "S", "stand"
    DOUBLE_ELSE_HIT = 2, "D", "double, else hit"
    DOUBLE_ELSE_STAND = 3, "d", "double, else stand"
    SPLIT = 4, "P", "split"
    """Where a split is not allowed, as the total says."""
    SURRENDER_ELSE_HIT = 5, "R", "surrender, else hit"
    SURRENDER_ELSE_STAND = 6, "r", "surrender, else stand"
    ANY = 7, "?", "any legal action"
    """All legal actions, equally often."""

    @classmethod
    def parse(cls, text: str) -> Letter:
        """The letter of a text; KeyError if there is none. `U` is read as `R`.

        >>> Letter.parse("U")
        <Letter.SURRENDER_ELSE_HIT: 5>
        """
        return _BY_TEXT[text]


LETTERS: Final = "".join(letter.letter for letter in Letter)
"""The texts of all letters by code: `HSDdPRr?`."""
_BY_TEXT: Final = {letter.letter: letter for letter in Letter} | {"U": Letter.SURRENDER_ELSE_HIT}
DOUBLE_LETTERS: Final = (Letter.DOUBLE_ELSE_HIT, Letter.DOUBLE_ELSE_STAND)
SURRENDER_LETTERS: Final = (Letter.SURRENDER_ELSE_HIT, Letter.SURRENDER_ELSE_STAND)

MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER = 1, 2, 4
OPTIONS: Final = 8
"""How many sets of options there are: sums of `MAY_DOUBLE`, `MAY_SPLIT` and `MAY_SURRENDER`."""
PLAY_ANY: Final = 7
"""Among plays, which else are numbers of actions: choose uniformly among the legal actions."""


def _play_of(letter: Letter, options: int) -> int:
    if letter in DOUBLE_LETTERS and options & MAY_DOUBLE:
        return Action.DOUBLE
    if letter in SURRENDER_LETTERS and options & MAY_SURRENDER:
        return Action.SURRENDER
    if letter == Letter.SPLIT:
        return Action.SPLIT if options & MAY_SPLIT else Action.HIT
    if letter == Letter.ANY:
        return PLAY_ANY
    stands = (Letter.STAND, Letter.DOUBLE_ELSE_STAND, Letter.SURRENDER_ELSE_STAND)
    return Action.STAND if letter in stands else Action.HIT


ACTION_OF: Final = np.array([[_play_of(letter, options) for letter in Letter] for options in range(OPTIONS)], np.uint8)
"""What a letter plays, uint8 (8, 8) by options and code; a bare `P` hits."""
