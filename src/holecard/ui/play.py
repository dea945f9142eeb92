"""`holecard simulate` and `holecard chart`: play a strategy, print a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, overload

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.ui.console import out, print_json, progress, say, warn_of_compiling
from holecard.ui.numbers import parse_count
from holecard.ui.options import Cluster, Count, Device, Json, Png, Seed, Threads, refuse_both, rules_words, with_rules
from holecard.ui.runs import rules_of_run

if TYPE_CHECKING:
    from rich.table import Table

    from holecard.blackjack.play.result import Simulation
    from holecard.blackjack.strategy.strategy import Strategy
    from holecard.estimate import Estimate

StrategyName = Annotated[
    str,
    typer.Argument(
        metavar="STRATEGY", help="basic, aggressive, mimic-dealer, never-bust, random; a chart file or a run."
    ),
]


@overload
def found_strategy(name: str, rules: Rules) -> Strategy: ...
@overload
def found_strategy(name: str, rules: Rules, *, or_agent: bool) -> Strategy | None: ...
def found_strategy(name: str, rules: Rules, *, or_agent: bool = False) -> Strategy | None:
    """The strategy of a name; None for an agent without a chart, where one will do.

    Whoever plays a run's winner by other rules than it evolved for is told so.
    """
    from holecard.blackjack.players.finding import find_strategy, strategy_if_any

    strategy = (strategy_if_any if or_agent else find_strategy)(name, rules)
    own = rules_of_run(Path(name))
    if own is not None and own != rules:
        say(f"{name} evolved for another game; in its own: {rules_words(own) or '--rules casino'}")
    return strategy


@with_rules()
def simulate(
    strategy: StrategyName,
    rounds: Count = 10_000_000,
    seed: Seed = 0,
    threads: Threads = None,
    device: Device = "auto",
    cluster: Cluster = None,
    bankroll: Annotated[
        float | None, typer.Option(help="Start every trip with so many base bets and report the risk of ruin.")
    ] = None,
    trip: Annotated[
        int, typer.Option(parser=parse_count, metavar="N", help="Rounds to a trip, with --bankroll.")
    ] = 1000,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Play a strategy for many rounds: EV ± standard error, win, push and lose shares, speed.

    Each round starts from a fresh shoe unless --shoe dealt. Ctrl-C reports the rounds played so far.
    """
    from holecard.blackjack.play import simulate as engine
    from holecard.cluster import connected

    table = found_strategy(strategy, rules)
    refuse_both(cluster, device)
    warn_of_compiling(engine.will_compile(rules, rounds, bankroll=bankroll, device="cpu" if cluster else device))
    with connected(cluster) as executor, progress("playing", rounds) as report:
        result = engine.simulate(
            table,
            rules,
            rounds,
            seed=seed,
            threads=threads,
            bankroll=bankroll,
            trip=trip,
            progress=report,
            executor=executor,
            device=device,
        )
    if not result.complete:
        say(f"interrupted: {result.rounds:,} of {rounds:,} rounds")
    if json:
        print_json(_as_json(result, strategy, rules, seed))
    else:
        out().print(_as_table(result, f"{strategy}, {in_words(rules)}, seed {seed}"))


def _as_json(result: Simulation, strategy: str, rules: Rules, seed: int) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "strategy": strategy,
        "rules": rules.as_dict(),
        "seed": seed,
        "ev": result.ev.mean,
        "stderr": result.ev.stderr if result.rounds > 1 else None,
        "rounds": result.rounds,
        "rounds_per_second": result.rounds_per_second,
        "outcomes": {"win": result.win.mean, "push": result.push.mean, "lose": result.lose.mean},
        "fitness": result.fitness.mean,
        "natural": result.natural.mean,
        "bust": result.bust.mean,
        "stdev": result.stdev.mean,
        "seconds": result.seconds,
        "complete": result.complete,
    }
    if result.ruin is not None:
        plain["ruin"] = result.ruin.as_json(count="trips")
        plain["long_run_ruin"] = result.long_run_ruin.mean if result.long_run_ruin else None
    return plain


def _as_table(result: Simulation, title: str) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    table.add_row("EV per bet", f"{result.ev.mean:+.6f} ± {result.ev.stderr:.6f}")
    table.add_row("house edge", f"{-100 * result.ev.mean:.4f} ± {100 * result.ev.stderr:.4f} %")
    table.add_row("win / push / lose", " / ".join(_percent(share) for share in (result.win, result.push, result.lose)))
    table.add_row("win + ½ push", f"{result.fitness.mean:.6f} ± {result.fitness.stderr:.6f}")
    table.add_row("naturals, busts", f"{_percent(result.natural)}, {_percent(result.bust)}")
    table.add_row("standard deviation", f"{result.stdev.mean:.4f} ± {result.stdev.stderr:.4f} bets a round")
    if result.ruin is not None and result.long_run_ruin is not None:
        table.add_row("risk of ruin", f"{result.ruin.mean:.4f} ± {result.ruin.stderr:.4f} ({result.ruin.n:,} trips)")
        table.add_row("ruin in the long run", f"{result.long_run_ruin.mean:.4f} ± {result.long_run_ruin.stderr:.4f}")
    table.add_row("rounds", f"{result.rounds:,}")
    table.add_row("speed", f"{result.rounds_per_second / 1e6:.2f} M rounds/s")
    return table


def _percent(share: Estimate) -> str:
    return f"{100 * share.mean:.3f} ± {100 * share.stderr:.3f} %"


@with_rules()
def chart(
    strategy: Annotated[
        str, typer.Argument(metavar="[STRATEGY]", help="basic (default), aggressive, …; a chart file or a run.")
    ] = "basic",
    png: Png = None,
    text: Annotated[
        bool, typer.Option("--text", help="Print the chart as plain chart text, to edit and play.")
    ] = False,
    *,
    rules: Rules,
) -> None:
    """Print a strategy chart in colour, as text, or as a picture."""
    from holecard.blackjack.players.finding import find_strategy
    from holecard.blackjack.strategy.charts import write_chart

    table = find_strategy(strategy, rules)
    title = f"{strategy}, {in_words(rules)}"
    if png:
        from holecard.ui.figures.chart import save_chart

        save_chart(table, title, png)
        say(f"wrote {png}")
    if text:
        print(write_chart(table), end="")
    elif not png:
        from holecard.ui.chart_view import chart_view

        out().print(chart_view(table, title))
