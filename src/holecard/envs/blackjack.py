"""`holecard/Blackjack-v0`: blackjack under any rules, an episode a round, rewards in base bets.

**Actions** are the engine's: 0 hit, 1 stand, 2 double, 3 split, 4 surrender, 5 insure, 6 decline; `info["action_mask"]`
says which are legal. An illegal one changes nothing, gains 0 and sets `info["illegal"]`, or raises with
`illegal="raise"`.

**Observations** (`observation="hand"`) are eight whole numbers, `MultiDiscrete`:

| at | what                                                                | values             |
|----|---------------------------------------------------------------------|--------------------|
| 0  | total of the hand to act                                            | 2 … limit + 10     |
| 1  | 1: the hand is soft                                                 | 0, 1               |
| 2  | 1: the hand is a pair as the rules see it                           | 0, 1               |
| 3  | the dealer's upcard, 1 for an ace                                   | 1 … 10             |
| 4  | cards in the hand                                                   | 2 … 32             |
| 5  | which hand is to act; 0: the deal ended the round, stand            | 0 … 4              |
| 6  | hands held                                                          | 1 … 4              |
| 7  | 1: insurance is offered                                             | 0, 1               |

**Bets.** With `shoe="dealt"` and `bets=(1, 2, 4, 8)` the first decision of every round is its bet, in base bets:
actions 7, 8, … are the bets in their order, and legal then and only then. Observations of a hand get ten numbers more,
at 8 … 17: the cards seen since the shuffle by value, A 2 … 10; where a bet is due the first eight are 0. An episode is
still a round, and its reward is in base bets.

`observation="features"` are the 192 floats that the `dnn` agent learns from, the cards seen since the shuffle among
them: see `blackjack.players.features`. With `masked=True` either is part of a dictionary: `observation` and
`action_mask`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import Batch
from holecard.blackjack.game.composition import Composition
from holecard.blackjack.game.hand import MAX_CARDS
from holecard.blackjack.game.rule_words import parse_decks, parse_ratio
from holecard.blackjack.game.rules import MAX_HANDS, Rules
from holecard.blackjack.players.features import FEATURES, FULL_SHOE, LEFT, SEEN, UPCARD, encode
from holecard.envs.betting import BettingBatch, checked_choices
from holecard.envs.one_table import OneTable
from holecard.envs.showing import hands_seen
from holecard.envs.tables import Face, MaskedFace, TableEnv, TableVectorEnv
from holecard.errors import RulesError, SettingError, unknown_name

OBSERVATIONS = ("hand", "features")
_OFFER = 1 << Action.DECLINE


def rules_of_keywords(rules: Rules | str, changes: dict[str, Any]) -> Rules:
    """The rules of a preset's name or text with some of their fields changed.

    >>> str(rules_of_keywords("casino", {"decks": "inf", "bj": "6:5", "h17": False}))
    'inf S17 6:5'
    """
    known = [field.name for field in fields(Rules)]
    for name in changes:
        if name not in known:
            raise RulesError(unknown_name("rule", name, known))
    if isinstance(changes.get("decks"), str):
        changes = {**changes, "decks": parse_decks(changes["decks"])}
    if isinstance(changes.get("deck"), str):
        changes = {**changes, "deck": Composition.from_text(changes["deck"])}
    if not isinstance(changes.get("deck"), Composition | None):
        raise RulesError(f"deck is a Composition or counts such as 'A=4,2=4,10=16'; got {changes['deck']!r}")
    if "bj" in changes:
        pays = changes["bj"]
        changes = {**changes, "bj": parse_ratio(pays) if isinstance(pays, str) else pays and Fraction(pays)}
    return replace(Rules.from_text(rules) if isinstance(rules, str) else rules, **changes)


class BlackjackFace(Face[NDArray[Any]]):
    """Blackjack under `rules`, seen as a hand or as features."""

    def __init__(
        self, rules: Rules | str, observation: str, changes: dict[str, Any], bets: Sequence[float] | None = None
    ) -> None:
        if observation not in OBSERVATIONS:
            raise SettingError(f"observation must be {' or '.join(OBSERVATIONS)}; got {observation!r}")
        self.rules = rules_of_keywords(rules, changes)
        self.bets = () if bets is None else checked_choices(bets, self.rules)
        self.action_space = spaces.Discrete(len(Action) + len(self.bets))
        self._features = observation == "features"
        self.seen_at = None if self._features or self.bets else self._seen
        if self._features:
            self.observation_space = spaces.Box(0.0, 2.0, (FEATURES,), np.float32)
        else:
            sizes = [self.rules.limit + 11, 2, 2, 11, MAX_CARDS + 1, MAX_HANDS + 1, MAX_HANDS + 1, 2]
            counts = Composition.of_rules(self.rules).values if self.bets else ()
            self.observation_space = spaces.MultiDiscrete([*sizes, *(count + 1 for count in counts)])

    def _seen(self, table: OneTable) -> NDArray[np.int64]:
        """The eight numbers of a single table."""
        hand, _, total, _, n_cards, soft, _, pair, upcard, n_hands, _ = table.seen
        return np.array((total, soft, pair, upcard, n_cards, hand, n_hands, table.legal & _OFFER != 0), np.int64)

    def observe(self, batch: Batch, views: NDArray[np.void]) -> NDArray[Any]:
        """One row a table."""
        if self._features:
            return self._encoded(batch, views)
        seen = hands_seen(views)
        return np.hstack([seen, batch.seen_by_value()]) if isinstance(batch, BettingBatch) else seen

    def _encoded(self, batch: Batch, views: NDArray[np.void]) -> NDArray[np.float32]:
        """The features of the decisions that are due; zeros where a round is over."""
        seen = np.zeros((views.size, FEATURES), np.float32)
        due = np.flatnonzero((views["hand"] > 0) & (views["legal"] > 0)) if views is batch.views else np.empty(0, int)
        if due.size:
            seen[due] = encode(batch.states[due], np.ones(due.size, np.int64), batch.record)
        if isinstance(batch, BettingBatch) and views is batch.views and batch.betting.any():
            tables, due = batch.table_views(), np.flatnonzero(batch.betting)
            seen[due, SEEN:UPCARD] = tables.seen[due] > 0
            seen[due, LEFT] = tables.cards_left[due] / FULL_SHOE
        return seen

    def one(self, observation: NDArray[Any]) -> NDArray[Any]:
        """The only row."""
        return observation[0]


def _face(
    rules: Rules | str, observation: str, changes: dict[str, Any], *, masked: bool, bets: Sequence[float] | None
) -> Face[Any]:
    face = BlackjackFace(rules, observation, changes, bets)
    return MaskedFace(face) if masked else face


class BlackjackEnv(TableEnv):
    """One table of blackjack; `rules` is a preset's name, a text such as `6d H17 DAS` or `Rules`.

    Every field of `Rules` is a keyword too. `masked` puts the mask of legal actions into the observation, `bets` are
    bets to choose from before every deal.
    """

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        rules: Rules | str = "casino",
        observation: str = "hand",
        masked: bool = False,
        illegal: str = "refuse",
        bets: Sequence[float] | None = None,
        **changes: Any,
    ) -> None:
        super().__init__(_face(rules, observation, changes, masked=masked, bets=bets), render_mode, illegal)


class BlackjackVectorEnv(TableVectorEnv):
    """Many tables of blackjack side by side; keywords as in `BlackjackEnv`."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        rules: Rules | str = "casino",
        observation: str = "hand",
        masked: bool = False,
        illegal: str = "refuse",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        bets: Sequence[float] | None = None,
        **changes: Any,
    ) -> None:
        face = _face(rules, observation, changes, masked=masked, bets=bets)
        super().__init__(face, num_envs, autoreset_mode, illegal, render_mode)
