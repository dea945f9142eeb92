import numpy as np
import pytest

from holecard.blackjack.counting.compositions import draw_shoes, running_counts, solve_many
from holecard.blackjack.counting.indices import find_indices, solve_shoes
from holecard.blackjack.counting.system import find_system
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition

RULES = Rules.from_text("6d S17 DAS value")
PUBLISHED = {
    **{("16 v 9", "stand"): 5, ("16 v 10", "stand"): 0, ("15 v 10", "stand"): 4, ("13 v 2", "stand"): -1},
    **{("13 v 3", "stand"): -2, ("12 v 2", "stand"): 4, ("12 v 3", "stand"): 2, ("12 v 4", "stand"): 0},
    **{("12 v 5", "stand"): -1, ("12 v 6", "stand"): -1, ("11 v A", "double"): 1, ("10 v 10", "double"): 4},
    **{("10 v A", "double"): 4, ("9 v 2", "double"): 1, ("9 v 7", "double"): 4, ("TT v 5", "split"): 5},
    ("TT v 6", "split"): 5,
}
"""Blackjack Attack, third edition: Hi-Lo, 6 decks, floored."""


@pytest.fixture(scope="module")
def found():
    return find_indices(find_system("hi-lo"), solve_shoes(RULES, shoes=160, seed=1))


def test_indices_are_the_published_ones_within_one(found):
    ours = {(each.departure.cell.short, each.departure.action): each for each in found}
    for place, index in PUBLISHED.items():
        each = ours[place]
        assert abs(each.departure.index - index) <= 1 + 2 * each.stderr, (place, each)
        assert each.gain > 0
        assert 0 < each.frequency < 0.1


def test_the_most_valuable_come_first(found):
    gains = [each.gain for each in found]
    assert gains == sorted(gains, reverse=True)
    assert found[0].departure.cell.short == "16 v 10"


def test_shoes_in_play_have_the_whole_shoe_as_their_mean():
    left = draw_shoes(RULES, 4000, seed=2)
    share = (left / left.sum(axis=1, keepdims=True)).mean(axis=0)
    assert share == pytest.approx(np.array([4] * 9 + [16]) / 52, abs=0.002)
    assert running_counts(find_system("hi-lo"), RULES, left).mean() == pytest.approx(0.0, abs=0.6)


def test_many_solved_are_each_solved():
    decks = [Composition.of_values(tuple(int(count) for count in left)) for left in draw_shoes(RULES, 3, seed=4)]
    for deck, solution in zip(decks, solve_many(decks, RULES, threads=2), strict=True):
        assert solution.ev == solve(RULES, deck=deck).ev


def test_a_running_count_has_its_own_indices():
    found = find_indices(find_system("ko"), solve_shoes(RULES, shoes=300, seed=1))
    ours = {(each.departure.cell.short, each.departure.action): each for each in found}
    fifteen = ours["15 v 10", "stand"]  # published for KO: +4
    assert abs(fifteen.departure.index - 4) <= 1 + 3 * fifteen.stderr
    assert all(each.gain < 3e-4 for each in found)
