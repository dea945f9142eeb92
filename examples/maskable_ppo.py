"""Stable-Baselines3 on casino blackjack, judged exactly: `python examples/maskable_ppo.py` (needs sb3-contrib).

MaskablePPO plays `holecard/Blackjack-v0` on several tables, with illegal actions masked. Asked about every cell of a
strategy chart its policy becomes a chart, whose exact EV tells how far it is from the best one.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from holecard.blackjack import Rules, Strategy, optimum, score
from holecard.envs import learned_strategy


def chart_of(model: MaskablePPO, game: Rules) -> Strategy:
    """What the policy prefers, cell by cell."""

    def chances(seen: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            found: Any = model.policy.get_distribution(torch.as_tensor(seen)).distribution
            return found.probs.numpy()

    return learned_strategy(chances, game, name="ppo")


def main(arguments: list[str] | None = None) -> None:
    """Learn in ten parts, and tell the exact regret after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="casino", help="a preset or a text such as '1d S17'")
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=200_000)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so small a network is quickest on one
    game = Rules.from_text(given.rules)
    best = score(optimum(game).strategy(), game).ev
    tables = make_vec_env(
        "holecard/Blackjack-v0", n_envs=given.tables, seed=given.seed, env_kwargs={"rules": given.rules}
    )
    model = MaskablePPO(
        "MlpPolicy", tables, n_steps=128, batch_size=128, learning_rate=1e-3, gamma=1.0, ent_coef=0.01, seed=given.seed
    )
    for _ in range(10):
        model.learn(max(given.steps // 10, 1), reset_num_timesteps=False)
        regret = best - score(chart_of(model, game), game).ev
        print(f"{model.num_timesteps:>12,} steps: regret {regret:.6f}", flush=True)


if __name__ == "__main__":
    main()
