"""Rounds that follow from each other, compiled: shoes dealt down, and trips with a bankroll.

As `fresh` has for fresh rounds, shoes have kernels made for one game, compiled where so many rounds are asked for that
it pays, and kept on disk. Fewer go through `play_dealt`, which takes any game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from holecard._jit import kernel_of_a_game, lean_kernel, rule
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.round import UNLIMITED, Round, Rounds, cards_on_table
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.play.fresh import WORTH_A_KERNEL
from holecard.blackjack.play.kernels import (
    NO_COUNTS,
    RUINS,
    TRIPS,
    Block,
    Counts,
    Plays,
    Tally,
    add_to,
    counted,
    play_round,
)
from holecard.seeds import key_of

DealtKernel = Callable[..., None]
"""Called as `play_dealt` is; one made for a game finds its rules within and takes no notice of those it is given."""


class Trip(NamedTuple):
    """How long a trip lasts and what it is played with."""

    length: int
    """Rounds at most."""
    bankroll: int
    """Chips at the start; the trip ends where they no longer pay a bet."""
    cut: int
    """Cards left at which a dealt shoe is shuffled; the full size or more means a fresh shoe each round."""


def dealt_kernel(rules: TableRules, rounds: int) -> DealtKernel:
    """The kernel that plays so many rounds of a game from shoes dealt down, compiled when it is first called."""
    return _game_kernel(rules) if rounds >= WORTH_A_KERNEL else play_dealt


@lru_cache(maxsize=64)
def _game_kernel(rules: TableRules) -> Any:
    def play_dealt_game(
        state: Rounds, block: Block, most: int, cut: int, plays: Plays, tally: Tally, _: TableRules
    ) -> None:
        _play_dealt(state[0], block, most, cut, plays, tally, rules)

    return kernel_of_a_game(play_dealt_game, rules)


@lean_kernel
def play_dealt(state: Rounds, block: Block, most: int, cut: int, plays: Plays, tally: Tally, rules: TableRules) -> None:
    """A block of shoes of any game, each dealt until fewer than `cut` cards are left; at most `most` rounds.

    `state` is a one-element DEALT_ROUND array, see `small_round`; `tally` is added to.
    """
    _play_dealt(state[0], block, most, cut, plays, tally, rules)


@rule
def _play_dealt(round: Round, block: Block, most: int, cut: int, plays: Plays, tally: Tally, rules: TableRules) -> None:
    clear_stamps(round["shoe"])
    counts = NO_COUNTS
    for number in range(block.first, block.first + block.n):
        counts = play_shoe(round, key_of(block.seed, np.uint64(number)), most, cut, plays, counts, rules)
    add_to(tally, counts)


@rule
def play_shoe(
    round: Round, key: np.uint64, most: int, cut: int, plays: Plays, counts: Counts, rules: TableRules
) -> Counts:
    """Deal the shoe of `key` until fewer than `cut` cards are left or `most` rounds are counted; the counts with it.

    The key of a round is hashed before the last one is played, see `play_fresh_by`.
    """
    shoe = round["shoe"]
    begin_shoe(shoe)
    in_shoe, own_key = 0, key_of(key, np.uint64(0))
    while counts.rounds < most and not is_cut_card_out(shoe, cut):
        in_shoe += 1
        next_key = key_of(key, np.uint64(in_shoe))
        net = play_round(round, own_key, UNLIMITED, plays, rules)
        counts = counted(counts, round, net, rules)
        collect(shoe, cards_on_table(round, rules))
        own_key = next_key
    return counts


@lean_kernel
def play_trips(state: Rounds, block: Block, trip: Trip, plays: Plays, tally: Tally, rules: TableRules) -> None:
    """A block of trips; `state` is a one-element array, ROUND for fresh shoes, DEALT_ROUND for shoes dealt down."""
    clear_stamps(state[0]["shoe"])
    counts = NO_COUNTS
    for number in range(block.first, block.first + block.n):
        counts, ruined = play_trip(state[0], key_of(block.seed, np.uint64(number)), trip, plays, counts, rules)
        tally[RUINS] += ruined
        tally[TRIPS] += 1
    add_to(tally, counts)


@rule
def play_trip(
    round: Round, key: np.uint64, trip: Trip, plays: Plays, counts: Counts, rules: TableRules
) -> tuple[Counts, int]:
    """Play the trip of `key`; the counts with it, and 1 if it was ruined before its last round."""
    shoe, purse = round["shoe"], trip.bankroll
    begin_shoe(shoe)
    for played in range(trip.length):
        if purse < rules.unit:
            return counts, 1
        if is_cut_card_out(shoe, trip.cut):
            begin_shoe(shoe)
        net = play_round(round, key_of(key, np.uint64(played)), purse - rules.unit, plays, rules)
        counts = counted(counts, round, net, rules)
        collect(shoe, cards_on_table(round, rules))
        purse += net
    return counts, 0
