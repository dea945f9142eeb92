"""What a player wins by how much it has seen of its opponent: memory cleared, and after so many hands.

A player that adapts wins more from the same opponent once it has seen some hands; one that does not wins the same.
Every hand begins with full stacks. Only hands played with the given experience are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from holecard.errors import SettingError
from holecard.estimate import Estimate
from holecard.executor import in_order
from holecard.holdem.arena.deck_sets import DeckSet
from holecard.holdem.arena.match import policies_of, stderr_of
from holecard.holdem.arena.sessions import play_pairs
from holecard.holdem.exploit.known import share_of_best
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.named import NamedPlayer
from holecard.holdem.players.record import two_players
from holecard.seeds import checked_seed

AFTER: Final = (0, 10, 50, 500)
"""Hands seen before those that count."""
_COUNTED: Final = 10
"""Hands of a session that count once so many are seen; with a memory just cleared it is one."""
_MOST_SEEN: Final = 20_000
_SETS_TO_A_JOB: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class WonAfter:
    """What a player won from an opponent after some hands."""

    hands_seen: int
    """Hands played before the first that counts; 0: the memory was cleared before every hand."""
    mbb_per_hand: Estimate
    """Thousandths of a big blind a hand, averaged over the cards dealt after an all-in."""
    of_best: Estimate | None
    """The share of the most that can be won; None where nobody knows that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurve:
    """What a player wins from one opponent, by hands seen."""

    player: str
    """Who remembers."""
    opponent: str
    """Whom it plays."""
    points: tuple[WonAfter, ...]
    """In the order they were asked for."""

    def as_json(self) -> dict[str, Any]:
        """The curve as plain JSON."""
        return {
            "opponent": self.opponent,
            "points": [
                {
                    "hands_seen": point.hands_seen,
                    "mbb_per_hand": point.mbb_per_hand.interval_as_json(),
                    "of_best": None if point.of_best is None else point.of_best.interval_as_json(),
                }
                for point in self.points
            ],
        }


def learning_curve(
    player: NamedPlayer,
    opponent: NamedPlayer,
    rules: HoldemRules,
    *,
    after: Sequence[int] = AFTER,
    hands: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> LearningCurve:
    """What `player` wins after each number of hands; `hands` are counted for each, both seats together.

    `progress` is told how many are counted.
    """
    if hands < 4:
        raise SettingError(f"hands must be 4 or more, two decks from both seats; got {hands}")
    for seen in after:
        if not 0 <= seen <= _MOST_SEEN:
            raise SettingError(f"hands seen must be 0 to {_MOST_SEEN:,}; got {seen:,}")
    points = []
    for number, seen in enumerate(after):
        won = _won_after(player, opponent, replace(rules, carried=False), seen, hands, checked_seed(seed), threads)
        share = share_of_best(won, opponent.name, rules, whole_sessions=False)
        points.append(WonAfter(hands_seen=seen, mbb_per_hand=won, of_best=share))
        if progress is not None:
            progress((number + 1) * hands)
    return LearningCurve(player=player.name, opponent=opponent.name, points=tuple(points))


def _won_after(
    player: NamedPlayer,
    opponent: NamedPlayer,
    rules: HoldemRules,
    seen: int,
    hands: int,
    seed: int,
    threads: int | None,
) -> Estimate:
    """mBB a hand in the hands that follow the first `seen` of every session."""
    counted = _COUNTED if seen > 0 else 1
    decks = max(2, -(-hands // (2 * counted)))
    policies = policies_of(player, opponent, rules)

    def play(first: int) -> Any:
        players = two_players(player.record, opponent.record)
        count = min(_SETS_TO_A_JOB, decks - first)
        deck_set = DeckSet.of(seed, first)
        pairs = play_pairs(
            players, rules, deck_set, deck_sets=count, hands=seen + counted, adjust=True, policies=policies
        )
        won = pairs.adjusted[:, seen:].sum(axis=1)
        return won[0::2] + won[1::2]

    won = np.concatenate(list(in_order(play, range(0, decks, _SETS_TO_A_JOB), threads=threads)))
    mbb = 1000 * won / (2 * counted * rules.big_blind)
    return Estimate(mean=float(mbb.mean()), stderr=stderr_of((mbb - mbb.mean()) / decks), n=decks)
