"""How well a count follows a game: betting and insurance correlation, playing efficiency.

The betting correlation is that of the tags with the effects of removal on the EV, over the 52 cards of a pack; the
insurance correlation that with being a ten. The playing efficiency is the share of a perfect player's gain from
changing decisions that is left to somebody who knows the count alone: at every decision the count sees its
correlation's share of the deviation, and what a deviation is worth is the normal loss integral. Gains are averaged over
all depths of the shoe down to the cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.effects import WEIGHTS, Effects
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.exact.hands import TEN

DEPTHS = 12
"""Depths of the shoe over which gains are averaged."""
_FIRST_ROUND = 4
"""Cards that are out at the first decision of a shoe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlations:
    """How well a count follows a game."""

    betting: float
    """With the effects of removal on the EV."""
    insurance: float
    """With the tens left."""
    playing: float
    """Of the gain from perfect decisions, insurance aside: the share that the count brings (playing efficiency)."""


def correlations(system: CountSystem, effects: Effects, penetration: float = 0.75) -> Correlations:
    """How well a count follows a game that is dealt to a cut.

    >>> from holecard.blackjack.counting.effects import effects_of
    >>> from holecard.blackjack.counting.system import find_system
    >>> from holecard.blackjack.game.rules import Rules
    >>> effects = effects_of(Rules.from_text("1d S17 NDAS 2-hands value"))
    >>> round(correlations(find_system("hi-lo"), effects).betting, 3)
    0.966
    """
    tags = np.array([float(tag) for tag in system.tags])
    return Correlations(
        betting=float(correlation(tags, effects.betting)),
        insurance=float(correlation(-tags, np.arange(len(tags)) == TEN)),
        playing=playing_gain(tags, effects, penetration) / perfect_playing_gain(effects, penetration),
    )


def correlation(tags: NDArray[np.float64], effects: NDArray[np.float64] | NDArray[np.bool_]) -> NDArray[np.float64]:
    """The correlation over a pack of tags with effects, (10,) or many rows of them."""
    centred = tags - (tags * WEIGHTS).sum()
    moved = effects - (effects * WEIGHTS).sum(axis=-1, keepdims=True)
    along = (centred * moved * WEIGHTS).sum(axis=-1)
    spread = np.sqrt((centred**2 * WEIGHTS).sum() * (moved**2 * WEIGHTS).sum(axis=-1))
    found: NDArray[np.float64] = np.divide(along, spread, out=np.zeros_like(spread), where=spread > 0)
    return found


def playing_gain(tags: NDArray[np.float64], effects: Effects, penetration: float) -> float:
    """What changing decisions by the count adds to the EV of a round, in bets."""
    return _gain(effects, np.abs(correlation(tags, effects.playing)), penetration)


def perfect_playing_gain(effects: Effects, penetration: float) -> float:
    """What changing decisions adds for a player who knows every card that is left."""
    return _gain(effects, np.ones(len(effects.lead)), penetration)


def betting_gain(tags: NDArray[np.float64], effects: Effects, penetration: float, spread: float) -> float:
    """What betting `spread` units instead of one whenever the count says that the next round wins adds to a round."""
    seen = abs(float(correlation(tags, effects.betting)))
    gains = [
        loss_integral(np.array([-effects.ev]), effects.deviation(effects.betting[None], left) * seen)[0]
        for left in depths(effects, penetration)
    ]
    return (spread - 1.0) * float(np.mean(gains))


def depths(effects: Effects, penetration: float) -> NDArray[np.float64]:
    """Numbers of cards left, evenly from the first round of a shoe to its cut."""
    last = max(effects.cards * (1.0 - penetration), 1.0)
    return np.linspace(effects.cards - _FIRST_ROUND, last, DEPTHS)


def _gain(effects: Effects, share: NDArray[np.float64], penetration: float) -> float:
    """The mean gain over depths where a player sees such a share of each lead's deviation."""
    gains = [
        float((effects.frequency * loss_integral(effects.lead, effects.deviation(effects.playing, left) * share)).sum())
        for left in depths(effects, penetration)
    ]
    return float(np.mean(gains))


def loss_integral(lead: NDArray[np.float64], deviation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of max(0, −x) for normal x with that mean and deviation."""
    from scipy.special import ndtr

    scaled = np.divide(lead, deviation, out=np.full_like(lead, np.inf), where=deviation > 0)
    density = np.exp(-0.5 * np.minimum(scaled, 40.0) ** 2) / sqrt(2.0 * np.pi)
    gain: NDArray[np.float64] = np.where(
        deviation > 0, deviation * density - lead * ndtr(-scaled), np.maximum(-lead, 0)
    )
    return gain
