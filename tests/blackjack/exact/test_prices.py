"""What single rules are worth: against separate solves, and against published tables."""

import pytest

from holecard.blackjack import Rules, price_rules, solve
from holecard.errors import RulesError


@pytest.fixture(scope="module")
def prices():
    return price_rules(Rules.preset("votes"))


def test_a_price_is_the_difference_of_two_solves(prices):
    rules = Rules.preset("votes")
    base = solve(rules)
    assert prices.table.ev == base.ev
    assert prices.table.ev_total_dependent == base.ev_total_dependent
    for change in prices.changes:
        changed = solve(Rules.from_text(f"{rules} {change.rule}"))
        assert change.table.rules == changed.rules
        assert change.table.ev == changed.ev
        assert change.difference == changed.ev - base.ev
    differences = [change.difference for change in prices.changes]
    assert differences == sorted(differences, reverse=True)
    assert {"RSA", "HSA", "OBO"} <= {change.rule for change in prices.left_out}
    named = {change.rule for change in prices.changes}
    assert named >= {"H17", "4-hands", "LS", "ES", "1d", "inf", "6:5", "plain", "5-charlie", "ENHC", "D10"}


def test_the_same_prices_on_any_number_of_threads(prices):
    assert price_rules(Rules.preset("votes"), threads=3) == prices


def test_a_dealt_shoe_has_no_exact_price():
    with pytest.raises(RulesError, match="fresh"):
        price_rules(Rules(shoe="dealt"))


def gain(base: Rules, rule: str, *, of_charts: bool = False) -> float:
    """What a change of rule is worth, in % of a bet."""
    before, after = solve(base), solve(Rules.from_text(f"{base} {rule}"))
    return 100 * ((after.ev_total_dependent - before.ev_total_dependent) if of_charts else after.ev - before.ev)


@pytest.mark.parametrize(("rule", "percent"), [("ES", 0.39 + 0.24), ("HSA", 0.19), ("6-charlie", 0.16)])
def test_the_wizard_of_odds(rule, percent):
    """Rule variations from 8 decks, S17, DAS, 4 hands; early surrender is printed for an ace and a ten apart.

    As realonlinegambling.com reprints them.
    """
    base = Rules.from_text("8d S17 value")
    assert 100 * solve(base).ev == pytest.approx(-0.43, abs=0.005)
    assert gain(base, rule) == pytest.approx(percent, abs=0.012)


@pytest.mark.parametrize(
    ("decks", "printed"),
    [
        (1, {"H17": -0.190, "D9": -0.131, "D10": -0.263, "RSA": 0.032, "DAS": 0.141, "double-any": 0.240}),
        (8, {"H17": -0.216, "D9": -0.089, "D10": -0.172, "RSA": 0.072, "DAS": 0.142, "double-any": 0.226}),
    ],
)
def test_bjmath(decks, printed):
    """bjmath.com, `conseq/rules.htm`: what a basic strategy player gains from S17, NDAS, 4 hands."""
    base = Rules.from_text(f"{decks}d S17 NDAS value")
    for rule, percent in printed.items():
        assert gain(base, rule, of_charts=True) == pytest.approx(percent, abs=0.006)
