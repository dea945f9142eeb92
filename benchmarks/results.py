"""What benchmarks have in common: a measurement, told to whoever collects them (`run_all.py`)."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

COLLECTOR = "HOLECARD_BENCH"
"""The environment variable that names the file to which measurements are added; without it they are only printed."""


def record(what: str, ours: float, unit: str, peer: str = "", theirs: float = 0.0, *, quoted: bool = False) -> None:
    """Tell a measurement: ours, and a peer's in the same unit, measured in the same run unless it is quoted.

    A unit that ends in `/s` is a rate, the higher the better; anything else is a cost.
    """
    path = os.environ.get(COLLECTOR)
    if not path:
        return
    line = {
        "benchmark": Path(sys.argv[0]).stem,
        "what": what,
        "ours": ours,
        "unit": unit,
        "peer": peer,
        "theirs": theirs,
        "quoted": quoted,
    }
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def ratio(measurement: dict[str, object]) -> float | None:
    """How many times better ours is; None where there is no peer.

    >>> ratio({"ours": 2.0, "theirs": 6.0, "unit": "s", "peer": "x"})
    3.0
    """
    ours, theirs = float(str(measurement["ours"])), float(str(measurement["theirs"]))
    if not measurement["peer"] or not ours or not theirs:
        return None
    return ours / theirs if str(measurement["unit"]).endswith("/s") else theirs / ours
