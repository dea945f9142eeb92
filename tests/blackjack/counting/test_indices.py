import numpy as np
import pytest

from holecard.blackjack.counting.compositions import draw_shoes, running_counts, solve_many
from holecard.blackjack.counting.indices import find_indices, whole_index
from holecard.blackjack.counting.linear_indices import linear_indices
from holecard.blackjack.counting.solved_shoes import FAMILIES, choices_in, places_of, solve_shoes
from holecard.blackjack.counting.system import find_system
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.cell import ROWS, Kind

_HI_LO = find_system("hi-lo")
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
def solved():
    return solve_shoes(RULES, shoes=240, seed=1)


@pytest.fixture(scope="module")
def found(solved):
    return find_indices(_HI_LO, solved)


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


def test_hands_that_a_shoe_cannot_make_say_nothing():
    """A deck without twos and sixes has no T6 and no T2, and its sixteens are nine-sevens and more cards."""
    rules = Rules.from_text("1d S17 NDAS value")
    whole = solve(rules)
    deck = Composition.of_values((4, 0, 4, 4, 4, 0, 4, 4, 4, 16))
    solution = solve(rules, deck=deck)
    found = choices_in(places_of(whole), solution)

    def choice(family: str, kind: Kind, row: int, upcard: int):
        return found[FAMILIES.index(family), (int(kind) * ROWS + row) * 10 + upcard]

    assert not choice("stand", Kind.HARD, 5, 9).any()
    lead, chance, *held = choice("double", Kind.HARD, 9, 8)  # 5-4 alone, against a nine
    evs = solution.evs_of("5,4", "9")
    assert lead == pytest.approx(evs["double"] - max(evs["hit"], evs["stand"]), abs=1e-12)
    assert chance == pytest.approx(2 * 4 * 4 * 4 / (44 * 43 * 42), abs=1e-12)
    assert held == [0, 0, 0, 1, 1, 0, 0, 0, 1, 0]


def test_a_fourteen_is_no_stand_against_a_ten_in_one_deck():
    """One deck dealt deep: few hands of a cell are left, and only they count."""
    solved = solve_shoes(Rules.from_text("1d S17 NDAS value cut=0.75"), shoes=100, seed=3)
    ours = {(each.departure.cell.short, each.departure.action): each for each in find_indices(_HI_LO, solved)}
    assert ("14 v 10", "stand") not in ours or ours["14 v 10", "stand"].crossing > 4


def test_a_count_made_whole_otherwise_has_other_indices():
    assert [whole_index(0.4, _HI_LO, each) for each in ("floor", "exact", "truncate", "round")] == [0, 0, 1, 1]
    assert [whole_index(-1.2, _HI_LO, each) for each in ("floor", "exact", "truncate", "round")] == [-1, -1, 0, -1]
    assert [whole_index(-2.0, _HI_LO, each) for each in ("floor", "exact", "truncate", "round")] == [-2, -2, -1, -2]
    assert whole_index(-2.3, find_system("ko"), "floor") == -2


@pytest.mark.parametrize(("count", "off"), [("hi-lo", 1.2), ("zen", 2.2)])
def test_effects_of_removal_alone_give_nearly_the_same(solved, count, off):
    linear = {
        (each.cell, each.action, each.otherwise): each.index for each in linear_indices(find_system(count), RULES)
    }
    common = [each for each in find_indices(find_system(count), solved) if each.stderr < 0.5][:15]
    for each in common:
        departure = each.departure
        index = linear[departure.cell, departure.action, departure.otherwise]
        assert abs(index - departure.index) <= off + 3 * each.stderr, (str(departure), index)


def test_a_running_count_has_its_own_indices(solved):
    found = find_indices(find_system("ko"), solved)
    ours = {(each.departure.cell.short, each.departure.action): each for each in found}
    fifteen = ours["15 v 10", "stand"]  # published for KO: +4
    assert abs(fifteen.departure.index - 4) <= 1 + 3 * fifteen.stderr
    assert all(each.gain < 3e-4 for each in found)
