"""Shoes played by a counter, compiled: the same rounds as `play.kernels`, with the count kept and asked.

A round is linear in its bet and nothing in it depends on the bet, so all that a ramp needs is how rounds end by the
count at which they began: a table of counts × results.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.dealing import Shoe, begin_shoe, clear_stamps, collect, is_cut_card_out
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
    hand_in,
    hands_held,
)
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.play.kernels import Block, Plays, strategy_action
from holecard.seeds import key_of

PACK_SIZE: Final = 52
FLOOR, TRUNCATE, ROUND_OFF = range(3)
_INSURE: Final = int(Action.INSURE)
_DECLINE: Final = int(Action.DECLINE)


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
    """(rows,): which chart is played at the count of a row."""


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
        whole = count // divisor
        if counting.rounding == TRUNCATE and whole < 0 and whole * divisor != count:
            whole += 1
    row, rows = whole - counting.lowest, counting.charts.shape[0]
    return 0 if row < 0 else (rows - 1 if row >= rows else row)


@rule
def _estimated(unseen: int, step: int) -> int:
    """Cards left as a player guesses them: to the nearest step, and at least one."""
    return max(step, (2 * unseen + step) // (2 * step) * step)


@rule
def _seen_now(round: Round, counting: Counting, rules: TableRules) -> tuple[int, int]:
    """What the cards that a player sees in a running round add to the count, and how many they are."""
    added, cards = counting.tags[round["hands"][DEALER]["cards"][0] >> 2], 1
    for index in range(1, hands_held(round, rules) + 1):
        hand = hand_in(round, index, rules)
        for at in range(hand["n_cards"]):
            added += counting.tags[hand["cards"][at] >> 2]
        cards += hand["n_cards"]
    return added, cards


@rule
def _all_seen(round: Round, counting: Counting, rules: TableRules) -> int:
    """What all cards of a finished round add to the count: the hole card is shown at its end, whatever happened."""
    added, _ = _seen_now(round, counting, rules)
    dealer = round["hands"][DEALER]
    for at in range(1, dealer["n_cards"]):
        added += counting.tags[dealer["cards"][at] >> 2]
    return added


@rule
def cards_left(shoe: Shoe) -> int:
    """Cards of the shoe that are not out."""
    return int(shoe["size"]) - int(shoe["out"])


@rule
def play_counted_round(
    round: Round, key: np.uint64, count: tuple[int, int], plays: Plays, counting: Counting, rules: TableRules
) -> int:
    """Deal the round of `key` and play it by the count: `count` is the running one and the cards not seen."""
    active = deal(round, key, UNLIMITED, rules)
    while active != NOBODY:
        added, cards = _seen_now(round, counting, rules)
        row = row_of_count(count[0] + added, count[1] - cards, counting)
        if rules.insurance and round["phase"] == INSURING:
            action = _INSURE if row >= counting.insurance else _DECLINE
        else:
            action = strategy_action(plays[counting.charts[row]], round, active, rules)
        active = apply(round, active, action, rules)
    return round["net"]


@lean_kernel
def play_counted(
    state: Rounds,
    block: Block,
    limits: tuple[int, int],
    plays: Plays,
    tally: NDArray[np.int64],
    counting: Counting,
    seat: Seat,
    rules: TableRules,
) -> None:
    """A block of shoes by a counter, each dealt to the cut; `limits` are the most rounds and the cut.

    `plays` is uint8 (charts, cells). `tally` int64 (2, counts, results) is added to: rounds watched and rounds played,
    by the count before the deal and by the net result in chips, whose middle column is 0.
    """
    round = state[0]
    shoe = round["shoe"]
    clear_stamps(shoe)
    middle = tally.shape[2] // 2
    played = 0
    for number in range(block.first, block.first + block.n):
        key = key_of(block.seed, np.uint64(number))
        begin_shoe(shoe)
        running, unseen, in_shoe, sits = counting.start, cards_left(shoe), 0, False
        while played < limits[0] and not is_cut_card_out(shoe, limits[1]):
            row = row_of_count(running, unseen, counting)
            sits = row >= seat.leave if sits else row >= seat.enter
            net = play_counted_round(round, key_of(key, np.uint64(in_shoe)), (running, unseen), plays, counting, rules)
            tally[int(sits), row, net + middle] += 1
            on_table = cards_on_table(round, rules)
            before = shoe["out"]
            collect(shoe, on_table)
            if shoe["out"] != before + on_table:  # the discards were shuffled in during the round
                running = counting.start
            running += _all_seen(round, counting, rules)
            unseen = cards_left(shoe)
            in_shoe += 1
            played += 1
