"""`holecard evolve counter`: card counters of 294 bits by evolution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.studies.counter_config import GAME, PRESETS, CounterConfig
from holecard.ui.console import out, print_json, resuming, saying_how_to_go_on
from holecard.ui.evolve import carried_out
from holecard.ui.options import with_rules
from holecard.ui.running import Running, with_running
from holecard.ui.signature import with_settings

if TYPE_CHECKING:
    from holecard.studies.counter import CounterOutcome


@with_rules(default=GAME)
@with_running()
@with_settings(CounterConfig, presets=PRESETS)
def counter(
    context: typer.Context,
    preset: Annotated[str, typer.Option(metavar="|".join(PRESETS), help="Where the settings start.")] = "classic",
    *,
    settings: dict[str, Any],
    running: Running,
    rules: Rules,
) -> None:
    """Evolve a card counter of 294 bits: how to play, how to count, how to bet.

    The fittest has the most units left after a session (classic), or may expect to (tuned). The rules are six decks,
    S17, shuffled where 78 cards or fewer are left, unless you say otherwise; counters hit or stand.
    """
    from holecard.studies.counter import run
    from holecard.ui.figures.counter import draw_counter

    running.check(context)
    config = None if running.resume else CounterConfig.preset(preset, rules, **settings)
    folder = running.folder(f"counter-{preset}-{settings.get('seed', 0)}")
    with saying_how_to_go_on(resuming("evolve counter", folder), folder):
        outcome, seconds = carried_out(run, config, CounterConfig, folder, running)
        if running.figures:
            draw_counter(outcome)
    _report(outcome, seconds, running.json)


def _report(outcome: CounterOutcome, seconds: float, as_json: bool) -> None:
    verdict, winner, best = outcome.verdict, outcome.winner, outcome.best
    if as_json:
        summary = {
            "out": str(outcome.run.path),
            "generations": outcome.generations,
            "best": verdict.expected,
            "seconds": seconds,
        }
        counters = {
            "tags": _tags(winner.tags),
            "bets": list(winner.bets),
            "best_tags": _tags(best.tags),
            "best_bets": list(best.bets),
        }
        print_json({**summary, **verdict.as_dict(), **counters})
        return
    from rich.table import Table

    title = f"{outcome.run.path}: {outcome.generations} generations; units left of {outcome.config.bankroll:,}"
    table = Table(title=title, title_justify="left", show_header=False, box=None)
    table.add_column(justify="left", no_wrap=True)
    table.add_column(justify="left", no_wrap=True)
    fresh = verdict.fresh
    for row in (
        ("winner, as observed", f"{verdict.observed:,.1f}"),
        ("winner, expected", f"{verdict.expected:,.1f}"),
        ("winner, in fresh sessions", f"{fresh.mean:,.1f} ± {fresh.stderr:.1f} (n={fresh.n:,})"),
        ("deviation of one session", f"{verdict.deviation:,.1f}"),
        ("winner's curse", f"{verdict.gap:+,.1f}"),
        ("consensus, expected", f"{verdict.consensus:,.1f}"),
        ("best chart, one unit always", f"{verdict.flat:,.1f}"),
        ("best counter that is known", f"{verdict.optimum:,.1f}"),
        ("EV of a bet, exactly", f"{verdict.play_ev:+.6f} (the best chart {verdict.best_play_ev:+.6f})"),
        ("tags A 2 … 10", f"{_row(winner.tags)} (betting correlation {verdict.correlation:.3f})"),
        ("best counter's tags", _row(best.tags)),
        ("bets", f"{_bets(winner.bets)} (the best counter {_bets(best.bets)})"),
        ("time", f"{seconds:.1f} s"),
    ):
        table.add_row(*row)
    out().print(table)


def _tags(tags: tuple[int, ...]) -> dict[str, int]:
    from holecard.blackjack.game.shoe import VALUES

    return dict(zip(VALUES, tags, strict=True))


def _row(tags: tuple[int, ...]) -> str:
    return " ".join(f"{tag:+d}" if tag else "0" for tag in tags)


def _bets(bets: tuple[int, ...]) -> str:
    return " ".join(str(units) for units in bets)
