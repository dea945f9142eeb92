"""Decision rules: from one number to a move, for networks and for the rule players that bet by a formula.

`o` says how much of a stack the player would put in. All return a legal move of `betting` for a `VIEW` record.
"""

from __future__ import annotations

from enum import IntEnum
from math import floor, isfinite
from typing import Final

from holecard._jit import rule
from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.game.view import View


class DecisionRule(IntEnum):
    """The decision rules by number, as kernels know them."""

    POKERNET = 0
    PAPER = 1
    AUTHOR = 2
    AUTHOR_DECEMBER = 3
    THIRDS = 4

    @property
    def title(self) -> str:
        """The name people type: `author-december`."""
        return self.name.lower().replace("_", "-")


DECISION_RULES: Final = {each.title: each for each in DecisionRule}
"""Every decision rule by the name people type."""


@rule
def give_up(view: View) -> int:
    """Check if it is free, otherwise fold."""
    return FOLD if view["to_call"] > 0 else CALL


@rule
def raise_or_call(view: View, raise_to: int) -> int:
    """Raise to that many chips, to the minimum if that is more, all-in if short; call where no raise is allowed."""
    if view["max_raise_to"] == 0:
        return CALL
    return min(max(raise_to, view["min_raise_to"]), view["max_raise_to"])


@rule
def pokernet_move(view: View, o: float) -> int:
    """The PokerNet model card's algorithm, o in −1 … 1, ss the chips the session began with:

    o < 0: check or fold; o < to_call / ss: call; else raise *by* ⌊o·ss / BB⌋ big blinds on top of the call, all-in if
    the stack is short of it; below the minimum raise: call, or check when free.
    """
    if o < 0:
        return give_up(view)
    if o * view["buy_in"] < view["to_call"] or view["max_raise_to"] == 0:
        return CALL
    big_blinds = floor(o * view["buy_in"] / view["big_blind"])
    raise_to = max(view["bet"], view["other_bet"]) + big_blinds * view["big_blind"]
    if raise_to >= view["max_raise_to"]:
        return view["max_raise_to"]
    return raise_to if raise_to >= view["min_raise_to"] else CALL


@rule
def paper_move(view: View, o: float) -> int:
    """Algorithm 1 of Li and Miikkulainen (2017), o in −1 … 1, y = o · stack, the stack the player began the hand with:

    y < to_call: check if free, else fold; y < to_call + minimum raise: check or call; else put in the multiple of the
    big blind nearest y (at least the minimum raise); all-in if short.
    """
    y = o * view["start"]
    if y < view["to_call"]:
        return give_up(view)
    highest = max(view["bet"], view["other_bet"])
    if view["max_raise_to"] == 0 or y < view["to_call"] + view["min_raise_to"] - highest:
        return CALL
    put_in = floor(y / view["big_blind"] + 0.5) * view["big_blind"]
    return raise_or_call(view, view["bet"] + put_in)


@rule
def author_stake(view: View, o: float, by_december: bool = False) -> int:
    """The paper's author's program: o, 0 … 1, is the share that shall lie in front, of what does and of the stack.

    No more than the highest bet: check or call; all of it: all-in; else raise by the minimum and the whole big blinds
    beyond it, where there are as many chips, or check or call. In December 2016 it took the minimum off twice.
    """
    if view["max_raise_to"] == 0:
        return CALL
    highest, total = max(view["bet"], view["other_bet"]), view["bet"] + view["stack"]
    target = floor(o * total + 0.5)
    if highest >= target:
        return CALL
    if target >= total:
        return view["max_raise_to"]
    over = target - view["min_raise_to"]
    if over < 0:
        return CALL
    whole = over // view["big_blind"] * view["big_blind"]
    if not by_december:
        return view["min_raise_to"] + whole
    return highest + whole if highest + whole >= view["min_raise_to"] else CALL


@rule
def author_move(view: View, o: float, by_december: bool) -> int:
    """The author's program, o in −1 … 1: below 0 it gives up, else o is staked."""
    return give_up(view) if o < 0 else author_stake(view, o, by_december)


_THIRD: Final = 1.0 / 3.0


@rule
def thirds_move(view: View, o: float) -> int:
    """Three equal parts of −1 … 1: the lowest checks or folds, the middle checks or calls, the highest raises.

    Raises grow by the same factor with every step of o, from the least at ⅓ to all-in at ⅚ and above, so that a small
    raise is as easy to find as a large one; where none is allowed, the highest part calls.
    """
    if o < -_THIRD:
        return give_up(view)
    if o < _THIRD or view["max_raise_to"] == 0:
        return CALL
    share = min(1.0, 2.0 * (o - _THIRD))
    least = float(view["min_raise_to"])
    return raise_or_call(view, floor(least * (view["max_raise_to"] / least) ** share + 0.5))


@rule
def move_by(decision_rule: int, view: View, o: float) -> int:
    """The move for a network's output by the decision rule of that number; an output that is no number gives up."""
    if not isfinite(o):
        return give_up(view)
    if decision_rule == DecisionRule.POKERNET:
        return pokernet_move(view, o)
    if decision_rule == DecisionRule.PAPER:
        return paper_move(view, o)
    if decision_rule == DecisionRule.THIRDS:
        return thirds_move(view, o)
    return author_move(view, o, decision_rule == DecisionRule.AUTHOR_DECEMBER)
