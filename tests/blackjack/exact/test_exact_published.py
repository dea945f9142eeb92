"""Published: every figure of the reference files, with its source in them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from holecard.blackjack.exact import effects_of_removal, score, solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy

from .reference import (
    FIGURES,
    HANDS,
    NEW_RULES,
    PUSH_22,
    TOLERANCE,
    chance_of_22,
    infinite_rules,
    mimic_of_the_dealer,
    new_rules_of,
    rules_named,
    rules_of,
)

LEVELS = {"cd_cdz": "zero-memory", "cd_cdp1": "pair-aware", "cd_cdp": "pair-count"}
MEASURED = FIGURES["overall_measured"]


def close(figure: float) -> object:
    return pytest.approx(figure, abs=TOLERANCE, rel=0)


@pytest.fixture(scope="module", params=MEASURED, ids=lambda row: str(rules_of(row)))
def measured(request):
    """A row and its solution, one after another: nobody keeps them all."""
    return request.param, solve(rules_of(request.param))


def test_overall_ev_at_every_level_of_memory(measured):
    row, zero_memory = measured
    for label, memory in LEVELS.items():
        if label in row["ev"]:
            solution = zero_memory if memory == "zero-memory" else solve(rules_of(row), split_play=memory)
            assert solution.split_play == memory
            assert solution.ev == close(row["ev"][label])


@pytest.mark.parametrize("row", NEW_RULES, ids=lambda row: str(new_rules_of(row)))
def test_rules_that_few_games_have(row):
    solution = solve(new_rules_of(row))
    assert solution.ev == close(row["ev"])
    assert solution.ev_total_dependent <= solution.ev + 1e-12


@pytest.mark.parametrize("decks", range(1, 9))
def test_published_chance_of_a_dealers_22(decks):
    published = PUSH_22["chance_of_22"]["H17"][str(decks)]
    assert chance_of_22(decks, "H17") == pytest.approx(published, abs=5.1e-7)


@pytest.mark.parametrize("soft_17", ["H17", "S17"])
def test_chance_of_a_dealers_22_by_recursion(soft_17):
    """The same source's column for S17 is up to 1.2e-3 off: a recursion over one pack, card by card, agrees with us."""

    @cache
    def chance(pips, aces, counts, cards):
        soft = aces and pips + 10 <= 21
        total = pips + 10 if soft else pips
        if cards > 1 and (total > 17 or (total == 17 and not (soft and soft_17 == "H17"))):
            return float(total == 22)
        left, found = sum(counts), 0.0
        for value, count in enumerate(counts, start=1):
            if count:
                rest = (*counts[: value - 1], count - 1, *counts[value:])
                found += count / left * chance(pips + value, aces or value == 1, rest, cards + 1)
        return found

    assert chance_of_22(1, soft_17) == pytest.approx(chance(0, False, (4,) * 9 + (16,), 0), abs=1e-13)


@pytest.mark.parametrize("word", ["bust-22", "push-22"])
def test_published_hands_where_22_pushes(word):
    solution = solve(Rules.from_text(f"inf value {word}"))
    for action, ev in PUSH_22["twelve_against_four"][word].items():
        assert solution.ev_of("T,2", "4", action) == pytest.approx(ev, abs=5.1e-7)


@pytest.mark.parametrize("row", PUSH_22["effects"]["rows"], ids=lambda row: row["rule"])
def test_published_effects_of_single_rules(row):
    """Printed to two digits for games that are nearly these, so within a hundredth of a per cent."""
    before, after = (solve(Rules.from_text(text)).ev for text in (row["base"], f"{row['base']} {row['rule']}"))
    assert 100 * (after - before) == pytest.approx(row["effect"], abs=0.01)


def test_best_chart(measured):
    row, solution = measured
    assert solution.ev_total_dependent == close(row["ev"]["td"])
    assert solution.ev_total_dependent <= solution.ev + 1e-12


@pytest.mark.parametrize("row", [row for row in FIGURES["overall_published"] if row["strategy"] == "CD"], ids=str)
def test_published_optima(row):
    """Wizard of Odds, appendix 9: split values by number of hands, a model of its own, nearest to pair-count."""
    rules = rules_of(row)
    assert solve(rules, split_play="pair-count").ev == pytest.approx(row["ev"], abs=1e-5)


@pytest.mark.parametrize("row", [row for row in FIGURES["overall_published"] if row["strategy"] == "TD"], ids=str)
def test_published_charts_to_half_a_unit(row):
    assert solve(rules_of(row)).ev_total_dependent == pytest.approx(row["ev"], abs=half_a_unit(row["ev"]))


def test_published_pair_aware_optimum_to_half_a_unit():
    (row,) = (row for row in FIGURES["overall_published"] if row["strategy"] == "CD (CDP1)")
    ev = solve(rules_of(row), split_play="pair-aware").ev
    assert ev == pytest.approx(row["ev"], abs=half_a_unit(row["ev"]))


def half_a_unit(figure):
    """Half a unit of the last printed digit, but not below what floats hold."""
    digits = len(f"{figure:.17f}".rstrip("0").partition(".")[2])
    return max(0.5 * 10**-digits, 1e-13)


@pytest.mark.parametrize("name", [name for name in HANDS if name[0].isdigit()])
def test_every_first_hand(name):
    solution = solve(rules_named(name))
    assert solution.ev == close(HANDS[name]["overall_ev"])
    for upcard, low, high, _, stand, hit, double, split, _, action, _ in HANDS[name]["rows"]:
        evs = solution.evs_of(f"{VALUES[low - 1]},{VALUES[high - 1]}", VALUES[upcard - 1])
        expected = {"stand": stand, "hit": hit, "double": double, "split": split}
        for word, figure in expected.items():
            if figure is not None and not (action == "N" and word != "stand"):
                assert evs[word] == close(figure)


def test_dealer_tables():
    for name, table in FIGURES["dealer_probabilities"]["tables"].items():
        decks, soft = name.split("_")
        solution = solve(Rules.from_text(f"{decks} {soft} ENHC 1-hands"))
        for upcard in VALUES:
            ends = solution.dealer(upcard)
            found = [ends[key] for key in ("17", "18", "19", "20", "21", "bust", "natural")]
            assert found == close(table[upcard])


@pytest.mark.parametrize("name", FIGURES["infinite_deck"]["measured_exact_rational_dp"])
def test_infinite_deck(name):
    figure = FIGURES["infinite_deck"]["measured_exact_rational_dp"][name]
    assert solve(infinite_rules(name)).ev == pytest.approx(figure, abs=1e-14)


@pytest.mark.parametrize("name", FIGURES["effects_of_removal"]["tables"])
def test_effects_of_removal(name):
    table = FIGURES["effects_of_removal"]["tables"][name]
    removal = effects_of_removal(rules_named(name))
    assert removal.base_ev == close(table["base_ev"])
    for value in VALUES:
        assert removal.fixed[value] == close(table["fixed_ev_after_removal"][value])
        assert removal.reoptimised[value] == close(table["reopt_ev_after_removal"][value])
    assert sum((4 if value == "10" else 1) * removal.effect(value) for value in VALUES) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("natural", ["plain", "rank"])
@pytest.mark.parametrize("surrender", ["None", "early", "late"])
def test_hit_stand_surrender_games(natural, surrender):
    """The textbook solver's game and its neighbours, known as fractions."""
    fraction = FIGURES["seed_hit_stand_surrender_single_deck_S17"]["exact"][f"natural={natural} surrender={surrender}"]
    rules = Rules(
        decks=1,
        h17=False,
        peek=surrender == "late",
        bj=None if natural == "plain" else Fraction(1),
        double="none",
        das=False,
        max_hands=1,
        surrender="none" if surrender == "None" else surrender,
    )
    assert solve(rules).ev == pytest.approx(float(Fraction(fraction["fraction"])), abs=1e-15)


def test_the_260_cell_game():
    """The 260-bit algorithm's game: the best chart, and some that people try."""
    rules, known = Rules.preset("classic"), FIGURES["seed_winrate_260_table"]["natural_plain"]
    solution = solve(rules)
    best = score(solution.strategy(), rules)
    assert (1 + solution.ev) / 2 == close(known["cd_optimum"])
    assert best.fitness == close(known["td_260_optimum"])
    assert best.outcomes.win == close(known["td_win"])
    assert best.outcomes.push == close(known["td_tie"])
    assert score(mimic_of_the_dealer("S17"), rules).fitness == close(known["mimic_dealer"])
    assert score(Strategy.from_genome([0] * 260), rules).fitness == close(known["always_stand"])
    assert score(Strategy(np.full(SHAPE, Letter.ANY, np.uint8)), rules).fitness == close(known["random_p0.5"])


@pytest.mark.parametrize("dealer", ["S17", "H17"])
@pytest.mark.parametrize("player", ["S17", "H17"])
def test_mimic_the_dealer(dealer, player):
    """MGP's combinatorial analyser (BJ CA Results.xls), 17 digits: one deck, naturals 3:2, no double, no split."""
    figure = FIGURES["mimic_the_dealer_1deck_bj3to2"][f"dealer_{dealer}_player_{player}"]
    rules = Rules.from_text(f"1d {dealer} ND NDAS 1-hands")
    assert score(mimic_of_the_dealer(player), rules).ev == pytest.approx(figure, abs=1e-15)


def test_gymnasium():
    figures = FIGURES["gymnasium_blackjack_infinite_deck"]
    anything = Strategy(np.full(SHAPE, Letter.ANY, np.uint8))
    sab, plain = Rules.preset("gymnasium"), Rules.from_text("gymnasium NSAB plain")
    for rules, key in ((sab, "sab=True"), (plain, "natural=False,sab=False (plain)")):
        assert solve(rules).ev == pytest.approx(figures[key]["optimal"], abs=1e-14)
        assert score(anything, rules).ev == pytest.approx(figures[key]["random"], abs=1e-14)


def test_situations():
    for row in FIGURES["situations_measured"]["rows"]:
        low, high = sorted(row["hand"])
        evs = _solved(row["rules"]).evs_of(f"{VALUES[low - 1]},{VALUES[high - 1]}", VALUES[row["upcard"] - 1])
        for word in ("stand", "hit", "double", "split"):
            if row[word] is not None and word in evs:
                assert evs[word] == close(row[word])


_KNOWN: dict = {}


def _solved(name: str):
    if name not in _KNOWN:
        _KNOWN[name] = solve(rules_named(name))
    return _KNOWN[name]


def test_a_depleted_shoe():
    """Eric Farmer, blackjackinfo.com thread 22710."""
    deck = Composition.of_values((0, 4, 4, 2, 0, 0, 2, 0, 0, 7))
    evs = solve(Rules.from_text("S17 value"), deck=deck).evs_of("2,2", "7")
    row = next(row for row in FIGURES["situations_published"] if row["rules"].startswith("shoe"))
    for word in ("stand", "hit", "double", "split"):
        assert evs[word] == close(row[word])


def test_standard_deviations():
    for row in FIGURES["std_dev_per_round_measured"]:
        solution = solve(Rules.from_text(row["rules"].replace(" 2 hands CDZ-", " 2-hands value")))
        assert solution.stdev == close(row["sd"])


def test_perfect_memory_is_not_beaten():
    for row in FIGURES["overall_perfect_memory_measured"]:
        assert solve(rules_of(row), split_play="pair-aware").ev <= row["ev"] + 1e-12
