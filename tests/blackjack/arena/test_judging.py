"""Agents whose every decision is judged exactly: tables come out at their exact EV, leaks where `score` finds them."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.arena.judging import judge
from holecard.blackjack.exact import score
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.strategy.cell import INSURANCE
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import SettingError

ROUNDS, FEWER_ROUNDS = 4_000, 2_000
"""Of the casino's game, and of every other."""
GAMES = {
    "casino": Rules(),
    "late surrender, insurance": Rules.from_text("2d LS INS value"),
    "early surrender, peek": Rules.from_text("6d ES value"),
    "no peek": Rules.preset("european"),
    "original bets only": Rules.from_text("6d OBO value"),
    "infinite, charlie": Rules.from_text("inf 5-charlie"),
    "plain": Rules.preset("textbook"),
    "any cards doubled": Rules.from_text("2d double-any push-22 ES10 DSA value"),
}


@pytest.fixture(scope="module")
def played():
    known = {}

    def play(name, rules):
        if (name, rules) not in known:
            known[name, rules] = judge(name, rules, ROUNDS if rules == Rules() else FEWER_ROUNDS, seed=5)
        return known[name, rules]

    return play


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["aggressive", "mimic-dealer", "random"])
def test_a_table_is_worth_its_exact_ev(game, name, played):
    rules = GAMES[game]
    exact = {each: score(named_strategy(each, rules), rules) for each in ("basic", name)}
    estimate = played(name, rules).ev(played("basic", rules), exact["basic"].ev)
    assert abs(estimate.z(exact[name].ev)) < 4
    assert estimate.stderr < (0.03 if rules == Rules() else 0.03 * (ROUNDS / FEWER_ROUNDS) ** 0.5)


@pytest.mark.parametrize("game", GAMES)
def test_no_decision_is_better_than_the_best(game, played):
    for name in ("basic", "random"):
        assert played(name, GAMES[game]).costs.min() >= 0


def test_on_common_cards_the_error_is_far_smaller_than_of_rounds(played):
    rules = Rules()
    estimate = played("aggressive", rules).ev(played("basic", rules), 0.0)
    assert estimate.stderr < 0.3 * 1.16 / ROUNDS**0.5  # a round's standard deviation is 1.16 bets


def test_its_leaks_are_those_of_the_score(played):
    rules = Rules()
    exact = {leak.cell: leak for leak in score(named_strategy("mimic-dealer", rules), rules).leaks}
    for leak in played("mimic-dealer", rules).leaks[:5]:
        known = exact[leak.cell]
        assert (leak.plays, leak.best) == (known.plays, known.best)
        assert leak.frequency == pytest.approx(known.frequency, rel=0.35)
        assert leak.cost == pytest.approx(known.cost, rel=0.4)


def test_all_costs_stand_in_a_cell(played):
    judged = played("random", GAMES["late surrender, insurance"])
    assert sum(leak.cost for leak in judged.leaks) == pytest.approx(judged.decision_cost.mean)
    assert INSURANCE in {leak.cell for leak in judged.leaks}


def test_threads_change_nothing():
    options = AgentOptions(simulations=20)
    one, two = (judge("mcts", Rules(), 300, seed=2, options=options, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.costs, two.costs)
    np.testing.assert_array_equal(one.after_splits, two.after_splits)
    assert one.leaks == two.leaks


def test_what_cannot_be_judged_is_refused(played):
    with pytest.raises(SettingError, match="fresh shoe"):
        judge("basic", replace(Rules(), shoe="dealt"), 100)
    with pytest.raises(SettingError, match="rounds must be 2 or more; got 1"):
        judge("basic", Rules(), 1)
    with pytest.raises(SettingError, match="plays the same 100 rounds"):
        judge("basic", Rules(), 100).ev(played("basic", Rules()), 0.0)
