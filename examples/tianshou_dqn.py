"""Tianshou's DQN on casino blackjack, judged exactly: `python examples/tianshou_dqn.py` (needs tianshou 2).

Tianshou reads a mask from observations of the form `{"obs": …, "mask": …}`; a wrapper renames what
`holecard/Blackjack-v0` gives with `masked=True`. Asked about every cell of a strategy chart the network becomes a
chart, whose exact EV tells how far it is from the best one.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams

from holecard.blackjack import Action, Rules, Strategy, optimum, score
from holecard.envs import learned_strategy

INPUTS = 36


def features(seen: np.ndarray) -> np.ndarray:
    """Observations (n, 8) as 36 inputs: the total one by one, soft, pair, upcard one by one, two cards or more."""
    total = np.eye(22, dtype=np.float32)[np.minimum(seen[:, 0], 21)]
    upcard = np.eye(11, dtype=np.float32)[seen[:, 3]]
    flags = np.stack([seen[:, 1], seen[:, 2], seen[:, 4] == 2], axis=1).astype(np.float32)
    return np.concatenate([total, upcard, flags], axis=1)


class Renamed(gymnasium.ObservationWrapper):
    """The mask where Tianshou looks for it."""

    def __init__(self, table: gymnasium.Env) -> None:
        super().__init__(table)
        space: Any = table.action_space
        actions = int(space.n)
        self.observation_space = gymnasium.spaces.Dict(
            {"obs": gymnasium.spaces.Box(0, 1, (INPUTS,), np.float32), "mask": gymnasium.spaces.MultiBinary(actions)}
        )

    def observation(self, seen: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The same under Tianshou's names."""
        return {"obs": features(seen["observation"][None])[0], "mask": seen["action_mask"].astype(bool)}


class Network(torch.nn.Module):
    """Two hidden layers of 128."""

    def __init__(self) -> None:
        super().__init__()
        layers = torch.nn.Linear(INPUTS, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128), torch.nn.ReLU()
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear(128, len(Action)))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Values of the seven actions, as Tianshou wants them."""
        return self.layers(torch.as_tensor(np.asarray(obs), dtype=torch.float32)), state


def chart_of(network: Network, game: Rules) -> Strategy:
    """What the network prefers, cell by cell."""

    def values(seen: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return network(features(seen))[0].numpy()

    return learned_strategy(values, game, name="tianshou")


def main(arguments: list[str] | None = None) -> None:
    """Learn in ten parts, and tell the exact regret after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="casino", help="a preset or a text such as '1d S17'")
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=100_000)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    torch.manual_seed(given.seed)
    np.random.seed(given.seed)  # Tianshou explores with numpy's global numbers
    torch.set_num_threads(1)  # so small a network is quickest on one
    game = Rules.from_text(given.rules)
    best = score(optimum(game).strategy(), game).ev

    def table() -> gymnasium.Env:
        return Renamed(gymnasium.make("holecard/Blackjack-v0", rules=given.rules, masked=True))

    tables = DummyVectorEnv([table for _ in range(given.tables)])
    tables.seed(given.seed)
    network = Network()
    policy = DiscreteQLearningPolicy(model=network, action_space=table().action_space, eps_training=0.3)
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=200)
    memory = VectorReplayBuffer(100_000, given.tables)
    collector = Collector(learner, tables, memory, exploration_noise=True)
    told = 0

    def tell(epoch: int, taken: int) -> None:
        """Tianshou calls it before every update."""
        nonlocal told
        if 10 * taken // given.steps > told:
            told = 10 * taken // given.steps
            regret = best - score(chart_of(network, game), game).ev
            print(f"{taken:>12,} steps: regret {regret:.6f}", flush=True)

    learner.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=given.steps,
            collection_step_num_env_steps=10 * given.tables,
            update_step_num_gradient_steps_per_sample=1 / 16,
            batch_size=256,
            training_fn=tell,
            show_progress=False,
        )
    )
    tell(1, given.steps)


if __name__ == "__main__":
    main()
