"""The rule players of hold'em under the names people type, seated at a hand: they see a `SeatView` and act.

Their decisions are rules in `holdem.players` (kernels call those too); here they get names, a line about each, and a
reason for every action. Those held out are for generalisation tests: nobody trains against them.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import numpy as np

from holecard.errors import RulesError
from holecard.holdem.equities.equity import equity
from holecard.holdem.game.actions import Action
from holecard.holdem.game.view import SeatView
from holecard.holdem.players.players import Player, pot_odds, rule_move
from holecard.seeds import GOLDEN, key_of, mix


@dataclass(frozen=True, slots=True)
class Opponent:
    """A rule player as people know it."""

    player: Player
    """Its number in kernels."""
    about: str
    """How it plays, in a line."""
    held_out: bool = False
    """True if it is kept apart for generalisation tests."""

    @property
    def name(self) -> str:
        """The name people type."""
        return self.player.title


OPPONENTS: Final = {
    opponent.name: opponent
    for opponent in (
        Opponent(Player.CHECK_FOLD, "never puts in a chip it need not"),
        Opponent(Player.CALL, "checks and calls, whatever happens"),
        Opponent(Player.RAISE, "raises the minimum once a street, then calls"),
        Opponent(Player.SMART, "bets in proportion to its hand, now and then at random"),
        Opponent(Player.SCARED_LIMPER, "limps on the button and folds to any raise without the nuts"),
        Opponent(Player.CALLING_MACHINE, "calls everything, never raises"),
        Opponent(Player.HOTHEAD_MANIAC, "raises the pot blindly, twice the pot when raised"),
        Opponent(Player.CANDID_STATISTICIAN, "bets what its hand is worth, neither more nor less"),
        Opponent(Player.TIGHT_PASSIVE, "waits for good hands and only calls with them", held_out=True),
        Opponent(Player.LOOSE_AGGRESSIVE, "raises often, with half its hands and a quarter of the rest", held_out=True),
        Opponent(Player.POT_ODDS_CALLER, "calls when the pot odds are right, never raises", held_out=True),
        Opponent(Player.MIXED_RANDOM, "calls, raises and folds at random", held_out=True),
        Opponent(Player.STYLE_SWITCHER, "changes its style every 50 hands", held_out=True),
        Opponent(Player.MIN_RAISER, "raises the minimum whenever it may", held_out=True),
    )
}
"""Every rule player by name."""


def opponent_named(name: str) -> Opponent:
    """The rule player of that name.

    >>> opponent_named("scared-limper").player.name
    'SCARED_LIMPER'
    """
    if name not in OPPONENTS:
        near = get_close_matches(name, OPPONENTS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"opponents are {', '.join(OPPONENTS)}"
        raise RulesError(f"unknown opponent {name!r}; {hint}")
    return OPPONENTS[name]


class RulePlayer:
    """A rule player at a table: sees its seat's view, acts, and says why."""

    def __init__(self, opponent: Opponent, *, seed: int = 0, buy_in: int = 0) -> None:
        """`seed` feeds the players that throw dice; `buy_in` is the session's starting stack (0: the hand's)."""
        self.opponent = opponent
        self.name = opponent.name
        self.last_reason = ""
        self._seed = seed
        self._buy_in = buy_in
        self._decisions = 0

    def act(self, view: SeatView, hand_number: int = 0) -> Action:
        """The action in this spot; `last_reason` says what it looked at."""
        assert view.legal is not None, "only the seat to act decides"
        with np.errstate(over="ignore"):
            chance = mix(key_of(np.uint64(self._seed), np.uint64(self._decisions)) ^ GOLDEN)
        self._decisions += 1
        wants_equity = self.opponent.player.wants_equity
        p = equity(view.hole, view.board).equity if wants_equity else np.nan
        record = view.record(hand_number=hand_number, buy_in=self._buy_in, chance=int(chance), equity=p)
        with np.errstate(over="ignore"):
            action = view.legal.of_move(int(rule_move(record, self.opponent.player)))
        seen = f"p {p:.3f}, pot odds {pot_odds(record):.3f}" if wants_equity else self.opponent.about
        self.last_reason = f"{action}: {seen}"
        return action
