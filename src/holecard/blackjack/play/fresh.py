"""Fresh rounds by kernels made for one game: its rules are constants to the compiler, which drops all that it lacks.

A kernel is compiled where so many rounds are asked for that it pays, and kept on disk. Fewer rounds go through
`kernels.play_fresh`, which takes any game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel_of_a_game, stack_record
from holecard.blackjack.game.dealing import begin_shoe
from holecard.blackjack.game.round import UNLIMITED, Rounds
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.kernels import (
    NO_COUNTS,
    Block,
    Plays,
    add_to,
    counted,
    play_fresh,
    play_fresh_by,
    play_round,
)
from holecard.blackjack.play.small_round import is_full_packs, small_round
from holecard.seeds import key_of

WORTH_A_KERNEL: Final = 1 << 20
"""Rounds from which a game gets a kernel of its own."""
_ONE_PACK: Final = small_round(Rules.preset("classic").table(), Composition.of_decks(1))
_WORD: Final = 64
"""Places of a shoe that are the bits of one word."""
_round_in_registers = stack_record(_ONE_PACK)
FreshKernel = Callable[..., None]
"""Called as `kernels.play_fresh` is, without the rules."""


def fresh_kernel(rules: TableRules, deck: Composition, rounds: int) -> FreshKernel:
    """The kernel that plays so many fresh rounds of a game: `(state, block, apart, strategies, tallies)`."""
    if rounds >= WORTH_A_KERNEL:
        return kernel_of(rules, deck)

    def play(state: Rounds, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        play_fresh(state, block, apart, strategies, tallies, rules)

    return play


def kernel_of(rules: TableRules, deck: Composition) -> FreshKernel:
    """The kernel made for a game, compiled when it is first called."""
    fits = rules.max_hands == 1 and deck.size <= _WORD and is_full_packs(deck)
    return _one_pack_kernel(rules, deck.size) if fits else _game_kernel(rules)


@lru_cache(maxsize=64)
def _game_kernel(rules: TableRules) -> Any:
    def play_game(state: Rounds, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        play_fresh_by(state[0], block, apart, strategies, tallies, rules)

    return kernel_of_a_game(play_game, rules)


@lru_cache(maxsize=16)
def _one_pack_kernel(rules: TableRules, cards: int) -> Any:
    """Where nobody may split, the whole round lives in registers."""
    size = np.uint64(cards)

    def play_one_pack(state: Rounds, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64]) -> None:
        round = _round_in_registers()
        shoe, seed = round["shoe"], block.seed
        shoe["size"] = size
        for at in range(strategies.shape[0]):
            plays, start, counts = strategies[at], block.first + at * apart, NO_COUNTS
            key = key_of(seed, np.uint64(start))
            for number in range(start, start + block.n):
                next_key = key_of(seed, np.uint64(number + 1))
                begin_shoe(shoe)
                net = play_round(round, key, UNLIMITED, plays, rules)
                counts = counted(counts, round, net, rules)
                key = next_key
            add_to(tallies[at], counts)

    return kernel_of_a_game(play_one_pack, rules, cards)
