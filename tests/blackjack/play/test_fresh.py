"""A kernel that is made for a game plays the rounds that the kernel for all games plays, to the last one."""

import numpy as np
import pytest

from holecard._jit import must_compile
from holecard.blackjack.game.round import new_rounds
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.fresh import fresh_kernel, kernel_of
from holecard.blackjack.play.kernels import TALLY, Block, play_fresh
from holecard.blackjack.strategy.named import named_strategy


@pytest.mark.parametrize("text", ["classic", "gymnasium", "casino", "6d H17 DAS LS RSA HSA ENHC"])
def test_a_game_of_its_own_is_the_same_game(text):
    rules = Rules.from_text(text)
    deck, table = Composition.of_rules(rules), rules.table()
    plays = np.stack([named_strategy(name, rules).plays().ravel() for name in ("basic", "random")])
    one, other = np.zeros((2, 2, TALLY), np.int64)
    block = Block(np.uint64(7), 1000, 30_000)
    play_fresh(new_rounds(1, deck), block, 50_000, plays, one, table)
    kernel_of(table, deck)(block, 50_000, plays, other)
    assert one.tolist() == other.tolist()
    assert not must_compile(kernel_of(table, deck).loop), "it is kept by the game"


def test_few_rounds_are_not_worth_a_kernel():
    rules = Rules.preset("casino")
    deck = Composition.of_rules(rules)
    assert fresh_kernel(rules.table(), deck, 1 << 20).loop is kernel_of(rules.table(), deck).loop
    assert fresh_kernel(rules.table(), deck, 1000).loop is play_fresh
