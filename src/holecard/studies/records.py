"""What evolutions record of a generation, so that whoever reads it later knows what is there, or is told it is not."""

from __future__ import annotations

from typing import Any, Final

from holecard.errors import FileProblem
from holecard.evolve.history import MAYBE_NUMBER, NUMBER, History

_OPPONENT: Final = {
    "earnings": MAYBE_NUMBER,  # of the best, in buy-ins
    "mean_earnings": MAYBE_NUMBER,
    "won": int,  # sessions of everybody
    "lost": int,
    "tied?": int,  # absent before 0.2
}
_CURVES: Final = ("best", "mean", "median", "worst", "exact", "exact_consensus")
GENETIC: Final = {
    "generation": int,
    **dict.fromkeys(_CURVES, NUMBER),
    "consensus": {"letters": str, "percent": [NUMBER]},
}
"""A record of `studies.genetic`."""
COUNTER: Final = {
    "generation": int,
    **dict.fromkeys(
        ("best", "mean", "median", "worst", "expected", "expected_consensus", "play_ev", "correlation"), NUMBER
    ),
    "tags": [int],
    "bets": [int],
    "mean_tags": [NUMBER],
    "mean_bets": [NUMBER],
    "consensus": {"letters": str, "percent": [NUMBER]},
}
"""A record of `studies.counter`."""
PROGRAMS: Final = {"generation": int, **dict.fromkeys(("best", "mean", "exact"), NUMBER)}
"""A record of `studies.programs`."""
NEUROEVOLUTION: Final = {
    "generation": int,
    "best": NUMBER,
    "mean": NUMBER,
    "median": NUMBER,
    "worst": NUMBER,
    "elites?": int,
    "second_tier?": int,
    "hands": int,
    "opponents": {"*": _OPPONENT},
    "style": {
        **dict.fromkeys(("vpip", "pfr", "af", "wsd", "wsdw"), MAYBE_NUMBER),
        "bets?": int,  # after the flop, raises among them; absent before 0.2
        "calls?": int,
    },
    "shares": {"*": MAYBE_NUMBER},
    "styles": [[MAYBE_NUMBER, MAYBE_NUMBER]],  # everybody's VPIP, AF and, from 0.2 on, bets among bets and calls
}
"""A record of `studies.neuroevolution`. JSON knows no infinity: an AF without a call is None, and `bets` says so."""


def neuroevolution_records(history: History) -> list[dict[str, Any]]:
    """A run's records, checked: of their shape, and all against the same opponents."""
    records = history.records(NEUROEVOLUTION)
    for number, record in enumerate(records, 1):
        if not record["opponents"] or record["opponents"].keys() != records[0]["opponents"].keys():
            raise FileProblem(f"{history.path} is damaged: in line {number} the opponents are others")
    return records
