"""Rounds that show a wanted upcard: what a player who prepares for one upcard practises on.

Of the rounds of a seed those are picked whose upcard is the wanted one. That deals exactly what taking the card out of
the shoe and laying it before the dealer would: the other cards come from the shoe without it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.round import DEALER, UNLIMITED, Rounds, deal, new_rounds
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.kernels import Plays, play_round
from holecard.blackjack.play.simulate import CHUNK, WORTH_A_GPU
from holecard.device import chosen_device
from holecard.errors import CardError
from holecard.executor import in_order, thread_count
from holecard.seeds import checked_seed, key_of


@lean_kernel
def find_rounds(
    state: Rounds, seed: np.uint64, first: int, value: int, numbers: NDArray[np.int64], rules: TableRules
) -> None:
    """Fill `numbers`, int64 (n,), with the next rounds of a seed, from `first` on, whose upcard counts `value`."""
    round = state[0]
    clear_stamps(round["shoe"])
    found, number = 0, first
    while found < numbers.shape[0]:
        begin_shoe(round["shoe"])
        deal(round, key_of(seed, np.uint64(number)), UNLIMITED, rules)
        if value_of(round["hands"][DEALER]["cards"][0]) == value:
            numbers[found] = number
            found += 1
        number += 1


@lean_kernel
def play_chosen(
    state: Rounds,
    numbers: NDArray[np.int64],
    seed: np.uint64,
    strategies: Plays,
    nets: NDArray[np.int64],
    rules: TableRules,
) -> None:
    """The fresh rounds of those numbers by several strategies: `nets` int64 (n,) gets the chips each wins in all."""
    round = state[0]
    for at in range(strategies.shape[0]):
        clear_stamps(round["shoe"])
        chips = 0
        for number in numbers:
            begin_shoe(round["shoe"])
            chips += play_round(round, key_of(seed, np.uint64(number)), UNLIMITED, strategies[at], rules)
        nets[at] = chips


def chips_against(
    upcard: int,
    plays: NDArray[np.uint8],
    rules: Rules,
    rounds: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    device: str = "auto",
) -> NDArray[np.int64]:
    """What each of many strategies wins against an upcard (0 = ace … 9 = ten), all on the same rounds.

    In chips, `rules.unit` to a base bet, the same on any device; `plays` stacks `Strategy.plays()`.
    """
    deck, key = Composition.of_rules(rules), np.uint64(checked_seed(seed))
    if deck.values[upcard] == 0:
        raise CardError(f"the shoe holds no card of value {upcard + 1} to show")
    flat = plays.reshape(len(plays), -1)
    on_gpu = chosen_device(device, worthwhile=len(flat) * rounds >= WORTH_A_GPU) == "cuda"
    chips, first = np.zeros(len(flat), np.int64), 0
    for left in range(rounds, 0, -CHUNK):  # in pieces, so that Ctrl-C is heard
        numbers = np.empty(min(left, CHUNK), np.int64)
        find_rounds(new_rounds(1, deck), key, first, upcard + 1, numbers, rules.table())
        first = int(numbers[-1]) + 1
        if on_gpu:
            from holecard.blackjack.play.gpu import play_chosen as play_on_gpu

            chips += play_on_gpu(numbers, flat, rules, deck, seed)
        else:
            chips += _played(flat, numbers, rules, seed, threads)
    return chips


def _played(flat: Plays, numbers: NDArray[np.int64], rules: Rules, seed: int, threads: int | None) -> NDArray[np.int64]:
    """What each strategy wins in the rounds of those numbers, on threads."""
    deck = Composition.of_rules(rules)

    def job(strategies: Plays) -> NDArray[np.int64]:
        nets = np.empty(len(strategies), np.int64)
        play_chosen(new_rounds(1, deck), numbers, np.uint64(seed), strategies, nets, rules.table())
        return nets

    size = max(1, min(-(-len(flat) // thread_count(threads)), CHUNK // len(numbers)))
    parts = (flat[at : at + size] for at in range(0, len(flat), size))
    return np.concatenate(list(in_order(job, parts, threads=threads)))
