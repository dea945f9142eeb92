"""How a player plays: counts kept by rules (in kernels and on histories alike) and the rates people read from them.

VPIP   hands with a voluntary call or raise before the flop ÷ hands (posting a blind or checking is not voluntary)
PFR    hands with a raise before the flop ÷ hands
AF     bets and raises after the flop ÷ calls after the flop
WSD    showdowns ÷ hands in which the player saw the flop (an all-in before it counts as seeing it)
WSDW   showdowns won ÷ showdowns, a split counting ½
shares of all decisions: fold, check, call, raise, all-in (a call or raise with the last chip is an all-in)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rule
from holecard.holdem.game.betting import CALL, FOLD, NOBODY, SHOWDOWN
from holecard.holdem.game.history import HandHistory

TALLY = np.dtype(
    [
        ("hands", np.int64),
        ("entered", np.int64),  # hands with chips put in voluntarily before the flop
        ("raised_preflop", np.int64),
        ("aggressive", np.int64),  # bets and raises after the flop
        ("passive", np.int64),  # calls after the flop
        ("flops", np.int64),
        ("showdowns", np.int64),
        ("half_wins", np.int64),  # at showdown: 2 for a win, 1 for a split
        ("folds", np.int64),
        ("checks", np.int64),
        ("calls", np.int64),
        ("raises", np.int64),
        ("all_ins", np.int64),
        ("entered_now", np.bool_),  # of the hand being played
        ("raised_now", np.bool_),
    ],
    align=True,
)


Tally: TypeAlias = Any
"""A `TALLY` record."""

MOVE_KINDS: Final = ("fold", "check", "call", "raise", "all-in")
"""What a move is called; a call or raise with the last chip is an all-in."""
_FOLD, _CHECK, _CALL, _RAISE, _ALL_IN = range(5)


@rule
def move_kind(to_call: int, stack: int, bet: int, move: int) -> int:
    """The index in MOVE_KINDS of a move, given the actor's spot before it."""
    if move == FOLD:
        return _FOLD
    chips = to_call if move == CALL else move - bet
    if chips > 0 and chips == stack:
        return _ALL_IN
    if move != CALL:
        return _RAISE
    return _CALL if to_call > 0 else _CHECK


@rule
def tally_move(tally: Tally, street: int, to_call: int, stack: int, bet: int, move: int) -> None:
    """Count a move, given the actor's spot before it."""
    kind = move_kind(to_call, stack, bet, move)
    if kind == _FOLD:
        tally["folds"] += 1
        return
    if move != CALL and street == 0:
        tally["entered_now"] = True
        tally["raised_now"] = True
    elif move != CALL:
        tally["aggressive"] += 1
    elif to_call > 0 and street == 0:
        tally["entered_now"] = True
    elif to_call > 0:
        tally["passive"] += 1
    if kind == _ALL_IN:
        tally["all_ins"] += 1
    elif kind == _RAISE:
        tally["raises"] += 1
    elif kind == _CALL:
        tally["calls"] += 1
    else:
        tally["checks"] += 1


@rule
def tally_hand(tally: Tally, street: int, folded: int, net: int) -> None:
    """Count a finished hand of a seat, given the street it ended on, who folded and the seat's result."""
    tally["hands"] += 1
    tally["entered"] += tally["entered_now"]
    tally["raised_preflop"] += tally["raised_now"]
    tally["entered_now"] = False
    tally["raised_now"] = False
    if street > 0:
        tally["flops"] += 1
    if street == SHOWDOWN and folded == NOBODY:
        tally["showdowns"] += 1
        if net > 0:
            tally["half_wins"] += 2
        elif net == 0:
            tally["half_wins"] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The rates of one player; NaN where there was nothing to divide by."""

    hands: int
    """Hands played."""
    vpip: float
    """Share of hands entered voluntarily before the flop."""
    pfr: float
    """Share of hands raised before the flop."""
    af: float
    """Bets and raises per call after the flop; infinite without a call."""
    wsd: float
    """Showdowns per flop seen."""
    wsdw: float
    """Share of showdowns won, a split ½."""
    shares: dict[str, float]
    """Shares of decisions: fold, check, call, raise, all_in."""

    @classmethod
    def of(cls, tally: Tally) -> Statistics:
        """The rates of a `TALLY` record."""
        count = {name: int(tally[name]) for name in TALLY.names or ()}
        decided = {name: count[f"{name}s"] for name in ("fold", "check", "call", "raise", "all_in")}
        decisions = sum(decided.values())
        return cls(
            hands=count["hands"],
            vpip=_ratio(count["entered"], count["hands"]),
            pfr=_ratio(count["raised_preflop"], count["hands"]),
            af=_ratio(count["aggressive"], count["passive"]),
            wsd=_ratio(count["showdowns"], count["flops"]),
            wsdw=_ratio(count["half_wins"], 2 * count["showdowns"]),
            shares={name: _ratio(number, decisions) for name, number in decided.items()},
        )


def vpip_and_af(tallies: NDArray[Any]) -> list[tuple[float, float]]:
    """VPIP and AF of many `TALLY` records (n), as `Statistics.of` has them."""
    entered, hands, aggressive, passive = (
        tallies[name].tolist() for name in ("entered", "hands", "aggressive", "passive")
    )
    return [
        (_ratio(each, dealt), _ratio(bets, calls))
        for each, dealt, bets, calls in zip(entered, hands, aggressive, passive, strict=True)
    ]


def _ratio(part: int, whole: int) -> float:
    if whole == 0:
        return inf if part else nan
    return part / whole


def add_tallies(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The sum of several tallies by player: (…, 2) `TALLY` each in, (2) out."""
    total = np.zeros(2, TALLY)
    for name in TALLY.names or ():
        for part in parts:
            total[name] += part.reshape(-1, 2)[name].sum(axis=0).astype(TALLY[name])
    return total


def statistics_of(histories: Iterable[HandHistory], seat: int) -> Statistics:
    """The rates of the player in `seat` over finished hands."""
    tally = np.zeros(1, TALLY)[0]
    for history in histories:
        tally_history(tally, history, seat)
    return Statistics.of(tally)


def tally_history(tally: Tally, history: HandHistory, seat: int) -> None:
    """Count a finished hand for the player in `seat`."""
    states = history.states()
    hand = next(states)
    for move in history.moves:
        if hand.actor == seat:
            tally_move(tally, hand.street, hand.to_call, hand.stacks[seat], hand.bets[seat], move)
        next(states)
    record = hand.record
    tally_hand(tally, int(record["street"]), int(record["folded"]), hand.payoffs[seat])
