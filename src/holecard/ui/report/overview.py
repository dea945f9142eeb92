"""Every picture of a race: those that compare all its strategies, then those of its parts."""

from __future__ import annotations

from collections.abc import Iterator

from holecard.blackjack.game.shoe import VALUES
from holecard.studies.race.race import RaceResults
from holecard.studies.race.rows import RANDOM
from holecard.ui.figures import race
from holecard.ui.report.commands import Commands
from holecard.ui.report.learning import learning_picture
from holecard.ui.report.parts import PART_REPORTS
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def pictures_of(results: RaceResults) -> Iterator[Picture]:
    """The pictures of a race, made from its results and the records of its runs; of a section, in order."""
    commands = Commands(results.config)
    yield _cost(results, commands)
    yield from _strategies(results, commands)
    shown = {part: report for part, report in PART_REPORTS.items() if results.has(part)}
    curves = {part: report.curve for part, report in shown.items() if report.curve is not None}
    if curves:
        yield learning_picture(results, commands, curves)
    for report in shown.values():
        yield from report.pictures(results, commands)


def _cost(results: RaceResults, commands: Commands) -> Picture:
    table = results.table
    return Picture(
        name="cost",
        section=Section.COST,
        title="Regret against cost",
        caption="How much each strategy loses per round against the optimum, and how long it took to find; both axes "
        "are logarithmic. The optimum itself has no regret and is not shown. A search finds nothing beforehand: its "
        "seconds are those it thought during its rounds.",
        command=commands.race,
        figure=race.cost_figure(table),
        header=("name", "way", "seconds", "regret", "stderr", "exact"),
        rows=[[row["name"], row["way"], row["seconds"], row["regret"], row["stderr"], row["exact"]] for row in table],
    )


def _strategies(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    for row, in_table in zip(results.rows, results.table, strict=True):
        if not row.cells or row.name == RANDOM:
            continue
        error = f" ± {row.stderr:.5f}" if not row.exact else ""
        subtitle = f"EV {row.ev:+.5f}{error}, regret {in_table['regret']:.5f}"
        report = PART_REPORTS[results.part_by_row[row.name]]
        yield Picture(
            name=f"strategy-{_file_name(row.name)}",
            section=Section.STRATEGIES,
            title=row.name,
            caption="as a chart, exact" if row.exact else "what it mostly did before a split; · never came up",
            command=report.strategy_command(commands, results.path, row.name),
            figure=race.strategy_figure(row.name, row.cells, subtitle),
            header=("section", "row", "upcard", "letter", "cost"),
            rows=[
                [section, label, value, letter, cost]
                for section, lines in row.cells.items()
                for label, line in lines.items()
                for value, (letter, cost) in zip(VALUES, line, strict=True)
            ],
            narrow=True,
        )


def _file_name(name: str) -> str:
    """A row's name as a file's.

    >>> _file_name("mcts, 1,000 simulations")
    'mcts-1000-simulations'
    """
    return "-".join(name.replace(",", "").split())
