"""The best count for a game: the tags that follow it most closely, of all tags up to a level."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.correlation import betting_gain, correlation, playing_gain
from holecard.blackjack.counting.effects import Effects
from holecard.blackjack.counting.system import PACK, CountSystem
from holecard.errors import SettingError

Level: TypeAlias = int | Literal["real"]
Aim: TypeAlias = Literal["betting", "playing", "both"]
AIMS: Final = ("betting", "playing", "both")
LEVELS: Final = (1, 2, 3, "real")
_WEIGHT: Final = tuple(cards // 4 for cards in PACK)
"""Cards of a value in a suit."""
_REAL: Final = 100
"""The largest tag of a count of real numbers, which are given to whole hundredths of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSetting:
    """What a count is the best for."""

    effects: Effects
    """The game."""
    aim: Aim = "betting"
    """Betting correlation, the gain from changed decisions, or both as a game with this spread pays them."""
    penetration: float = 0.75
    """The share of the shoe that is dealt."""
    spread: float = 8.0
    """The highest bet, in lowest bets."""

    def worth(self, tags: NDArray[np.float64]) -> float:
        """What a count with such tags reaches: a correlation, or a gain per round."""
        if self.aim == "betting":
            return float(correlation(tags, self.effects.betting))
        playing = playing_gain(tags, self.effects, self.penetration)
        if self.aim == "playing":
            return playing
        return playing + betting_gain(tags, self.effects, self.penetration, self.spread)


def best_count(setting: CountSetting, level: Level = 1, *, balanced: bool = False) -> CountSystem:
    """The best count of a level: no tag above it. `real`: any tags. `balanced`: a whole pack adds up to 0.

    By betting correlation it is the best of all such counts; else the best that no change of one or two tags betters,
    found from several beginnings. One that is not balanced is used as a running count that ends a shoe at 0.
    """
    if setting.aim not in AIMS:
        raise SettingError(f"a count is the best by betting, playing or both; got {setting.aim!r}")
    if level not in LEVELS:
        raise SettingError(f"levels are 1, 2, 3 and real; got {level!r}")
    if level == "real":
        return _named(_real_tags(setting), "real", _REAL)
    start = _closest(setting.effects.betting, level, balanced)
    tags = start if setting.aim == "betting" else _climbed(setting, level, start, balanced)
    return _named(tags, f"level {level}", 1)


def _named(tags: NDArray[np.float64], name: str, divisor: int) -> CountSystem:
    whole = tuple(Fraction(round(float(tag) * divisor), divisor) for tag in tags)
    surplus = sum((tag * cards for tag, cards in zip(whole, PACK, strict=True)), start=Fraction(0))
    if divisor > 1 or not surplus:
        return CountSystem(name=name, tags=whole)
    return CountSystem(name=name, tags=whole, start_per_deck=-surplus, used_as="running")


def _closest(effects: NDArray[np.float64], level: int, balanced: bool) -> NDArray[np.float64]:
    """The whole tags up to a level of the highest correlation with some effects; of equals the smallest.

    A correlation depends on the tags by their sum, their squares' sum and their products with the effects: of all tags
    with the same two sums only those of the largest product matter.
    """
    known: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for value, weight in enumerate(_WEIGHT):
        longer: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (total, squares), (product, tags) in known.items():
            for tag in range(-level, level + 1):
                sums = total + weight * tag, squares + weight * tag * tag
                more = product + weight * tag * effects[value]
                if sums not in longer or more > longer[sums][0]:
                    longer[sums] = more, (*tags, tag)
        known = longer
    cards = sum(_WEIGHT)
    found = [
        (product / (squares - total * total / cards) ** 0.5, -squares, tags)
        for (total, squares), (product, tags) in known.items()
        if squares * cards > total * total and not (balanced and total)
    ]
    highest = max(found)[0]
    return np.array(max(entry[1:] for entry in found if entry[0] > highest - 1e-12)[1], np.float64)


def _climbed(setting: CountSetting, level: int, start: NDArray[np.float64], balanced: bool) -> NDArray[np.float64]:
    """The tags that no change of one or two of them betters, from several beginnings."""
    beginnings = [start, _closest(_real_tags(setting), level, balanced)]
    climbed = [_climb(setting, level, tags, balanced) for tags in beginnings]
    return max(climbed, key=lambda tags: (setting.worth(tags), -float((tags**2).sum())))


def _climb(setting: CountSetting, level: int, tags: NDArray[np.float64], balanced: bool) -> NDArray[np.float64]:
    best, worth = tags.copy(), setting.worth(tags)
    while True:
        steps = [best + change for change in _changes() if not (balanced and change @ np.array(PACK))]
        steps = [step for step in steps if np.abs(step).max() <= level and len(set(step)) > 1]
        worths = [setting.worth(step) for step in steps]
        if not steps or max(worths) <= worth * (1 + 1e-12):
            return best
        at = int(np.argmax(worths))
        best, worth = steps[at], worths[at]


def _changes() -> list[NDArray[np.float64]]:
    """All changes of one tag by one, and of two tags by one each."""
    ones = np.vstack([np.eye(len(PACK)), -np.eye(len(PACK))])
    return [*ones, *(a + b for at, a in enumerate(ones) for b in ones[at + 1 :] if (a + b).any())]


def _real_tags(setting: CountSetting) -> NDArray[np.float64]:
    """The best tags of any size, the largest of which is 1."""
    tags = setting.effects.betting
    if setting.aim != "betting":
        from scipy.optimize import minimize

        start = tags / np.abs(tags).max()

        def cost(tags: NDArray[np.float64]) -> float:
            return -1e4 * setting.worth(tags)

        found: Any = minimize(cost, start, method="Powell", tol=1e-4)
        tags = found.x - (found.x * np.array(PACK)).sum() / 52
    scaled: NDArray[np.float64] = tags / np.abs(tags).max()
    return scaled
