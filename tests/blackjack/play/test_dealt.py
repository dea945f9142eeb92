"""Shoes dealt down, by every kernel there is: the same rounds."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, cut_card
from holecard.blackjack.play.dealt import dealt_kernel, play_dealt, play_shoe
from holecard.blackjack.play.fresh import WORTH_A_KERNEL
from holecard.blackjack.play.kernels import NO_COUNTS, TALLY, Block, add_to
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.play.small_round import dealt_state
from holecard.blackjack.players.chart_agent import ChartAgent
from holecard.blackjack.strategy.named import named_strategy
from holecard.seeds import key_of

GAMES = ("6d H17 LS INS dealt", "1d S17 RSA HSA rank dealt cut=1", "8d ENHC 5-charlie dealt cut=0.9")


def asked_of(text):
    """Rules, plays, deck and cut of a game."""
    rules = Rules.from_text(text)
    deck, chart = Composition.of_rules(rules), named_strategy("basic", replace(rules, shoe="fresh", insurance=False))
    return rules, chart, deck, cut_card(deck, rules)


@pytest.mark.parametrize("text", GAMES)
def test_a_kernel_made_for_a_game_plays_what_any_games_kernel_plays(text):
    rules, chart, deck, cut = asked_of(text)
    tallies = np.zeros((2, TALLY), np.int64)
    kernels = dealt_kernel(rules.table(), WORTH_A_KERNEL), play_dealt
    assert kernels[0] is not kernels[1]
    for kernel, tally in zip(kernels, tallies, strict=True):
        block = Block(np.uint64(3), 7, 400)
        kernel(dealt_state(deck), block, 10**9, cut, chart.plays().ravel(), tally, rules.table())
    assert (tallies[0] == tallies[1]).all()
    assert tallies[0][0] > 1000


@pytest.mark.parametrize("text", GAMES)
def test_compiled_shoes_are_those_of_plain_python_and_of_a_game(text):
    """A kernel knows ranks only, a table shows its cards: both play the same rounds of the same shoes."""
    rules, chart, deck, cut = asked_of(text)
    plays, table, state, counts = chart.plays().ravel(), rules.table(), dealt_state(deck), NO_COUNTS
    compiled, plain = np.zeros(TALLY, np.int64), np.zeros(TALLY, np.int64)
    play_dealt(dealt_state(deck), Block(np.uint64(5), 0, 12), 10**9, cut, plays, compiled, table)
    with np.errstate(over="ignore"):
        for number in range(12):
            key = key_of(np.uint64(5), np.uint64(number))
            counts = play_shoe(state[0], key, 10**9, cut, plays, counts, table)
    add_to(plain, counts)
    assert (plain == compiled).all()
    rounds = int(compiled[0])
    game, agent = Game(rules, seed=5), ChartAgent(chart, rules)
    net = sum(game.play(agent.act) for _ in range(rounds))
    assert net * rules.unit == compiled[3]


def test_rounds_do_not_depend_on_how_many_are_asked_for():
    """Fewer rounds go through another kernel, in other blocks, on any number of threads."""
    rules, chart, *_ = asked_of(GAMES[0])
    many = [simulate(chart, rules, WORTH_A_KERNEL, seed=2, threads=threads) for threads in (1, 2)]
    fewer = simulate(chart, rules, WORTH_A_KERNEL - 1, seed=2)
    assert many[0].ev == many[1].ev
    last = many[0].ev.mean * WORTH_A_KERNEL - fewer.ev.mean * (WORTH_A_KERNEL - 1)
    assert abs(last) <= 8
    assert last * rules.unit == pytest.approx(round(last * rules.unit), abs=1e-3)
