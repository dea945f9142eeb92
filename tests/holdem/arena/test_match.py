"""Matches: zero-sum, fair between seats, the same on any number of threads."""

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.holdem.arena.match import play_sessions
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RULE_PLAYERS

PAPER = preset_named("paper").rules
POKERNET = preset_named("pokernet").rules


def test_min_raising_every_hand_wins_exactly_one_big_blind_from_the_scared_limper():
    result = play_sessions(player_named("min-raiser"), player_named("scared-limper"), PAPER, deck_sets=5)
    assert result.hands == 5000
    assert (result.net == 100).all()
    assert result.mbb_per_hand.mean == 1000
    assert result.mbb_per_hand.stderr == 0


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["paper", "pokernet"])
@pytest.mark.parametrize("name", RULE_PLAYERS)
def test_a_player_against_itself_on_duplicated_decks_scores_exactly_nothing(name, rules):
    result = play_sessions(player_named(name), player_named(name), rules, deck_sets=3, seed=4)
    assert result.mbb_per_hand.mean == 0
    assert np.array_equal(result.net[0::2], -result.net[1::2])


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["paper", "pokernet"])
def test_what_one_wins_the_other_loses(rules):
    forth = play_sessions(player_named("smart"), player_named("loose-aggressive"), rules, deck_sets=10, seed=2)
    back = play_sessions(player_named("loose-aggressive"), player_named("smart"), rules, deck_sets=10, seed=2)
    assert np.array_equal(forth.net[0::2], -back.net[1::2])
    assert forth.mbb_per_hand.mean == pytest.approx(-back.mbb_per_hand.mean)
    assert forth.statistics(0) == back.statistics(1)


def test_the_same_on_any_number_of_threads():
    players = player_named("smart"), player_named("mixed-random")
    one, three = (play_sessions(*players, POKERNET, deck_sets=20, seed=8, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.net, three.net)
    assert np.array_equal(one.played, three.played)
    assert one.tallies.tobytes() == three.tallies.tobytes()


def test_carried_sessions_end_when_someone_is_broke():
    result = play_sessions(player_named("hothead-maniac"), player_named("call"), POKERNET, deck_sets=30)
    assert (result.played < 500).any()
    broke = result.played < 500
    assert (np.abs(result.net.sum(axis=1))[broke] == 1000).all()
    for row, played in zip(result.net, result.played, strict=True):
        assert not row[played:].any()
    assert (np.abs(result.net.sum(axis=1)) <= 1000).all()
    assert play_sessions(player_named("hothead-maniac"), player_named("call"), PAPER, deck_sets=3).hands == 3000


def test_statistics_of_a_session_make_sense():
    result = play_sessions(player_named("call"), player_named("raise"), PAPER, deck_sets=4)
    call, raiser = result.statistics(0), result.statistics(1)
    assert call.hands == raiser.hands == 4000
    assert (call.pfr, call.af, call.wsd) == (0, 0, 1)
    assert (raiser.vpip, raiser.pfr) == (1, 1)
    assert call.wsdw + raiser.wsdw == pytest.approx(1)
    assert sum(raiser.shares.values()) == pytest.approx(1)


def test_bad_sizes_are_refused():
    for sizes in ({"deck_sets": 0}, {"deck_sets": 1, "threads": 0}):
        with pytest.raises(SettingError, match="1 or more"):
            play_sessions(player_named("call"), player_named("call"), PAPER, **sizes)
