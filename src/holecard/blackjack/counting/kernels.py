"""Shoes played by a counter, compiled: the same rounds as `play.kernels`, with the count kept and asked.

A round is linear in its bet and nothing in it depends on the bet, so all that a ramp needs is how rounds end by the
count at which they began: a table of counts × results.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rare_rule, rule
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
from holecard.blackjack.play.kernels import Block, Plays, strategy_action, usual_but_surrender
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
def _row_now(round: Round, count: tuple[int, int], counting: Counting, rules: TableRules) -> int:
    """The row of the count at a decision: what was before the round, and the cards that lie open now."""
    added, cards = _seen_now(round, counting, rules)
    shoe = round["shoe"]
    if shoe["since"] == shoe["serial"]:  # a first round, or the discards have come back in this one
        return row_of_count(counting.start + added, int(shoe["size"]) - cards, counting)
    return row_of_count(count[0] + added, count[1] - cards, counting)


@rare_rule
def _action_by_count(
    round: Round, active: int, count: tuple[int, int], plays: Plays, counting: Counting, rules: TableRules
) -> int:
    """What is played where it depends on the count."""
    row = _row_now(round, count, counting, rules)
    if rules.insurance and round["phase"] == INSURING:
        return _INSURE if row >= counting.insurance else _DECLINE
    return strategy_action(plays[counting.charts[row]], round, active, rules)


@rule
def play_counted_round(
    round: Round, key: np.uint64, count: tuple[int, int], plays: Plays, counting: Counting, rules: TableRules
) -> int:
    """Deal the round of `key` and play it by the count: `count` is the running one and the cards not seen.

    Most decisions are the same at every count, and `plays[0]` has them; only the others look at the cards.
    """
    active = deal(round, key, UNLIMITED, rules)
    while active != NOBODY:
        insuring = rules.insurance and round["phase"] == INSURING
        action = BY_COUNT if insuring else strategy_action(plays[0], round, active, rules)
        if action == BY_COUNT:
            action = _action_by_count(round, active, count, plays, counting, rules)
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
    running, unseen, played, sits = counting.start, cards_left(shoe), 0, False
    while played < table.most and not is_cut_card_out(shoe, table.cut):
        row = row_of_count(running, unseen, counting)
        sits = row >= table.seat.leave if sits else row >= table.seat.enter
        net = play_counted_round(round, key_of(key, np.uint64(played)), (running, unseen), plays, counting, rules)
        note(tally, int(sits), row, net)
        if shoe["since"] == shoe["serial"]:  # nothing of earlier rounds is out
            running = counting.start
        collect(shoe, cards_on_table(round, rules))
        running += _all_seen(round, counting, rules)
        unseen = cards_left(shoe)
        played += 1
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
    """A block of shoes by a counter, each dealt to the cut.

    `plays` is uint8 (1 + charts, cells). `tally` int64 (2, counts, results) is added to: rounds watched and rounds
    played, by the count before the deal and by the net result in chips, whose middle column is 0.
    """
    if rules == usual_but_surrender(rules):
        _play_counted(state[0], block, table, plays, tally, counting, usual_but_surrender(rules))
    else:
        _play_counted(state[0], block, table, plays, tally, counting, rules)
