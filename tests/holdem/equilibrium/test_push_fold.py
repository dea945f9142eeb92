"""Push or fold: a linear program and best responses by brute force are the judges."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from holecard.errors import HolecardError
from holecard.holdem.equilibrium.push_fold import PushFold, solve_push_fold
from holecard.holdem.equilibrium.push_fold_sweep import parse_stacks, sweep_push_fold
from holecard.holdem.equities.starting_hands import (
    STARTING_HAND_NAMES,
    disjoint_combinations,
    matchup_equities,
)

GAMES = [
    PushFold(stack=1.5),
    PushFold(stack=3),
    PushFold(stack=8.3),
    PushFold(stack=10),
    PushFold(stack=10, ante=0.125),
    PushFold(stack=15.2),
    PushFold(stack=25, small_blind=0),
    PushFold(stack=100),
]


def place(name):
    return STARTING_HAND_NAMES.index(name)


def payoffs(game):
    """What the small blind wins when both are all-in, by hands: written down anew, one deal at a time."""
    return game.stack * (2 * matchup_equities() - 1)


def linear_program(game):
    """The small blind's equilibrium: maximise what is left when the big blind answers every hand as it likes.

    One variable a push, one for each of the big blind's hands: what the small blind gets from it, at most what a call
    gives and at most what a fold gives. The dual variables of the calls are their frequencies.
    """
    deals = disjoint_combinations() / disjoint_combinations().sum()
    lost, won = game.ante + game.small_blind, min(game.stack, game.ante + 1)
    called = deals * payoffs(game)
    n = len(deals)
    gain = np.concatenate([np.full(n, lost) * deals.sum(axis=1), np.ones(n)])
    limits = np.vstack([np.hstack([-called.T, np.eye(n)]), np.hstack([-won * deals.T, np.eye(n)])])
    bounds = [(0, 1)] * n + [(None, None)] * n
    found = linprog(-gain, A_ub=limits, b_ub=np.zeros(2 * n), bounds=bounds, method="highs")
    return -found.fun - lost, found.x[:n], -found.ineqlin.marginals[:n]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.in_words)
def test_a_linear_program_finds_the_same_value(game):
    solution = solve_push_fold(game)
    value, push, _ = linear_program(game)
    assert solution.value == pytest.approx(value, abs=1e-9)
    assert solution.exploitability < 1e-12
    assert np.abs(solution.push - push).max() < 1e-5
    assert ((solution.push >= 0) & (solution.push <= 1)).all()
    assert ((solution.call >= 0) & (solution.call <= 1)).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.in_words)
def test_no_hand_gains_by_another_choice(game):
    """Best responses by brute force, hand by hand."""
    solution = solve_push_fold(game)
    deals, win = disjoint_combinations(), payoffs(game)
    lost, won = game.ante + game.small_blind, min(game.stack, game.ante + 1)
    gains = [0.0, 0.0]
    for hand in range(169):
        pushed = (
            sum(
                deals[hand, other] * ((1 - solution.call[other]) * won + solution.call[other] * win[hand, other])
                for other in range(169)
            )
            / deals[hand].sum()
        )
        assert solution.push_ev[hand] == pytest.approx(pushed, abs=1e-9)
        played = solution.push[hand] * pushed + (1 - solution.push[hand]) * -lost
        gains[0] += (max(pushed, -lost) - played) * deals[hand].sum() / deals.sum()
        faced = (deals[:, hand] * solution.push).sum()
        called = sum(deals[other, hand] * solution.push[other] * -win[other, hand] for other in range(169)) / faced
        assert solution.call_ev[hand] == pytest.approx(called, abs=1e-9)
        played = solution.call[hand] * called + (1 - solution.call[hand]) * -won
        gains[1] += (max(called, -won) - played) * faced / deals.sum()
    assert max(gains) < 1e-9
    assert sum(gains) / 2 == pytest.approx(solution.exploitability, abs=1e-12)


PUSHES = {"K2o": 11.6, "Q2o": 7.0, "J2o": 4.6, "T2o": 2.9, "72o": 1.6, "32o": 1.4}
CALLS = {"K2o": 8.1, "Q2o": 5.6, "JTo": 12.7, "22": 15.0}
"""Ten thresholds to a tenth of a big blind."""
THRESHOLDS = [("push", *row) for row in PUSHES.items()] + [("call", *row) for row in CALLS.items()]


@pytest.mark.parametrize(("kind", "hand", "stack"), THRESHOLDS)
def test_thresholds_are_those_of_the_linear_program(kind, hand, stack):
    at = place(hand)
    for tried, played in ((stack, True), (stack + 0.1, False)):
        game = PushFold(stack=round(tried, 1))
        _, push, call = linear_program(game)
        assert ((push if kind == "push" else call)[at] > 0.5) == played
        solution = solve_push_fold(game)
        assert ((solution.push if kind == "push" else solution.call)[at] > 0.5) == played


def test_a_sweep_has_spans_and_gaps():
    swept = sweep_push_fold(PushFold(), parse_stacks("2:12:0.2"))
    pushes, calls = swept.push_spans(), swept.call_spans()
    assert pushes["AA"] == [(2.0, 12.0)]
    assert pushes["K2o"] == [(2.0, 11.6)]
    assert pushes["43s"][:2] == [(2.0, 2.2), (5.0, 7.8)]  # too weak against callers who fold little, good against more
    assert calls["Q2o"] == [(2.0, 5.6)]
    assert max(each.exploitability for each in swept.solutions) < 1e-6


def test_a_short_stack_leaves_no_choice():
    """Everybody is all-in with the blinds posted: all push, all call, and nobody has an edge."""
    solution = solve_push_fold(PushFold(stack=1))
    assert solution.push.min() == solution.call.min() == 1
    assert solution.value == pytest.approx(0, abs=1e-12)


def test_more_chips_to_win_are_worth_more_pushes():
    tight, loose = (solve_push_fold(PushFold(stack=10, ante=ante)) for ante in (0, 0.25))
    assert loose.push.sum() > tight.push.sum()
    assert loose.call.sum() > tight.call.sum()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stack": 0}, "stack must be above 0"),
        ({"stack": -3}, "stack must be above 0"),
        ({"stack": float("nan")}, "finite"),
        ({"stack": 0.5}, "nothing is left to push"),
        ({"stack": 2, "ante": 1.5}, "nothing is left to push"),
        ({"ante": -1}, "ante must be"),
        ({"small_blind": 2}, "small_blind must be"),
    ],
)
def test_games_that_cannot_be_are_refused(settings, message):
    with pytest.raises(HolecardError, match=message):
        replace(PushFold(), **settings)


@pytest.mark.parametrize(
    "text", ["", "5", "20:1", "0:20", "1:x", "1:20:0", "1:20:-1", "1:2:3:4", "1:10000:0.01", "nan:3"]
)
def test_sweeps_that_cannot_be_are_refused(text):
    with pytest.raises(HolecardError, match="--sweep"):
        parse_stacks(text)
