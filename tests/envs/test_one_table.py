"""A single table shows and pays what a batch of one does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.game.batch import LINGER, Batch
from holecard.blackjack.game.rules import Rules
from holecard.envs.classic import ClassicFace
from holecard.envs.one_table import OneTable
from holecard.errors import IllegalAction

CASINO = Rules.preset("casino")
GAMES = {
    "casino": (CASINO, None),
    "insurance and surrender, dealt": (replace(CASINO, shoe="dealt", insurance=True, surrender="late"), None),
    "one deck, no peek": (replace(CASINO, decks=1, peek=False, rsa=True), None),
    "Gymnasium's": (ClassicFace(natural=True, sab=False).rules, ClassicFace(natural=True, sab=False).table_rules),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_single_table_is_a_batch_of_one(game: str) -> None:
    rules, table_rules = GAMES[game]
    batch, table = Batch(rules, 1, table_rules=table_rules, pace=LINGER), OneTable(rules, table_rules)
    choose = np.random.default_rng(4)
    split = ended = 0
    for seed in (3, 4):
        batch.deal(seed)
        table.open(seed)
        table.deal()
        for _ in range(400):
            assert table.views.tolist() == batch.views.tolist()
            if table.legal == 0:
                ended += 1
                batch.step(np.zeros(1, np.int64))
                table.deal()
                continue
            legal = [action for action in range(7) if table.legal >> action & 1]
            action = 3 if 3 in legal else int(choose.choice(legal))
            split += action == 3
            nets, _ = batch.step(np.array([action]))
            assert table.step(action) == nets[0]
    assert ended > 100
    assert split > 5 or rules.max_hands == 1


def test_a_round_left_in_the_middle_is_stood_out() -> None:
    table = OneTable(replace(CASINO, insurance=True))
    table.open(1)
    for _ in range(50):
        table.deal()
        table.stand_out()
        assert table.legal == 0


def test_an_illegal_action_changes_nothing() -> None:
    table = OneTable(CASINO)
    table.open(1)
    table.deal()
    before = table.views.tolist()
    with pytest.raises(IllegalAction, match="legal there: "):
        table.step(6)
    assert table.views.tolist() == before
