"""Opponents by name, seated at a hand."""

import pytest

from holecard.errors import RulesError
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.opponents import OPPONENTS, RulePlayer, opponent_named
from holecard.holdem.players.players import Player


def test_every_player_has_a_name_and_six_are_held_out():
    assert {opponent.player for opponent in OPPONENTS.values()} == set(Player)
    assert sum(opponent.held_out for opponent in OPPONENTS.values()) == 6
    for name in ("check-fold", "call", "raise", "smart", "scared-limper", "calling-machine", "hothead-maniac"):
        assert not opponent_named(name).held_out


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(RulesError, match="did you mean candid-statistician"):
        opponent_named("candid-statistican")


@pytest.mark.parametrize("name", OPPONENTS)
def test_an_opponent_plays_hands_to_the_end_and_says_why(name):
    rules = HoldemRules.preset("pokernet")
    players = [RulePlayer(opponent_named(name), seed=1, buy_in=1000), RulePlayer(opponent_named("smart"), seed=2)]
    for number in range(4):
        hand = HandState(rules, button=number & 1, cards=deal_cards(3, number))
        while hand.actor is not None:
            player = players[hand.actor]
            action = player.act(hand.view(hand.actor), number)
            assert player.last_reason.startswith(str(action))
            hand.apply(action)
        assert sum(hand.payoffs) == 0
