"""What simple answers win from the paper's four opponents: how much there is to find, and what evolution missed.

    PYTHONPATH=src python scripts/answers.py [--hands 100000]

Every answer is one rule: check or call until a street, and there go all-in from some chance to win on, else give up.
Intervals are 95 %.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from champions import PAPER, SEED, cell, print_table

from holecard._jit import kernel, rule
from holecard.estimate import Estimate
from holecard.holdem.arena.sessions import play_session
from holecard.holdem.arena.table import TABLE
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import CALL
from holecard.holdem.game.rules import Stakes, Street
from holecard.holdem.players.decision_rules import give_up, raise_or_call
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RULE_PLAYERS, rule_move

EVERYTHING = 10**9
"""A raise to more than anybody has: all-in."""


class Answer(NamedTuple):
    """Check or call before `street`; there all-in if the chance to win is `least` or more, else give up."""

    opponent: int
    street: int
    least: float


@rule
def decide(view: Any, player: int, answer: Answer) -> int:
    """The move of the answer (player 0) or of its opponent."""
    if player == 1:
        return rule_move(view, answer.opponent)
    if view["street"] < answer.street:
        return CALL
    return raise_or_call(view, EVERYTHING) if view["equity"] >= answer.least else give_up(view)


@kernel
def play(tables: Any, table: Any, stakes: Stakes, seed: np.uint64, answer: Answer, net: Any) -> None:
    """A session of net.shape[0] hands, stacks reset; fills net int64 (hands) with the chips of player 0."""
    equities = np.empty((0, 2, 4))
    chances, adjusted = np.empty((0, 4), np.int64), np.empty(0)
    play_session(table[0], tables[0], equities, chances, decide, answer, stakes, False, seed, 0, 0, net, adjusted)


def won(answer: Answer, hands: int) -> Estimate:
    """The answer's mBB/hand; the button changes hands every hand."""
    rules = preset_named("paper").rules
    table, net = np.zeros(1, TABLE), np.zeros(hands, np.int64)
    table["buy_in"], table["wants_equity"], table["player_in"] = rules.stack, 1, (0, 1)
    play(equity_tables(), table, rules.stakes, np.uint64(SEED), answer, net)
    mbb = 1000 * net / rules.big_blind
    return Estimate.from_sums(float(mbb.sum()), float((mbb**2).sum()), hands)


def main() -> None:
    """Play every answer against everybody and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000)
    hands = parser.parse_args().hands
    rows = {}
    for street in range(Street.SHOWDOWN):
        for least in (0.0, 0.5):
            where = f"on the {Street(street)}" if street else "before the flop"
            title = f"all-in {where} {f'from p = {least}' if least else 'with any hand'}"
            estimates = [won(Answer(int(RULE_PLAYERS[name]), street, least), hands) for name in PAPER]
            rows[title] = [cell(estimate) for estimate in estimates]
    rows["the paper's evolved players"] = [f"{figure:,.0f}" for figure, _ in PAPER.values()]
    print_table("mBB/hand", list(PAPER), rows)


if __name__ == "__main__":
    main()
