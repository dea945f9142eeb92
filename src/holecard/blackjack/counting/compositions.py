"""Shoes in play: the cards left before a round, drawn by chance; their counts; and many solved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.kept import Kept
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.exact.many import is_for_gpu, solve_on_gpu
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, cut_card
from holecard.device import Device, chosen_device
from holecard.executor import in_order
from holecard.seeds import checked_seed

PART: Final = 100
"""Solved decks that are kept together: some seconds of work."""
_WORTH_GPU: Final = 1000
"""Decks from which a GPU saves more than its start costs."""
NOT_KEPT: Final = Kept()


def used_count(
    system: CountSystem, running: NDArray[np.float64], unseen: NDArray[np.int64] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """The count as the system uses it: true, exact to the card, or running."""
    return running * 52.0 / unseen if system.used_as == "true" else running


def running_counts(system: CountSystem, rules: Rules, left: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,): the running counts of shoes with (n, 10) cards left of each value."""
    whole = np.array(Composition.of_rules(rules).values)
    counts: NDArray[np.float64] = (whole - left) @ np.array([float(tag) for tag in system.tags])
    return counts + float(system.starts_at(rules.packs))


def draw_shoes(rules: Rules, n: int, seed: int = 0) -> NDArray[np.int64]:
    """(n, 10): cards left of each value in shoes in play, as chance has them, every depth down to the cut as often."""
    whole = np.array(Composition.of_rules(rules).values)
    size = int(whole.sum())
    rng = np.random.default_rng([checked_seed(seed), size])
    depths = rng.integers(cut_card(Composition.of_rules(rules), rules), size + 1, n)
    return np.stack([rng.multivariate_hypergeometric(whole, int(depth)) for depth in depths])


def solve_many(
    compositions: Sequence[Composition],
    rules: Rules,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> Iterator[Solution]:
    """The exact solutions of many decks, in their order, a few computed ahead on threads, or on a GPU.

    `device` is `cpu`, `cuda`, or `auto`: a GPU for a thousand decks or more, if there is one. A solution from a GPU has
    its EV and what first hands return; what else is asked of it is worked out then.

    >>> decks = [Composition.of_decks(1), Composition.of_decks(2)]
    >>> [round(each.ev, 4) for each in solve_many(decks, Rules.preset("single-deck"))]
    [-0.0015, -0.0053]
    """
    on_gpu = executor is None and _chosen(device, rules, len(compositions)) == "cuda"
    for done, solution in enumerate(
        solve_on_gpu(compositions, rules)
        if on_gpu
        else in_order(partial(_solved, rules), compositions, threads=threads, executor=executor),
        start=1,
    ):
        if progress:
            progress(done)
        yield solution


def _chosen(device: str, rules: Rules, decks: int) -> Device:
    """Where so many decks are solved."""
    return chosen_device(device, worthwhile=decks >= _WORTH_GPU and is_for_gpu(rules))


def solved_rows(
    decks: Sequence[Composition],
    rules: Rules,
    row_of: Callable[[Solution], NDArray[np.float64]],
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "cpu",
    progress: Callable[[int], None] | None = None,
    kept: Kept = NOT_KEPT,
) -> NDArray[np.float64]:
    """(n, …): a row of figures of each deck's solution; parts of `PART` decks are kept.

    A GPU is for rows that ask for no more than it finds, see `solve_many`.
    """
    done, parts = 0, []
    chosen_for_all = "cpu" if executor or not is_for_gpu(rules) else _chosen(device, rules, len(decks))
    for first in range(0, len(decks), PART):
        chosen = decks[first : first + PART]

        def solved(chosen: Sequence[Composition] = chosen, done: int = done) -> NDArray[np.float64]:
            report = None if progress is None else (lambda number: progress(done + number))
            solutions = solve_many(
                chosen, rules, threads=threads, executor=executor, device=chosen_for_all, progress=report
            )
            return np.stack([row_of(solution) for solution in solutions])

        ranks = np.array([deck.ranks for deck in chosen])
        parts.append(kept.part(f"solved-{first}", (str(rules), row_of.__qualname__, ranks), solved))
        done += len(chosen)
        if progress:
            progress(done)
    return np.concatenate(parts)


def _solved(rules: Rules, deck: Composition) -> Solution:
    return solve(rules, deck=deck)
