"""The game that an evolution plays: the actions it may use, and what its fitness measures there."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError, unknown_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Number = TypeVar("Number", float, NDArray[np.float64])

ACTIONS: Final = ("hit-stand", "hit-stand-double", "all")
"""What a player may do, from the least to all that the rules allow."""
_HIT_OR_STAND: Final[dict[str, Any]] = {"double": "none", "double_cards": "2", "das": False}
_NO_SPLIT: Final[dict[str, Any]] = {"max_hands": 1, "rsa": False, "hsa": False, "dsa": False, "surrender": "none"}


def restricted(rules: Rules, actions: str) -> Rules:
    """The game of a player who uses only these actions.

    >>> restricted(Rules(), "hit-stand").double
    'none'
    """
    if actions not in ACTIONS:
        raise SettingError(unknown_name("actions", actions, ACTIONS))
    if rules.shoe != "fresh":
        raise SettingError("evolution deals a fresh shoe each round; use --shoe fresh")
    changes = {"hit-stand": {**_HIT_OR_STAND, **_NO_SPLIT}, "hit-stand-double": _NO_SPLIT, "all": {}}
    return replace(rules, insurance=False, **changes[actions])


class Measure(Enum):
    """What fitness measures. The value is its name."""

    POINTS = "win + ½ push"
    """A point for a round won, half a point for a push: never negative."""
    EV = "EV"
    """The mean result per initial bet."""

    @classmethod
    def of(cls, rules: Rules) -> Measure:
        """Points where a round can only be won, lost or pushed, and the EV everywhere else.

        >>> Measure.of(Rules.preset("classic")), Measure.of(Rules.preset("casino"))
        (<Measure.POINTS: 'win + ½ push'>, <Measure.EV: 'EV'>)
        """
        only_bets = rules.bj is None and rules.double == "none" and rules.max_hands == 1 and rules.surrender == "none"
        return cls.POINTS if only_bets else cls.EV

    def of_ev(self, ev: Number) -> Number:
        """An EV in this measure; where a round wins or loses one bet, points are (1 + EV) / 2."""
        return (1.0 + ev) / 2.0 if self is Measure.POINTS else ev

    @property
    def scale(self) -> float:
        """By how much this measure changes when the EV changes by 1."""
        return 0.5 if self is Measure.POINTS else 1.0
