"""Players in a seat beside people: each sees its seat's view, acts, and says why; kernels play the same rules."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.equilibrium.blueprint_file import PARTS
from holecard.holdem.equities.equity import Ties, equity
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.actions import Action
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.view import VIEW, SeatView
from holecard.holdem.players.blueprint import even_throws
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.policy import Policy, find_decision, is_mixed, policy_move_at
from holecard.holdem.players.protocol import Player
from holecard.holdem.players.record import PLAYER, move_of, rule_player_of, start_session, ties_win
from holecard.holdem.players.rule_players import RulePlayer, pot_odds, rule_move
from holecard.holdem.players.thinking import Mind
from holecard.seeds import GOLDEN, key_of, mix


class Thought(NamedTuple):
    """What a network answered at a decision, and how far its memory was from that of a session's first moment.

    Distances are Euclidean, between the cells' states now and those a module starts from.
    """

    output: float
    """Its output, −1 … 1."""
    game: float
    """The distance of the game module's 50 cells, which start afresh in every hand."""
    opponent: float
    """The distance of the opponent module's 10 cells, which remember the whole session."""


class SeatedRulePlayer:
    """A rule player in a seat."""

    def __init__(self, rule_player: RulePlayer, *, seed: int = 0, buy_in: int = 0) -> None:
        """`seed` feeds the players that throw dice; `buy_in` is the session's starting stack (0: the hand's)."""
        self.rule_player = rule_player
        self.name = rule_player.title
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
        wants_equity = self.rule_player.wants_equity
        ties: Ties = "win" if self.rule_player.ties_win else "half"
        p = equity(view.hole, view.board, ties=ties).equity if wants_equity else np.nan
        record = view.record(hand_number=hand_number, buy_in=self._buy_in, chance=int(chance), equity=p)
        with np.errstate(over="ignore"):
            action = view.legal.of_move(int(rule_move(record, self.rule_player)))
        seen = f"p {p:.3f}, pot odds {pot_odds(record):.3f}" if wants_equity else self.rule_player.about
        self.last_reason = f"{action}: {seen}"
        return action


class SeatedNetwork:
    """An evolved player in a seat; it remembers one opponent."""

    def __init__(self, player: NamedPlayer, *, buy_in: int) -> None:
        """`buy_in` is the session's starting stack."""
        self.name = player.name
        self.last_reason = ""
        self._buy_in = buy_in
        self._ties: Ties = "win" if ties_win(player.record) else "half"
        self._players = np.zeros(2, PLAYER)
        self._players[0] = player.record
        start_session(self._players)

    def act(self, view: SeatView, hand_number: int = 0) -> Action:
        """The action in this spot; `last_reason` says what the network answered."""
        assert view.legal is not None, "only the seat to act decides"
        p = equity(view.hole, view.board, ties=self._ties).equity
        views = np.zeros(1, VIEW)
        views[0] = view.record(hand_number=hand_number, buy_in=self._buy_in, equity=p)
        action = view.legal.of_move(int(move_of(self._players, 0, views)))
        self.last_reason = f"{action}: o {self._players[0]['memory']['output']:+.3f}, p {p:.3f}"
        return action

    @property
    def thought(self) -> Thought:
        """The last decision's output, and where the memory stands."""
        memory, network = self._players[0]["memory"], self._players[0]["network"]
        return Thought(
            output=float(memory["output"]),
            game=_distance(memory["cell"], network["initial"][1]),
            opponent=_distance(memory["opponent_cell"], network["opponent_initial"][1]),
        )


def _distance(state: NDArray[np.float32], start: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(state.astype(np.float64) - start))


def thought_of(player: Player) -> Thought | None:
    """What a player that is a network thought last; None of any other."""
    return player.thought if isinstance(player, SeatedNetwork) else None


class SeatedPolicy:
    """A player that plays by a policy or thinks, in a seat."""

    def __init__(self, player: NamedPlayer, *, buy_in: int, seed: int = 0) -> None:
        """`buy_in` is the session's starting stack; `seed` feeds a mixed strategy."""
        assert player.policy is not None, "only who plays by a policy"
        self.name = player.name
        self.last_reason = ""
        self._policy_of = player.policy
        self._policy: Policy | None = None
        self._mind: Mind | None = None
        self._buy_in = buy_in
        self._seed = seed
        self._decisions = 0

    def act(self, view: SeatView, hand_number: int = 0) -> Action:
        """The action in this spot; `last_reason` says whether the policy knows it."""
        assert view.legal is not None, "only the seat to act decides"
        if self._policy is None and self._mind is None:
            self._begin(view)
        p = equity(view.hole, view.board).equity
        with np.errstate(over="ignore"):
            chance = mix(key_of(np.uint64(self._seed), np.uint64(self._decisions)) ^ GOLDEN)
        self._decisions += 1
        views = np.zeros(1, VIEW)
        views[0] = view.record(hand_number=hand_number, buy_in=self._buy_in, chance=int(chance), equity=p)
        if self._mind is not None:
            action = view.legal.of_move(self._mind.move(views[0]))
            self.last_reason = f"{action}: {self._mind.last_reason}, p {p:.3f}"
            return action
        assert self._policy is not None, "who does not think plays by a policy"
        action = view.legal.of_move(int(policy_move_at(self._policy, views, equity_tables())))
        if is_mixed(self._policy):
            known = "mixed, " + ", ".join(f"{move} {part:.0%}" for move, part in self._mix(view, views))
        else:
            known = "best response" if find_decision(self._policy, views[0]) >= 0 else "off its line, by pot odds"
        self.last_reason = f"{action}: {known}, p {p:.3f}"
        return action

    def _begin(self, view: SeatView) -> None:
        """Find what to play by at the stakes of a view."""
        small_blind, big_blind, ante = view.stakes
        rules = HoldemRules(small_blind=small_blind, big_blind=big_blind, ante=ante, stack=self._buy_in)
        found = self._policy_of(rules)
        if isinstance(found, Policy):
            self._policy = found
        else:
            self._mind = found.mind()

    def _mix(self, view: SeatView, views: NDArray[Any]) -> list[tuple[Action, float]]:
        """What a mixed strategy does here, with its probabilities, the likeliest first."""
        assert view.legal is not None
        assert self._policy is not None
        found: dict[Action, float] = {}
        for chance in even_throws():
            views[0]["chance"] = chance
            action = view.legal.of_move(int(policy_move_at(self._policy, views, equity_tables())))
            found[action] = found.get(action, 0.0) + 1 / PARTS
        return sorted(found.items(), key=lambda each: -each[1])


def seated(name: str, *, seed: int, buy_in: int) -> Player:
    """The player of that name in a seat, for one session; `seed` feeds those that throw dice."""
    player = player_named(name)
    if player.policy is not None:
        return SeatedPolicy(player, buy_in=buy_in, seed=seed)
    rule_player = rule_player_of(player.record)
    if rule_player is None:
        return SeatedNetwork(player, buy_in=buy_in)
    return SeatedRulePlayer(rule_player, seed=seed, buy_in=buy_in)
