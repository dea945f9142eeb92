"""The rule players: their names and numbers, and what each does spot by spot."""

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.holdem.game.betting import CALL, FOLD, HAND, apply, deal, fit, post
from holecard.holdem.game.rules import Stakes
from holecard.holdem.game.view import VIEW, look
from holecard.holdem.players.rule_players import (
    RULE_PLAYERS,
    RulePlayer,
    candid_statistician,
    hothead_maniac,
    loose_aggressive,
    mixed_random,
    pot_odds_caller,
    raise_once,
    rule_move,
    rule_player_named,
    scared_limper,
    smart,
    style_switcher,
    tight_passive,
)
from holecard.seeds import key_of
from tests.holdem.spots import FREE, spot


def test_every_rule_player_has_a_name_and_six_are_held_out():
    assert set(RULE_PLAYERS.values()) == set(RulePlayer)
    assert [int(player) for player in RulePlayer] == list(range(18)), "kernels know them by number"
    assert sum(player.held_out for player in RulePlayer) == 6
    for name in ("check-fold", "call", "raise", "smart", "scared-limper", "calling-machine", "hothead-maniac"):
        assert not rule_player_named(name).held_out


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(SettingError, match="did you mean candid-statistician"):
        rule_player_named("candid-statistican")


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


@pytest.mark.parametrize("player", RulePlayer)
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
