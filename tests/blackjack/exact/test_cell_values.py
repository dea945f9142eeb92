"""Cells of the best chart: their EVs are those of their hands, their frequencies those that leaks have."""

import pytest

from holecard.blackjack import Rules, Strategy, score, solve, value_cells
from holecard.blackjack.strategy.letters import Letter

TABLES = ["2d S17 LS", "1d ENHC NDAS value", "classic"]


@pytest.fixture(scope="module", params=TABLES)
def solution(request):
    return solve(Rules.from_text(request.param))


def test_a_pair_s_cell_is_its_one_hand(solution):
    words = {"hit": "H", "stand": "S", "double": "Dd", "split": "P", "surrender": "Rr"}
    found = {str(each.cell): each for each in value_cells(solution)}
    if solution.rules.max_hands == 1:
        assert not [each for each in found.values() if Letter.SPLIT in each.evs or each.plays == Letter.SPLIT]
        return
    for pair in ("88", "77", "99"):
        for upcard in ("6", "9", "10", "A"):
            exact = solution.evs_of(",".join(pair), upcard)
            cell = found[f"pair {pair} v {upcard}"]
            assert {letter.letter for letter in cell.evs} <= set("".join(words[action] for action in exact))
            assert len(cell.evs) == len(exact)
            for letter, ev in cell.evs.items():
                action = next(action for action, letters in words.items() if letter.letter in letters)
                assert ev == pytest.approx(exact[action], abs=1e-12)
            assert cell.margin == pytest.approx(sorted(exact.values())[-1] - sorted(exact.values())[-2], abs=1e-12)


def test_the_chart_plays_the_best_letter_where_much_is_at_stake(solution):
    for each in value_cells(solution):
        assert list(each.evs.values()) == sorted(each.evs.values(), reverse=True)
        if each.margin is not None and each.margin > 0.02:
            assert next(iter(each.evs)).letter.upper() == each.plays.letter.upper() or each.plays == Letter.SPLIT


def test_frequencies_are_those_of_leaks():
    rules = Rules.from_text("2d S17 LS")
    solution = solve(rules)
    found = {str(each.cell): each for each in value_cells(solution)}
    cells = solution.strategy().cells.copy()
    from holecard.blackjack.strategy.cell import Cell

    wrong = Cell.parse("hard 15 v 6")
    for held in range(3):
        for kind in (0, 1):
            cells[held, kind, wrong.row, wrong.upcard] = Letter.HIT
    leak = next(leak for leak in score(Strategy(cells), rules).leaks if str(leak.cell) == "hard 15 v 6")
    cell = found["hard 15 v 6"]
    assert leak.frequency == pytest.approx(cell.frequency, rel=1e-9)
    stand, hit = cell.evs[Letter.STAND], cell.evs[Letter.HIT]
    assert leak.cost == pytest.approx((stand - hit) * cell.frequency, rel=0.02)  # split hands differ a little


def test_first_hands_come_up_as_often_as_rounds_begin_and_insurance_is_the_share_of_tens():
    plain = solve(Rules.preset("classic"))
    ranks = ["A", *map(str, range(2, 11))]
    pairs = [(low, high) for at, low in enumerate(ranks) for high in ranks[at:]]
    total = sum(plain.frequency_of(f"{low},{high}", up) for low, high in pairs for up in ranks)
    assert total == pytest.approx(1.0, abs=1e-12)
    single = solve(Rules.preset("single-deck"))
    assert single.insurance_of("T,6") == pytest.approx(3 * 15 / 49 - 1, abs=1e-12)
    assert single.insurance_of("9,6") == pytest.approx(3 * 16 / 49 - 1, abs=1e-12)
