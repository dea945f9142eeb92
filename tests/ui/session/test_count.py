"""The count that the window shows is the count of what lies face up."""

import pytest

from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.game.rules import Rules
from holecard.ui.session.count import count_at
from holecard.ui.session.playback import Playback
from holecard.ui.session.settings import Settings
from holecard.ui.session.standing import standing_at


@pytest.fixture(scope="module")
def session():
    settings = Settings(agent="counter:hi-lo", rules=Rules(decks=1, shoe="dealt"), rounds=25, seed=2)
    table = WatchedTable(settings.terms(), settings.agent)
    for _ in play_ahead(seated_agent(settings.agent, settings.terms(), settings.options), table):
        pass
    return table.session()


def test_it_is_what_the_counter_at_the_table_counts(session):
    """Its reasons name the running count at every decision, by its own way of counting."""
    playback, compared = Playback.of(session), 0
    for at in range(len(playback)):
        decision = playback.decision(at)
        if playback.step(at).kind.value == "decide" and decision is not None:
            count = count_at(playback, at, SYSTEMS["Hi-Lo"])
            assert f"running {float(count.running):+g}," in decision.reason
            compared += 1
    assert compared > 15
    counts = [count_at(playback, at, SYSTEMS["Hi-Lo"]) for at in range(len(playback))]
    assert {count.unseen for count in counts} & {49, 50}, "the shoe was shuffled or begun"
    assert counts[0].lines[0] == "Hi-Lo"
    assert counts[0].lines[1].startswith("running ")


def test_bets_that_vary_are_shown_as_they_were_made(session):
    playback = Playback.of(session)
    bets = {each.bets for each in session.rounds}
    assert len(bets) > 1, "this session has more than one size of bet"
    for at in range(len(playback)):
        made = session.rounds[playback.round_of(at)].bets
        hands = sum(hand.bets for hand in playback.scene(at).hands)
        assert standing_at(playback, at, 25).bet == session.bet * made * hands


def test_a_shoe_without_end_has_no_count():
    settings = Settings(agent="heuristic", rules=Rules(decks=float("inf")), rounds=1)
    table = WatchedTable(settings.terms(), settings.agent)
    for _ in play_ahead(seated_agent("heuristic", settings.terms(), settings.options), table):
        pass
    assert count_at(Playback.of(table.session()), 0, SYSTEMS["Hi-Lo"]) is None
