"""Fresh rounds by kernels made for one game: its rules are constants to the compiler, which drops all that it lacks.

A kernel is compiled where so many rounds are asked for that it pays, and kept on disk. Fewer rounds go through
`kernels.play_fresh`, which takes any game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel_of_a_game
from holecard.blackjack.game.round import Rounds, new_rounds
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.kernels import NO_COUNTS, Block, Plays, add_to, play_fresh, play_fresh_by
from holecard.blackjack.play.small_round import is_full_packs
from holecard.blackjack.play.waves import WAVE, new_wave, play_wave

WORTH_A_KERNEL: Final = 1 << 20
"""Rounds from which a game gets a kernel of its own."""


@dataclass(frozen=True, slots=True)
class FreshKernel:
    """A compiled loop and the memory that it plays in, new for every call."""

    loop: Callable[..., None]
    new_state: Callable[[], NDArray[np.void]]
    rules: tuple[TableRules, ...] = ()
    """What a loop that takes any game is told; nothing where it is made for one."""

    def __call__(self, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        """As `kernels.play_fresh`."""
        self.loop(self.new_state(), block, apart, strategies, tallies, *self.rules)


def fresh_kernel(rules: TableRules, deck: Composition, rounds: int) -> FreshKernel:
    """The kernel that plays so many fresh rounds of a game: `(block, apart, strategies, tallies)`."""
    if rounds >= WORTH_A_KERNEL:
        return kernel_of(rules, deck)
    return FreshKernel(play_fresh, partial(new_rounds, 1, deck), (rules,))


def kernel_of(rules: TableRules, deck: Composition) -> FreshKernel:
    """The kernel made for a game, compiled when it is first called."""
    if is_full_packs(deck):
        return FreshKernel(_wave_kernel(rules, deck), partial(new_wave, rules, deck))
    return FreshKernel(_game_kernel(rules), partial(new_rounds, 1, deck))


@lru_cache(maxsize=64)
def _wave_kernel(rules: TableRules, deck: Composition) -> Any:
    """Full packs: rounds in waves."""

    def play_waves(waves: Rounds, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        for at in range(strategies.shape[0]):
            start, counts = block.first + at * apart, NO_COUNTS
            for first in range(start, start + block.n, WAVE):
                part = Block(block.seed, first, min(WAVE, start + block.n - first))
                counts = play_wave(waves[0], part, strategies[at], counts, rules)
            add_to(tallies[at], counts)

    return kernel_of_a_game(play_waves, rules, deck)


@lru_cache(maxsize=64)
def _game_kernel(rules: TableRules) -> Any:
    """A deck of its own: round after round."""

    def play_game(state: Rounds, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        play_fresh_by(state[0], block, apart, strategies, tallies, rules)

    return kernel_of_a_game(play_game, rules)
