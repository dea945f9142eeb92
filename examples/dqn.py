"""A small DQN on casino blackjack with doubles and splits, judged exactly as it learns: `python examples/dqn.py`.

The network sees a hand of `holecard/Blackjack-v0` and values its seven actions; masks keep it legal. Asked about every
cell of a strategy chart it becomes a chart, and the chart's exact EV tells how far it is from the best one.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch

from holecard.blackjack import Action, Rules, Strategy, optimum, score
from holecard.envs import learned_strategy


def features(seen: np.ndarray) -> torch.Tensor:
    """Observations (n, 8) as 36 inputs: the total one by one, soft, pair, upcard one by one, two cards or more."""
    total = np.eye(22, dtype=np.float32)[np.minimum(seen[:, 0], 21)]
    upcard = np.eye(11, dtype=np.float32)[seen[:, 3]]
    flags = np.stack([seen[:, 1], seen[:, 2], seen[:, 4] == 2], axis=1).astype(np.float32)
    return torch.from_numpy(np.concatenate([total, upcard, flags], axis=1))


def network() -> torch.nn.Module:
    """Two hidden layers of 128."""
    layers = torch.nn.Linear(36, 128), torch.nn.ReLU(), torch.nn.Linear(128, 128), torch.nn.ReLU()
    return torch.nn.Sequential(*layers, torch.nn.Linear(128, len(Action)))


class Memory:
    """The last transitions, in arrays that are written round and round."""

    def __init__(self, size: int) -> None:
        self.size, self.count = size, 0
        self.seen, self.following = np.zeros((2, size, 8), np.int64)
        self.actions, self.rewards = np.zeros(size, np.int64), np.zeros(size, np.float32)
        self.over, self.legal = np.zeros(size, np.float32), np.zeros((size, len(Action)), bool)

    def add(self, **batch: np.ndarray) -> None:
        """Keep a batch of transitions."""
        rows = np.arange(self.count, self.count + len(batch["actions"])) % self.size
        for name, values in batch.items():
            getattr(self, name)[rows] = values
        self.count += len(rows)

    def sample(self, rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
        """So many of them, drawn with replacement."""
        rows = rng.integers(0, min(self.count, self.size), n)
        return {
            name: getattr(self, name)[rows] for name in ("seen", "following", "actions", "rewards", "over", "legal")
        }


def best_legal(values: torch.Tensor, legal: np.ndarray) -> torch.Tensor:
    """Values with −∞ where an action is illegal."""
    return values.masked_fill(torch.from_numpy(~legal.astype(bool)), -torch.inf)


def learn(rules: str, steps: int, tables: int = 128, seed: int = 0) -> Iterator[tuple[int, torch.nn.Module]]:
    """Yield (steps taken, network) at moments that lie evenly on a logarithmic scale."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # so small a network is quickest on one
    rng = np.random.default_rng(seed)
    environment = gymnasium.make_vec("holecard/Blackjack-v0", num_envs=tables, rules=rules, autoreset_mode="SameStep")
    online = network()
    target, optimiser = copy.deepcopy(online), torch.optim.Adam(online.parameters(), lr=1e-3)
    memory = Memory(200_000)
    seen, info = environment.reset(seed=seed)
    moments = iter(np.unique(np.geomspace(40 * tables, steps, 15).astype(int)))
    moment = next(moments)
    for taken in range(tables, steps + tables, tables):
        legal = info["action_mask"].astype(bool)
        exploration = max(0.1, 1 - 3 * taken / steps)
        with torch.inference_mode():
            greedy = best_legal(online(features(seen)), legal).argmax(dim=1).numpy()
        chances = rng.random(legal.shape) * legal
        actions = np.where(rng.random(tables) < exploration, chances.argmax(axis=1), greedy)
        following, rewards, over, _, info = environment.step(actions)
        memory.add(
            seen=seen, actions=actions, rewards=rewards, over=over, following=following, legal=info["action_mask"]
        )
        seen = following
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * (1 - 0.97 * taken / (steps + tables))
        improve(online, target, optimiser, memory.sample(rng, 1024))
        if taken >= moment:
            yield taken, online
            moment = next(moments, steps + tables)


def improve(
    online: torch.nn.Module, target: torch.nn.Module, optimiser: torch.optim.Optimizer, batch: dict[str, Any]
) -> None:
    """One step of double Q-learning; the target network follows slowly."""
    with torch.no_grad():
        following = features(batch["following"])
        chosen = best_legal(online(following), batch["legal"]).argmax(dim=1, keepdim=True)
        ahead = target(following).gather(1, chosen)[:, 0]
        wanted = torch.from_numpy(batch["rewards"]) + (1 - torch.from_numpy(batch["over"])) * ahead
    valued = online(features(batch["seen"])).gather(1, torch.from_numpy(batch["actions"])[:, None])[:, 0]
    loss = torch.nn.functional.mse_loss(valued, wanted)  # its minimum is the mean; Huber's is not, and means decide
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    with torch.no_grad():
        for slow, fast in zip(target.parameters(), online.parameters(), strict=True):
            slow.lerp_(fast, 0.01)


def chart_of(net: torch.nn.Module, game: Rules) -> Strategy:
    """What a network plays, cell by cell."""

    def values(seen: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return net(features(seen)).numpy()

    return learned_strategy(values, game, name="dqn")


def regrets(rules: str, steps: int, **options: Any) -> tuple[list[int], list[float]]:
    """Steps taken and by how much the network's chart falls short of the best chart, exactly."""
    game = Rules.from_text(rules)
    best = score(optimum(game).strategy(), game).ev
    points = [(taken, best - score(chart_of(net, game), game).ev) for taken, net in learn(rules, steps, **options)]
    return [taken for taken, _ in points], [regret for _, regret in points]


def main(arguments: list[str] | None = None) -> None:
    """Learn, tell and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="casino", help="a preset or a text such as '1d S17'")
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("dqn.png"))
    given = parser.parse_args(arguments)
    steps, regret = regrets(given.rules, given.steps, tables=given.tables, seed=given.seed)
    for at in (0, len(steps) // 2, len(steps) - 1):
        print(f"{steps[at]:>12,} steps: regret {regret[at]:.6f}")
    draw(steps, regret, f"A small DQN on Blackjack-v0 ({given.rules})", given.out)
    print(f"drawn: {given.out}")


def draw(steps: list[int], regret: list[float], title: str, path: Path) -> None:
    """Regret over steps, both on logarithmic scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.loglog(steps, np.maximum(regret, 1e-6), color="#0072B2", linewidth=1.8)
    axes.set(title=title, xlabel="Steps", ylabel="Regret: exact EV short of the best chart, per bet")
    axes.grid(alpha=0.3, which="both")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
