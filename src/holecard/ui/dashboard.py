"""The dashboard of a neuroevolution run: a picture made from its records, live or long after.

`dashboard` is a function from records to a renderable; it knows no engine. `line` says the same of one record in a
line, for pipes and `--plain`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, isnan
from typing import TYPE_CHECKING, Any, Final

from holecard.ui.outliers import usual_span

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

Record = Mapping[str, Any]
_BARS: Final = "▁▂▃▄▅▆▇█"
_WIDTH: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a run goes; measured by whoever watches it, since records hold no times."""

    hands_per_second: float
    """Hands played in a second."""
    seconds_left: float
    """Until the last generation."""


def sparkline(values: Sequence[float], width: int = _WIDTH) -> str:
    """The values as a row of bars, the newest right; longer series are averaged into `width` columns.

    A value far outside the others is a whole bar or none, so that it does not flatten the rest.

    >>> sparkline([0, 1, 2, 3])
    '▁▃▆█'
    >>> sparkline([-1000, 0, 1, 2, 3, 4, 5, 6])
    '▁▁▂▃▅▆▇█'
    """
    if not values:
        return ""
    columns = min(width, len(values))
    edges = [len(values) * at // columns for at in range(columns + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in pairwise(edges)]
    low, high = usual_span(means)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((min(max(mean, low), high) - low) * scale)] for mean in means)


def line(record: Record, generations: int) -> str:
    """One generation in a line of text."""
    earned = "  ".join(f"{name} {_number(each['earnings'], '+.2f')}" for name, each in record["opponents"].items())
    style = record["style"]
    return (
        f"generation {record['generation'] + 1}/{generations}  best {record['best']:+.3f}  mean {record['mean']:+.3f}  "
        f"{earned}  VPIP {_percent(style['vpip'])}  AF {_aggression(style)}"
    )


def dashboard(title: str, records: Sequence[Record], generations: int, pace: Pace | None = None) -> RenderableType:
    """The state of a run after its last record."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    if not records:
        return Panel(Text("no generation is finished yet"), title=title, width=84)
    parts: list[RenderableType] = [
        _fitness(records, generations, pace),
        _opponents(records[-1]),
        _style(records[-1]),
        _trend(records),
    ]
    return Panel(Group(*parts), title=title, width=84)


def _grid(*titles: str) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for at, title in enumerate(titles):
        table.add_column(title, justify="left" if at == 0 else "right", no_wrap=True)
    return table


def _fitness(records: Sequence[Record], generations: int, pace: Pace | None) -> RenderableType:
    last = records[-1]
    table = _grid("generation", "best", "average", "worst", "elites", "second tier", "hands/s", "left")
    table.add_row(
        f"{last['generation'] + 1} / {generations}",
        f"{last['best']:+.3f}",
        f"{last['mean']:+.3f}",
        f"{last['worst']:+.3f}",
        str(last.get("elites", "–")),
        str(last.get("second_tier", "–")),
        f"{pace.hands_per_second:,.0f}" if pace else "–",
        _clock(pace.seconds_left) if pace else "–",
    )
    return table


def _opponents(record: Record) -> RenderableType:
    table = _grid("opponent", "best earns", "of best", "average", "won", "tied", "lost", "win %")
    for name, each in record["opponents"].items():
        tied = each.get("tied")  # not recorded before 0.2
        sessions = 0 if tied is None else each["won"] + tied + each["lost"]
        table.add_row(
            name,
            _number(each["earnings"], "+.2f"),
            _percent(each.get("of_best")),
            _number(each["mean_earnings"], "+.2f"),
            str(each["won"]),
            "–" if tied is None else str(tied),
            str(each["lost"]),
            _percent(each["won"] / sessions if sessions else None),
        )
    return table


def _style(record: Record) -> RenderableType:
    style, shares = record["style"], record["shares"]
    table = _grid("the best", "VPIP", "PFR", "AF", "WSD", "WSDW", *(name.replace("_", "-") for name in shares))
    table.add_row(
        "",
        _percent(style["vpip"]),
        _percent(style["pfr"]),
        _aggression(style),
        _percent(style["wsd"]),
        _percent(style["wsdw"]),
        *(_percent(share) for share in shares.values()),
    )
    return table


def _trend(records: Sequence[Record]) -> RenderableType:
    table = _grid("", "")
    table.columns[1].justify = "left"
    table.add_row("best", sparkline([record["best"] for record in records]))
    table.add_row("average", sparkline([record["mean"] for record in records]))
    return table


def _aggression(style: Record) -> str:
    """Bets and raises per call: ∞ where nothing was called, a dash where nothing was bet either."""
    never_called = style["af"] is None and style.get("bets", 0) > 0
    return aggression_text(inf if never_called else style["af"])


def aggression_text(af: float | None) -> str:
    """An aggression factor as people read it.

    >>> aggression_text(2.5), aggression_text(inf), aggression_text(None)
    ('2.50', '∞', '–')
    """
    if af is None or isnan(af):
        return "–"
    return "∞" if af == inf else f"{af:.2f}"


def _number(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
