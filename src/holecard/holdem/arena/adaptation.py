"""What a champion does, decision by decision: the material for pictures of its style and of its opponent module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.holdem.arena.deck_sets import DeckSet
from holecard.holdem.arena.histories import watched_session
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import MOVE_KINDS, move_kind
from holecard.holdem.game.view import View
from holecard.holdem.players.named import NamedPlayer
from holecard.holdem.players.network import OPPONENT_CELLS
from holecard.holdem.players.record import rule_record, two_players
from holecard.holdem.players.rule_players import RulePlayer, rule_player_named

ACTIONS: Final = MOVE_KINDS
"""What a champion may do, as pictures name it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """Every decision of a champion in one session, in order."""

    opponent: str
    """Whom it played."""
    hand: NDArray[np.int64]
    """The number of the hand, (decisions)."""
    street: NDArray[np.int64]
    """0 preflop … 3 river, (decisions)."""
    equity: NDArray[np.float64]
    """Its chance to win against a random hand, (decisions)."""
    action: NDArray[np.int64]
    """What it did, an index of ACTIONS, (decisions)."""
    state: NDArray[np.float32]
    """The opponent module's hidden state after the decision, (decisions, 10)."""

    def as_dict(self) -> dict[str, Any]:
        """The trace as plain JSON; `from_dict` reads back the same numbers, to the last bit."""
        return {
            "opponent": self.opponent,
            "hand": self.hand.tolist(),
            "street": self.street.tolist(),
            "equity": self.equity.tolist(),
            "action": self.action.tolist(),
            "state": [[float(str(number)) for number in row] for row in self.state],  # nine digits hold a float32
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Trace:
        """The trace that `as_dict` wrote."""
        return cls(
            opponent=plain["opponent"],
            hand=np.array(plain["hand"], np.int64),
            street=np.array(plain["street"], np.int64),
            equity=np.array(plain["equity"], np.float64),
            action=np.array(plain["action"], np.int64),
            state=np.array(plain["state"], np.float32),
        )


def traces(
    champion: NamedPlayer, opponents: Sequence[str], rules: HoldemRules, *, hands: int = 200, seed: int = 0
) -> list[Trace]:
    """One session of so many hands against each opponent, all dealt the same cards, chips reset every hand."""
    terms = replace(rules, carried=False, hands=hands)
    return [_trace(champion, rule_player_named(name), terms, DeckSet.of(seed, 0)) for name in opponents]


def _trace(champion: NamedPlayer, opponent: RulePlayer, rules: HoldemRules, deck_set: DeckSet) -> Trace:
    players = two_players(champion.record, rule_record(opponent))
    rows: list[tuple[int, int, float, int]] = []
    states: list[NDArray[np.float32]] = []

    def watch(view: View, player: int, move: int) -> None:
        if player == 0:
            kind = int(move_kind(view["to_call"], view["stack"], view["bet"], move))
            rows.append((int(view["hand_number"]), int(view["street"]), float(view["equity"]), kind))
            states.append(players[0]["memory"]["opponent_hidden"][:OPPONENT_CELLS].copy())

    policy = None if champion.policy is None else champion.policy(rules)
    for _ in watched_session(players, rules, deck_set, 0, watch, (policy, None)):
        pass
    hand, street, equity, action = np.array(rows, np.float64).reshape(-1, 4).T  # nobody may have decided anything
    return Trace(
        opponent=opponent.title,
        hand=hand.astype(np.int64),
        street=street.astype(np.int64),
        equity=equity,
        action=action.astype(np.int64),
        state=np.array(states, np.float32).reshape(-1, OPPONENT_CELLS),
    )


def principal_plane(states: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float64]]:
    """The states of several sessions on the two axes along which all of them together vary most."""
    everything = np.concatenate(states).astype(np.float64)
    if len(everything) < 2:  # nothing varies
        return [np.zeros((len(each), 2)) for each in states]
    centre = everything.mean(axis=0)
    axes = np.linalg.svd(everything - centre, full_matrices=False)[2][:2]
    return [(each - centre) @ axes.T for each in states]
