"""`holecard holdem adapt`: what a player wins by how many hands it has seen of its opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from holecard.errors import SettingError
from holecard.settings import parse_names
from holecard.ui import console
from holecard.ui.numbers import counts
from holecard.ui.options import Json, Png, Seed, Threads

if TYPE_CHECKING:
    from holecard.holdem.arena.hands_seen import LearningCurve, WonAfter


def adapt_command(
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="A champion, champion file or run.", show_default=False)
    ],
    opponents: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="Whom it plays; its preset's opponents and all that nobody trains against."),
    ] = None,
    after: Annotated[str, typer.Option(metavar="N,N,…", help="Hands seen before those that count.")] = "0,10,50,500",
    hands: Annotated[
        int, typer.Option(parser=counts(4, 10**9), metavar="N", help="Hands counted for each number.")
    ] = 10_000,
    preset: Annotated[str | None, typer.Option(help="The stakes: pokernet, paper or author; a champion's own.")] = None,
    png: Png = None,
    threads: Threads = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """How a player adapts: what it wins from each opponent with its memory cleared and after so many hands."""
    from holecard.holdem.arena.duel import rules_for
    from holecard.holdem.arena.hands_seen import learning_curve
    from holecard.holdem.players.named import player_named
    from holecard.ui.neuroevolution import prepare

    named = player_named(player)
    rules = rules_for([named], preset)
    met = [] if named.preset is None else [each.title for each in named.preset.opponents]
    others = [player_named(name) for name in (parse_names(opponents) if opponents else _everybody(met))]
    seen = [int(counts(0, 20_000)(each)) for each in parse_names(after)]
    if not seen or not others:
        raise SettingError("nothing to play: give --after a number and --opponents a name, or leave them out")
    prepare()
    curves = []
    for other in others:
        with console.progress(f"{player} against {other.name}", hands * len(seen)) as report:
            curves.append(
                learning_curve(
                    named, other, rules, after=seen, hands=hands, seed=seed, threads=threads, progress=report
                )
            )
    if png is not None:
        from holecard.ui.figures.canvas import save
        from holecard.ui.figures.hands_seen import hands_seen_figure

        save(hands_seen_figure(curves, met), png)
        console.say(f"wrote {png}")
    if as_json:
        rows = [curve.as_json() | {"met": curve.opponent in met} for curve in curves]
        console.print_json(
            {"player": player, "hands": hands, "opponents": rows, "png": None if png is None else str(png)}
        )
    else:
        _print(curves, met)


def _everybody(met: Sequence[str]) -> list[str]:
    """Those a champion was bred against, and those nobody trains against."""
    from holecard.holdem.players.rule_players import RulePlayer

    return [*met, *(player.title for player in RulePlayer if player.held_out)]


def _print(curves: Sequence[LearningCurve], met: Sequence[str]) -> None:
    """One line an opponent: mBB/hand and its share of best after each number of hands."""
    heads = ["cleared" if point.hands_seen == 0 else f"after {point.hands_seen}" for point in curves[0].points]
    typer.echo(f"{'mBB/hand, ± 95 %, of best':<30}" + "".join(f"{head:>26}" for head in heads))
    for curve in curves:
        name = curve.opponent if curve.opponent in met or not met else f"{curve.opponent} (never met)"
        typer.echo(f"{name:<30}" + "".join(f"{_cell(point):>26}" for point in curve.points))


def _cell(point: WonAfter) -> str:
    low, high = point.mbb_per_hand.interval()
    share = "" if point.of_best is None else f"  {point.of_best.mean:6.1%}"
    return f"{point.mbb_per_hand.mean:,.0f} ± {(high - low) / 2:,.0f}{share}"
