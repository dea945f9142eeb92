"""Sessions between any two players: the one loop that training, duels and matches share.

Every deck set is dealt twice with the seats swapped. Rows 2d and 2d + 1 of every result are the two sessions of a deck
set: player 0 sits in seat 0 in the even one and in seat 1 in the odd. Results are whole numbers by session and hand, so
they are the same on any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import fused_kernel, rule
from holecard.holdem.arena.deck_sets import COMPILED as DECK_KERNELS
from holecard.holdem.arena.deck_sets import DeckSet, hand_key
from holecard.holdem.arena.hand_loop import (
    KNOWN,
    SESSION,
    Decide,
    Session,
    begin_hand,
    board_luck_of,
    next_stacks,
    play_hand,
)
from holecard.holdem.equities.equity import Ties
from holecard.holdem.equities.runout import all_in_net
from holecard.holdem.equities.tables import EquityTables, equity_tables
from holecard.holdem.game.betting import NOBODY, SHOWDOWN
from holecard.holdem.game.rules import HoldemRules, SessionTerms
from holecard.holdem.game.view import View
from holecard.holdem.players.policy import Policy, PolicyPlayers, decide_by_policy, no_policy, policy_move_at
from holecard.holdem.players.record import decide, forget_all, move_of, start_session, ties_win, wants_equity
from holecard.holdem.players.rule_players import rule_move
from holecard.holdem.players.thinking import Thinker

Policies: TypeAlias = tuple[Policy | Thinker | None, Policy | Thinker | None]
"""What two players play by, where they play by a policy or think."""


class SessionResult(NamedTuple):
    """What a session fills in, hand by hand; enters kernels as it is."""

    net: NDArray[np.int64]
    """Chips won by player 0, (hands)."""
    adjusted: NDArray[np.float64]
    """The same with the cards after an all-in averaged over, (hands), or (0) where nobody asked."""


@rule
def play_session(
    session: Session,
    equity_tables: EquityTables,
    deck_set: DeckSet,
    terms: SessionTerms,
    decide: Decide,
    players: Any,
    swapped: int,
    result: SessionResult,
) -> int:
    """Play a session, moves by decide(view, player, players), player 0 in seat `swapped`; returns the hands played.

    Where the deck set has chances, session["board_luck"] is what player 0 owes to the boards.
    """
    session["player_in"][0] = swapped
    session["player_in"][1] = 1 - swapped
    session["board_luck"] = 0
    session["first_hand"] = 0
    stack_0, stack_1 = terms.buy_in, terms.buy_in
    hand = session["hand"]
    for number in range(result.net.shape[0]):
        key = hand_key(deck_set.seed, deck_set.number, number)
        begin_hand(session, key, number, stack_0, stack_1, terms)
        if deck_set.equities.shape[0] > 0:
            for street in range(4):
                session["known"][0, street] = deck_set.equities[number, 0, street]
                session["known"][1, street] = deck_set.equities[number, 1, street]
        if deck_set.ties_win.shape[0] > 0:
            for street in range(4):
                session["known_ties_win"][0, street] = deck_set.ties_win[number, 0, street]
                session["known_ties_win"][1, street] = deck_set.ties_win[number, 1, street]
        play_hand(session, equity_tables, key, terms.stakes, decide, players)
        result.net[number] = hand["net"][swapped]
        if result.adjusted.shape[0] > 0:
            expected = float(hand["net"][0])
            if hand["street"] == SHOWDOWN and hand["folded"] == NOBODY:
                expected = all_in_net(hand, session["last_street"], equity_tables["ranking"], key)
            result.adjusted[number] = expected if swapped == 0 else -expected
        if deck_set.chances.shape[0] > 0:
            luck = board_luck_of(session, deck_set.chances[number])
            session["board_luck"] += luck if swapped == 0 else -luck
        stack_0, stack_1 = next_stacks(session, number, terms)
        if stack_0 == 0 or stack_1 == 0:
            return number + 1
    return result.net.shape[0]


class _PairResults(NamedTuple):
    """What the kernel fills in, a row for each session; enters it as it is."""

    net: NDArray[np.int64]
    adjusted: NDArray[np.float64]
    board_luck: NDArray[np.int64]
    played: NDArray[np.int64]


@fused_kernel
def _play_pairs(
    equity_tables: Any, session: Any, players: Any, deck_set: DeckSet, terms: SessionTerms, results: _PairResults
) -> None:
    """Play both sessions of `deck_set` and of those that follow it, a row of the results for each session.

    equity_tables (1) EQUITY; session (1) SESSION and players (2) PLAYER are this call's own. What is known of the deck
    set beforehand holds for all of them: where it is given, there is one.
    """
    for row in range(results.net.shape[0]):
        dealt = DeckSet(
            deck_set.seed, deck_set.number + row // 2, deck_set.equities, deck_set.chances, deck_set.ties_win
        )
        forget_all(players)
        result = SessionResult(results.net[row], results.adjusted[row])
        results.played[row] = play_session(session[0], equity_tables[0], dealt, terms, decide, players, row % 2, result)
        results.board_luck[row] = session[0]["board_luck"]


@fused_kernel
def _play_policy_pairs(
    equity_tables: Any,
    session: Any,
    players: PolicyPlayers,
    deck_set: DeckSet,
    terms: SessionTerms,
    results: _PairResults,
) -> None:
    """As `_play_pairs`, for two players of which one or both play by a policy."""
    for row in range(results.net.shape[0]):
        dealt = DeckSet(
            deck_set.seed, deck_set.number + row // 2, deck_set.equities, deck_set.chances, deck_set.ties_win
        )
        forget_all(players.records)
        result = SessionResult(results.net[row], results.adjusted[row])
        results.played[row] = play_session(
            session[0], equity_tables[0], dealt, terms, decide_by_policy, players, row % 2, result
        )
        results.board_luck[row] = session[0]["board_luck"]


COMPILED: Final = (*DECK_KERNELS, _play_pairs)
"""The kernels that training and duels need."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SessionPairs:
    """What happened in the sessions of one deck set or more; rows 2d and 2d + 1 are the sessions of the d-th."""

    net: NDArray[np.int64]
    """Chips won by the first player, (sessions, hands); 0 for hands not played."""
    adjusted: NDArray[np.float64]
    """The same with the cards after an all-in averaged over; (sessions, 0) where nobody asked."""
    board_luck: NDArray[np.int64]
    """Millionths of the first player's chips that the boards brought beyond their average, (sessions); 0 where no
    chances were given."""
    played: NDArray[np.int64]
    """Hands played, (sessions)."""
    tallies: NDArray[Any]
    """Counts by player, (2) `TALLY`."""


class SessionSums(NamedTuple):
    """What many sessions came to, of individuals one after the other, each against its opponents in turn."""

    chips: NDArray[np.int64]
    """Chips won in each session."""
    board_luck: NDArray[np.int64]
    """Millionths of chips that boards brought in each session beyond their average; 0 where it is not counted."""
    tallies: NDArray[Any]
    """Counts `TALLY` over each session, or over each pair of sessions."""


def wanting_equity(players: NDArray[Any], policies: Policies) -> list[bool]:
    """Which players look at their chance to win; those that play by a policy do."""
    return [policy is not None or wants_equity(player) for player, policy in zip(players, policies, strict=True)]


def counting_ties(players: NDArray[Any], policies: Policies, ties: Ties = "half") -> list[bool]:
    """To which players a tie counts as a win in the chance they look at: to all, or to those who want it so."""
    return [
        ties == "win" or (policy is None and ties_win(player)) for player, policy in zip(players, policies, strict=True)
    ]


def policy_players(players: NDArray[Any], policies: Policies) -> PolicyPlayers:
    """Two `PLAYER` records and their policies as kernels take them."""
    first, other = (policy if isinstance(policy, Policy) else no_policy() for policy in policies)
    plays = np.array([isinstance(policy, Policy) for policy in policies])
    return PolicyPlayers(players, plays, first, other, equity_tables())


def is_thinking(policies: Policies) -> bool:
    """True if a player computes what to do, so that no kernel plays the session."""
    return any(isinstance(policy, Thinker) for policy in policies)


def plain_decide(policies: Policies) -> Decide:
    """How two players decide in a session without kernels; a thinker gets a fresh mind for it."""
    minds = [policy.mind() if isinstance(policy, Thinker) else None for policy in policies]

    def decided(view: View, player: int, players: Any) -> int:
        policy, mind = policies[player], minds[player]
        if mind is not None:
            return mind.move(view)
        if isinstance(policy, Policy):
            return int(policy_move_at(policy, np.array([view]), equity_tables()))
        if players[player]["is_network"]:
            return int(move_of(players, player, np.array([view])))
        return int(rule_move(view, players[player]["rule_player"]))

    return decided


def _play_thinking_pairs(
    session: Any, players: NDArray[Any], policies: Policies, deck_set: DeckSet, terms: SessionTerms, results: Any
) -> None:
    """As `_play_pairs` in plain Python, for two players of which one or both think."""
    for row in range(results.net.shape[0]):
        dealt = deck_set._replace(number=deck_set.number + row // 2)
        start_session(players)
        result = SessionResult(results.net[row], results.adjusted[row])
        with np.errstate(over="ignore"):
            results.played[row] = play_session(
                session[0], equity_tables()[0], dealt, terms, plain_decide(policies), players, row % 2, result
            )
        results.board_luck[row] = session[0]["board_luck"]


def play_pairs(
    players: NDArray[Any],
    rules: HoldemRules,
    deck_set: DeckSet,
    *,
    deck_sets: int = 1,
    hands: int | None = None,
    adjust: bool = False,
    ties: Ties = "half",
    policies: Policies = (None, None),
) -> SessionPairs:
    """Two sessions, seats swapped, on `deck_set` and on each that follows it, `deck_sets` in all.

    `players` (2) PLAYER: their memories are cleared before each session. `hands` to a session are the rules' unless
    given; `ties` "win" counts a split as a win in everybody's equities, not only where a player has it so. A player
    with a policy plays by it.
    """
    is_known = len(deck_set.equities) + len(deck_set.ties_win) > 0
    assert deck_sets == 1 or not (is_known or len(deck_set.chances)), "what is known is known of one deck set"
    session = np.zeros(1, SESSION)
    session["wants_equity"] = KNOWN if is_known else wanting_equity(players, policies)
    session["ties_win"] = counting_ties(players, policies, ties)
    shape = (2 * deck_sets, rules.hands if hands is None else hands)
    results = _PairResults(
        net=np.zeros(shape, np.int64),
        adjusted=np.zeros(shape if adjust else (2 * deck_sets, 0)),
        board_luck=np.zeros(2 * deck_sets, np.int64),
        played=np.zeros(2 * deck_sets, np.int64),
    )
    if policies == (None, None):
        _play_pairs(equity_tables(), session, players, deck_set, rules.session_terms, results)
    elif is_thinking(policies):
        _play_thinking_pairs(session, players, policies, deck_set, rules.session_terms, results)
    else:
        both = policy_players(players, policies)
        _play_policy_pairs(equity_tables(), session, both, deck_set, rules.session_terms, results)
    return SessionPairs(**results._asdict(), tallies=session["tally"][0])
