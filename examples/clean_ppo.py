"""PPO in one file, as CleanRL writes it, on casino blackjack, judged exactly: `python examples/clean_ppo.py`.

The tables are Holecard's own vector environment, all of them in one compiled call per step; illegal actions are masked.
Asked about every cell of a strategy chart the policy becomes a chart, whose exact EV tells how far it is from the best
one. Needs torch.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import gymnasium
import numpy as np
import torch
from torch.distributions import Categorical

from holecard.blackjack import Action, Rules, Strategy, optimum, score
from holecard.envs import learned_strategy

INPUTS = 36
STEPS, EPOCHS, MINIBATCHES = 64, 4, 4
CLIP, ENTROPY, VALUE, LAMBDA, NORM = 0.2, 0.02, 0.5, 0.95, 0.5


def features(seen: np.ndarray) -> torch.Tensor:
    """Observations (n, 8) as 36 inputs: the total one by one, soft, pair, upcard one by one, two cards or more."""
    total = np.eye(22, dtype=np.float32)[np.minimum(seen[:, 0], 21)]
    upcard = np.eye(11, dtype=np.float32)[seen[:, 3]]
    flags = np.stack([seen[:, 1], seen[:, 2], seen[:, 4] == 2], axis=1).astype(np.float32)
    return torch.from_numpy(np.concatenate([total, upcard, flags], axis=1))


def layer(inputs: int, outputs: int, deviation: float) -> torch.nn.Linear:
    """A layer that begins orthogonal."""
    made = torch.nn.Linear(inputs, outputs)
    torch.nn.init.orthogonal_(made.weight, deviation)
    torch.nn.init.zeros_(made.bias)
    return made


class Agent(torch.nn.Module):
    """A policy and a critic, two hidden layers of 64 each."""

    def __init__(self) -> None:
        super().__init__()
        self.actor, self.critic = (
            torch.nn.Sequential(
                layer(INPUTS, 64, 2**0.5), torch.nn.Tanh(), layer(64, 64, 2**0.5), torch.nn.Tanh(), layer(64, n, last)
            )
            for n, last in ((len(Action), 0.01), (1, 1.0))
        )

    def policy(self, seen: torch.Tensor, legal: torch.Tensor) -> Categorical:
        """The chances of the legal actions."""
        return Categorical(logits=self.actor(seen).masked_fill(~legal, -1e8))


def learn(rules: str, steps: int, tables: int, seed: int) -> Iterator[tuple[int, Agent]]:
    """Yield (steps taken, agent) after every tenth of the steps."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # so small a network is quickest on one
    envs = gymnasium.make_vec("holecard/Blackjack-v0", num_envs=tables, rules=rules, autoreset_mode="SameStep")
    agent = Agent()
    optimiser = torch.optim.Adam(agent.parameters(), lr=2.5e-3, eps=1e-5)
    seen, info = envs.reset(seed=seed)
    updates, told = max(steps // (STEPS * tables), 1), 0
    for update in range(1, updates + 1):
        optimiser.param_groups[0]["lr"] = 2.5e-3 * (1 - (update - 1) / updates)
        batch = {
            "seen": torch.zeros(STEPS, tables, INPUTS),
            "legal": torch.zeros(STEPS, tables, len(Action), dtype=torch.bool),
            "actions": torch.zeros(STEPS, tables, dtype=torch.long),
            **{name: torch.zeros(STEPS, tables) for name in ("chances", "rewards", "over", "values")},
        }
        with torch.no_grad():
            for step in range(STEPS):
                now, legal = features(seen), torch.from_numpy(info["action_mask"]).bool()
                policy = agent.policy(now, legal)
                actions = policy.sample()
                batch["seen"][step], batch["legal"][step], batch["actions"][step] = now, legal, actions
                batch["chances"][step], batch["values"][step] = policy.log_prob(actions), agent.critic(now)[:, 0]
                seen, rewards, over, _, info = envs.step(actions.numpy())
                batch["rewards"][step] = torch.from_numpy(rewards).float()
                batch["over"][step] = torch.from_numpy(over).float()
            ahead = agent.critic(features(seen))[:, 0]
        improve(agent, optimiser, batch, advantages(batch, ahead))
        if 10 * update // updates > told:
            told = 10 * update // updates
            yield update * STEPS * tables, agent


def advantages(batch: dict[str, torch.Tensor], ahead: torch.Tensor) -> torch.Tensor:
    """Generalised advantage estimates, rewards not discounted; `ahead` values what follows the last step."""
    found, last = torch.zeros_like(batch["values"]), torch.zeros_like(ahead)
    for step in reversed(range(STEPS)):
        goes_on = 1 - batch["over"][step]
        following = ahead if step == STEPS - 1 else batch["values"][step + 1]
        surprise = batch["rewards"][step] + goes_on * following - batch["values"][step]
        last = found[step] = surprise + LAMBDA * goes_on * last
    return found


def improve(
    agent: Agent, optimiser: torch.optim.Optimizer, batch: dict[str, torch.Tensor], gained: torch.Tensor
) -> None:
    """Some epochs of clipped policy gradients."""
    flat = {name: values.flatten(0, 1) for name, values in (batch | {"gained": gained}).items()}
    returns = flat["gained"] + flat["values"]
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(returns)).chunk(MINIBATCHES):
            policy = agent.policy(flat["seen"][rows], flat["legal"][rows])
            ratio = (policy.log_prob(flat["actions"][rows]) - flat["chances"][rows]).exp()
            gains = flat["gained"][rows]
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            clipped = torch.minimum(gains * ratio, gains * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            missed = (agent.critic(flat["seen"][rows])[:, 0] - returns[rows]).square().mean()
            loss = VALUE * missed - clipped - ENTROPY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(agent.parameters(), NORM)
            optimiser.step()


def chart_of(agent: Agent, game: Rules) -> Strategy:
    """What the policy prefers, cell by cell."""

    def logits(seen: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return agent.actor(features(seen)).numpy()

    return learned_strategy(logits, game, name="ppo")


def main(arguments: list[str] | None = None) -> None:
    """Learn, and tell the exact regret after each tenth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="casino", help="a preset or a text such as '1d S17'")
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=2_000_000)
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    game = Rules.from_text(given.rules)
    best = score(optimum(game).strategy(), game).ev
    for taken, agent in learn(given.rules, given.steps, given.tables, given.seed):
        print(f"{taken:>12,} steps: regret {best - score(chart_of(agent, game), game).ev:.6f}", flush=True)


if __name__ == "__main__":
    main()
