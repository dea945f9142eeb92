import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.blackjack.exact.chart_play import chart_lines
from holecard.blackjack.exact.hands import ACE
from holecard.blackjack.exact.score import optimum
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.cell import (
    CARDS_HELD,
    CELLS,
    LINES,
    SECTIONS,
    SHAPE,
    Cell,
    Kind,
    cell_index,
    cells_of_chart,
    held_index,
    kind_and_row,
    line_index,
    reachable_rows,
    row_label,
    row_of,
)
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.letters import LETTERS, Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import ChartError

GAMES = [(21, 10), (25, 12), (31, 10), (16, 0), (31, 29), (12, 10)]


@pytest.mark.parametrize(("limit", "ace_bonus"), GAMES)
def test_every_cell_reads_back_from_its_text(limit, ace_bonus):
    cells = list(cells_of_chart(limit, ace_bonus))
    for cell in cells + [cell.by_total for cell in cells]:
        assert Cell.parse(str(cell), ace_bonus=ace_bonus) == cell
    assert len({str(cell) for cell in cells}) == len(cells)


@pytest.mark.parametrize(("limit", "ace_bonus"), GAMES)
def test_the_index_is_a_bijection_onto_the_reachable_cells(limit, ace_bonus):
    strategy = Strategy(np.ones(SHAPE, np.uint8), limit=limit, ace_bonus=ace_bonus)  # zero where nothing can be decided
    indices = [cell.index for cell in cells_of_chart(limit, ace_bonus)]
    assert len(set(indices)) == len(indices)
    assert sorted(indices) == np.flatnonzero(strategy.cells).tolist()
    assert [Cell.at(at, ace_bonus=ace_bonus).index for at in indices] == indices


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("hard 16 v 10", (0, Kind.HARD, 16, 9)),
        ("hard+ace@3 16 v 10", (1, Kind.HARD_ACE, 16, 9)),
        ("soft A7 v 9", (0, Kind.SOFT, 18, 8)),
        ("soft@4+ A1 v 2", (2, Kind.SOFT, 12, 1)),
        ("pair AA v A", (0, Kind.PAIR, 2, 0)),
        ("pair TT v 10", (0, Kind.PAIR, 20, 9)),
    ],
)
def test_known_cells_stand_where_they_should(text, place):
    cell = Cell.parse(text)
    assert cell.index == np.ravel_multi_index(place, SHAPE)
    assert str(cell) == text
    codes = np.zeros(SHAPE, np.uint8)
    codes[place] = Letter.DOUBLE_ELSE_STAND
    assert Strategy(codes)[cell] == Letter.DOUBLE_ELSE_STAND


def test_parts_of_a_cell_in_words():
    cell = Cell.parse("hard+ace@4+ 16 v A")
    assert (cell.section, cell.label, cell.upcard_name, cell.short) == ("hard+ace@4+", "16", "A", "16 v A")
    assert str(cell.by_total) == "hard 16 v A"
    pair = Cell.parse("pair 88 v 10")
    assert pair.by_total is pair
    assert Cell.parse("soft A5 v 6", ace_bonus=12).row == 18


def test_cells_are_ordered_as_a_chart_text_has_them():
    cells = list(cells_of_chart())
    shuffled = [cells[at] for at in np.random.default_rng(0).permutation(len(cells))]
    assert sorted(shuffled) == cells
    assert Cell.parse("hard 16 v 10") < Cell.parse("hard@2 4 v A") < Cell.parse("hard@3 4 v A")
    codes = np.arange(CELLS, dtype=np.uint64).reshape(SHAPE) % 7  # no two sections alike
    written = [line.split() for line in write_chart(Strategy(codes.astype(np.uint8))).splitlines()]
    seen, section = [], ""
    for label, *letters in filter(None, written):
        if label.split("@")[0] in SECTIONS:
            section = label
        else:
            seen += [(f"{section} {label} v {value}", letter) for value, letter in zip(VALUES, letters, strict=True)]
    assert seen == [(str(cell), Strategy(codes.astype(np.uint8))[cell].letter) for cell in cells]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("insurance v A", ["'hard 16 v 10'", "'insurance v A'"]),
        ("hard 16 10", ["got 'hard 16 10'"]),
        ("hard@5 16 v 10", ["got 'hard@5 16 v 10'"]),
        ("hard A7 v 10", ["no row of hard hands is called 'A7'"]),
        ("pair 87 v 10", ["no row of pair hands is called '87'"]),
        ("hard 16 v K", ["upcards are A 2 3", "'K'"]),
        ("hard 1 v A", ["2 to 31", "got 1"]),
        ("hard 32 v A", ["2 to 31", "got 32"]),
        ("soft A0 v A", ["12 to 31", "got 11"]),
        ("pair@2 88 v A", ["None", "pairs"]),
    ],
)
def test_a_text_that_is_no_cell_is_refused_with_a_reason(text, words):
    with pytest.raises(ChartError) as caught:
        Cell.parse(text)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize("change", [{"row": 17, "kind": Kind.PAIR}, {"upcard": 10}, {"upcard": -1}, {"cards": 5}])
def test_an_impossible_cell_is_refused(change):
    with pytest.raises(ChartError):
        Cell(**({"kind": Kind.HARD, "row": 16, "upcard": 9} | change))


@given(st.sampled_from(GAMES), st.sampled_from(list(Kind)))
def test_a_row_and_its_label_are_one_to_one(game, kind):
    rows = list(reachable_rows(kind, *game))
    labels = [row_label(kind, row, game[1]) for row in rows]
    assert len(set(labels)) == len(rows)
    assert [row_of(kind, label, game[1]) for label in labels] == rows


def test_rules_of_place_take_numbers_and_arrays():
    held, kind, row, upcard = np.indices(SHAPE)
    assert (cell_index(held, kind, row, upcard).ravel() == np.arange(CELLS)).all()
    assert (line_index(held, kind, row)[..., 0].ravel() == np.arange(LINES)).all()
    sizes = np.array([2, 3, 4, 5, 11])
    assert held_index(sizes).tolist() == [held_index(int(size)) for size in sizes] == [0, 1, 2, 2, 2]
    assert len(CARDS_HELD) == SHAPE[0]


def test_which_row_a_hand_is_looked_up_in():
    for soft, has_ace in itertools.product([False, True], repeat=2):
        assert kind_and_row(True, soft, has_ace, 12, 2) == (Kind.PAIR, 2)
    assert kind_and_row(False, True, True, 18, 8) == (Kind.SOFT, 18)
    assert kind_and_row(False, False, True, 16, 16) == (Kind.HARD_ACE, 16)
    assert kind_and_row(False, False, False, 16, 16) == (Kind.HARD, 16)


def test_the_solver_looks_hands_up_where_play_does():
    odds = optimum(Rules.preset("classic")).odds
    hands, lines = odds.hands, chart_lines(odds.hands)
    for hand in range(len(hands.total)):
        total, soft, has_ace = int(hands.total[hand]), bool(hands.soft[hand]), bool(hands.cards[hand, ACE])
        kind, row = kind_and_row(False, soft, has_ace, total, total)
        assert lines.of_hand[hand] == line_index(held_index(max(int(hands.size[hand]), 2)), kind, row)
    for pair in range(len(VALUES)):
        kind, row = kind_and_row(True, pair == ACE, pair == ACE, 0, 2 * (pair + 1))
        assert lines.of_pair[pair] == line_index(0, kind, row)


def test_a_letter_knows_its_text_and_words():
    assert LETTERS == "HSDdPRr?"
    for code, text in enumerate(LETTERS):
        assert Letter(code).letter == text
        assert Letter.parse(text) is Letter(code)
    assert Letter.parse("U") is Letter.SURRENDER_ELSE_HIT
    with pytest.raises(KeyError):
        Letter.parse("X")
