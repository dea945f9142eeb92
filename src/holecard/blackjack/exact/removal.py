"""Effects of removal: what one card's absence does to a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from holecard.blackjack.exact.chart_play import Play
from holecard.blackjack.exact.memory import SplitMemory, solve_splits, value_play
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.exact.worth import overall_ev
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import TEN_RANKS, VALUES, Composition
from holecard.cards import ACE_RANK
from holecard.errors import RulesError


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """EVs with one card of a value gone, by value A … 10; values the deck lacks are left out."""

    base_ev: float
    """The EV of the whole deck."""
    fixed: Mapping[str, float]
    """EV after the removal if the whole deck's best play is kept."""
    reoptimised: Mapping[str, float]
    """EV after the removal if play is re-optimised."""

    def effect(self, value: str, *, fixed: bool = True) -> float:
        """What the removal of one card changes: EV after − EV before."""
        return (self.fixed if fixed else self.reoptimised)[value] - self.base_ev


def effects_of_removal(
    rules: Rules,
    *,
    deck: Composition | None = None,
    split_play: SplitMemory = "zero-memory",
    progress: Callable[[int], None] | None = None,
) -> Removal:
    """The effects of removal of every value; the mean of the fixed ones, weighted by the deck's counts, is 0.

    `progress` is told how many values are done.
    """
    if rules.is_infinite:
        raise RulesError("an infinite shoe does not notice a removed card; use 1 to 8 decks")
    if split_play == "perfect":
        raise RulesError("effects of removal are not worked out with perfect memory; use zero-memory or pair-aware")
    whole = Composition.of_rules(rules) if deck is None else deck
    solution = solve(rules, deck=deck, split_play=split_play)
    fixed, reoptimised = {}, {}
    for value, name in enumerate(VALUES):
        if progress is not None:
            progress(value)
        if whole.values[value]:
            fixed[name], reoptimised[name] = _without(rules, whole, value, solution.play, split_play)
    return Removal(base_ev=solution.ev, fixed=fixed, reoptimised=reoptimised)


def _without(rules: Rules, whole: Composition, value: int, play: Play, split_play: SplitMemory) -> tuple[float, float]:
    """EVs with one card of a value gone, play kept and re-optimised; a ten is any of its ranks, as they are held."""
    ranks = TEN_RANKS if VALUES[value] == "10" else (ACE_RANK if value == 0 else value - 1,)
    kept = best = 0.0
    known: dict[int, tuple[float, float]] = {}
    for rank in ranks:
        count = whole.ranks[rank]
        if count and count not in known:
            less = Composition((*whole.ranks[:rank], count - 1, *whole.ranks[rank + 1 :]))
            odds = Odds.of(rules, less)
            _, best_net = solve_splits(odds, split_play)
            kept_net = value_play(odds, play.after_split) if rules.max_hands > 1 else best_net
            known[count] = value_of_play(odds, play, kept_net).ev, overall_ev(odds, odds.with_splits(best_net))
        if count:
            kept += known[count][0] * count / whole.values[value]
            best += known[count][1] * count / whole.values[value]
    return kept, best
