"""Rounds side by side are the rounds that are played one after another."""

import warnings

import numpy as np
import pytest

from holecard.blackjack.game.round import new_rounds
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.fresh import kernel_of
from holecard.blackjack.play.kernels import NO_COUNTS, TALLY, Block, play_fresh
from holecard.blackjack.play.waves import WAVE, new_wave, play_wave
from holecard.blackjack.strategy.named import named_strategy

CASINO = Rules.preset("casino")
DECK = Composition.of_rules(CASINO)


def one_after_another(block, plays):
    tally = np.zeros((1, TALLY), np.int64)
    play_fresh(new_rounds(1, DECK), block, 0, plays.reshape(1, -1), tally, CASINO.table())
    return tally[0].tolist()


@pytest.mark.parametrize("n", [1, WAVE - 1, WAVE, WAVE + 1, 5 * WAVE + 3])
def test_any_number_of_rounds_fills_its_waves(n):
    plays = named_strategy("random", CASINO).plays()
    block, tally = Block(np.uint64(9), 77, n), np.zeros((1, TALLY), np.int64)
    kernel_of(CASINO.table(), DECK)(block, 0, plays.reshape(1, -1), tally)
    assert tally[0].tolist() == one_after_another(block, plays)


def test_a_wave_in_plain_python():
    """Splits, doubles and `?` among them: a random chart."""
    plays, block = named_strategy("random", CASINO).plays(), Block(np.uint64(5), 0, WAVE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # hashes run over, as they should
        counts = play_wave(new_wave(CASINO.table(), DECK)[0], block, plays.ravel(), NO_COUNTS, CASINO.table())
    assert list(counts) == one_after_another(block, plays)[: len(counts)]
