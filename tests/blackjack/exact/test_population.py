"""Many charts at once are worth what each is worth alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.exact import ev_of_strategy, score_many
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.letters import LETTERS, Letter
from holecard.blackjack.strategy.strategy import Strategy

CASINO = Rules.preset("casino")
GAMES = {
    "casino": CASINO,
    "tens by value, aces hit and split again": replace(CASINO, split="value", rsa=True, hsa=True),
    "doubles on any cards, surrender": replace(CASINO, double_cards="any", surrender="late", decks=1),
}


@pytest.mark.parametrize("game", GAMES)
def test_splits_of_many_charts_bring_what_those_of_one_do(game: str) -> None:
    cells = np.random.default_rng(2).integers(0, len(LETTERS), (6, *SHAPE)).astype(np.uint8)
    cells[:3] = np.where(cells[:3] == Letter.ANY, Letter.SPLIT, cells[:3])  # half of them leave nothing to chance
    alone = [ev_of_strategy(Strategy(chart), GAMES[game]) for chart in cells]
    assert score_many(cells, GAMES[game]).ev == pytest.approx(alone, abs=1e-13)


@pytest.mark.parametrize("game", GAMES)
def test_charts_that_share_columns_are_scored_as_if_they_did_not(game: str) -> None:
    cells = np.random.default_rng(3).integers(0, len(LETTERS), (7, *SHAPE)).astype(np.uint8)
    cells[3:, ..., :6] = cells[0, ..., :6]
    cells[5:] = cells[1]
    alone = [float(score_many(chart[None], GAMES[game]).ev[0]) for chart in cells]
    assert score_many(cells, GAMES[game]).ev == pytest.approx(alone, abs=1e-15)
    assert score_many(cells[:0], GAMES[game]).ev.shape == (0,)
