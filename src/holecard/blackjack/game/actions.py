"""What a player may do."""

from __future__ import annotations

from enum import IntEnum


class Action(IntEnum):
    """What a player may do. The first four are seed 003's action indices."""

    HIT = 0
    STAND = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    INSURE = 5
    DECLINE = 6
