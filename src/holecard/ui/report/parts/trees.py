"""Evolved programs: fitness by generation, and every program as a tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.players.programs import read_programs
from holecard.studies.race.part import PartId
from holecard.studies.race.race import RaceResults
from holecard.ui.figures.programs import evolution_figure, laid_out, tree_figure
from holecard.ui.report.commands import Commands
from holecard.ui.report.part_report import Curve, PartReport
from holecard.ui.report.picture import Picture
from holecard.ui.report.section import Section


def _command(commands: Commands) -> str:
    return commands.evolve_programs(commands.config.trees)


def _pictures(results: RaceResults, commands: Commands) -> Iterator[Picture]:
    yield _learning(results, _command(commands))
    programs = read_programs((results.path / PartId.TREES / "programs.txt").read_text(encoding="utf-8"))
    for upcard, program in zip(VALUES, programs, strict=True):
        yield Picture(
            name=f"tree-{upcard}",
            section=Section.PROGRAMS,
            title=f"Against {upcard}",
            caption=f"{len(program)} nodes",
            command=_command(commands),
            figure=tree_figure(program, f"The program against {upcard}"),
            header=("node", "name", "depth", "parent"),
            rows=[[at, node.name, node.depth, node.parent] for at, node in enumerate(laid_out(program))],
        )


def _learning(results: RaceResults, command: str) -> Picture:
    optimum, records = results.of(PartId.TREES)["verdict"]["optimum"], results.history(PartId.TREES)
    names = ("best", "exact", "mean")
    return Picture(
        name="learning-trees",
        section=Section.LEARNING,
        title="Programs",
        caption=f"Ten programs together. The best chart they could say is worth {optimum:+.5f}.",
        command=command,
        figure=evolution_figure(records, optimum, "Ten voting programs"),
        header=("generation", *names),
        rows=[[each["generation"], *(each[name] for name in names)] for each in records],
    )


REPORT: Final = PartReport(
    id=PartId.TREES,
    pictures=_pictures,
    commands=lambda commands, folder: [("evolved trees", _command(commands))],
    strategy_command=lambda commands, folder, row: commands.score(folder / PartId.TREES / "winner.txt"),
    curve=Curve(label="programs, exact values", colour="#009E73"),
)
