"""Try the environments with other people's programs, those that are installed: `python scripts/clients.py`.

Prints a line for each thing tried. With `--cleanrl FOLDER`, a checkout of CleanRL, its `ppo.py` and `dqn.py` run as
they are, and what they have learned is scored exactly. Longer trainings are in `examples/`: `maskable_ppo.py`,
`tianshou_dqn.py`, `clean_ppo.py`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import runpy
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from holecard.blackjack import Rules, optimum, score
from holecard.envs import holdem_v0, learned_strategy

TABLE = "holecard/Blackjack-v0"
CLASSIC = "holecard/ClassicBlackjack-v0"
Trial = tuple[str, Callable[[], object]]


def _checked(name: str, options: dict[str, Any]) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(_made(name, **options))


def gymnasium_trials() -> list[Trial]:
    """Gymnasium's own checks."""
    kinds: list[tuple[str, dict[str, Any]]] = [
        (TABLE, {}),
        (TABLE, {"observation": "features"}),
        (TABLE, {"masked": True}),
        (CLASSIC, {}),
    ]
    return [(f"check_env {name} {options or ''}", partial(_checked, name, options)) for name, options in kinds]


def _made(name: str, **options: Any) -> gymnasium.Env:
    return gymnasium.make(name, **options).unwrapped


def stable_baselines3_trials() -> list[Trial]:
    """Stable-Baselines3: its checks, and PPO without masks where an illegal action stands."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env

    def learn() -> str:
        model = PPO("MlpPolicy", _made(TABLE, illegal="stand"), n_steps=256, batch_size=64, seed=0).learn(512)
        return f"{model.num_timesteps} steps"

    return [
        (f"check_env {TABLE}", lambda: check_env(_made(TABLE))),
        (f"check_env {TABLE} masked", lambda: check_env(_made(TABLE, masked=True))),
        ("PPO, illegal actions stand", learn),
    ]


def pettingzoo_trials() -> list[Trial]:
    """PettingZoo's tests; those that do not look into `info` for a mask find it in the observation."""
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    kinds: tuple[dict[str, Any], ...] = ({}, {"masked": True}, {"rules": "pokernet", "hands": 20, "masked": True})
    trials: list[Trial] = []
    for options in kinds:
        trials += [
            (f"api_test {options or ''}", partial(api_test, holdem_v0.env(**options), num_cycles=300)),
            (f"seed_test {options or ''}", partial(seed_test, partial(holdem_v0.env, **options), 50)),
        ]
    folds = {"illegal": "fold", "hands": 5}
    return [
        *trials,
        ("render_test", lambda: render_test(lambda render_mode: holdem_v0.env(masked=True, render_mode=render_mode))),
        (
            "parallel_api_test of turn_based_aec_to_parallel",
            lambda: parallel_api_test(turn_based_aec_to_parallel(holdem_v0.env(**folds)), num_cycles=200),
        ),
    ]


def supersuit_trials() -> list[Trial]:
    """SuperSuit's wrappers, each under PettingZoo's API test, and its vectors."""
    import supersuit
    from pettingzoo.test import api_test
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    wrappers: dict[str, Callable[[Any], Any]] = {
        "dtype_v0": lambda env: supersuit.dtype_v0(env, np.float64),
        "frame_stack_v1": lambda env: supersuit.frame_stack_v1(env, 4),
        "flatten_v0": supersuit.flatten_v0,
        "normalize_obs_v0": supersuit.normalize_obs_v0,
        "clip_reward_v0": lambda env: supersuit.clip_reward_v0(env, -1, 1),
        "agent_indicator_v0": supersuit.agent_indicator_v0,
        "pad_observations_v0": supersuit.pad_observations_v0,
        "sticky_actions_v0": lambda env: supersuit.sticky_actions_v0(env, 0.2),
    }

    def vector() -> str:
        parallel = turn_based_aec_to_parallel(holdem_v0.env(illegal="fold", hands=5))
        tables = supersuit.concat_vec_envs_v1(supersuit.pettingzoo_env_to_vec_env_v1(parallel), 2)
        seen, _ = tables.reset(seed=1)
        for _ in range(50):
            seen, *_ = tables.step(np.array([tables.action_space.sample() for _ in range(tables.num_envs)]))
        return f"observations {seen.shape}"

    return [
        *(
            (name, lambda wrap=wrap: api_test(wrap(holdem_v0.env(illegal="fold")), num_cycles=100))
            for name, wrap in wrappers.items()
        ),
        ("concat_vec_envs_v1", vector),
    ]


def rllib_trials() -> list[Trial]:
    """RLlib's checks of multi-agent environments, through its own PettingZoo wrappers."""
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv, PettingZooEnv
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments as check

    def parallel() -> Any:
        return ParallelPettingZooEnv(turn_based_aec_to_parallel(holdem_v0.env(illegal="fold")))

    return [
        ("check holdem_v0", lambda: check(PettingZooEnv(holdem_v0.env(illegal="fold")))),
        ("check holdem_v0 masked", lambda: check(PettingZooEnv(holdem_v0.env(masked=True, illegal="fold")))),
        ("check holdem_v0 in parallel", lambda: check(parallel())),
    ]


def tianshou_trials() -> list[Trial]:
    """Tianshou's wrapper of PettingZoo: masks in observations."""
    from tianshou.env import PettingZooEnv

    def play() -> str:
        table, rng, steps = PettingZooEnv(holdem_v0.env(masked=True, hands=20)), np.random.default_rng(1), 0
        seen, _ = table.reset(seed=1)
        over = False
        while not over:
            seen, _, over, _, _ = table.step(int(rng.choice(np.flatnonzero(seen["mask"]))))
            steps += 1
        return f"{steps} steps"

    return [("PettingZooEnv of holdem_v0", play)]


class Floats(gymnasium.ObservationWrapper):
    """Whole numbers as floats, which CleanRL's networks want."""

    def __init__(self, table: gymnasium.Env) -> None:
        super().__init__(table)
        self.observation_space = gymnasium.spaces.Box(0, 40, (8,), np.float32)

    def observation(self, seen: np.ndarray) -> np.ndarray:
        """The same numbers."""
        return seen.astype(np.float32)


def cleanrl_trials(folder: Path, steps: int, rules: str) -> list[Trial]:
    """CleanRL's scripts, unchanged, on an id of ours; what they have learned, exactly."""
    import torch

    sys.path.append(str(folder))
    torch.set_num_threads(1)
    game = Rules.from_text(rules)
    best = score(optimum(game).strategy(), game).ev

    def made(**options: Any) -> Floats:
        return Floats(gymnasium.make(TABLE, rules=rules, illegal="stand", **options))

    gymnasium.register("HolecardFloats-v0", made)

    def run(name: str) -> str:
        sys.argv = [name, "--env-id", "HolecardFloats-v0", "--total-timesteps", str(steps), "--no-cuda", "--gamma", "1"]
        left = runpy.run_path(str(folder / "cleanrl" / name), run_name="__main__")
        network = left["agent"].actor if name == "ppo.py" else left["q_network"]

        def values(seen: np.ndarray) -> np.ndarray:
            with torch.inference_mode():
                return network(torch.as_tensor(seen, dtype=torch.float32)).numpy()

        return f"{steps:,} steps on {rules}: regret {best - score(learned_strategy(values, game), game).ev:.6f}"

    return [(f"cleanrl/{name}", partial(run, name)) for name in ("ppo.py", "dqn.py")]


CLIENTS: dict[str, tuple[str, Callable[[], list[Trial]]]] = {
    "gymnasium": ("gymnasium", gymnasium_trials),
    "stable-baselines3": ("stable_baselines3", stable_baselines3_trials),
    "pettingzoo": ("pettingzoo", pettingzoo_trials),
    "supersuit": ("supersuit", supersuit_trials),
    "rllib": ("ray", rllib_trials),
    "tianshou": ("tianshou", tianshou_trials),
}


def tried(client: str, trials: list[Trial]) -> int:
    """Try them in order, a line each; how many failed."""
    failed = 0
    for title, trial in trials:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result = trial()
        except Exception:  # whatever another program raises is what we want to see
            failed += 1
            print(f"{client:<26} {title}: FAILED\n{traceback.format_exc(limit=-3)}", flush=True)
        else:
            print(f"{client:<26} {title}: ok{f', {result}' if isinstance(result, str) else ''}", flush=True)
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Try everything that is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clients", nargs="*", choices=[[], *CLIENTS], help="only these")
    parser.add_argument("--cleanrl", type=Path, help="a checkout of CleanRL")
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=200_000, help="of CleanRL's scripts")
    parser.add_argument("--rules", default="votes", help="of CleanRL's scripts")
    given = parser.parse_args(arguments)
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    warnings.simplefilter("ignore")
    failed = 0
    for client in given.clients or CLIENTS:
        package, make = CLIENTS[client]
        try:
            trials, name = make(), f"{client} {version(package)}"
        except ImportError as missing:
            print(f"{client:<26} not installed ({missing})", flush=True)
            continue
        failed += tried(name, trials)
    if given.cleanrl is not None:
        failed += tried("CleanRL", cleanrl_trials(given.cleanrl, given.steps, given.rules))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
