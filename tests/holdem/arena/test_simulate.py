"""Sessions: zero-sum, fair between seats, the same on any number of threads, kernel = plain Python hand by hand."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.errors import HolecardError
from holecard.holdem.arena.simulate import play_sessions, session_histories
from holecard.holdem.arena.table import hand_key
from holecard.holdem.game.statistics import TALLY, Statistics, tally_history
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RulePlayer

PAPER = preset_named("paper").rules
POKERNET = preset_named("pokernet").rules


def test_min_raising_every_hand_wins_exactly_one_big_blind_from_the_scared_limper():
    result = play_sessions(RulePlayer.MIN_RAISER, RulePlayer.SCARED_LIMPER, PAPER, decks=5)
    assert result.hands == 5000
    assert (result.net == 100).all()
    assert result.mbb_per_hand.mean == 1000
    assert result.mbb_per_hand.stderr == 0


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["paper", "pokernet"])
@pytest.mark.parametrize("player", RulePlayer, ids=lambda player: player.title)
def test_a_player_against_itself_on_duplicated_decks_scores_exactly_nothing(player, rules):
    result = play_sessions(player, player, rules, decks=3, seed=4)
    assert result.mbb_per_hand.mean == 0
    assert np.array_equal(result.net[0::2], -result.net[1::2])


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["paper", "pokernet"])
def test_what_one_wins_the_other_loses(rules):
    forth = play_sessions(RulePlayer.SMART, RulePlayer.LOOSE_AGGRESSIVE, rules, decks=10, seed=2)
    back = play_sessions(RulePlayer.LOOSE_AGGRESSIVE, RulePlayer.SMART, rules, decks=10, seed=2)
    assert np.array_equal(forth.net[0::2], -back.net[1::2])
    assert forth.mbb_per_hand.mean == pytest.approx(-back.mbb_per_hand.mean)
    assert forth.statistics(0) == back.statistics(1)


def test_the_same_on_any_number_of_threads():
    one, three = (
        play_sessions(RulePlayer.SMART, RulePlayer.MIXED_RANDOM, POKERNET, decks=20, seed=8, threads=threads)
        for threads in (1, 3)
    )
    assert np.array_equal(one.net, three.net)
    assert np.array_equal(one.played, three.played)
    assert one.tallies.tobytes() == three.tallies.tobytes()


def test_carried_sessions_end_when_someone_is_broke():
    result = play_sessions(RulePlayer.HOTHEAD_MANIAC, RulePlayer.CALL, POKERNET, decks=30)
    assert (result.played < 500).any()
    broke = result.played < 500
    assert (np.abs(result.net.sum(axis=1))[broke] == 1000).all()
    for row, played in zip(result.net, result.played, strict=True):
        assert not row[played:].any()
    assert (np.abs(result.net.sum(axis=1)) <= 1000).all()
    assert play_sessions(RulePlayer.HOTHEAD_MANIAC, RulePlayer.CALL, PAPER, decks=3).hands == 3000


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (RulePlayer.SMART, RulePlayer.CANDID_STATISTICIAN),
        (RulePlayer.LOOSE_AGGRESSIVE, RulePlayer.MIXED_RANDOM),
        (RulePlayer.HOTHEAD_MANIAC, RulePlayer.POT_ODDS_CALLER),
    ],
)
@pytest.mark.parametrize("preset", ["paper", "pokernet"])
def test_kernel_equals_plain_python_hand_by_hand(first, other, preset):
    rules = replace(preset_named(preset).rules, hands=40)
    result = play_sessions(first, other, rules, decks=2, seed=3)
    hands_in_seat = {0: [], 1: []}
    for session in range(4):
        histories = list(session_histories(first, other, rules, session=session, seed=3))
        net = [history.replay().payoffs[session & 1] for history in histories]
        assert net == result.net[session, : result.played[session]].tolist()
        assert histories[0].players[session & 1] == first.title
        hands_in_seat[session & 1] += histories
    tally = np.zeros(1, TALLY)[0]
    for seat, histories in hands_in_seat.items():
        for history in histories:
            tally_history(tally, history, seat)
    assert Statistics.of(tally) == result.statistics(0)


def test_deals_differ_within_a_session_and_between_decks():
    with np.errstate(over="ignore"):
        keys = {int(hand_key(np.uint64(1), deck, number)) for deck in range(20) for number in range(500)}
    assert len(keys) == 10_000


def test_statistics_of_a_session_make_sense():
    result = play_sessions(RulePlayer.CALL, RulePlayer.RAISE, PAPER, decks=4)
    call, raiser = result.statistics(0), result.statistics(1)
    assert call.hands == raiser.hands == 4000
    assert (call.pfr, call.af, call.wsd) == (0, 0, 1)
    assert (raiser.vpip, raiser.pfr) == (1, 1)
    assert call.wsdw + raiser.wsdw == pytest.approx(1)
    assert sum(raiser.shares.values()) == pytest.approx(1)


def test_bad_sizes_are_refused():
    for sizes in ({"decks": 0}, {"decks": 1, "threads": 0}):
        with pytest.raises(HolecardError, match="1 or more"):
            play_sessions(RulePlayer.CALL, RulePlayer.CALL, PAPER, **sizes)
