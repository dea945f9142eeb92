"""A shipped hold'em champion: what it does, and how it adapts, as the race recorded it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from holecard.holdem.arena.adaptation import ACTIONS, Trace, principal_plane
from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.figures import neuroevolution
from holecard.ui.report.commands import Commands
from holecard.ui.report.part_report import PartReport
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    result = results.of(PartId.CHAMPION)
    player, command = result["player"], result["command"]
    traces = [Trace.from_dict(each) for each in result["traces"]]
    yield Picture(
        name="actions",
        section=Section.HOLDEM,
        title=f"What {player} does",
        caption="Shares of its actions by its chance to win, street and opponent.",
        command=command,
        figure=neuroevolution.action_figure(traces),
        header=("opponent", "street", "equity_bin", *ACTIONS),
        rows=[
            [trace.opponent, street, at / neuroevolution.EQUITY_BINS, *shares]
            for trace in traces
            for street in range(len(neuroevolution.STREETS))
            for at, shares in enumerate(neuroevolution.action_shares(trace, street).tolist())
        ],
    )
    yield Picture(
        name="adaptation",
        section=Section.HOLDEM,
        title=f"How {player} adapts",
        caption="The state of its opponent module on its two principal axes, and how far it drifts from where other "
        "opponents lead it on the same cards.",
        command=command,
        figure=neuroevolution.adaptation_figure(traces),
        header=("opponent", "hand", "first_axis", "second_axis"),
        rows=_plane(traces),
    )


def _plane(traces: Sequence[Trace]) -> list[list[Any]]:
    paths = principal_plane([trace.state for trace in traces])
    return [
        [trace.opponent, int(hand), *point]
        for trace, path in zip(traces, paths, strict=True)
        for hand, point in zip(trace.hand, path.tolist(), strict=True)
    ]


REPORT: Final = PartReport(id=PartId.CHAMPION, pictures=_pictures)
