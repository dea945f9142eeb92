"""Two sessions on one deck set, seats swapped, between any two players: the loop that training and duels share.

A *deck set* is the cards of one session, named by seed and number; its equities, and the chances of its hands against
each other, are computed once and serve every player who is dealt it. Rows 0 and 1 of every result are the two sessions:
the first player sits in seat 0, then in 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import fused_kernel, kernel, rule
from holecard.holdem.arena.table import KNOWN, TABLE, Decide, begin_hand, hand_key, luck_of, play_hand
from holecard.holdem.equities.lookup import RIVER_WORK, equity_vs_random
from holecard.holdem.equities.runout import all_in_net, known_chances, sampled_half_wins
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import BOARD, HAND, NOBODY, SHOWDOWN, cards_dealt, deal
from holecard.holdem.game.rules import HoldemRules, Stakes
from holecard.holdem.players.record import decide, forget_all, rule_player_of

Equities = NDArray[np.float64]
"""The chance of each seat to win against a random hand on each street, (hands, 2, 4)."""
Chances = NDArray[np.int64]
"""The chance of seat 0 to beat the other's actual hand on each street, in millionths, (hands, 4)."""

_NO_EQUITIES: Final = np.empty((0, 2, 4))
_NO_CHANCES: Final = np.empty((0, 4), np.int64)


@kernel
def _deck_equities(tables: Any, seed: np.uint64, deck: int, samples: int, equities: Any) -> None:
    """Fill equities (hands, 2, 4) for the hands of a deck set: exactly, or from so many samples each."""
    place, work = np.zeros(1, HAND), np.zeros(1, RIVER_WORK)
    for number in range(equities.shape[0]):
        hand_equities(tables[0], place[0], work[0], hand_key(seed, deck, number), samples, equities[number])


@kernel
def _deck_chances(tables: Any, seed: np.uint64, deck: int, chances: Any) -> None:
    """Fill chances int64 (hands, 4) for the hands of a deck set."""
    place = np.zeros(1, HAND)
    for number in range(chances.shape[0]):
        hand_chances(tables[0], place[0], hand_key(seed, deck, number), chances[number])


@rule
def hand_chances(tables: Any, hand: Any, key: np.uint64, chances: Any) -> None:
    """Fill chances (4) of the hand of a key; `tables` EQUITY and `hand` HAND are records."""
    deal(hand, key)
    known_chances(tables["ranking"], hand["card"], ~key, chances)


@rule
def hand_equities(tables: Any, hand: Any, work: Any, key: np.uint64, samples: int, equities: Any) -> None:
    """Fill equities (2, 4) of the hand of a key; `tables` EQUITY, `hand` HAND and `work` RIVER_WORK are records."""
    deal(hand, key)
    cards = hand["card"]
    for seat in range(2):
        for street in range(4):
            dealt = cards_dealt(street)
            if samples == 0:
                a, b, board = cards[2 * seat], cards[2 * seat + 1], cards[BOARD:]
                equities[seat, street] = equity_vs_random(tables, a, b, board, dealt, work, False)
            else:
                own = ~key + np.uint64(4 * seat + street)
                won = sampled_half_wins(tables["ranking"], cards, seat, dealt, False, samples, own)
                equities[seat, street] = won / (2 * samples)


@rule
def play_session(
    place: Any,
    tables: Any,
    equities: Any,
    chances: Any,
    decide: Decide,
    players: Any,
    stakes: Stakes,
    carried: bool,
    seed: np.uint64,
    deck: int,
    swapped: int,
    net: Any,
    adjusted: Any,
) -> int:
    """Play a session, moves by decide(view, player, players); fills net (hands) and, if it has room, adjusted.

    Where chances are given, place["luck"] is what player 0 owes to the boards. Returns the hands played.
    """
    stack_0, stack_1 = place["buy_in"], place["buy_in"]
    place["luck"] = 0
    hand = place["hand"]
    for number in range(net.shape[0]):
        key = hand_key(seed, deck, number)
        begin_hand(place, key, number, stack_0, stack_1, stakes)
        if equities.shape[0] > 0:
            for street in range(4):
                place["known"][0, street] = equities[number, 0, street]
                place["known"][1, street] = equities[number, 1, street]
        play_hand(place, tables, key, stakes, decide, players)
        net[number] = hand["net"][swapped]
        if adjusted.shape[0] > 0:
            expected = float(hand["net"][0])
            if hand["street"] == SHOWDOWN and hand["folded"] == NOBODY:
                expected = all_in_net(hand, place["last_street"], tables["ranking"], key)
            adjusted[number] = expected if swapped == 0 else -expected
        if chances.shape[0] > 0:
            luck = luck_of(place, chances[number])
            place["luck"] += luck if swapped == 0 else -luck
        if carried:
            stack_0, stack_1 = hand["stack"][0], hand["stack"][1]
            if stack_0 == 0 or stack_1 == 0:
                return number + 1
    return net.shape[0]


@fused_kernel
def _play_pair(
    tables: Any,
    table: Any,
    equities: Any,
    chances: Any,
    players: Any,
    stakes: Stakes,
    carried: bool,
    seed: np.uint64,
    deck: int,
    net: Any,
    adjusted: Any,
    luck: Any,
    played: Any,
) -> None:
    """Play both sessions of a deck set.

    tables (1) EQUITY; table (1) TABLE and players (2) PLAYER are this call's own; equities (hands or 0, 2, 4) float64;
    chances (hands or 0, 4) int64; net (2, hands) int64, adjusted (2, hands or 0) float64, luck and played (2) int64.
    """
    place = table[0]
    for swapped in range(2):
        place["player_in"][0] = swapped
        place["player_in"][1] = 1 - swapped
        forget_all(players)
        played[swapped] = play_session(
            place, tables[0], equities, chances, decide, players, stakes, carried, seed, deck, swapped, net[swapped],
            adjusted[swapped],
        )  # fmt: skip
        luck[swapped] = place["luck"]


COMPILED: Final = (_deck_equities, _deck_chances, _play_pair)
"""The kernels of this module."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SessionPair:
    """What happened in the two sessions of a deck set."""

    net: NDArray[np.int64]
    """Chips won by the first player, (2, hands); 0 for hands not played."""
    adjusted: NDArray[np.float64]
    """The same with the cards after an all-in averaged over; (2, 0) where nobody asked."""
    luck: NDArray[np.int64]
    """Millionths of the first player's chips that the boards brought beyond their average, (2); 0 where no chances
    were given."""
    played: NDArray[np.int64]
    """Hands played, (2)."""
    tallies: NDArray[Any]
    """Counts by player, (2) `TALLY`."""


def deck_equities(*, seed: int, deck: int, hands: int, samples: int = 0) -> Equities:
    """The equities of a deck set, exact or from `samples` random deals each."""
    equities = np.empty((hands, 2, 4))
    _deck_equities(equity_tables(), np.uint64(seed), deck, samples, equities)
    return equities


def deck_chances(*, seed: int, deck: int, hands: int) -> Chances:
    """The chances of a deck set's hands against each other."""
    chances = np.empty((hands, 4), np.int64)
    _deck_chances(equity_tables(), np.uint64(seed), deck, chances)
    return chances


def play_pair(
    players: NDArray[Any],
    rules: HoldemRules,
    *,
    seed: int,
    deck: int,
    hands: int | None = None,
    equities: Equities | None = None,
    chances: Chances | None = None,
    adjust: bool = False,
) -> SessionPair:
    """Two sessions, seats swapped, between `players` (2) PLAYER, memories cleared before each.

    `hands` are the rules' unless given. Equities are computed when somebody looks at them, unless they are given. With
    `chances` the luck of the boards is counted.
    """
    hands = rules.hands if hands is None else hands
    table = np.zeros(1, TABLE)
    table["buy_in"] = rules.stack
    table["wants_equity"] = [_looks_at_equity(player) for player in players] if equities is None else KNOWN
    net, luck, played = np.zeros((2, hands), np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    adjusted = np.zeros((2, hands if adjust else 0))
    _play_pair(
        equity_tables(),
        table,
        _NO_EQUITIES if equities is None else equities,
        _NO_CHANCES if chances is None else chances,
        players,
        rules.stakes,
        rules.carried,
        np.uint64(seed),
        deck,
        net,
        adjusted,
        luck,
        played,
    )
    return SessionPair(net=net, adjusted=adjusted, luck=luck, played=played, tallies=table["tally"][0])


def _looks_at_equity(player: Any) -> bool:
    rule_player = rule_player_of(player)
    return rule_player is None or rule_player.wants_equity
