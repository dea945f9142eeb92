"""Monte Carlo tree search: regret by budget."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from holecard.blackjack.arena.judging import SESSION
from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.studies.race.rows import BASIC
from holecard.ui.figures import race
from holecard.ui.report.commands import Commands, joined
from holecard.ui.report.part_report import PartReport
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def _command(commands: Commands) -> str:
    """The largest search on common cards beside basic strategy."""
    config = commands.config
    return joined(
        f"holecard evaluate --agent mcts --simulations {config.budgets[-1]} --agent2 {BASIC} "
        f"--games {config.rounds // SESSION} --shoe fresh",
        commands.rules,
        f"--seed {config.seed}",
    )


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    table = {row["name"]: row for row in results.table}
    found = [result for part, result in results.finished if part.id == PartId.SEARCH]
    searches = [{**result, **table[result["rows"][0]["name"]]} for result in found]
    yield Picture(
        name="search",
        section=Section.SEARCH,
        title="Monte Carlo tree search by budget",
        caption=f"Every search played the same {results.config.rounds:,} rounds as basic strategy.",
        command=_command(commands),
        figure=race.search_figure(searches, table[BASIC]["regret"]),
        header=("simulations", "regret", "stderr", "judged", "judged_stderr", "decision_seconds"),
        rows=[
            [
                each["simulations"],
                each["regret"],
                each["stderr"],
                each["judged"]["value"],
                each["judged"]["stderr"],
                each["decision_seconds"],
            ]
            for each in searches
        ],
    )


REPORT: Final = PartReport(
    id=PartId.SEARCH,
    pictures=_pictures,
    commands=lambda commands, folder: (
        [("search on common cards", _command(commands))] if commands.config.budgets else []
    ),
)
