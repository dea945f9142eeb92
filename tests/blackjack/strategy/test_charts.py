import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.players.finding import find_strategy
from holecard.blackjack.strategy.cell import SHAPE, Kind
from holecard.blackjack.strategy.charts import chart_rows, load_strategy, read_chart, write_chart
from holecard.blackjack.strategy.named import NAMED, named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import ChartError, FileProblem, SettingError

UPCARDS = "A 2 3 4 5 6 7 8 9 10"
HIT = "H H H H H H H H H H"
SMALL = f"hard {UPCARDS}\n4-20 {HIT}\nsoft {UPCARDS}\nA2-A9 {HIT}\n"


@given(st.integers(0, 2**32 - 1), st.sampled_from([(21, 10), (25, 12), (16, 0), (31, 29)]))
def test_any_table_is_written_and_read_without_loss(seed, game):
    cells = np.random.default_rng(seed).integers(0, 8, SHAPE, dtype=np.uint8)
    strategy = Strategy(cells, limit=game[0], ace_bonus=game[1])
    assert read_chart(write_chart(strategy)) == strategy


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("name", NAMED)
def test_named_strategies_read_back(preset, name):
    strategy = named_strategy(name, Rules.preset(preset))
    assert read_chart(write_chart(strategy)) == strategy


def test_sections_for_a_number_of_cards_and_their_fallbacks():
    text = SMALL + f"hard@2 {UPCARDS}\n4-20 S S S S S S S S S S\nhard+ace {UPCARDS}\n12-20 d d d d d d d d d d\n"
    cells = read_chart(text).cells
    assert (cells[0, Kind.HARD, 4:21] == 1).all()
    assert (cells[1:, Kind.HARD, 4:21] == 0).all()
    assert (cells[:, Kind.HARD_ACE, 12:21] == 3).all()
    assert (cells[0, Kind.PAIR, 4:21:2] == 1).all(), "pairs follow their total with two cards"


def test_columns_in_any_order_and_u_for_surrender():
    text = "hard 2 3 4 5 6 7 8 9 T A\n4-15 HHHHHHHHHH\n16 S S S S S H H U U U\n17+ SSSSSSSSSS\n"
    rows = chart_rows(read_chart(text + f"soft {UPCARDS}\n13-20 {HIT}\n"))
    assert rows["hard"]["16"] == "RSSSSSHHRR"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["without a section 'hard'"]),
        (SMALL.replace("4-20", "4-19"), ["row 20", "hard"]),
        (SMALL.replace("4-20 H", "4-20 X"), ["line 2, column 6", "'X'", "H S D d P R r ?"]),
        (SMALL.replace("4-20 H H", "4-20 H"), ["line 2", "needs 10 letters", "got 9"]),
        (SMALL.replace("4-20 H", "4-20 H H"), ["line 2", "got 11"]),
        (SMALL.replace("4-20", "3-20"), ["line 2, column 1", "'3-20'", "4 to 20"]),
        (SMALL.replace("A2-A9", "B2"), ["line 4", "'B2'", "A1 to A9"]),
        (SMALL + f"4 {HIT}\n", ["line 5", "no such row"]),
        (SMALL + f"pair {UPCARDS}\n88 {HIT}\n", ["row AA", "pair"]),
        (SMALL + f"pair@3 {UPCARDS}\n", ["line 5", "two cards"]),
        (SMALL + f"soft {UPCARDS}\n", ["line 5", "stands twice"]),
        (SMALL.replace("4-20", "4-12") + f"hard@2 {UPCARDS}\n", ["without row"]),
        ("hard 2 3 4\n", ["line 1", "A 2 3 4 5 6 7 8 9 10"]),
        (f"16 {HIT}\n", ["line 1, column 1", "before any section"]),
        ("limit 99\n", ["line 1", "12 to 31"]),
    ],
)
def test_a_chart_that_cannot_be_read_says_where(text, words):
    with pytest.raises(ChartError) as caught:
        read_chart(text)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_files(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(SMALL, encoding="utf-8")
    assert load_strategy(path).name == "mine"
    assert find_strategy(str(path), Rules()) == read_chart(SMALL)
    with pytest.raises(FileProblem, match="no strategy chart"):
        load_strategy(tmp_path / "none.txt")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileProblem, match="cannot read"):
        load_strategy(path)
    path.write_text("nonsense", encoding="utf-8")
    with pytest.raises(ChartError, match=r"mine.txt: line 1"):
        load_strategy(path)
    with pytest.raises(SettingError, match="did you mean basic"):
        find_strategy("basix", Rules())


def test_basic_speaks_only_of_what_the_rules_allow():
    for preset in PRESETS:
        rules = Rules.preset(preset)
        letters = {
            letter
            for rows in chart_rows(named_strategy("basic", rules)).values()
            for row in rows.values()
            for letter in row
        }
        assert rules.surrender != "none" or not letters & {"R", "r"}
        assert rules.double != "none" or not letters & {"D", "d"}
        assert rules.max_hands > 1 or "P" not in letters


def test_no_published_chart_for_another_limit():
    with pytest.raises(ChartError, match="mimic-dealer"):
        named_strategy("basic", Rules.from_text("limit=22 plain"))
