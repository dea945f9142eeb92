"""The two decision algorithms, spot by spot."""

import pytest

from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.players.decision_rules import paper_move, pokernet_move
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
