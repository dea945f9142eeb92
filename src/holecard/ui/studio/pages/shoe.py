"""Shoe and hand: cards clicked out of the shoe; the next round, any hand, insurance, every count, exactly."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from holecard.blackjack.counting.compositions import running_counts, used_count
from holecard.blackjack.counting.indices import find_indices
from holecard.blackjack.counting.insurance import insurance_index
from holecard.blackjack.counting.solved_shoes import SolvedShoes, solve_shoes
from holecard.blackjack.counting.strategy import ILLUSTRIOUS_INSURANCE, CountingStrategy, illustrious_18
from holecard.blackjack.counting.system import SYSTEMS, CountSystem, find_system
from holecard.blackjack.exact.score import score
from holecard.blackjack.exact.solution import Solution, parse_hand, parse_upcard, solve
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.composition import VALUES, Composition
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.letters import MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import CardError, RulesError
from holecard.ui.studio.charts import cell_of_hand
from holecard.ui.studio.page import Call, Endpoint, Page
from holecard.ui.studio.tables import presets, read_table, solution_of, table_json
from holecard.ui.studio.work import Job

_ACE: Final = 0
_SOLVED: Final = 300
"""Shoes that are solved for indices of all cells: some seconds."""
_MOST_OF_A_VALUE: Final = 128
_SHOWN: Final = 60
"""Hands in which a count and the exact answer part that are listed."""
_OPTIONS: Final = {"double": MAY_DOUBLE, "split": MAY_SPLIT, "surrender": MAY_SURRENDER}


def next_round(call: Call) -> dict[str, Any]:
    """The next round from this shoe: its EV, insurance, and every count."""
    rules = _counted(read_table(call.body))
    left = _left(call, rules)
    whole, deck = Composition.of_rules(rules), Composition.of_values(tuple(left))
    solution, full = _solved(rules, deck), solution_of(rules)
    return {
        **table_json(rules),
        "presets": [each for each in presets() if not Rules.from_text(each["rules"]).is_infinite],
        "values": list(VALUES),
        "whole": list(whole.values),
        "left": left,
        "cards_left": deck.size,
        "decks_left": deck.size / 52,
        "ev": solution.ev,
        "full_ev": full.ev,
        "chart_ev": score(full.strategy(), rules, deck=deck).ev,
        "insurance_ev": solution.insurance_ev,
        "counts": [_count_json(system, rules, np.array([left])) for system in SYSTEMS.values()],
    }


def one_hand(call: Call) -> dict[str, Any]:
    """What every action on a hand is worth in this shoe, from which hand and upcard are dealt."""
    rules = _counted(read_table(call.body))
    left = _left(call, rules)
    hand, upcard = call.body.text("hand", longest=60), call.body.text("upcard", longest=4)
    solution = _solved(rules, Composition.of_values(tuple(left)))
    evs = solution.evs_of(hand, upcard)
    cards, up = parse_hand(hand), parse_upcard(upcard)
    after = np.array([left]) - np.bincount([*cards, up], minlength=len(VALUES))
    return {
        "hand": hand,
        "upcard": upcard,
        "evs": [{"action": action, "ev": ev} for action, ev in sorted(evs.items(), key=lambda each: -each[1])],
        "dealer": solution.dealer(upcard, hand),
        "insurance": solution.insurance_of(hand) if up == _ACE and len(cards) == 2 else None,
        "chart": _chart_says(solution_of(rules).strategy(), hand, upcard, evs, rules) if len(cards) == 2 else None,
        "counts": [_count_json(system, rules, after) for system in SYSTEMS.values()],
    }


def parting(call: Call) -> dict[str, Any]:
    """The first hands that a counter plays otherwise than the exact answer for this shoe, costliest first."""
    rules = _counted(read_table(call.body))
    left = _left(call, rules)
    system = find_system(call.body.text("system", longest=30))
    which = call.body.choice("indices", ("i18", "all"))
    solution = _solved(rules, Composition.of_values(tuple(left)))
    counter = _counter(call, rules, system, which)
    rows, lost, charts = [], 0.0, dict[int, Strategy]()
    for row in solution.hands:
        evs = {action: ev for action, ev in row["ev"].items() if ev is not None and action != "natural"}
        if not evs or "natural" in row["ev"]:
            continue
        seen = np.array([left]) - np.bincount(
            [*parse_hand(row["hand"]), parse_upcard(row["upcard"])], minlength=len(VALUES)
        )
        count = _used(system, rules, seen)
        floored = int(np.floor(count))
        if floored not in charts:
            charts[floored] = counter.chart_at(floored)
        plays = _chart_says(charts[floored], row["hand"], row["upcard"], evs, rules)
        best = max(evs, key=lambda action: evs[action])
        cost = evs[best] - evs[plays]
        if cost > 0.0:
            often = solution.frequency_of(row["hand"], row["upcard"])
            lost += cost * often
            rows.append(
                {
                    **{"hand": row["hand"], "upcard": row["upcard"], "count": count, "plays": plays, "best": best},
                    **{"cost": cost, "frequency": often, "per_round": cost * often},
                }
            )
    rows.sort(key=lambda each: -each["per_round"])
    return {
        "system": system.name,
        "indices": len(counter.departures),
        "insurance": _insurance_parting(system, rules, counter, left, solution),
        "hands": rows[:_SHOWN],
        "all": len(rows),
        "lost": lost,
    }


def _insurance_parting(
    system: CountSystem, rules: Rules, counter: CountingStrategy, left: list[int], solution: Solution
) -> dict[str, Any] | None:
    """What the count says of insurance with an ace up and no other card seen, beside what it is worth."""
    if not left[_ACE] or rules.bj is None or not rules.dealer_natural or counter.insurance is None:
        return None
    count = _used(system, rules, np.array([left]) - np.eye(len(VALUES), dtype=np.int64)[_ACE])
    return {
        "index": counter.insurance,
        "count": count,
        "takes": bool(np.floor(count) >= counter.insurance),
        "ev": solution.insurance_ev,
    }


def _counter(call: Call, rules: Rules, system: CountSystem, which: str) -> CountingStrategy:
    chart = solution_of(rules).strategy()
    if which == "i18":
        if system.name != "Hi-Lo":
            raise RulesError("the Illustrious 18 are indices of Hi-Lo; choose all indices for other counts")
        departures, insurance = illustrious_18(rules), ILLUSTRIOUS_INSURANCE
    else:
        departures = tuple(each.departure for each in find_indices(system, _shoes(call, rules)))
        insurance = insurance_index(system, rules.packs, rules.penetration)
    return CountingStrategy(system=system, chart=chart, departures=departures, insurance=insurance)


def _shoes(call: Call, rules: Rules) -> SolvedShoes:
    """Shoes in play of a table, solved; kept for the last two tables."""
    kept: dict[Rules, SolvedShoes] = call.studio.shared.setdefault("shoe", {})
    if rules not in kept:
        found = solve_shoes(rules, shoes=_SOLVED, threads=1, progress=_watch(call.job))
        while len(kept) > 1:
            kept.pop(next(iter(kept)))
        kept[rules] = found
    return kept[rules]


def _watch(job: Job) -> Any:
    def check(_: int) -> None:
        job.check()

    return check


def _chart_says(chart: Strategy, hand: str, upcard: str, evs: dict[str, float], rules: Rules) -> str:
    """What a chart plays on a two-card hand of which these actions are legal, by its word."""
    options = sum(bit for action, bit in _OPTIONS.items() if action in evs)
    word = Action(int(_plays(chart)[options].flat[cell_of_hand(hand, upcard, rules).index])).word
    return word if word in evs else "stand"


@lru_cache(maxsize=64)
def _plays(chart: Strategy) -> Any:
    return chart.plays()


def _counted(rules: Rules) -> Rules:
    if rules.is_infinite:
        raise RulesError("an endless shoe has no cards to take out; choose 1 to 8 decks")
    return rules


def _left(call: Call, rules: Rules) -> list[int]:
    """The cards left of each value; no more than the full shoe has."""
    whole = Composition.of_rules(rules).values
    left = call.body.wholes("left", 0, _MOST_OF_A_VALUE, length=len(VALUES), default=list(whole))
    for value, count, most in zip(VALUES, left, whole, strict=True):
        if count > most:
            raise CardError(f"this shoe has {most} cards of value {value} when it is full; got {count}")
    return left


def _used(system: CountSystem, rules: Rules, left: Any) -> float:
    return float(used_count(system, running_counts(system, rules, left), left.sum(axis=1))[0])


def _count_json(system: CountSystem, rules: Rules, left: Any) -> dict[str, Any]:
    return {
        "name": system.name,
        "running": float(running_counts(system, rules, left)[0]),
        "used": _used(system, rules, left) if left.sum() else None,
        "used_as": system.used_as,
        "tags": list(system.tags_by_value().values()),
    }


@lru_cache(maxsize=8)
def _solved(rules: Rules, deck: Composition) -> Solution:
    return solve(replace(rules, deck=None), deck=deck)


_SHOE: Final = {"rules": "single-deck", "left": [4, 3, 2, 3, 4, 4, 4, 4, 4, 15]}
PAGE: Final = Page(
    name="shoe",
    title="Shoe and hand",
    about="Take cards out of the shoe; the next round, any hand and every count follow.",
    endpoints=(
        Endpoint(name="round", answer=next_round, kept=True, example=_SHOE),
        Endpoint(name="hand", answer=one_hand, kept=True, example={**_SHOE, "hand": "T,6", "upcard": "10"}),
        Endpoint(
            name="parting",
            answer=parting,
            kept=True,
            slow=True,
            example={**_SHOE, "system": "hi-lo", "indices": "i18"},
        ),
    ),
)
