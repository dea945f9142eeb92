"""A decision of a solved spot by starting hand: the means over the pairs of hole cards that each kind stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from holecard.holdem.equilibrium.spot_solution import Decision, SolvedSpot
from holecard.holdem.equities.ranges import starting_hand_name


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReport:
    """One starting hand at one decision."""

    weight: float
    """Its share of all hands here."""
    equity: float
    """Its equity against the other's whole range at the start of the spot."""
    ev: float
    """What it wins in chips since the spot began, the pot included."""
    shares: tuple[float, ...]
    """How often each action is taken."""
    evs: tuple[float, ...]
    """What each action wins, in chips."""


def hands_of_decision(solved: SolvedSpot, decision: Decision) -> dict[str, HandReport]:
    """Every starting hand that may be held at a decision, by name, the most valuable first."""
    members: dict[str, list[int]] = {}
    for at, hole in enumerate(solved.holes):
        if decision.weights[at] > 1e-9:
            members.setdefault(starting_hand_name(hole), []).append(at)
    equities = solved.equities[decision.player]
    reports = {}
    for name, places in members.items():
        weights = decision.weights[places]
        reports[name] = HandReport(
            weight=float(weights.sum()),
            equity=float(np.average(equities[places], weights=weights)),
            ev=float(np.average(decision.ev[places], weights=weights)),
            shares=tuple(float(np.average(row[places], weights=weights)) for row in decision.shares),
            evs=tuple(float(np.average(row[places], weights=weights)) for row in decision.evs),
        )
    return dict(sorted(reports.items(), key=lambda item: -item[1].ev))


def decision_as_json(solved: SolvedSpot, decision: Decision) -> dict[str, Any]:
    """A decision as plain JSON."""
    return {
        "path": list(decision.path),
        "player": "first" if decision.player == 0 else "other",
        "chance": decision.chance,
        "actions": list(decision.actions),
        "frequencies": dict(zip(decision.actions, map(float, decision.frequencies), strict=True)),
        "hands": {
            name: {
                "weight": report.weight,
                "equity": report.equity,
                "ev": report.ev,
                "frequencies": dict(zip(decision.actions, report.shares, strict=True)),
                "evs": dict(zip(decision.actions, report.evs, strict=True)),
            }
            for name, report in hands_of_decision(solved, decision).items()
        },
    }
