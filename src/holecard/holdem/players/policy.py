"""A policy: what to do at every decision that a line of play leads to, by the cards; best responses are kept so.

A decision is found by what its view shows of the betting, its move by hero's cards: the starting hand, the hand on a
flop or turn up to suits, the chance to win on the river. Where the betting leads elsewhere (other stacks, another
opponent) a simple rule decides: it calls as the pot odds say and goes all-in on the river from p = ½. A
policy may also be a blueprint, a mixed strategy (`blueprint`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.equities.boards import HANDS, canonical_of, flop_number, hand_on, turn_number
from holecard.holdem.equities.tables import EquityTables, starting_hand
from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.game.view import View
from holecard.holdem.players.blueprint import Blueprint, blueprint_move, no_blueprint
from holecard.holdem.players.record import PLAYER, Players, decide

MOST_MOVES: Final = 16
"""Moves to choose from at a decision, at most."""
_HALF_WINS: Final = 1980
DECISION = np.dtype(
    [
        ("street", np.int64),
        ("on_button", np.bool_),
        ("paid", np.int64),  # by hero over the whole hand
        ("other_paid", np.int64),
        ("column", np.int64),  # in the choices of its street; −1 where there is one move
        ("moves", np.int64, (MOST_MOVES,)),
    ],
    align=True,
)


class Policy(NamedTuple):
    """What to do where; enters kernels as it is."""

    decisions: NDArray[Any]
    """Where it has something to say, (n) `DECISION`."""
    preflop: NDArray[np.uint8]
    """The number of the move by starting hand, (169, decisions before the flop)."""
    flop: NDArray[np.uint8]
    """By canonical flop and hand, (1755, 1326, decisions on the flop)."""
    turn: NDArray[np.uint8]
    """By canonical turn and hand, (16432, 1326, decisions on the turn)."""
    river: NDArray[np.uint8]
    """By half wins of 1,980, (1981, decisions on the river)."""
    blueprint: Blueprint
    """A mixed strategy to play by instead of all this; an empty one if there is none."""


class PolicyPlayers(NamedTuple):
    """Two players of which one or both play by a policy; enters kernels as it is."""

    records: NDArray[Any]
    """Two `PLAYER` records."""
    plays_policy: NDArray[np.bool_]
    """Who plays by its policy, (2)."""
    first: Policy
    """The policy of player 0; empty if it has none."""
    other: Policy
    """The policy of player 1."""
    equity_tables: NDArray[Any]
    """The equity tables, (1)."""


PolicyOf: TypeAlias = Any
"""A function from `HoldemRules` to the `Policy` to play by them."""


def no_policy() -> Policy:
    """The policy of who has none."""
    return Policy(
        decisions=np.zeros(0, DECISION),
        preflop=np.zeros((169, 0), np.uint8),
        flop=np.zeros((0, HANDS, 0), np.uint8),
        turn=np.zeros((0, HANDS, 0), np.uint8),
        river=np.zeros((_HALF_WINS + 1, 0), np.uint8),
        blueprint=no_blueprint(),
    )


@rule
def is_mixed(policy: Policy) -> bool:
    """True if a policy plays by a blueprint."""
    return policy.blueprint.share.shape[0] > 0


@rule
def find_decision(policy: Policy, view: View) -> int:
    """The number of the decision that a view shows; −1 if the policy does not know it."""
    for at in range(policy.decisions.shape[0]):
        here = policy.decisions[at]
        if (
            here["street"] == view["street"]
            and here["on_button"] == view["on_button"]
            and here["paid"] == view["paid"]
            and here["other_paid"] == view["other_paid"]
        ):
            return at
    return -1


@rule
def _choice(policy: Policy, view: View, column: int, tables: EquityTables) -> int:
    """The number of the move for the cards of a view."""
    a, b, board = view["hole"][0], view["hole"][1], view["board"]
    if view["street"] == 0:
        return int(policy.preflop[starting_hand(a, b), column])
    boards = tables["boards"]
    if view["street"] == 1:
        packed = boards["flop"][flop_number(board[0], board[1], board[2])]
        return int(policy.flop[canonical_of(packed), hand_on(boards, packed, a, b), column])
    if view["street"] == 2:
        packed = boards["turn"][turn_number(board[0], board[1], board[2], board[3])]
        return int(policy.turn[canonical_of(packed), hand_on(boards, packed, a, b), column])
    return int(policy.river[int(view["equity"] * _HALF_WINS + 0.5), column])


@rule
def off_line_move(view: View) -> int:
    """What to do where nothing is known: call as the pot odds say, all-in on the river from p = ½."""
    if view["street"] == 3 and view["equity"] >= 0.5 and view["max_raise_to"] > 0:
        return int(view["max_raise_to"])
    owed = view["to_call"]
    return CALL if owed == 0 or view["equity"] >= owed / (owed + view["pot"]) else FOLD


@rule
def policy_move(policy: Policy, view: View, tables: EquityTables) -> int:
    """The move of a policy; a legal one in any spot."""
    if is_mixed(policy):
        return blueprint_move(policy.blueprint, view)
    at = find_decision(policy, view)
    if at >= 0:
        here = policy.decisions[at]
        column = here["column"]
        return int(here["moves"][0 if column < 0 else _choice(policy, view, column, tables)])
    return off_line_move(view)


@rule
def decide_by_policy(view: View, player: int, players: PolicyPlayers) -> int:
    """The move of player 0 or 1 of two, by its policy or as its record says."""
    if not players.plays_policy[player]:
        return decide(view, player, players.records)
    return policy_move(players.first if player == 0 else players.other, view, players.equity_tables[0])


@kernel
def policy_move_at(policy: Policy, views: Any, tables: Any) -> int:
    """The move at views[0]: the rules of sessions, one decision at a time."""
    return policy_move(policy, views[0], tables[0])


def seat_of_policy() -> Players:
    """The record that stands for a player with a policy, shape ()."""
    return np.zeros((), PLAYER)
