"""The decision algorithms, spot by spot; the author's are in `test_author`."""

import pytest

from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.players.decision_rules import paper_move, pokernet_move, thirds_move
from tests.holdem.spots import COVERED, FREE, SHORT, spot


@pytest.mark.parametrize(
    ("o", "changes", "move"),
    [
        (-0.01, {}, FOLD),
        (-0.01, FREE, CALL),
        (0.002, {}, CALL),  # below to_call / ss = 0.0025
        (0.003, {}, CALL),  # ⌊0.6⌋ big blinds: below the minimum raise
        (0.0051, {}, 200),  # by one big blind on top of the call
        (0.0199, {}, 400),  # ⌊3.98⌋: by three
        (1.0, {}, 20_000),
        (0.003, FREE, CALL),
        (0.0155, FREE, 300),
        (0.9, SHORT, 300),
        (0.9, COVERED, CALL),
    ],
)
def test_the_model_cards_algorithm(o, changes, move):
    assert pokernet_move(spot(**changes), o) == move


@pytest.mark.parametrize(
    ("o", "changes", "move"),
    [
        (-1.0, {}, FOLD),
        (-1.0, FREE, CALL),
        (0.0024, {}, FOLD),  # y = 48 < 50 to call
        (0.0026, {}, CALL),  # y = 52
        (0.0074, {}, CALL),  # y = 148 < to call + minimum raise
        (0.0076, {}, 250),  # y = 152: put in 200
        (0.0124, {}, 250),  # y = 248: put in 200
        (0.0126, {}, 350),  # y = 252: put in 300
        (1.0, {}, 20_000),
        (0.004, FREE, CALL),
        (0.0052, FREE, 100),
        (0.0076, FREE, 200),
        (1.0, SHORT, 300),
        (1.0, COVERED, CALL),
        (0.01, COVERED, FOLD),
    ],
)
def test_the_papers_algorithm_1(o, changes, move):
    assert paper_move(spot(**changes), o) == move


@pytest.mark.parametrize(
    ("o", "changes", "move"),
    [
        (-1.0, {}, FOLD),
        (-0.34, {}, FOLD),
        (-0.34, FREE, CALL),
        (-0.33, {}, CALL),
        (0.0, FREE, CALL),
        (0.33, {}, CALL),
        (0.334, {}, 201),  # of 200 … 20,000
        (1 / 3 + 0.25, {}, 2_000),  # half way: a factor of 10 from either end
        (0.83, {}, 19_395),
        (0.84, {}, 20_000),
        (1.0, FREE, 20_000),
        (0.34, SHORT, 201),
        (0.9, SHORT, 300),
        (0.9, COVERED, CALL),
    ],
)
def test_thirds_and_raises_that_grow_by_factors(o, changes, move):
    assert thirds_move(spot(**changes), o) == move
