import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.blackjack.game.actions import Action
from holecard.blackjack.strategy.cell import SHAPE, Cell, Kind, cells_of_chart
from holecard.blackjack.strategy.letters import MAY_DOUBLE, MAY_SPLIT, MAY_SURRENDER, PLAY_ANY, Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import ChartError

genomes = st.lists(st.integers(0, 1), min_size=260, max_size=260)


@given(genomes)
def test_a_genome_goes_in_and_comes_out(bits):
    assert Strategy.from_genome(bits).genome().tolist() == bits


def test_the_genome_has_seed_000s_bit_order():
    for total, soft, upcard in [(4, False, 0), (20, False, 9), (13, False, 4), (12, True, 0), (20, True, 9)]:
        index = 170 + (total - 12) * 10 + upcard if soft else (total - 4) * 10 + upcard
        bits = [0] * 260
        bits[index] = 1
        cells = Strategy.from_genome(bits).cells
        kind = Kind.SOFT if soft else Kind.HARD
        assert cells[0, kind, total, upcard] == 0
        assert (cells[:, kind, total] == 0).sum() == 3


def test_a_strategy_that_says_more_than_a_genome_has_none():
    cells = Strategy.from_genome([0] * 260).cells.copy()
    cells[0, Kind.PAIR, 16] = 4
    with pytest.raises(ChartError, match="says more"):
        Strategy(cells).genome()


@pytest.mark.parametrize(
    ("letter", "options", "action"),
    [
        ("H", 7, Action.HIT),
        ("S", 7, Action.STAND),
        ("D", MAY_DOUBLE, Action.DOUBLE),
        ("D", 0, Action.HIT),
        ("d", MAY_DOUBLE, Action.DOUBLE),
        ("d", 0, Action.STAND),
        ("R", MAY_SURRENDER, Action.SURRENDER),
        ("R", MAY_DOUBLE, Action.HIT),
        ("r", 0, Action.STAND),
        ("?", 0, PLAY_ANY),
    ],
)
def test_what_a_letter_plays(letter, options, action):
    cells = np.full(SHAPE, "HSDdPRr?".index(letter), np.uint8)
    assert (Strategy(cells).plays()[options, :, Kind.HARD, 4:21] == action).all()


def test_a_split_that_is_not_allowed_follows_the_total():
    cells = np.full(SHAPE, 1, np.uint8)
    cells[:, Kind.PAIR] = 4
    cells[:, Kind.HARD, 16, 9] = 5
    cells[:, Kind.SOFT, 12] = 0
    plays = Strategy(cells).plays()
    assert plays[MAY_SPLIT, 0, Kind.PAIR, 16, 9] == Action.SPLIT
    assert plays[0, 0, Kind.PAIR, 16, 9] == Action.HIT
    assert plays[MAY_SURRENDER, 0, Kind.PAIR, 16, 9] == Action.SURRENDER
    assert plays[0, 0, Kind.PAIR, 2, 0] == Action.HIT
    assert plays[0, 0, Kind.PAIR, 12, 0] == Action.STAND


def test_cells_out_of_reach_do_not_count():
    one = np.zeros(SHAPE, np.uint8)
    two = one.copy()
    two[:, Kind.HARD, 21:] = 3
    two[1:, Kind.PAIR] = 4
    assert Strategy(one) == Strategy(two)
    assert hash(Strategy(one)) == hash(Strategy(two))


def test_wrong_tables_are_refused():
    with pytest.raises(ChartError, match="shape"):
        Strategy(np.zeros((2, 2), np.uint8))
    with pytest.raises(ChartError, match="codes"):
        Strategy(np.full(SHAPE, 9, np.uint8))
    with pytest.raises(ChartError, match="260"):
        Strategy.from_genome([2] * 260)


def test_a_strategy_is_made_of_cells_and_letters():
    rng = np.random.default_rng(5)
    for limit, ace_bonus in [(21, 10), (25, 12)]:
        letters = {cell: Letter(int(rng.integers(8))) for cell in cells_of_chart(limit, ace_bonus)}
        strategy = Strategy.from_letters(letters, limit=limit, ace_bonus=ace_bonus)
        assert {cell: strategy[cell] for cell in letters} == letters
    del letters[Cell.parse("pair 88 v A", ace_bonus=12)]
    with pytest.raises(ChartError, match="the first is pair 88 v A"):
        Strategy.from_letters(letters, limit=25, ace_bonus=12)
