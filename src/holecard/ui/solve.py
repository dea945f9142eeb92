"""`holecard solve` and `holecard score`: the exact optimum of a table, and how far a strategy is from it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.blackjack.players.options import AgentOptions
from holecard.errors import HolecardError
from holecard.files import tables, write_file
from holecard.ui.console import out, print_json, say, warn_if_compiling
from holecard.ui.judged import PANEL, Judging, judged
from holecard.ui.numbers import counts
from holecard.ui.options import Json, Png, output_option, with_agent_options, with_rules
from holecard.ui.play import StrategyName, found_strategy
from holecard.ui.signature import with_settings

if TYPE_CHECKING:
    from rich.table import Table

    from holecard.blackjack.exact import Outcomes, Score, Solution

SHOWN_EXCEPTIONS = 20
_ACTIONS = ("stand", "hit", "double", "split", "surrender")
_COLUMNS = ("hand", "upcard", *_ACTIONS)


@with_rules()
def solve(
    split_play: Annotated[
        str,
        typer.Option(
            metavar="zero-memory|pair-aware|pair-count|perfect",
            help="What the player remembers after a split; perfect: every card, both hands of one split played "
            "jointly (--max-hands 2, no --removal).",
        ),
    ] = "zero-memory",
    hand: Annotated[str | None, typer.Option(metavar="T,6", help="All action EVs of one hand; needs --upcard.")] = None,
    upcard: Annotated[str | None, typer.Option(metavar="10", help="The dealer's card, with --hand.")] = None,
    detail: Annotated[
        str | None,
        typer.Option(metavar="composition|total", help="List every two-card hand; total: --png draws the best chart."),
    ] = None,
    removal: Annotated[bool, typer.Option("--removal", help="Effects of removal of every rank.")] = False,
    png: Png = None,
    csv: Annotated[
        Path | None, output_option("--csv", tables(_COLUMNS), "Write every two-card hand's EVs into this .csv.")
    ] = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Solve a table exactly: the best play of every hand, its EV, the best chart, and where the two differ."""
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.exact import solve as solve_game
    from holecard.blackjack.exact.first_use import compiling_beside

    refuse_dealt(rules, "solve")
    _check_request(hand, upcard, detail)
    with compiling_beside(warn_if_compiling(*KERNELS)):
        solution = solve_game(rules, split_play=split_play)  # type: ignore[arg-type]
        result = _as_json(solution)
    if hand is not None and upcard is not None:
        result["hands"] = [{"hand": hand, "upcard": upcard, "ev": solution.evs_of(hand, upcard)}]
        result["dealer"] = solution.dealer(upcard, hand)  # with `natural` where that is not ruled out yet
    elif detail == "composition":
        result["hands"] = solution.hands
    if removal:
        result["removal"] = _removal(rules, solution)
    _write_files(solution, detail, png, csv)
    if json:
        print_json(result)
    elif not png and not csv:
        _print(solution, result, hand is not None)


def refuse_dealt(rules: Rules, command: str) -> None:
    """Exact values are those of a fresh shoe; dealing it down shifts them by the cut-card effect."""
    if rules.shoe == "dealt":
        raise HolecardError(
            f"{command} is exact for a fresh shoe each round; drop --shoe dealt, or play it: "
            "holecard simulate STRATEGY --shoe dealt"
        )


def _check_request(hand: str | None, upcard: str | None, detail: str | None) -> None:
    if (hand is None) != (upcard is None):
        raise HolecardError("--hand and --upcard go together, such as --hand T,6 --upcard 10")
    if detail not in (None, "composition", "total"):
        raise HolecardError(f"--detail must be composition or total; got {detail!r}")


def _as_json(solution: Solution) -> dict[str, Any]:
    outcomes = solution.outcomes
    return {
        "rules": solution.rules.as_dict(),
        "ev": solution.ev,
        "house_edge": solution.house_edge,
        "outcomes": {"win": outcomes.win, "push": outcomes.push, "lose": outcomes.lose},
        "outcomes_error": outcomes.error,
        "ev_total_dependent": solution.ev_total_dependent,
        "chart": {section: dict(rows) for section, rows in solution.chart.items()},
        "insurance_ev": solution.insurance_ev,
        "stdev": solution.stdev,
        "split_play": solution.split_play,
        "exceptions": [str(departure) for departure in solution.exceptions()],
        "seconds": solution.seconds,
    }


def _removal(rules: Rules, solution: Solution) -> dict[str, Any]:
    from holecard.blackjack.exact import effects_of_removal

    effects = effects_of_removal(rules, split_play=solution.split_play)
    return {"base_ev": effects.base_ev, "fixed": dict(effects.fixed), "reoptimised": dict(effects.reoptimised)}


def _write_files(solution: Solution, detail: str | None, png: Path | None, table: Path | None) -> None:
    if png and detail != "total":
        from holecard.ui.figures.hands import save_hands

        save_hands(solution, png)
    elif png:
        from holecard.ui.figures.chart import save_chart

        save_chart(
            solution.strategy(),
            f"best chart by total, {in_words(solution.rules)}: EV {solution.ev_total_dependent:+.6f}",
            png,
        )
    if table:
        _write_csv(solution, table)
    for path in (png, table):
        if path:
            say(f"wrote {path}")


def _write_csv(solution: Solution, path: Path) -> None:
    write_file(path, hands_csv(solution))


def hands_csv(solution: Solution) -> str:
    """Every two-card hand with the EV of each action, as CSV."""
    lines = io.StringIO(newline="")
    writer = csv.writer(lines)
    writer.writerow(_COLUMNS)
    for row in solution.hands:
        writer.writerow([row["hand"], row["upcard"], *(row["ev"].get(action) for action in _ACTIONS)])
    return lines.getvalue()


def _print(solution: Solution, result: dict[str, Any], one_hand: bool) -> None:
    from holecard.ui.chart_view import chart_view

    console = out()
    if one_hand:
        console.print(_hand_table(result))
        return
    console.print(_summary(solution))
    console.print(chart_view(solution.strategy(), "the best chart by total"))
    exceptions = result["exceptions"]
    if exceptions:
        console.print("\nwhere the cards of a hand change that, costliest first:", style="bold")
        for line in exceptions[:SHOWN_EXCEPTIONS]:
            console.print(f"  {line}")
        if len(exceptions) > SHOWN_EXCEPTIONS:
            console.print(f"  … and {len(exceptions) - SHOWN_EXCEPTIONS} more (--json lists all)")
    if "hands" in result:
        console.print(_hands_table(result["hands"]))
    if "removal" in result:
        console.print(_removal_table(result["removal"]))


def _summary(solution: Solution) -> Table:
    from rich.table import Table

    outcomes = solution.outcomes
    title = f"{in_words(solution.rules)}: exact"
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    table.add_row("EV per bet, best play", f"{solution.ev:+.12f}")
    table.add_row("EV of the best chart", f"{solution.ev_total_dependent:+.12f}")
    table.add_row("house edge", f"{100 * solution.house_edge:.6f} %")
    table.add_row("win / push / lose", _shares(outcomes))
    table.add_row("standard deviation", f"{solution.stdev:.6f} bets a round")
    table.add_row("insurance", f"{solution.insurance_ev:+.6f} per unit insured")
    table.add_row("split hands", f"{solution.split_play}, solved in {1000 * solution.seconds:.0f} ms")
    return table


def _shares(outcomes: Outcomes) -> str:
    """Wins, pushes and losses, and how far off they can be where three and four hands are put together from pairs."""
    shares = f"{100 * outcomes.win:.5f} / {100 * outcomes.push:.5f} / {100 * outcomes.lose:.5f} %"
    error = outcomes.error
    return f"{shares}, off by {100 * error:.3f} at most" if error > 0.0 else shares


def _hand_table(result: dict[str, Any]) -> Table:
    from rich.table import Table

    (row,) = result["hands"]
    best = max(row["ev"].values())
    counted = "the dealer's natural is counted" if "natural" in result["dealer"] else "given no dealer's natural"
    table = Table(title=f"{row['hand']} against {row['upcard']}", title_justify="left", box=None, padding=(0, 2))
    table.caption, table.caption_justify = f"EVs per initial bet, {counted}", "left"
    for heading in ("action", "EV", "dealer ends with", "probability"):
        table.add_column(heading, justify="left" if heading in ("action", "dealer ends with") else "right")
    evs, ends = list(row["ev"].items()), list(result["dealer"].items())
    for at in range(max(len(evs), len(ends))):
        action = (
            [evs[at][0] + (" ←" if evs[at][1] == best else ""), f"{evs[at][1]:+.12f}"] if at < len(evs) else ["", ""]
        )
        end = [ends[at][0], f"{ends[at][1]:.12f}"] if at < len(ends) else ["", ""]
        table.add_row(*action, *end)
    return table


def _hands_table(hands: list[dict[str, Any]]) -> Table:
    from rich.table import Table

    actions = [action for action in _ACTIONS if any(row["ev"].get(action) is not None for row in hands)]
    title = "every two-card hand, the best action marked *; EVs given no dealer's natural once he has looked"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1))
    for heading in ("hand", "upcard", *actions):
        table.add_column(heading, justify="right")
    for row in hands:
        known = {action: ev for action, ev in row["ev"].items() if ev is not None}
        best = max(known.values(), default=None)
        shown = (
            f"{known[each]:+.6f}{'*' if known[each] == best else ' '}" if each in known else "" for each in actions
        )
        table.add_row(row["hand"], row["upcard"], *shown)
    return table


def _removal_table(removal: dict[str, Any]) -> Table:
    from rich.table import Table

    table = Table(title="effects of removal, in % of a bet", title_justify="left", box=None, padding=(0, 2))
    for heading in ("card", "play kept", "play re-optimised"):
        table.add_column(heading, justify="right")
    for value, fixed in removal["fixed"].items():
        best = removal["reoptimised"][value]
        table.add_row(value, *(f"{100 * (ev - removal['base_ev']):+.4f}" for ev in (fixed, best)))
    return table


@with_rules()
@with_agent_options()
@with_settings(Judging, parameter="judging", build=lambda chosen: Judging(**chosen), panel=PANEL)
def score(
    strategy: StrategyName,
    leaks: Annotated[
        int, typer.Option(metavar="N", parser=counts(0), help="How many leaks to show, costliest first.")
    ] = 10,
    json: Json = False,
    *,
    judging: Judging,
    options: AgentOptions,
    rules: Rules,
) -> None:
    """Score a strategy exactly: its EV, its regret against the optimum, and its leaks, costliest first.

    A leak is a cell of the chart: how often it comes up, what it plays, what is best there, and what that costs per
    round. All leaks together are the regret. An agent that follows no chart (mcts, dnn, exact, module:Class) plays
    --rounds rounds, and its EV has an error.
    """
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.exact import score as score_chart

    refuse_dealt(rules, "score")
    chart = found_strategy(strategy, rules, or_agent=True)
    warn_if_compiling(*KERNELS)
    if chart is None:
        found = judged(strategy, rules, judging, options)
        if json:
            print_json(found.as_json(leaks))
        else:
            for part in found.tables(f"{strategy}, {in_words(rules)}, seed {judging.seed}", leaks):
                out().print(part)
        return
    result = score_chart(chart, rules)
    if json:
        print_json(_score_json(result, strategy, rules, leaks))
    else:
        for part in _score_tables(result, f"{strategy}, {in_words(rules)}: exact", leaks):
            out().print(part)


def _score_json(result: Score, strategy: str, rules: Rules, leaks: int) -> dict[str, Any]:
    outcomes = result.outcomes
    return {
        "strategy": strategy,
        "rules": rules.as_dict(),
        "ev": result.ev,
        "fitness": result.fitness,
        "outcomes": {"win": outcomes.win, "push": outcomes.push, "lose": outcomes.lose},
        "outcomes_error": outcomes.error,
        "stdev": outcomes.stdev,
        "optimal_ev": result.optimal_ev,
        "regret": result.regret,
        "leaks": [leak.as_json() for leak in result.leaks[:leaks]],
    }


def _score_tables(result: Score, title: str, shown: int) -> list[Any]:
    from rich.table import Table

    outcomes = result.outcomes
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    table.add_row("EV per bet", f"{result.ev:+.12f}")
    table.add_row("optimum", f"{result.optimal_ev:+.12f}")
    table.add_row("regret", f"{result.regret:.12f}")
    table.add_row("win / push / lose", _shares(outcomes))
    table.add_row("win + ½ push", f"{result.fitness:.12f}")
    if not shown or not result.leaks:
        return [table]
    leaks = Table(
        title=f"leaks, costliest first, of {len(result.leaks)}", title_justify="left", box=None, padding=(0, 2)
    )
    for heading in ("cell", "plays", "best", "frequency", "cost per round", "of the regret"):
        leaks.add_column(heading, justify="left" if heading == "cell" else "right")
    for leak in result.leaks[:shown]:
        share = f"{100 * leak.cost / result.regret:.1f} %"
        leaks.add_row(str(leak.cell), leak.plays, leak.best, f"{leak.frequency:.6f}", f"{leak.cost:.9f}", share)
    return [table, leaks]
