"""Bets by the count: read from text, held against every count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError

MOST_UNITS: Final = 1000


def parse_spread(text: str) -> float:
    """`1:8` as 8 lowest bets.

    >>> parse_spread("1:8"), parse_spread("5:60")
    (8.0, 12.0)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[:-]\s*(\d+(?:\.\d+)?)\s*", text)
    if not match or float(match[1]) <= 0:
        raise SettingError(f"a spread reads LOW:HIGH such as 1:8; got {text!r}")
    spread = float(match[2]) / float(match[1])
    if not 1 <= spread <= MOST_UNITS:
        raise SettingError(f"a spread goes from the lowest bet up, 1:1 to 1:{MOST_UNITS}; got {text!r}")
    return spread


def parse_bets(text: str) -> dict[int, float]:
    """`0:1,1:2,2:4` as units by count; counts must follow each other.

    >>> parse_bets("0:1,1:2,2:4")
    {0: 1.0, 1: 2.0, 2: 4.0}
    """
    bets: dict[int, float] = {}
    for item in text.split(","):
        match = re.fullmatch(r"\s*([+-]?\d+)\s*:\s*(\d+(?:\.\d+)?)\s*", item)
        if not match:
            raise SettingError(f"bets read COUNT:UNITS,… such as 0:1,1:2,2:4; got {item.strip()!r}")
        if int(match[1]) in bets:
            raise SettingError(f"count {match[1]} has two bets")
        bets[int(match[1])] = float(match[2])
    counts = sorted(bets)
    gaps = [count + 1 for count, after in pairwise(counts) if after != count + 1]
    if gaps:
        raise SettingError(f"bets have a gap: count {gaps[0]} has none")
    if max(bets.values()) > MOST_UNITS or max(bets.values()) == 0:
        raise SettingError(f"bets are 0 to {MOST_UNITS} units, and one at least is above 0")
    return {count: bets[count] for count in counts}


def bets_by_count(bets: Mapping[int, float], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Units for every count: the lowest named also stands below itself, the highest above."""
    low, high = min(bets), max(bets)
    return np.array([bets[int(min(max(count, low), high))] for count in counts])


def bets_text(bets: Mapping[int, float]) -> str:
    """Bets as `parse_bets` reads them.

    >>> bets_text({0: 1.0, 1: 2.5})
    '0:1, 1:2.5'
    """
    return ", ".join(f"{count}:{repr(float(units)).removesuffix('.0')}" for count, units in sorted(bets.items()))
