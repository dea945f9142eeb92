"""Chart: any strategy as a grid to edit; its exact EV, its regret and its leaks follow every letter."""

from __future__ import annotations

import io
from typing import Any, Final

import numpy as np

from holecard.blackjack.exact.score import Leak, Score, score
from holecard.blackjack.game.composition import VALUES
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.finding import strategy_in
from holecard.blackjack.strategy.cell import CARDS_HELD, Cell, Insurance, Kind
from holecard.blackjack.strategy.charts import chart_rows, read_chart, write_chart
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.named import NAMED, named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import ChartError, SettingError, unknown_name
from holecard.ui.session.agents import agent_choice, evolved_charts
from holecard.ui.studio.charts import chart_json, letters_of, rows_json
from holecard.ui.studio.page import Call, Download, Endpoint, Page
from holecard.ui.studio.tables import presets, read_table, solution_of, table_json

BEST: Final = "best"
"""The name of the table's own best chart."""
RUN: Final = "run:"
"""Before the path of a run below --runs."""
_LONGEST_CHART: Final = 20_000
_MOST_EDITS: Final = 1200
_FORMATS: Final = {"png": "image/png", "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8"}


def sources(call: Call) -> dict[str, Any]:
    """The strategies to begin from: named ones, and the winners of runs."""
    runs = []
    for path in evolved_charts(call.studio.runs):
        folder = _below(path, call)
        if folder is not None:
            runs.append({"name": f"{RUN}{folder}", "title": agent_choice(path).title})
    named = [
        {"name": BEST, "title": "the best chart of this table"},
        *({"name": name, "title": name} for name in NAMED),
    ]
    return {"named": named, "runs": runs, "presets": presets()}


def _below(path: str, call: Call) -> str | None:
    """The folder of a winner's chart, as a path below --runs."""
    from pathlib import Path

    folder = Path(path).parent
    return folder.relative_to(call.studio.runs).as_posix() if folder.is_relative_to(call.studio.runs) else None


def scored(call: Call) -> dict[str, Any]:
    """A chart with its exact score: what follows every keystroke."""
    rules = read_table(call.body)
    strategy = _edited(_source(call, rules), call, rules)
    found, best = score(strategy, rules), solution_of(rules)
    blocks = [chart_rows(strategy, held) for held in range(len(CARDS_HELD))]
    by_cards = any(block[section] != blocks[0][section] for block in blocks for section in ("hard", "soft"))
    return {
        **table_json(rules),
        "text": write_chart(strategy),
        "chart": chart_json(strategy),
        "by_cards": [
            {"cards": name, "chart": rows_json({section: block[section] for section in ("hard", "soft")})}
            for name, block in zip(CARDS_HELD, blocks, strict=True)
        ]
        if by_cards
        else [],
        "letters": [{"letter": letter.letter, "word": letter.word} for letter in Letter],
        "used": letters_of(strategy),
        "ev": found.ev,
        "house_edge": -found.ev,
        "optimal_ev": found.optimal_ev,
        "best_chart_ev": best.ev_total_dependent,
        "regret": found.regret,
        "leaks": [_leak_json(leak, found) for leak in found.leaks],
        "mend": _mend(found),
        "differs": _differences(strategy, best.strategy()),
    }


def _source(call: Call, rules: Rules) -> Strategy:
    """The strategy that a request begins from: a text, a name, a run. Never a file or a module that it names."""
    text = call.body.text("text", "", longest=_LONGEST_CHART)
    name = call.body.text("strategy", "basic", longest=300)
    if text:
        strategy = read_chart(text, name="pasted")
    elif name == BEST:
        return solution_of(rules).strategy()
    elif name.startswith(RUN):
        strategy = strategy_in(call.studio.run_folder(name.removeprefix(RUN)), rules)
    elif name in NAMED:
        return named_strategy(name, rules)
    else:
        raise SettingError(unknown_name("strategy", name, (BEST, *NAMED)))
    if (strategy.limit, strategy.ace_bonus) != (rules.limit, rules.ace_bonus):
        raise ChartError(
            f"the chart is for limit {strategy.limit} and ace bonus {strategy.ace_bonus}; "
            f"the rules have {rules.limit} and {rules.ace_bonus}"
        )
    return strategy


def _edited(strategy: Strategy, call: Call, rules: Rules) -> Strategy:
    """The strategy with the request's edits, each `hard 16 v 10=S`, the last one of a cell deciding."""
    edits = call.body.texts("edits", [], most=_MOST_EDITS, longest=40)
    if not edits:
        return strategy
    cells = strategy.cells.copy()
    for edit in edits:
        place, _, letter = edit.rpartition("=")
        cell = Cell.parse(place, ace_bonus=rules.ace_bonus)
        try:
            code = Letter.parse(letter)
        except KeyError:
            raise ChartError(f"letters are {' '.join(each.letter for each in Letter)}; got {letter!r}") from None
        _set(cells, cell, code)
    return Strategy(cells, name=strategy.name, limit=strategy.limit, ace_bonus=strategy.ace_bonus)


def _set(cells: np.ndarray[Any, np.dtype[np.uint8]], cell: Cell, letter: Letter) -> None:
    """Write a letter where a cell is looked up: any number of cards and any ace, unless the cell says which."""
    held = slice(None) if cell.cards is None else slice(cell.cards - 2, cell.cards - 1)
    kinds = (Kind.HARD, Kind.HARD_ACE) if cell.kind == Kind.HARD else (cell.kind,)
    for kind in kinds:
        cells[held, kind, cell.row, cell.upcard] = letter


def _leak_json(leak: Leak, found: Score) -> dict[str, Any]:
    share = leak.cost / found.regret if found.regret > 0 else 0.0
    return {**leak.as_json(), "share": share, "each": leak.cost / leak.frequency if leak.frequency > 0 else 0.0}


def _mend(found: Score) -> dict[str, Any] | None:
    """The costliest leak that another letter mends, as an edit."""
    for leak in found.leaks:
        if not isinstance(leak.cell, Insurance) and leak.best != leak.plays and leak.cost > 0:
            return {"edit": f"{leak.cell}={leak.best}", "cell": str(leak.cell), "letter": leak.best, "cost": leak.cost}
    return None


def _differences(strategy: Strategy, best: Strategy) -> dict[str, str]:
    """The cells by total in which the chart says something else than the best one, and what that says."""
    ours, theirs = chart_rows(strategy), chart_rows(best)
    return {
        f"{section} {label} v {upcard}": theirs[section][label][column]
        for section, rows in ours.items()
        for label, letters in rows.items()
        for column, upcard in enumerate(VALUES)
        if letters[column] != theirs[section][label][column]
    }


def download(call: Call) -> Download:
    """The chart as a picture or as the text that every command reads."""
    from holecard.ui.figures.chart import chart_figure

    rules = read_table(call.body)
    form = call.body.choice("form", _FORMATS)
    strategy = _edited(_source(call, rules), call, rules)
    if form == "txt":
        content = write_chart(strategy).encode()
    else:
        drawn = io.BytesIO()
        chart_figure(strategy, f"{table_json(rules)['words']}: EV {score(strategy, rules).ev:+.6f}").savefig(
            drawn, format=form, dpi=150
        )
        content = drawn.getvalue()
    return Download(content=content, name=f"holecard-chart.{form}", media_type=_FORMATS[form])


_CHART: Final = {"rules": "classic", "strategy": "basic", "text": "", "edits": ["hard 16 v 10=S"]}
PAGE: Final = Page(
    name="chart",
    title="Chart",
    about="Click a cell or type a letter; what it costs follows.",
    endpoints=(
        Endpoint(name="sources", answer=sources),
        Endpoint(name="scored", answer=scored, example=_CHART),
        Endpoint(name="download", answer=download, slow=True, example={**_CHART, "form": "txt"}),
    ),
)
