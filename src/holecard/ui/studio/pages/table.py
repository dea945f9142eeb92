"""Table: the rules of a game as switches, and its exact numbers: edge, best chart, exceptions, outcomes, prices."""

from __future__ import annotations

import io
from typing import Any, Final

from holecard.blackjack.exact.cell_values import CellValue, value_cells
from holecard.blackjack.exact.departures import Departure
from holecard.blackjack.exact.removal import effects_of_removal
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.charts import write_chart
from holecard.errors import HolecardError
from holecard.ui.solve import hands_csv
from holecard.ui.studio.charts import cell_of_hand, chart_json, letters_of
from holecard.ui.studio.page import Call, Download, Endpoint, Page
from holecard.ui.studio.tables import offered_changes, presets, read_table, solution_of, switches, table_json

_FORMATS: Final = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


def chart(call: Call) -> dict[str, Any]:
    """House edge and best chart: what changes on the screen first."""
    rules = read_table(call.body)
    solution = solution_of(rules)
    return {
        **table_json(rules),
        "switches": switches(rules),
        "presets": presets(),
        "ev": solution.ev,
        "house_edge": solution.house_edge,
        "ev_total_dependent": solution.ev_total_dependent,
        "insurance_ev": solution.insurance_ev,
        "chart": chart_json(solution.strategy()),
        "letters": letters_of(solution.strategy()),
        "seconds": solution.seconds,
    }


def cells(call: Call) -> dict[str, Any]:
    """What every cell of the chart is worth, the two-card hands in it, and the exceptions to it."""
    rules = read_table(call.body)
    solution = solution_of(rules)
    call.job.check()
    hands: dict[str, list[dict[str, Any]]] = {}
    for row in solution.hands:
        hands.setdefault(str(cell_of_hand(row["hand"], row["upcard"], rules)), []).append(_hand_json(row))
    return {
        "cells": {str(each.cell): _cell_json(each) for each in value_cells(solution)},
        "hands": hands,
        "exceptions": [_exception_json(each) for each in solution.exceptions()],
    }


def _cell_json(each: CellValue) -> dict[str, Any]:
    best = max(each.evs.values(), default=0.0)
    return {
        "plays": each.plays.letter,
        "frequency": each.frequency,
        "evs": [
            {"letter": letter.letter, "word": letter.word, "ev": ev, "less": ev - best}
            for letter, ev in each.evs.items()
        ],
        "runner_up": each.runner_up.word if each.runner_up is not None else None,
        "margin": each.margin,
        "cost": None if each.margin is None else each.margin * each.frequency,
    }


def _hand_json(row: dict[str, Any]) -> dict[str, Any]:
    """A two-card hand with the EVs of its legal actions and the best one."""
    evs = {action: ev for action, ev in row["ev"].items() if ev is not None}
    return {"hand": row["hand"], "ev": evs, "best": max(evs, key=lambda action: evs[action]) if evs else None}


def _exception_json(each: Departure) -> dict[str, Any]:
    return {"text": str(each), "cell": str(each.cell), "gain": each.gain, "best": each.best.word}


def outcomes(call: Call) -> dict[str, Any]:
    """How rounds end: shares of wins, pushes and losses, and the deviation."""
    found = solution_of(read_table(call.body)).outcomes
    return {"win": found.win, "push": found.push, "lose": found.lose, "error": found.error, "stdev": found.stdev}


def removal(call: Call) -> dict[str, Any]:
    """Effects of removal, in bets; none for an endless shoe."""
    rules = read_table(call.body)
    if rules.is_infinite:
        return {"effects": [], "why": "an endless shoe does not notice a removed card"}
    found = effects_of_removal(rules, progress=call.job.progress)
    changes = {value: ev - found.base_ev for value, ev in found.fixed.items()}
    largest = max(abs(change) for change in changes.values()) or 1.0
    return {
        "effects": [
            {
                "card": value,
                "kept": change,
                "best": found.reoptimised[value] - found.base_ev,
                "size": abs(change) / largest,
            }
            for value, change in changes.items()
        ]
    }


def prices(call: Call) -> dict[str, Any]:
    """What each single change that a switch offers is worth to the player, by the word of the change."""
    rules = read_table(call.body)
    base = solution_of(rules).ev
    found: dict[str, float] = {}
    problems: dict[str, str] = {}
    for word, changed in offered_changes(rules):
        call.job.check()
        try:
            found[word] = solve(changed).ev - base
        except HolecardError as problem:
            problems[word] = str(problem)
    return {"prices": found, "problems": problems}


def download(call: Call) -> Download:
    """The best chart as a picture or as text, or every two-card hand's EVs as CSV."""
    rules = read_table(call.body)
    form = call.body.choice("form", _FORMATS)
    solution = solution_of(rules)
    if form == "csv":
        content = hands_csv(solution).encode()
    elif form == "txt":
        content = (
            f"# the best chart by total: {table_json(rules)['words']}\n{write_chart(solution.strategy())}".encode()
        )
    else:
        content = _picture(solution, table_json(rules)["words"], form)
    return Download(content=content, name=f"holecard-table.{form}", media_type=_FORMATS[form])


def _picture(solution: Solution, words: str, form: str) -> bytes:
    from holecard.ui.figures.chart import chart_figure

    title = f"best chart by total, {words}: EV {solution.ev_total_dependent:+.6f}"
    figure, drawn = chart_figure(solution.strategy(), title), io.BytesIO()
    figure.savefig(drawn, format=form, dpi=150)
    return drawn.getvalue()


def warm() -> None:
    """Load what the first page needs, and what its second look needs after it."""
    solution = solution_of(Rules())
    _ = solution.chart, solution.ev_total_dependent, solution.outcomes
    value_cells(solution)


_TABLE: Final = {"rules": "2d S17"}
PAGE: Final = Page(
    name="table",
    title="Table",
    about="Choose the rules; the exact answer follows.",
    endpoints=(
        Endpoint(name="chart", answer=chart, kept=True, example=_TABLE),
        Endpoint(name="cells", answer=cells, kept=True, slow=True, example=_TABLE),
        Endpoint(name="outcomes", answer=outcomes, kept=True, slow=True, example=_TABLE),
        Endpoint(name="removal", answer=removal, kept=True, slow=True, example=_TABLE),
        Endpoint(name="prices", answer=prices, kept=True, slow=True, example={"rules": "classic"}),
        Endpoint(name="download", answer=download, slow=True, example={"rules": "classic", "form": "txt"}),
    ),
)
