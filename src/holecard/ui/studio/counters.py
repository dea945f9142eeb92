"""Counters as the studio's pages have them: a known count with the Illustrious 18, or with all indices of a table."""

from __future__ import annotations

from typing import Final

from holecard.blackjack.counting.indices import SolvedShoes, find_indices, solve_shoes
from holecard.blackjack.counting.strategy import Departure, illustrious_18
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.game.rules import Rules
from holecard.errors import RulesError
from holecard.ui.studio.page import Call

_SOLVED: Final = 300
"""Shoes that are solved for indices of all cells: some seconds."""
_MOST_KEPT: Final = 16
"""Tables and counts whose departures are kept."""


def counted(rules: Rules) -> Rules:
    """The rules, if cards can be counted under them."""
    if rules.is_infinite:
        raise RulesError("an endless shoe cannot be counted; choose 1 to 8 decks")
    return rules


def departures_of(call: Call, rules: Rules, system: CountSystem, which: str) -> tuple[Departure, ...]:
    """The departures of a count: `i18`, which Hi-Lo alone has, or `all`, worked out for this table."""
    if which == "all":
        return _all_departures(call, rules, system)
    if system.name != "Hi-Lo":
        raise RulesError("the Illustrious 18 are indices of Hi-Lo; choose all indices for other counts")
    return illustrious_18(rules)


def _all_departures(call: Call, rules: Rules, system: CountSystem) -> tuple[Departure, ...]:
    """Found once for each of the last few tables and counts."""
    kept: dict[tuple[Rules, str], tuple[Departure, ...]] = call.studio.shared.setdefault("departures", {})
    if (rules, system.name) not in kept:
        found = tuple(each.departure for each in find_indices(system, _shoes(call, rules)))
        while len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)))
        kept[rules, system.name] = found
    return kept[rules, system.name]


def _shoes(call: Call, rules: Rules) -> SolvedShoes:
    """Shoes in play of a table, solved; kept for the last two tables."""
    kept: dict[Rules, SolvedShoes] = call.studio.shared.setdefault("solved shoes", {})
    if rules not in kept:
        found = solve_shoes(rules, shoes=_SOLVED, threads=1, progress=call.job.progress)
        while len(kept) > 1:
            kept.pop(next(iter(kept)))
        kept[rules] = found
    return kept[rules]
