"""Where runs go when nobody says where."""

from __future__ import annotations

from pathlib import Path


def first_free(name: str, below: Path = Path("runs")) -> Path:
    """The first folder of that name that does not exist yet: runs/NAME, runs/NAME-2, …"""
    path, number = below / name, 1
    while path.exists():
        number += 1
        path = below / f"{name}-{number}"
    return path
