"""What the Gymnasium environments share: tables of the batch engine behind Gymnasium's calls.

A subclass says which game is played, what of it is observed and what an action means; the batch does the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import LINGER, SHOW_NATURALS, WAIT, Batch
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.cards import card_sign
from holecard.envs.betting import FIRST_BET, BettingBatch
from holecard.envs.one_table import OneTable
from holecard.envs.picture import HIDDEN, table_picture
from holecard.envs.showing import masks_of, refused_of
from holecard.errors import IllegalAction, SettingError
from holecard.seeds import drawn_seed

Observation = TypeVar("Observation")
ILLEGAL: tuple[str, ...] = ("refuse", "raise", "stand")
RENDER_MODES: tuple[str, ...] = ("ansi", "rgb_array")


_ANYTHING = (1 << len(Action)) - 1
_MASK_OF = (np.arange(_ANYTHING + 1)[:, None] >> np.arange(len(Action)) & 1).astype(np.int8)
"""(128, 7): legal bits as a mask."""


class Face(ABC, Generic[Observation]):
    """Which game is played and how it looks through Gymnasium."""

    rules: Rules
    table_rules: TableRules | None = None
    """What kernels take in place of `rules.table()`, for a game that no `Rules` describes."""
    observation_space: gymnasium.Space[Any]
    action_space: gymnasium.spaces.Discrete
    masks: bool = True
    """True if `info` tells which actions are legal."""
    bets: tuple[float, ...] = ()
    """Bets to choose from before a deal, in base bets; without them every bet is the base bet."""
    seen_at: Callable[[OneTable], Any] | None = None
    """The observation of a single table, as `one` and `observe` make it of a batch; None if it takes a batch."""

    def tables(self, n: int, pace: int) -> Batch:
        """So many tables of this game."""
        if self.bets:
            return BettingBatch(self.rules, n, pace=pace, choices=self.bets)
        return Batch(self.rules, n, table_rules=self.table_rules, pace=pace)

    @abstractmethod
    def observe(self, batch: Batch, views: NDArray[np.void]) -> Observation:
        """What the players see: one observation for all tables, batched as Gymnasium batches the space."""

    @abstractmethod
    def one(self, observation: Observation) -> Any:
        """The observation of the only table."""

    def actions(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """The engine's actions for those of the space."""
        return chosen


class MaskedFace(Face[dict[str, Any]]):
    """Another face whose observations carry the mask: `{"observation": …, "action_mask": …}`, as PettingZoo has it."""

    def __init__(self, face: Face[Any]) -> None:
        self.face, self.rules, self.table_rules, self.bets = face, face.rules, face.table_rules, face.bets
        self.action_space = face.action_space
        self.seen_at = partial(self._masked, face.seen_at) if face.seen_at is not None else None
        mask = gymnasium.spaces.Box(0, 1, (int(face.action_space.n),), np.int8)
        self.observation_space = gymnasium.spaces.Dict({"observation": face.observation_space, "action_mask": mask})

    def _masked(self, seen_at: Callable[[OneTable], Any], table: OneTable) -> dict[str, Any]:
        mask = _MASK_OF[table.legal].copy() if self.face.masks and table.legal else _MASK_OF[_ANYTHING].copy()
        return {"observation": seen_at(table), "action_mask": mask[: int(self.action_space.n)]}

    def observe(self, batch: Batch, views: NDArray[np.void]) -> dict[str, Any]:
        """What the other face shows, and what may be played."""
        masks = _open_masks(self.face, views).astype(np.int8)
        return {"observation": self.face.observe(batch, views), "action_mask": masks}

    def one(self, observation: dict[str, Any]) -> dict[str, Any]:
        """The only table's."""
        return {
            "observation": self.face.one(observation["observation"]),
            "action_mask": observation["action_mask"][0],
        }

    def actions(self, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        """As the other face means them."""
        return self.face.actions(chosen)


def _checked(illegal: str) -> str:
    if illegal not in ILLEGAL:
        raise SettingError(f"illegal must be {', '.join(ILLEGAL[:-1])} or {ILLEGAL[-1]}; got {illegal!r}")
    return illegal


def _ways_out(views: NDArray[np.void]) -> NDArray[np.int64]:
    """What ends a hand's decisions at each table: to stand, or first to decline insurance, or to make the first bet."""
    ends = np.where(views["legal"] >> Action.STAND & 1, Action.STAND, Action.DECLINE)
    return np.where(views["legal"] >> FIRST_BET & 1, FIRST_BET, ends).astype(np.int64)


def _checked_mode(render_mode: str | None) -> str | None:
    if render_mode not in (None, *RENDER_MODES):
        raise SettingError(f"render_mode must be {', '.join(RENDER_MODES)} or None; got {render_mode!r}")
    return render_mode


def _open_masks(face: Face[Any], views: NDArray[np.void]) -> NDArray[np.bool_]:
    """What may be played, (tables, actions); where a round is over anything may, since nothing comes of it."""
    if not face.masks:
        return np.ones((views.size, int(face.action_space.n)), np.bool_)
    masks = _masks(face, views).astype(np.bool_)
    masks[views["legal"] == 0] = True
    return masks


def _masks(face: Face[Any], views: NDArray[np.void]) -> NDArray[np.int8]:
    return masks_of(views, int(face.action_space.n))


class TableEnv(gymnasium.Env[Any, Any]):
    """One table. An episode is a round; with a dealt shoe the next episode goes on with the same shoe.

    A round that naturals end at once is shown and has one step, whose only legal action is to stand.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(self, face: Face[Any], render_mode: str | None = None, illegal: str = "refuse") -> None:
        self.face, self.render_mode, self._illegal = face, _checked_mode(render_mode), _checked(illegal)
        self.rules = face.rules
        self.observation_space, self.action_space = face.observation_space, face.action_space
        self._table = None if face.seen_at is None else OneTable(face.rules, face.table_rules)
        self._seen_at: Any = face.seen_at
        self._batch: Any = self._table or face.tables(1, LINGER)  # either has states, views and record
        self._actions = face.actions(np.arange(int(face.action_space.n))).tolist()
        self._dealt = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal the next round; a seed begins a new series of them. A round left in the middle is stood out first."""
        super().reset(seed=seed)
        if self._table is not None:
            return self._deal_at(self._table, anew=seed is not None or not self._dealt)
        if seed is not None or not self._dealt:
            self._batch.deal(drawn_seed(self.np_random))
            self._dealt = True
        else:
            fresh = isinstance(self._batch, BettingBatch) and bool(self._batch.betting[0])
            while int(self._batch.views[0]["legal"]) != 0 and not fresh:
                self._batch.step(_ways_out(self._batch.views))
            if not fresh:
                self._batch.step(np.zeros(1, np.int64))
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out an action; the reward is the round's net result in base bets, 0 until it is over."""
        if not (type(action) is int and 0 <= action < len(self._actions)) and not self.action_space.contains(action):
            raise IllegalAction(f"actions are 0 to {self.face.action_space.n - 1}; got {action!r}")
        if self._table is not None:
            return self._step_at(self._table, self._actions[action])
        if not self._dealt or int(self._batch.views[0]["legal"]) == 0:
            raise IllegalAction("no round is in progress; call reset first")
        chosen = self.face.actions(np.array([action], np.int64))
        illegal = {} if self._illegal == "raise" or not refused_of(self._batch.views, chosen)[0] else {"illegal": True}
        if illegal and self._illegal == "refuse":
            return self._observation(), 0.0, False, False, self._info() | illegal
        nets, ended = self._batch.step(_ways_out(self._batch.views) if illegal else chosen)
        return self._observation(), float(nets[0]), bool(ended[0]), False, self._info() | illegal

    def _deal_at(self, table: OneTable, *, anew: bool) -> tuple[Any, dict[str, Any]]:
        """`reset` where there is no batch."""
        if anew:
            table.open(drawn_seed(self.np_random))
            self._dealt = True
        elif table.legal:
            table.stand_out()
        table.deal()
        return self._seen_at(table), self._told(table.legal)

    def _step_at(self, table: OneTable, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """`step` where there is no batch."""
        legal = table.legal
        if legal <= 0:
            raise IllegalAction("no round is in progress; call reset first")
        if legal >> action & 1 or self._illegal == "raise":
            net = table.step(action)
            return self._seen_at(table), net, table.legal == 0, False, self._told(table.legal)
        net = 0.0 if self._illegal == "refuse" else table.step(table.way_out)
        return self._seen_at(table), net, table.legal == 0, False, self._told(table.legal) | {"illegal": True}

    def _told(self, legal: int) -> dict[str, Any]:
        return {"action_mask": _MASK_OF[legal].copy()} if self.face.masks else {}

    def _observation(self) -> Any:
        return self.face.one(self.face.observe(self._batch, self._batch.views))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": _masks(self.face, self._batch.views)[0]} if self.face.masks else {}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as sb3-contrib's learners ask for it; all of them once a round is over."""
        return _open_masks(self.face, self._batch.views)[0]

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table: in a line (`ansi`) or as pixels (`rgb_array`). The hole card is hidden until the round is over."""
        if self.render_mode is None:
            return None
        return _drawn(self._batch, 0, self.render_mode)


def _drawn(batch: Batch, number: int, mode: str) -> str | NDArray[np.uint8]:
    """One table of a batch as text or pixels."""
    state, view = batch.states[number], batch.views[number]
    if int(view["legal"]) >> FIRST_BET:
        return "a bet is due" if mode == "ansi" else table_picture([], [], -1, "a bet is due")
    over = int(view["legal"]) == 0
    dealer, *hands = [_signs(hand) for hand in state["hands"][: state["n_hands"] + 1]]
    dealer = dealer if over else [dealer[0], HIDDEN]
    if mode == "ansi":
        return f"dealer {' '.join(dealer)} · player {' | '.join(' '.join(hand) for hand in hands)}"
    acting = -1 if over else int(view["hand"]) - 1
    net = state["net"] / batch.record[0]["unit"]
    caption = f"{net:+g} bets".replace("+0 ", "0 ") if over else f"{int(view['total'])} against {int(view['upcard'])}"
    return table_picture(dealer, hands, acting, caption)


def _signs(hand: Any) -> list[str]:
    return [card_sign(int(card)) for card in hand["cards"][: hand["n_cards"]]]


class TableVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables in one compiled call per step.

    `autoreset_mode` NextStep (Gymnasium's default: the step after a round's end ignores its action and shows the next
    deal) or SameStep (every step is a decision; the end of a round is in `info["final_obs"]`).
    """

    def __init__(
        self,
        face: Face[Any],
        num_envs: int,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        illegal: str = "refuse",
        render_mode: str | None = None,
    ) -> None:
        modes = {mode.value: mode for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)}
        name = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        if name not in modes:
            raise SettingError(f"autoreset_mode must be {' or '.join(modes)}; got {name!r}")
        self.face, self.num_envs, self._illegal = face, num_envs, _checked(illegal)
        self.rules = face.rules
        self._same_step = modes[name] is AutoresetMode.SAME_STEP
        self.metadata = {"autoreset_mode": modes[name], "render_modes": list(RENDER_MODES)}
        self.render_mode = _checked_mode(render_mode)
        self.single_observation_space, self.single_action_space = face.observation_space, face.action_space
        self.observation_space = batch_space(face.observation_space, num_envs)
        self.action_space = batch_space(face.action_space, num_envs)
        pace = SHOW_NATURALS if self._same_step else LINGER
        self.batch = face.tables(num_envs, pace)
        self._never = np.zeros(num_envs, np.bool_)
        self._dealt = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal first rounds at all tables, of a seed or of the environment's own next one."""
        if isinstance(seed, list):
            raise SettingError("one seed serves all tables; give a number")
        super().reset(seed=seed)
        views = self.batch.deal(drawn_seed(self.np_random))
        self._dealt = True
        return self.face.observe(self.batch, views), self._info(views)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Carry out one action per table; rewards are net results in base bets, 0 until a round is over."""
        if not self._dealt:
            raise IllegalAction("no round is in progress; call reset first")
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise IllegalAction(f"one action per table: shape ({self.num_envs},); got {chosen.shape}")
        if chosen.min() < 0 or chosen.max() >= self.face.action_space.n:
            raise IllegalAction(f"actions are 0 to {self.face.action_space.n - 1}; got {chosen.min()}, {chosen.max()}")
        chosen, refused = self.face.actions(chosen), self._never
        if self._illegal != "raise" and self.face.masks:
            refused = refused_of(self.batch.views, chosen)
            if refused.any():
                chosen = np.where(refused, WAIT if self._illegal == "refuse" else _ways_out(self.batch.views), chosen)
        rewards, ended = self.batch.step(chosen)
        over = ended > 0
        info = self._info(self.batch.views)
        if refused.any():
            info["illegal"] = refused
        if self._same_step and over.any():
            info |= {"final_obs": self.face.observe(self.batch, self.batch.finals), "_final_obs": over}
        return self.face.observe(self.batch, self.batch.views), rewards, over, self._never.copy(), info

    def _info(self, views: NDArray[np.void]) -> dict[str, Any]:
        if not self.face.masks:
            return {}
        return {"action_mask": _masks(self.face, views), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, (tables, actions); all of them where a round is over."""
        return _open_masks(self.face, self.batch.views)

    def render(self) -> tuple[Any, ...] | None:
        """Every table as `TableEnv.render` shows one."""
        if self.render_mode is None:
            return None
        return tuple(_drawn(self.batch, number, self.render_mode) for number in range(self.num_envs))
