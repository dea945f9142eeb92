"""`holecard rules`: well-known games side by side with their exact house edge, and what single rules are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.game.wording import change_in_words, in_words
from holecard.ui.console import out, print_json, progress, say, warn_if_compiling
from holecard.ui.options import Json, Png, Threads, changed_options, with_rules
from holecard.ui.solve import refuse_dealt

if TYPE_CHECKING:
    from rich.table import Table

    from holecard.blackjack.exact import RulePrices, TableValue

YOURS = "yours"


@with_rules()
def table_rules(
    price: Annotated[
        bool, typer.Option("--price", help="What each single change of a rule costs or gains, from this table.")
    ] = False,
    png: Png = None,
    threads: Threads = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Well-known games side by side with their exact house edges; or, with --price, what every rule is worth.

    Every game is solved, play re-optimised, so that a price is exact for the table it is asked of. A table of your own,
    given by its options, stands beside the well-known ones.
    """
    from holecard.blackjack.exact import KERNELS

    refuse_dealt(rules, "rules")
    warn_if_compiling(KERNELS[0])
    if price:
        _show_prices(rules, threads, png, json)
    else:
        _show_presets(rules, threads, png, json)


def _show_prices(rules: Rules, threads: int | None, png: Path | None, json: bool) -> None:
    from holecard.blackjack.exact import price_rules

    with progress("solving a table for each rule", 100) as report:

        def show(done: int, of: int) -> None:
            if report is not None:
                report(round(100 * done / of))

        prices = price_rules(rules, threads=threads, on_progress=show)
    if png:
        from holecard.ui.figures.rules import save_prices

        save_prices(prices, png)
        say(f"wrote {png}")
    if json:
        print_json(_prices_json(prices))
    elif not png:
        out().print(_prices_table(prices))
        if prices.left_out:
            names = ", ".join(change.rule for change in prices.left_out)
            out().print(f"\nleft out, since the other rules exclude them: {names} (--json says why)")


def _prices_json(prices: RulePrices) -> dict[str, Any]:
    base = prices.table.rules
    return {
        "rules": base.as_dict(),
        "ev": prices.table.ev,
        "ev_total_dependent": prices.table.ev_total_dependent,
        "changes": [
            {
                "rule": change.rule,
                "option": _option(base, change.table.rules),
                "words": change_in_words(base, change.table.rules),
                "ev": change.table.ev,
                "difference": change.difference,
                "ev_total_dependent": change.table.ev_total_dependent,
                "difference_total_dependent": change.difference_total_dependent,
            }
            for change in prices.changes
        ],
        "left_out": [{"rule": change.rule, "reason": change.reason} for change in prices.left_out],
    }


def _option(base: Rules, changed: Rules) -> str:
    return " ".join(changed_options(base, changed))


def _prices_table(prices: RulePrices) -> Table:
    from rich.table import Table

    base = prices.table.rules
    title = f"{in_words(base)}: exact EV {prices.table.ev:+.12f}"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1))
    for heading in ("rule", "in words"):
        table.add_column(heading, no_wrap=True)
    for heading in ("EV", "gain, %", "chart, %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for change in prices.changes:
        gains = (change.difference, change.difference_total_dependent)
        words = change_in_words(base, change.table.rules)
        table.add_row(change.rule, words, f"{change.table.ev:+.6f}", *(f"{100 * gain:+.5f}" for gain in gains))
    return table


def _show_presets(rules: Rules, threads: int | None, png: Path | None, json: bool) -> None:
    tables = preset_values(rules, threads)
    if png:
        from holecard.ui.figures.rules import save_presets

        save_presets(tables, png)
        say(f"wrote {png}")
    if json:
        print_json({"presets": [_table_json(name, table) for name, table in tables.items()]})
    elif not png:
        out().print(_presets_table(tables))


def preset_values(rules: Rules, threads: int | None = None) -> dict[str, TableValue]:
    """What every preset is worth, the lowest house edge first; a table that is none of them stands among them."""
    from holecard.blackjack.exact import value_table
    from holecard.executor import in_order

    games = {name: Rules.preset(name) for name in PRESETS}
    if rules not in games.values():
        games[YOURS] = rules
    (first, table), *others = games.items()
    values = {first: value_table(table)}  # threads then find the kernels loaded
    values |= zip(
        (name for name, _ in others), in_order(value_table, (t for _, t in others), threads=threads), strict=True
    )
    return dict(sorted(values.items(), key=lambda item: -item[1].ev))


def _table_json(name: str, table: TableValue) -> dict[str, Any]:
    return {
        "name": name,
        "rules": table.rules.as_dict(),
        "words": in_words(table.rules),
        "ev": table.ev,
        "house_edge": -table.ev,
        "ev_total_dependent": table.ev_total_dependent,
    }


def _presets_table(tables: dict[str, TableValue]) -> Table:
    from rich.table import Table

    title = "well-known games, exact; house edge in % of a bet"
    shown = Table(title=title, title_justify="left", box=None, padding=(0, 1))
    shown.add_column("game", no_wrap=True)
    shown.add_column("best play", justify="right", no_wrap=True)
    shown.add_column("best chart", justify="right", no_wrap=True)
    shown.add_column("rules")
    for name, table in tables.items():
        edges = (f"{-100 * ev:.6f}" for ev in (table.ev, table.ev_total_dependent))
        shown.add_row(name, *edges, in_words(table.rules), style="bold" if name == YOURS else "")
    return shown
