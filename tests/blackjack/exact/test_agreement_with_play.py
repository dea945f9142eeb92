"""Exact = simulated within four standard errors: the solver's arithmetic against the engine's cards."""

import pytest

from holecard import Rules, named_strategy, score, simulate, solve
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.strategy import Strategy

from .reference import NEW_RULE_SETS, RULE_SETS


def agree(strategy, rules, rounds, seed=1):
    exact, played = score(strategy, rules), simulate(strategy, rules, rounds, seed=seed)
    assert abs(played.ev.z(exact.ev)) < 4, (str(rules), exact.ev, played.ev)
    if rules.insurance:  # outcomes are without it, and nobody here buys it
        return
    assert abs(played.win.z(exact.outcomes.win)) < 4
    assert abs(played.push.z(exact.outcomes.push)) < 4
    assert abs(played.lose.z(exact.outcomes.lose)) < 4
    assert abs(played.fitness.z(exact.fitness)) < 4
    assert abs(played.stdev.z(exact.outcomes.stdev)) < 4


@pytest.mark.parametrize("text", RULE_SETS)
@pytest.mark.parametrize("rounds", [2_000_000, pytest.param(100_000_000, marks=pytest.mark.slow)])
def test_basic(text, rounds):
    rules = Rules.from_text(text)
    agree(named_strategy("basic", rules), rules, rounds)


@pytest.mark.parametrize("text", NEW_RULE_SETS)
@pytest.mark.parametrize("rounds", [500_000, pytest.param(1_000_000_000, marks=pytest.mark.slow)])
def test_the_best_chart_of_rules_that_few_games_have(text, rounds):
    rules = Rules.from_text(text)
    agree(solve(rules).strategy(), rules, rounds)


@pytest.mark.parametrize("text", ["casino", "2d ENHC HSA RSA value", "1d LS 6-charlie S17", *list(NEW_RULE_SETS)[-1:]])
def test_a_table_with_every_letter(text):
    """A table nobody would play takes branches that good ones never do."""
    import numpy as np

    rules = Rules.from_text(text)
    agree(Strategy(np.random.default_rng(3).integers(0, 8, SHAPE, dtype=np.uint8)), rules, 2_000_000)
