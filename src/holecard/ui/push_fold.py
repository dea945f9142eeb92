"""`holecard holdem pushfold`: the equilibrium of push or fold as charts, numbers and thresholds."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.files import tables, write_file
from holecard.ui import console
from holecard.ui.figures.canvas import save
from holecard.ui.hand_grid import frequency_cell, grid_text, top_of
from holecard.ui.options import Json, Png, output_option

if TYPE_CHECKING:
    from holecard.holdem.equilibrium.push_fold import PushFold, PushFoldSolution
    from holecard.holdem.equilibrium.push_fold_sweep import PushFoldSweep, Span

Stack = Annotated[
    float | None,
    typer.Option(help="Each player's stack in big blinds (10; with --preset, its stack).", show_default=False),
]
Ante = Annotated[float | None, typer.Option(help="Each player's ante in big blinds (0).", show_default=False)]
Sweep = Annotated[
    str | None, typer.Option(metavar="1:20", help="Also every stack of these, a tenth apart, or LOW:HIGH:STEP.")
]
Preset = Annotated[str | None, typer.Option(help="Take blinds, ante and stack of this preset: pokernet or paper.")]
Detail = Annotated[bool, typer.Option("--detail", help="List the EVs of all 169 hands.")]
_COLUMNS = ("push", "push_ev", "push_cost", "call", "call_ev", "call_cost")
Csv = Annotated[
    Path | None,
    output_option("--csv", tables(("hand", *_COLUMNS)), "Write frequencies, EVs and costs by hand into this .csv."),
]


def pushfold_command(
    stack: Stack = None,
    ante: Ante = None,
    sweep: Sweep = None,
    preset: Preset = None,
    detail: Detail = False,
    png: Png = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Push or fold before the flop, solved exactly: both charts, the EV of every hand, what mistakes cost."""
    from holecard.holdem.equilibrium.push_fold import solve_push_fold
    from holecard.holdem.equilibrium.push_fold_sweep import parse_stacks, sweep_push_fold

    game = _game(stack, ante, preset)
    stacks = [] if sweep is None else parse_stacks(sweep)
    if stacks:
        replace(game, stack=stacks[0])  # refuses a stack that the blinds take whole
    solution = solve_push_fold(game)
    swept = None
    if stacks:
        with console.progress("stacks", len(stacks)) as show:
            swept = sweep_push_fold(game, stacks, progress=show)
    _write(solution, swept, png, csv)
    if as_json:
        console.print_json(solution_json(solution, swept))
    else:
        _print(solution, swept, detail)


def _game(stack: float | None, ante: float | None, preset: str | None) -> PushFold:
    from holecard.holdem.equilibrium.push_fold import PushFold

    given: dict[str, float] = {}
    if preset is not None:
        from holecard.holdem.players.presets import preset_named

        rules = preset_named(preset).rules
        big = rules.big_blind
        given = {"stack": rules.stack / big, "ante": rules.ante / big, "small_blind": rules.small_blind / big}
    if stack is not None:
        given["stack"] = stack
    if ante is not None:
        given["ante"] = ante
    return PushFold(**given)


def _by_name(numbers: Any) -> dict[str, float]:
    from holecard.holdem.equities.starting_hands import STARTING_HAND_NAMES

    return {name: float(number) for name, number in zip(STARTING_HAND_NAMES, numbers, strict=True)}


def _columns(solution: PushFoldSolution) -> dict[str, dict[str, float]]:
    """Every number of every hand, by column."""
    return {name: _by_name(getattr(solution, name)) for name in _COLUMNS}


def solution_json(solution: PushFoldSolution, swept: PushFoldSweep | None) -> dict[str, Any]:
    """What `--json` prints."""
    game = solution.game
    shown: dict[str, Any] = {
        "stack": game.stack,
        "ante": game.ante,
        "small_blind": game.small_blind,
        "value": solution.value,
        "exploitability": solution.exploitability,
        "fold_ev": solution.fold_ev,
        "fold_to_push_ev": solution.fold_to_push_ev,
    } | _columns(solution)
    if swept is not None:
        shown["sweep"] = {
            "stacks": swept.stacks.tolist(),
            "values": [each.value for each in swept.solutions],
            "exploitability": max(each.exploitability for each in swept.solutions),
            "push": swept.push_spans(),
            "call": swept.call_spans(),
        }
    return shown


def _print(solution: PushFoldSolution, swept: PushFoldSweep | None, detail: bool) -> None:
    columns = _columns(solution)
    typer.echo(f"push or fold, {solution.game.in_words}")
    typer.echo(f"  the small blind wins {solution.value:+.6f} big blinds a hand")
    typer.echo(f"  exploitability {solution.exploitability:.1e} big blinds a hand")
    for key, title in (("push", "the small blind pushes"), ("call", "the big blind calls a push with")):
        chart = columns[key]
        typer.echo(f"\n{title} {share_of_hands(chart):.1%} of hands")
        typer.echo(grid_text(lambda name, chart=chart: frequency_cell(name, chart[name])))  # type: ignore[misc]
        mixed = [f"{name} {chart[name]:.1%}" for name in chart if 0.0005 <= chart[name] <= 0.9995]
        if mixed:
            typer.echo(f"~ mixed: {', '.join(mixed)}")
    if detail:
        _print_hands(columns)
    if swept is not None:
        _print_sweep(swept)


def share_of_hands(chart: dict[str, float]) -> float:
    """The share of all 1,326 pairs of hole cards."""
    from holecard.holdem.equities.starting_hands import combinations

    return sum(combinations() * list(chart.values())) / 1326


def _print_hands(columns: dict[str, dict[str, float]]) -> None:
    typer.echo(f"\n{'hand':<6}{'push':>8}{'EV':>10}{'wrong':>10}{'call':>10}{'EV':>10}{'wrong':>10}   big blinds")
    for name in sorted(columns["push"], key=lambda name: -columns["push_ev"][name]):
        push, push_ev, push_cost, call, call_ev, call_cost = (column[name] for column in columns.values())
        typer.echo(
            f"{name:<6}{push:>8.1%}{push_ev:>+10.4f}{push_cost:>10.4f}{call:>10.1%}{call_ev:>+10.4f}{call_cost:>10.4f}"
        )


def _print_sweep(swept: PushFoldSweep) -> None:
    low, high = swept.stacks[0], swept.stacks[-1]
    worst = max(each.exploitability for each in swept.solutions)
    typer.echo(f"\n{len(swept.stacks)} stacks from {low:g} to {high:g}, exploitability at most {worst:.1e}")
    for spans, title in ((swept.push_spans(), "a push up to"), (swept.call_spans(), "a call up to")):
        typer.echo(f"\n{title} (big blinds)")
        typer.echo(grid_text(lambda name, spans=spans: top_of(spans[name], high), width=6))  # type: ignore[misc]
        gaps = [f"{name} {spans_text(found)}" for name, found in spans.items() if len(found) > 1]
        if gaps:
            typer.echo(f"with gaps: {'; '.join(gaps)}")


def spans_text(spans: list[Span]) -> str:
    """Spans in words.

    >>> spans_text([(1.0, 2.3), (5.1, 7.1)])
    '1–2.3, 5.1–7.1'
    """
    return ", ".join(f"{low:g}–{high:g}" for low, high in spans)


def _write(solution: PushFoldSolution, swept: PushFoldSweep | None, png: Path | None, table: Path | None) -> None:
    if png is not None:
        from holecard.ui.figures.push_fold import push_fold_figure, sweep_figure

        save(push_fold_figure(solution) if swept is None else sweep_figure(swept), png)
    if table is not None:
        write_file(table, _csv(solution, swept))
    for path in (png, table):
        if path is not None:
            console.say(f"wrote {path}")


def _csv(solution: PushFoldSolution, swept: PushFoldSweep | None) -> str:
    columns = _columns(solution)
    lines = StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(["hand", *columns, *(["push_stacks", "call_stacks"] if swept else [])])
    pushes, calls = (swept.push_spans(), swept.call_spans()) if swept else ({}, {})
    for name in columns["push"]:
        spans = [spans_text(pushes[name]), spans_text(calls[name])] if swept else []
        writer.writerow([name, *(column[name] for column in columns.values()), *spans])
    return lines.getvalue()
