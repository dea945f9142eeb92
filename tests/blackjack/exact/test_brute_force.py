"""Agreement: the solver against an enumeration of every round of tiny decks, over random rules."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from holecard.blackjack.exact import score, score_many, solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import CardError, RulesError

from .brute import Brute, RanOutError, table_decides

PROFILE = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def tiny_rules(draw, max_hands=3):
    try:
        return Rules(
            decks=1,
            h17=draw(st.booleans()),
            peek=draw(st.booleans()),
            bj=draw(st.sampled_from([Fraction(3, 2), Fraction(6, 5), Fraction(1), None])),
            obo=draw(st.booleans()),
            dealer_natural=draw(st.sampled_from([True, True, True, False])),
            double=draw(st.sampled_from(["any", "9-11", "10-11", "none"])),
            das=draw(st.booleans()),
            max_hands=draw(st.integers(1, max_hands)),
            rsa=draw(st.booleans()),
            hsa=draw(st.booleans()),
            split=draw(st.sampled_from(["rank", "value"])),
            surrender=draw(st.sampled_from(["none", "late", "early", "early-10"])),
            dealer_22=draw(st.sampled_from(["bust", "push"])),
            ties=draw(st.sampled_from(["push", "push", "lose"])),
            double_cards=draw(st.sampled_from(["2", "any"])),
            dsa=draw(st.booleans()),
            charlie=draw(st.sampled_from([None, None, 5, 6])),
        )
    except RulesError:
        assume(False)


@st.composite
def tiny_decks(draw):
    ranks = draw(st.lists(st.sampled_from([12, 0, 1, 3, 4, 5, 6, 7, 8, 9]), min_size=3, max_size=4, unique=True))
    counts = [0] * 13
    for rank in ranks:
        counts[rank] = draw(st.integers(2, 5))
    assume(12 <= sum(counts) <= 14)
    return Composition(tuple(counts))


@PROFILE
@given(rules=tiny_rules(), deck=tiny_decks())
def test_solve_equals_brute_force(rules, deck):
    try:
        expected = Brute(rules, deck.ranks).optimal_ev()
    except RanOutError:
        assume(False)
    assert solve(rules, deck=deck).ev == pytest.approx(expected, abs=1e-12)


@st.composite
def tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    cells = rng.choice(
        np.array([0, 1, 2, 3, 4, 5, 6, 7], np.uint8), SHAPE, p=[0.25, 0.35, 0.07, 0.05, 0.18, 0.02, 0.03, 0.05]
    )
    return Strategy(cells.astype(np.uint8))


@PROFILE
@given(rules=tiny_rules(), deck=tiny_decks(), strategy=tables())
def test_score_equals_brute_force(rules, deck, strategy):
    try:
        law = Brute(rules, deck.ranks).round_law(table_decides(strategy, rules))
        result = score(strategy, rules, deck=deck)
    except (RanOutError, CardError):
        assume(False)
    assert result.ev == pytest.approx(sum(net * p for net, p in law.items()), abs=1e-12)
    many = score_many([strategy], rules, deck=deck)
    assert many.ev[0] == pytest.approx(result.ev, abs=1e-13)
    assert sum(leak.cost for leak in result.leaks) == pytest.approx(result.regret, abs=1e-12)
    square = sum(net * net * p for net, p in law.items())
    assert result.outcomes.stdev == pytest.approx((square - result.ev**2) ** 0.5, abs=1e-11)
    exact = rules.max_hands <= 2  # beyond, the sign of a round's net is put together from pairs of hands
    assert (result.outcomes.error == 0.0) or not exact
    win, push = (sum(p for net, p in law.items() if sign(net) == s) for s in (1, 0))
    off = max(abs(found - true) for found, true in ((result.outcomes.win, win), (result.outcomes.push, push)))
    assert off <= 1e-12 + (0.0 if exact else min(result.outcomes.error, 1e-3))
    if many.win is not None:
        assert many.win[0] == pytest.approx(win, abs=1e-12)
        assert many.push[0] == pytest.approx(push, abs=1e-12)


def sign(net):
    return (net > 1e-9) - (net < -1e-9)


@pytest.mark.slow
@settings(PROFILE, max_examples=150)
@given(rules=tiny_rules(max_hands=4), deck=tiny_decks())
def test_solve_equals_brute_force_at_length(rules, deck):
    try:
        expected = Brute(rules, deck.ranks).optimal_ev()
        found = solve(rules, deck=deck).ev
    except (RanOutError, CardError):
        assume(False)
    assert found == pytest.approx(expected, abs=1e-12)
