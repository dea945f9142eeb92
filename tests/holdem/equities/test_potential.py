"""How far a hand's chance to win will move, against plain enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.potential import flop_spread, potential_tables, turn_spread
from holecard.holdem.equities.tables import equity_tables


def _river_chances(hole: list[int], board: list[int]) -> list[float]:
    left = [card for card in range(52) if card not in hole and card not in board]
    if len(board) == 4:
        return [equity(hole, [*board, card]).equity for card in left]
    return [chance for card in left for chance in _river_chances(hole, [*board, card])]


@pytest.mark.parametrize(("hole", "board"), [("AsKs", "Qs7s2d9h"), ("2c2d", "AhKhQhJh"), ("8h7d", "9s6c2d2h")])
def test_turns_by_enumeration(hole: str, board: str) -> None:
    cards, table = parse_cards(hole), parse_cards(board)
    chances = _river_chances(list(cards), list(table))
    mean, spread = turn_spread(equity_tables()[0], potential_tables()[0], *cards, np.array(table, np.uint8))
    assert mean == pytest.approx(np.mean(chances), abs=1e-9)
    assert spread == pytest.approx(np.std(chances), abs=5e-4)


def test_a_flop_by_enumeration() -> None:
    cards, table = parse_cards("JsTs"), parse_cards("9s8d2s")
    chances = _river_chances(list(cards), list(table))
    mean, spread = flop_spread(equity_tables()[0], potential_tables()[0], *cards, np.array(table, np.uint8))
    assert mean == pytest.approx(np.mean(chances), abs=1e-9)
    assert spread == pytest.approx(np.std(chances), abs=5e-4)
