"""Heads-up no-limit hold'em as a PettingZoo AEC environment: `env()`, or `raw_env()` without wrappers.

**Actions**, `raises="sizes"`: 0 fold, 1 check or call, 2 the minimum raise, then one for each of `sizes` (a raise by so
many pots, the call counted in the pot), the last all-in. `raises="free"`: 0 fold, 1 check or call, and k ≥ 2 raises to
k − 1 chips. The `action_mask` in the agent's info says which are legal; an illegal one raises and says what is legal,
or with `illegal="fold"` folds, or checks where that is free.

**Observations** are 119 floats from 0 to 1:

| at  | size | what                                                                                              |
|-----|------|---------------------------------------------------------------------------------------------------|
| 0   | 52   | 1 for each of the two hole cards, in the order of their codes: 2♣ 2♦ 2♥ 2♠ 3♣ … A♠                |
| 52  | 52   | 1 for each board card on the table                                                                |
| 104 | 4    | the street: preflop, flop, turn, river                                                            |
| 108 | 1    | 1 with the button                                                                                 |
| 109 | 5    | chips / all chips at the table: pot, own and other stack, own and other bet                       |
| 114 | 3    | … to call, the minimum and the maximum raise; 0 where it is not the agent's turn                  |
| 117 | 2    | own and other raises on this street / 8, at most 1                                                |

With `masked=True` they are dictionaries, as PettingZoo's own card games give them: `observation` and `action_mask`.

**Rewards** are the chips of a finished hand in big blinds. An episode is `hands` hands, the button changing every hand;
where the rules carry stacks it ends early when one is gone.
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from numpy.typing import NDArray

from holecard.errors import IllegalAction, MissingExtra, SettingError
from holecard.holdem.game.actions import FOLDS, Action, LegalActions, raises_to
from holecard.holdem.game.betting import CALL, other_seat
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.view import SeatView
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.protocol import Player
from holecard.seeds import drawn_seed

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise MissingExtra("hold'em as an environment needs PettingZoo: pip install 'holecard[envs]'") from None

RAISES = ("sizes", "free")
ILLEGAL = ("raise", "fold")
RENDER_MODES = ("ansi", "human")
SIZES = (0.5, 1.0, 2.0)
_FOLD, _CALL, _FIRST_RAISE = 0, 1, 2
_BOARD = 52
_STREET = _BOARD + 52
_BUTTON = _STREET + 4
_CHIPS = _BUTTON + 1
_RAISES_MADE = _CHIPS + 8
_FEATURES = _RAISES_MADE + 2
_MOST_FREE = 10**6


def env(**options: Any) -> Any:
    """The environment with PettingZoo's order and bounds checks; options as in `raw_env`."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**options)))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc] # noqa: N801 (PettingZoo's name; it has no types)
    """The environment itself. `rules` is a preset's name (pokernet, paper) or `HoldemRules`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "holdem_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        *,
        rules: HoldemRules | str = "paper",
        hands: int = 1,
        raises: str = "sizes",
        sizes: tuple[float, ...] = SIZES,
        masked: bool = False,
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        options = {"raises": raises, "sizes": sizes, "masked": masked, "illegal": illegal, "render_mode": render_mode}
        EzPickle.__init__(self, rules=rules, hands=hands, **options)
        super().__init__()
        self.rules = preset_named(rules).rules if isinstance(rules, str) else rules
        _check(self.rules, hands, raises, sizes, render_mode)
        if illegal not in ILLEGAL:
            raise SettingError(f"illegal must be {' or '.join(ILLEGAL)}; got {illegal!r}")
        self.hands, self.raises, self.sizes, self.render_mode = hands, raises, tuple(sizes), render_mode
        self.masked, self.illegal = masked, illegal
        self.possible_agents = ["player_0", "player_1"]
        count = _FIRST_RAISE + (2 * self.rules.stack if raises == "free" else len(self.sizes) + 2)
        self._actions = spaces.Discrete(count)
        features = spaces.Box(0.0, 1.0, (_FEATURES,), np.float32)
        mask = spaces.Box(0, 1, (count,), np.int8)
        self._observations: spaces.Space[Any] = (
            spaces.Dict({"observation": features, "action_mask": mask}) if masked else features
        )
        self.action_spaces = dict.fromkeys(self.possible_agents, self._actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observations)
        self._rng, _ = seeding.np_random()
        self._seed: int | None = None
        self._number = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self._observations

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may say."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; a seed begins a new series of hands, without one the series goes on."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        if seed is not None or self._seed is None:
            self._seed, self._number = drawn_seed(self._rng), 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {}
        self._played = 0
        self._deal((self.rules.stack, self.rules.stack))
        self._show()
        self._turn()

    def _deal(self, stacks: tuple[int, int]) -> None:
        assert self._seed is not None
        cards = deal_cards(self._seed, self._number)
        self._hand = HandState(self.rules, button=self._number & 1, stacks=stacks, cards=cards)
        self._number += 1
        self._printed = 0

    def _turn(self) -> None:
        """Select who acts next and tell everybody what is legal: nothing for those who wait."""
        actor = self._hand.actor
        self.agent_selection = self.possible_agents[actor or 0]
        none = np.zeros(int(self._actions.n), np.int8)
        self.infos = {agent: {"action_mask": none} for agent in self.agents}
        if actor is not None:
            self.infos[self.agent_selection] = {"action_mask": self._mask(self._hand.legal_actions())}

    def step(self, action: int | None) -> None:
        """Make the selected agent's move; when a hand is over pay it out and deal the next, or end the episode."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "only an agent whose episode is over may pass None"
        move = self._action_of(int(action), self._hand.legal_actions())
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._hand.apply(move)
        self._show()
        while self._hand.is_over and not any(self.terminations.values()):
            self._finish_hand()
        self._turn()
        self._accumulate_rewards()

    def _finish_hand(self) -> None:
        for seat, name in enumerate(self.possible_agents):
            self.rewards[name] += self._hand.payoffs[seat] / self.rules.big_blind
        self._played += 1
        stacks = self._hand.stacks
        if self._played == self.hands or (self.rules.carried and 0 in stacks):
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._deal(stacks if self.rules.carried else (self.rules.stack, self.rules.stack))
            self._show()

    def choice_of(self, player: Player) -> int:
        """The action of a player of this package in the seat that is to act, such as `seated("equilibrium", …)`.

        Where raises have sizes, the legal one nearest to its own.
        """
        actor = self._hand.actor
        assert actor is not None, "an episode that is over has nobody to act"
        legal = self._hand.legal_actions()
        move = player.act(self._hand.view(actor), self._played).move
        if move <= CALL:
            return _CALL if move == CALL else _FOLD
        raises = [action for action in np.flatnonzero(self._mask(legal)).tolist() if action >= _FIRST_RAISE]
        return min(raises, key=lambda action: abs(self._raise_of(action, legal) - move))

    def _raise_of(self, action: int, legal: LegalActions) -> int:
        """The chips that an action of two or more raises to, legal or not."""
        if self.raises == "free":
            return action - 1
        if action == _FIRST_RAISE:
            return legal.min_raise_to
        if action == self._actions.n - 1:
            return legal.max_raise_to
        highest = max(self._hand.bets)
        return highest + int(self.sizes[action - _FIRST_RAISE - 1] * (self._hand.pot + legal.to_call))

    def _action_of(self, action: int, legal: LegalActions) -> Action:
        if not self._mask(legal)[action]:
            if self.illegal == "raise":
                raise IllegalAction(f"action {action} is not legal; legal here: {legal}")
            action = _FOLD if legal.to_call > 0 else _CALL
        if action == _FOLD:
            return FOLDS
        return legal.of_move(CALL) if action == _CALL else raises_to(self._raise_of(action, legal))

    def _mask(self, legal: LegalActions) -> NDArray[np.int8]:
        """Which actions are legal. A raise that two actions would make is offered once, as minimum or all-in."""
        mask = np.zeros(int(self._actions.n), np.int8)
        mask[_FOLD], mask[_CALL] = legal.to_call > 0, 1
        if not legal.can_raise:
            return mask
        if self.raises == "free":
            mask[legal.min_raise_to + 1 : legal.max_raise_to + 2] = 1
            return mask
        mask[-1], mask[_FIRST_RAISE] = 1, legal.min_raise_to < legal.max_raise_to
        for action in range(_FIRST_RAISE + 1, int(self._actions.n) - 1):
            mask[action] = legal.min_raise_to < self._raise_of(action, legal) < legal.max_raise_to
        return mask

    def observe(self, agent: str) -> Any:
        """What an agent sees: nothing of the other hand, nor of the cards to come."""
        seen = self._features(self._hand.view(self.possible_agents.index(agent)))
        return {"observation": seen, "action_mask": self.infos[agent]["action_mask"]} if self.masked else seen

    def _features(self, view: SeatView) -> NDArray[np.float32]:
        seen, me, other = np.zeros(_FEATURES, np.float32), view.seat, other_seat(view.seat)
        seen[list(view.hole)] = 1
        seen[[_BOARD + card for card in view.board]] = 1
        if view.street < 4:
            seen[_STREET + view.street] = 1
        seen[_BUTTON] = me == view.button
        legal = view.legal or LegalActions(to_call=0, min_raise_to=0, max_raise_to=0)
        chips = (view.pot, view.stacks[me], view.stacks[other], view.bets[me], view.bets[other])
        choice = (legal.to_call, legal.min_raise_to, legal.max_raise_to)
        seen[_CHIPS:_RAISES_MADE] = np.array(chips + choice) / sum(view.start)
        seen[_RAISES_MADE:_FEATURES] = np.minimum([view.raises[me] / 8, view.raises[other] / 8], 1)
        return seen

    def render(self) -> str | None:
        """What has happened in this hand, line by line, all cards open; `human` prints what was not yet printed."""
        lines = [str(event) for event in self._hand.events]
        if self.render_mode == "human":
            fresh, self._printed = lines[self._printed :], len(lines)
            sys.stdout.writelines(f"{line}\n" for line in fresh)
            return None
        return None if self.render_mode is None else "\n".join(lines)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing is held open."""


def _check(rules: HoldemRules, hands: int, raises: str, sizes: tuple[float, ...], render_mode: str | None) -> None:
    if hands < 1:
        raise SettingError(f"hands must be 1 or more; got {hands}")
    if raises not in RAISES:
        raise SettingError(f"raises must be {' or '.join(RAISES)}; got {raises!r}")
    if any(not 0 < size <= 100 for size in sizes):
        raise SettingError(f"sizes are pots above 0 and at most 100; got {sizes}")
    if render_mode not in (None, *RENDER_MODES):
        raise SettingError(f"render_mode must be {', '.join(RENDER_MODES)} or None; got {render_mode!r}")
    if rules.stack <= rules.big_blind + rules.ante:
        raise SettingError(f"stack must exceed ante and big blind, or no hand has a decision; got {rules.stack}")
    if raises == "free" and rules.stack > _MOST_FREE:
        raise SettingError(f"free raises take a stack of {_MOST_FREE:,} chips at most; got {rules.stack:,}")
