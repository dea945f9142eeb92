"""The self-contained file, line by line against its specification."""

from __future__ import annotations

import ast
import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "blackjack_ga.py"
STAND_ALWAYS = [0] * 260
HIT_ALWAYS = [1] * 260
CARDS = st.lists(st.sampled_from([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), min_size=1, max_size=12)


def load() -> ModuleType:
    mpl.use("agg")
    spec = importlib.util.spec_from_file_location("blackjack_ga", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ga = load()


def stacked(*cards: int) -> list[int]:
    """A deck that deals these cards in this order."""
    return list(reversed(cards))


def test_it_is_self_contained() -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - set(sys.stdlib_module_names) == {"numpy", "matplotlib"}


def test_a_deck_is_52_shuffled_values() -> None:
    deck = ga.make_deck()
    assert sorted(deck) == sorted([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11] * 4)
    assert deck != ga.make_deck()


@given(CARDS)
def test_hand_value_is_the_best_total(cards: list[int]) -> None:
    total, is_soft = ga.hand_value(cards)
    aces = cards.count(11)
    choices = [sum(cards) - 10 * low for low in range(aces + 1)]
    fitting = [choice for choice in choices if choice <= 21]
    assert total == (max(fitting) if fitting else min(choices))
    assert is_soft == (total > sum(cards) - 10 * aces)


def test_the_bits_are_hard_then_soft_by_total_then_upcard() -> None:
    hard = [ga.bit_index(total, False, up) for total in range(4, 21) for up in (11, *range(2, 11))]
    soft = [ga.bit_index(total, True, up) for total in range(12, 21) for up in (11, *range(2, 11))]
    assert hard + soft == list(range(260))


@pytest.mark.parametrize(
    ("chromosome", "cards", "outcome"),
    [
        (STAND_ALWAYS, (10, 6, 10, 10, 10), "win"),  # the dealer draws on 16 and busts
        (STAND_ALWAYS, (10, 10, 10, 10), "push"),
        (STAND_ALWAYS, (10, 11, 9, 6), "win"),  # he stands on soft 17
        (STAND_ALWAYS, (10, 10, 6, 11), "loss"),
        (STAND_ALWAYS, (11, 5, 10, 6, 10), "push"),  # a natural is an ordinary 21
        (HIT_ALWAYS, (10, 10, 10, 10, 2), "loss"),  # a bust loses before the dealer plays
        (HIT_ALWAYS, (11, 10, 10, 9), "win"),  # 21 stands whatever the bits say
        (HIT_ALWAYS, (2, 10, 3, 7, 10, 6), "win"),  # it draws from 5 to 15 to 21
    ],
)
def test_a_hand_of_known_cards(chromosome: list[int], cards: tuple[int, ...], outcome: str) -> None:
    deck = stacked(*cards)
    assert ga.play_hand(chromosome, deck) == outcome
    assert not deck or outcome == "loss"


def test_soft_hands_use_the_soft_bits() -> None:
    hit_soft_17_only = STAND_ALWAYS.copy()
    hit_soft_17_only[ga.bit_index(17, True, 10)] = 1
    assert ga.play_hand(hit_soft_17_only, stacked(11, 10, 6, 8, 3)) == "win"  # 17 draws to 20
    assert ga.play_hand(hit_soft_17_only, stacked(10, 10, 7, 8)) == "loss"  # hard 17 stands


def test_mimicking_the_dealer_scores_what_the_exact_value_says() -> None:
    random.seed(4)
    mimic = [int(total < 17) for total in (*range(4, 21), *range(12, 21)) for _ in range(10)]
    hands = 20_000
    assert abs(ga.evaluate(mimic, hands) - 0.459954109952) < 4 * 0.48 / hands**0.5


def test_common_deals_score_what_single_hands_score() -> None:
    rng = np.random.default_rng(6)
    packs = rng.permuted(np.tile(np.array(ga.PACK), (500, 1)), axis=1)
    population = [rng.integers(0, 2, 260).tolist() for _ in range(8)] + [STAND_ALWAYS, HIT_ALWAYS]
    points = {"win": 1.0, "push": 0.5, "loss": 0.0}
    single = [np.mean([points[ga.play_hand(each, pack[::-1].tolist())] for pack in packs]) for each in population]
    np.testing.assert_allclose(ga.Deals(packs).scores(population), single, rtol=1e-6)


@given(st.lists(CARDS, min_size=1, max_size=5))
def test_many_hand_values_are_the_single_ones(hands: list[list[int]]) -> None:
    for hand in hands:
        total, is_soft = ga.hand_values(np.array([hand]))
        assert (int(total[0]), bool(is_soft[0])) == ga.hand_value(hand)


def test_tournaments_prefer_the_fit_as_often_as_they_should() -> None:
    random.seed(1)
    drawn = ga.tournament_select([[0], [1], [2], [3]], [0.1, 0.4, 0.2, 0.3], 20_000)
    shares = np.bincount([individual[0] for individual in drawn], minlength=4) / 20_000
    np.testing.assert_allclose(shares, np.array([1, 37, 7, 19]) / 64, atol=0.015)


def test_uniform_crossover_shares_out_the_bits() -> None:
    random.seed(2)
    one, two = ga.uniform_crossover(STAND_ALWAYS, HIT_ALWAYS)
    assert [a + b for a, b in zip(one, two, strict=True)] == [1] * 260
    assert 90 < sum(one) < 170


def test_tuned_selection_finds_what_the_letter_misses(capsys: pytest.CaptureFixture[str]) -> None:
    random.seed(1)
    population, history = ga.evolve(60, 40, 4_000, tuned=True)
    consensus = [int(2 * sum(bits) > 60) for bits in zip(*population, strict=True)]
    assert ga.Deals.shuffled(100_000).scores([consensus])[0] > 0.455, "random bits score 0.341, the best chart 0.4786"
    assert len(history["max"]) == 40


def test_ctrl_c_draws_what_was_reached(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    calls = 0

    def interrupted(chromosome: list[int], n_hands: int) -> float:
        nonlocal calls
        calls += 1
        if calls > 25:
            raise KeyboardInterrupt
        return 0.4

    monkeypatch.setattr(ga, "evaluate", interrupted)
    population, history = ga.evolve(10, 9, 1)
    assert (len(population), len(history["max"])) == (10, 2), "the third generation was never evaluated"
    assert "stopped after generation 1; the figures show what was reached" in capsys.readouterr().out


def test_ctrl_c_before_anything_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(chromosome: list[int], n_hands: int) -> float:
        raise KeyboardInterrupt

    monkeypatch.setattr(ga, "evaluate", interrupted)
    with pytest.raises(SystemExit, match="nothing to draw"):
        ga.main(["--quick"])


def test_roulette_draws_in_proportion_to_fitness() -> None:
    random.seed(1)
    population = [[0], [1], [2], [3]]
    drawn = ga.roulette_select(population, [0.0, 0.1, 0.3, 0.6], 20_000)
    shares = np.bincount([individual[0] for individual in drawn], minlength=4) / 20_000
    np.testing.assert_allclose(shares, [0.0, 0.1, 0.3, 0.6], atol=0.015)


def test_crossover_swaps_tails_at_one_point() -> None:
    random.seed(2)
    points = set()
    for _ in range(4_000):
        one, two = ga.crossover(STAND_ALWAYS, HIT_ALWAYS)
        point = one.index(1)
        points.add(point)
        assert one == [0] * point + [1] * (260 - point)
        assert two == [1] * point + [0] * (260 - point)
    assert points == set(range(1, 260))


def test_mutation_flips_one_bit_in_a_hundred_in_place() -> None:
    random.seed(3)
    flips = 0
    for _ in range(400):
        chromosome = STAND_ALWAYS.copy()
        assert ga.mutate(chromosome, 0.01) is chromosome
        flips += sum(chromosome)
    assert abs(flips / 400 - 2.6) < 4 * (2.6 / 400) ** 0.5


def test_the_parameters_are_those_of_the_specification() -> None:
    assert (ga.POPULATION_SIZE, ga.GENERATIONS, ga.HANDS_PER_EVALUATION) == (100, 100, 1_000)
    assert (ga.MUTATION_RATE, ga.ELITES, ga.CHROMOSOME_LENGTH) == (0.01, 2, 260)


def test_elites_pass_unchanged_and_everybody_is_evaluated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    random.seed(5)
    seen: list[list[int]] = []

    def ones(chromosome: list[int], n_hands: int) -> float:
        seen.append(chromosome.copy())
        return sum(chromosome) / 260

    monkeypatch.setattr(ga, "evaluate", ones)
    population, history = ga.evolve(20, 6, 1)
    assert len(seen) == 20 * 6
    assert all(later >= earlier for earlier, later in zip(history["max"], history["max"][1:], strict=False))
    for generation in range(5):
        now, following = seen[20 * generation : 20 * (generation + 1)], seen[20 * (generation + 1) :]
        assert sorted(now, key=sum, reverse=True)[:2] == following[:2]
    assert seen[-20:] == population
    assert set(history) == {"min", "max", "mean", "median"}
    assert all(len(line) == 6 for line in history.values())


@pytest.fixture
def finished(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[[int], str]:
    monkeypatch.chdir(tmp_path)

    def run(seed: int) -> str:
        ga.main(["--quick", "--seed", str(seed)])
        return capsys.readouterr().out

    return run


def test_a_quick_run_writes_both_figures_and_repeats_itself(finished: Callable[[int], str]) -> None:
    first = finished(1)
    assert {path.name for path in Path.cwd().glob("*.png")} == {"figure1_fitness.png", "figure2_strategy.png"}
    assert [line.split()[1] for line in first.splitlines()[:15]] == [str(generation) for generation in range(15)]
    assert finished(1) == first


def test_figure_1_shows_the_four_lines() -> None:
    history = {"min": [0.1, 0.2], "max": [0.5, 0.6], "mean": [0.3, 0.4], "median": [0.31, 0.39]}
    axes = ga.plot_fitness(history).axes[0]
    assert {line.get_label(): list(line.get_ydata()) for line in axes.lines} == history
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Generation", "Fitness (win rate)")
    ga.plt.close("all")


def test_figure_2_shows_the_consensus_with_20_on_top() -> None:
    population = [STAND_ALWAYS.copy() for _ in range(4)]
    population[0][ga.bit_index(20, False, 11)] = 1
    population[1][ga.bit_index(12, True, 10)] = 1
    hard, soft = ga.consensus(population)
    assert hard.shape == (17, 10)
    assert soft.shape == (9, 10)
    assert hard[16, 0] == 25
    assert soft[0, 9] == 25
    figure = ga.plot_consensus(population)
    left = figure.axes[0]
    top_row = [text.get_text() for text in left.texts if text.get_position()[1] == 16]
    assert top_row == ["25"] + ["0"] * 9
    assert left.get_ylim()[0] < left.get_ylim()[1]
    assert [label.get_text() for label in left.get_yticklabels()][-1] == "20"
    ga.plt.close("all")


def test_the_colours_run_from_blue_through_purple_to_red() -> None:
    np.testing.assert_allclose(ga.BLUE_TO_RED([0.0, 0.5, 1.0])[:, :3], [[0, 0, 1], [0.5, 0, 0.5], [1, 0, 0]], atol=0.01)
