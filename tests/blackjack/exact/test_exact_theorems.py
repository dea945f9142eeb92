"""Properties: what must hold whatever the rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holecard.blackjack.exact import SPLIT_PLAYS, score, score_many, solve
from holecard.blackjack.exact.resplits import run_weights
from holecard.blackjack.exact.solution import parse_hand, parse_upcard
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy
from holecard.errors import CardError, IllegalAction, RulesError

QUICK = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
GAMES = ("casino", "1d S17 value", "european", "votes", "2d LS RSA value", "inf S17 value", "8d ES HSA value 6-charlie")


def random_table(seed: int) -> Strategy:
    return Strategy(np.random.default_rng(seed).integers(0, 8, SHAPE).astype(np.uint8))


@QUICK
@given(game=st.sampled_from(GAMES), seed=st.integers(0, 10**6))
def test_no_table_beats_the_optimum_and_leaks_add_up(game, seed):
    result = score(random_table(seed), Rules.from_text(game))
    assert result.regret >= -1e-9
    assert sum(leak.cost for leak in result.leaks) == pytest.approx(result.regret, abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_the_chart_scores_what_the_solution_says(game):
    rules = Rules.from_text(game)
    solution = solve(rules)
    assert score(solution.strategy(), rules).ev == solution.ev_total_dependent
    assert score_many([solution.strategy()], rules).ev[0] == pytest.approx(solution.ev_total_dependent, abs=1e-14)
    assert sum(departure.gain for departure in solution.exceptions()) >= 0


@pytest.mark.parametrize("game", GAMES)
def test_dealer_probabilities_sum_to_one(game):
    solution = solve(Rules.from_text(game))
    for upcard in VALUES:
        assert sum(solution.dealer(upcard, "T,6").values()) == pytest.approx(1.0, abs=1e-13)


def test_fewer_rights_never_raise_the_optimum():
    rules = Rules.from_text("2d S17 value 2-hands LS")
    best = solve(rules).ev
    for less in ({"surrender": "none"}, {"double": "9-11"}, {"double": "none"}, {"max_hands": 1}, {"das": False}):
        assert solve(replace(rules, **less)).ev <= best + 1e-12


def test_levels_of_memory_are_ordered_without_resplits():
    for game in ("1d S17 NDAS 2-hands value", "1d 2-hands value", "2d S17 2-hands value"):
        zero, aware, count = (solve(Rules.from_text(game), split_play=level).ev for level in SPLIT_PLAYS)
        assert zero <= aware + 1e-13
        assert aware == pytest.approx(count, abs=1e-13)


def test_ev_is_linear_in_the_naturals_payout():
    evs = [solve(Rules(bj=payout)).ev for payout in (Fraction(1), Fraction(6, 5), Fraction(3, 2))]
    assert evs[1] - evs[0] == pytest.approx(0.4 * (evs[2] - evs[0]), abs=1e-14)


def test_upcards_7_to_10_do_not_notice_soft_17():
    soft, hard = solve(Rules()), solve(Rules(h17=False))
    for upcard in ("7", "8", "9", "10"):
        assert soft.evs_of("T,6", upcard) == pytest.approx(hard.evs_of("T,6", upcard), abs=1e-14)


def test_original_bets_only_is_worth_a_peek():
    assert solve(Rules.from_text("OBO")).ev == pytest.approx(solve(Rules()).ev, abs=1e-14)
    assert solve(Rules(peek=False)).ev < solve(Rules()).ev


def test_mimic_the_dealer_at_even_money_loses_when_both_bust():
    rules = Rules.from_text("1d S17 1:1 ND NDAS 1-hands")
    mimic = np.zeros((26, 10), np.uint8)
    mimic[:13] = mimic[17:22] = 1
    ev = score(Strategy.from_genome(mimic.ravel()), rules).ev
    assert ev == pytest.approx(-0.0787915, abs=2e-2)
    assert ev < 0


def test_tens_that_pair_by_rank_split_less_often():
    by_rank, by_value = solve(Rules()), solve(Rules(split="value"))
    assert by_rank.ev == pytest.approx(by_value.ev, abs=1e-15)
    assert by_rank.ev_of("T,T", "6", "split") != by_value.ev_of("T,T", "6", "split")


@pytest.mark.parametrize("text", ["1d LS value", "1d ES value", "2d ENHC ES value", "2d OBO value", "2d ENHC value"])
def test_single_hands_add_up_to_the_game(text):
    """The best EV of every first hand, with the dealer's natural put back where it was left out, averages to `ev`."""
    solution = solve(Rules.from_text(text))
    odds, total = solution.odds, 0.0
    for row in solution.hands:
        hand, upcard = odds.hands.find(parse_hand(row["hand"])), parse_upcard(row["upcard"])
        evs = {action: ev for action, ev in row["ev"].items() if ev is not None}
        left_out = 0.0 if "ES" in text else 1.0 - odds.returns.live[hand, upcard]
        lost = 0.0 if "natural" in evs else 1.0
        best = evs.get("natural", max(evs.values()))
        assert best <= 1.5 + 1e-12
        total += odds.first_hands.probability[hand, upcard] * ((1.0 - left_out) * best - left_out * lost)
    assert total == pytest.approx(solution.ev, abs=1e-13)


def test_many_tables_score_like_one():
    rules = Rules.preset("classic")
    genomes = np.random.default_rng(7).integers(0, 2, (70, GENOME_BITS)).astype(np.uint8)
    scores = score_many(genomes, rules)
    for at in (0, 33, 69):
        one = score(Strategy.from_genome(genomes[at]), rules)
        assert scores.ev[at] == pytest.approx(one.ev, abs=1e-14)
        assert scores.fitness[at] == pytest.approx(one.fitness, abs=1e-14)
    ten_up = score_many(genomes, rules, upcards=(9,))
    assert ten_up.ev == pytest.approx(scores.ev_by_upcard[:, 9], abs=1e-14)


def test_insurance_is_worth_it_only_in_a_rich_deck():
    rules = Rules.from_text("1d INS value")
    assert solve(rules).insurance_ev == pytest.approx(-1 / 17, abs=1e-15)
    assert solve(rules).ev == pytest.approx(solve(replace(rules, insurance=False)).ev, abs=1e-15)
    rich = Composition.of_values((4, 2, 2, 2, 2, 2, 2, 2, 2, 16))
    assert solve(rules, deck=rich).insurance_ev > 0
    assert solve(rules, deck=rich).ev > solve(replace(rules, insurance=False), deck=rich).ev


def test_run_weights_count_every_hand():
    for hands in (2, 3, 4):
        free, no_pair = run_weights(hands)
        assert free[0] + no_pair[0] == pytest.approx(2.0)


def test_decks_that_run_out_are_refused():
    with pytest.raises(CardError, match="at least 4 cards"):
        solve(Rules(), deck=Composition.from_text("10=3"))
    with pytest.raises(CardError, match="run out"):
        solve(Rules(), deck=Composition.from_text("A=4,2=2"))


def test_questions_that_cannot_be():
    solution = solve(Rules())
    with pytest.raises(IllegalAction, match="cannot split T,6 against 10; legal here: stand, hit, double"):
        solution.ev_of("T,6", "10", "split")
    with pytest.raises(CardError, match="unknown card"):
        solution.ev_of("X,6", "10", "hit")
    with pytest.raises(CardError, match="is over 21"):
        solution.evs_of("T,T,5", "10")
    with pytest.raises(RulesError, match="split play"):
        solve(Rules(), split_play="perfect")
    with pytest.raises(CardError, match="does not hold"):
        solve(Rules(), deck=Composition.from_text("2=8,10=20")).evs_of("A,2", "10")


@pytest.mark.parametrize("text", ["plain target=16 limit=20 ace=9", "plain limit=24", "plain limit=15 target=12 ace=3"])
def test_other_limits(text):
    solution = solve(Rules.from_text(text))
    assert -1 < solution.ev < 1
    assert score(solution.strategy(), solution.rules).ev == solution.ev_total_dependent <= solution.ev + 1e-12
