"""Numbers as people write them, in every option that takes a whole number: `1000000`, `1e6`, `1M`, `2.5k`, `1,000`."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

import typer

_THOUSANDS: Final = re.compile(r"(\d{1,3})(,\d{3})+(?![\d,])")
_NUMBER: Final = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e\+?\d{1,3})?)([kmgt]?)")
_FACTORS: Final = {"": 0, "k": 3, "m": 6, "g": 9, "t": 12}
_LONGEST: Final = 40
"""Characters of a number, and of its digits."""


def whole_number(text: str) -> int:
    """A whole number as people write it.

    >>> [whole_number(text) for text in ("100M", "1e3", "2,500", "1_000", "2.5k", "-1", "18446744073709551615")]
    [100000000, 1000, 2500, 1000, 2500, -1, 18446744073709551615]
    """
    plain = text.strip().lower().replace("_", "")
    if _THOUSANDS.match(plain):
        plain = plain.replace(",", "")
    match = _NUMBER.fullmatch(plain) if len(plain) <= _LONGEST else None
    if not match:
        raise typer.BadParameter(f"{text[:_LONGEST]!r} is not a number; write 1000000, 1e6 or 1M")
    number = Decimal(match[1]).scaleb(_FACTORS[match[2]])
    if number.adjusted() > _LONGEST or number != number.to_integral_value():
        raise typer.BadParameter(f"{text!r} is not a whole number that can be counted to")
    return int(number)


def counts(low: int | None = 1, high: int | None = 10**13) -> Callable[[str | int], int]:
    """What reads an option that takes a whole number from `low` to `high`.

    >>> counts(0)("5k"), counts()(7)
    (5000, 7)
    """

    def parse(text: str | int) -> int:
        number = text if isinstance(text, int) else whole_number(text)
        if (low is not None and number < low) or (high is not None and number > high):
            raise typer.BadParameter(f"{text!r} must be a whole number{_limits(low, high)}")
        return number

    return parse


def _limits(low: int | None, high: int | None) -> str:
    """The limits as a refusal gives them."""
    start, end = f"{low:,}" if low is not None else "", f"{high:,}" if high is not None else ""
    return f" from {start} to {end}" if start and end else f", {start} or more" if start else f", at most {end}"


parse_count = counts()
"""Reads a count: 1 to 10 million millions."""
