"""What you decided at the play page, kept in a file of your own: one line a decision, and your leaks out of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.arena.watched import MISTAKE, Decision
from holecard.files import append, make_folder, read_bytes, write_file

NAME: Final = "play.jsonl"
"""The file, in the folder of runs."""
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of the file; beyond them the older half goes."""
_ONE_AT_A_TIME: Final = threading.Lock()
_TEXTS: Final = ("when", "rules", "round", "spot", "action", "best")


def note(runs: Path, rules: str, place: str, decision: Decision, number: int) -> None:
    """Add a decision; `place` names its round, `number` says which of the round it is."""
    row = {
        "when": datetime.now().astimezone().isoformat(timespec="seconds"),
        "rules": rules,
        "round": place,
        "number": number,
        "spot": decision.spot,
        "action": decision.action.word,
        "best": decision.best.word,
        "cost": decision.cost if decision.cost > MISTAKE else 0.0,
    }
    path = runs / NAME
    with _ONE_AT_A_TIME:
        make_folder(runs)
        append(path, json.dumps(row).encode() + b"\n")
        if path.stat().st_size > LARGEST:
            content = read_bytes(path)
            write_file(path, content[content.index(b"\n", len(content) // 2) + 1 :])


def decisions(runs: Path) -> list[dict[str, Any]]:
    """The decisions in the file, oldest first; one sent twice counts once, and lines of others are left out."""
    path = runs / NAME
    if not path.is_file() or path.stat().st_size > 2 * LARGEST:
        return []
    found: dict[tuple[str, str, int], dict[str, Any]] = {}
    for line in read_bytes(path).splitlines():
        row = _row(line)
        if row is not None:
            found.setdefault((row["rules"], row["round"], row["number"]), row)
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
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _TEXTS):
        return None
    cost, number = row.get("cost"), row.get("number")
    fine = isinstance(cost, int | float) and 0 <= cost <= 100 and isinstance(number, int)
    return row if fine else None
