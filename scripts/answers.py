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
from holecard.holdem.arena.deck_sets import DeckSet
from holecard.holdem.arena.hand_loop import SESSION
from holecard.holdem.arena.sessions import SessionResult, play_session
from holecard.holdem.equities.tables import equity_tables
from holecard.holdem.game.betting import CALL
from holecard.holdem.game.rules import SessionTerms, Street
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
def play(
    equity_tables: Any, session: Any, deck_set: DeckSet, terms: SessionTerms, answer: Answer, result: SessionResult
) -> None:
    """A session of result.net.shape[0] hands; equity_tables (1) EQUITY, session (1) SESSION."""
    play_session(session[0], equity_tables[0], deck_set, terms, decide, answer, 0, result)


def won(answer: Answer, hands: int) -> Estimate:
    """The answer's mBB/hand; the button changes hands every hand."""
    rules = preset_named("paper").rules
    session, net = np.zeros(1, SESSION), np.zeros(hands, np.int64)
    session["wants_equity"] = 1
    result = SessionResult(net, np.empty(0))
    play(equity_tables(), session, DeckSet.of(SEED, 0), rules.session_terms, answer, result)
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
