"""Numbers as people write them."""

from __future__ import annotations

import re

import typer


def parse_count(text: str) -> int:
    """A whole number as people write it: `1e8`, `100M`, `10G`, `1_000_000`.

    >>> parse_count("100M"), parse_count("1e3"), parse_count("2,500")
    (100000000, 1000, 2500)
    """
    if isinstance(text, int):
        return text
    match = re.fullmatch(r"([\d_,]*\.?\d+(?:e\d+)?)([kmgt]?)", text.strip().lower())
    if not match:
        raise typer.BadParameter(f"{text!r} is not a number; write 1000000, 1e6 or 1M")
    number = (
        float(match[1].replace("_", "").replace(",", "")) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}[match[2]]
    )
    if number != int(number) or not 1 <= number <= 1e13:
        raise typer.BadParameter(f"{text!r} must be a whole number from 1 to 10T")
    return int(number)
