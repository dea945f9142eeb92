"""Sessions hand by hand without a compiler: the kernel's hands, its statistics."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.holdem.arena.histories import session_histories
from holecard.holdem.arena.match import play_sessions
from holecard.holdem.game.statistics import TALLY, Statistics, tally_history
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("smart", "candid-statistician"),
        ("loose-aggressive", "mixed-random"),
        ("hothead-maniac", "pot-odds-caller"),
        ("smart", "champion:paper"),
    ],
)
@pytest.mark.parametrize("preset", ["paper", "pokernet"])
def test_histories_are_what_the_kernel_plays_hand_by_hand(first, other, preset):
    first, other = player_named(first), player_named(other)
    rules = replace(preset_named(preset).rules, hands=40)
    result = play_sessions(first, other, rules, deck_sets=2, seed=3)
    hands_in_seat = {0: [], 1: []}
    for session in range(4):
        histories = list(session_histories(first, other, rules, session=session, seed=3))
        net = [history.replay().payoffs[session & 1] for history in histories]
        assert net == result.net[session, : result.played[session]].tolist()
        assert histories[0].players[session & 1] == first.name
        hands_in_seat[session & 1] += histories
    tally = np.zeros(1, TALLY)[0]
    for seat, histories in hands_in_seat.items():
        for history in histories:
            tally_history(tally, history, seat)
    assert Statistics.of(tally) == result.statistics(0)
