"""The two decision algorithms and the rule players, spot by spot."""

import numpy as np
import pytest

from holecard.holdem.game.betting import CALL, FOLD, HAND, apply, deal, fit, post
from holecard.holdem.game.rules import Stakes
from holecard.holdem.game.view import VIEW, look
from holecard.holdem.players.decisions import paper_move, pokernet_move
from holecard.holdem.players.players import (
    Player,
    candid_statistician,
    hothead_maniac,
    loose_aggressive,
    mixed_random,
    pot_odds_caller,
    raise_once,
    rule_move,
    scared_limper,
    smart,
    style_switcher,
    tight_passive,
)
from holecard.seeds import key_of


def spot(**changes):
    """The button's first decision at 50/100 with 20,000 behind, changed as told."""
    fields = {
        "street": 0, "on_button": True, "to_call": 50, "min_raise_to": 200, "max_raise_to": 20_000, "pot": 150,
        "stack": 19_950, "other_stack": 19_900, "bet": 50, "other_bet": 100, "paid": 50, "other_paid": 100,
        "start": 20_000, "small_blind": 50, "big_blind": 100, "buy_in": 20_000, "equity": 0.5, "chance": 12345,
    }  # fmt: skip
    view = np.zeros(1, VIEW)[0]
    for name, value in {**fields, **changes}.items():
        view[name] = value
    return view


FREE = {"street": 1, "to_call": 0, "bet": 0, "other_bet": 0, "min_raise_to": 100, "pot": 400}
SHORT = {"start": 300, "buy_in": 300, "stack": 250, "max_raise_to": 300}
COVERED = {"to_call": 250, "min_raise_to": 0, "max_raise_to": 0, "other_bet": 20_000}


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
    ("player", "changes", "move"),
    [
        (raise_once, {}, 200),
        (raise_once, {"raises": 1}, CALL),
        (smart, {"equity": 0.7}, 180 + 20),  # by 0.4 of 200: below the minimum
        (smart, {"equity": 0.9}, 260),
        (smart, {"equity": 0.9, "raises": 2}, CALL),
        (smart, {"equity": 0.5}, CALL),
        (smart, {"equity": 0.44}, FOLD),
        (smart, {"equity": 0.44, **FREE}, CALL),
        (smart, {"equity": 0.5, "to_call": 500, "pot": 300}, FOLD),
        (scared_limper, {"equity": 0.4}, CALL),
        (scared_limper, {"equity": 0.852, "other_raises": 1, "to_call": 100}, FOLD),
        (scared_limper, {"equity": 0.852, "on_button": False, "to_call": 100}, FOLD),
        (scared_limper, {"equity": 1.0, **FREE}, 20_000),
        (hothead_maniac, {}, 300),
        (hothead_maniac, {"other_raises": 1}, 500),
        (candid_statistician, {"equity": 0.5}, 250),  # y = 156.25
        (candid_statistician, {"equity": 0.4}, FOLD),  # y = 32.8
        (tight_passive, {"equity": 0.5}, FOLD),
        (tight_passive, {"equity": 0.6}, CALL),
        (tight_passive, {"equity": 0.95}, 200),
        (loose_aggressive, {"equity": 0.5}, 233),
        (loose_aggressive, {"equity": 0.4, "raises": 3}, CALL),
        (pot_odds_caller, {"equity": 0.25}, CALL),
        (pot_odds_caller, {"equity": 0.24}, FOLD),
        (style_switcher, {"hand_number": 49}, CALL),
        (style_switcher, {"hand_number": 50}, FOLD),
        (style_switcher, {"hand_number": 100}, 300),
        (style_switcher, {"hand_number": 150}, CALL),
    ],
)
def test_what_each_player_does(player, changes, move):
    with np.errstate(over="ignore"):
        assert player(spot(**changes)) == move


def test_the_mixed_player_keeps_its_proportions():
    with np.errstate(over="ignore"):
        moves = [int(mixed_random(spot(chance=int(key_of(np.uint64(1), np.uint64(n)))))) for n in range(2000)]
    assert abs(moves.count(CALL) / 2000 - 0.5) < 0.05
    assert abs(moves.count(FOLD) / 2000 - 0.2) < 0.05


@pytest.mark.parametrize("player", Player)
def test_every_move_is_legal_in_random_spots(player):
    stakes = Stakes(50, 100, 0)
    rng = np.random.default_rng(player)
    hand, view = np.zeros(1, HAND)[0], np.zeros(1, VIEW)[0]
    with np.errstate(over="ignore"):
        for number in range(60):
            deal(hand, key_of(np.uint64(9), np.uint64(number)))
            post(hand, number & 1, int(rng.integers(1, 3000)), int(rng.integers(1, 3000)), stakes)
            while hand["actor"] >= 0:
                look(hand, hand["actor"], stakes, view)
                view["equity"], view["chance"] = rng.random(), rng.integers(1 << 62)
                view["hand_number"], view["buy_in"] = number * 7, 3000
                move = rule_move(view, player)
                assert move == fit(hand, move, stakes)
                apply(hand, move, stakes)
