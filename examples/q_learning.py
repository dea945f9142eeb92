"""Tabular Q-learning on Gymnasium's blackjack, judged exactly as it learns: `python examples/q_learning.py`.

`holecard/ClassicBlackjack-v0` is the game of Gymnasium's Blackjack-v1, hundreds of times as fast, and its optimum is
known. So after so many steps we do not ask what the learner happened to win, but what its table is worth.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import holecard.envs  # noqa: F401 (registers the environments)
from holecard.blackjack import optimum, score
from holecard.envs import strategy_of

Floats = NDArray[np.float64]


def learn(
    steps: int, tables: int = 256, seed: int = 0, sab: bool = True, exploration: float = 0.1
) -> Iterator[tuple[int, Floats]]:
    """Yield (steps taken, Q by sum, upcard, ace and action) at moments that lie evenly on a logarithmic scale."""
    environment = gymnasium.make_vec(
        "holecard/ClassicBlackjack-v0", num_envs=tables, sab=sab, autoreset_mode="SameStep"
    )
    rng = np.random.default_rng(seed)
    q, visits = np.zeros((32, 11, 2, 2)), np.zeros((32, 11, 2, 2))
    seen, _ = environment.reset(seed=seed)
    moments = iter(np.unique(np.geomspace(10 * tables, steps, 40).astype(int)))
    moment = next(moments)
    for taken in range(tables, steps + tables, tables):
        greedy = q[seen].argmax(axis=1)
        actions = np.where(rng.random(tables) < exploration, rng.integers(0, 2, tables), greedy)
        following, rewards, over, _, _ = environment.step(actions)
        targets = np.where(over, rewards, q[following].max(axis=1))
        update(q, visits, (*seen, actions), targets)
        seen = following
        if taken >= moment:
            yield taken, q
            moment = next(moments, steps + tables)


def update(q: Floats, visits: Floats, cells: tuple[Any, ...], targets: Floats) -> None:
    """Move the cells of a batch towards the mean of their targets, by less the more often they were visited."""
    count, total = np.zeros_like(q), np.zeros_like(q)
    np.add.at(count, cells, 1.0)
    np.add.at(total, cells, targets)
    visits += count
    here = count > 0
    rate = np.minimum(1.0, count[here] / visits[here] ** 0.85)
    q[here] += rate * (total[here] / count[here] - q[here])


def regrets(steps: int, sab: bool = True, **options: Any) -> tuple[list[int], list[float]]:
    """Steps taken and by how much the greedy table falls short of the optimum, exactly."""
    table: Any = gymnasium.make("holecard/ClassicBlackjack-v0", sab=sab).unwrapped
    rules = table.rules
    best = score(optimum(rules).strategy(), rules).ev
    points = [
        (taken, best - score(strategy_of(q.argmax(axis=3)), rules).ev) for taken, q in learn(steps, sab=sab, **options)
    ]
    return [taken for taken, _ in points], [regret for _, regret in points]


def draw(steps: list[int], regret: list[float], title: str, path: Path) -> None:
    """Regret over steps, both on logarithmic scales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.loglog(steps, np.maximum(regret, 1e-6), color="#D55E00", linewidth=1.8)
    axes.set(title=title, xlabel="Steps", ylabel="Regret: exact EV short of the optimum, per bet")
    axes.grid(alpha=0.3, which="both")
    figure.savefig(path, dpi=120)


def main(arguments: list[str] | None = None) -> None:
    """Learn, tell and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=lambda text: int(float(text)), default=10_000_000)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("q_learning.png"))
    given = parser.parse_args(arguments)
    steps, regret = regrets(given.steps, tables=given.tables, seed=given.seed)
    for at in (0, len(steps) // 2, len(steps) - 1):
        print(f"{steps[at]:>12,} steps: regret {regret[at]:.6f}")
    draw(steps, regret, "Tabular Q-learning on ClassicBlackjack-v0", given.out)
    print(f"drawn: {given.out}")


if __name__ == "__main__":
    main()
