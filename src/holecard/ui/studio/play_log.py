"""What you decided at the play page, kept in a file of your own: a line a decision and a line a round.

Your leaks, your days and the sums of a sitting come out of it. Costs are in units: what was given away times the bet.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.arena.watched import MISTAKE
from holecard.files import append, make_folder, read_bytes, write_file

NAME: Final = "play.jsonl"
"""The file, in the folder of runs."""
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of the file; beyond them the older half goes."""
_ONE_AT_A_TIME: Final = threading.Lock()
_TEXTS: Final = ("when", "rules", "round", "spot", "action", "best")
_MOST_UNITS: Final = 10**6
"""No line of the file says more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a line of the file comes from."""

    runs: Path
    """The folder of runs, which has the file."""
    rules: str
    """The table."""
    round: str
    """The round or the question, named the same whenever it is sent again."""
    sitting: int
    """Which time at the table it is."""


def note(place: Place, number: int, spot: str, choice: tuple[str, str], cost: float) -> None:
    """Add a decision, the round's of that number: what was chosen and what is best, and what it gave away in units."""
    action, best = choice
    row = {"number": number, "spot": spot, "action": action, "best": best, "cost": cost if cost > MISTAKE else 0.0}
    _add(place, row)


def note_round(place: Place, net: float) -> None:
    """Add what a finished round brought, in units."""
    _add(place, {"net": net})


def _add(place: Place, row: dict[str, Any]) -> None:
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    line = {"when": now, "rules": place.rules, "round": place.round, "sitting": place.sitting, **row}
    path = place.runs / NAME
    with _ONE_AT_A_TIME:
        make_folder(place.runs)
        append(path, json.dumps(line).encode() + b"\n")
        if path.stat().st_size > LARGEST:
            content = read_bytes(path)
            write_file(path, content[content.index(b"\n", len(content) // 2) + 1 :])


def decisions(runs: Path) -> list[dict[str, Any]]:
    """The decisions in the file, oldest first; one sent twice counts once, and lines of others are left out."""
    return [row for row in _rows(runs) if "net" not in row]


def sums(runs: Path, sitting: int) -> dict[str, Any]:
    """Rounds, what they brought, decisions, mistakes and what those gave away, in units, of one sitting."""
    rows = _rows(runs, sitting)
    rounds, decided = ([row for row in rows if ("net" in row) == is_round] for is_round in (True, False))
    return {
        "rounds": len(rounds),
        "net": sum(row["net"] for row in rounds),
        "decisions": len(decided),
        "mistakes": sum(row["cost"] > 0 for row in decided),
        "given_away": sum(row["cost"] for row in decided),
    }


def _rows(runs: Path, sitting: int | None = None) -> list[dict[str, Any]]:
    """The lines of the file, or of one sitting; what was sent twice is there once."""
    path = runs / NAME
    if not path.is_file() or path.stat().st_size > 2 * LARGEST:
        return []
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for line in read_bytes(path).splitlines():
        row = _row(line)
        if row is not None and (sitting is None or row.get("sitting") == sitting):
            found.setdefault((row["rules"], row["round"], row.get("number", -1)), row)
    return list(found.values())


def leaks(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same mistake at the same table as often as it was made, costliest first."""
    found: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for row in rows:
        if row["cost"] > 0:
            key = (row["rules"], row["spot"], row["action"], row["best"])
            leak = found.setdefault(
                key, dict(zip(("rules", "spot", "action", "best"), key, strict=True)) | {"times": 0, "cost": 0.0}
            )
            leak["times"] += 1
            leak["cost"] += row["cost"]
            leak["last"] = row["when"]
    return sorted(found.values(), key=lambda leak: -leak["cost"])


def days(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Decisions, mistakes and what they gave away, by day, oldest first."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        day = found.setdefault(row["when"][:10], {"decisions": 0, "mistakes": 0, "given_away": 0.0})
        day["decisions"] += 1
        day["mistakes"] += row["cost"] > 0
        day["given_away"] += row["cost"]
    return [
        {"day": day, **found[day], "per_decision": found[day]["given_away"] / found[day]["decisions"]}
        for day in sorted(found)
    ]


def _row(line: bytes) -> dict[str, Any] | None:
    """A line of the file: that of a round has `net`, that of a decision the rest."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    is_round = "net" in row
    texts = _TEXTS[:3] if is_round else _TEXTS
    amount = row.get("net" if is_round else "cost")
    fine = all(isinstance(row.get(name), str) for name in texts) and (is_round or isinstance(row.get("number"), int))
    is_amount = isinstance(amount, int | float) and (-_MOST_UNITS if is_round else 0) <= amount <= _MOST_UNITS
    return row if fine and is_amount else None
