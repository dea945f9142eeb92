"""Shoes played by a counter, compiled: the same rounds as `play.kernels`, with the count kept and asked.

A round is linear in its bet and nothing in it depends on the bet, so all that a ramp needs is how rounds end by the
count at which they began: a table of counts × results.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import floor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel_of_a_game, lean_kernel, rare_rule, rule
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.dealing import Shoe, begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.rank_counts import sum_by_rank
from holecard.blackjack.game.round import (
    DEALER,
    INSURING,
    NOBODY,
    UNLIMITED,
    Round,
    Rounds,
    apply,
    cards_on_table,
    deal,
)
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.play.fresh import WORTH_A_KERNEL
from holecard.blackjack.play.kernels import Block, Plays, strategy_action
from holecard.seeds import key_of

PACK_SIZE: Final = 52
FLOOR, TRUNCATE, ROUND_OFF = range(3)
_INSURE: Final = int(Action.INSURE)
_DECLINE: Final = int(Action.DECLINE)
BY_COUNT: Final = 8
"""In place of an action of `plays[0]`: it depends on the count."""


class Counting(NamedTuple):
    """How a player counts."""

    tags: NDArray[np.int64]
    """(13,): what a seen card of a rank adds, times `scale`."""
    scale: int
    """What counts are multiplied by, so that they are whole."""
    start: int
    """The running count after a shuffle, times `scale`."""
    is_true: bool
    """Divided by the decks left."""
    rounding: int
    """FLOOR, TRUNCATE or ROUND_OFF."""
    estimate: int
    """The cards left are estimated to so many cards: 1, 26 or 52."""
    lowest: int
    """The count of the first row of tables by count; what lies below it belongs there too."""
    insurance: int
    """The row from which insurance is taken."""
    charts: NDArray[np.int64]
    """(rows,): which of the plays are those of a row's count; the first plays say where the count matters."""


class Seat(NamedTuple):
    """When a counter sits down and leaves, as rows of tables by count."""

    enter: int
    """He sits down where the count is at least this one."""
    leave: int
    """He leaves where it is below this one."""


@rule
def row_of_count(running: int, unseen: int, counting: Counting) -> int:
    """The row of the count: true or running, rounded, held within the table."""
    count = running
    divisor = counting.scale
    if counting.is_true:
        left = unseen if counting.estimate == 1 else _estimated(unseen, counting.estimate)
        count = running * PACK_SIZE
        divisor = counting.scale * left
    if counting.rounding == ROUND_OFF:
        whole = (2 * count + divisor) // (2 * divisor)
    else:
        # Numbers so small divide exactly enough, and sooner than whole ones; a GPU's floor is not whole.
        whole = int(floor(count / divisor))  # noqa: RUF046
        if counting.rounding == TRUNCATE and whole < 0 and whole * divisor != count:
            whole += 1
    row, rows = whole - counting.lowest, counting.charts.shape[0]
    return 0 if row < 0 else (rows - 1 if row >= rows else row)


@rule
def _estimated(unseen: int, step: int) -> int:
    """Cards left as a player guesses them: to the nearest step, and at least one."""
    return max(step, (2 * unseen + step) // (2 * step) * step)


@rule
def count_of_tags(shoe: Shoe, tags: NDArray[np.int64]) -> int:
    """What the cards that are out of a shoe dealt down add up to, `tags` int64 (13,) by rank."""
    full, left = shoe["ranks_full"], shoe["ranks"]
    return sum_by_rank((full[0] - left[0], full[1] - left[1]), np.int64(shoe["size"]) - shoe["left"], tags)


@rule
def _row_now(round: Round, counting: Counting) -> int:
    """The row of the count at a decision: of all cards that are out but the hole card."""
    shoe, hole_card = round["shoe"], round["hands"][DEALER]["cards"][1]
    running = counting.start + count_of_tags(shoe, counting.tags) - counting.tags[hole_card >> 2]
    return row_of_count(running, shoe["left"] + 1, counting)


@rare_rule
def _action_by_count(round: Round, active: int, plays: Plays, counting: Counting, rules: TableRules) -> int:
    """What is played where it depends on the count."""
    row = _row_now(round, counting)
    if rules.insurance and round["phase"] == INSURING:
        return _INSURE if row >= counting.insurance else _DECLINE
    return strategy_action(plays[counting.charts[row]], round, active, rules)


@rule
def play_counted_round(round: Round, key: np.uint64, plays: Plays, counting: Counting, rules: TableRules) -> int:
    """Deal the round of `key` and play it by the count; the net result in chips.

    Most decisions are the same at every count, and `plays[0]` has them; only the others look at the count.
    """
    active = deal(round, key, UNLIMITED, rules)
    while active != NOBODY:
        insuring = rules.insurance and round["phase"] == INSURING
        action = BY_COUNT if insuring else strategy_action(plays[0], round, active, rules)
        if action == BY_COUNT:
            action = _action_by_count(round, active, plays, counting, rules)
        active = apply(round, active, action, rules)
    return round["net"]


class Table(NamedTuple):
    """At which table a shoe is played and when its player sits down."""

    most: int
    """Rounds at most."""
    cut: int
    """A shoe is shuffled where fewer cards than this are left."""
    seat: Seat


@rule
def play_counted_shoe(
    round: Round,
    key: np.uint64,
    table: Table,
    plays: Plays,
    counting: Counting,
    rules: TableRules,
    note: Callable[[Any, int, int, int], None],
    tally: Any,
) -> int:
    """Play the shoe of `key` to the cut; the rounds it had. `note(tally, sits, row, net)` is called for each."""
    shoe = round["shoe"]
    begin_shoe(shoe)
    played, sits, own_key = 0, False, key_of(key, np.uint64(0))
    while played < table.most and not is_cut_card_out(shoe, table.cut):
        played += 1
        next_key = key_of(key, np.uint64(played))
        row = row_of_count(counting.start + count_of_tags(shoe, counting.tags), shoe["left"], counting)
        sits = row >= table.seat.leave if sits else row >= table.seat.enter
        note(tally, int(sits), row, play_counted_round(round, own_key, plays, counting, rules))
        collect(shoe, cards_on_table(round, rules))
        own_key = next_key
    return played


@rule
def _note(tally: NDArray[np.int64], sits: int, row: int, net: int) -> None:
    tally[sits, row, net + tally.shape[2] // 2] += 1


@rule
def _play_counted(
    round: Round,
    block: Block,
    table: Table,
    plays: Plays,
    tally: NDArray[np.int64],
    counting: Counting,
    rules: TableRules,
) -> None:
    clear_stamps(round["shoe"])
    left = table.most
    for number in range(block.first, block.first + block.n):
        key = key_of(block.seed, np.uint64(number))
        left -= play_counted_shoe(round, key, Table(left, table.cut, table.seat), plays, counting, rules, _note, tally)


@lean_kernel
def play_counted(
    state: Rounds,
    block: Block,
    table: Table,
    plays: Plays,
    tally: NDArray[np.int64],
    counting: Counting,
    rules: TableRules,
) -> None:
    """A block of shoes of any game by a counter, each dealt to the cut.

    `state` is a one-element DEALT_ROUND array, see `small_round`; `plays` is uint8 (1 + charts, cells). `tally` int64
    (2, counts, results) is added to: rounds watched and rounds played, by the count before the deal and by the net
    result in chips, whose middle column is 0.
    """
    _play_counted(state[0], block, table, plays, tally, counting, rules)


def counting_kernel(rules: TableRules, rounds: int) -> Callable[..., None]:
    """The kernel that plays so many rounds of a game by a counter, compiled when it is first called as `play_counted`.

    One made for the game finds its rules within and takes no notice of those it is given.
    """
    return _game_kernel(rules) if rounds >= WORTH_A_KERNEL else play_counted


@lru_cache(maxsize=64)
def _game_kernel(rules: TableRules) -> Any:
    def play_counted_game(
        state: Rounds,
        block: Block,
        table: Table,
        plays: Plays,
        tally: NDArray[np.int64],
        counting: Counting,
        _: TableRules,
    ) -> None:
        _play_counted(state[0], block, table, plays, tally, counting, rules)

    return kernel_of_a_game(play_counted_game, rules)
