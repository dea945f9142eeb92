"""Properties: what must hold whatever the rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holecard.blackjack.exact import SPLIT_PLAYS, score, score_many, solve
from holecard.blackjack.exact.chart_play import play_of
from holecard.blackjack.exact.play_value import split_probability
from holecard.blackjack.exact.resplits import run_weights
from holecard.blackjack.exact.second_cards import pair_run_weights
from holecard.blackjack.exact.solution import parse_hand, parse_upcard
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.strategy.cell import SHAPE, Cell
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import GENOME_BITS, Strategy
from holecard.errors import CardError, IllegalAction, RulesError

from .brute import Brute, table_decides
from .reference import mimic_of_the_dealer

QUICK = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
GAMES = ("casino", "1d S17 value", "european", "votes", "2d LS RSA value", "inf S17 value", "8d ES HSA value 6-charlie")
RANK_OF = (12, *range(9))
"""The rank 2 … K, A of a value A … 10."""


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


@pytest.mark.parametrize("game", ["casino", "1d S17 value", "1d ENHC ES", "2d LS RSA value", "8d HSA value 6-charlie"])
def test_departures_are_the_hands_whose_best_action_is_not_the_charts(game):
    """Two-card hands, read from the chart by the judge's own reader and weighed by `ev_of`."""
    rules = Rules.from_text(game)
    solution = solve(rules)
    chart = table_decides(solution.strategy(), rules)
    brute = Brute(rules, Composition.of_rules(rules).ranks)
    expected = set()
    for row in solution.hands:
        evs = {action: ev for action, ev in row["ev"].items() if ev is not None}
        cards, up = [RANK_OF[value] for value in parse_hand(row["hand"])], RANK_OF[parse_upcard(row["upcard"])]
        if "natural" in evs:
            continue
        (played,) = chart(tuple(cards), up, brute.legal(tuple(cards), 1), 1)
        best = max(evs, key=evs.__getitem__)
        if evs[best] - evs[played] > 1e-11:
            expected.add((parse_hand(row["hand"]), row["upcard"], played, best))
    found = {
        (parse_hand(hand), departure.cell.upcard_name, departure.chart.word, departure.best.word)
        for departure in solution.exceptions()
        for hand in departure.hands
        if hand.count(",") == 1
    }
    assert found == expected
    assert found or not game.startswith(("1d", "2d"))  # few decks: cards matter


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
        zero, aware, count = (solve(Rules.from_text(game), split_play=level).ev for level in SPLIT_PLAYS[:3])
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


@pytest.mark.parametrize("soft_17", ["S17", "H17"])
def test_mimic_the_dealer_at_even_money_loses_when_both_bust(soft_17):
    """Both play alike, so only the order tells them apart: EV = −P(both bust), a square where draws are independent."""
    rules = Rules.from_text(f"inf {soft_17} plain ND NDAS 1-hands")
    solution = solve(rules)
    supply = solution.odds.supply
    bust = sum(
        count / supply.size * solution.dealer(up)["bust"] for up, count in zip(VALUES, supply.counts, strict=True)
    )
    assert 0.28 < bust < 0.29
    assert score(mimic_of_the_dealer(soft_17), rules).ev == pytest.approx(-(bust**2), abs=1e-14)


@pytest.mark.parametrize("upcard", range(10))
def test_tens_that_pair_by_rank_split_less_often(upcard):
    """Two tens of six decks are of one rank with probability 23/95, whatever is shown: cards are exchangeable."""
    tens = Strategy.from_rows(*np.zeros((2, 32, 10), np.uint8), pair=np.full((32, 10), Letter.SPLIT, np.uint8))
    by_rank, by_value = (
        split_probability(odds, play_of(odds, tens.cells))[upcard]
        for odds in (solve(Rules()).odds, solve(Rules(split="value")).odds)
    )
    assert by_rank[9] == pytest.approx(by_value[9] * 23 / 95, abs=1e-16)
    assert by_rank[:9].tolist() == by_value[:9].tolist()
    assert by_value.min() > 0


def test_how_tens_pair_does_not_matter_to_who_never_splits_them():
    assert solve(Rules()).ev == pytest.approx(solve(Rules(split="value")).ev, abs=1e-15)


@pytest.mark.parametrize(
    "text",
    [
        "1d LS value",
        "1d ES value",
        "1d ES10 value",
        "2d ENHC ES value",
        "2d OBO value",
        "2d OBO LS value",
        "2d ENHC value",
    ],
)
def test_single_hands_add_up_to_the_game(text):
    """The best EV of every first hand, with the dealer's natural put back where it was left out, averages to `ev`."""
    solution = solve(Rules.from_text(text))
    odds, total = solution.odds, 0.0
    for row in solution.hands:
        hand, upcard = odds.hands.find(parse_hand(row["hand"])), parse_upcard(row["upcard"])
        evs = {action: ev for action, ev in row["ev"].items() if ev is not None}
        early = "ES " in text or ("ES10" in text and row["upcard"] == "10")
        left_out = 0.0 if early or not solution.rules.peek else 1.0 - odds.returns.live[hand, upcard]
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


def pair_cards_first(pairs: int, cards: int) -> list[Fraction]:
    """P(r given cards are all pair cards), r = 0 … 6, with so many pair cards among the unseen."""
    chances = [Fraction(1)]
    for drawn in range(6):
        chances.append(chances[-1] * Fraction(max(pairs - drawn, 0), cards - drawn))
    return chances


def hands_of_a_split(most: int, pairs: int, cards: int) -> dict[int, Fraction]:
    """P(a split ends with so many hands), second cards dealt one after another."""
    ends = dict.fromkeys((2, 3, 4), Fraction(0))

    def deal(chance: Fraction, hands: int, waiting: int, pairs: int, cards: int) -> None:
        if hands == most or not waiting:
            ends[hands] += chance
            return
        again = Fraction(pairs, cards)
        deal(chance * again, hands + 1, waiting + 1, max(pairs - 1, 0), cards - 1)
        deal(chance * (1 - again), hands, waiting - 1, pairs, cards - 1)

    deal(Fraction(1), 2, 2, pairs, cards)
    return ends


@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize(("pairs", "cards"), [(2, 49), (22, 309), (0, 49), (5, 12)])
def test_run_weights_count_every_hand(most, pairs, cards):
    """If every hand counts 1, a split counts its expected number of hands: inclusion–exclusion loses none."""
    chance, ends = pair_cards_first(pairs, cards), hands_of_a_split(most, pairs, cards)
    free, no_pair = run_weights(most)
    counted = sum(float(chance[r]) * free[r] + float(chance[r] - chance[r + 1]) * no_pair[r] for r in range(5))
    assert counted == pytest.approx(float(sum(hands * p for hands, p in ends.items())), abs=1e-14)


@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize(("pairs", "cards"), [(2, 49), (22, 309), (0, 49), (5, 12)])
def test_pair_run_weights_count_every_two_hands(most, pairs, cards):
    """If every two hands count 1, a split that ends with h hands counts h (h − 1) times its probability."""
    chance, ends = pair_cards_first(pairs, cards), hands_of_a_split(most, pairs, cards)
    for hands, (free, one, both) in zip((2, 3, 4), pair_run_weights(most), strict=True):
        counted = sum(
            float(chance[r]) * free[r]
            + float(chance[r] - chance[r + 1]) * one[r]
            + float(chance[r] - 2 * chance[r + 1] + chance[r + 2]) * both[r]
            for r in range(5)
        )
        assert counted == pytest.approx(float(hands * (hands - 1) * ends[hands]), abs=1e-14)


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
        solve(Rules(), split_play="photographic")
    with pytest.raises(CardError, match="does not hold"):
        solve(Rules(), deck=Composition.from_text("2=8,10=20")).evs_of("A,2", "10")


@pytest.mark.parametrize("text", ["plain target=16 limit=20 ace=9", "plain limit=24", "plain limit=15 target=12 ace=3"])
def test_other_limits(text):
    solution = solve(Rules.from_text(text))
    assert -1 < solution.ev < 1
    assert score(solution.strategy(), solution.rules).ev == solution.ev_total_dependent <= solution.ev + 1e-12


def test_the_best_chart_splits_before_it_settles_totals():
    """A search that begins without splits stops here one step short: aces against an eight, and soft 12 with them."""
    rules = Rules.from_text("DSA 5-charlie value target=16")
    best = solve(rules)
    other = best.strategy().cells.copy()
    for cell in ("pair AA v 8", "soft@2 A1 v 8", "soft@3 A1 v 8", "soft@4+ A1 v 8"):
        other.flat[Cell.parse(cell).index] = Letter.HIT
    assert best.ev_total_dependent > score(Strategy(other), rules).ev + 6e-6
