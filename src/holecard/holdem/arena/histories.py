"""A session hand by hand, by the rules of the kernels without a compiler: as histories, and for whoever watches.

A hand takes some milliseconds, a thousand times as long as in a kernel; the hands are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.arena.deck_sets import DeckSet, hand_key
from holecard.holdem.arena.hand_loop import SESSION, Session, begin_hand, next_stacks, play_hand
from holecard.holdem.arena.match import policies_of
from holecard.holdem.arena.sessions import Policies, counting_ties, plain_decide, wanting_equity
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.history import HandHistory, cards_seen
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.view import View
from holecard.holdem.players.named import NamedPlayer
from holecard.holdem.players.record import start_session, two_players

Watch = Callable[[View, int, int], None]
"""Called with the view, the player and the move of every decision."""


def watched_session(
    players: NDArray[Any],
    rules: HoldemRules,
    deck_set: DeckSet,
    swapped: int,
    watch: Watch,
    policies: Policies = (None, None),
) -> Iterator[Session]:
    """Play a session between `players` (2) PLAYER, player 0 in seat `swapped`; gives the session after every hand."""
    session = np.zeros(1, SESSION)[0]
    session["wants_equity"] = wanting_equity(players, policies)
    session["ties_win"] = counting_ties(players, policies)
    session["player_in"] = swapped, 1 - swapped
    terms, tables = rules.session_terms, equity_tables()[0]
    start_session(players)

    decided = plain_decide(policies)

    def decide(view: View, player: int, players: Any) -> int:
        move = decided(view, player, players)
        watch(view, player, move)
        return move

    stacks = (rules.stack, rules.stack)
    for number in range(rules.hands):
        with np.errstate(over="ignore"):
            key = hand_key(deck_set.seed, deck_set.number, number)
            begin_hand(session, key, number, *stacks, terms)
            play_hand(session, tables, key, terms.stakes, decide, players)
        yield session
        stacks = next_stacks(session, number, terms)
        if 0 in stacks:
            return


def session_histories(
    first: NamedPlayer, other: NamedPlayer, rules: HoldemRules, *, session: int = 0, seed: int = 0
) -> Iterator[HandHistory]:
    """The hands of one session of `play_sessions` or `duel` with that seed, as histories.

    Sessions 2d and 2d + 1 are dealt deck set d; the first player sits in seat 0 in the even one, in seat 1 in the odd.
    """
    swapped = session & 1
    names = (first.name, other.name) if swapped == 0 else (other.name, first.name)
    players = two_players(first.record, other.record)
    moves: list[int] = []

    def note(view: View, player: int, move: int) -> None:
        moves.append(move)

    deck_set, policies = DeckSet.of(seed, session >> 1), policies_of(first, other, rules)
    hands = watched_session(players, rules, deck_set, swapped, note, policies)
    for number, played in enumerate(hands):
        hand = played["hand"]
        yield HandHistory(
            stakes=rules.stakes,
            button=number & 1,
            stacks=(int(hand["start"][0]), int(hand["start"][1])),
            cards=cards_seen(hand),
            moves=tuple(moves),
            players=names,
        )
        moves.clear()
