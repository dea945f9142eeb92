"""One hand, played by any two players: one record for all that a session keeps, one loop for every kind of player.

`play_hand` takes the deciding rule as an argument, so that a kernel compiles the same loop for rule players, networks
or whatever else decides: `decide(view, player, players)` returns a legal move, `players` is whatever it needs. Players
0 and 1 keep their numbers when they change seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np

from holecard._jit import rule
from holecard.holdem.equities.lookup import RIVER_WORK, equity_vs_random
from holecard.holdem.equities.tables import EquityTables
from holecard.holdem.game.betting import HAND, NOBODY, SHOWDOWN, apply, deal, post, pot, show_down
from holecard.holdem.game.rules import SessionTerms, Stakes
from holecard.holdem.game.statistics import TALLY, tally_hand, tally_move
from holecard.holdem.game.view import VIEW, View, look
from holecard.seeds import GOLDEN, mix

SESSION = np.dtype(
    [
        ("hand", HAND),  # the hand being played
        ("player_in", np.int64, (2,)),  # the player, 0 or 1, in each seat
        ("view", VIEW, (2,)),  # by player
        ("tally", TALLY, (2,)),  # by player; counts over all sessions that are played in this record
        ("wants_equity", np.uint8, (2,)),  # by player: 1 if it looks at p, KNOWN if p is in `known` already
        ("known", np.float64, (2, 4)),  # p by seat and street, where the deck set's equities were computed beforehand
        ("known_ties_win", np.float64, (2, 4)),  # the same with a tie as a win
        ("ties_win", np.uint8, (2,)),  # by player: 1 if a tie counts as a win in its p
        ("equity_street", np.int64, (2,)),  # by player: the street whose equity stands in the view
        ("first_hand", np.int64),  # the hand with which both last bought in
        ("decisions", np.int64),  # in this hand
        ("last_street", np.int64),  # the street of this hand's last decision
        ("pot_on", np.int64, (4,)),  # chips in the middle when each street was dealt, as far as decisions went
        ("board_luck", np.int64),  # millionths of chips that boards brought player 0 beyond their average
        ("river", RIVER_WORK),
    ],
    align=True,
)
Session: TypeAlias = Any
"""A `SESSION` record."""

KNOWN: Final = 2
"""In `wants_equity`: look p up in `known`, do not compute it."""
Decide = Callable[[View, int, Any], int]
"""A rule: decide(view, player, players) → move."""
_CHANCE = np.uint64(0xD1B54A32D192ED03)  # sets the players' own random numbers apart from the cards'


@rule
def begin_hand(session: Session, key: np.uint64, number: int, stack_0: int, stack_1: int, terms: SessionTerms) -> None:
    """Deal hand `number` of a session from the hand's key; the button changes seats every hand, seat 0 first."""
    hand = session["hand"]
    deal(hand, key)
    post(hand, number & 1, stack_0, stack_1, terms.stakes)
    session["decisions"] = 0
    session["last_street"] = 0
    for player in range(2):
        session["equity_street"][player] = -1
        session["view"][player]["hand_number"] = number
        session["view"][player]["first_hand"] = session["first_hand"]
        session["view"][player]["buy_in"] = terms.buy_in
        session["view"][player]["equity"] = np.nan


@rule
def next_stacks(session: Session, number: int, terms: SessionTerms) -> tuple[int, int]:
    """What the seats begin the next hand with, once hand `number` is over; who has nothing ends the session."""
    stack_0, stack_1 = session["hand"]["stack"][0], session["hand"]["stack"][1]
    if not terms.carried:
        return terms.buy_in, terms.buy_in
    if terms.rebuys and (stack_0 == 0 or stack_1 == 0):
        session["first_hand"] = number + 1
        return terms.buy_in, terms.buy_in
    return stack_0, stack_1


@rule
def see(session: Session, equity_tables: EquityTables, key: np.uint64, stakes: Stakes) -> int:
    """Bring the view of the player to act up to date, with equity once a street if wanted; returns the player."""
    hand = session["hand"]
    seat = hand["actor"]
    player = session["player_in"][seat]
    view = session["view"][player]
    look(hand, seat, stakes, view)
    view["chance"] = mix((key ^ _CHANCE) + np.uint64(session["decisions"]) * GOLDEN)
    session["last_street"] = hand["street"]
    session["pot_on"][hand["street"]] = pot(hand) - hand["bet"][0] - hand["bet"][1]
    if session["wants_equity"][player] == KNOWN:
        if session["ties_win"][player] > 0:
            view["equity"] = session["known_ties_win"][seat, hand["street"]]
        else:
            view["equity"] = session["known"][seat, hand["street"]]
    elif session["wants_equity"][player] and session["equity_street"][player] != hand["street"]:
        a, b = view["hole"][0], view["hole"][1]
        board, dealt, work = view["board"], view["dealt"], session["river"]
        view["equity"] = equity_vs_random(equity_tables, a, b, board, dealt, work, session["ties_win"][player] > 0)
        session["equity_street"][player] = hand["street"]
    return player


@rule
def play_hand(
    session: Session, equity_tables: EquityTables, key: np.uint64, stakes: Stakes, decide: Decide, players: Any
) -> None:
    """Play the hand that `begin_hand` dealt to its end and count it for both players."""
    hand = session["hand"]
    while hand["actor"] != NOBODY:
        player = see(session, equity_tables, key, stakes)
        view = session["view"][player]
        move = decide(view, player, players)
        tally_move(session["tally"][player], view["street"], view["to_call"], view["stack"], view["bet"], move)
        apply(hand, move, stakes)
        session["decisions"] += 1
    if hand["street"] == SHOWDOWN:
        show_down(hand, equity_tables["ranking"])
    for seat in range(2):
        tally_hand(session["tally"][session["player_in"][seat]], hand["street"], hand["folded"], hand["net"][seat])


@rule
def board_luck_of(session: Session, chances: Any) -> int:
    """What the board brought seat 0 in a hand just played beyond its average, in millionths of chips.

    Every street that was dealt moved the chance to win the chips then in the middle; nobody can foresee which way, so
    the mean of it is 0 whatever the players do. `chances` (4) are seat 0's against the other's actual hand.
    """
    hand, last = session["hand"], session["last_street"]
    luck = 0
    for street in range(1, last + 1):
        luck += session["pot_on"][street] * (chances[street] - chances[street - 1])
    if hand["street"] == SHOWDOWN and hand["folded"] == NOBODY:
        luck += pot(hand) * (chances[3] - chances[last])
    return luck
