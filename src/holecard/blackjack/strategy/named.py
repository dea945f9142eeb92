"""Strategies by name: `basic` from published charts, `aggressive` of the agents' original, and the yardsticks.

The published charts stand beside this file as chart texts, each with its source on its first line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import numpy as np

from holecard.blackjack.game.hand import comes_before_peek, dealer_must_hit
from holecard.blackjack.game.rules import DOUBLES, Rules
from holecard.blackjack.strategy.cell import SHAPE, Kind
from holecard.blackjack.strategy.charts import read_chart
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy, pairs_by_total
from holecard.errors import ChartError, SettingError, unknown_name

_ACE, _NINE, _TEN = 0, 8, 9


@dataclass(frozen=True, slots=True)
class _Patch:
    """Cells that a rule outside the chart's own changes: rows of a kind against some upcards."""

    kind: Kind
    rows: tuple[int, ...]
    upcards: tuple[int, ...]
    letter: Letter


_NO_PEEK: Final = (
    # Wizard of Odds, European no hole card: do not raise the stake into a possible natural
    _Patch(Kind.HARD, (11,), (_ACE, _TEN), Letter.HIT),
    _Patch(Kind.PAIR, (2,), (_ACE,), Letter.HIT),
    _Patch(Kind.PAIR, (16,), (_ACE, _TEN), Letter.HIT),
)
_EARLY_SURRENDER: Final = (
    # Wizard of Odds, early surrender: against an ace hard 5–7 and 12–17, against a ten hard 14–16, against a nine 16
    _Patch(Kind.HARD, (5, 6, 7, 12, 13, 14, 15, 16), (_ACE,), Letter.SURRENDER_ELSE_HIT),
    _Patch(Kind.HARD, (17,), (_ACE,), Letter.SURRENDER_ELSE_STAND),
    _Patch(Kind.HARD, (14, 15, 16), (_TEN,), Letter.SURRENDER_ELSE_HIT),
    _Patch(Kind.HARD, (16,), (_NINE,), Letter.SURRENDER_ELSE_HIT),
    _Patch(Kind.PAIR, (6, 12, 14, 16), (_ACE,), Letter.SURRENDER_ELSE_HIT),
    _Patch(Kind.PAIR, (14, 16), (_TEN,), Letter.SURRENDER_ELSE_HIT),
)
_LATE_SURRENDER_H17: Final = (_Patch(Kind.PAIR, (16,), (_ACE,), Letter.SURRENDER_ELSE_HIT),)


def basic(rules: Rules) -> Strategy:
    """Published basic strategy for the number of decks, the soft-17 rule, doubling after splits, peek and surrender.

    No chart is published here for ties lost, a 22 that pushes or doubles on any cards: there it is the ordinary one.
    """
    decks = "1-deck" if rules.packs == 1 else "2-decks" if rules.packs == 2 else "4-8-decks"
    name = f"{decks}-{'h17' if rules.h17 else 's17'}"
    strategy = _published(name, f"{decks}-pairs-{'das' if rules.das else 'ndas'}")
    patches: tuple[_Patch, ...] = ()
    if not rules.peek and not rules.obo and rules.bj is not None:
        patches += _NO_PEEK
    table_rules = rules.table()
    patches += tuple(
        patch
        for patch in _EARLY_SURRENDER
        if all(comes_before_peek(upcard + 1, table_rules) for upcard in patch.upcards if upcard in (_ACE, _TEN))
    ) * (rules.surrender in ("early", "early-10"))
    if rules.surrender in ("late", "early-10") and rules.h17 and rules.packs != 1:
        patches += _LATE_SURRENDER_H17
    return _as_allowed(_for_rules(_patched(strategy, patches), rules, "basic"), rules)


def aggressive(rules: Rules) -> Strategy:
    """The agents' original in its aggressive mode."""
    return _for_rules(_published("aggressive"), rules, "aggressive")


def mimic_dealer(rules: Rules) -> Strategy:
    """Hit and stand as the dealer must."""
    cells = np.full(SHAPE, Letter.STAND, np.uint8)
    table_rules = rules.table()
    for total in range(rules.limit):
        if dealer_must_hit(total, False, table_rules):
            cells[:, (Kind.HARD, Kind.HARD_ACE), total] = Letter.HIT
        if dealer_must_hit(total, True, table_rules):
            cells[:, Kind.SOFT, total] = Letter.HIT
    return _pairs_by_total(cells, rules, "mimic-dealer")


def never_bust(rules: Rules) -> Strategy:
    """Never risk a bust: stand on every hard total that a ten would break, hit soft hands below a soft 18."""
    cells = np.full(SHAPE, Letter.STAND, np.uint8)
    for total in range(rules.limit):
        if total + 10 <= rules.limit:
            cells[:, (Kind.HARD, Kind.HARD_ACE), total] = Letter.HIT
        if total <= rules.limit - 4:
            cells[:, Kind.SOFT, total] = Letter.HIT
    return _pairs_by_total(cells, rules, "never-bust")


def random(rules: Rules) -> Strategy:
    """Uniform over the legal actions in every cell."""
    return Strategy(np.full(SHAPE, Letter.ANY, np.uint8), name="random", limit=rules.limit, ace_bonus=rules.ace_bonus)


NAMED: Final[Mapping[str, Callable[[Rules], Strategy]]] = MappingProxyType(
    {"basic": basic, "aggressive": aggressive, "mimic-dealer": mimic_dealer, "never-bust": never_bust, "random": random}
)
"""The strategies with a name: for each the function that makes it for given rules."""
ALIASES: Final = MappingProxyType({"heuristic": "basic"})


def named_strategy(name: str, rules: Rules) -> Strategy:
    """The strategy of that name for these rules; see `NAMED`.

    >>> named_strategy("basic", Rules()).name
    'basic'
    """
    name = ALIASES.get(name, name)
    if name not in NAMED:
        raise SettingError(unknown_name("strategy", name, NAMED, also="the path of a chart or a run"))
    return NAMED[name](rules)


@cache
def _published(*names: str) -> Strategy:
    """The chart whose sections stand in these files."""
    folder = files("holecard.blackjack.strategy") / "published"
    return read_chart("\n".join((folder / f"{name}.txt").read_text(encoding="utf-8") for name in names))


def _patched(strategy: Strategy, patches: tuple[_Patch, ...]) -> Strategy:
    cells = strategy.cells.copy()
    for patch in patches:
        for row in patch.rows:
            cells[:, patch.kind, row, list(patch.upcards)] = patch.letter
            if patch.kind == Kind.HARD:
                cells[:, Kind.HARD_ACE, row, list(patch.upcards)] = patch.letter
    return Strategy(cells)


def _as_allowed(strategy: Strategy, rules: Rules) -> Strategy:
    """The same play written only in letters that the rules allow: no R where nobody may surrender, and so on."""
    cells = strategy.cells.copy()
    if rules.surrender == "none":
        cells[cells == Letter.SURRENDER_ELSE_HIT] = Letter.HIT
        cells[cells == Letter.SURRENDER_ELSE_STAND] = Letter.STAND
    low, high, soft = DOUBLES[rules.double]
    for kind in Kind:
        for row in strategy.rows(kind):
            total_allowed = low <= row <= high and (soft or kind not in (Kind.SOFT, Kind.HARD_ACE))
            if not total_allowed:
                line = cells[:, kind, row]
                line[line == Letter.DOUBLE_ELSE_HIT] = Letter.HIT
                line[line == Letter.DOUBLE_ELSE_STAND] = Letter.STAND
    if rules.max_hands == 1:
        cells[:, Kind.PAIR] = pairs_by_total(cells)
    return Strategy(cells, name=strategy.name)


def _for_rules(strategy: Strategy, rules: Rules, name: str) -> Strategy:
    """A chart for 21 and aces of 11 under its name; other limits have no published chart."""
    if (rules.limit, rules.ace_bonus) != (21, 10):
        raise ChartError(
            f"there is no published {name} chart for limit {rules.limit} and ace bonus {rules.ace_bonus}; "
            "use mimic-dealer, never-bust, random or a chart of your own"
        )
    return Strategy(strategy.cells, name=name)


def _pairs_by_total(cells: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], rules: Rules, name: str) -> Strategy:
    return Strategy.from_rows(
        cells[0, Kind.HARD], cells[0, Kind.SOFT], name=name, limit=rules.limit, ace_bonus=rules.ace_bonus
    )
