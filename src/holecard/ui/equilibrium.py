"""`holecard holdem solve`: small games solved, judged by exact best responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.ui import console
from holecard.ui.figures.canvas import save
from holecard.ui.numbers import parse_count
from holecard.ui.options import Json, Png

if TYPE_CHECKING:
    from holecard.holdem.equilibrium.regret import SolvedGame


def solve_command(
    game: Annotated[str, typer.Argument(metavar="kuhn|leduc", help="The game.", show_default=False)],
    iterations: Annotated[
        int, typer.Option(parser=parse_count, metavar="N", help="Iterations of the method.")
    ] = 10_000,
    method: Annotated[str, typer.Option(metavar="cfr|cfr+|dcfr|pcfr+", help="How regrets are minimised.")] = "pcfr+",
    png: Png = None,
    as_json: Json = False,
) -> None:
    """Solve a small game by counterfactual regret minimisation; exact best responses judge it."""
    from holecard.holdem.equilibrium.best_response import respond
    from holecard.holdem.equilibrium.regret import Method, iterate, solve_tree
    from holecard.holdem.equilibrium.small_games import KNOWN_VALUES, small_game

    tree, chosen = small_game(game), Method.named(method)
    console.warn_if_compiling(iterate, respond)
    with console.progress(f"{game}, {method}", iterations) as show:
        solved = solve_tree(tree, iterations=iterations, method=chosen, progress=show)
    if png is not None:
        from holecard.ui.figures.equilibrium import convergence_figure

        title = f"{game.title()} poker by {chosen.title}"
        save(convergence_figure(solved.steps, KNOWN_VALUES[game], title), png)
        console.say(f"wrote {png}")
    if as_json:
        console.print_json(_solved_json(game, chosen.title, solved))
    else:
        _print_solved(game, chosen.title, solved)


def _solved_json(game: str, method: str, solved: SolvedGame) -> dict[str, Any]:
    from holecard.holdem.equilibrium.small_games import KNOWN_VALUES

    return {
        "game": game,
        "method": method,
        "value": solved.judged.value,
        "known_value": KNOWN_VALUES[game],
        "exploitability": solved.judged.exploitability,
        "iterations": solved.steps[-1].iterations,
        "steps": [
            {"iterations": step.iterations, "value": step.value, "exploitability": step.exploitability}
            for step in solved.steps
        ],
        "strategy": solved.tree.as_names(solved.strategy),
    }


def _print_solved(game: str, method: str, solved: SolvedGame) -> None:
    from holecard.holdem.equilibrium.small_games import KNOWN_VALUES

    tree = solved.tree
    typer.echo(f"{game}: {len(tree.arrays.parent):,} nodes, {len(tree.sets)} information sets; {method}")
    typer.echo(f"{'iterations':>12}{'value':>16}{'exploitability':>18}")
    for step in solved.steps:
        if step is solved.steps[-1] or str(step.iterations).strip("0") == "1":
            typer.echo(f"{step.iterations:>12,}{step.value:>+16.9f}{step.exploitability:>18.3e}")
    known = KNOWN_VALUES[game]
    typer.echo(f"known value {known:+.12f}; off by {solved.judged.value - known:+.1e}")
