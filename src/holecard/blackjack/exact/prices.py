"""What single rules are worth: a table's EV after every single change, play re-optimised each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from holecard.blackjack.exact.memory import SplitMemory
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.game.changes import Contradiction, single_changes
from holecard.blackjack.game.rules import Rules
from holecard.errors import HolecardError, RulesError
from holecard.executor import in_order


@dataclass(frozen=True, slots=True, kw_only=True)
class TableValue:
    """What a table is worth to a player, in base bets."""

    rules: Rules
    """The table."""
    ev: float
    """The EV of the best play, which may look at every card of a hand."""
    ev_total_dependent: float
    """The EV of the best chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePrice:
    """What one change of a rule is worth to the player."""

    rule: str
    """The changed rule as `Rules.from_text` reads it."""
    table: TableValue
    """The table with the change."""
    difference: float
    """EV with the change − EV without, both under best play: what the player gains."""
    difference_total_dependent: float
    """The same of the two best charts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePrices:
    """What every single change of a table's rules is worth."""

    table: TableValue
    """The table that is changed."""
    changes: tuple[RulePrice, ...]
    """Every change, the player's greatest gain first."""
    left_out: tuple[Contradiction, ...]
    """Changes that the other rules do not allow, or that no deck of theirs can be dealt for."""


def value_table(rules: Rules, *, split_play: SplitMemory = "zero-memory") -> TableValue:
    """What a table is worth, exactly."""
    solution = solve(rules, split_play=split_play)
    return TableValue(rules=rules, ev=solution.ev, ev_total_dependent=solution.ev_total_dependent)


def price_rules(
    rules: Rules,
    *,
    split_play: SplitMemory = "zero-memory",
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> RulePrices:
    """What every single change of a rule costs or gains, each game solved anew.

    `on_progress` is called with how many games are solved, and of how many.

    >>> prices = price_rules(Rules.preset("classic"))
    >>> [change.rule for change in prices.changes if change.difference > 0.04][:2]
    ['limit=20', 'target=18']
    """
    if rules.shoe == "dealt":
        raise RulesError("prices are exact for a fresh shoe each round; drop the dealt shoe")
    changes, left_out = single_changes(rules)
    base = value_table(rules, split_play=split_play)  # here, so that threads find the kernels loaded
    priced = []
    solved = in_order(partial(_try, split_play=split_play), [change.rules for change in changes], threads=threads)
    for at, (change, table) in enumerate(zip(changes, solved, strict=True)):
        if isinstance(table, str):
            left_out.append(Contradiction(rule=change.rule, reason=table))
        else:
            priced.append(_price(change.rule, base, table))
        if on_progress:
            on_progress(at + 1, len(changes))
    priced.sort(key=lambda price: -price.difference)
    return RulePrices(table=base, changes=tuple(priced), left_out=tuple(left_out))


def _price(rule: str, base: TableValue, table: TableValue) -> RulePrice:
    return RulePrice(
        rule=rule,
        table=table,
        difference=table.ev - base.ev,
        difference_total_dependent=table.ev_total_dependent - base.ev_total_dependent,
    )


def _try(rules: Rules, split_play: SplitMemory) -> TableValue | str:
    """The table's value, or why it has none: a deck that runs out, a memory that is too much for it."""
    try:
        return value_table(rules, split_play=split_play)
    except HolecardError as problem:
        return str(problem)
