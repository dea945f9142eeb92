"""The rule players: their names, what each is about, and the small rule from a seat's `VIEW` record to its move.

p is the exact chance to win against a random hand, ties ½; to the author's Statistician a tie counts as a win. Kernels
know a rule player by its number; at a table `seated` gives it a name and a reason for every action.
"""

from __future__ import annotations

from enum import IntEnum
from math import floor
from typing import Final, Self

import numpy as np

from holecard._jit import Int, rule
from holecard.errors import SettingError, unknown_name
from holecard.holdem.game.betting import CALL
from holecard.holdem.game.view import View
from holecard.holdem.players.decision_rules import author_stake, give_up, paper_move, raise_or_call
from holecard.seeds import below


class RulePlayer(IntEnum):
    """The rule players; the value is a player's number in kernels."""

    about: str
    """How it plays, in a line."""

    CHECK_FOLD = 0, "never puts in a chip it need not"
    CALL = 1, "checks and calls, whatever happens"
    RAISE = 2, "raises the minimum once a street, then calls"
    SMART = 3, "bets in proportion to its hand, now and then at random"
    SCARED_LIMPER = 4, "limps on the button and folds to any raise without the nuts"
    CALLING_MACHINE = 5, "calls everything, never raises"
    HOTHEAD_MANIAC = 6, "raises the pot blindly, twice the pot when raised"
    CANDID_STATISTICIAN = 7, "bets what its hand is worth, neither more nor less"
    TIGHT_PASSIVE = 8, "waits for good hands and only calls with them"
    LOOSE_AGGRESSIVE = 9, "raises often, with half its hands and a quarter of the rest"
    POT_ODDS_CALLER = 10, "calls when the pot odds are right, never raises"
    MIXED_RANDOM = 11, "calls, raises and folds at random"
    STYLE_SWITCHER = 12, "changes its style every 50 hands"
    MIN_RAISER = 13, "raises the minimum whenever it may"
    AUTHOR_SCARED_LIMPER = 14, "limps, checks, and folds to any raise, the nuts too"
    AUTHOR_CALLING_MACHINE = 15, "calls everything, never raises"
    AUTHOR_HOTHEAD_MANIAC = 16, "raises by twice the minimum or the last raise, whatever it holds"
    AUTHOR_CANDID_STATISTICIAN = 17, "folds below the pot odds, otherwise stakes what its hand is worth beyond them"

    def __new__(cls, number: int, about: str) -> Self:
        """A member is its number, with a line about it."""
        player = int.__new__(cls, number)
        player._value_ = number
        player.about = about
        return player

    @property
    def title(self) -> str:
        """The name people type: `scared-limper`, `author:scared-limper`."""
        return self.name.lower().replace("author_", "author:").replace("_", "-")

    @property
    def wants_equity(self) -> bool:
        """True if its decisions look at p."""
        return self in _WANT_EQUITY

    @property
    def ties_win(self) -> bool:
        """True if a tie counts as a win in the p that it looks at."""
        return counts_ties(self)

    @property
    def held_out(self) -> bool:
        """True if it is kept apart for generalisation tests: nobody trains against it."""
        return self in _HELD_OUT


_WANT_EQUITY: Final = frozenset(
    {
        RulePlayer.SMART,
        RulePlayer.SCARED_LIMPER,
        RulePlayer.CANDID_STATISTICIAN,
        RulePlayer.TIGHT_PASSIVE,
        RulePlayer.LOOSE_AGGRESSIVE,
        RulePlayer.POT_ODDS_CALLER,
        RulePlayer.STYLE_SWITCHER,
        RulePlayer.AUTHOR_CANDID_STATISTICIAN,
    }
)
_HELD_OUT: Final = frozenset(
    {
        RulePlayer.TIGHT_PASSIVE,
        RulePlayer.LOOSE_AGGRESSIVE,
        RulePlayer.POT_ODDS_CALLER,
        RulePlayer.MIXED_RANDOM,
        RulePlayer.STYLE_SWITCHER,
        RulePlayer.MIN_RAISER,
    }
)
RULE_PLAYERS: Final = {player.title: player for player in RulePlayer}
"""Every rule player by the name people type."""
SWITCH_EVERY: Final = 50
"""Hands a style switcher keeps a style."""


def rule_player_named(name: str) -> RulePlayer:
    """The rule player of that name.

    >>> rule_player_named("scared-limper").about
    'limps on the button and folds to any raise without the nuts'
    """
    if name not in RULE_PLAYERS:
        raise SettingError(unknown_name("opponent", name, RULE_PLAYERS))
    return RULE_PLAYERS[name]


def rule_player_numbered(number: int) -> RulePlayer:
    """The rule player of that number, as kernels know it."""
    return RulePlayer(number)  # type: ignore[call-arg]


@rule
def counts_ties(player: int) -> bool:
    """True if a tie counts as a win in the p that the rule player with that number looks at."""
    return player == RulePlayer.AUTHOR_CANDID_STATISTICIAN


@rule
def chance_below(view: View, counter: int, n: int) -> Int:
    """The `counter`-th random number of this decision, 0 … n−1."""
    return np.int64(below(view["chance"], np.uint64(counter), np.uint64(n)))


@rule
def pot_odds(view: View) -> float:
    """The share of the pot after the call that the call pays: p above it makes calling pay; 0 when checking is free."""
    return view["to_call"] / (view["to_call"] + view["pot"])


@rule
def by_pots(view: View, pots: float) -> int:
    """Raise by so many times the pot as it stands after a call."""
    highest = max(view["bet"], view["other_bet"])
    return raise_or_call(view, highest + floor(pots * (view["pot"] + view["to_call"])))


@rule
def raise_once(view: View) -> int:
    """The minimum raise, once a street; then calls (AIRaise)."""
    return raise_or_call(view, 0) if view["raises"] == 0 else CALL


@rule
def smart(view: View) -> int:
    """Bets in proportion to its hand (AISmart; the original sorted starting hands into groups, this one uses p).

    One decision in 20: the minimum raise, whatever it holds. From p = 0.60, and at most twice a street: raises by
    2(p − ½) pots. From p = 0.45, if the pot odds agree (p at or above them): checks or calls. Else checks or folds.
    """
    p = view["equity"]
    if chance_below(view, 0, 20) == 0:
        return raise_or_call(view, 0)
    if p >= 0.60 and view["raises"] < 2:
        return by_pots(view, 2.0 * (p - 0.5))
    return CALL if p >= max(0.45, pot_odds(view)) else give_up(view)


@rule
def scared_limper(view: View) -> int:
    """Limps on the button; otherwise plays o = p⁵⁰ by Algorithm 1, so any raise folds all but the nuts."""
    if view["street"] == 0 and view["on_button"] and view["other_raises"] == 0:
        return CALL
    return paper_move(view, view["equity"] ** 50)


@rule
def hothead_maniac(view: View) -> int:
    """Raises by the pot, and by twice the pot when raised."""
    return by_pots(view, 2.0 if view["other_raises"] > 0 else 1.0)


@rule
def candid_statistician(view: View) -> int:
    """Plays o = p⁷ by Algorithm 1: its bets say what it holds."""
    return paper_move(view, view["equity"] ** 7)


@rule
def tight_passive(view: View) -> int:
    """Calls from p = 0.65 (0.55 before the flop), bets half the pot once from 0.90; else checks or folds."""
    p = view["equity"]
    if p >= 0.90 and view["raises"] == 0:
        return by_pots(view, 0.5)
    return CALL if p >= (0.55 if view["street"] == 0 else 0.65) else give_up(view)


@rule
def loose_aggressive(view: View) -> int:
    """Raises by ⅔ pot from p = 0.50, one time in four with any hand, three times a street at most; calls from 0.35."""
    p = view["equity"]
    if view["raises"] < 3 and (p >= 0.50 or chance_below(view, 0, 4) == 0):
        return by_pots(view, 2.0 / 3.0)
    return CALL if p >= 0.35 else give_up(view)


@rule
def pot_odds_caller(view: View) -> int:
    """Never raises; calls when p is at or above the pot odds."""
    return CALL if view["equity"] >= pot_odds(view) else give_up(view)


@rule
def mixed_random(view: View) -> int:
    """Blind to its cards: of ten decisions five check or call, three raise by ½ to 2 pots, two check or fold."""
    throw = chance_below(view, 0, 10)
    if throw < 5:
        return CALL
    return by_pots(view, 0.5 * (1 + chance_below(view, 1, 4))) if throw < 8 else give_up(view)


@rule
def style_switcher(view: View) -> int:
    """Every 50 hands another style: calls everything, plays tight-passive, plays the maniac, and round again."""
    style = (view["hand_number"] // SWITCH_EVERY) % 3
    if style == 0:
        return CALL
    return tight_passive(view) if style == 1 else hothead_maniac(view)


@rule
def author_scared_limper(view: View) -> int:
    """Puts in no chip beyond the big blind: limps before the flop, checks, folds to any raise."""
    enough = view["big_blind"] if view["street"] == 0 else 0
    return give_up(view) if max(view["bet"], view["other_bet"]) > enough else CALL


@rule
def author_hothead_maniac(view: View) -> int:
    """Raises by twice the least raise, all-in if short: a raise by x is answered by a raise by 2x."""
    if view["max_raise_to"] == 0:
        return CALL
    highest = max(view["bet"], view["other_bet"])
    return min(highest + 2 * (view["min_raise_to"] - highest), view["max_raise_to"])


_HANDS: Final = np.float32(990)
_CENT: Final = 1e-7


@rule
def author_strength(view: View) -> float:
    """The share of 990 hands that do not beat this one, in float32; before the flop their number has two decimals."""
    better = 990.0 * (1.0 - view["equity"])
    if view["street"] == 0:
        better = floor(100.0 * better + _CENT) / 100.0
    return float((_HANDS - np.float32(better)) / _HANDS)


@rule
def author_candid_statistician(view: View) -> int:
    """Checks or folds below the pot odds; from there stakes ((s − odds) / (1 − odds))^3.2068 of what it has."""
    strength, odds = author_strength(view), pot_odds(view)
    if strength < odds:
        return give_up(view)
    return author_stake(view, ((strength - odds) / (1.0 - odds)) ** 3.2068309283146066)


@rule
def _author_move(view: View, player: int) -> int:
    """The move of one of the author's players (his Calling Machine calls)."""
    if player == RulePlayer.AUTHOR_SCARED_LIMPER:
        return author_scared_limper(view)
    if player == RulePlayer.AUTHOR_HOTHEAD_MANIAC:
        return author_hothead_maniac(view)
    return author_candid_statistician(view) if player == RulePlayer.AUTHOR_CANDID_STATISTICIAN else CALL


@rule
def rule_move(view: View, player: int) -> int:
    """The move of the rule player with that number (CALL and CALLING_MACHINE always call); always legal."""
    if player == RulePlayer.CHECK_FOLD:
        return give_up(view)
    if player >= RulePlayer.AUTHOR_SCARED_LIMPER:
        return _author_move(view, player)
    if player == RulePlayer.RAISE:
        return raise_once(view)
    if player == RulePlayer.SMART:
        return smart(view)
    if player == RulePlayer.SCARED_LIMPER:
        return scared_limper(view)
    if player == RulePlayer.HOTHEAD_MANIAC:
        return hothead_maniac(view)
    if player == RulePlayer.CANDID_STATISTICIAN:
        return candid_statistician(view)
    if player == RulePlayer.TIGHT_PASSIVE:
        return tight_passive(view)
    if player == RulePlayer.LOOSE_AGGRESSIVE:
        return loose_aggressive(view)
    if player == RulePlayer.POT_ODDS_CALLER:
        return pot_odds_caller(view)
    if player == RulePlayer.MIXED_RANDOM:
        return mixed_random(view)
    if player == RulePlayer.STYLE_SWITCHER:
        return style_switcher(view)
    return raise_or_call(view, 0) if player == RulePlayer.MIN_RAISER else CALL
