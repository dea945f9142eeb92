"""When a counter insures, exactly: every subset of the cards left is counted, none is drawn by chance.

Subsets with the same number of cards and the same running count are equally likely to be the cards left, so the mean
share of tens among them says what insurance is worth. Cards of one tag are taken together: k of m of them are chosen in
C(m, k) ways and hold k · tens / m tens on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.strategy import Rounding
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.exact.hands import ACE, TEN

_EVEN = 1e-12
"""Insurance that is worth less than this is worth nothing: the arithmetic is that of sums of whole numbers."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TensLeft:
    """Subsets of the cards not seen, by how many they are and by the running count that leaves them."""

    ways: NDArray[np.float64]
    """(cards + 1, counts): how many subsets."""
    tens: NDArray[np.float64]
    """(cards + 1, counts): the tens in all of them."""
    lowest: int
    """The running count of the first column, times the scale of the tags."""
    scale: int
    """What running counts are multiplied by."""

    def value(self) -> NDArray[np.float64]:
        """(cards + 1, counts): what a unit staked on insurance wins on average; nan where there is no such subset."""
        cards = np.arange(len(self.ways))[:, None] * self.ways
        with np.errstate(invalid="ignore", divide="ignore"):
            value: NDArray[np.float64] = 3.0 * self.tens / np.where(cards > 0, cards, np.nan) - 1.0
        return np.where(np.abs(value) < _EVEN, 0.0, value)


def tens_left(system: CountSystem, decks: int, seen: tuple[int, ...]) -> TensLeft:
    """All subsets of a shoe without the cards seen (values, 0 = ace … 9 = ten), which the running count has in it."""
    scale = system.scale
    unseen = [4 * decks * (4 if value == TEN else 1) - seen.count(value) for value in range(len(system.tags))]
    tags = [int(tag * scale) for tag in system.tags]
    groups = {tag: [v for v in range(len(tags)) if tags[v] == tag] for tag in set(tags)}
    # What is left is chosen; the count of the seen is what it was after the shuffle plus all tags less those left.
    low, high = (sum(limit(tag, 0) * unseen[v] for v, tag in enumerate(tags)) for limit in (min, max))
    ways = np.zeros((sum(unseen) + 1, high - low + 1))
    tens = np.zeros_like(ways)
    ways[0, -low] = 1.0
    for tag, values in groups.items():
        members = sum(unseen[value] for value in values)
        share = unseen[TEN] / members if TEN in values and members else 0.0
        ways, tens = _with_group(ways, tens, tag, members, share)
    whole = int(system.starts_at(decks) * scale) + sum(
        tag * 4 * decks * (4 if v == TEN else 1) for v, tag in enumerate(tags)
    )
    return TensLeft(ways=ways[:, ::-1], tens=tens[:, ::-1], lowest=whole - high, scale=scale)


def _with_group(
    ways: NDArray[np.float64], tens: NDArray[np.float64], tag: int, members: int, share: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Subsets with 0 to all members of a group of cards of one tag added to them."""
    more, more_tens = np.zeros_like(ways), np.zeros_like(tens)
    width = ways.shape[1]
    for chosen in range(members + 1):
        shift = chosen * tag
        source = slice(max(0, -shift), min(width, width - shift))
        target = slice(max(0, shift), min(width, width + shift))
        rows = len(ways) - chosen
        choices = float(comb(members, chosen))
        more[chosen:, target] += choices * ways[:rows, source]
        more_tens[chosen:, target] += choices * (tens[:rows, source] + chosen * share * ways[:rows, source])
    return more, more_tens


def insurance_limits(system: CountSystem, decks: int, hand: tuple[int, int]) -> dict[float, list[tuple[int, int]]]:
    """By running count, the numbers of unseen cards (the hole card among them) at which insuring is no loss.

    `hand` are the player's two values (0 = ace … 9 = ten); the upcard is an ace, and all three are in the count.
    """
    left = tens_left(system, decks, (*hand, ACE))
    value = left.value()
    limits: dict[float, list[tuple[int, int]]] = {}
    for column in range(value.shape[1]):
        good = [cards for cards in range(1, len(value)) if value[cards, column] >= 0.0]
        if good:
            count = (left.lowest + column) / left.scale
            limits[int(count) if count == int(count) else count] = _ranges(good)
    return limits


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    """Runs of whole numbers that follow each other, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _made_whole(counts: NDArray[np.int64], divisor: NDArray[np.int64] | int, rounding: Rounding) -> NDArray[np.int64]:
    """Quotients made whole, as `kernels.row_of_count` does."""
    if rounding == "round":
        return (2 * counts + divisor) // (2 * np.asarray(divisor))
    floored = counts // np.asarray(divisor)
    return np.where(counts < 0, -(-counts // divisor), floored) if rounding == "truncate" else floored


def insurance_index(system: CountSystem, decks: int, penetration: float = 0.75, rounding: Rounding = "floor") -> int:
    """The whole count from which insurance pays: exact, all hands and all depths down to the cut taken together.

    >>> from holecard.blackjack.counting.system import find_system
    >>> insurance_index(find_system("hi-lo"), 6)
    3
    """
    left = tens_left(system, decks, (ACE,))
    cards = np.arange(len(left.ways))[:, None]
    chance = left.ways / np.maximum(left.ways.sum(axis=1, keepdims=True), 1.0)
    whole = 52 * decks
    dealt = (cards >= max(1.0, whole * (1.0 - penetration) - 3)) & (cards <= whole - 3)
    counts = left.lowest + np.arange(left.ways.shape[1])[None, :]
    per = 52 if system.used_as == "true" else 1
    divisor = np.maximum(cards, 1) if system.used_as == "true" else 1
    whole_counts = np.broadcast_to(_made_whole(counts * per, left.scale * divisor, rounding), chance.shape)
    worth = np.nan_to_num(left.value()) * chance * dealt
    totals = {
        int(count): float(worth[whole_counts == count].sum()) for count in np.unique(whole_counts[(chance * dealt) > 0])
    }
    losing = [count for count, total in totals.items() if total < 0.0]
    return max(losing) + 1 if losing else min(totals)
