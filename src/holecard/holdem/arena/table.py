"""A table where hands are played by deciding rules: one record for everything, one loop for every kind of player.

`play_hand` takes the deciding rule as an argument, so a kernel with other players (evolved networks) compiles the same
loop: `decide(view, player, players)` returns a legal move, `players` is whatever it needs. Players 0 and 1 keep their
numbers when they change seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from holecard._jit import rule
from holecard.holdem.equities.lookup import RIVER_WORK, equity_vs_random
from holecard.holdem.game.betting import HAND, NOBODY, SHOWDOWN, apply, deal, post, pot, show_down
from holecard.holdem.game.rules import Stakes
from holecard.holdem.game.statistics import TALLY, tally_hand, tally_move
from holecard.holdem.game.view import VIEW, look
from holecard.seeds import GOLDEN, key_of, mix

TABLE = np.dtype(
    [
        ("hand", HAND),
        ("player_in", np.int64, (2,)),  # the player, 0 or 1, in each seat
        ("view", VIEW, (2,)),  # by player
        ("tally", TALLY, (2,)),  # by player
        ("wants_equity", np.uint8, (2,)),  # by player: 1 if it looks at p, KNOWN if p is in `known` already
        ("known", np.float64, (2, 4)),  # p by seat and street, where the deck's equities were computed beforehand
        ("ties_win", np.bool_),
        ("equity_street", np.int64, (2,)),  # by player: the street whose equity stands in the view
        ("buy_in", np.int64),
        ("decisions", np.int64),  # in this hand
        ("last_street", np.int64),  # the street of this hand's last decision
        ("pot_on", np.int64, (4,)),  # chips in the middle when each street was dealt, as far as decisions went
        ("luck", np.int64),  # millionths of chips that boards brought player 0 in this session beyond their average
        ("river", RIVER_WORK),
    ],
    align=True,
)

KNOWN: Final = 2
"""In `wants_equity`: look p up in `known`, do not compute it."""
Decide = Callable[[Any, int, Any], int]
"""A rule: decide(view, player, players) → move."""
_CHANCE = np.uint64(0xD1B54A32D192ED03)  # sets the players' own random numbers apart from the cards'


@rule
def begin_hand(table: Any, key: np.uint64, number: int, stack_0: int, stack_1: int, stakes: Stakes) -> None:
    """Deal hand `number` of a session from the hand's key; the button changes seats every hand, seat 0 first."""
    hand = table["hand"]
    deal(hand, key)
    post(hand, number & 1, stack_0, stack_1, stakes)
    table["decisions"] = 0
    table["last_street"] = 0
    for player in range(2):
        table["equity_street"][player] = -1
        table["view"][player]["hand_number"] = number
        table["view"][player]["buy_in"] = table["buy_in"]
        table["view"][player]["equity"] = np.nan


@rule
def see(table: Any, tables: Any, key: np.uint64, stakes: Stakes) -> int:
    """Bring the view of the player to act up to date, with equity once a street if wanted; returns the player."""
    hand = table["hand"]
    seat = hand["actor"]
    player = table["player_in"][seat]
    view = table["view"][player]
    look(hand, seat, stakes, view)
    view["chance"] = mix((key ^ _CHANCE) + np.uint64(table["decisions"]) * GOLDEN)
    table["last_street"] = hand["street"]
    table["pot_on"][hand["street"]] = pot(hand) - hand["bet"][0] - hand["bet"][1]
    if table["wants_equity"][player] == KNOWN:
        view["equity"] = table["known"][seat, hand["street"]]
    elif table["wants_equity"][player] and table["equity_street"][player] != hand["street"]:
        a, b = view["hole"][0], view["hole"][1]
        view["equity"] = equity_vs_random(tables, a, b, view["board"], view["dealt"], table["river"], table["ties_win"])
        table["equity_street"][player] = hand["street"]
    return player


@rule
def play_hand(table: Any, tables: Any, key: np.uint64, stakes: Stakes, decide: Decide, players: Any) -> None:
    """Play the hand that `begin_hand` dealt to its end and count it for both players; `tables` is an EQUITY record."""
    hand = table["hand"]
    while hand["actor"] != NOBODY:
        player = see(table, tables, key, stakes)
        view = table["view"][player]
        move = decide(view, player, players)
        tally_move(table["tally"][player], view["street"], view["to_call"], view["stack"], view["bet"], move)
        apply(hand, move, stakes)
        table["decisions"] += 1
    if hand["street"] == SHOWDOWN:
        show_down(hand, tables["ranking"])
    for seat in range(2):
        tally_hand(table["tally"][table["player_in"][seat]], hand["street"], hand["folded"], hand["net"][seat])


@rule
def luck_of(table: Any, chances: Any) -> int:
    """What the board brought seat 0 in a hand just played beyond its average, in millionths of chips.

    Every street that was dealt moved the chance to win the chips then in the middle; nobody can foresee which way, so
    the mean of it is 0 whatever the players do. `chances` (4) are seat 0's against the other's actual hand.
    """
    hand, last = table["hand"], table["last_street"]
    luck = 0
    for street in range(1, last + 1):
        luck += table["pot_on"][street] * (chances[street] - chances[street - 1])
    if hand["street"] == SHOWDOWN and hand["folded"] == NOBODY:
        luck += pot(hand) * (chances[3] - chances[last])
    return luck


@rule
def hand_key(seed: np.uint64, deck: int, number: int) -> np.uint64:
    """The key of hand `number` in a session dealt from deck set `deck` of a seed."""
    return key_of(key_of(seed, np.uint64(deck)), np.uint64(number))
