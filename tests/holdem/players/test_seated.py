"""Players by name in a seat: every one is a `Player`, plays hands to the end and says why."""

import pytest

from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.holdem.players.protocol import Player
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.holdem.players.seated import SeatedNetwork, seated


def play_hands(players, rules, hands):
    """Hands between two players, every action with its reason."""
    assert all(isinstance(player, Player) for player in players)
    for number in range(hands):
        hand = HandState(rules, button=number & 1, cards=deal_cards(3, number))
        while hand.actor is not None:
            player = players[hand.actor]
            action = player.act(hand.view(hand.actor), number)
            assert player.last_reason.startswith(str(action))
            hand.apply(action)
        assert sum(hand.payoffs) == 0


@pytest.mark.parametrize("name", RULE_PLAYERS)
def test_a_rule_player_plays_hands_to_the_end_and_says_why(name):
    rules = preset_named("pokernet").rules
    players = [seated(name, seed=1, buy_in=rules.stack), seated("smart", seed=2, buy_in=0)]
    assert [player.name for player in players] == [name, "smart"]
    play_hands(players, rules, hands=4)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_champion_plays_hands_to_the_end_and_says_why(preset):
    rules = preset_named(preset).rules
    players = [seated(name, seed=1, buy_in=rules.stack) for name in (f"champion:{preset}", "smart")]
    assert isinstance(players[0], SeatedNetwork)
    play_hands(players, rules, hands=6)


@pytest.mark.parametrize("preset", ["paper", "pokernet"])
def test_equilibrium_plays_hands_to_the_end_and_says_how_it_mixes(preset):
    rules = preset_named(preset).rules
    players = [seated(name, seed=1, buy_in=rules.stack) for name in ("equilibrium", "smart")]
    play_hands(players, rules, hands=6)
    assert "mixed, " in players[0].last_reason
