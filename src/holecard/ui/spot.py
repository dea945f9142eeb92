"""`holecard holdem spot`: a turn or river spot solved range against range."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.ui import console
from holecard.ui.figures.canvas import save
from holecard.ui.hand_grid import grid_text
from holecard.ui.numbers import counts, parse_count
from holecard.ui.options import Json, Png

if TYPE_CHECKING:
    from holecard.holdem.equilibrium.spot_solution import Decision, SolvedSpot

Board = Annotated[str, typer.Option(help="The board: 4 cards (turn) or 5 (river), such as Ks9s7h3d2c.")]
First = Annotated[str, typer.Option("--range", help='What the first player may hold: "QQ+,AKs:0.5", random.')]
Other = Annotated[str, typer.Option("--against", help="What the player in position may hold.")]
Pot = Annotated[float, typer.Option(help="Chips in the middle.")]
Stack = Annotated[float, typer.Option(help="Chips each player has left.")]
Bets = Annotated[str, typer.Option(help="Bets and raises in pots, such as 1/3,0.75,all-in; none.")]
Raises = Annotated[int, typer.Option(parser=counts(0, 6), metavar="0..6", help="Bets and raises on a street, at most.")]
Accuracy = Annotated[float, typer.Option(help="Stop at this exploitability, in % of the pot.", metavar="PERCENT")]
Iterations = Annotated[int, typer.Option(parser=parse_count, metavar="N", help="Iterations at most.")]
Detail = Annotated[bool, typer.Option("--detail", help="List every hand of the first decisions.")]


def spot_command(
    board: Board,
    first: First,
    against: Other,
    pot: Pot,
    stack: Stack,
    bets: Bets = "1/2,1,all-in",
    raises: Raises = 3,
    accuracy: Accuracy = 0.1,
    iterations: Iterations = 10_000,
    detail: Detail = False,
    png: Png = None,
    as_json: Json = False,
) -> None:
    """Solve a turn or river spot, range against range: frequencies, EVs, equities, and its exploitability."""
    from holecard.cards import parse_cards
    from holecard.errors import SettingError
    from holecard.holdem.equilibrium.spot import Spot, parse_bets, parse_weights
    from holecard.holdem.equilibrium.spot_kernels import walk
    from holecard.holdem.equilibrium.spot_solution import solve_spot

    spot = Spot(
        board=tuple(parse_cards(board)),
        first=parse_weights(first),
        other=parse_weights(against),
        pot=pot,
        stack=stack,
        bets=parse_bets(bets),
        raises=raises,
    )
    if not 0 <= accuracy <= 100:
        raise SettingError(f"--accuracy is 0 to 100 % of the pot; got {accuracy:g}")
    console.warn_if_compiling(walk)
    start = time.perf_counter()
    with console.progress("spot", 1000) as show:
        solved = solve_spot(spot, accuracy=accuracy / 100, iterations=iterations, progress=_shown(show, accuracy))
    seconds = time.perf_counter() - start
    if solved.exploitability > accuracy / 100 * pot and solved.iterations < iterations:
        console.say(f"interrupted after {solved.iterations:,} iterations")
    if png is not None:
        from holecard.ui.figures.spot import spot_figure

        save(spot_figure(solved), png)
        console.say(f"wrote {png}")
    if as_json:
        console.print_json(_as_json(solved, seconds))
    else:
        _print(solved, seconds, detail)


def _shown(show: console.Report | None, accuracy: float) -> Any:
    """A bar that fills as the exploitability falls from all of the pot to the accuracy, on a logarithmic scale."""
    from math import log

    least = max(accuracy / 100, 1e-9)

    def report(share: float) -> None:
        if show is not None:
            show(round(1000 * min(1.0, log(max(share, least)) / log(least) if least < 1 else 1.0)))

    return report


def _as_json(solved: SolvedSpot, seconds: float) -> dict[str, Any]:
    from holecard.cards import cards_text
    from holecard.holdem.equilibrium.spot import bets_text
    from holecard.holdem.equilibrium.spot_report import decision_as_json

    spot = solved.spot
    return {
        "board": cards_text(spot.board),
        "pot": spot.pot,
        "stack": spot.stack,
        "bets": bets_text(spot.bets),
        "value": solved.value,
        "equity": _equity(solved),
        "exploitability": solved.exploitability,
        "exploitability_percent": 100 * solved.exploitability / spot.pot,
        "iterations": solved.iterations,
        "seconds": seconds,
        "decisions": [decision_as_json(solved, decision) for decision in solved.decisions],
    }


def _equity(solved: SolvedSpot) -> float:
    """The first player's equity over its whole range."""
    weights, equities = solved.decisions[0].weights, solved.equities[0]
    return float(sum(weight * each for weight, each in zip(weights, equities, strict=True) if weight > 0))


def _print(solved: SolvedSpot, seconds: float, detail: bool) -> None:
    from holecard.cards import cards_text
    from holecard.holdem.equilibrium.spot import bets_text

    spot = solved.spot
    percent = 100 * solved.exploitability / spot.pot
    typer.echo(f"{cards_text(spot.board)}, pot {spot.pot:g}, stacks {spot.stack:g}, bets {bets_text(spot.bets)}")
    typer.echo(f"  the first player wins {solved.value:.3f} chips on average; its equity is {_equity(solved):.2%}")
    typer.echo(
        f"  exploitability {solved.exploitability:.4f} chips, {percent:.4f} % of the pot "
        f"({solved.iterations} iterations, {seconds:.1f} s)"
    )
    for decision in solved.decisions:
        shares = ", ".join(
            f"{action} {share:.1%}" for action, share in zip(decision.actions, decision.frequencies, strict=True)
        )
        typer.echo(f"  {_place(decision):<44} {decision.chance:>6.1%}  {shares}")
    for decision in solved.decisions:
        if decision.path in ((), ("check",)):
            _print_grid(solved, decision)
            if detail:
                _print_hands(solved, decision)


def _place(decision: Decision) -> str:
    who = "first" if decision.player == 0 else "other"
    return f"{who}: {', '.join(decision.path) or 'to begin'}"


def _print_grid(solved: SolvedSpot, decision: Decision) -> None:
    from holecard.holdem.equilibrium.spot_report import hands_of_decision

    reports = hands_of_decision(solved, decision)
    typer.echo(f"\n{_place(decision)}; how often each hand bets, in %")

    def cell(name: str) -> str:
        return f"{name} {100 * (1 - reports[name].shares[0]):.0f}" if name in reports else "·"

    typer.echo(grid_text(cell, width=8))


def _print_hands(solved: SolvedSpot, decision: Decision) -> None:
    from holecard.holdem.equilibrium.spot_report import hands_of_decision

    widths = [max(len(action) + 2, 9) for action in decision.actions]
    heads = "".join(f"{action:>{width}}" for action, width in zip(decision.actions, widths, strict=True))
    typer.echo(f"\n{'hand':<6}{'weight':>8}{'equity':>8}{'EV':>9}{heads}")
    for name, report in hands_of_decision(solved, decision).items():
        shares = "".join(f"{share:>{width}.1%}" for share, width in zip(report.shares, widths, strict=True))
        typer.echo(f"{name:<6}{report.weight:>8.2%}{report.equity:>8.1%}{report.ev:>9.2f}{shares}")
