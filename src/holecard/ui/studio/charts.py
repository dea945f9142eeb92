"""Strategy charts as the studio's pages have them: rows of letters, what letters mean, the cell of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holecard.blackjack.exact.solution import parse_hand, parse_upcard
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import Cell, Kind
from holecard.blackjack.strategy.charts import chart_rows
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy


def chart_json(strategy: Strategy) -> dict[str, Any]:
    """A chart by total as JSON: `{hard, soft, pair}`, each a list of rows: label, ten letters; lowest first.

    Lists, because JavaScript sorts an object's keys that look like numbers: 22 would come before AA.
    """
    return rows_json(chart_rows(strategy))


def rows_json(chart: Mapping[str, Mapping[str, str]]) -> dict[str, list[list[str]]]:
    """Sections of rows as lists."""
    return {section: [[label, letters] for label, letters in rows.items()] for section, rows in chart.items()}


def letters_of(strategy: Strategy) -> list[dict[str, str]]:
    """The letters that a chart uses, and what they mean."""
    used = {letter for rows in chart_rows(strategy).values() for row in rows.values() for letter in row}
    return [{"letter": letter.letter, "word": letter.word} for letter in Letter if letter.letter in used]


def cell_of_hand(hand: str, upcard: str, rules: Rules) -> Cell:
    """The cell of a chart by total in which a two-card hand is looked up.

    >>> [str(cell_of_hand(hand, "10", Rules())) for hand in ("6,10", "A,7", "8,8", "A,A")]
    ['hard 16 v 10', 'soft A7 v 10', 'pair 88 v 10', 'pair AA v 10']
    """
    first, second = (value + 1 for value in parse_hand(hand))
    bonus, total = rules.ace_bonus, first + second
    if first == second and rules.max_hands > 1:
        kind, row = Kind.PAIR, total
    elif first == 1 and total + bonus <= rules.limit:
        kind, row = Kind.SOFT, total + bonus
    else:
        kind, row = Kind.HARD, total
    return Cell(kind=kind, row=row, upcard=parse_upcard(upcard), ace_bonus=bonus)
