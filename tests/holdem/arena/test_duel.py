"""Duels and leagues: hands counted, seats swapped, the same on any number of threads."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.holdem.arena.duel import duel, league, rules_for, standings
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named

PAPER, POKERNET = preset_named("paper").rules, preset_named("pokernet").rules
SMART, MANIAC, CALL = (player_named(name) for name in ("smart", "hothead-maniac", "call"))


@pytest.mark.parametrize(("hands", "played"), [(2, 2), (999, 1000), (1000, 1000), (2500, 2500)])
def test_hands_count_both_seats(hands, played):
    result = duel(SMART, CALL, PAPER, hands=hands)
    assert result.hands == played
    assert result.mbb_per_hand.n == played // 2


def test_a_bust_starts_the_next_session():
    result = duel(SMART, MANIAC, POKERNET, hands=3000, threads=2)
    assert 3000 <= result.hands <= 3001
    assert len(result.played) > 6
    broke = (result.played < 500) & (np.arange(len(result.played)) < len(result.played) - 4)
    assert (np.abs(result.net.sum(axis=1))[broke] == 1000).all()


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["paper", "pokernet"])
def test_the_same_on_any_number_of_threads(rules):
    one, three = (duel(SMART, MANIAC, rules, hands=5300, seed=4, threads=threads) for threads in (1, 3))
    assert np.array_equal(one.net, three.net)
    assert np.array_equal(one.adjusted, three.adjusted)
    assert one.tallies.tobytes() == three.tallies.tobytes()


def test_min_raising_beats_the_scared_limper_by_exactly_one_big_blind():
    result = duel(player_named("min-raiser"), player_named("scared-limper"), PAPER, hands=2000)
    assert (result.mbb_per_hand.mean, result.mbb_per_hand.stderr) == (1000, 0)
    assert result.mbb_per_hand.interval() == (1000, 1000)


def test_a_league_is_a_round_robin():
    players = [SMART, CALL, MANIAC]
    duels = league(players, PAPER, hands=1000, seed=1)
    table = standings(players, duels)
    assert [each.names for each in duels] == [
        ("smart", "call"),
        ("smart", "hothead-maniac"),
        ("call", "hothead-maniac"),
    ]
    assert sum(row.mbb_per_hand.mean for row in table) == pytest.approx(0)
    assert table[0].name == "smart"
    first, second = (each.net[0::2] + each.net[1::2] for each in duels[:2])
    by_deck = (first + second).ravel() / 4 * 1000 / PAPER.big_blind  # the mean of two duels and of two seats
    smart = table[0].mbb_per_hand
    assert smart.mean == pytest.approx(by_deck.mean())
    assert smart.stderr == pytest.approx(by_deck.std(ddof=1) / np.sqrt(len(by_deck)))


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["paper", "pokernet"])
def test_playing_the_same_opponent_twice_on_the_same_decks_says_nothing_new(rules):
    twin = replace(MANIAC, name="its twin")
    once = duel(SMART, MANIAC, rules, hands=3000, seed=2).mbb_per_hand
    table = standings([SMART], league([SMART, MANIAC, twin], rules, hands=3000, seed=2)[:2])
    assert table[0].mbb_per_hand.mean == pytest.approx(once.mean)
    assert table[0].mbb_per_hand.stderr == pytest.approx(once.stderr)


def test_a_player_is_named_once_in_a_league():
    with pytest.raises(SettingError, match="named once; smart is named 2 times"):
        league([SMART, CALL, SMART], PAPER, hands=100)


def test_the_rules_are_of_the_preset_that_is_asked_for_else_of_the_champions_own():
    assert rules_for([SMART, CALL]) == POKERNET
    assert rules_for([SMART, CALL], "paper") == PAPER
    assert rules_for([SMART, player_named("champion:paper")]) == PAPER
    assert duel(SMART, CALL, hands=2).rules == POKERNET


def test_too_few_hands_or_players_are_refused():
    with pytest.raises(SettingError, match="2 hands or more"):
        duel(SMART, CALL, PAPER, hands=1)
    with pytest.raises(SettingError, match="2 players or more"):
        league([SMART], PAPER, hands=100)
