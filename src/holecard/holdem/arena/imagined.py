"""The luck of a known player's own cards (AIVAT's imaginary observations, Burch and others 2018).

Whoever knows how a player plays every hand knows, after each of its moves, how likely each of the 1,326 is, given the
other's hand and the board. What its move says of its cards, and which of the hands that are left it shows, is luck:

- at a decision, what the move made is worth beyond the mean over all moves that all those hands might have made;
- at a showdown, what is won beyond the mean over those hands.

A hand is worth what it wins on the board that lies there in the end: the player has not seen it, so the hands that
are left are no less likely for it. Each term has mean 0, given the other's hand, the board, and the moves before.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import rare_rule, rule
from holecard.holdem.equilibrium.blueprint_file import PARTS
from holecard.holdem.equities.tables import EquityTables
from holecard.holdem.exploit.answers import Held, answer_all, new_held, remove_card, see_board, share_of
from holecard.holdem.exploit.local import target_of
from holecard.holdem.exploit.local_state import HANDS, Target
from holecard.holdem.game.betting import BOARD, CALL, FOLD, Hand, seat_strength
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.strength import card_bit, strength_of_sum
from holecard.holdem.game.view import VIEW, View
from holecard.holdem.players.policy import Policy, is_mixed
from holecard.holdem.players.record import PlayerRecord

_DEPTH: Final = 64
"""Decisions of a player in one hand, at most."""
_LEAST_POT: Final = 10
"""Big blinds in the pot from which the hands of a blueprint are looked at: each takes a while."""


class Imagined(NamedTuple):
    """A player whose strategy is known, or not, and what it may hold in the hand being played; enters kernels."""

    known: bool
    least_pot: int
    """Chips in the pot from which its hands are looked at."""
    target: Target
    held: Held
    wins: NDArray[np.float64]
    """(1326) the share of the pot that each hand wins in the end."""
    past: NDArray[Any]
    """(n) `VIEW`: its decisions so far."""
    made: NDArray[np.int64]
    """(n) the moves."""
    state: NDArray[np.int64]
    """(3) decisions so far; 1 once its hands are looked at; the street that they were seen on."""


def imagined(record: PlayerRecord, policy: Policy | None, rules: HoldemRules) -> Imagined:
    """A player of a duel, with what it plays by; a network is not known, for it remembers other hands."""
    target = target_of(record, policy)
    mixed = target.plays_policy and bool(is_mixed(target.policy))
    known = target.plays_policy or not bool(target.players[0]["is_network"])
    return Imagined(
        known=known,
        least_pot=_LEAST_POT * rules.big_blind if mixed else 0,
        target=target,
        held=new_held(len(target.throws) if known else 1),
        wins=np.zeros(HANDS),
        past=np.zeros(_DEPTH, VIEW),
        made=np.zeros(_DEPTH, np.int64),
        state=np.zeros(3, np.int64),
    )


@rule
def worth_of(view: View, move: int, chance: float, folded_to: bool) -> float:
    """What a move is worth to who makes it, in chips from before the hand, if its hand wins with this chance."""
    if move == FOLD:
        return -float(view["paid"])
    if move == CALL:
        return (2.0 * chance - 1.0) * (view["paid"] + view["to_call"])
    if folded_to:
        return float(view["other_paid"])
    paid = min(view["paid"] + move - view["bet"], view["other_paid"] + view["other_stack"])
    return (2.0 * chance - 1.0) * paid


@rule
def forget_hands(player: Imagined) -> None:
    """A new hand: the player may hold anything."""
    player.state[0] = 0
    player.state[1] = 0
    player.state[2] = -1


@rare_rule
def _imagine(tables: EquityTables, player: Imagined, hand: Hand, seat: int) -> None:
    """All hands that the other's cards and the board leave, and what each wins in the end."""
    ranking, card, held = tables["ranking"], hand["card"], player.held
    keys = ranking["card_key"]
    held.belief[:] = 1.0
    total, bits = np.uint64(0), np.uint64(0)
    for at in range(9):
        if at // 2 != seat:
            remove_card(held.belief, held.cards, card[at])
        if at >= BOARD:
            total += keys[card[at]]
            bits |= card_bit(card[at])
    other = seat_strength(hand, ranking, 1 - seat)
    for at in range(HANDS):
        if held.belief[at] > 0:
            a, b = held.cards[at, 0], held.cards[at, 1]
            mine = strength_of_sum(ranking, total + keys[a] + keys[b], bits | card_bit(a) | card_bit(b))
            player.wins[at] = 1.0 if mine > other else 0.5 if mine == other else 0.0


@rare_rule
def _answer(tables: EquityTables, player: Imagined, at: int) -> None:
    """What all hands do at a decision."""
    held, target = player.held, player.target
    held.views[0] = player.past[at]
    view = held.views[0]
    if view["street"] != player.state[2]:
        player.state[2] = view["street"]
        see_board(tables, target, held, view["board"], view["street"], view["dealt"])
    if target.plays_policy and is_mixed(target.policy):
        taken = view["chance"] & np.uint64(0xFFFFFFFF)  # for what a raise off the menu was taken
        for part in range(PARTS):
            target.throws[part] = np.uint64(part) << np.uint64(58) | taken
    answer_all(tables, target, held)


@rule
def _keep(player: Imagined, move: int) -> None:
    """Hands count by how often they make the move."""
    for at in range(HANDS):
        if player.held.belief[at] > 0:
            player.held.belief[at] *= share_of(player.held, at, move)


@rare_rule
def _beyond_the_mean(player: Imagined, view: View, move: int, folded_to: bool) -> float:
    """What a move is worth beyond the mean of all moves, over all hands."""
    held = player.held
    throws = held.moves.shape[1]
    all_worth, all_weight, worth, weight = 0.0, 0.0, 0.0, 0.0
    for at in range(HANDS):
        if held.belief[at] > 0:
            mean, same = 0.0, 0
            for throw in range(throws):
                mean += worth_of(view, held.moves[at, throw], player.wins[at], folded_to)
                same += held.moves[at, throw] == move
            all_weight += held.belief[at]
            all_worth += held.belief[at] * mean / throws
            weight += held.belief[at] * same
            worth += held.belief[at] * same * worth_of(view, move, player.wins[at], folded_to)
    return worth / weight - all_worth / all_weight


@rare_rule
def note_move(tables: EquityTables, player: Imagined, hand: Hand, seat: int, view: View, move: int, luck: Any) -> None:
    """The player in a seat makes a move: add the luck of it to luck (2), in its chips, if raises are called or not."""
    if not player.known:
        return
    number = player.state[0]
    player.past[number] = view
    player.made[number] = move
    player.state[0] += 1
    if player.state[1] == 0:
        if view["pot"] < player.least_pot:
            return
        player.state[1] = 1
        _imagine(tables, player, hand, seat)
        for at in range(number):
            _answer(tables, player, at)
            _keep(player, player.made[at])
    _answer(tables, player, number)
    luck[0] += _beyond_the_mean(player, view, move, False)
    luck[1] += _beyond_the_mean(player, view, move, True)
    _keep(player, move)


@rare_rule
def note_showdown(player: Imagined, hand: Hand, seat: int, luck: Any) -> None:
    """Hands are shown: add what the player in a seat wins beyond the mean of all that it may hold to luck (2)."""
    if not player.known or player.state[1] == 0:
        return
    weight, wins = 0.0, 0.0
    for at in range(HANDS):
        weight += player.held.belief[at]
        wins += player.held.belief[at] * player.wins[at]
    beyond = hand["net"][seat] - (2.0 * wins / weight - 1.0) * hand["paid"][seat]
    luck[0] += beyond
    luck[1] += beyond
